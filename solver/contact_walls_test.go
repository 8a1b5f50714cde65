package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// One steel ball of 10 mm and what it meets, under Hertz's law.
func ballAnd(walls, position, velocity, rest string) string {
	return fmt.Sprintf(`
[analysis]
duration = "1 ms"
safety = 0.1
%s
%s
[[particle]]
name = "ball"
radius = "10 mm"
position = %s
velocity = %s
material = "steel"
[[law]]
name = "law"
model = "hertz"
[[interaction]]
law = "law"
overlap = "allow"
%s
`, steelBalls, walls, position, velocity, rest)
}

// The force on a ball that lies a little in a wall points away from the
// wall's nearest point, whatever the wall.
func TestNormalsOfWalls(t *testing.T) {
	const box = "[[rigid]]\nname = \"box\"\nshape = \"box\"\ncentre = [0, 0]\nwidth = \"40 mm\"\nheight = \"20 mm\""
	const deep = 1e-5 // [m]
	diagonal := (0.01 - deep) / math.Sqrt2
	for _, c := range []struct {
		name, wall string
		x          r2.Vec
		normal     r2.Vec
		radius     float64 // effective [m]
	}{
		{"right face", box, r2.Vec{X: 0.03 - deep, Y: 0.003}, r2.Vec{X: 1}, 0.01},
		{"upper face", box, r2.Vec{X: -0.011, Y: 0.02 - deep}, r2.Vec{Y: 1}, 0.01},
		{"lower left corner", box, r2.Vec{X: -0.02 - diagonal, Y: -0.01 - diagonal}, r2.Vec{X: -math.Sqrt2 / 2, Y: -math.Sqrt2 / 2}, 0.01},
		{"just beside a corner", box, r2.Vec{X: 0.02 + 0.6*(0.01-deep), Y: 0.01 + 0.8*(0.01-deep)}, r2.Vec{X: 0.6, Y: 0.8}, 0.01},
		{"turned box", box + "\nangle = \"30 deg\"", r2.Vec{X: math.Cos(math.Pi/6) * (0.03 - deep), Y: math.Sin(math.Pi/6) * (0.03 - deep)}, r2.Vec{X: math.Cos(math.Pi / 6), Y: math.Sin(math.Pi / 6)}, 0.01},
		{"disc", "[[rigid]]\nname = \"disc\"\nshape = \"disc\"\ncentre = [0, 0]\nradius = \"30 mm\"", r2.Vec{X: 0.6 * (0.04 - deep), Y: -0.8 * (0.04 - deep)}, r2.Vec{X: 0.6, Y: -0.8}, 0.0075},
		{"hollow", "[[rigid]]\nname = \"hollow\"\nshape = \"hollow\"\ncentre = [0, 0]\nradius = \"50 mm\"", r2.Vec{X: 0.6 * (0.04 + deep), Y: -0.8 * (0.04 + deep)}, r2.Vec{X: -0.6, Y: 0.8}, 0.0125},
		{"line from above", "[[rigid]]\nname = \"line\"\nshape = \"line\"\nfrom = [\"-1 m\", 0]\nto = [\"1 m\", 0]", r2.Vec{X: 0.1, Y: 0.01 - deep}, r2.Vec{Y: 1}, 0.01},
		{"line's end", "[[rigid]]\nname = \"line\"\nshape = \"line\"\nfrom = [\"-1 m\", 0]\nto = [0, 0]", r2.Vec{X: 0.01 - deep, Y: 0}, r2.Vec{X: 1}, 0.01},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := built(t, ballAnd(c.wall, fmt.Sprintf("[%.17g, %.17g]", c.x.X, c.x.Y), "[0, 0]", ""), "")
			noError(t, s.Step(1e-12, nil))
			force := 4.0 / 3 * 207e9 / (1 - 0.3*0.3) * math.Sqrt(c.radius) * math.Pow(deep, 1.5)
			want := r2.Scale(force, c.normal)
			b := s.Spheres()
			if d := r2.Norm(r2.Sub(b.F[0], want)); d > 1e-9*force {
				t.Errorf("force %v, want %v", b.F[0], want)
			}
			if b.WallForce[0] != r2.Scale(-1, b.F[0]) {
				t.Errorf("force on the wall %v, on the ball %v", b.WallForce[0], b.F[0])
			}
		})
	}
}

