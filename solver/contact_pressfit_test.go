package solver

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
	"fdem/solver/contacts"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// ring adds a body between two radii [m] around the origin, of layers and sectors.
func ring(src *mesh.Source, name string, from, to float64, layers, sectors int) {
	base := int32(len(src.X))
	for j := range layers + 1 {
		r := from + (to-from)*float64(j)/float64(layers)
		for i := range sectors {
			a := 2 * math.Pi * float64(i) / float64(sectors)
			src.X = append(src.X, r2.Vec{X: r * math.Cos(a), Y: r * math.Sin(a)})
			src.NodeID = append(src.NodeID, int64(len(src.X)))
		}
	}
	g := mesh.SourceGroup{Name: name, Dim: 2, Number: len(src.Groups) + 1}
	for j := range layers {
		for i := range sectors {
			at := func(j, i int) int32 { return base + int32(j*sectors+i%sectors) }
			a, b, c, d := at(j, i), at(j+1, i), at(j+1, i+1), at(j, i+1)
			for _, t := range [][3]int32{{a, b, c}, {a, c, d}} {
				g.Elements = append(g.Elements, int32(len(src.Triangles)))
				src.Triangles = append(src.Triangles, t)
				src.TriID = append(src.TriID, int64(len(src.Triangles)))
			}
		}
	}
	src.Groups = append(src.Groups, g)
}

// A hollow shaft in a ring: radii [m], and the stiffness of the contact between them [N/m3].
const inner, middle, outer, stiffness = 0.01, 0.02, 0.04, 1e15

// carriers are the contactor and the opposite body by what carries the contact nodes.
var carriers = map[string][2]int{"shaft": {0, 1}, "ring": {1, 0}, "both": {0, 1}}

// pressFit presses a ring on a shaft, of so many edges each, and returns the run and the pressure [Pa].
func pressFit(t *testing.T, sectors [2]int, interference float64, nodesPerElement int, carrier string, increments int) (s *Solver, pressure float64) {
	t.Helper()
	src := &mesh.Source{Name: "fit"}
	ring(src, "shaft", inner, middle, 8, sectors[0])
	ring(src, "ring", middle-interference, outer, 12, sectors[1])
	m, on := model(t, src, steel), carriers[carrier]
	holdRound(m, inner, outer)
	m.Contacts = []models.SurfaceContact{{
		Name: "fit", Contactor: edges(m.Mesh, on[0]), Opposite: edges(m.Mesh, on[1]), NodesPerElement: nodesPerElement, TwoSided: carrier == "both",
		Law: law(t, "linear", map[string]float64{"k": stiffness}), Overlap: contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 0.01},
	}}
	s = start(t, statically(m, increments))
	run(t, s, nil)
	return s, s.Surfaces[0].Normal / (2 * math.Pi * middle * m.Thickness)
}

// lame returns the pressure of a ring shrunk on a shaft by small strains [Pa].
func lame(interference float64) float64 {
	return interference / (middle*(yields(inner, middle, -1)+yields(middle, outer, 1)) + 1/stiffness)
}

// yields returns the radial displacement of a ring between two radii, over the radius where it is
// pressed and over the pressure [1/Pa]: sign is -1 from outside, 1 from inside.
func yields(from, to, sign float64) float64 {
	return ((to*to+from*from)/(to*to-from*from) + sign*steel.Poisson) / steel.Young
}

