package solver

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"fdem/contactnodes/spheres"
	"fdem/materials/contact"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// spheresOnRock is a free rock that spheres break: they come from above, from below and
// from a side, some of them with an elastic law, one with one that yields, or with another
// one.
func spheresOnRock(t testing.TB, speed float64, other string) *models.Model {
	const h, r = 0.5e-3, 1e-3
	m := brittleRock(t, 12, h, 1)
	m.Thickness = 2e-3
	mass := 4.0 / 3 * math.Pi * r * r * r * 7850
	p := &m.Particles
	add := func(kind int32, x, v r2.Vec) {
		p.X, p.V, p.Spin = append(p.X, x), append(p.V, v), append(p.Spin, 100)
		p.Radius, p.Mass, p.Kind = append(p.Radius, r), append(p.Mass, mass), append(p.Kind, kind)
	}
	add(0, r2.Vec{X: 1.6e-3, Y: 12*h + 1.001*r}, r2.Vec{X: 3, Y: -speed})
	add(0, r2.Vec{X: 4.2e-3, Y: 12*h + 1.002*r}, r2.Vec{Y: -speed})
	add(0, r2.Vec{X: 3.1e-3, Y: -1.001 * r}, r2.Vec{X: -5, Y: speed})
	add(1, r2.Vec{X: -1.001 * r, Y: 2.9e-3}, r2.Vec{X: 0.5 * speed, Y: 2})
	p.Groups = []models.ParticleGroup{{Name: "balls", First: 0, End: int32(len(p.X))}}
	p.Kinds, p.BodyKind = 3, []int32{2}
	p.Interactions = []string{"elastic", "yielding"}
	p.Predicted = [][2]int32{{0, 0}, {0, 2}, {1, 2}}
	p.RuleOf = func(a, b int32) (*spheres.Rule, error) {
		rule := &spheres.Rule{Mass: mass, Friction: spheres.Friction{Kinetic: 0.2, Static: 0.3, Ratio: 0.8}}
		model, values := "hertz", map[string]float64{"radius": r, "modulus": 3e10}
		if a == 1 || b == 1 {
			model, values, rule.Interaction = other, map[string]float64{"radius": r, "modulus": 3e10}, 1
			switch other {
			case "thornton":
				values["yield"] = 2e8 // the rock breaks before a ball of 1 GPa yields
			case "tsuji":
				values["restitution"], values["mass"] = 0.6, mass
			}
		}
		of, _ := contact.Lookup(model)
		var err error
		rule.Law, err = of.Build(values)
		return rule, err
	}
	return m
}

// Spheres that break a rock and then meet its crack faces keep linear and angular momentum to
// rounding. The ledger closes. An elastic law dissipates nothing, however often vertices open under
// it. A dashpot across cracks only dissipates energy.
func TestSpheresBreakRock(t *testing.T) {
	t.Parallel()
	for _, other := range []string{"thornton", "tsuji"} {
		t.Run(other, func(t *testing.T) { breakRock(t, spheresOnRock(t, 40, other)) })
	}
}

// breakRock runs such a scene.
func breakRock(t *testing.T, m *models.Model) {
	m.Duration, m.HistoryEvery = 80e-6, 1e-6
	s := start(t, m)
	p0, l0, size := withSpheres(s)
	worst := 0.0
	run(t, s, func() { worst = max(worst, math.Abs(ofSteps(s, s.Energies()))) })
	p, l, _ := withSpheres(s)
	if d := r2.Norm(r2.Sub(p, p0)); d > 1e-12*size {
		t.Errorf("momentum changes by %g of %g", d, size)
	}
	if d := math.Abs(l - l0); d > 1e-11*size*6e-3 {
		t.Errorf("angular momentum changes by %g of %g", d, size*6e-3)
	}
	totals, fragments := s.CrackTotals() // under the dashpot steps make 1.6e-3, 2e-5 at half their length
	e, elastic := s.Energies(), s.spheres.Interaction[0].Work()
	t.Logf("%d fragments, %d edges broken, residual %g, elastic law dissipates %g of %g J", fragments, totals.BrokenEdges, worst, elastic.Dissipated(), s.Ledger.Entered)
	if worst > 2e-3 || math.Abs(elastic.Dissipated()) > 1e-3*s.Ledger.Entered {
		t.Errorf("residual %g, an elastic law dissipates %g J", worst, elastic.Dissipated())
	}
	if fragments < 10 || s.spheres.Interaction[1].Work().Dissipated() <= 0 || e.FrictionDissipated <= 0 {
		t.Errorf("%d fragments; the other law dissipates %g, friction %g J", fragments, s.spheres.Interaction[1].Work().Dissipated(), e.FrictionDissipated)
	}
}

// A sphere rebounds from a floor that excavation has exposed as from one that was exposed from the
// start. Excavated material touches nothing.
func TestSpheresOnExposedWalls(t *testing.T) {
	var out [2]r2.Vec
	for i, excavated := range []bool{false, true} {
		m := ballInTrough(t, excavated)
		m.FixedStep = 1e-8 // what is still to be excavated makes steps shorter
		s := start(t, m)
		run(t, s, nil)
		out[i] = s.spheres.V[0]
		if r := s.Relative(s.Energies()); math.Abs(r) > 1e-3 {
			t.Errorf("excavated %v: residual %g", excavated, r)
		}
	}
	if d := r2.Norm(r2.Sub(out[1], out[0])); d > 1e-9*r2.Norm(out[0]) || out[0].Y <= 0 {
		t.Errorf("%v m/s, without excavation %v", out[1], out[0])
	}
}

