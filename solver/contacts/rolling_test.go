package contacts_test

import (
	"fmt"
	"math"
	"testing"

	"fdem/io/deck"
	"fdem/solver"
	"fdem/solver/system"
)

// rolled runs a deck to its end, and returns it with its bodies by name.
func rolled(t *testing.T, text string) (*solver.Solver, map[string]system.BodyMotion) {
	t.Helper()
	d, err := deck.Parse("model.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	for on := true; on; {
		if err := s.Step(0, func(dt float64) (bool, error) { on = dt > 0; return on, nil }); err != nil {
			t.Fatal(err)
		}
	}
	bodies := map[string]system.BodyMotion{}
	for _, m := range s.Motions() {
		bodies[m.Name] = m
	}
	return s, bodies
}

const (
	g           = 9.81
	coefficient = 0.1 // of rolling resistance
)

// discOnSlope is a deck with a rigid disc on a floor, whose weight is as on a slope.
func discOnSlope(end, slope, speed, radius float64, more string) string {
	sin, cos := math.Sincos(slope)
	return fmt.Sprintf(`[analysis]
duration = %v
gravity = [%v, %v]
%s
[output]
checkpoint_every = 0
[[rigid]]
name = "floor"
shape = "line"
from = [-1, 0]
to = [9, 0]
[[rigid]]
name = "disc"
shape = "disc"
centre = [0, %v]
radius = %v
density = 2500
velocity = [%v, 0]
angular_velocity = %v
[[contact]]
contactor = "disc"
opposite = "floor"
friction = 0.8
rolling_friction = %v
`, end, g*sin, -g*cos, more, radius, radius, speed, -speed/radius, coefficient)
}

// A rigid disc that rolls stops on the way of theory, as mu_r R N slows it by mu_r g/(1 + 1/2), and the heat
// is its energy. On a slope it rests below the coefficient, once it has rolled so far that the spring holds it. A disc pressed in by
// d has the normal force N = 2/3 K d, and the stiffness K of its contact grows as N^(1/3): under a weight that
// grows from zero the way is 1.5 N/(2.25 mu_r K) at the limit, up to twice that as the spring stays softer than
// a law that stiffens. Above it the disc rolls as theory says.
func TestRollingResistanceOfDiscs(t *testing.T) {
	const radius, speed = 0.05, 0.4
	stop := 1.5 * speed / (coefficient * g)
	s, bodies := rolled(t, discOnSlope(1.2*stop, 0, speed, radius, ""))
	disc, e := bodies["disc"], s.Energies()
	way, heat := 0.5*speed*stop, 0.75*disc.Mass*speed*speed
	t.Logf("stops after %.6g m, theory %.6g m; heat %.6g J of %.6g J, residual %.1e J", disc.Centre.X, way, e.FrictionDissipated, heat, e.Residual)
	if math.Abs(disc.Centre.X-way) > 2e-3*way || math.Abs(e.FrictionDissipated-heat) > 2e-3*heat || math.Abs(e.Residual) > 1e-4*heat {
		t.Errorf("stops after %g m, theory %g m; heat %g J of %g J, residual %g J", disc.Centre.X, way, e.FrictionDissipated, heat, e.Residual)
	}
	if v := math.Abs(disc.Velocity.X); v > 1e-4*speed {
		t.Errorf("the disc still rolls with %g m/s", v)
	}
	for _, k := range []float64{0.95, 2} {
		slope := math.Atan(k * coefficient)
		_, bodies := rolled(t, discOnSlope(1, slope, 0, radius, "gravity_schedule = [[0, 0], [0.5, 1]]"))
		disc := bodies["disc"]
		limit := (radius - disc.Centre.Y) / (2.25 * coefficient)
		want, within := 1.5*k*limit, 0.5*k*limit
		if k > 1 {
			a := g * (math.Sin(slope) - coefficient*math.Cos(slope)) / 1.5
			want = a * (0.25/6 + 0.25)
			within = 1e-3 * want
		}
		t.Logf("at %g of the limit the disc rolls %.4g m, theory %.4g m", k, disc.Centre.X, want)
		if math.Abs(disc.Centre.X-want) > within {
			t.Errorf("at %g of the limit the disc rolls %g m, theory %g m", k, disc.Centre.X, want)
		}
	}
}

