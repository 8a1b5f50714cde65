package restitution

import (
	"math"
	"testing"

	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// The four coefficients of a central impact without friction agree: two steel
// spheres under Thornton's law, integrated by leapfrog, the phases by the
// trapezium rule. Compression ends where the speed is zero between two steps.
func TestCoefficientsAgree(t *testing.T) {
	const modulus, radius, mass, other = 207e9 / (2 * (1 - 0.3*0.3)), 5e-3, 0.02, 0.088
	const effective = mass * other / (mass + other)
	m, _ := contact.Lookup("thornton")
	law, err := m.Build(map[string]float64{"radius": radius, "modulus": modulus, "yield": 500e6})
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []float64{0.005, 0.02, 0.2, 2} {
		var d, rate, p, dp, k, w [1]float64
		memory := make([]float64, len(law.Memory()))
		dt := math.Pow(effective/(modulus*math.Sqrt(radius)), 0.4) * math.Pow(start, -0.2) / 2000
		var phases [2]Phase
		v := start
		for v > 0 || d[0] > 0 && p[0] > 0 {
			before, force := v, p[0]
			v -= 0.5 * force / effective * dt
			d[0] += v * dt
			rate[0] = v
			law.Eval(contact.Input{D: d[:], Rate: rate[:], Mem: memory}, contact.Output{P: p[:], DP: dp[:], K: k[:], W: w[:], Mem: memory})
			v -= 0.5 * p[0] / effective * dt
			x := 1.0 // part of the step in compression
			switch {
			case before <= 0:
				x = 0
			case v <= 0:
				x = before / (before - v)
			}
			middle := force + x*(p[0]-force)
			phases[0].Impulse += 0.5 * x * dt * (force + middle)
			phases[1].Impulse += 0.5 * (1 - x) * dt * (middle + p[0])
			if x > 0 && x < 1 { // the speed is zero in the middle
				phases[0].Work += 0.5 * x * dt * force * before
				phases[1].Work += 0.5 * (1 - x) * dt * p[0] * v
			} else {
				phases[int(1-x)].Work += 0.5 * dt * (force*before + p[0]*v)
			}
		}
		line := r2.Vec{X: 0.6, Y: -0.8}
		approach, separation := r2.Scale(start, line), r2.Scale(-v, line)
		got, ok := Of(Newton(r2.Scale(phases[0].Impulse+phases[1].Impulse, line), approach, separation),
			RelativeEnergy(mass, other, approach), phases[0], phases[1])
		if !ok {
			t.Errorf("no coefficients at %g m/s", start)
		}
		want := -v / start
		for what, e := range map[string]float64{"Newton's": got.Newton, "Poisson's": got.Poisson, "Stronge's": got.Stronge, "the energy's": got.Energy} {
			if !(math.Abs(e-want) <= 1e-6*want) {
				t.Errorf("at %g m/s: %s is %.12g, the speeds say %.12g", start, what, e, want)
			}
		}
	}
}

func TestNoImpact(t *testing.T) {
	for what, phases := range map[string][2]Phase{"nothing": {}, "no work": {{Impulse: 1}, {}}, "no impulse": {{Work: 1}, {}}} {
		if got, ok := Of(1, 1, phases[0], phases[1]); ok {
			t.Errorf("%s: %+v", what, got)
		}
	}
	if got, ok := Of(1, 0, Phase{1, 1}, Phase{}); ok {
		t.Errorf("no energy: %+v", got)
	}
	if got := RelativeEnergy(0, 2, r2.Vec{X: 3}); got != 9 {
		t.Errorf("2 kg against a wall at 3 m/s: %g J", got)
	}
}
