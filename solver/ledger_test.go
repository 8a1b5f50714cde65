package solver

import (
	"errors"
	"math"
	"strings"
	"testing"

	"fdem/contactnodes"
	"fdem/fem"
	"fdem/mesh"
	"fdem/solver/contacts"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// plate is one free plate of steel, 20 mm by 10 mm.
func plate(t testing.TB) *models.Model {
	src := &mesh.Source{Name: "plate"}
	rectangle(src, "plate", 0, 0, 0.02, 0.01, 16, 8)
	m := model(t, src, steel)
	m.Duration = 40e-6
	return m
}

// side returns the nodes and boundary edges at x.
func side(m *mesh.Mesh, x float64) (nodes, edges []int32) {
	for i, p := range m.X {
		if math.Abs(p.X-x) < 1e-9 {
			nodes = append(nodes, int32(i))
		}
	}
	for i, e := range m.Edges {
		if math.Abs(m.X[e.A].X-x) < 1e-9 && math.Abs(m.X[e.B].X-x) < 1e-9 {
			edges = append(edges, int32(i))
		}
	}
	return nodes, edges
}

func shares(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1 / float64(n)
	}
	return w
}

// A plate far away from the origin, where positions have few digits, is stretched slowly. Its small
// energy at first is below rounding, and this is no error.
func TestSlowStartFarAway(t *testing.T) {
	for _, far := range []float64{0, 1e3, 1e5, 5e6} {
		src := &mesh.Source{Name: "plate"}
		rectangle(src, "plate", far, -far, 0.02, 0.01, 16, 8)
		m := model(t, src, steel)
		m.Duration = 40e-6
		var left, right []int32
		for i, p := range m.Mesh.X {
			switch x := p.X - far; {
			case x < 0.5e-3:
				left = append(left, int32(i))
			case x > 19.5e-3:
				right = append(right, int32(i))
			}
		}
		ramp := system.SmoothStep(1e-3)
		m.Fixes = []models.Fix{{Nodes: left, X: true, Y: true}}
		m.Drives = []models.Drive{{Nodes: right, X: true, Motion: [3]models.PrescribedMotion{{At: func(t float64) float64 { return 0.1 * ramp(t) }, Rate: true}}}}
		s := start(t, m)
		run(t, s, nil)
		if s.N < 100 {
			t.Errorf("%g m away: %d steps only", far, s.N)
		}
	}
}

// The ledger has every term of energy: the worst residual is small, and falls fourfold with half
// the step.
func TestLedgerHoldsEveryTerm(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*models.Model)
		moved  func(system.Energies) float64 // the term in question, which must not be zero
	}{
		{"gravity", func(m *models.Model) { m.Gravity = r2.Vec{X: 1e3, Y: -2e3}; m.Bodies[0].Velocity.Y = 3 },
			func(e system.Energies) float64 { return e.ExternalWork }},
		{"force", func(m *models.Model) {
			n, _ := side(m.Mesh, 0.02)
			m.Loads = []models.Load{{Nodes: n, Weights: shares(len(n)), Force: r2.Vec{X: 3e3, Y: 1e3}, Schedule: func(t float64) float64 { return math.Sin(t / 3e-6) }}}
		}, func(e system.Energies) float64 { return e.ExternalWork }},
		{"pressure", func(m *models.Model) {
			n, _ := side(m.Mesh, 0)
			_, e := side(m.Mesh, 0.02)
			m.Fixes = []models.Fix{{Nodes: n, X: true, Y: true}}
			m.Loads = []models.Load{{Edges: e, Pressure: 20e6, Schedule: func(t float64) float64 { return min(t/10e-6, 1) }}}
		}, func(e system.Energies) float64 { return e.ExternalWork }},
		{"mass damping", func(m *models.Model) { m.Damping.Mass = 2e4; m.Bodies[0].Velocity.X = 2 },
			func(e system.Energies) float64 { return e.DampingDissipated }},
		{"stiffness damping", func(m *models.Model) {
			n, _ := side(m.Mesh, 0)
			m.Fixes = []models.Fix{{Nodes: n, X: true, Y: true}}
			m.Damping.Stiffness, m.Bodies[0].Velocity.X = 2e-8, 2
		}, func(e system.Energies) float64 { return e.DampingDissipated }},
		{"spin", func(m *models.Model) { m.Bodies[0].AngularVelocity = 1e5 },
			func(e system.Energies) float64 { return e.Strain }},
		{"drive", func(m *models.Model) {
			n, _ := side(m.Mesh, 0.02)
			m.Drives = []models.Drive{{Nodes: n, X: true, Motion: [3]models.PrescribedMotion{{At: func(t float64) float64 { return 1e-5 * (1 - math.Cos(t/3e-6)) }}}}}
		}, func(e system.Energies) float64 { return e.ExternalWork }},
		{"drive by velocity, damped", func(m *models.Model) {
			n, _ := side(m.Mesh, 0.02)
			m.Damping = models.Damping{Mass: 2e4, Stiffness: 2e-8}
			m.Drives = []models.Drive{{Nodes: n, X: true, Y: true, Motion: [3]models.PrescribedMotion{1: {At: func(t float64) float64 { return 2 * math.Sin(t/5e-6) }, Rate: true}}}}
		}, func(e system.Energies) float64 { return e.ExternalWork }},
		{"turning drive", func(m *models.Model) {
			n, _ := side(m.Mesh, 0.02)
			m.Drives = []models.Drive{{Nodes: n, X: true, Y: true, Rotates: true, Centre: r2.Vec{X: 0.02, Y: 0.005}, Motion: [3]models.PrescribedMotion{2: {At: func(t float64) float64 { return 300 * (1 - math.Cos(t/5e-6)) }, Rate: true}}}}
		}, func(e system.Energies) float64 { return e.ExternalWork }},
	} {
		t.Run(c.name, func(t *testing.T) {
			residualOfSteps(t, 1e-9, c.moved, func() *models.Model {
				m := plate(t)
				m.HistoryEvery = 1e-6
				c.change(m)
				return m
			})
		})
	}
}

