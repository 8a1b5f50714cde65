package solver

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"fdem/contactnodes"
	"fdem/materials/contact"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// statically makes m a static analysis of n increments over one second of
// pseudo-time.
func statically(m *models.Model, n int) *models.Model {
	m.Duration = 1
	m.Static = &models.Static{Increment: 1 / float64(n), Largest: 1 / float64(n), Smallest: 1 / float64(1024*n), Iterations: 30, Tolerance: 1e-10, Breaks: []float64{1}, Whole: 1}
	return m
}

// Analyse runs a static analysis; package statics, which imports this one, is put in from outside.
// With a patience above 0 no factor is made that is not needed.
var Analyse func(s *Solver, patience int, out Observer) error

// patience holds the patience of solvers for whose analysis no factor is cheap.
var patience sync.Map // *Solver to int

// advance runs a model in time or as a static analysis.
func advance(s *Solver, out Observer) error {
	if s.Static != nil {
		n, _ := patience.Load(s)
		long, _ := n.(int)
		return Analyse(s, long, out)
	}
	return s.Run(context.Background(), out)
}

// through is a schedule of straight lines between points at equal times.
func through(y ...float64) models.Schedule {
	return func(t float64) float64 {
		at := t * float64(len(y)-1)
		i := min(max(int(at), 0), len(y)-2)
		return y[i] + (at-float64(i))*(y[i+1]-y[i])
	}
}

// A plate pulled by a force stretches and narrows as Hooke's law says, and the plate stores the
// work of the force.
func TestStaticPull(t *testing.T) {
	m := statically(plate(t), 4)
	left, _ := side(m.Mesh, 0)
	right, edges := side(m.Mesh, 0.02)
	corner := slices.IndexFunc(m.Mesh.X, func(x r2.Vec) bool { return x == r2.Vec{} })
	const force = 1e3
	weights := make([]float64, len(right)) // by length
	for _, i := range edges {
		for _, n := range [2]int32{m.Mesh.Edges[i].A, m.Mesh.Edges[i].B} {
			weights[slices.Index(right, n)] += 0.5 / float64(len(edges))
		}
	}
	m.Fixes = []models.Fix{{Nodes: left, X: true}, {Nodes: []int32{int32(corner)}, Y: true}}
	m.Loads = []models.Load{{Nodes: right, Weights: weights, Force: r2.Vec{X: force}, Schedule: through(0, 1)}}
	s := start(t, m)
	run(t, s, nil)
	strain := force / (0.01 * m.Thickness) / steel.Young
	for i, x := range s.X {
		want := r2.Vec{X: strain * m.Mesh.X[i].X, Y: -steel.Poisson * strain * m.Mesh.X[i].Y}
		if d := r2.Norm(r2.Sub(r2.Sub(x, m.Mesh.X[i]), want)); d > 1e-4*strain*0.02 { // the strain makes the difference
			t.Fatalf("node at %v is off by %g m of %g m", m.Mesh.X[i], d, strain*0.02)
		}
	}
	if e := s.Energies(); math.Abs(e.Residual) > 1e-5*e.Strain || math.Abs(e.Strain-0.5*force*strain*0.02) > 1e-4*e.Strain || e.Kinetic != 0 {
		t.Errorf("energies %+v", e)
	}
}

// The reaction of a moved end of a plate is the force that gives the same displacement, and the
// work of the support is recorded.
func TestStaticDisplacement(t *testing.T) {
	m := statically(plate(t), 4)
	left, _ := side(m.Mesh, 0)
	right, _ := side(m.Mesh, 0.02)
	m.Fixes = []models.Fix{{Nodes: left, X: true, Y: true}}
	m.Drives = []models.Drive{{Nodes: right, X: true, Y: true, Motion: [3]models.PrescribedMotion{1: {At: through(0, 1e-4, -1e-4)}}}}
	s := start(t, m)
	top := 0.0
	run(t, s, func() { top = max(top, s.X[right[0]].Y-m.Mesh.X[right[0]].Y) })
	if d := s.X[right[0]].Y - m.Mesh.X[right[0]].Y; math.Abs(d+1e-4) > 1e-16 || math.Abs(top-1e-4) > 1e-16 {
		t.Errorf("the end is moved by %g m, at most %g m", d, top)
	}
	if e := s.Energies(); math.Abs(e.Residual) > 1e-3*e.Strain || !(e.Strain > 0) {
		t.Errorf("energies %+v", e)
	}
}

