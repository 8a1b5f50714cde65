package solver_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// turnedBox is a box of 0.1 m in a deck, free with a velocity along x, or fixed.
func turnedBox(name string, x, y, degrees, v float64, free bool) string {
	box := fmt.Sprintf("[[rigid]]\nname = %q\nshape = \"box\"\ncentre = [%g, %.17g]\nwidth = 0.1\nheight = 0.1\nangle = \"%g deg\"\n", name, x, y, degrees)
	if free {
		box += fmt.Sprintf("density = 2000\nvelocity = [%g, 0]\n", v)
	}
	return box
}

// Rigid bodies whose tips meet keep their energy, whatever the offset and the angle of the tips, and
// whether one of them is fixed.
func TestTipsKeepEnergy(t *testing.T) {
	for _, c := range []struct {
		degrees, offset float64
		free            bool
	}{{45, 0, true}, {45, 1e-12, true}, {45, 1e-9, true}, {45, 1e-6, true}, {45, 1e-4, true}, {46, 0, true}, {50, 0, true}, {30, 0, true}, {45, 1e-6, false}, {46, 1e-9, false}} {
		angle := (c.degrees - 45) * math.Pi / 180
		tipX, tipY := 0.05*math.Sqrt2*math.Cos(angle), 0.05*math.Sqrt2*math.Sin(angle)
		s := built(t, "[analysis]\nduration = 0.06\n[output]\nfields_every = 0\n"+turnedBox("a", -0.075, 0, 45, 0.5, true)+
			turnedBox("b", 0.001+tipX, c.offset+tipY, c.degrees, -0.5, c.free)+"[[contact]]\ncontactor = \"a\"\nopposite = \"b\"\n", "")
		start := s.Energies().Kinetic
		through(t, s, nil)
		if end := s.Energies(); end.ContactStored != 0 || math.Abs(end.Kinetic/start-1) > 1e-4 || s.RigidMotions[0].Velocity.X > 0.45 {
			t.Errorf("%g degrees, offset %g m, free %t: %.7g of the kinetic energy, velocity %v", c.degrees, c.offset, c.free, end.Kinetic/start, s.RigidMotions[0].Velocity)
		}
	}
}

// A box that slides without friction over the joint of two flush fixed boxes feels no joint.
func TestJointOfFlushBoxesIsNotFelt(t *testing.T) {
	floor := func(name string, x float64) string {
		return fmt.Sprintf("[[rigid]]\nname = %q\nshape = \"box\"\ncentre = [%g, -0.1]\nwidth = 0.4\nheight = 0.2\n", name, x)
	}
	s := built(t, "[analysis]\nduration = 0.2\ngravity = [0, -9.81]\n[output]\nfields_every = 0\n"+floor("left", -0.2)+floor("right", 0.2)+
		"[[rigid]]\nname = \"box\"\nshape = \"box\"\ncentre = [-0.1, 0.05]\nwidth = 0.1\nheight = 0.1\ndensity = 2000\nvelocity = [1, 0]\n"+
		"[[contact]]\ncontactor = \"box\"\nopposite = \"all\"\n", "")
	fastest := 0.0
	through(t, s, func() {
		if s.Time > 0.01 {
			fastest = max(fastest, math.Abs(s.RigidMotions[2].Velocity.Y), 0.05*math.Abs(s.RigidMotions[2].Spin))
		}
	})
	if v := s.RigidMotions[2].Velocity.X; math.Abs(v-1) > 1e-6 || fastest > 2e-3 {
		t.Errorf("velocity %g m/s, across up to %g m/s", v, fastest)
	}
}

// A rigid box rests on a slope of 0.95 times the friction angle's tangent, and slides as Coulomb says
// at 1.05 of it.
func TestRigidBoxOnSlope(t *testing.T) {
	const friction, duration = 0.5, 0.4
	for _, times := range []float64{0.95, 1.05, 1.3} {
		slope := math.Atan(times * friction)
		s := built(t, fmt.Sprintf("[analysis]\nduration = %g\ngravity = [%g, %g]\n[output]\nfields_every = 0\n", duration, 9.81*math.Sin(slope), -9.81*math.Cos(slope))+
			onFloor+rigidBox("box", 0, 0.025, 0.1, 0.05, 2)+fmt.Sprintf("[[contact]]\ncontactor = \"box\"\nopposite = \"floor\"\nfriction = %g\n", friction), "")
		through(t, s, nil)
		e, moved := s.Energies(), s.RigidMotions[1].Centre.X
		want := 0.5 * 9.81 * (math.Sin(slope) - friction*math.Cos(slope)) * duration * duration
		t.Logf("%g: moved by %g m, Coulomb says %g m; residual %g of %g J", times, moved, want, e.Residual, e.FrictionDissipated)
		if times < 1 && moved > 1e-4 || times > 1 && math.Abs(moved/want-1) > 0.005 {
			t.Errorf("at %g of the angle of friction it moves by %g m, Coulomb says %g m", times, moved, want)
		}
	}
}

