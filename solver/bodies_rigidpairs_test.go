package solver_test

import (
	"fmt"
	"math"
	"testing"
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