// A ring shrunk on a hollow shaft presses as Lame says, whichever of the two carries the contact
// nodes, however small or great the interference; and the work of the ramp is all of the stored
// energy.
func TestPressFit(t *testing.T) {
	t.Parallel()
	for i, interference := range []float64{1e-9, 1e-7, 1e-5, 1e-4} {
		if LeftOut(t, i, 3) {
			continue
		}
		for name := range carriers {
			t.Run(fmt.Sprintf("%g m, contact nodes on %s", interference, name), func(t *testing.T) {
				s, got := pressFit(t, [2]int{48, 48}, interference, 20, name, 4)
				m, want := s.Model, lame(interference)
				if math.Abs(got-want) > 0.01*want {
					t.Errorf("pressure %g Pa, want %g Pa", got, want)
				}
				for side := range 2 { // probed on either side
					var on []int32
					for _, i := range edges(m.Mesh, side) {
						if e := &m.Mesh.Edges[i]; math.Abs(r2.Norm(m.Mesh.X[e.A])-middle) < 1e-3 {
							on = append(on, i)
						}
					}
					if p := s.ProbeValues(&models.Probe{Quantity: "pressure", Region: &models.ProbeRegion{Edges: on, Take: "mean"}}, 1)[0]; math.Abs(p-want) > 0.02*want {
						t.Errorf("side %d is probed with %g Pa, want %g Pa", side, p, want)
					}
				}
				if e := s.Energies(); math.Abs(e.Residual) > 0.002*e.Strain || math.Abs(s.Ledger.Closed) > 0 {
					t.Errorf("residual %g J of %g J", e.Residual, e.Strain)
				}
			})
		}
	}
}

// Bodies whose overlap at the start is deeper than their solid are an error. They are not taken for
// bodies that do not touch.
func TestDeepOverlapIsSeen(t *testing.T) {
	for _, c := range []struct {
		interference float64
		deep         bool
	}{{-1e-3, false}, {0, false}, {1e-4, false}, {3e-3, false}, {5e-3, true}, {8e-3, true}} {
		src := &mesh.Source{Name: "fit"}
		ring(src, "shaft", 0.01, 0.02, 8, 48)
		ring(src, "ring", 0.02-c.interference, 0.04, 12, 48)
		m := model(t, src, steel)
		m.Contacts = []models.SurfaceContact{{
			Name: "fit", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 20,
			Law: law(t, "linear", map[string]float64{"k": 1e13}), Overlap: contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 0.01},
		}}
		m.Duration = 1
		_, err := New(m)
		var deep *contactnodes.DepthError
		if got := errors.As(err, &deep); got != c.deep || !got && err != nil {
			t.Errorf("%g m: %v", c.interference, err)
		} else if got && math.Abs(deep.Deflection-c.interference) > 0.1*c.interference {
			t.Errorf("%g m: %g m deep", c.interference, deep.Deflection)
		}
	}
}

// A static analysis that continues with another model has the increments of a start.
func TestStaticReplanned(t *testing.T) {
	s := start(t, statically(plate(t), 4))
	s.Planned = 1e-3
	if s.Replan(0); s.Planned != 0.25 || s.Limit != 0.25 {
		t.Errorf("planned %g s, limit %g s", s.Planned, s.Limit)
	}
}

// radially integrates the balance of a ring in plane stress, of St. Venant and Kirchhoff,
// from one radius, where it is free and has been displaced by a part of it, to another. It
// returns where that comes to lie [m], and the radial force there [N/m per radian].
func radially(from, to, part float64) (r, force float64) {
	const steps = 100
	modulus, nu := steel.Young/(1-steel.Poisson*steel.Poisson), steel.Poisson
	slopes := func(at, r, force float64) (dr, df float64) {
		along := 0.5 * (r*r/(at*at) - 1)
		dr = math.Sqrt(1 - 2*nu*along) // free of stress; Newton's method from there
		for range 8 {
			s := modulus * (0.5*(dr*dr-1) + nu*along)
			dr -= (dr*s - force/at) / (s + modulus*dr*dr)
		}
		return dr, r / at * modulus * (along + nu*0.5*(dr*dr-1))
	}
	r = from * (1 + part)
	for i := range steps { // midpoint rule
		h := (to - from) / steps
		at := from + float64(i)*h
		dr, df := slopes(at, r, force)
		dr, df = slopes(at+0.5*h, r+0.5*h*dr, force+0.5*h*df)
		r, force = r+h*dr, force+h*df
	}
	return r, force
}

