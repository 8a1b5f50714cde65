package cohesive

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
)

// One table over all curves: start, end, area, slope, loss.
func TestCurves(t *testing.T) {
	names := Curves()
	if len(names) == 0 {
		t.Error("there are no curves")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			c, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			if c.Title == "" || c.Source == "" || c.Formula == "" {
				t.Error("title, source or formula is missing")
			}
			end := c.End()
			one := func(x float64) (s, slope, lost float64) {
				var out [3][1]float64
				c.Eval([]float64{x}, out[0][:], out[1][:], out[2][:])
				return out[0][0], out[1][0], out[2][0]
			}
			s, _, lost := one(0)
			near(t, "start", s, 1, 1e-15)
			near(t, "loss at start", lost, 0, 0)
			for _, x := range []float64{end, math.Nextafter(end, 9), 2 * end, 1e300} {
				s, slope, lost := one(x)
				if s != 0 || slope != 0 || lost != 1 {
					t.Errorf("past the end, at %g: %g, %g, %g", x, s, slope, lost)
				}
			}
			s, _, lost = one(math.Nextafter(end, 0))
			near(t, "end", s, 0, 1e-14)
			near(t, "loss at end", lost, 1, 1e-14)

			// In intervals between the kinks, so that quadrature is exact to round-off.
			area, steep := 0.0, 0.0
			last := [3]float64{1, 0, 0}
			const intervals = 360 // the kink of bilinear is piece 80
			for i := range intervals {
				a, b := end*float64(i)/intervals, end*float64(i+1)/intervals
				area += quad.Fixed(func(x float64) float64 { s, _, _ := one(x); return s }, a, b, 12, nil, 0)
				s, slope, lost := one(b)
				near(t, "area", lost+b*s, area, 2e-14)
				if s > last[0] || lost < last[2] || slope > 0 {
					t.Errorf("at %g: traction %g after %g, slope %g, loss %g after %g", b, s, last[0], slope, lost, last[2])
				}
				mid, h := 0.5*(a+b), 1e-5
				up, _, _ := one(mid + h)
				down, _, _ := one(mid - h)
				_, slope, _ = one(mid)
				near(t, "slope", slope, (up-down)/(2*h), 1e-9)
				steep = max(steep, -slope)
				last = [3]float64{s, slope, lost}
			}
			near(t, "area", area, 1, 1e-14)
			if steep > 1 {
				t.Errorf("the curve falls with a slope of %g", steep)
			}
		})
	}
	if _, err := Lookup("linaer"); err == nil || err.Error() != `there is no softening "linaer": it is one of `+strings.Join(Curves(), ", ") {
		t.Errorf("got %v", err)
	}
}

// Benchmark A5: the curve of concrete, its area as codes use it.
func TestConcrete(t *testing.T) {
	area := quad.Fixed(func(d float64) float64 {
		const a, b, c = 0.63, 1.8, 6
		return (1 - (a+b-1)/(a+b)*math.Exp(d*(a+c*b)/((a+b)*(1-a-b)))) * (a*(1-d) + b*math.Pow(1-d, c))
	}, 0, 1, 40, nil, 0)
	near(t, "area as printed", area, 0.386307295, 5e-10)
	near(t, "excess of codes that take it for 1/3", 3*area-1, 0.158922, 5e-7)
	near(t, "end", concrete{}.End(), 1/area, 1e-13)
}

// The slices of a curve may alias, the slope may be left out, nothing is
// allocated.
func TestCurvesOnSlices(t *testing.T) {
	for _, name := range Curves() {
		c, _ := Lookup(name)
		x := []float64{0, 0.1, 0.5, 0.8, 1, 2, 3, 4, 7}
		s, lost, again := make([]float64, len(x)), make([]float64, len(x)), append([]float64(nil), x...)
		c.Eval(x, s, nil, lost)
		c.Eval(again, again, nil, lost)
		for i := range x {
			if s[i] != again[i] {
				t.Errorf("%s at %g: %g, in place %g", name, x[i], s[i], again[i])
			}
		}
		if n := testing.AllocsPerRun(10, func() { c.Eval(x, s, nil, lost) }); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}
