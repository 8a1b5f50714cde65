package solver_test

import (
	"fmt"
	"math"
	"testing"

	"fdem/solver/system"
)

const onFloor = `
[[rigid]]
name = "floor"
shape = "line"
from = [-5, 0]
to = [5, 0]
`

// rigidBox is a free box in a deck.
func rigidBox(name string, x, y, width, height, mass float64) string {
	return fmt.Sprintf("[[rigid]]\nname = %q\nshape = \"box\"\ncentre = [%g, %g]\nwidth = %g\nheight = %g\nmass = %g\n", name, x, y, width, height, mass)
}

// A rigid body that is pushed by a load that grows, at any height, holds to Coulomb's
// static limit, on a line and on another body, whichever carries the contact nodes, and
// then slides with less friction.
func TestRigidBodyHoldsToItsLimit(t *testing.T) {
	const static, kinetic = 0.4, 0.2
	base := "[[rigid]]\nname = \"floor\"\nshape = \"box\"\ncentre = [0.01, -0.1]\nwidth = 0.14\nheight = 0.2\n"
	for _, c := range []struct {
		name, below         string
		width, height, mass float64
		at                  float64 // height of the load, of the box
		contactor, opposite string
	}{
		{"flat", onFloor, 0.1, 0.02, 2, 0.5, "box", "floor"},
		{"high", onFloor, 0.1, 0.1, 2, 0.9, "box", "floor"},
		{"low", onFloor, 0.1, 0.2, 2, 0, "box", "floor"},
		{"from below", onFloor, 0.1, 0.05, 2, 0.5, "floor", "box"},
		{"on a body of its size", base, 0.1, 0.05, 2, 0.5, "all", "all"},
		{"of metres", onFloor, 1, 1, 2000, 0.8, "box", "floor"},
	} {
		limit, duration := static*c.mass*9.81, 0.25*math.Sqrt(c.width/0.1)
		rate := 1.2 * limit / duration
		deck := fmt.Sprintf("[analysis]\nduration = %g\nthickness = 0.01\ngravity = [0, -9.81]\n[output]\nhistory_every = %g\n", duration, duration/600) +
			c.below + rigidBox("box", 0, c.height/2, c.width, c.height, c.mass) +
			fmt.Sprintf("[[load]]\non = \"box\"\nforce = [\"%g*t\", 0]\n[[load]]\non = \"box\"\nmoment = \"%g*t\"\n", rate, -rate*(c.at-0.5)*c.height) +
			fmt.Sprintf("[[contact]]\ncontactor = %q\nopposite = %q\nfriction = %g\nstatic_friction = %g\n", c.contactor, c.opposite, kinetic, static)
		s := built(t, deck, "")
		left := math.Inf(1) // the load when it began to move, over the limit
		through(t, s, func() {
			v := s.RigidMotions[len(s.RigidMotions)-1].Velocity.X
			if math.IsInf(left, 1) && v > 0.01*(static-kinetic)*9.81*duration {
				left = rate * s.Time / limit
			}
		})
		t.Logf("%s: moves at %.4f of the limit", c.name, left)
		if left < 0.98 || left > 1.04 { // it has to begin to move
			t.Errorf("%s: moves at %g of the limit", c.name, left)
		}
	}
}

