package solver_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"strings"
	"testing"
)

const strip = `
edge = "20 mm"
join = ["left", "right"]
[[rectangle]]
name = "left"
from = [0, 0]
to = ["6 m", "40 mm"]
left = "end"
right = "seam"
top = "sides"
bottom = "sides"
[[rectangle]]
name = "right"
from = ["6 m", 0]
to = ["16 m", "40 mm"]
right = "head"
top = "sides"
bottom = "sides"
`

// transmitted returns the part of a plane wave's amplitude that a joint lets through, at
// frequencies [Hz]: of the velocity behind it over that without it.
func transmitted(t *testing.T, shear bool, speed float64, joint string, frequencies []float64) (out []float64) {
	t.Helper()
	text := `
[analysis]
duration = %TIME
plane = "strain"
thickness = 1
[output]
history_every = "4 us"
[[material]]
name = "stone"
young = "20 GPa"
poisson = 0.25
density = 2500
[[body]]
name = "left"
material = "stone"
[[body]]
name = "right"
material = "stone"
[[initial_stress]]
stress = ["-20 MPa", 0, 0]
[[fix]]
on = "sides"
components = ["%ACROSS"]
[[fix]]
on = "head"
[[load]]
on = "end"
%LOAD
schedule = "0.5*(1 - cos(2*pi*min(t, 0.4e-3)/0.4e-3))"
[[probe]]
name = "behind"
node_near = ["6.2 m", "20 mm"]
quantity = "velocity"
`
	component, across, load := 0, "y", "pressure = \"1 MPa\"\n"
	if shear {
		component, across, load = 1, "x", "force = [0, \"10 kN\"]\n"
	}
	if shear { // held along x
		text += "[[fix]]\non = \"end\"\ncomponents = [\"x\"]\n"
	} else {
		text += "[[load]]\non = \"end\"\npressure = \"20 MPa\"\n"
	}
	text = strings.NewReplacer("%ACROSS", across, "%LOAD", load, "%TIME", fmt.Sprint(15/speed)).Replace(text)
	spectrum := func(joint string) []complex128 {
		s := built(t, text+joint, strip)
		sum := make([]complex128, len(frequencies))
		last := 0.0
		through(t, s, func() {
			v := s.ProbeValues(&s.Probes[0], 2)[component]
			for i, f := range frequencies {
				sum[i] += complex(v*(s.Time-last), 0) * cmplx.Exp(complex(0, -2*math.Pi*f*s.Time))
			}
			last = s.Time
		})
		if r := s.Relative(s.Energies()); r > 1e-4 {
			t.Errorf("%s: the ledger is off by %g", joint, r)
		}
		return sum
	}
	with, without := spectrum(joint), spectrum("")
	for i := range with {
		out = append(out, cmplx.Abs(with[i])/cmplx.Abs(without[i]))
	}
	return out
}

// A joint of stiffness kappa lets through of a plane wave |T| = 1/sqrt(1 + (omega rho c/(2
// kappa))^2), of pressure by its normal stiffness, of shear by that in shear (M. Schoenberg,
// J. Acoust. Soc. Am. 68 (1980) 1516).
func TestWavesThroughJoint(t *testing.T) {
	t.Parallel()
	const young, poisson, density = 20e9, 0.25, 2500.0
	frequencies := []float64{500, 1000, 2000, 3000}
	for _, shear := range []bool{false, true} {
		c := math.Sqrt(young * (1 - poisson) / (density * (1 + poisson) * (1 - 2*poisson)))
		if shear {
			c = math.Sqrt(young / (2 * (1 + poisson) * density))
		}
		for _, kappa := range []float64{2e10, 5e10, 2e11} {
			joint := fmt.Sprintf("[[joint]]\non = \"seam\"\nfriction = 0.9\nnormal_stiffness = %g\nshear_stiffness = %g\n", kappa, 3*kappa)
			if shear {
				joint = fmt.Sprintf("[[joint]]\non = \"seam\"\nfriction = 0.9\nnormal_stiffness = %g\nshear_stiffness = %g\n", 3*kappa, kappa)
			}
			for i, got := range transmitted(t, shear, c, joint, frequencies) {
				x := 2 * math.Pi * frequencies[i] * density * c / (2 * kappa)
				want := 1 / math.Sqrt(1+x*x)
				t.Logf("shear %v, %g Pa/m, %g Hz: %.4f, want %.4f", shear, kappa, frequencies[i], got, want)
				if math.Abs(got-want) > 0.003 {
					t.Errorf("shear %v, %g Pa/m, %g Hz: %g of the amplitude is let through, want %g", shear, kappa, frequencies[i], got, want)
				}
			}
		}
	}
}
