package solver

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fdem/contactnodes"
	"fdem/fem/fracture"
	"fdem/materials/cohesive"
	"fdem/materials/contact"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// brittle lets the bodies of a model break that may names, at a strength [Pa].
func brittle(t testing.TB, m *models.Model, strength float64, may ...int) *models.Model {
	t.Helper()
	l, err := cohesive.New(cohesive.Parameters{TensileStrength: strength, Cohesion: 2 * strength, Friction: 0.5, EnergyTension: 5, EnergyShear: 20, Mixed: 2, Softening: "linear"})
	noError(t, err)
	f := &models.Fracture{Regions: []fracture.Region{{Law: l, Stiffness: 2}}, Edges: fracture.Interior(m.Mesh.Triangles)}
	if len(m.Excavations) > 0 {
		f.Leaves = make([]bool, len(m.Mesh.Triangles))
	}
	for _, x := range m.Excavations {
		for t := m.Mesh.Bodies[x.Body].First; t < m.Mesh.Bodies[x.Body].End; t++ {
			f.Leaves[t] = true
		}
	}
	for i := range f.Edges {
		if e := &f.Edges[i]; f.Leaves != nil && (f.Leaves[e.A] || f.Leaves[e.B]) {
			continue
		}
		for _, b := range may {
			if of := m.Mesh.Bodies[b]; f.Edges[i].A >= of.First && f.Edges[i].A < of.End {
				f.Edges[i].Region = 0
			}
		}
	}
	f.Pages = fracture.NewPages(fracture.Capacity(len(m.Mesh.X), m.Mesh.Triangles, f.Edges, nil))
	numbers := f.Pages.Numbers
	for i := range f.Edges {
		e := &f.Edges[i]
		e.From, e.To = numbers[e.From], numbers[e.To]
	}
	m.Mesh = m.Mesh.WithRoom(numbers, f.Pages.Nodes)
	m.Fracture = f
	for i := range m.Fixes {
		for k, n := range m.Fixes[i].Nodes {
			m.Fixes[i].Nodes[k] = numbers[n]
		}
	}
	for i := range m.Loads {
		m.Loads[i].Nodes = slices.Clone(m.Loads[i].Nodes)
		for k, n := range m.Loads[i].Nodes {
			m.Loads[i].Nodes[k] = numbers[n]
		}
	}
	return m
}

// shattered is two blocks of which one breaks as they meet, loaded and damped.
func shattered(t testing.TB) *models.Model { return brittle(t, struckBlocks(t), 40e6, 0, 1) }

// struckBlocks is the same blocks before they may break.
func struckBlocks(t testing.TB) *models.Model {
	m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), 0)
	m.Contacts[0].Friction = contactnodes.Friction{Kinetic: 0.3, Static: 0.4, Stiffness: 1e13}
	m.Bodies[0].Velocity.X = 6
	n, _ := side(m.Mesh, 0)
	_, e := side(m.Mesh, 0.0351)
	m.Loads = []models.Load{
		{Nodes: n, Weights: shares(len(n)), Force: r2.Vec{X: 3e3, Y: 1e3}, Schedule: func(t float64) float64 { return math.Sin(t / 3e-6) }},
		{Edges: e, Pressure: 5e6},
	}
	m.Absorbs = []models.Absorb{{Edges: e}}
	m.Damping = models.Damping{Mass: 1e3, Local: 0.3}
	m.Gravity = r2.Vec{X: 3e4, Y: -2e4}
	return m
}

// Undamped fragments without friction take shorter steps as soon as a crack opens, others do not.
func TestRattlingFragmentsTakeShorterSteps(t *testing.T) {
	for _, c := range []struct{ friction, damping, share float64 }{{0, 0, rattleShare}, {0.5, 0, 1}, {0, 1e3, 1}} {
		m := shattered(t)
		m.Absorbs, m.Damping, m.Duration = nil, models.Damping{Mass: c.damping}, 1e-4
		l := *m.Fracture.Regions[0].Law
		l.ResidualFriction = c.friction
		for i := range m.Fracture.Regions {
			m.Fracture.Regions[i].Law = &l
		}
		s := start(t, m)
		told := ""
		s.Note = func(format string, args ...any) { told = fmt.Sprintf(format, args...) }
		for cracks := 0; ; cracks = s.Zone().Cracks() {
			cracked := s.Cracked
			now, rattling := s.longest(), s.rattling
			s.rattling = false
			share := now / s.longest()
			s.rattling = rattling
			if want := map[bool]float64{true: c.share, false: 1}[cracks > 0]; math.Abs(share-want) > 1e-12 {
				t.Fatalf("friction %g, damping %g, %d cracks: %g of the step, want %g", c.friction, c.damping, cracks, share, want)
			}
			if cracks > 0 {
				break
			}
			if s.Time > 0.9*m.Duration {
				t.Fatal("nothing opens")
			}
			told, s.Cracked = "", cracked // as if longest had not been asked
			noError(t, s.Step(0, nil))
		}
		if rattles := strings.Contains(told, "a crack has opened, and steps take 0.7 of their length"); rattles != (c.share < 1) || rattles && !strings.Contains(told, "the crack at") {
			t.Errorf("friction %g, damping %g: told %q", c.friction, c.damping, told)
		}
	}
}