// A rigid box on a slope that is too steep for it tips about its corner, by the equation of motion
// I th” = m g R sin(slope + th - alpha).
func TestRigidBoxTips(t *testing.T) {
	for _, c := range []struct {
		width, height, degrees, duration float64
		contactor, opposite              string
	}{
		{0.1, 0.2, 30, 0.6, "box", "floor"},
		{0.1, 0.2, 30, 0.6, "floor", "box"},
		{0.05, 0.5, 7, 1, "all", "all"},
		{1, 2, 32, 1.8, "box", "floor"},
	} {
		slope := c.degrees * math.Pi / 180
		deck := fmt.Sprintf("[analysis]\nduration = %g\nthickness = 0.01\ngravity = [%g, %g]\n[output]\nhistory_every = %g\n", c.duration, 9.81*math.Sin(slope), -9.81*math.Cos(slope), c.duration/1000) +
			onFloor + rigidBox("box", 0, c.height/2, c.width, c.height, 2) +
			fmt.Sprintf("[[contact]]\ncontactor = %q\nopposite = %q\nfriction = 2\n", c.contactor, c.opposite)
		s := built(t, deck, "")
		const angle = 0.3
		at, speed := math.NaN(), 0.0
		through(t, s, func() {
			if b := &s.RigidMotions[1]; math.IsNaN(at) && b.Angle < -angle {
				past := (-b.Angle - angle) / -b.Spin
				at, speed = s.Time-past, -b.Spin
			}
		})
		radius, alpha := math.Hypot(c.width, c.height)/2, math.Atan2(c.width, c.height)
		th, omega, exact := 0.0, 0.0, 0.0
		const dt = 1e-5
		for ; th < angle; exact += dt {
			omega += dt * 9.81 / (4 * radius / 3) * math.Sin(slope+th-alpha)
			th += dt * omega
		}
		t.Logf("%g by %g m at %g degrees: time %.4f and speed %.4f of theory", c.width, c.height, c.degrees, at/exact, speed/omega)
		if !(math.Abs(at/exact-1) < 0.02) || math.Abs(speed/omega-1) > 0.02 {
			t.Errorf("%g by %g m at %g degrees: time %g, want %g s; speed %g, want %g 1/s", c.width, c.height, c.degrees, at, exact, speed, omega)
		}
	}
}

// A rigid box that is stood on its corner falls back as the equation of motion says, and bounces
// with the energy that it had.
func TestRigidBoxRocks(t *testing.T) {
	const width, height, tilt, duration = 0.1, 0.2, 0.1, 0.09
	radius, alpha := math.Hypot(width, height)/2, math.Atan2(width, height)
	box := rigidBox("box", -radius*math.Sin(alpha-tilt), radius*math.Cos(alpha-tilt)+1e-9, width, height, 2) + fmt.Sprintf("angle = %g\n", -tilt)
	deck := fmt.Sprintf("[analysis]\nduration = %g\nthickness = 0.01\ngravity = [0, -9.81]\n[output]\nhistory_every = %g\n", duration, duration/600) +
		onFloor + box + "[[contact]]\ncontactor = \"box\"\nopposite = \"floor\"\nfriction = 2\n"
	s := built(t, deck, "")
	at, speed := math.NaN(), 0.0
	through(t, s, func() {
		b := &s.RigidMotions[1]
		if math.IsNaN(at) && b.Angle > 0.9*tilt {
			at, speed = s.Time-(b.Angle-0.9*tilt)/b.Spin, b.Spin
		}
	})
	th, omega, exact := tilt, 0.0, 0.0
	const dt = 1e-6
	for ; th > 0.1*tilt; exact += dt {
		omega += dt * 9.81 / (4 * radius / 3) * math.Sin(alpha-th)
		th -= dt * omega
	}
	t.Logf("time %.4f and speed %.4f of theory", at/exact, speed/omega)
	if !(math.Abs(at/exact-1) < 0.02) || math.Abs(speed/omega-1) > 0.02 {
		t.Errorf("time %g, want %g s; speed %g, want %g 1/s", at, exact, speed, omega)
	}
}

// Bounces stay elastic with the damper at rest: no series of bounces loses more than a thousandth.
func TestRigidBouncesStayElastic(t *testing.T) {
	const drop = 0.02
	deck := "[analysis]\nduration = 0.6\nthickness = 0.01\ngravity = [0, -9.81]\n" + onFloor + rigidBox("box", 0, 0.025+drop, 0.1, 0.05, 2) +
		"[[contact]]\ncontactor = \"box\"\nopposite = \"floor\"\nfriction = 0.3\n"
	s := built(t, deck, "")
	through(t, s, nil)
	e := s.Energies()
	lost := e.ContactDissipated / (2 * 9.81 * drop)
	t.Logf("lost %.3g of the energy in 5 bounces, residual %.3g", lost, s.Relative(e))
	if math.Abs(lost) > 1e-3 || s.Relative(e) > 1e-3 {
		t.Errorf("lost %g of the energy, residual %g", lost, s.Relative(e))
	}
}

