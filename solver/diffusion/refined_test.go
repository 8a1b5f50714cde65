package diffusion_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// refined is a reference that is run with some cells and increments, then with twice as many of both.
type refined struct {
	name              string
	cells, increments int
	allowed           float64                                           // error with these cells and increments, over the scale
	falls             float64                                           // ratio of the second error to the first at most
	run               func(t *testing.T, cells, increments int) float64 // greatest error over the scale
}

// References with a discretisation error: with half the edge and half the step it falls. Uniform and linear fields, which are exact, are tested elsewhere.
func TestHalfEdgeHalfStep(t *testing.T) {
	for _, r := range references {
		t.Run(r.name, func(t *testing.T) {
			coarse := r.run(t, r.cells, r.increments)
			fine := r.run(t, 2*r.cells, 2*r.increments)
			t.Logf("error %.3g %%, with half the edge and half the step %.3g %%", 100*coarse, 100*fine)
			if !(coarse <= r.allowed) || !(fine <= r.falls*coarse) {
				t.Errorf("error %.3g %%, with half the edge and half the step %.3g %%: allowed %.3g %%, and %.2g of it", 100*coarse, 100*fine, 100*r.allowed, r.falls)
			}
		})
	}
}

// worst is the greatest difference of pairs over a scale.
func worst(scale float64, pairs ...float64) (most float64) {
	for i := 0; i < len(pairs); i += 2 {
		most = max(most, math.Abs(pairs[i]-pairs[i+1])/scale)
	}
	return most
}

