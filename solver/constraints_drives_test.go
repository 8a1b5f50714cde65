package solver

import (
	"math"
	"slices"
	"testing"

	models "fdem/solver/model"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// pulled is a plate, held along x at the left, whose right end is driven along a given course and
// is free to contract.
func pulled(t testing.TB, c models.PrescribedMotion) *models.Model {
	m := plate(t)
	left, _ := side(m.Mesh, 0)
	right, _ := side(m.Mesh, 0.02)
	m.Fixes = []models.Fix{{Nodes: left, X: true}}
	m.Drives = []models.Drive{{Nodes: right, X: true, Motion: [3]models.PrescribedMotion{c}}}
	return m
}

// A drive brings its nodes to the given position, to the last digits, by a displacement and by its
// rate, for steps of any length.
func TestDriveArrives(t *testing.T) {
	const displacement, omega = 1e-6, 3e5
	position := models.PrescribedMotion{At: func(t float64) float64 { return displacement * (1 - math.Cos(omega*t)) }}
	rate := models.PrescribedMotion{At: func(t float64) float64 { return displacement * omega * math.Sin(omega*t) }, Rate: true}
	for _, c := range []models.PrescribedMotion{position, rate} {
		for _, safety := range []float64{0.8, 0.3} {
			m := pulled(t, c)
			m.Safety, m.HistoryEvery = safety, m.Duration/10
			s := start(t, m)
			run(t, s, func() {
				want := displacement * (1 - math.Cos(omega*s.Time))
				for _, n := range m.Drives[0].Nodes {
					if d := s.X[n].X - m.Mesh.X[n].X; math.Abs(d-want) > 1e-9*displacement {
						t.Fatalf("at %g s the end is at %.12g m, want %.12g m", s.Time, d, want)
					}
					if v, want := s.NodeVelocity(nodes.Node(n)).X, displacement*omega*math.Sin(omega*s.Time); math.Abs(v-want) > 1e-3*displacement*omega {
						t.Fatalf("at %g s the end goes at %g m/s, want %g m/s", s.Time, v, want)
					}
				}
			})
		}
	}
}

// A velocity between breaks is integrated to the last digits, whatever the steps.
func TestDriveBreaks(t *testing.T) {
	const top, stop, end = 2.0, 13e-6, 27e-6
	m := pulled(t, models.PrescribedMotion{Rate: true, At: func(t float64) float64 {
		switch {
		case t < stop:
			return top * t / stop
		case t < end:
			return top
		}
		return 0
	}})
	m.Drives[0].Breaks = []float64{stop, end}
	s := start(t, m)
	run(t, s, nil)
	n := m.Drives[0].Nodes[0]
	if d, want := s.X[n].X-m.Mesh.X[n].X, top*(0.5*stop+end-stop); math.Abs(d-want) > 1e-16 {
		t.Errorf("the end has gone %.17g m, want %.17g m", d, want)
	}
}

// A drive that starts suddenly gives its nodes their velocity, which is work of the drive. The wave
// that follows has the momentum rho c v A t, and its work is this momentum times the velocity.
func TestDriveSetsOutAtOnce(t *testing.T) {
	const v = 1.0
	m := pulled(t, models.PrescribedMotion{At: func(float64) float64 { return v }, Rate: true})
	m.Fixes = nil
	m.Materials[0].Poisson = 0
	c := math.Sqrt(steel.Young / steel.Density)
	m.Duration = 0.015 / c // before the wave arrives
	s := start(t, m)
	lumped := 0.0
	for _, n := range m.Drives[0].Nodes {
		lumped += s.Mass[n]
	}
	e := s.Energies()
	if want := 0.5 * lumped * v * v; math.Abs(e.ExternalWork-want) > 1e-12*want || math.Abs(e.Kinetic-want) > 1e-12*want {
		t.Errorf("at the start the drive has done %g J and %g J move, want %g J of both", e.ExternalWork, e.Kinetic, want)
	}
	worst := 0.0
	m.HistoryEvery = m.Duration / 100
	run(t, s, func() { worst = max(worst, s.Relative(s.Energies())) })
	area := 0.01 * m.Thickness
	if e, want := s.Energies(), steel.Density*c*v*v*area*m.Duration; math.Abs(e.ExternalWork-want) > 0.05*want {
		t.Errorf("the drive has done %g J, want %g J", e.ExternalWork, want)
	}
	if worst > 0.05 {
		t.Errorf("the residual reaches %g of the energy", worst)
	}
}

// A drive does no work on a body that already has its velocity.
func TestDriveFindsItsSpeed(t *testing.T) {
	m := pulled(t, models.PrescribedMotion{At: func(float64) float64 { return 3 }, Rate: true})
	m.Fixes, m.Bodies[0].Velocity.X = nil, 3
	s := start(t, m)
	run(t, s, nil)
	if e := s.Energies(); math.Abs(e.ExternalWork) > 1e-9*e.Kinetic || e.Strain > 1e-9*e.Kinetic {
		t.Errorf("a body that is driven as it goes: %+v", e)
	}
}

// A whole body that is turned about a point stays rigid, and its angular
// velocity is the drive's; the work is its kinetic energy.
func TestDriveTurnsABody(t *testing.T) {
	const alpha = 1e8 // [rad/s2]
	m := plate(t)
	m.Drives = []models.Drive{{Nodes: m.Mesh.Bodies[0].Nodes, X: true, Y: true, Rotates: true, Centre: r2.Vec{X: -0.01}, Motion: [3]models.PrescribedMotion{
		{At: func(t float64) float64 { return 5 * t }}, {}, {At: func(t float64) float64 { return alpha * t }, Rate: true},
	}}}
	s := start(t, m)
	m.HistoryEvery = m.Duration / 20
	run(t, s, func() {
		e := s.Energies()
		if w := s.Motions()[0].AngularVelocity; math.Abs(w-alpha*s.Time) > 1e-9*alpha*m.Duration {
			t.Fatalf("at %g s the body turns at %g rad/s, want %g rad/s", s.Time, w, alpha*s.Time)
		}
		if math.Abs(e.Residual) > 1e-12*e.Kinetic || e.Strain > 1e-12*e.Kinetic {
			t.Fatalf("at %g s: %+v", s.Time, e)
		}
	})
	angle := 0.5 * alpha * m.Duration * m.Duration
	want := r2.Add(r2.Vec{X: -0.01 + 5*m.Duration}, r2.Rotate(r2.Vec{X: 0.01}, angle, r2.Vec{}))
	if d := r2.Norm(r2.Sub(s.X[slices.Index(m.Mesh.X, r2.Vec{})], want)); d > 1e-14 {
		t.Errorf("the corner is %g m off", d)
	}
}

// A slow drive in time is static: the end of a plate needs the same force.
func TestSlowDriveIsStatic(t *testing.T) {
	const displacement = 1e-5
	fall := statically(pulled(t, models.PrescribedMotion{At: func(t float64) float64 { return displacement * t }}), 1)
	still := start(t, fall)
	run(t, still, nil)
	m := pulled(t, models.PrescribedMotion{})
	m.Duration = 2e-3
	m.Drives[0].Motion[0].At = func(t float64) float64 {
		u := t / m.Duration
		return displacement * u * u * u * (10 + u*(6*u-15))
	}
	slow := start(t, m)
	run(t, slow, nil)
	if a, b := still.Energies().ExternalWork, slow.Energies().ExternalWork; math.Abs(a-b) > 0.005*a {
		t.Errorf("static %g J, slow in time %g J", a, b)
	}
	if a := 0.5 * steel.Young * 0.01 * fall.Thickness * displacement * displacement / 0.02; math.Abs(still.Energies().ExternalWork-a) > 1e-3*a {
		t.Errorf("static %g J, EA/L u^2/2 is %g J", still.Energies().ExternalWork, a)
	}
}

// A step with drives and supports allocates nothing.
func TestDrivenStepsAllocateNothing(t *testing.T) {
	m := pulled(t, models.PrescribedMotion{At: func(t float64) float64 { return 1e3 * t * t }})
	m.Duration = 1
	n, _ := side(m.Mesh, 0.02)
	m.Drives = append(m.Drives, models.Drive{Name: "other", Nodes: n, Y: true, Motion: [3]models.PrescribedMotion{1: {At: func(t float64) float64 { return t }, Rate: true}}})
	s := start(t, m)
	step := func() {
		noError(t, s.Step(1e-9, nil))
		s.AddImpulses()
	}
	step()
	if n := testing.AllocsPerRun(50, step); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}