// block is a rigid box, 10 mm wide, on a floor, with the law between them,
// pressed by a force.
func block(t testing.TB, l contact.Law, force r2.Vec, schedule models.Schedule, friction contactnodes.Friction) *models.Model {
	box := mesh.Outline{Name: "box", Points: []r2.Vec{{X: -0.005}, {X: 0.005}, {X: 0.005, Y: 0.01}, {X: -0.005, Y: 0.01}}, Closed: true, Depth: 0.001}
	m := rigidModel(t, 1e12, 0, []models.Rigid{{Name: "floor", Material: -1}, {Name: "box", Material: -1, Centre: r2.Vec{Y: 0.005}, Mass: 1, Inertia: 1e-4}}, floor(0), box)
	m.Contacts[0].Contactor = m.Contacts[0].Contactor[:1] // its lower side
	m.Contacts[0].Law, m.Contacts[0].Friction = l, friction
	nodes := m.Mesh.Bodies[1].Nodes[:2] // the force acts on the lower side
	m.Loads = []models.Load{{Nodes: nodes, Weights: shares(len(nodes)), Force: force, Schedule: schedule}}
	return statically(m, 40)
}

// A block pressed on rough steel, released and pressed again sinks as the law,
// driven by the pressure, says: through loading, unloading and reloading.
func TestStaticBlockFollowsTheLaw(t *testing.T) {
	const force = 1e3
	m := block(t, kostek(t), r2.Vec{Y: -force}, through(0, 1, 0.1, 0.6, 0, 1.5), contactnodes.Friction{Speed: 1})
	m.Rigids[1].Mass, m.Rigids[1].Released = 0, [3]bool{false, true, false}
	m.Rigids[1].Motion = func(float64) (r2.Vec, float64) { return r2.Vec{Y: 0.005}, 0 }
	s := start(t, m)
	k := m.Contacts[0].Law.(*contact.Kostek)
	memory := make([]float64, 3)
	rows, residual, jump, at := 0, 0.0, 0.0, 0.0
	run(t, s, func() {
		r := s.Energies().Residual
		if d := math.Abs(r - residual); d > jump {
			jump, at = d, s.Time
		}
		residual = r
		p := force * m.Loads[0].Schedule(s.Time) / (0.01 * m.Thickness)
		want, got := k.Deflection(p, memory), 0.005-s.RigidMotions[1].Centre.Y
		if rows++; p > 1 && math.Abs(got-want) > 1e-7*want {
			t.Errorf("t = %g: %g Pa: deflection %.9g m, want %.9g m", s.Time, p, got, want)
		}
		if n := s.Surfaces[0].Normal; math.Abs(n-p*0.01*m.Thickness) > 1e-6*force {
			t.Errorf("t = %g: normal force %g N", s.Time, n)
		}
	})
	if rows != 41 {
		t.Errorf("%d rows", rows)
	}
	if l := &s.Ledger; !(jump > 0) || l.Jump != jump || l.JumpAt != at {
		t.Errorf("the ledger knows of a jump of %g J at %g s, the rows of %g J at %g s", l.Jump, l.JumpAt, jump, at)
	}
}

// A block holds on its stick springs while the tangential force is below friction, and finds no
// balance above: the error says where and when, and the last balance stays the state.
func TestStaticBlockSlips(t *testing.T) {
	l := law(t, "linear", map[string]float64{"k": 1e13})
	const hold = 1e12
	m := block(t, l, r2.Vec{X: 400, Y: -1000}, through(0, 1), contactnodes.Friction{Kinetic: 0.5, Static: 0.5, Stiffness: hold})
	s := start(t, m)
	run(t, s, nil)
	if got, want := s.RigidMotions[1].Centre.X, 400/(hold*0.01*m.Thickness); math.Abs(got-want) > 1e-6*want {
		t.Errorf("moved by %g m, want %g m", got, want)
	}
	m = block(t, l, r2.Vec{X: 600, Y: -1000}, nil, contactnodes.Friction{Kinetic: 0.5, Static: 0.5, Stiffness: hold})
	m.Loads = []models.Load{
		{Nodes: m.Loads[0].Nodes, Weights: m.Loads[0].Weights, Force: r2.Vec{Y: -1000}, Schedule: func(t float64) float64 { return min(1, 2*t) }},
		{Nodes: m.Loads[0].Nodes, Weights: m.Loads[0].Weights, Force: r2.Vec{X: 600}, Schedule: func(t float64) float64 { return max(0, 2*t-1) }},
	}
	s = start(t, m)
	last := 0.0
	err := advance(s, Observer{Row: func() error { last = s.Time; return nil }, Frame: func() error { return nil }})
	var failure *NotConvergedError
	if !errors.As(err, &failure) {
		t.Fatalf("got %v, want no balance", err)
	}
	if want := 0.5 + 0.5*500.0/600; math.Abs(last-want) > 0.01 || s.Time != last || failure.Time != last || len(failure.Nodes) == 0 {
		t.Errorf("ends at %g, want %g: %v", last, want, err)
	}
	if !slices.Equal(failure.Slides, []string{`"all"`}) || !strings.Contains(err.Error(), `friction carries no more in contact "all"`) {
		t.Errorf("the error says that %v slides: %v", failure.Slides, err)
	}
	if n := s.Surfaces[0].Normal; math.Abs(n-1000) > 1e-3 {
		t.Errorf("%g N are left", n)
	}
}