// A driven wall strikes a ball at rest: the ball leaves with twice the wall's speed, and the wall's
// work is the ball's energy. A table that moves sideways under a ball drags it along by friction.
// The work of the table is the energy of the ball and the heat.
func TestDrivenWalls(t *testing.T) {
	t.Parallel()
	const mass = 7800 * 4.0 / 3 * math.Pi * 1e-6
	const piston = "[[rigid]]\nname = \"piston\"\nshape = \"box\"\ncentre = [\"-20 mm\", 0]\nwidth = \"10 mm\"\nheight = \"40 mm\"\nmotion = { velocity = [\"3 m/s\", 0] }"
	s := built(t, ballAnd(piston, `["-4.9 mm", 0]`, "[0, 0]", ""), "")
	worst := finish(t, s)
	ball, e := s.Motions()[1], s.Energies()
	if math.Abs(ball.Velocity.X/6-1) > 1e-4 || math.Abs(ball.Velocity.Y) > 1e-12 {
		t.Errorf("the ball leaves at %v m/s", ball.Velocity)
	}
	if want := 0.5 * mass * 36; math.Abs(e.ExternalWork/want-1) > 1e-3 || math.Abs(e.ContactDissipated) > 1e-4*want {
		t.Errorf("the wall works %g J, want %g J; dissipated %g J", e.ExternalWork, want, e.ContactDissipated)
	}
	if worst > 1e-4 {
		t.Errorf("residual %g", worst)
	}

	const table = "[[rigid]]\nname = \"table\"\nshape = \"line\"\nfrom = [\"-1 m\", 0]\nto = [\"1 m\", 0]\nmotion = { velocity = [\"1 m/s\", 0] }"
	text := ballAnd(table, `[0, "10 mm"]`, "[0, 0]", "friction = 0.3\nfriction_speed = \"0.1 mm/s\"")
	text = replace(t, text, `duration = "1 ms"`, "duration = \"0.15 s\"\ngravity = [0, -9.81]")
	text = replace(t, text, "safety = 0.1\n", "")
	text = replace(t, text, `model = "hertz"`, "model = \"tsuji\"\nrestitution = 0.3")
	s = built(t, text, "")
	worst = finish(t, s)
	ball, e = s.Motions()[1], s.Energies()
	// Slip ends with the ball rolling on the table: 2/7 of its speed, turning
	// backwards with 5/7 at the rim; half the work of the impulse 2/7 m v is heat.
	if math.Abs(ball.Velocity.X/(2.0/7)-1) > 1e-3 || math.Abs(ball.AngularVelocity*0.01/(5.0/7)-1) > 1e-3 {
		t.Errorf("the ball rolls at %g m/s, turning at %g rad/s", ball.Velocity.X, ball.AngularVelocity)
	}
	work := 2.0 / 7 * mass
	kinetic := 0.5 * mass * (4.0/49 + 0.4*25.0/49)
	if math.Abs(e.Kinetic/kinetic-1) > 2e-5 || math.Abs(e.FrictionDissipated/(work-kinetic)-1) > 2e-5 {
		t.Errorf("kinetic %g J of %g J, friction %g J of %g J", e.Kinetic, kinetic, e.FrictionDissipated, work-kinetic)
	}
	if worst > 1e-6 {
		t.Errorf("residual %g", worst)
	}
}