// A box that tumbles keeps the ledger: it flies alone, with the steps of its flight, and lands on
// its corners.
func TestTumblingBoxKeepsTheLedger(t *testing.T) {
	for _, angle := range []float64{0, 0.3, 1} {
		deck := "[analysis]\nduration = 1\nthickness = 0.01\ngravity = [0, -9.81]\n" + onFloor + rigidBox("box", 0, 0.3, 0.1, 0.2, 2) +
			fmt.Sprintf("angle = %g\nangular_velocity = 5\nvelocity = [1, 0]\n[[contact]]\ncontactor = \"box\"\nopposite = \"floor\"\nfriction = 0.3\n", angle)
		s := built(t, deck, "")
		through(t, s, nil)
		e := s.Energies()
		t.Logf("angle %g: %d steps, residual %.3g", angle, s.N, s.Relative(e))
		if s.Relative(e) > 5e-4 {
			t.Errorf("angle %g: residual %g of the energy", angle, s.Relative(e))
		}
	}
}

// A body that falls flat from its own height sinks in by the penetration p that the deck accepts,
// and by p/2 of that beyond, for its weight does work over that displacement, too; at rest it lies p^2/2 of
// its size deep.
func TestPenetrationIsWhatIsAccepted(t *testing.T) {
	const size, share = 0.1, 0.005
	for _, drop := range []float64{size, 0} {
		deck := fmt.Sprintf("[analysis]\nduration = %g\nthickness = 0.01\ngravity = [0, -9.81]\n[output]\nhistory_every = 2e-5\n", 0.06+math.Sqrt(2*drop/9.81)) + onFloor +
			rigidBox("box", 0, size/2+drop, size, size, 2) + fmt.Sprintf("[[contact]]\ncontactor = \"box\"\nopposite = \"floor\"\npenetration = %g\n", share)
		s := built(t, deck, "")
		deepest, sum, n := 0.0, 0.0, 0.0
		through(t, s, func() {
			depth := size/2 - s.RigidMotions[1].Centre.Y
			deepest = max(deepest, depth)
			if s.Time > 0.05 { // it has its weight
				sum, n = sum+depth, n+1
			}
		})
		want := share * (1 + 0.5*share) * size
		if drop == 0 {
			want = 0.5 * share * share * size
			deepest = sum / n
		}
		t.Logf("falls %g m: %.5g of %.5g m", drop, deepest, want)
		if math.Abs(deepest/want-1) > 1e-3 {
			t.Errorf("falls %g m: sinks in by %g, want %g m", drop, deepest, want)
		}
	}
}

// A box that rocks by less than the compression of its foot has the reported period: that of a
// square follows from its penetration at rest, that of another box from its inertia over the square
// of its width.
func TestRocksOnItsFoot(t *testing.T) {
	const size = 0.1
	for _, share := range []float64{0.002, 0.005} {
		for _, slender := range []float64{1, 2} {
			w, h := size/math.Sqrt(slender), size*math.Sqrt(slender)
			sink := share * share * size / 2
			spin := 0.5 * sink / w * math.Sqrt(9.81/sink)
			deck := "[analysis]\nduration = 0.05\nthickness = 0.01\ngravity = [0, -9.81]\n" + onFloor + rigidBox("box", 0, h/2, w, h, 2) +
				fmt.Sprintf("angular_velocity = %g\n[[contact]]\ncontactor = \"box\"\nopposite = \"floor\"\nfriction = 0.9\npenetration = %g\n", spin, share)
			s := built(t, deck, "")
			var passes []float64 // times at which it turns back
			before, at := 0.0, 0.0
			through(t, s, func() {
				spin := s.RigidMotions[1].Spin
				if before < 0 && spin >= 0 && s.Time > 0.02 {
					passes = append(passes, s.Time-(s.Time-at)*spin/(spin-before))
				}
				before, at = spin, s.Time
			})
			period := (passes[len(passes)-1] - passes[0]) / float64(len(passes)-1)
			want := s.Model.Contacts[0].Penetration.Rocking * math.Sqrt((float64(h*h)/3+float64(w*w)/12)/(5./12*float64(w*w)))
			t.Logf("share %g, %g times as high as wide: %.4g ms, predicted %.4g", share, slender, 1e3*period, 1e3*want)
			if math.Abs(period/want-1) > 0.08 {
				t.Errorf("share %g, %g times as high as wide: rocks in %g s, want %g", share, slender, period, want)
			}
		}
	}
}