var references = []refined{
	{"slab cooled on one side", 10, 10, 0.005, 0.6, func(t *testing.T, cells, increments int) float64 {
		s := ran(t, bar(0.1, 0.01, cells, 2), inStatics("1 h", increments, "")+granite+heldAll+"[[convection]]\non = \"right\"\ncoefficient = 80\nambient = \"-80 degC\"\n")
		return worst(100, above(s, 0, 0)+100, 59.7036, above(s, 0.05, 0)+100, 49.9541, above(s, 0.1, 0)+100, 23.8434)
	}},
	{"half space, surface raised", 100, 10, 0.005, 0.6, func(t *testing.T, cells, increments int) float64 {
		s := ran(t, bar(1, 0.01, cells, 1), inStatics("1 h", increments, "")+granite+heldAll+"[[temperature]]\non = \"left\"\nvalue = \"120 degC\"\n")
		return worst(100, above(s, 0.02, 0), 84.4406, above(s, 0.05, 0), 62.3672, above(s, 0.1, 0), 32.6441)
	}},
	{"half space, constant flux", 100, 10, 0.005, 0.6, func(t *testing.T, cells, increments int) float64 {
		s := ran(t, bar(1, 0.01, cells, 1), inStatics("1 h", increments, "")+granite+heldAll+"[[heat_flux]]\non = \"left\"\nflux = \"2 kW/m2\"\n")
		return worst(54.2056, above(s, 0.02, 0), 41.9129, above(s, 0.05, 0), 27.2692, above(s, 0.1, 0), 11.7291, above(s, 0, 0), 54.2056)
	}},
	{"two blocks with a resistance", 10, 10, 0.005, 0.8, func(t *testing.T, cells, increments int) float64 {
		s := ran(t, blocks{[]float64{0.1, 0.1}, []int{cells, cells}, 0.01, 1}, strings.Replace(inStatics("1800 s", increments, ""), "20 degC", "0 degC", 1)+twoRocks(3, 3)+strings.Replace(pressedTogether, "10 %", "0.01 %", 1)+
			"[[contact]]\ncontactor = \"a\"\nopposite = \"b\"\nthermal_resistance = 0.05\n[[temperature]]\non = \"a\"\ninitial = \"100 degC\"\n")
		return worst(100, above(s, 0, 0), 94.8225, above(s, 0.05, 0), 90.2567)
	}},
	// What is left of the fin is the error of its formula, of a borehole with a raised pressure that of an outer edge at 64 radii.
	{"fin", 25, 1, 0.005, 0.8, func(t *testing.T, cells, _ int) float64 {
		plate := strings.NewReplacer(`"3 W/(m K)"`, `"50 W/(m K)"`).Replace(granite)
		s := ran(t, bar(0.1, 0.004, cells, 2), inStatics("1 s", 1, "")+"steady = true\n"+plate+heldAll+"[[temperature]]\non = \"left\"\nvalue = \"120 degC\"\n[[convection]]\non = \"top\"\ncoefficient = 40\n[[convection]]\non = \"bottom\"\ncoefficient = 40\n")
		return worst(100, above(s, 0.04, 0.002), 100*math.Cosh(1.2)/math.Cosh(2), above(s, 0.1, 0.002), 26.5802)
	}},
	{"thick cylinder", 20, 1, 0.03, 0.6, func(t *testing.T, cells, _ int) float64 {
		g := grid{nx: cells, ny: cells * 3 / 5, at: func(u, v float64) r2.Vec {
			r, sin, cos := math.Pow(3, u), math.Sin(v*math.Pi/2), math.Cos(v*math.Pi/2)
			return r2.Vec{X: r * cos, Y: r * sin}
		}}
		s := ran(t, g, inStatics("1 s", 1, "plane = \"strain\"\n")+"steady = true\n"+granite+"[[temperature]]\non = \"left\"\nvalue = \"120 degC\"\n[[temperature]]\non = \"right\"\nvalue = \"20 degC\"\n[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[fix]]\non = \"top\"\ncomponents = [\"x\"]\n")
		a, _ := displacementAt(s, 1, 0)
		b, _ := displacementAt(s, 3, 0)
		h, _ := wallStress(s, 1, math.Pow(3, 1/float64(cells)))
		return worst(1, h/26795200, -1, a/0.00041265, 1, b/0.00123795, 1)
	}},
	{"bimaterial strip", 5, 1, 0.04, 0.3, func(t *testing.T, cells, _ int) float64 {
		// half of it, from its middle: strips of two triangles a cell
		return worst(0.00613699, deflection(ran(t, strip(2*cells, 40*cells), bimaterial)), 0.00613699)
	}},
	{"heated borehole", 24, 8, 0.02, 0.6, func(t *testing.T, cells, increments int) float64 {
		s := ran(t, ring(cells, cells/3, 64), inStatics("24 h", increments, "plane = \"strain\"\n")+granite+
			"[[temperature]]\non = \"left\"\nvalue = \"120 degC\"\n[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[fix]]\non = \"top\"\ncomponents = [\"x\"]\n")
		return worst(100, above(s, 0.2, 0), 64.8342, above(s, 0.4, 0), 31.2574, above(s, 0.8, 0), 6.51571) // nodes
	}},
	{"conductivity by temperature", 25, 10, 0.005, 0.6, func(t *testing.T, cells, increments int) float64 {
		s := ran(t, bar(0.5, 0.01, cells, 1), inStatics("2 h", increments, "")+byTemperature+heldAll+"[[temperature]]\non = \"left\"\nvalue = \"220 degC\"\n")
		out := 0.0
		for _, x := range []float64{0.06, 0.1, 0.2} {
			out = max(out, worst(200, above(s, x, 0), transformed(math.Erfc(x/(2*math.Sqrt(3/(2600*1800.0)*7200))))))
		}
		return out
	}},
	{"Terzaghi", 20, 40, 0.01, 0.6, func(t *testing.T, cells, increments int) float64 {
		times, out := []float64{14.8573, 37.1434, 74.2867}, 0.0
		text := consolidating("80 s", fmt.Sprintf("increments = %d\n", increments)) + soil + rollers + "[[pore_pressure]]\non = \"top\"\nvalue = 0\n[[load]]\non = \"top\"\npressure = \"1 kPa\"\nschedule = [[0, 1], [100, 1]]\n[[fix]]\non = \"right\"\ncomponents = [\"x\"]\n"
		followed(t, bar(0.05, 1, 2, cells), text, times, func(i int, s *solver.Solver) {
			_, y := displacementAt(s, 0, 1)
			out = max(out, worst(1e5, 100*pressureAt(s, 0, 0), []float64{77230.1, 37077.2, 10797.6}[i]), worst(0.0037447, -100*y, []float64{0.0037447, 0.00567508, 0.00691794}[i]))
		})
		return out
	}},
	{"Mandel", 10, 20, 0.02, 0.6, func(t *testing.T, cells, increments int) float64 {
		times, out := []float64{0.0742944, 0.148589, 0.371472, 0.742944}, 0.0
		followed(t, under{bar(1, 0.5, cells, cells/2), plate}, strings.Replace(mandel, "[pores]", fmt.Sprintf("increments = %d\n[pores]", increments), 1), times, func(i int, s *solver.Solver) {
			x, _ := displacementAt(s, 1, 0.3)
			out = max(out, worst(240029, pressureAt(s, 0, 0), []float64{240270.0, 201432.0, 105595.0, 35599.4}[i]), worst(2.5e-5, x, []float64{2.31262e-05, 2.18055e-05, 1.93382e-05, 1.75673e-05}[i]))
		})
		return out
	}},
	{"pressed cylinder", 8, 20, 0.03, 0.6, func(t *testing.T, cells, increments int) float64 {
		m, out := ofSandstone(), 0.0
		times := []float64{0.05 / m.diffusivity, 0.1 / m.diffusivity, 0.2 / m.diffusivity}
		followed(t, disc(cells), strings.Replace(pressed, "[pores]", fmt.Sprintf("increments = %d\n[pores]", increments), 1), times, func(i int, s *solver.Solver) {
			out = max(out, worst(2*m.undrained*1e5, pressureAt(s, 0, 0), 1e5*m.pressedCylinder(1, times[i])))
		})
		return out
	}},
	{"borehole, raised pressure", 24, 40, 0.03, 0.8, func(t *testing.T, cells, increments int) float64 {
		m := ofSandstone()
		text := consolidating("0.0742944 s", fmt.Sprintf("increments = %d\n", increments)) + sandstone + "[[pore_pressure]]\non = \"left\"\nvalue = 10e6\n[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[fix]]\non = \"top\"\ncomponents = [\"x\"]\n"
		s := followed(t, ring(cells, cells/3, 64), text, nil, nil)
		return worst(1e7, pressureAt(s, 0.2, 0), 1e7*m.raisedWall(0.1, 0.2, 0.0742944), pressureAt(s, 0.4, 0), 1e7*m.raisedWall(0.1, 0.4, 0.0742944)) // nodes
	}},
	{"fluid into a plane", 30, 40, 0.02, 0.6, func(t *testing.T, cells, increments int) float64 {
		g := grid{nx: cells, ny: 1, at: func(u, v float64) r2.Vec { return r2.Vec{X: 30 * u * (0.4 + 0.6*u), Y: 0.5 * v} }}
		text := consolidating("10 s", fmt.Sprintf("increments = %d\n", increments)) + sandstone + strings.Replace(rollers, "\"left\"", "\"right\"", 1) + "[[fix]]\non = \"top\"\ncomponents = [\"y\"]\n[[pore_pressure]]\non = \"left\"\nvalue = 5e6\n"
		s := followed(t, g, text, nil, nil)
		return worst(0.00292184, column(s, "pore_mass_in")/0.5/1000, 0.00292184)
	}},
	{"leak-off in motion", 20, 0, 0.02, 0.7, func(t *testing.T, cells, _ int) float64 {
		s := ran(t, bar(0.4, 0.4/float64(cells), cells, 1), "[analysis]\nduration = 3e-3\nplane = \"strain\"\n[pores]\n"+leaking)
		want := 2 * 5e6 * leakingStorage * math.Sqrt(1.9e-13/1e-3/leakingStorage*3e-3/math.Pi) * 0.4 / float64(cells)
		return worst(want, column(s, "water.leaked"), want)
	}},
	{"breakdown without flow into the rock", 15, 2, 0.15, 0.3, func(t *testing.T, cells, increments int) float64 {
		return worst(5e6, atBreakdown(t, cells, cells*4/5, increments, impervious), 5e6)
	}},
	{"breakdown with flow into the rock", 15, 2, 0.15, 0.3, func(t *testing.T, cells, increments int) float64 {
		return worst(5e6, atBreakdown(t, cells, cells*4/5, increments, pervious), 5e6)
	}},
}
