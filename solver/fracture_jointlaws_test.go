package solver_test

import (
	"fmt"
	"math"
	"testing"

	"fdem/solver"
	"fdem/solver/quantity"
)

// boxed is a direct shear test of a joint between two halves that hardly deform: pressed within 5 ms and
// then sheared.
func boxed(law string, duration, pressure, speed float64) string {
	return fmt.Sprintf(`
[analysis]
duration = %g
damping = { local = 0.3 }
start = "sudden"
[output]
history_every = 100e-6
[[material]]
name = "hard"
young = 2e11
poisson = 0
density = 2500
[[body]]
name = "lower"
material = "hard"
[[body]]
name = "upper"
material = "hard"
[[joint]]
on = "plane"
%s
[[fix]]
on = "bottom"
name = "base"
[[drive]]
on = "top"
displacement = ["%g*(min(max(t-8e-3, 0), 5e-3)^2/10e-3 + max(t-13e-3, 0))", "free"]
[[load]]
on = "top"
pressure = %g
schedule = "min(t/5e-3, 1)^2 * (3 - 2*min(t/5e-3, 1))"
`, duration, law, speed, pressure)
}

const twoHalves = `
edge = 0.05
join = ["lower", "upper"]
[[rectangle]]
name = "lower"
from = [0, -0.05]
to = [1, 0]
bottom = "bottom"
top = "plane"
[[rectangle]]
name = "upper"
from = [0, 0]
to = [1, 0.05]
bottom = "plane"
top = "top"
`

// face returns the mean slip and opening of the joint of boxed [m], and its shear and normal traction by
// the reaction below [Pa].
func face(s *solver.Solver) (slip, opening, shear, normal float64) {
	z, n := s.Zone(), 0.0
	for i := range z.Cracks() {
		c := z.Crack(i)
		slip, opening, n = slip+math.Abs(c.Slip), opening+c.Opening, n+1
	}
	e := s.Energies()
	s.Row(&e, func(c quantity.Column, v float64) {
		if c.Owner != "base" {
			return
		}
		switch c.Quantity.Name {
		case "fx":
			shear = math.Abs(v)
		case "fy":
			normal = v
		}
	})
	return slip / n, opening / n, shear, normal // its area is 1 m2
}

// A joint in the shear box has Barton and Choubey's strength where its slip mobilises it, and rises by
// half of the roughness that is mobilised.
func TestBartonInTheShearBox(t *testing.T) {
	const peak, pressure = 0.000882938, 1e6
	s := built(t, boxed("law = \"barton-bandis\"\njrc = 9\njcs = 1e8\nresidual_friction_angle = 28\nblock_length = 0.1\nnormal_stiffness = 20e9\nclosure = 0.2e-3\nshear_stiffness = 20e9", 58e-3, pressure, 0.08), twoHalves)
	at, want := []float64{0.6, 1, 2, 4}, []float64{884725, 1035530, 942352, 857104}
	got, rise, first := make([]float64, len(at)), 0.0, math.NaN()
	through(t, s, func() {
		slip, opening, shear, _ := face(s)
		if s.Time > 6e-3 && math.IsNaN(first) {
			first = opening
		}
		for k, x := range at {
			if got[k] == 0 && slip >= x*peak {
				got[k] = shear
				rise = opening
			}
		}
	})
	for k, x := range at {
		t.Logf("%g of the slip at the peak: %.5g Pa, want %.5g (%+.2f %%)", x, got[k], want[k], 100*(got[k]/want[k]-1))
		if math.Abs(got[k]/want[k]-1) > 0.01 {
			t.Errorf("%g of the slip at the peak: %g Pa, want %g", x, got[k], want[k])
		}
	}
	e := s.Energies()
	t.Logf("rises by %.3g mm up to four times the slip at the peak; residual %.2g", 1e3*(rise-first), s.Relative(e))
	if !(rise-first > 0.2e-3 && rise-first < 0.6e-3) || s.Relative(e) > 1e-3 || !(e.FrictionDissipated > 0) {
		t.Errorf("rise %g m, residual %g", rise-first, s.Relative(e))
	}
}

// A joint closes under pressure as Bandis has it.
func TestBandisInTheLaboratory(t *testing.T) {
	for pressure, want := range map[float64]float64{1e6: 4e-05, 5e6: 0.000111111} {
		s := built(t, boxed("friction = 0.6\nnormal_stiffness = 20e9\nclosure = 0.2e-3", 30e-3, pressure, 1e-9), twoHalves)
		through(t, s, nil)
		_, opening, _, _ := face(s)
		t.Logf("%g Pa: closes by %.6g mm, want %.6g", pressure, -1e3*opening, 1e3*want)
		if math.Abs(-opening/want-1) > 2e-3 {
			t.Errorf("closes by %g m, want %g", -opening, want)
		}
	}
}

// Friction by speed and state in the shear box, sheared at a steady speed: mu_0 + (a - b) ln(V/V_0).
func TestRateAndStateInTheShearBox(t *testing.T) {
	s := built(t, boxed("law = \"rate-and-state\"\nrate = { a = 0.015, b = 0.01, slip = 20e-6, friction = 0.6, speed = 1e-6 }\nstart_speed = 1e-6\nnormal_stiffness = 100e9\nshear_stiffness = 100e9", 30e-3, 1e6, 0.08), twoHalves)
	through(t, s, nil)
	_, _, shear, normal := face(s)
	friction := shear / normal
	want := 0.6 + 0.005*math.Log(0.08/1e-6)
	t.Logf("friction %.5g, want %.5g", friction, want)
	if math.Abs(friction-want) > 2e-3 {
		t.Errorf("steady friction %g, want %g", friction, want)
	}
}