// A stack that is pushed has the same bits with any number of workers.
func TestPatchesOnWorkers(t *testing.T) {
	deck := "[analysis]\nduration = 0.01\nthickness = 0.01\ngravity = [3, -9.81]\n" + onFloor
	for i := range 6 {
		deck += rigidBox(string(rune('a'+i)), 0.002*float64(i%2), 0.05*(float64(i)+0.5), 0.1, 0.05, 1)
	}
	deck += "[[load]]\non = \"d\"\nforce = [\"2e3*t\", 0]\n[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\nfriction = 0.2\nstatic_friction = 0.4\n"
	var first []system.RigidMotion
	for _, workers := range []int{1, 2, 3} {
		s := built(t, deck, "")
		s.SetWorkers(workers)
		through(t, s, nil)
		if first == nil {
			first = s.RigidMotions
		}
		for i, b := range s.RigidMotions {
			if b != first[i] {
				t.Fatalf("%d workers: body %d is at %+v, with one at %+v", workers, i, b, first[i])
			}
		}
	}
	if moved := first[4].Velocity.X - first[3].Velocity.X; math.Abs(moved) < 1e-3 {
		t.Errorf("nothing slides: %+v", first)
	}
}

// On an elastic slab whose weight is applied at once the body holds as well: light damping brings
// both to rest first.
func TestRigidBodyHoldsOnElasticGround(t *testing.T) {
	const slab = "[[rectangle]]\nname = \"slab\"\nfrom = [-0.2, -0.05]\nto = [0.2, 0]\nedge = 0.025\nbottom = \"foot\"\n"
	const static, kinetic, mass, duration = 0.4, 0.2, 0.2, 0.5
	const limit = static * mass * 9.81
	deck := fmt.Sprintf("[analysis]\nduration = %g\nthickness = 0.01\ngravity = [0, -9.81]\n[output]\nhistory_every = %g\n", duration, duration/600) +
		"[[material]]\nname = \"rubber\"\nyoung = 5e6\npoisson = 0.3\ndensity = 2000\n[[body]]\nname = \"slab\"\nmaterial = \"rubber\"\n[[fix]]\non = \"foot\"\ncomponents = [\"x\", \"y\"]\n" +
		rigidBox("box", 0, 0.05, 0.1, 0.1, mass) +
		fmt.Sprintf("[[load]]\non = \"box\"\nforce = [\"%g*t\", 0]\n", 1.2*limit/duration) +
		fmt.Sprintf("[[contact]]\ncontactor = \"box\"\nopposite = \"slab\"\nfriction = %g\nstatic_friction = %g\n", kinetic, static)
	s := built(t, deck, slab)
	left := math.Inf(1) // what it bore when it moved off, over the limit
	through(t, s, func() {
		v := s.RigidMotions[0].Velocity.X
		if math.IsInf(left, 1) && v > 0.01*(static-kinetic)*9.81*duration {
			left = 1.2 * s.Time / duration
		}
	})
	t.Logf("moves at %.4f of the limit", left)
	if left < 0.98 || left > 1.04 { // it has to begin to move
		t.Errorf("moves at %g of the limit", left)
	}
}