// pressed is a plate of steel on a floor of rough steel under a pressure, held
// against sliding in the middle.
func pressed(t testing.TB, nx, ny int, l contact.Law) *models.Model {
	src := &mesh.Source{Name: "plate"}
	rectangle(src, "plate", -0.01, 0, 0.02, 0.01, nx, ny)
	m := model(t, src, steel)
	m.Mesh = m.Mesh.With([]mesh.Outline{{Name: "floor", Points: []r2.Vec{{X: 0.02}, {X: -0.02}}, Depth: 0.001}})
	m.Rigids = []models.Rigid{{Name: "floor", Material: -1}}
	var middle, top, bottom []int32
	for i, x := range m.Mesh.X {
		if math.Abs(x.X) < 1e-9 && x.Y < 0.011 {
			middle = append(middle, int32(i))
		}
	}
	for i, e := range m.Mesh.Edges {
		a, b := m.Mesh.X[e.A], m.Mesh.X[e.B]
		if e.Tri >= 0 && a.Y == b.Y {
			if a.Y > 0 && math.Abs(a.X+b.X) < 0.01 {
				top = append(top, int32(i))
			} else if a.Y == 0 {
				bottom = append(bottom, int32(i))
			}
		}
	}
	m.Fixes = []models.Fix{{Nodes: middle, X: true}}
	m.Contacts = []models.SurfaceContact{{Name: "floor", Contactor: bottom, Opposite: edges(m.Mesh, 1), NodesPerElement: 5, Law: l, Friction: contactnodes.Friction{Speed: 1}}}
	m.Loads = []models.Load{{Edges: top, Pressure: 20e6, Schedule: through(0, 1, 0, 1.2)}}
	return statically(m, 12)
}

// A plate on rough steel finds its balance from first contact, where the law has no stiffness,
// through unloading and reloading. The floor carries the load to the tolerance; the energy residual
// falls with shorter increments; the number of workers does not change a bit.
func TestStaticPlateOnRoughFloor(t *testing.T) {
	t.Parallel()
	residual := func(n, workers int) (worst float64, x []r2.Vec) {
		m := pressed(t, 40, 20, kostek(t))
		m.Static.Increment = 1 / float64(n)
		m.Static.Largest = m.Static.Increment
		s := start(t, m)
		s.SetWorkers(workers)
		run(t, s, func() {
			e := s.Energies()
			worst = max(worst, math.Abs(e.Residual)/max(s.Ledger.Entered, 1e-9))
			force := 0.0 // the pressure follows the edges
			for _, f := range s.loads.List[0].LoadForce {
				force -= f.Y
			}
			if got := s.Surfaces[0].Normal; math.Abs(got-force) > 1e-5*force+1e-6 {
				t.Errorf("t = %g: the floor carries %g N of %g N", s.Time, got, force)
			}
		})
		if s.N != int64(n) {
			t.Errorf("%d increments instead of %d", s.N, n)
		}
		return worst, s.X
	}
	coarse, _ := residual(12, 1)
	fine, x := residual(24, 1)
	if coarse > 0.02 || fine > 0.4*coarse {
		t.Errorf("energy residual %g, %g with twice the increments", coarse, fine)
	}
	_, y := residual(24, 3)
	if !slices.Equal(x, y) {
		t.Error("the number of workers changes the positions")
	}
	t.Logf("energy residual %.3g, %.3g with twice the increments", coarse, fine)
}