// residualOfSteps tests that the residual of a model, of which a term of the energy moves, is
// small and falls fourfold with half the step, where it is more than rounding.
func residualOfSteps(t *testing.T, rounding float64, moved func(system.Energies) float64, model func() *models.Model) {
	worst := func(safety float64) float64 {
		m := model()
		m.Safety = safety
		s := start(t, m)
		w := 0.0
		run(t, s, func() { w = max(w, s.Relative(s.Energies())) })
		if e := s.Energies(); math.Abs(moved(e)) < 1e-3*s.Ledger.Entered {
			t.Errorf("the term hardly moves: %g of %g J", moved(e), s.Ledger.Entered)
		}
		return w
	}
	whole, half := worst(0.4), worst(0.2)
	t.Logf("worst residual %.3g, with half the step %.3g", whole, half)
	if whole > 2e-3 {
		t.Errorf("the residual reaches %g of the energy that entered", whole)
	}
	if whole > rounding && (whole/half < 3 || whole/half > 5.5) {
		t.Errorf("half the step makes the residual %.2f times less, want about four", whole/half)
	}
}

// A linear model keeps its energy by leapfrog, except for step_energy. This holds even if the step
// is too long and the motion grows without limit. Then step_energy shows it and stops the run.
func TestTooLongStepsGrowBetweenSteps(t *testing.T) {
	for _, c := range []struct {
		times  float64 // of the longest stable step
		stable bool
	}{{0.3, true}, {1.5, false}} {
		m := plate(t)
		s := start(t, m)
		s.V[3].X = 1e-5
		s.Energies() // those of the start
		step := c.times * s.Limit / m.Safety
		for range 12 {
			noError(t, s.Step(step, nil))
		}
		noError(t, s.forces(true))
		e := s.Energies()
		t.Logf("%g of the longest step: residual %.2g, between steps %.2g of the energy held", c.times, e.Residual/s.Ledger.Entered, e.StepEnergy/s.Ledger.Entered)
		if !(math.Abs(e.Residual) < 1e-4*s.Ledger.Entered) || !(e.StepEnergy > 100*math.Abs(e.Residual)) {
			t.Errorf("%g of the longest step: residual %g, between steps %g of %g J", c.times, e.Residual, e.StepEnergy, s.Ledger.Entered)
		}
		var unstable *UnstableError
		if err := s.check(true); errors.As(err, &unstable) == c.stable {
			t.Errorf("%g of the longest step: %v", c.times, err)
		}
	}
}

// A fall from rest is exact.
func TestFreeFall(t *testing.T) {
	m := plate(t)
	m.Gravity.Y = -9.81
	s := start(t, m)
	run(t, s, nil)
	motion := s.Motions()[0]
	if want := -9.81 * m.Duration; math.Abs(motion.Velocity.Y-want) > 1e-9*math.Abs(want) {
		t.Errorf("falls at %g m/s, want %g", motion.Velocity.Y, want)
	}
	if want := 0.005 - 0.5*9.81*m.Duration*m.Duration; math.Abs(motion.Centre.Y-want) > 1e-13 {
		t.Errorf("has fallen to %.15g m, want %.15g", motion.Centre.Y, want)
	}
}