// found returns where a rising function is zero between 0 and high.
func found(high float64, rising func(float64) float64) float64 {
	low := 0.0
	for range 50 {
		if middle := 0.5 * (low + high); rising(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// An interference of more than half an element finds its balance, too. Its pressure is that of
// theory of large strains, 0.9 % and 1.7 % more than Lame's; whichever side has the contact nodes.
func TestDeepPressFit(t *testing.T) {
	t.Parallel()
	for _, interference := range []float64{5e-4, 1e-3} {
		want := found(0.1*steel.Young*middle, func(force float64) float64 {
			shaft := found(0.2, func(part float64) float64 { _, f := radially(inner, middle, -part); return -f - force })
			ring := found(0.2, func(part float64) float64 { _, f := radially(outer, middle-interference, part); return -f - force })
			r, _ := radially(inner, middle, -shaft)
			q, _ := radially(outer, middle-interference, ring)
			return q + force/(middle*stiffness) - r
		}) / middle
		for _, name := range []string{"shaft", "ring"} {
			if name == "ring" && interference < 1e-3 {
				continue
			}
			s, got := pressFit(t, [2]int{48, 48}, interference, 10, name, 1)
			if math.Abs(got-want) > 0.01*want {
				t.Errorf("%g m, contact nodes on %s: %g Pa, want %g Pa", interference, name, got, want)
			}
			if e := s.Energies(); math.Abs(e.Residual) > 0.002*e.Strain {
				t.Errorf("%g m: residual %g J of %g J", interference, e.Residual, e.Strain)
			}
		}
	}
}

// holdRound holds rings around the origin against motion as a whole, at positions on the axes.
func holdRound(m *models.Model, radii ...float64) {
	for i, x := range m.Mesh.X {
		for _, r := range radii {
			switch {
			case math.Abs(x.Y) < 1e-12 && math.Abs(math.Abs(x.X)-r) < 1e-12:
				m.Fixes = append(m.Fixes, models.Fix{Nodes: []int32{int32(i)}, Y: true})
			case math.Abs(x.X) < 1e-12 && math.Abs(math.Abs(x.Y)-r) < 1e-12:
				m.Fixes = append(m.Fixes, models.Fix{Nodes: []int32{int32(i)}, X: true})
			}
		}
	}
}

// Rings of unlike meshes press as Lame says, too, whichever of the two carries the contact nodes:
// their edges stand for arcs. Without -whole three of the pairs have one overlap and one number of
// contact nodes.
func TestUnlikePressFit(t *testing.T) {
	WithAll(t)
	t.Parallel()
	number := -1
	for _, c := range []struct {
		part            float64 // of the radius
		nodesPerElement []int
	}{{1e-2, []int{10}}, {1e-3, []int{10, 4, 3}}, {1e-4, []int{10}}} {
		for i, sectors := range [][2]int{{96, 48}, {48, 96}, {64, 24}, {24, 64}, {52, 44}} {
			for name := range carriers {
				for _, n := range c.nodesPerElement {
					if i > 1 && (c.part != 1e-3 || n != 4) && !*everything {
						continue
					}
					if number++; LeftOut(t, number, 3) {
						continue
					}
					s, got := pressFit(t, sectors, c.part*middle, n, name, 4)
					want := lame(c.part * middle)
					e := s.Energies()
					if within := 0.02 + 5e-6/c.part; math.Abs(got-want) > within*want || math.Abs(e.Residual) > 1e-4*e.Strain {
						t.Errorf("%v, %g, %d contact nodes an edge of %s: %g Pa, want %g Pa, residual %g J of %g J", sectors, c.part, n, name, got, want, e.Residual, e.Strain)
					}
				}
			}
		}
	}
}

// A rigid disc is round by itself, so that the edges of a ring around it stand for arcs even where
// they are as many; whichever of the two carries the contact nodes.
func TestPressFitOnRigidDisc(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sectors, edges, nodesPerElement int
		part                            float64
	}{{48, 48, 4, 1e-3}, {48, 48, 10, 1e-4}, {96, 48, 10, 1e-3}, {64, 24, 4, 1e-3}, {24, 64, 10, 1e-4}} {
		for _, name := range []string{"shaft", "ring"} {
			src, on := &mesh.Source{Name: "fit"}, carriers[name]
			ring(src, "ring", middle*(1-c.part), outer, 12, c.sectors)
			m := model(t, src, steel)
			shaft := mesh.Outline{Name: "shaft", Closed: true, Radius: middle, Depth: middle / 2}
			for i := range c.edges {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(c.edges))
				shaft.Points = append(shaft.Points, r2.Vec{X: middle * cos, Y: middle * sin})
			}
			m.Mesh = m.Mesh.With([]mesh.Outline{shaft})
			m.Rigids = []models.Rigid{{Name: "shaft", Material: -1}}
			holdRound(m, outer)
			m.Contacts = []models.SurfaceContact{{
				Name: "fit", Contactor: edges(m.Mesh, 1-on[0]), Opposite: edges(m.Mesh, 1-on[1]), NodesPerElement: c.nodesPerElement,
				Law: law(t, "linear", map[string]float64{"k": stiffness}), Overlap: contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 0.01},
			}}
			s := start(t, statically(m, 4))
			run(t, s, nil)
			got, want := s.Surfaces[0].Normal/(2*math.Pi*middle*m.Thickness), c.part*middle/(middle*yields(middle, outer, 1)+1/stiffness)
			e := s.Energies()
			if within := 0.02 + 5e-6/c.part; math.Abs(got-want) > within*want || math.Abs(e.Residual) > 1e-4*e.Strain {
				t.Errorf("%v, contact nodes on %s: %g Pa, want %g Pa, residual %g J of %g J", c, name, got, want, e.Residual, e.Strain)
			}
		}
	}
}

