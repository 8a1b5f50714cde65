package solver_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

const alone = `
[[rectangle]]
name = "block"
from = [1, 0]
to = [1.1, 0.1]
edge = 0.03
left = "left"
`

// blockAndDisc are a soft block and a rigid disc beside it.
const blockAndDisc = soft + `
[[body]]
name = "block"
material = "gel"
[[rigid]]
name = "disc"
shape = "disc"
centre = [3, 0]
radius = 0.1
mass = 2`

// Under growing gravity a mesh, a rigid body and a particle fall alike. The ledger has the work of
// gravity.
func TestGravityGrows(t *testing.T) {
	s := built(t, `
[analysis]
duration = "0.5 s"
gravity = [1, -10]
gravity_schedule = [[0, 0], ["0.4 s", 1]]
`+blockAndDisc+`
[[particle]]
name = "ball"
radius = 0.1
position = [5, 0]
mass = 1
`, alone)
	through(t, s, nil)
	const v = 0.4/2 + 0.1 // times gravity
	for _, m := range s.Motions() {
		if math.Abs(m.Velocity.X-v) > 1e-5 || math.Abs(m.Velocity.Y+10*v) > 1e-4 {
			t.Errorf("%q falls with %v m/s, not with %g, %g", m.Name, m.Velocity, v, -10*v)
		}
	}
	e := s.Energies()
	t.Logf("%d steps, residual %.2g, work %.6g J, kinetic %.6g J", s.N, s.Relative(e), e.ExternalWork, e.Kinetic)
	if s.Relative(e) > 1e-6 {
		t.Errorf("residual %g", s.Relative(e))
	}
}

// Body forces in time and position: a field that pulls to the origin makes a block
// and a disc swing about it, a moment spins the disc up, and the ledger closes.
func TestBodyForces(t *testing.T) {
	s := built(t, `
[analysis]
duration = "0.5 s"
[output]
history_every = "10 ms"
`+blockAndDisc+`
[[load]]
on = "block"
acceleration = ["-16*x", "-16*y"]
[[load]]
on = "disc"
acceleration = ["-16*x", 0]
[[load]]
on = "disc"
moment = "0.1 * t"
[[load]]
on = "block"
body_force = [0, "-3 kN/m3"]
schedule = "t < 0.2 ? 1 : 0"
`, alone)
	far, wrong := 0.0, 0.0
	through(t, s, func() {
		m := s.Motions()
		far = max(far, math.Abs(m[1].Centre.X))
		wrong = max(wrong, math.Abs(m[1].Centre.X-3*math.Cos(4*s.Time)), math.Abs(m[0].Centre.X-1.05*math.Cos(4*s.Time)))
		y := -3.0 / 16 * (1 - math.Cos(4*s.Time)) // below 0.05
		if s.Time > 0.2 {
			y0, v0 := -3.0/16*(1-math.Cos(0.8)), -3.0/4*math.Sin(0.8)
			y = y0*math.Cos(4*(s.Time-0.2)) + v0/4*math.Sin(4*(s.Time-0.2))
		}
		wrong = max(wrong, math.Abs(m[0].Centre.Y-0.05*math.Cos(4*s.Time)-y))
	})
	m := s.Motions()
	spin := 0.1 * 0.25 / 2 / s.Rigids[0].Inertia
	e := s.Energies()
	t.Logf("%d steps; off by %.2g m of %.2g m, spin %.6g of %.6g rad/s, residual %.2g", s.N, wrong, far, m[1].AngularVelocity, spin, s.Relative(e))
	if wrong > 2e-3 || math.Abs(m[1].AngularVelocity-spin) > 1e-3*spin || s.Relative(e) > 1e-3 {
		t.Errorf("off by %g m, spin %g rad/s, residual %g", wrong, m[1].AngularVelocity, s.Relative(e))
	}
}

// In a static analysis a moment turns a disc on a rotational spring, a body force
// stretches a bar that hangs, and gravity follows its schedule.
func TestBodyForcesInBalance(t *testing.T) {
	s := built(t, `
[analysis]
type = "static"
gravity = [-10, 0]
gravity_schedule = [[0, 0], [0.5, 1], [1, 0.5]]
`+soft+`
[[body]]
name = "block"
material = "gel"
[[fix]]
on = "left"
[[rigid]]
name = "disc"
shape = "disc"
centre = [3, 0]
radius = 0.1
mass = 2
[[spring]]
on = "disc"
stiffness = 100
rotation_stiffness = 5
[[load]]
on = "disc"
moment = 2
[[load]]
on = "block"
acceleration = [5, 0]
`, alone)
	through(t, s, nil)
	disc := s.RigidMotions[0]
	t.Logf("turned by %.9g, moved by %.9g m", disc.Angle, disc.Centre.X-3)
	if math.Abs(disc.Angle-0.4) > 1e-9 || math.Abs(disc.Centre.X-3+0.1) > 1e-9 {
		t.Errorf("turned by %g, moved by %g m", disc.Angle, disc.Centre.X-3)
	}
	for i, x := range s.Mesh.X { // gravity and acceleration are in balance
		if d := r2.Norm(r2.Sub(s.X[i], x)); s.Freedoms.Body[i] < 0 && d > 1e-9 {
			t.Errorf("node %d is off by %g m", i, d)
			break
		}
	}
}
