package solver

import (
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// fork is a body with two prongs along x, 20 mm long and 2 mm thick, a slot of
// the given width between them.
func fork(slot float64) *mesh.Source {
	src := &mesh.Source{Name: "fork"}
	rectangle(src, "fork", 0, 0, 0.025, 0.002, 50, 4)
	rectangle(src, "fork", 0, 0.002+slot, 0.025, 0.002, 50, 4)
	rectangle(src, "fork", 0, 0.002, 0.005, slot, 10, 1)
	return merged(src)
}

// merged is one body of all groups, nodes at the same position made one.
func merged(src *mesh.Source) *mesh.Source {
	out := &mesh.Source{Name: src.Name}
	index := map[[2]int64]int32{}
	number := make([]int32, len(src.X))
	for i, x := range src.X {
		key := [2]int64{int64(math.Round(x.X * 1e9)), int64(math.Round(x.Y * 1e9))}
		n, ok := index[key]
		if !ok {
			n = int32(len(out.X))
			index[key] = n
			out.X, out.NodeID = append(out.X, x), append(out.NodeID, int64(n)+1)
		}
		number[i] = n
	}
	g := mesh.SourceGroup{Name: src.Groups[0].Name, Dim: 2, Number: 1}
	for i, t := range src.Triangles {
		g.Elements = append(g.Elements, int32(i))
		out.Triangles = append(out.Triangles, [3]int32{number[t[0]], number[t[1]], number[t[2]]})
		out.TriID = append(out.TriID, int64(i)+1)
	}
	out.Groups = []mesh.SourceGroup{g}
	return out
}

// The prongs of a fork swing against each other. With self-contact they bounce and keep their
// energy. Without it they pass through each other.
func TestSelfContact(t *testing.T) {
	const slot = 0.0002
	gap := func(self bool) (least, worst float64, s *Solver) {
		m := model(t, fork(slot), steel)
		all := edges(m.Mesh, 0)
		m.Contacts = []models.SurfaceContact{{Name: "self", Contactor: all, Opposite: all, Self: self, NodesPerElement: 20,
			Law: law(t, "linear", map[string]float64{"k": 3e14}), Friction: contactnodes.Friction{Speed: 1e-3}}}
		m.Duration, m.HistoryEvery = 120e-6, 1e-6
		s = start(t, m)
		for i, x := range m.Mesh.X {
			if u := (x.X - 0.005) / 0.02; u > 0 {
				s.V[i].Y = math.Copysign(6*u*u, 0.002+slot/2-x.Y)
			}
		}
		up, down := -1, -1
		for i, x := range m.Mesh.X {
			if x.X > 0.02499 && math.Abs(x.Y-0.002) < 1e-9 {
				down = i
			}
			if x.X > 0.02499 && math.Abs(x.Y-0.002-slot) < 1e-9 {
				up = i
			}
		}
		least = slot
		run(t, s, func() {
			least = min(least, s.X[up].Y-s.X[down].Y)
			worst = max(worst, s.Relative(s.Energies()))
		})
		return least, worst, s
	}
	least, _, _ := gap(false)
	if least > -slot {
		t.Fatalf("without self-contact the gap is %g m at least: the test tests nothing", least)
	}
	least, worst, s := gap(true)
	t.Logf("least gap %.3g m, peak force %.3g N, worst residual %.2g", least, s.PeakForce[0], worst)
	if least < -0.05*slot {
		t.Errorf("the prongs pass %g m into each other", -least)
	}
	if s.PeakForce[0] == 0 || worst > 1e-3 {
		t.Errorf("peak force %g N, worst residual %g", s.PeakForce[0], worst)
	}
}

// A body of thin parts and acute corners does not touch itself while it spins and vibrates.
func TestNoFalseSelfContact(t *testing.T) {
	src := &mesh.Source{Name: "wedge"}
	// a fan of thin blades one element wide, and an acute tip
	rectangle(src, "comb", 0, 0, 0.02, 0.002, 20, 1)
	for i := range 5 {
		rectangle(src, "comb", 0.004*float64(i), 0.002, 0.001, 0.01, 1, 10)
	}
	src = merged(src)
	tip := int32(len(src.X))
	src.X, src.NodeID = append(src.X, r2.Vec{X: 0.04, Y: 0.0005}), append(src.NodeID, int64(tip)+1)
	low, high := int32(-1), int32(-1)
	for i, x := range src.X {
		if math.Abs(x.X-0.02) < 1e-9 && x.Y < 1e-9 {
			low = int32(i)
		}
		if math.Abs(x.X-0.02) < 1e-9 && math.Abs(x.Y-0.002) < 1e-9 {
			high = int32(i)
		}
	}
	src.Groups[0].Elements = append(src.Groups[0].Elements, int32(len(src.Triangles)))
	src.Triangles, src.TriID = append(src.Triangles, [3]int32{low, tip, high}), append(src.TriID, int64(len(src.Triangles))+1)
	m := model(t, src, steel)
	all := edges(m.Mesh, 0)
	m.Contacts = []models.SurfaceContact{{Name: "self", Contactor: all, Opposite: all, Self: true, NodesPerElement: 20,
		Law: law(t, "linear", map[string]float64{"k": 3e14}), Friction: contactnodes.Friction{Speed: 1e-3}}}
	m.Duration, m.HistoryEvery = 200e-6, 1e-6
	m.Bodies[0].AngularVelocity = 3000
	s := start(t, m)
	for i, x := range m.Mesh.X {
		s.V[i].X += 3 * math.Sin(900*x.Y)
		s.V[i].Y += 3 * math.Cos(700*x.X)
	}
	active, strain := 0, 0.0
	run(t, s, func() {
		active += s.Surfaces[0].Active
		strain = max(strain, s.Energies().Strain)
	})
	t.Logf("strain energy up to %.3g J of %.3g J", strain, s.Ledger.Entered)
	if active > 0 || s.PeakForce[0] > 0 {
		t.Errorf("the body touched itself with up to %g N", s.PeakForce[0])
	}
}