// Bodies that no support and no force restrains keep their position: a ring and a shaft of unlike
// edges, without friction and without supports, press as Lame says. Its contact nodes turn it by
// chance, so that there is no place where forces balance as near as elsewhere. A moment turns it,
// and there is no balance.
func TestFitThatMayTurn(t *testing.T) {
	t.Parallel()
	fit := func(moment float64) (*Solver, error) {
		src := &mesh.Source{Name: "fit"}
		ring(src, "shaft", inner, middle, 3, 64)
		ring(src, "ring", middle*(1-1e-3), outer, 4, 24)
		m := model(t, src, steel)
		m.Contacts = []models.SurfaceContact{{
			Name: "fit", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 3,
			Law: law(t, "linear", map[string]float64{"k": stiffness}), Overlap: contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 0.01},
		}}
		if moment != 0 {
			f := moment / (2 * inner)
			m.Loads = []models.Load{{On: "shaft", Nodes: []int32{0, 32}, Forces: []r2.Vec{{Y: f}, {Y: -f}}}}
		}
		m = statically(m, 4)
		m.Static.Smallest, m.Static.Iterations = m.Static.Increment/2, 8
		s := start(t, m)
		nothing := func() error { return nil }
		return s, advance(s, Observer{Row: nothing, Frame: nothing})
	}
	s, err := fit(0)
	if err != nil {
		t.Fatal(err)
	}
	if s.HoldsNeutral == 0 {
		t.Error("balance was found without holding: the scene tests nothing")
	}
	e := s.Energies()
	if got, want := s.Surfaces[0].Normal/(2*math.Pi*middle*s.Thickness), lame(1e-3*middle); math.Abs(got-want) > 0.03*want || math.Abs(e.Residual) > 1e-4*e.Strain {
		t.Errorf("%g Pa, want %g Pa, residual %g J of %g J", got, want, e.Residual, e.Strain)
	}
	var unsettled *NotConvergedError
	if _, err := fit(1); !errors.As(err, &unsettled) || len(unsettled.Unrestrained) == 0 {
		t.Errorf("turned by a moment: %v", err)
	}
}

// unlikeFit is a ring pressed on a hollow shaft of other edges, which stand for arcs.
func unlikeFit(t testing.TB) *models.Model {
	src := &mesh.Source{Name: "fit"}
	ring(src, "shaft", inner, middle, 2, 24)
	ring(src, "ring", middle*(1-1e-3), outer, 2, 36)
	m := model(t, src, steel)
	m.Contacts = []models.SurfaceContact{{
		Name: "fit", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 4, TwoSided: true,
		Law: law(t, "linear", map[string]float64{"k": 1e14}), Overlap: contactnodes.Overlap{Mode: contactnodes.OverlapAllow},
	}}
	if contacts.Arcs(m, &m.Contacts[0], m.Mesh.ArcBends()) == nil {
		t.Fatal("no edge stands for an arc")
	}
	return m
}
