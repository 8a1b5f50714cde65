package particles_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fdem/io/deck"
	"fdem/solver"
	"fdem/solver/system"
)

// run runs a deck to its end.
func run(t *testing.T, text string) *solver.Solver {
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
	return s
}

// grain returns the motion of the sphere.
func grain(s *solver.Solver) system.BodyMotion {
	all := s.Motions()
	return all[slices.IndexFunc(all, func(m system.BodyMotion) bool { return m.Name == "p" })]
}

// A sphere that rolls on a floor stops on the way of theory: resistance mu_r R N slows it by mu_r g/(1 +
// 2/5). On a slope of tan a < mu_r it rests.
func TestRollingResistance(t *testing.T) {
	const g, radius, friction = 9.81, 0.01, 0.1
	scene := func(end, slope, speed, rolling float64) *solver.Solver {
		sin, cos := math.Sincos(slope)
		return run(t, fmt.Sprintf(`[analysis]
duration = %v
gravity = [%v, %v]
[output]
checkpoint_every = 0
[[law]]
name = "l"
model = "linear-dashpot"
stiffness = "200 kN/m"
restitution = 0.2
[[interaction]]
law = "l"
friction = 0.8
rolling_friction = %v
[[particle]]
name = "p"
position = [0, %v]
radius = %v
density = 2500
velocity = [%v, 0]
angular_velocity = %v
[[rigid]]
name = "floor"
shape = "line"
from = [-1, 0]
to = [9, 0]
`, end, g*sin, -g*cos, rolling, radius, radius, speed, -speed/radius))
	}
	const speed = 0.4
	stop := 1.4 * speed / (friction * g)
	s := scene(1.05*stop, 0, speed, friction)
	way, want := grain(s).Centre.X, 0.5*speed*stop
	t.Logf("way %.5f m, theory %.5f m", way, want)
	if math.Abs(way-want) > 0.01*want || math.Abs(grain(s).AngularVelocity*radius) > 0.01*speed {
		t.Errorf("it stops after %g m, want %g", way, want)
	}
	e := s.Energies()
	heat := 0.5 * 1.4 * grain(s).Mass * speed * speed
	if math.Abs(e.FrictionDissipated-heat) > 0.01*heat || math.Abs(e.Residual) > 1e-3*heat {
		t.Errorf("friction takes %g J of %g, residual %g", e.FrictionDissipated, heat, e.Residual)
	}
	for _, k := range []float64{0.45, 2} {
		slope := math.Atan(k * friction)
		s := scene(0.2, slope, 0, friction)
		way := grain(s).Centre.X
		want := 0.0
		if k > 1 {
			want = 0.5 * g * (math.Sin(slope) - friction*math.Cos(slope)) / 1.4 * 0.04
		}
		t.Logf("at %g of the limit: %.3g m, theory %.3g m", k, way, want)
		if math.Abs(way-want) > 0.02*want+3e-6 { // the spring of rolling lets it gain some speed first
			t.Errorf("at %g of the limit it rolls by %g m, want %g", k, way, want)
		}
	}
}