// Fixed directions stay, free ones move.
func TestFixedNodesStay(t *testing.T) {
	m := plate(t)
	n, _ := side(m.Mesh, 0)
	m.Fixes = []models.Fix{{Nodes: n, X: true}}
	m.Bodies[0].Velocity = r2.Vec{X: 1, Y: 2}
	s := start(t, m)
	run(t, s, nil)
	for _, i := range n {
		if s.X[i].X != m.Mesh.X[i].X {
			t.Errorf("node %d moved by %g m in a fixed direction", i, s.X[i].X-m.Mesh.X[i].X)
		}
		if s.X[i].Y <= m.Mesh.X[i].Y {
			t.Errorf("node %d does not move in a free direction", i)
		}
	}
}

// ends runs a model that must fail and returns the failure.
func ends(t *testing.T, s *Solver) error {
	t.Helper()
	nothing := func() error { return nil }
	err := advance(s, Observer{Row: nothing, Frame: nothing})
	if err == nil {
		t.Fatal("the run ended well")
	}
	return err
}

func TestStopsOnInversion(t *testing.T) {
	m := plate(t)
	m.ResidualLimit = math.Inf(1)
	n, _ := side(m.Mesh, 0)
	s := start(t, m)
	for _, i := range n {
		s.V[i].X = 1e5 // through its neighbours
	}
	var inversion *fem.InversionError
	if err := ends(t, s); !errors.As(err, &inversion) {
		t.Errorf("got %v, want an inversion", err)
	} else if inversion.Element == 0 || inversion.Det > 0 {
		t.Errorf("got %+v", inversion)
	}
}

// A ledger that does not close as well as asked ends the run, with the figures.
func TestStopsOnUnstableLedger(t *testing.T) {
	m := plate(t)
	n, _ := side(m.Mesh, 0.02)
	m.Loads = []models.Load{{Nodes: n, Weights: shares(len(n)), Force: r2.Vec{X: 3e3}}}
	m.ResidualLimit = 1e-7
	var unstable *UnstableError
	if err := ends(t, start(t, m)); !errors.As(err, &unstable) {
		t.Errorf("got %v, want an unstable ledger", err)
	} else if unstable.Relative <= 1e-7 || unstable.Time <= 0 || unstable.Step == 0 || unstable.Fastest.Node == 0 || unstable.Speed == 0 {
		t.Errorf("got %+v", unstable)
	}
}

func TestStopsOnNonFiniteValues(t *testing.T) {
	m := plate(t)
	s := start(t, m)
	s.V[3].X = math.NaN()
	var inversion *fem.InversionError
	var nonFinite *NonFiniteError
	if err := ends(t, s); !errors.As(err, &inversion) && !errors.As(err, &nonFinite) {
		t.Errorf("got %v", err)
	}
}

func TestStepAboveTheLimitIsRefused(t *testing.T) {
	m := plate(t)
	limit := start(t, m).Limit / m.Safety
	m.FixedStep = 1.01 * limit
	var refused *StepError
	if _, err := New(m); !errors.As(err, &refused) || math.Abs(refused.Limit-limit) > 1e-9*limit {
		t.Errorf("got %v, want the limit %g s named", err, limit)
	}
	m.FixedStep = 0.9 * limit
	if s := start(t, m); s.Limit != m.FixedStep {
		t.Errorf("step %g s, asked for %g s", s.Limit, m.FixedStep)
	}
}

// A contact too soft to stop a body ends the run with the position, before the
// body is through.
// Energies overflow before positions do: the node that did it is named.
func TestStopsOnOverflow(t *testing.T) {
	m := plate(t)
	s := start(t, m)
	s.V[3] = r2.Vec{X: 1e200}
	err := s.check(false)
	var nonFinite *NonFiniteError
	if !errors.As(err, &nonFinite) || nonFinite.First.Node != m.Mesh.NodeID[3] {
		t.Errorf("got %v, want node %d", err, m.Mesh.NodeID[3])
	}
}

// A model whose step is not a number is refused with an explanation.
func TestBeyondNumbers(t *testing.T) {
	m := plate(t)
	m.Materials[0].Young = math.MaxFloat64
	if _, err := New(m); err == nil || !strings.Contains(err.Error(), "stable step cannot be computed") {
		t.Errorf("got %v", err)
	}
}