// An increment in which bodies could pass through one another is shortened. Increments grow again
// when this is safe.
func TestStaticCutsAndGrows(t *testing.T) {
	m := block(t, law(t, "linear", map[string]float64{"k": 1e13}), r2.Vec{Y: -1000}, through(0, 1), contactnodes.Friction{Speed: 1})
	m.Rigids[1].Mass, m.Rigids[1].Released = 0, [3]bool{false, true, false}
	m.Rigids[1].Motion = func(t float64) (r2.Vec, float64) { return r2.Vec{X: 0.005 * min(1, 4*t), Y: 0.005}, 0 }
	m.Static.Increment, m.Static.Largest, m.Static.Smallest = 0.1, 0.1, 1e-4
	s := start(t, m)
	shortest, late := 1.0, 0.0
	run(t, s, func() {
		if s.N > 0 {
			shortest = min(shortest, s.Last)
		}
		if s.Time > 0.5 {
			late = max(late, s.Last)
		}
	})
	if s.Time != 1 || shortest > 0.0126 || math.Abs(late-0.1) > 1e-9 {
		t.Errorf("ends at %g in %d increments, the shortest %g, late ones up to %g", s.Time, s.N, shortest, late)
	}
}

// A factor is used for many iterations. A run that is resumed from a checkpoint takes the same
// increments to the bit, too.
func TestStaticResumesWithItsFactor(t *testing.T) {
	lasting := func() *Solver {
		s := start(t, pressed(t, 20, 10, kostek(t)))
		patience.Store(s, 12)
		return s
	}
	s := lasting()
	var held []any
	err := advance(s, Observer{Row: func() error { return nil }, Frame: func() error { return nil }, Asked: func() bool { return s.N == 5 },
		Checkpoint: func(bool) error {
			if s.N == 5 {
				held = hold(s.Parts())
			}
			return nil
		}})
	if err != nil || held == nil {
		t.Fatal(err)
	}
	if len(s.Factored) == 0 {
		t.Fatal("no factor has served for longer")
	}
	again := lasting()
	fill(again.Parts(), held)
	again.Restore()
	run(t, again, nil)
	if !slices.Equal(again.X, s.X) || again.N != s.N {
		t.Error("the positions differ")
	}
}

// Every kind that a static analysis cannot have refuses it by itself, without the deck's reader.
func TestKindsRefuseStatics(t *testing.T) {
	hold := contactnodes.Friction{Kinetic: 0.3, Static: 0.3, Stiffness: 1e13}
	touching := func(l contact.Law, f contactnodes.Friction) *models.Model {
		m := oblique(t, l, 0)
		m.Contacts[0].Friction = f
		return m
	}
	elastic := law(t, "linear", map[string]float64{"k": 1e14})
	for name, c := range map[string]struct {
		model *models.Model
		why   string
	}{
		"nothing":          {touching(elastic, hold), ""},
		"damping":          {func() *models.Model { m := plate(t); m.Damping.Mass = 1; return m }(), "damping acts on what moves"},
		"damping of rates": {func() *models.Model { m := plate(t); m.Damping.Stiffness = 1e-9; return m }(), "damping acts on what moves"},
		"local damping":    {func() *models.Model { m := plate(t); m.Damping.Local = 0.5; return m }(), "local damping acts on what moves"},
		"a law that damps": {touching(law(t, "linear", map[string]float64{"k": 1e14, "c": 1e6}), hold), "the law damps"},
		"regularised":      {touching(elastic, contactnodes.Friction{Kinetic: 0.3, Static: 0.3, Speed: 1e-3}), "slip speed"},
		"by volume":        {resumedScene(t, "discs and a block by volume"), "volumetric contact has no static analysis"},
		"particles":        {ballCloud(t), "particles have no static analysis"},
		"absorbing edges": {func() *models.Model {
			m := plate(t)
			_, e := side(m.Mesh, 0.02)
			m.Absorbs = []models.Absorb{{Edges: e}}
			return m
		}(), "has no waves"},
		"cracks": {brittle(t, touching(elastic, hold), 40e6, 0, 1), "leave [[fracture]] out"},
		"a dashpot": {func() *models.Model {
			m := resumedScene(t, "a disc on springs that turn, of which one comes and goes, in gravity that grows")
			m.Contacts = nil
			return m
		}(), "leave damping and rotation_damping out"},
		"a drive by its rate": {pulled(t, models.PrescribedMotion{At: func(float64) float64 { return 1 }, Rate: true}), "knows no speed"},
	} {
		_, err := New(statically(c.model, 1))
		if c.why == "" && err != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
}

// resumedScene makes the scene of that name of TestResumeBitForBit.
func resumedScene(t testing.TB, name string) *models.Model {
	i := slices.IndexFunc(resumed, func(s scene) bool { return s.name == name })
	return resumed[i].make(t)
}