// The radius of rolling of a disc on a disc is R1 R2/(R1 + R2), in a hollow R1 R2/(R2 - R1): a frictionless disc
// that turns on the spot is slowed as theory says.
func TestRadiusOfRollingOfDiscs(t *testing.T) {
	const spin, end = 5.0, 0.05
	for _, c := range []struct {
		below  string
		radius float64
	}{
		{"shape = \"disc\"\ncentre = [0, -0.3]\nradius = 0.3\n", 0.1 * 0.3 / 0.4},
		{"shape = \"hollow\"\ncentre = [0, 0.3]\nradius = 0.3\n", 0.1 * 0.3 / 0.2},
	} {
		s, bodies := rolled(t, fmt.Sprintf(`[analysis]
duration = %v
gravity = [0, -9.81]
[output]
checkpoint_every = 0
[[rigid]]
name = "below"
%s
[[rigid]]
name = "disc"
shape = "disc"
centre = [0, 0.1]
radius = 0.1
density = 1000
angular_velocity = %v
[[contact]]
contactor = "disc"
opposite = "below"
two_sided = true
rolling_friction = %v
`, end, c.below, spin, coefficient))
		want := coefficient * c.radius * g * end / (0.5 * 0.1 * 0.1)
		got := spin - bodies["disc"].AngularVelocity
		t.Logf("radius %g m: the spin falls by %.5g rad/s, theory %.5g rad/s; residual %.1e J", c.radius, got, want, s.Energies().Residual)
		if math.Abs(got-want) > 0.02*want { // the normal force swings about the weight
			t.Errorf("radius %g m: the spin falls by %g rad/s, theory %g rad/s", c.radius, got, want)
		}
	}
}

// Two free discs that meet off their middles, one of them turning, keep their angular momentum.
func TestRollingKeepsAngularMomentum(t *testing.T) {
	disc := func(name string, x, y, radius, speed, spin float64) string {
		return fmt.Sprintf("[[rigid]]\nname = %q\nshape = \"disc\"\ncentre = [%v, %v]\nradius = %v\ndensity = 1000\nvelocity = [%v, 0]\nangular_velocity = %v\n", name, x, y, radius, speed, spin)
	}
	s, bodies := rolled(t, "[analysis]\nduration = 0.05\n[output]\ncheckpoint_every = 0\n"+disc("one", -0.16, 0.03, 0.1, 2, 30)+disc("two", 0.06, 0, 0.05, -1, 0)+
		fmt.Sprintf("[[contact]]\ncontactor = \"one\"\nopposite = \"two\"\nrestitution = 0.5\nfriction = 0.3\nrolling_friction = %v\n", coefficient))
	before, after := 0.0, 0.0
	for i := range s.Rigids {
		r, m := &s.Rigids[i], bodies[s.Rigids[i].Name]
		before += r.Mass*(r.Centre.X*r.Velocity.Y-r.Centre.Y*r.Velocity.X) + r.Inertia*r.AngularVelocity
		after += r.Mass*(m.Centre.X*m.Velocity.Y-m.Centre.Y*m.Velocity.X) + r.Inertia*m.AngularVelocity
	}
	e := s.Energies()
	t.Logf("angular momentum from %.9g to %.9g kg m2/s; friction took %.3g J; residual %.1e J of %.3g J", before, after, e.FrictionDissipated, e.Residual, s.Ledger.Start.Kinetic)
	if math.Abs(after-before) > 1e-9*math.Abs(before) || !(e.FrictionDissipated > 0) || math.Abs(e.Residual) > 1e-4*s.Ledger.Start.Kinetic {
		t.Errorf("angular momentum from %g to %g kg m2/s, residual %g J", before, after, e.Residual)
	}
}