// A free disc struck by a ball of its weight in the middle takes all of the
// ball's speed; hit on the side without friction, the impulse runs through the
// disc's centre, and momentum and angular momentum are kept.
func TestFreeDisc(t *testing.T) {
	const mass = 7800 * 4.0 / 3 * math.Pi * 1e-6
	disc := fmt.Sprintf("[[rigid]]\nname = \"disc\"\nshape = \"disc\"\ncentre = [\"40.1 mm\", 0]\nradius = \"30 mm\"\nmass = %.17g\nmaterial = \"steel\"\nfixed = false", mass)
	for _, offset := range []float64{0, 0.02} {
		x := 0.0401 - math.Sqrt(0.0401*0.0401-offset*offset)
		s := built(t, ballAnd(disc, fmt.Sprintf("[%.17g, %g]", x-1e-4, offset), `["2 m/s", 0]`, ""), "")
		worst := finish(t, s)
		m := s.Motions()
		p := r2.Add(m[0].Momentum, m[1].Momentum)
		if math.Abs(p.X/(2*mass)-1) > 1e-12 || math.Abs(p.Y) > 1e-14 {
			t.Errorf("momentum %v", p)
		}
		if worst > 1e-4 || math.Abs(m[0].AngularVelocity) > 1e-12 || m[1].AngularVelocity != 0 {
			t.Errorf("residual %g, turning %g and %g", worst, m[0].AngularVelocity, m[1].AngularVelocity)
		}
		if offset == 0 && (math.Abs(m[1].Velocity.X) > 1e-3 || math.Abs(m[0].Velocity.X/2-1) > 1e-3) {
			t.Errorf("the ball keeps %v, the disc takes %v", m[1].Velocity, m[0].Velocity)
		}
		if offset > 0 && !(m[0].Velocity.Y < -0.1 && m[1].Velocity.Y > 0.1) {
			t.Errorf("struck on the side the disc leaves with %v, the ball with %v", m[0].Velocity, m[1].Velocity)
		}
	}
}

// replace replaces what must be there once.
func replace(t *testing.T, text, old, with string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is not there once", old)
	}
	return strings.Replace(text, old, with, 1)
}

// lightDisc is a glancing ball of 33 g over a free disc of half a gram.
const lightDisc = "[[rigid]]\nname = \"disc\"\nshape = \"disc\"\ncentre = [\"0 mm\", \"-5.0 mm\"]\nradius = \"5 mm\"\nmass = \"0.5 g\"\nmaterial = \"steel\"\nfixed = false"

// Friction at a free wall that is much lighter than the ball slows the slip and does not reverse
// it, for one ball and for several on one plate.
func TestFreeWallDoesNotChatter(t *testing.T) {
	const plate = "[[rigid]]\nname = \"plate\"\nshape = \"box\"\ncentre = [0, \"-0.5 mm\"]\nwidth = \"200 mm\"\nheight = \"1 mm\"\nmass = \"0.5 g\"\nmaterial = \"steel\"\nfixed = false"
	for _, c := range []struct{ name, walls, rest string }{
		{"a ball and a disc", lightDisc, ""},
		{"a ball and a plate", plate, ""},
		{"eight balls and a plate", plate, "eight"},
	} {
		text := ballAnd(c.walls, `["0 mm", "10.001 mm"]`, `["0.1 m/s", "-1 m/s"]`, "friction = 0.3\nfriction_speed = \"0.1 mm/s\"")
		if c.rest != "" {
			text = replace(t, text, `position = ["0 mm", "10.001 mm"]`, "position = [\"-80 mm\", \"10.001 mm\"]\ngrid = [8, 1]\nspacing = \"21 mm\"")
		}
		text = replace(t, text, "safety = 0.1\n", "")
		s := built(t, text, "")
		flips, touching, last := 0, 0, 0.0
		for s.Time < 0.3e-3 {
			noError(t, s.Step(s.Limit, nil))
			p := s.Spheres()
			if p.Interaction[0].Active == 0 {
				continue
			}
			touching++
			along := p.F[0].X
			if e := &p.Interaction[0]; e.Tangential > 0.99*0.3*e.Normal {
				if along*last < 0 {
					flips++
				}
				last = along
			}
		}
		t.Logf("%s: %d flips in %d steps", c.name, flips, touching)
		if touching < 30 || flips > 1 {
			t.Errorf("%s: friction flips %d times in %d steps", c.name, flips, touching)
		}
	}
}
