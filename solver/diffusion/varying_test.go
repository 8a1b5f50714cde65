package diffusion_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// byTemperature is granite whose conductivity and capacity fall in proportion, and whose expansion grows, from 20
// to 220 degC.
var byTemperature = strings.NewReplacer(`"3 W/(m K)"`, `[["20 degC", 3], ["220 degC", 1]]`, `"800 J/(kg K)"`, `[["20 degC", 1800], ["220 degC", 600]]`,
	`"1e-5 1/K"`, `[["20 degC", "1e-5 1/K"], ["220 degC", "3e-5 1/K"]]`).Replace(granite)

// transformed returns the temperature above 20 degC at which the integral of the conductivity of byTemperature is a
// part of that up to 220 degC: 3 theta - 0.005 theta^2 of 400.
func transformed(part float64) float64 {
	return 300 - math.Sqrt(90000-80000*part)
}

// A bar with a conductivity that depends on the temperature: steadily the integral of the conductivity is linear
// along it (Kirchhoff's transform; Carslaw and Jaeger, 1959, 1.6). With a capacity in proportion that
// integral diffuses as in a constant material: erfc in a half space whose surface is raised.
func TestKirchhoff(t *testing.T) {
	const ends = "[[temperature]]\non = \"left\"\nvalue = \"220 degC\"\n[[temperature]]\non = \"right\"\nvalue = \"20 degC\"\n"
	s := ran(t, bar(1, 0.1, 8, 2), inStatics("1 s", 1, "")+"steady = true\n"+byTemperature+ends)
	for i := range 9 {
		x := float64(i) / 8
		within(t, fmt.Sprintf("steady at %g m", x), above(s, x, 0.05), transformed(1-x), 1e-6)
	}
	within(t, "steady, flow", column(s, "left.heat"), 400*0.1, 1e-6)
	within(t, "steady, flux in a triangle", s.Kinds.Heat.Flux(5).X, 400, 1e-4)
	const kappa = 3 / (2600 * 1800.0)
	for _, c := range []struct {
		name, deck string
		cells      int
		tolerance  float64
	}{
		{"statics", inStatics("2 h", 10, ""), 50, 0.5},
		{"statics, half the edges", inStatics("2 h", 20, ""), 100, 0.12},
		{"motion", "[analysis]\nduration = 1e-3\n[heat]\ninitial = \"20 degC\"\ntime_factor = 7.2e6\n", 50, 0.5},
	} {
		g := grid{nx: c.cells, ny: 1, at: func(u, v float64) r2.Vec { return r2.Vec{X: 0.5 * u, Y: 0.01 * v} }}
		s := ran(t, g, c.deck+byTemperature+heldAll+"[[temperature]]\non = \"left\"\nvalue = \"220 degC\"\n")
		for _, x := range []float64{0.05, 0.1, 0.2} {
			within(t, fmt.Sprintf("%s, at %g m", c.name, x), above(s, x, 0), transformed(math.Erfc(x/(2*math.Sqrt(kappa*7200)))), c.tolerance)
		}
		// of the integral of the capacity, 2600 J/(kg K) times 240000 in all, by erfc
		taken := 0.01 * 2600 * 240000 * 2 * math.Sqrt(kappa*7200/math.Pi)
		within(t, c.name+", heat taken up", column(s, "heat_stored"), taken, 0.01*taken)
		closesTo(t, s, 1e-2)
	}
}

// A bar that is held has the stress of the integral of the expansion.
func TestExpansionByTemperature(t *testing.T) {
	const ends = "[[fix]]\non = \"left\"\ncomponents = [\"x\"]\n[[fix]]\non = \"right\"\ncomponents = [\"x\"]\n[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[temperature]]\non = \"rock\"\nvalue = \"21 degC\"\n"
	s := ran(t, bar(1, 1, 3, 3), inStatics("1 s", 1, "")+byTemperature+ends)
	got := s.Kinds.Triangles.Stress(7, s.X, s.Plane)
	within(t, "stress", got.XX, -30e9*(1e-5+0.5*1e-7), 10)
	s = ran(t, bar(1, 1, 3, 3), inStatics("1 s", 1, "")+strings.Replace(byTemperature, `["220 degC", "3e-5 1/K"]]`, `["220 degC", "3e-5 1/K"]]`+"\nstress_free = \"120 degC\"", 1)+strings.Replace(ends, "21 degC", "121 degC", 1))
	got = s.Kinds.Triangles.Stress(7, s.X, s.Plane)
	within(t, "stress above 120 degC", got.XX, -30e9*(2e-5+0.5*1e-7), 20)
}

// Wet ground freezes from its surface (Neumann's problem; Carslaw and Jaeger, 1959, 11.2): its latent heat is a peak of
// the capacity, half a kelvin wide, about -0.35 degC.
func TestFreezingGround(t *testing.T) {
	const latent, k, c, density, cold = 50e3, 2.0, 1000.0, 2000.0, 10.0 // [J/kg], [K] below freezing
	ground := fmt.Sprintf(`[[material]]
name = "rock"
young = "1 GPa"
poisson = 0.25
density = %g
conductivity = %g
heat_capacity = [["-0.6 degC", %g], ["-0.35 degC", %g], ["-0.1 degC", %g]]
[[body]]
name = "rock"
material = "rock"
`, density, k, c, c+latent/0.25, c)
	lambda := 0.0 // lambda exp(lambda^2) erf(lambda) = c cold/(latent sqrt pi), ground at the freezing point
	for lo, hi := 0.0, 2.0; hi-lo > 1e-12; {
		lambda = 0.5 * (lo + hi)
		if lambda*math.Exp(lambda*lambda)*math.Erf(lambda) < c*cold/(latent*math.Sqrt(math.Pi)) {
			lo = lambda
		} else {
			hi = lambda
		}
	}
	depth := 2 * lambda * math.Sqrt(k/(density*c)*86400*10)
	s := ran(t, bar(2, 0.04, 50, 1), strings.Replace(inStatics("240 h", 10, ""), "20 degC", "0 degC", 1)+ground+heldAll+"[[temperature]]\non = \"left\"\nvalue = \"-10.35 degC\"\n")
	const h = 2.0 / 50
	for i := range 50 {
		x, next := h*float64(i), h*float64(i+1)
		if a, b := above(s, x, 0), above(s, next, 0); a < -0.35 && b >= -0.35 {
			within(t, "depth of frost", x+h*(-0.35-a)/(b-a), depth, 0.03*depth)
		}
	}
	within(t, "in the frost", above(s, 0.2, 0)+0.35, -cold*(1-math.Erf(0.2/(2*math.Sqrt(k/(density*c)*864000)))/math.Erf(lambda)), 0.2)
	closesTo(t, s, 1e-2)
}
