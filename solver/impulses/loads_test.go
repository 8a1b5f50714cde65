package impulses_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// Bodies move by the mean of changing loads and weights at both ends of a step, of which the ledger has the work.
func TestChangingLoads(t *testing.T) {
	s := begin(1, under(0), "gravity_schedule = \"1 + 0.5*sin(20*t)\"").floor(-2, 3)
	s.box(0, 0.1, 0.2, 0.2, 0, 2000).box(0, 0.3, 0.2, 0.2, 0, 2000).disc(1, 0.5, 0.1, 2000)
	for _, l := range []string{"on = \"b0\"\nforce = [\"500*sin(40*t)\", 0]", "on = \"b1\"\nmoment = \"30*sin(30*t)\"", "on = \"b2\"\nacceleration = [\"2*cos(10*t)\", 0]"} {
		fmt.Fprintf(s, "[[load]]\n%s\n", l)
	}
	r := start(t, s.contact(0.3, 0.2))
	r.to(1, nil)
	closes(t, r.Solver, r.Energies().FrictionDissipated)

	const force, rate, mass = 300, 40, 80. // without friction the block vibrates by theory
	s = begin(1, r2.Vec{}, "step = 2e-3").floor(-9, -8)
	s.box(0, 0, 0.2, 0.2, 0, 2000)
	fmt.Fprintf(s, "[[load]]\non = \"b0\"\nforce = [\"%d*sin(%d*t)\", 0]\n", force, rate)
	r = start(t, s.contact(0, 0))
	r.to(1, nil)
	within(t, "velocity", r.body(0).Velocity.X, force/(rate*mass)*(1-math.Cos(rate)), 1e-3)
	closes(t, r.Solver, 1)
}

// Forces and accelerations act at the centre of mass of a body, whatever its outline.
func TestLoadsActAtTheCentre(t *testing.T) {
	for _, load := range []string{"force = [190, 50]", "acceleration = [10, 50]"} {
		s := begin(1, r2.Vec{}, "step = 1e-3").floor(-9, -8)
		s.polygon([]r2.Vec{{}, {X: 1}, {X: 1, Y: 0.1}, {X: 0.1, Y: 0.1}, {X: 0.1, Y: 1}, {X: 0.05, Y: 1}, {Y: 1}}, 100)
		fmt.Fprintf(s, "[[load]]\non = \"b0\"\n%s\n", load)
		r := start(t, s.contact(0, 0))
		r.to(1, nil)
		if m := r.body(0); math.Abs(m.AngularVelocity) > 1e-12 || math.Abs(m.Velocity.X-10) > 1e-9 {
			t.Errorf("%s: turns at %g rad/s, moves at %v", load, m.AngularVelocity, m.Velocity)
		}
	}
}