// A contact that becomes a million times stiffer needs steps that are a thousandth as long: the run
// stops and says where.
func TestStopsOnCollapsingStep(t *testing.T) {
	m := oblique(t, law(t, "linear", map[string]float64{"k": 1e22}), 0)
	m.Duration = 5e-3
	err := ends(t, start(t, m))
	var collapse *CollapseError
	if !errors.As(err, &collapse) {
		t.Fatalf("got %v, want a step that collapses", err)
	}
	if collapse.Limit >= 1e-3*collapse.Before || collapse.Step == 0 || collapse.Stiffest.Node == 0 || !(collapse.Stiffest.Position.X > 0.015) {
		t.Errorf("got %v", err)
	}
}

func TestStopsOnDeepContact(t *testing.T) {
	run := func(set func(c *models.SurfaceContact)) error {
		m := oblique(t, law(t, "linear", map[string]float64{"k": 1e8}), 0)
		m.Duration = 5e-3
		m.Contacts[0].LawName = "pillow"
		set(&m.Contacts[0])
		return ends(t, start(t, m))
	}
	for _, test := range []struct {
		names string
		set   func(c *models.SurfaceContact)
	}{
		{`law "pillow" is too soft for this pressure; take k = 1e+09 Pa/m instead of 1e+08;`, func(c *models.SurfaceContact) {}},
		{`take k = "auto", which is 3e+14 Pa/m, instead of 1e+08;`, func(c *models.SurfaceContact) { c.Suitable = 3e14 }},
		{`take k_factor = 1 instead of 0.01;`, func(c *models.SurfaceContact) { c.Suitable, c.Factor = 1e10, 0.01 }},
		{`give it a linear law with k_factor = 20;`, func(c *models.SurfaceContact) { c.LawName, c.Suitable, c.Factor = "auto", 5e7, 2 }},
		{`its stiffness of 1e+08 Pa/m is too small for this pressure; take normal_stiffness = 1e+09 Pa/m;`, func(c *models.SurfaceContact) { c.StiffnessKey = "normal_stiffness" }},
		{`than a penetration of 0.5 % is for; take penetration = "0.2 %";`, func(c *models.SurfaceContact) { c.Penetration.Share = 0.005 }},
		{`make it some 10 times as stiff;`, func(c *models.SurfaceContact) {
			c.Law = law(t, "volumetric", map[string]float64{"k_f": 1e6, "h_f": 1e-2})
		}},
	} {
		var deep *contactnodes.DepthError
		if err := run(test.set); !errors.As(err, &deep) || !strings.Contains(err.Error(), test.names) {
			t.Errorf("got %v, want a contact node past its depth and %s", err, test.names)
		}
	}
}

// A bullet is caught: the step is short enough to meet the target in front of
// it.
func TestBulletIsCaught(t *testing.T) {
	m := oblique(t, law(t, "linear", map[string]float64{"k": 1e15}), 0)
	m.Bodies[0].Velocity, m.Bodies[1].Velocity, m.Bodies[1].AngularVelocity = r2.Vec{X: 2000}, r2.Vec{}, 0
	m.Duration = 2e-6
	s := start(t, m)
	stopped := advance(s, Observer{Row: func() error { return nil }, Frame: func() error { return nil }})
	if stopped == nil && s.PeakForce[0] == 0 {
		t.Error("the bullet passed through without a force")
	}
	if limit := 0.1 * s.Outlines.Shallow / 4000; s.Limit > limit {
		t.Errorf("step %g s lets the bullet cross more than a tenth of an element, %g s", s.Limit, limit)
	}
}

// Bodies that overlap at the start are refused.
func TestOverlapIsRefused(t *testing.T) {
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "a", 0, 0, 0.02, 0.01, 20, 10)
	rectangle(src, "b", 0.0199, 0.003, 0.015, 0.02, 15, 20)
	m := model(t, src, steel)
	m.Contacts = []models.SurfaceContact{{Name: "a-b", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), Law: kostek(t), NodesPerElement: 20, Friction: contactnodes.Friction{Speed: 1e-3}}}
	var overlap *contacts.OverlapError
	if _, err := New(m); !errors.As(err, &overlap) {
		t.Fatalf("got %v", err)
	}
	if overlap.Nodes == 0 || math.Abs(overlap.Deflection-1e-4) > 1e-6 {
		t.Errorf("got %+v, want a depth of 0.1 mm", overlap)
	}
}

// ofSteps returns the residual that steps make over the greatest energy held or moved.
func ofSteps(s *Solver, e system.Energies) float64 {
	e.Residual = e.OfSteps()
	return s.Relative(e)
}