// A rigid block slides down a rigid slope as Coulomb says from the start, and rests below its limit: a line,
// a box and a box with a node under the block are the same slope. The face beside the block's corner does
// not hold it against sliding.
func TestRigidBlockSlidesOnRigidSlope(t *testing.T) {
	const angle, g, duration = math.Pi / 6, 9.81, 0.3
	sin, cos := math.Sincos(angle)
	at := func(x, y float64) string { return fmt.Sprintf("[%.17g, %.17g]", x*cos-y*sin, x*sin+y*cos) }
	slopes := []string{
		fmt.Sprintf(`shape = "line", from = %s, to = %s`, at(0, 0), at(10, 0)),
		fmt.Sprintf(`shape = "box", centre = %s, width = 10, height = 1, angle = "30 deg"`, at(5, -0.5)),
		fmt.Sprintf(`shape = "polygon", corners = [%s, %s, %s, %s, %s]`, at(0, -1), at(10, -1), at(10, 0), at(8, 0), at(0, 0)),
	}
	for i, slope := range slopes {
		for _, share := range []float64{0.98, 1.1} {
			friction := math.Tan(angle) / share
			s := built(t, fmt.Sprintf(`
analysis = { duration = %g, gravity = [0, -%g] }
rigid = [{ name = "slope", fixed = true, %s }, { name = "block", shape = "box", centre = %s, width = 2, height = 1, angle = "30 deg", density = 2600 }]
contact = [{ contactor = "block", opposite = "slope", friction = %g }]
`, duration, g, slope, at(7, 0.5), friction), "")
			var from *r2.Vec // where it settles
			through(t, s, func() {
				if from == nil {
					from = &s.Motions()[1].Centre
				}
			})
			got, want := r2.Norm(r2.Sub(s.Motions()[1].Centre, *from)), max(0, 0.5*g*(sin-friction*cos)*duration*duration)
			spin := s.Motions()[1].AngularVelocity
			t.Logf("slope %d, %g of the limit: %.5g mm, want %.5g; spin %.2g rad/s", i, share, 1e3*got, 1e3*want, spin)
			if math.Abs(got-want) > 2e-3*want+1e-7 || math.Abs(spin) > 1e-5 {
				t.Errorf("slope %d, %g of the limit: the block slides %g m, want %g, and spins at %g rad/s", i, share, got, want, spin)
			}
		}
	}
}

// Rigid bodies that overlap at the start by what their weight presses rest from the start. Where they are
// pressed apart, the work of the ramp is that of the trapezoidal rule.
func TestRigidBodiesWithOverlap(t *testing.T) {
	const weight = 9810.0 // [N]
	s := built(t, `
analysis = { duration = "50 ms", gravity = [0, -9.81] }
output = { history_every = "1 ms" }
rigid = [{ name = "floor", shape = "line", from = [0, 1e-3], to = [3, 1e-3] }, { name = "block", shape = "box", centre = [1, 0.5], width = 1, height = 1, density = 1000 }]
law = [{ name = "mat", model = "linear", k = 9.81e6 }]
contact = [{ contactor = "block", opposite = "floor", law = "mat", overlap = "allow", overlap_ramp = "10 ms" }]
`, "")
	least, most := carriedAfter(t, s, -1)
	t.Logf("the floor carries %.6f to %.6f of the weight", least/weight, most/weight)
	if least < 0.999*weight || most > 1.001*weight {
		t.Errorf("the floor carries %g to %g N of %g", least, most, weight)
	}
	s = built(t, `
analysis = { duration = "5 ms" }
rigid = [{ name = "a", shape = "box", centre = [0, 0.501], width = 1, height = 1, density = 1000 }, { name = "b", shape = "box", centre = [1.3, 1.5], width = 1, height = 1, density = 1000 }, { name = "c", shape = "box", centre = [0.2, 1.5], width = 1, height = 1, density = 1000 }]
law = [{ name = "mat", model = "linear", k = 9.81e8 }]
contact = [{ contactor = "all", opposite = "all", law = "mat", overlap = "allow", overlap_ramp = "3 ms" }]
`, "")
	residual := 0.0
	through(t, s, func() { residual = max(residual, math.Abs(s.Relative(s.Energies()))) })
	t.Logf("pressed apart: worst residual %.2g", residual)
	if residual > 1e-5 { // 0.5 at first with the force at the end of each step alone
		t.Errorf("pressed apart: worst residual %g", residual)
	}
}