// A body that is excavated later has a wall where another body was excavated before it.
func TestSpheresOnTheNextStage(t *testing.T) {
	m := excavatedTo(t, 2)
	m.Contacts, m.Damping, m.Gravity = nil, models.Damping{}, r2.Vec{}
	m.Excavations[0].At, m.Excavations[1].At = 0, 1
	m.Duration = 60e-6
	aBall(m, r2.Vec{X: 24.6e-3, Y: 24e-3}, r2.Vec{X: 100, Y: -100}, []int32{-1, 1, 1, 1})
	s := start(t, m)
	run(t, s, nil)
	if v, r := s.spheres.V[0], s.Relative(s.Energies()); v.X > -50 || v.Y > 0 || r > 1e-3 {
		t.Errorf("%v m/s, residual %g", v, r)
	}
}

// ballOnWhatLeaves is a sphere that strikes a body which is excavated under it.
func ballOnWhatLeaves(t testing.TB) *models.Model {
	m := excavatedTo(t, 1)
	m.Contacts, m.Damping, m.Gravity = nil, models.Damping{}, r2.Vec{}
	m.Excavations[0].At = 1e-6
	m.Duration, m.HistoryEvery = 10e-6, 0.25e-6
	aBall(m, r2.Vec{X: 27e-3, Y: 23e-3 + 1.01*ballSize}, r2.Vec{X: 20, Y: -100}, []int32{-1, 1, 1})
	return m
}

// The contact of a sphere with a body that is excavated is recorded until the body is removed, and
// is lost with the body.
func TestSphereOnWhatLeaves(t *testing.T) {
	s := start(t, ballOnWhatLeaves(t))
	pressed, worst := 0.0, 0.0
	run(t, s, func() {
		e := s.Energies()
		if s.Time < 1e-6 {
			pressed = e.ContactStored
		}
		worst = max(worst, s.Relative(e))
	})
	e := s.Energies()
	t.Logf("%g J stored, %g J dissipated, residual %g, %v m/s", pressed, e.ContactDissipated, worst, s.spheres.V[0])
	if v := s.spheres.V[0]; pressed == 0 || e.ContactStored != 0 || e.ContactDissipated < pressed || worst > 1e-4 || v.Y > -10 {
		t.Errorf("%g J stored, %g J and %g J dissipated at the end, residual %g, %v m/s", pressed, e.ContactStored, e.ContactDissipated, worst, v)
	}
}

// ballInTrough is the trough of onTheFloor with a sphere that falls on its floor and runs
// against a wall, and nothing else that it meets.
func ballInTrough(t testing.TB, excavated bool) *models.Model {
	m := onTheFloor(t, excavated)
	m.Contacts, m.Rigids, m.Mesh.Bodies = nil, nil, m.Mesh.Bodies[:len(m.Mesh.Bodies)-1]
	m.Mesh.Edges = slices.DeleteFunc(m.Mesh.Edges, func(e mesh.Edge) bool { return e.Tri < 0 })
	m.Duration = 90e-6
	aBall(m, r2.Vec{X: 13e-3, Y: 15e-3 + 1.01*ballSize}, r2.Vec{X: 30, Y: -150}, []int32{1, -1, 1}[:len(m.Mesh.Bodies)])
	return m
}

// ballSize is the radius of aBall [m].
const ballSize = 0.7e-3

// aBall puts an elastic sphere into a model, which meets the bodies of kind 1.
func aBall(m *models.Model, x, v r2.Vec, kinds []int32) {
	const r = ballSize
	p := &m.Particles
	p.X, p.V, p.Spin = []r2.Vec{x}, []r2.Vec{v}, []float64{0}
	p.Radius, p.Mass, p.Kind = []float64{r}, []float64{1e-5}, []int32{0}
	p.Groups, p.Kinds, p.BodyKind = []models.ParticleGroup{{Name: "ball", First: 0, End: 1}}, 2, kinds
	p.Interactions, p.Predicted = []string{"elastic"}, [][2]int32{{0, 1}}
	p.RuleOf = func(a, b int32) (*spheres.Rule, error) {
		of, _ := contact.Lookup("hertz")
		law, err := of.Build(map[string]float64{"radius": r, "modulus": 3e10})
		return &spheres.Rule{Law: law, Mass: 1e-5, Friction: spheres.Friction{Kinetic: 0.2, Static: 0.3, Ratio: 0.8}}, err
	}
}

// A sphere that begins inside one of several joined bodies is reported to lie in that body,
// whichever edges are beside it.
func TestSphereInWhichOfJoinedBodies(t *testing.T) {
	for _, c := range []struct {
		at   r2.Vec
		want string
	}{
		{r2.Vec{X: 27e-3, Y: 10e-3}, "b"}, {r2.Vec{X: 27e-3, Y: 16.5e-3}, "b"}, {r2.Vec{X: 21e-3, Y: 4e-3}, "b"},
		{r2.Vec{X: 22e-3, Y: 20e-3}, "c"}, {r2.Vec{X: 28e-3, Y: 20e-3}, "d"}, {r2.Vec{X: 34e-3, Y: 22e-3}, "e"},
	} {
		m := excavatedTo(t, 3)
		m.Contacts, m.Excavations, m.Duration = nil, nil, 1e-6
		aBall(m, c.at, r2.Vec{}, []int32{-1, 1, 2, 3, 4})
		m.Particles.Kinds = 5
		_, err := New(m)
		var penetrated *spheres.PenetrationError
		if !errors.As(err, &penetrated) || penetrated.What != fmt.Sprintf("particle \"ball\" on %q", c.want) {
			t.Errorf("at %v: %v, want %q", c.at, err, c.want)
		}
	}
}