// A body breaks in a collision: the ledger closes, momentum and masses are kept, with any number of
// workers.
func TestBodiesBreak(t *testing.T) {
	t.Parallel()
	var first []r2.Vec
	for _, workers := range []int{1, 3} {
		m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), 0.2)
		m.Bodies[0].Velocity.X = 6
		m = brittle(t, m, 40e6, 0, 1)
		m.Duration = 60e-6
		s := start(t, m)
		s.SetWorkers(workers)
		momentum := func() (p r2.Vec, mass float64) {
			for _, b := range s.Motions() {
				p = r2.Add(p, b.Momentum)
				mass += b.Mass
			}
			return p, mass
		}
		before, _ := momentum()
		whole := 0.0
		for _, w := range s.Mass {
			whole += w
		}
		run(t, s, nil)
		after, mass := momentum()
		e, totals := s.Energies(), s.Cracks().Totals()
		t.Logf("%d workers: %d steps, %d edges inserted, %d broken; %+v", workers, s.N, totals.InsertedEdges, totals.BrokenEdges, e)
		if totals.BrokenEdges < 10 || e.FractureDissipated <= 0 {
			t.Errorf("%d edges broke with %g J", totals.BrokenEdges, e.FractureDissipated)
		}
		if d := r2.Norm(r2.Sub(after, before)); d > 1e-10*r2.Norm(before) {
			t.Errorf("momentum changed by %g of %g", d, r2.Norm(before))
		}
		sum := 0.0
		for _, w := range s.Mass {
			sum += w
		}
		if math.Abs(sum-whole) > 1e-12*whole || math.Abs(mass-whole) > 1e-12*whole {
			t.Errorf("the nodes weigh %g, the bodies %g of %g kg", sum, mass, whole)
		}
		if r := ofSteps(s, e); r > 5e-3 {
			t.Errorf("the ledger is off by %g", r)
		}
		for i, w := range s.Mass { // a node has the mass of its triangles, and its outline's edges
			if w > 0 && s.Inverse(int32(i)) != (r2.Vec{X: 1 / w, Y: 1 / w}) {
				t.Fatalf("node %d of %g kg has 1/mass %v", i, w, s.Inverse(int32(i)))
			}
		}
		for i, edge := range s.Mesh.Edges {
			if tri := s.Mesh.Triangles[edge.Tri]; !slices.Contains(tri[:], edge.A) || !slices.Contains(tri[:], edge.B) {
				t.Fatalf("boundary edge %d is from %d to %d, its triangle is of %v", i, edge.A, edge.B, tri)
			}
		}
		if first == nil {
			first = slices.Clone(s.X)
		} else if !slices.Equal(first, s.X) {
			t.Error("another number of workers moves other bits")
		}
	}
}

// Bodies that can break, but do not, move to the bit as bodies that cannot, where both meet by contact
// nodes. Energies are the same but for the order of sums: the nodes have other numbers, and so other
// leaves. With a linear law, bodies that cannot break meet by pairs of edges, and energies are the same
// within 0.1 % of the whole.
func TestUnbrokenBodies(t *testing.T) {
	for name, c := range map[string]struct {
		law    contact.Law
		within float64
		bits   bool
	}{
		"rough":  {kostek(t), 1e-15, true},
		"linear": {law(t, "linear", map[string]float64{"k": 1e14}), 1e-3, false},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(m *models.Model) (*Solver, system.Energies) {
				m.Duration = 40e-6
				s := start(t, m)
				run(t, s, nil)
				return s, s.Energies()
			}
			plain, want := run(oblique(t, c.law, 0.2))
			room, got := run(brittle(t, oblique(t, c.law, 0.2), 1e12, 0, 1))
			if room.Cracks().Cracks() != 0 {
				t.Errorf("%d cracks", room.Cracks().Cracks())
			}
			for i := range system.OfLedger {
				of := &system.OfLedger[i]
				if a, b := *of.Value(&got), *of.Value(&want); math.Abs(a-b) > c.within*want.Total() {
					t.Errorf("%s is %v J, want %v", of.Of.Name, a, b)
				}
			}
			for i, p := range room.Fracture.Pages.Numbers {
				if c.bits && (plain.X[i] != room.X[p] || plain.V[i] != room.V[p]) {
					t.Fatalf("node %d is at %v, want %v", i, room.X[p], plain.X[i])
				}
			}
		})
	}
}

// The effect of cracks on the step is reported if something can break. It is not reported beside
// joints of given stiffness, nor for joints alone.
func TestStepOfCracksIsReported(t *testing.T) {
	breaks := shattered(t).Fracture.Regions[0]
	joint, given := breaks, fracture.Region{Law: breaks.Law, Springs: &cohesive.Springs{Normal: 1e12, Shear: 1e12}}
	alone := breaks.Step(1)
	for _, v := range []struct {
		name    string
		regions []fracture.Region
		joints  []bool
		want    float64
	}{
		{"cracks", []fracture.Region{breaks}, nil, alone},
		{"cracks beside a joint", []fracture.Region{breaks, joint}, []bool{false, true}, alone},
		{"a joint alone", []fracture.Region{joint}, []bool{true}, 0},
		{"cracks beside a joint of a stiffness", []fracture.Region{breaks, given}, []bool{false, true}, 0},
		{"a bonded joint of a stiffness", []fracture.Region{given}, []bool{false}, 0},
	} {
		if got := (&models.Fracture{Regions: v.regions, Joints: v.joints}).Step(1); alone <= 0 || got != v.want {
			t.Errorf("%s: %g of the step, want %g", v.name, got, v.want)
		}
	}
}
