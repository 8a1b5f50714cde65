package spall

import (
	"math"
	"testing"
)

func bar(distance float64, p func(float64) float64) Bar {
	return Bar{Young: 40e9, Density: 2500, Length: 0.5, Distance: distance, Strength: 5e6, Energy: 10, Softening: "linear", Pressure: p}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.9g, want %.9g", what, got, want)
	}
}

// Against a solution made without this program, which begins at a step of
// 2 ns and moves waves by whole ones. Ten times finer steps change nothing here
// in the digits shown.
func TestSine(t *testing.T) {
	far, err := bar(0.06, Sine(8e6, 40e-6)).Solve(210e-6, 6000)
	if err != nil {
		t.Fatal(err)
	}
	close, err := bar(0.03, Sine(8e6, 40e-6)).Solve(210e-6, 3000)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "begins", 1e6*far.Begins, 151.610, 2e-3)
	near(t, "breaks", 1e6*far.Breaks, 158.030, 2e-3)
	near(t, "dissipated", far.Dissipated, 10, 1e-12)
	near(t, "begins, nearer", 1e6*close.Begins, 149.732, 2e-3)
	near(t, "breaks, nearer", 1e6*close.Breaks, 155.862, 2e-3)
	for _, v := range []struct {
		sol                        *Solution
		us, traction, opening, end float64 // us, MPa, um, m/s
	}{
		{far, 150, 3.99874, 0, 1.365863},
		{far, 155, 3.88962, 0.88889, 0.8},
		{far, 160, 0, 7.12381, 0.234492},
		{far, 170, 0, 20.21757, 0.587290},
		{far, 200, 0, 43.34297, 0.587290},
		{close, 150, 4.99225, 0.00624, 1.365863},
		{close, 155, 1.42768, 2.85905, 0.8},
		{close, 160, 0, 9.43486, 0.780201},
		{close, 170, 0, 17.53628, 0.800251},
		{close, 200, 0, 46.99765, 0.800251},
	} {
		s := v.sol
		near(t, "traction", 1e-6*s.At(s.Traction, 1e-6*v.us), v.traction, 2e-3)
		near(t, "opening", 1e6*s.At(s.Opening, 1e-6*v.us), v.opening, 2e-3)
		near(t, "free end", s.At(s.Velocity, 1e-6*v.us), v.end, 6e-4)
	}
	peak := 0.0
	for _, v := range far.Velocity {
		peak = max(peak, v)
	}
	near(t, "peak of the free end", peak, 1.6, 1e-6) // 2 p/Z
}

// In closed form: a pulse that jumps opens the plane by delta_c (s/f - 1)
// (exp(t/tau) - 1), tau = rho c G/f^2, while what arrives stays s = p0 2 d/(c
// pulse).
func TestTriangle(t *testing.T) {
	for _, v := range []struct{ peak, strength, energy, distance float64 }{
		{8e6, 5e6, 10, 0.06}, {8e6, 4e6, 12, 0.06}, {12e6, 7e6, 10, 0.055},
	} {
		b := bar(v.distance, func(t float64) float64 { // falls from its peak to 0 in a straight line
			if t < 0 || t >= 40e-6 {
				return 0
			}
			return v.peak * (1 - t/40e-6)
		})
		b.Strength, b.Energy = v.strength, v.energy
		s, err := b.Solve(200e-6, 12000)
		if err != nil {
			t.Fatal(err)
		}
		begins := (0.5 + v.distance) / 4000
		stress := v.peak * 2 * v.distance / (4000 * 40e-6)
		tau := 1e7 * v.energy / (v.strength * v.strength)
		critical := 2 * v.energy / v.strength
		breaks := begins + tau*math.Log(1+1/(stress/v.strength-1))
		near(t, "begins", 1e6*s.Begins, 1e6*begins, 5e-3)
		near(t, "breaks", 1e6*s.Breaks, 1e6*breaks, 5e-3)
		for _, part := range []float64{0.25, 0.5, 0.9} {
			at := part * (breaks - begins)
			want := critical * (stress/v.strength - 1) * (math.Exp(at/tau) - 1)
			near(t, "opening", 1e6*s.At(s.Opening, begins+at), 1e6*want, 1e-2)
		}
	}
}

// Every curve dissipates G. Where the plane does not open, the velocity of the end is that of waves
// alone.
func TestCurves(t *testing.T) {
	for _, name := range []string{"linear", "bilinear", "exponential", "concrete"} {
		b := bar(0.06, Sine(8e6, 40e-6))
		b.Softening = name
		s, err := b.Solve(220e-6, 3000)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name, s.Dissipated, 10, 1e-12)
	}
	b := bar(0.06, Sine(2e6, 40e-6))
	s, err := b.Solve(200e-6, 3000)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(s.Begins) || !math.IsNaN(s.Breaks) || s.Dissipated != 0 {
		t.Errorf("below its strength the plane breaks: %g, %g, %g", s.Begins, s.Breaks, s.Dissipated)
	}
	near(t, "free end", s.At(s.Velocity, 145e-6), 0.4, 1e-6)
	b.Softening = "none"
	if _, err := b.Solve(1e-6, 10); err == nil {
		t.Error("a softening that there is not is taken")
	}
	b.Softening, b.Distance = "linear", 0.5
	if _, err := b.Solve(1e-6, 10); err == nil {
		t.Error("a plane at the pressed end is taken")
	}
}
