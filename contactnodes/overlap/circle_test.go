package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// The overlaps of a disc, and of the solid around a hollow, with any polygon
// equal those of a circle of many sides, in the sums over patches. The areas of
// both add up to the polygon's.
func TestCircleAndPolygon(t *testing.T) {
	var c Clipper
	several, worst := 0, 0.0
	for seed := range uint64(400) {
		rng := numbers{rand.New(rand.NewPCG(seed, 1))}
		polygon := polygon(rng, seed%2 == 0)
		at, r := rng.vec(1), rng.within(0.2, 1.5)
		if seed%4 == 0 { // corners on the circle, centres on edges
			at = polygon[0]
			r = distance(at, polygon[1])
		}
		sum := func(ps []Patch) (a, x, y float64) {
			for _, p := range ps {
				a, x, y = a+p.Area, x+p.Area*p.Centroid.X, y+p.Area*p.Centroid.Y
			}
			return a, x, y
		}
		in := c.Circle(nil, Circle{at, r, false}, polygon)
		a, x, y := sum(in)
		b, bx, by := sum(c.Circle(nil, Circle{at, r, true}, polygon))
		m := loop(polygon)
		all := m.patch(polygon[0], r2.Vec{})
		for _, off := range []float64{a + b - all.Area, x + bx - all.Area*all.Centroid.X, y + by - all.Area*all.Centroid.Y} {
			if math.Abs(off) > 1e-12 {
				t.Errorf("seed %d: disc and hollow leave %g of the polygon", seed, off)
			}
		}
		many := c.Polygons(nil, round(at, r, 1000), polygon)
		wa, wx, wy := sum(many)
		for _, off := range []float64{a - wa, x - wx, y - wy} {
			worst = max(worst, math.Abs(off))
			if math.Abs(off) > 1e-5 {
				t.Errorf("seed %d: area or first moment is off by %g", seed, off)
			}
		}
		if len(in) > 1 {
			several++
		}
		if len(in) == 1 && len(many) == 1 && in[0].Length > 1e-2 && in[0].Area > 1e-2 {
			p, q := in[0], many[0]
			if math.Abs(p.Length-q.Length) > 1e-3 || math.Abs(p.J-q.J) > 1e-3*(p.J+1e-3) || math.Abs(p.Energy-q.Energy) > 1e-2*(p.Energy+1e-3) || elementary.Dot(p.Along, q.Along) < 0.999 {
				t.Errorf("seed %d: %+v, circle of many sides %+v", seed, p, q)
			}
		}
	}
	if several < 3 {
		t.Errorf("only %d circles overlapped more than once", several)
	}
	t.Logf("off by %.2g", worst)
}

// The energy is half the integral of the squared thickness: in closed form in
// the limit of a parabola, and against differences as the bodies approach
// across the line.
func TestEnergy(t *testing.T) {
	const r = 0.1
	var c Clipper
	floor := []r2.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1}, {X: -1}}
	for _, tt := range []struct {
		name string
		at   func(depth float64) Patch
		tol  float64
	}{
		{"disc", func(d float64) Patch { return DiscDisc(r2.Vec{Y: r - d}, r, r2.Vec{Y: -0.3}, 0.3) }, 1e-7},
		{"hollow", func(d float64) Patch { return DiscHollow(r2.Vec{Y: -0.2 - d}, r, r2.Vec{}, 0.3) }, 1e-7},
		{"polygon", func(d float64) Patch { return c.Circle(nil, Circle{r2.Vec{X: 0.3, Y: r - d}, r, false}, floor)[0] }, 1e-4},
		{"wedge", func(d float64) Patch {
			return c.Polygons(nil, []r2.Vec{{Y: -d}, {X: 0.2, Y: 0.1 - d}, {X: -0.1, Y: 0.1 - d}}, floor)[0]
		}, 1e-7},
	} {
		for _, depth := range []float64{1e-5, 1e-3, 1e-2, 5e-2} {
			h := 1e-3 * depth
			up, down, p := tt.at(depth+h), tt.at(depth-h), tt.at(depth)
			if got := (up.Energy - down.Energy) / (2 * h); math.Abs(got/p.Area-1) > tt.tol+2e-6+1e-3*math.Pow(depth/r, 4) {
				t.Errorf("%s, depth %g: energy grows by %g, the area is %g", tt.name, depth, got, p.Area)
			}
			if got := (up.Area - down.Area) / (2 * h); math.Abs(got/p.Length-1) > 1e-5 {
				t.Errorf("%s, depth %g: area grows by %g, the line is %g", tt.name, depth, got, p.Length)
			}
		}
	}
}
