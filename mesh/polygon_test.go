package mesh

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// A box and a letter L, by what is known of rectangles.
func TestPolygonInertia(t *testing.T) {
	box := Polygon{{X: 1, Y: 1}, {X: 4, Y: 1}, {X: 4, Y: 3}, {X: 1, Y: 3}}
	ell := Polygon{{X: 0, Y: 0}, {X: 4, Y: 0}, {X: 4, Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 3}, {X: 0, Y: 3}}
	// of its two rectangles, 4 by 1 and 1 by 2, about their common centre
	cx, cy := (4*2+2*0.5)/6, (4*0.5+2*2.)/6
	second := 4*(16+1)/12. + 4*((2-cx)*(2-cx)+(0.5-cy)*(0.5-cy)) + 2*(1+4)/12. + 2*((0.5-cx)*(0.5-cx)+(2-cy)*(2-cy))
	for _, c := range []struct {
		p                             Polygon
		area, x, y, second, thickness float64
	}{{box, 6, 2.5, 2, 6 * (9 + 4) / 12., 2}, {ell, 6, cx, cy, second, 1}} {
		centre, gyration := c.p.Inertia()
		for _, v := range [][2]float64{{c.p.Area(), c.area}, {centre.X, c.x}, {centre.Y, c.y}, {gyration * gyration * c.area, c.second}, {c.p.Thickness(), c.thickness}} {
			if math.Abs(v[0]-v[1]) > 1e-12*math.Abs(v[1]) {
				t.Errorf("%v: got %g, want %g", c.p, v[0], v[1])
			}
		}
		if _, _, meet := c.p.SelfIntersection(); meet {
			t.Errorf("%v: sides meet", c.p)
		}
	}
	if ell.Holds(r2.Vec{X: 2, Y: 2}) || !ell.Holds(r2.Vec{X: 0.5, Y: 2}) {
		t.Error("the L holds what is in its angle, or not what is in its limb")
	}
}

// Outlines that are not simple polygons.
func TestPolygonMeeting(t *testing.T) {
	for name, p := range map[string]Polygon{
		"a bow":                  {{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 1, Y: 0}, {X: 0, Y: 1}},
		"a corner on a side":     {{X: 0, Y: 0}, {X: 2, Y: 0}, {X: 2, Y: 2}, {X: 1, Y: 0}, {X: 0, Y: 2}},
		"a side that turns back": {{X: 0, Y: 0}, {X: 2, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}},
		"a corner twice":         {{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 0}, {X: 0, Y: 1}},
	} {
		if _, _, meet := p.SelfIntersection(); !meet {
			t.Errorf("%s counts as simple", name)
		}
	}
}

// Moving, rotating and reversing a polygon, or adding corners on its sides, does not change its
// properties.
func TestPolygonMoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 9).Draw(t, "corners")
		var p Polygon
		for i := range n { // a star: convex or not
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + rapid.Float64Range(0, 0.8).Draw(t, "turn")) / float64(n))
			r := rapid.Float64Range(0.2, 1).Draw(t, "radius")
			p = append(p, r2.Vec{X: r * cos, Y: r * sin})
		}
		p = p.Simplify()
		if len(p) < 3 || p.Area() < 0.01 {
			return
		}
		sin, cos := math.Sincos(rapid.Float64Range(0, 7).Draw(t, "angle"))
		move := func(x r2.Vec) r2.Vec { return r2.Vec{X: 3 + cos*x.X - sin*x.Y, Y: -2 + sin*x.X + cos*x.Y} }
		var q Polygon
		for i := range p { // clockwise, with the middle of every side
			a, b := p[len(p)-1-i], p[(2*len(p)-2-i)%len(p)]
			q = append(q, move(a), move(r2.Scale(0.5, r2.Add(a, b))))
		}
		q = q.Simplify()
		was, turned := p.Area(), q.Area()
		c, g := p.Inertia()
		d, h := q.Inertia()
		if len(q) != len(p) || math.Abs(was-turned) > 1e-12 || r2.Norm(r2.Sub(move(c), d)) > 1e-11 || math.Abs(g-h) > 1e-11 {
			t.Fatalf("%d corners of %d, area %g of %g, centre %v of %v, radius of gyration %g of %g", len(q), len(p), turned, was, d, move(c), h, g)
		}
		if thin := p.Thickness(); math.Abs(thin-q.Thickness()) > 1e-9 || thin > 2 {
			t.Fatalf("thickness %g of %g", q.Thickness(), thin)
		}
		in := r2.Vec{X: rapid.Float64Range(-1, 1).Draw(t, "x"), Y: rapid.Float64Range(-1, 1).Draw(t, "y")}
		if far := p.Distance(in); far > 1e-9 && (p.Holds(in) != q.Holds(move(in)) || math.Abs(far-q.Distance(move(in))) > 1e-9) {
			t.Fatalf("%v is held or away otherwise after the move", in)
		}
	})
}

// Components of a surface: separate ones, and some that a curve divides; what is refused.
func TestRegions(t *testing.T) {
	src := &Source{Name: "grains.msh"}
	for j := range 4 {
		for i := range 5 {
			src.AddNode(r2.Vec{X: float64(i), Y: float64(j)})
		}
	}
	at := func(i, j int) int32 { return int32(5*j + i) }
	var all, left, ring []int32
	for j := range 3 {
		for i := range 4 {
			one := src.AddTriangle(at(i, j), at(i+1, j), at(i+1, j+1))
			two := src.AddTriangle(at(i, j), at(i, j+1), at(i+1, j+1)) // clockwise
			all = append(all, one, two)
			if i == 0 || i == 3 {
				left = append(left, one, two)
			}
			if i < 3 && (i != 1 || j != 1) {
				ring = append(ring, one, two)
			}
		}
	}
	var seam []int32
	for j := range 3 {
		seam = append(seam, src.AddLine(at(2, j), at(2, j+1)))
	}
	src.Groups = []SourceGroup{
		{Name: "all", Dim: 2, Elements: all}, {Name: "ends", Dim: 2, Elements: left}, {Name: "ring", Dim: 2, Elements: ring},
		{Name: "seam", Dim: 1, Elements: seam},
	}
	for _, c := range []struct {
		surface string
		curves  []string
		areas   []float64
	}{{"all", nil, []float64{12}}, {"ends", nil, []float64{3, 3}}, {"all", []string{"seam"}, []float64{6, 6}}} {
		got, err := src.Regions(c.surface, c.curves...)
		if err != nil || len(got) != len(c.areas) {
			t.Fatalf("%q: %d pieces, %v", c.surface, len(got), err)
		}
		for k, p := range got {
			if p.Area() != c.areas[k] || len(p) != 4 {
				t.Errorf("%q: piece %d has %d corners and an area of %g, want 4 and %g", c.surface, k, len(p), p.Area(), c.areas[k])
			}
		}
	}
	for _, c := range []struct{ surface, curve, want string }{
		{"ring", "", "has a hole"}, {"rock", "", "is not in the mesh"}, {"ends", "seam", `"seam" has no edge inside "ends"`}, {"all", "seem", "is not in the mesh"},
	} {
		var curves []string
		if c.curve != "" {
			curves = []string{c.curve}
		}
		if _, err := src.Regions(c.surface, curves...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q parted by %q: %v, want %s", c.surface, c.curve, err, c.want)
		}
	}
}
