package overlap

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func near(t fataler, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s: %.15g, want %.15g: off by %.2g of it", what, got, want, math.Abs(got/want-1))
	}
}

// same compares patches. Lengths are compared on the given scale.
func same(t fataler, what string, got, want Patch, scale, tol float64) {
	t.Helper()
	for _, v := range []struct {
		name     string
		off, tol float64
	}{
		{"area", got.Area - want.Area, tol * want.Area},
		{"centroid x", got.Centroid.X - want.Centroid.X, tol * scale},
		{"centroid y", got.Centroid.Y - want.Centroid.Y, tol * scale},
		{"along x", got.Along.X - want.Along.X, tol * scale / max(want.Length, 1e-300)},
		{"along y", got.Along.Y - want.Along.Y, tol * scale / max(want.Length, 1e-300)},
		{"length", got.Length - want.Length, tol * scale},
		{"J", got.J - want.J, tol*want.J + 1e-13*tol*scale*scale*scale*scale},
	} {
		if !(math.Abs(v.off) <= v.tol+1e-16*scale) {
			t.Errorf("%s: %s is off by %g: got %+v, want %+v", what, v.name, v.off, got, want)
			return
		}
	}
}

func table(t *testing.T, file string) [][]float64 {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var numbers [][]float64
	for _, row := range rows[1:] {
		var line []float64
		for _, s := range row {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			line = append(line, v)
		}
		numbers = append(numbers, line)
	}
	return numbers
}

// onDisc returns the overlap of a disc with a polygon that it overlaps once.
func onDisc(center r2.Vec, r float64, polygon []r2.Vec) Patch {
	var c Clipper
	for _, p := range c.Circle(nil, Circle{center, r, false}, polygon) {
		return p
	}
	return Patch{}
}

// onLine returns the overlap of a disc with the half plane behind the line
// through p with the normal n. The half plane is a rectangle that is large
// against the disc.
func onLine(center r2.Vec, r float64, p, n r2.Vec) Patch {
	size := 4 * (r + distance(center, p))
	return onDisc(center, r, box(ahead(p, n, -size), r2.Vec{X: size, Y: size}, r2.Vec{X: n.Y, Y: -n.X}))
}

// box returns the corners of a rectangle, counterclockwise: half its width along
// the axis and half its height across it.
func box(center, half, axis r2.Vec) []r2.Vec {
	up := perpendicular(axis)
	low, high := ahead(center, up, -half.Y), ahead(center, up, half.Y)
	return []r2.Vec{ahead(low, axis, -half.X), ahead(low, axis, half.X), ahead(high, axis, half.X), ahead(high, axis, -half.X)}
}

// The disc on a line, against independent values.
func TestReferences(t *testing.T) {
	for _, row := range table(t, "volumetric_disc_line_2d.csv") {
		r, depth, f := row[0], row[1], contact.Volumetric{K: row[5], A: row[6]}
		p := onLine(r2.Vec{X: 3, Y: r - depth}, r, r2.Vec{X: -1}, r2.Vec{Y: 1})
		near(t, "area", p.Area, row[2], 1e-11)
		near(t, "chord", p.Length, row[3], 1e-11)
		near(t, "J", p.J, row[4], 1e-11)
		near(t, "force", f.Force(p.Area, row[7]), row[9], 1e-11)
		near(t, "torque", f.RollingTorque(p.J, row[7], row[8]), -row[10], 1e-11)
	}
}

// The force is never tensile, and the torque acts against the rotation.
func TestVolumetricLaw(t *testing.T) {
	f := contact.Volumetric{K: 1e9, A: 0.5}
	if got := f.Force(1e-6, -3); got != 0 {
		t.Errorf("force %g while parting", got)
	}
	if got := f.RollingTorque(1e-9, -3, 1); got != 0 {
		t.Errorf("torque %g while parting", got)
	}
	if f.RollingTorque(1e-9, 0, 2) >= 0 || f.RollingTorque(1e-9, 0, -2) <= 0 {
		t.Error("the torque drives the rotation")
	}
	// Against the integral of the pressures p = k h (1 + a (v + omega x)).
	p := onLine(r2.Vec{Y: 0.095}, 0.1, r2.Vec{}, r2.Vec{Y: 1})
	const v, omega, parts = 0.1, 3.0, 20000
	force, torque := 0.0, 0.0
	for i := range parts {
		x := p.Length * ((float64(i)+0.5)/parts - 0.5)
		h := math.Sqrt(0.01-x*x) - 0.095
		dp := f.K * h * (1 + f.A*(v+omega*x)) * p.Length / parts
		force += dp
		torque -= x * dp
	}
	near(t, "sum of the pressures", f.Force(p.Area, v), force, 1e-6)
	near(t, "their torque", f.RollingTorque(p.J, v, omega), torque, 1e-6)
}

// Thin segments lose no digits: against the limit of a parabola, with its next term. Half and whole
// discs are right, too.
func TestCut(t *testing.T) {
	for _, h := range []float64{1e-15, 1e-10, 1e-6, 1e-4} {
		s := discSegment(1, h)
		// Integrals of (2h)^... in powers of h: area = 4/3 sqrt(2) h^1.5 (1 -
		// 3h/20 + ...)
		near(t, "area", s.area, 4./3*math.Sqrt2*math.Pow(h, 1.5)*(1-3*h/20), h*h+2e-15)
		near(t, "along", s.along, 8./15*math.Sqrt2*math.Pow(h, 2.5)*(1-15*h/28), h*h+2e-15)
	}
	half, all := discSegment(2, 2), discSegment(2, 4)
	near(t, "half a disc", half.area, 2*math.Pi, 1e-15)
	near(t, "its centroid", half.first/half.area, 8/(3*math.Pi), 1e-15)
	near(t, "its along", half.along, 2*math.Pi, 1e-15)
	near(t, "its across", half.across, 2*math.Pi, 1e-15)
	near(t, "a disc", all.area, 4*math.Pi, 1e-15)
	near(t, "its along", all.along, 4*math.Pi, 1e-15)
	near(t, "its across", all.across, 4*math.Pi, 1e-15)
	for _, s := range []float64{0.349999, 0.350001} { // where the two forms meet
		h := 1 - math.Sqrt(1-s*s)
		angle := math.Asin(s)
		c := math.Sqrt(1 - s*s)
		near(t, "area", discSegment(1, h).area, angle-s*c, 1e-14)
		near(t, "along", discSegment(1, h).along, 0.25*(angle-s*c-2./3*s*s*s*c), 1e-12)
	}
}

// Two equal discs a radius apart, and other closed forms.
func TestClosedForms(t *testing.T) {
	p := DiscDisc(r2.Vec{}, 1, r2.Vec{X: 1}, 1)
	near(t, "lens", p.Area, 2*math.Pi/3-math.Sqrt(3)/2, 1e-15)
	near(t, "its chord", p.Length, math.Sqrt(3), 1e-15)
	same(t, "its middle", Patch{Centroid: p.Centroid, Along: p.Along}, Patch{Centroid: r2.Vec{X: 0.5}, Along: r2.Vec{Y: 1}}, 1, 1e-15)
	if n := p.Normal(); n != (r2.Vec{X: -1}) {
		t.Errorf("the normal is %v, want to the left, out of the second disc", n)
	}
	p = onLine(r2.Vec{Y: 0.5}, 1, r2.Vec{}, r2.Vec{Y: 1})
	if n := p.Normal(); n != (r2.Vec{Y: 1}) || p.Centroid.Y >= 0 {
		t.Errorf("on the ground: normal %v, centroid %v", n, p.Centroid)
	}
	p = DiscHollow(r2.Vec{X: 0.1}, 1, r2.Vec{}, 1.05)
	if n := p.Normal(); n != (r2.Vec{X: -1}) || p.Centroid.X <= 0.9 {
		t.Errorf("in a hollow: normal %v, centroid %v", n, p.Centroid)
	}
	near(t, "crescent", p.Area, math.Pi-DiscDisc(r2.Vec{X: 0.1}, 1, r2.Vec{}, 1.05).Area, 1e-13)

	p = onDisc(r2.Vec{}, 1, box(r2.Vec{X: 1, Y: -1}, r2.Vec{X: 1, Y: 1}, r2.Vec{X: 1})) // a quarter of the disc
	near(t, "quarter", p.Area, math.Pi/4, 1e-15)
	near(t, "its centroid", p.Centroid.X, 4/(3*math.Pi), 1e-15)
	near(t, "its centroid", p.Centroid.Y, -4/(3*math.Pi), 1e-15)
	near(t, "its chord", p.Length, math.Sqrt2, 1e-15)
	near(t, "its J", p.J, math.Pi/16-1./8, 1e-14) // along the chord: I minus the product of inertia
	near(t, "its normal", p.Normal().X, -math.Sqrt2/2, 1e-15)
	near(t, "its normal", p.Normal().Y, math.Sqrt2/2, 1e-15)
	flat := onDisc(r2.Vec{X: 1, Y: 0.9}, 1, box(r2.Vec{X: 1, Y: -1}, r2.Vec{X: 3, Y: 1}, r2.Vec{X: 1}))
	same(t, "on a wide box", flat, onLine(r2.Vec{X: 1, Y: 0.9}, 1, r2.Vec{}, r2.Vec{Y: 1}), 1, 1e-14)

	var c Clipper
	square := []r2.Vec{{X: 0, Y: 0}, {X: 2, Y: 0}, {X: 2, Y: 2}, {X: 0, Y: 2}}
	roof := []r2.Vec{{X: -1, Y: 1.5}, {X: 3, Y: 1.5}, {X: 3, Y: 4}, {X: -1, Y: 4}}
	ps := c.Polygons(nil, roof, square)
	if len(ps) != 1 {
		t.Fatalf("%d patches", len(ps))
	}
	same(t, "slab", ps[0], Patch{1, r2.Vec{X: 1, Y: 1.75}, r2.Vec{X: 1}, 2, 1. / 3, 0.25}, 1, 1e-15)
	if ps[0].Normal() != (r2.Vec{Y: 1}) {
		t.Errorf("normal %v, want up, out of the square", ps[0].Normal())
	}
	comb := []r2.Vec{ // three teeth pointing down
		{X: 5, Y: 2}, {X: -5, Y: 2}, {X: -5, Y: -1}, {X: -3, Y: -1}, {X: -3, Y: 1}, {X: -1, Y: 1},
		{X: -1, Y: -0.5}, {X: 1, Y: -0.5}, {X: 1, Y: 1}, {X: 3, Y: 1}, {X: 3, Y: -0.25}, {X: 5, Y: -0.25},
	}
	ground := []r2.Vec{{X: -9, Y: -9}, {X: 9, Y: -9}, {X: 9, Y: 0}, {X: -9, Y: 0}}
	ps = c.Polygons(ps[:0], comb, ground)
	if len(ps) != 3 {
		t.Fatalf("%d patches of 3 teeth", len(ps))
	}
	for k, want := range []Patch{
		{2, r2.Vec{X: -4, Y: -0.5}, r2.Vec{X: 1}, 2, 2. / 3, 1},
		{1, r2.Vec{X: 0, Y: -0.25}, r2.Vec{X: 1}, 2, 1. / 3, 0.25},
		{0.5, r2.Vec{X: 4, Y: -0.125}, r2.Vec{X: 1}, 2, 1. / 6, 0.0625},
	} {
		same(t, fmt.Sprintf("tooth %d", k), ps[k], want, 1, 1e-15)
		if math.Abs(ps[k].Energy-want.Energy) > 1e-15 {
			t.Errorf("tooth %d: energy %g, want %g", k, ps[k].Energy, want.Energy)
		}
	}
}

// Bodies inside one another, around one another, separated and touching.
func TestNoContactLine(t *testing.T) {
	at := r2.Vec{X: 0.1, Y: 0.2}
	small, large := Patch{Area: math.Pi * 0.01, Centroid: at}, Patch{Area: math.Pi, Centroid: r2.Vec{}}
	box := box(r2.Vec{}, r2.Vec{X: 3, Y: 2}, r2.Vec{X: 0.6, Y: 0.8})
	for what, got := range map[string]Patch{
		"behind the line": onLine(at, 0.1, r2.Vec{Y: 5}, r2.Vec{Y: 1}),
		"in a disc":       DiscDisc(at, 0.1, r2.Vec{}, 1),
		"under a disc":    DiscDisc(r2.Vec{}, 1, at, 0.1),
		"in the solid":    DiscHollow(at, 0.1, r2.Vec{X: 4}, 1),
		"in a box":        onDisc(at, 0.1, box),
	} {
		same(t, what, got, small, 1, 1e-15)
	}
	same(t, "large in a box", onDisc(r2.Vec{}, 1, box), large, 1, 1e-15)
	over := onDisc(at, 9, box)
	same(t, "box in a disc", over, Patch{Area: 24}, 1, 1e-14)
	ring := DiscHollow(at, 1, r2.Vec{}, 0.5)
	same(t, "hollow in the disc", ring, Patch{Area: math.Pi * 0.75, Centroid: r2.Vec{X: 0.4 / 3, Y: 0.8 / 3}}, 1, 1e-15)
	for what, got := range map[string]Patch{
		"over the line":  onLine(at, 0.1, r2.Vec{}, r2.Vec{Y: 1}),
		"touching":       onLine(r2.Vec{Y: 1}, 1, r2.Vec{}, r2.Vec{Y: 1}),
		"apart":          DiscDisc(at, 0.1, r2.Vec{X: 1}, 0.2),
		"discs touching": DiscDisc(r2.Vec{}, 1, r2.Vec{X: 3}, 2),
		"in the hollow":  DiscHollow(at, 0.1, r2.Vec{}, 1),
		"fitting":        DiscHollow(r2.Vec{}, 1, r2.Vec{}, 1),
		"off the box":    onDisc(r2.Vec{X: 9}, 0.1, box),
	} {
		if got != (Patch{}) {
			t.Errorf("%s: %+v", what, got)
		}
	}

	var c Clipper
	square := func(x, y, side float64) []r2.Vec {
		return []r2.Vec{{X: x, Y: y}, {X: x + side, Y: y}, {X: x + side, Y: y + side}, {X: x, Y: y + side}}
	}
	for _, tt := range []struct {
		what string
		a, b []r2.Vec
		area float64
	}{
		{"inside", square(1, 1, 1), square(0, 0, 4), 1},
		{"around", square(0, 0, 4), square(1, 1, 1), 1},
		{"apart", square(0, 0, 1), square(2, 0, 1), 0},
		{"boxes overlap, squares do not", square(0, 0, 1), []r2.Vec{{X: 0.9, Y: 1.2}, {X: 2, Y: 0.2}, {X: 2, Y: 2}}, 0},
		{"side by side", square(0, 0, 1), square(1, 0, 1), 0},
		{"stacked", square(0, 1, 1), square(0, 0, 1), 0},
		{"corner on corner", square(1, 1, 1), square(0, 0, 1), 0},
		{"corner in an edge", []r2.Vec{{X: 0.5, Y: 1}, {X: 1, Y: 2}, {X: 0, Y: 2}}, square(0, 0, 1), 0},
		{"the same", square(0, 0, 1), square(0, 0, 1), 1},
		{"flush in a corner", square(0, 0, 1), square(0, 0, 3), 1},
		{"flush on a side", square(1, 0, 1), square(0, 0, 3), 1},
		{"corners on edges", []r2.Vec{{X: 0, Y: 1}, {X: 1, Y: 0}, {X: 2, Y: 1}, {X: 1, Y: 2}}, square(0, 0, 2), 2},
		{"crossing at corners", square(0, 0, 2), []r2.Vec{{X: 0, Y: 0}, {X: 3, Y: 3}, {X: 0, Y: 3}}, 2},
	} {
		for _, swap := range []bool{false, true} {
			a, b := tt.a, tt.b
			if swap {
				a, b = b, a
			}
			sum := 0.0
			for _, p := range c.Polygons(nil, a, b) {
				sum += p.Area
			}
			if math.Abs(sum-tt.area) > 1e-15 {
				t.Errorf("%s, swapped %v: area %g, want %g", tt.what, swap, sum, tt.area)
			}
		}
	}
	if ps := c.Polygons(nil, square(0, 0, 1)[:2], square(0, 0, 1)); len(ps) != 0 {
		t.Errorf("a line overlaps: %v", ps)
	}
}

// round is a polygon through n points of a circle, of the circle's area.
func round(c r2.Vec, r float64, n int) []r2.Vec {
	r *= math.Sqrt(2 * math.Pi / float64(n) / math.Sin(2*math.Pi/float64(n)))
	p := make([]r2.Vec, n)
	for k := range p {
		s, co := math.Sincos(2 * math.Pi * (float64(k) + 0.37) / float64(n))
		p[k] = r2.Vec{X: c.X + r*co, Y: c.Y + r*s}
	}
	return p
}

// numbers are uniform, while rapid's own prefer the ends of a range. Rapid
// draws their seed.
type numbers struct{ *rand.Rand }

func draw(t *rapid.T) numbers {
	return numbers{rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))}
}

func (n numbers) within(low, high float64) float64 { return low + (high-low)*n.Float64() }

func (n numbers) vec(size float64) r2.Vec {
	return r2.Vec{X: n.within(-size, size), Y: n.within(-size, size)}
}

// Overlaps of discs with all shapes equal those of polygons of many sides.
func TestDiscsAreRoundPolygons(t *testing.T) {
	var c Clipper
	rapid.Check(t, func(t *rapid.T) {
		rng := draw(t)
		const sides = 400
		alike := func(what string, got, want, tol float64) {
			if !(math.Abs(got-want) <= tol) {
				t.Errorf("%s: %g, polygons %g", what, got, want)
			}
		}
		at, r := rng.vec(1), rng.within(0.3, 1)
		other, q := rng.vec(1), rng.within(0.3, 1)
		angle := rng.within(0, 7)
		u := r2.Vec{X: math.Cos(angle), Y: math.Sin(angle)}
		half := r2.Vec{X: rng.within(0.2, 1), Y: rng.within(0.2, 1)}
		box, wide := box(other, half, u), box(ahead(other, perpendicular(u), -50), r2.Vec{X: 50, Y: 50}, u)
		disc := round(at, r, sides)
		for what, tt := range map[string]struct {
			got  Patch
			with []r2.Vec
		}{
			"line": {onLine(at, r, other, perpendicular(u)), wide},
			"disc": {DiscDisc(at, r, other, q), round(other, q, sides)},
			"box":  {onDisc(at, r, box), box},
		} {
			ps := c.Polygons(nil, disc, tt.with)
			if what == "disc" && distance(at, other) < 0.1 { // nearly equal: no definite line
				continue
			}
			var sum Patch // a thin overlap of many-sided polygons may fall apart
			for _, p := range ps {
				sum.Area += p.Area
			}
			alike(what+" area", tt.got.Area, sum.Area, 3e-4)
			if sum.Area < 0.02 || len(ps) != 1 || tt.got.Length < 0.1 {
				continue
			}
			p := ps[0]
			alike(what+" centroid x", tt.got.Centroid.X, p.Centroid.X, 1e-2)
			alike(what+" centroid y", tt.got.Centroid.Y, p.Centroid.Y, 1e-2)
			alike(what+" moment x", tt.got.Centroid.X*tt.got.Area, p.Centroid.X*p.Area, 3e-4)
			alike(what+" moment y", tt.got.Centroid.Y*tt.got.Area, p.Centroid.Y*p.Area, 3e-4)
			alike(what+" length", tt.got.Length, p.Length, 1e-2)
			alike(what+" along", elementary.Dot(tt.got.Along, p.Along), 1, 1e-2)
			if elementary.Dot(tt.got.Along, p.Along) > 1-1e-6 {
				alike(what+" J", tt.got.J, p.J, 3e-3)
			}
		}
	})
}

// The crescent of a disc beyond a hollow: a disc less its lens with the hollow
// as a disc, moment by moment.
func TestCrescent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := draw(t)
		at, r := rng.vec(1), rng.within(0.3, 1)
		q := rng.within(0.3, 1.2)
		p, lens := DiscHollow(at, r, r2.Vec{}, q), DiscDisc(at, r, r2.Vec{}, q)
		if p.Length < 0.01 || distance(at, r2.Vec{}) < 0.05 {
			return
		}
		near(t, "area", p.Area+lens.Area, math.Pi*r*r, 1e-12)
		if moment := p.Area*p.Centroid.X + lens.Area*lens.Centroid.X; math.Abs(moment-math.Pi*r*r*at.X) > 1e-12 {
			t.Errorf("first moment %g, want %g", moment, math.Pi*r*r*at.X)
		}
		near(t, "J", p.J+lens.J, math.Pi/4*r*r*r*r, 1e-12)
		// A chord is a root of a difference of squares: its square is as exact
		// as they are, however short it is.
		if off := math.Abs(p.Length*p.Length - lens.Length*lens.Length); off > 1e-14*r*r {
			t.Errorf("chord %g, of the lens %g", p.Length, lens.Length)
		}
	})
}

// The contact line is the gradient of the area: moved along the normal by e,
// the disc overlaps less by Length e; moved along the line, it overlaps the
// same.
func TestContactLineIsGradient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := draw(t)
		at, r := rng.vec(1), rng.within(0.3, 1)
		other, q := rng.vec(1), rng.within(0.3, 1)
		angle := rng.within(0, 7)
		u := r2.Vec{X: math.Cos(angle), Y: math.Sin(angle)}
		box := box(other, r2.Vec{X: 0.5, Y: 0.3}, u)
		for what, overlap := range map[string]func(at r2.Vec) Patch{
			"line":   func(at r2.Vec) Patch { return onLine(at, r, other, u) },
			"disc":   func(at r2.Vec) Patch { return DiscDisc(at, r, other, q) },
			"hollow": func(at r2.Vec) Patch { return DiscHollow(at, r, other, q) },
			"box":    func(at r2.Vec) Patch { return onDisc(at, r, box) },
		} {
			const e = 1e-6
			p := overlap(at)
			if p.Length < 0.05 || (what == "disc" || what == "hollow") && distance(at, other) < 0.05 {
				continue
			}
			n := p.Normal()
			across := (overlap(ahead(at, n, e)).Area - overlap(ahead(at, n, -e)).Area) / (2 * e)
			along := (overlap(ahead(at, p.Along, e)).Area - overlap(ahead(at, p.Along, -e)).Area) / (2 * e)
			if math.Abs(across+p.Length) > 1e-3 || math.Abs(along) > 1e-3 {
				t.Errorf("%s: area grows by %g across and %g along a line of length %g", what, across, along, p.Length)
			}
		}
	})
}

// Thin overlaps of every kind agree with segments of a disc.
func TestThin(t *testing.T) {
	for _, h := range []float64{1e-3, 1e-6, 1e-9} {
		line, want := onLine(r2.Vec{Y: 1 - h}, 1, r2.Vec{}, r2.Vec{Y: 1}), discSegment(1, h)
		near(t, "segment", line.Area, want.area, 1e-15/h+1e-12)
		near(t, "its J", line.J, want.along, 1e-15/h+1e-12)
		disc := DiscDisc(r2.Vec{Y: 1 - h}, 1, r2.Vec{Y: -1}, 1)
		// Two equal discs: two segments of half the height.
		segment := discSegment(1, 0.5*h)
		near(t, "lens", disc.Area, 2*segment.area, 1e-15/h+1e-12)
		near(t, "its J", disc.J, 2*segment.along, 1e-15/h+1e-12)
	}
}

func distance(a, b r2.Vec) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// polygon draws a simple polygon, star-shaped about its centre: convex or not.
// On a grid touching and collinear edges are common.
func polygon(rng numbers, grid bool) []r2.Vec {
	c := rng.vec(1)
	n := 3 + rng.IntN(10)
	p := make([]r2.Vec, 0, n)
	for k := range n {
		r := rng.within(0.3, 1.5)
		s, co := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		v := r2.Vec{X: c.X + r*co, Y: c.Y + r*s}
		if grid {
			v = r2.Vec{X: math.Round(4*v.X) / 4, Y: math.Round(4*v.Y) / 4}
		}
		p = append(p, v)
	}
	if !simple(p) { // after rounding
		return polygon(rng, grid)
	}
	return p
}

// simple tells whether edges meet only their neighbours and the area is
// positive.
func simple(p []r2.Vec) bool {
	n := len(p)
	for i := range p {
		for j := range p {
			a1, a2, b1, b2 := p[i], p[(i+1)%n], p[j], p[(j+1)%n]
			if i == j || (i+1)%n == j {
				if i != j && side(a1, a2, b2) == 0 && elementary.Dot(sub(a2, a1), sub(b2, b1)) <= 0 || a1 == a2 {
					return false
				}
				continue
			}
			if (j+1)%n == i {
				continue
			}
			if side(a1, a2, b1)*side(a1, a2, b2) <= 0 && side(b1, b2, a1)*side(b1, b2, a2) <= 0 {
				return false
			}
		}
	}
	return loop(p).a > 0
}

// clip cuts a convex polygon by a triangle, counterclockwise: the oracle.
func clip(p []r2.Vec, triangle [3]r2.Vec) []r2.Vec {
	for k := range 3 {
		a, b := triangle[k], triangle[(k+1)%3]
		var out []r2.Vec
		for i, v := range p {
			w := p[(i+1)%len(p)]
			f, g := elementary.Cross(sub(b, a), sub(v, a)), elementary.Cross(sub(b, a), sub(w, a))
			if f >= 0 {
				out = append(out, v)
			}
			if f > 0 && g < 0 || f < 0 && g > 0 {
				out = append(out, ahead(v, sub(w, v), f/(f-g)))
			}
		}
		p = out
	}
	return p
}

// fans returns the moments about 0 of the overlap of a with b as a sum over
// the signed triangles between 0 and their edges.
func fans(a, b []r2.Vec) (sum moments) {
	fan := func(p []r2.Vec, i int) (triangle [3]r2.Vec, sign float64) {
		triangle = [3]r2.Vec{{X: 0.123, Y: 0.0456}, p[i], p[(i+1)%len(p)]}
		sign = 1
		if elementary.Cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0])) < 0 {
			triangle[1], triangle[2] = triangle[2], triangle[1]
			sign = -1
		}
		return triangle, sign
	}
	for i := range a {
		ta, sa := fan(a, i)
		for j := range b {
			tb, sb := fan(b, j)
			p := clip(ta[:], tb)
			if len(p) < 3 {
				continue
			}
			var m moments
			m.addPath(p, r2.Vec{}, p[0], p[0], 0, len(p)-1)
			s := sa * sb
			sum.a += s * m.a
			sum.x += s * m.x
			sum.y += s * m.y
			sum.xx += s * m.xx
			sum.xy += s * m.xy
			sum.yy += s * m.yy
		}
	}
	return sum
}

// Any two polygons against sums over triangles; also swapped, moved and
// rotated.
func TestAnyPolygons(t *testing.T) {
	var c Clipper
	rapid.Check(t, func(t *rapid.T) { anyPolygons(t, &c, draw(t)) })
	// About one pair in fifty overlaps more than once. A hundred random pairs
	// may have none, but these seeds have some.
	several := 0
	for seed := range uint64(500) {
		if anyPolygons(t, &c, numbers{rand.New(rand.NewPCG(seed, 0))}) > 1 {
			several++
		}
	}
	if several < 3 {
		t.Errorf("only %d pairs of polygons overlapped more than once", several)
	}
}

// anyPolygons checks one pair and returns the number of its patches.
func anyPolygons(t interface{ Errorf(string, ...any) }, c *Clipper, rng numbers) int {
	grid := rng.IntN(2) == 0
	a, b := polygon(rng, grid), polygon(rng, grid)
	ps := c.Polygons(nil, a, b)
	want := fans(a, b)
	var got struct{ a, x, y, trace float64 }
	for _, p := range ps {
		got.a += p.Area
		got.x += p.Area * p.Centroid.X
		got.y += p.Area * p.Centroid.Y
	}
	if math.Abs(got.a-want.a) > 1e-13 || math.Abs(got.x-want.x) > 1e-13 || math.Abs(got.y-want.y) > 1e-13 {
		t.Errorf("%d patches: area %g, moments %g, %g; want %g, %g, %g", len(ps), got.a, got.x, got.y, want.a, want.x, want.y)
	}
	if len(ps) == 1 && ps[0].Length > 0 && ps[0].Area > 1e-6 { // J equals that of the sums
		p := ps[0]
		u, x, y := p.Along, p.Centroid.X, p.Centroid.Y
		j := u.X*u.X*(want.xx-want.a*x*x) + 2*u.X*u.Y*(want.xy-want.a*x*y) + u.Y*u.Y*(want.yy-want.a*y*y)
		if math.Abs(p.J-j) > 1e-12 {
			t.Errorf("J %g, want %g", p.J, j)
		}
	}

	sum := 0.0
	for _, p := range c.Polygons(nil, b, a) {
		sum += p.Area
	}
	if math.Abs(sum-got.a) > 1e-13 {
		t.Errorf("swapped: area %g, was %g", sum, got.a)
	}
	angle := rng.within(0, 7)
	s, co := math.Sincos(angle)
	turned := func(p []r2.Vec) []r2.Vec {
		out := make([]r2.Vec, len(p))
		for i, v := range p {
			out[i] = r2.Vec{X: 1 + co*v.X - s*v.Y, Y: 2 + s*v.X + co*v.Y}
		}
		return out
	}
	sum = 0
	for _, p := range c.Polygons(nil, turned(a), turned(b)) {
		sum += p.Area
	}
	if math.Abs(sum-got.a) > 1e-13 {
		t.Errorf("turned: area %g, was %g", sum, got.a)
	}
	return len(ps)
}

// A swapped patch is the same with its line reversed, unless edges lie on one
// another.
func TestSwapped(t *testing.T) {
	var c Clipper
	rapid.Check(t, func(t *rapid.T) {
		rng := draw(t)
		a, b := polygon(rng, false), polygon(rng, false)
		for _, p := range a {
			if slices.ContainsFunc(b, func(q r2.Vec) bool { return distance(p, q) < 1e-3 }) {
				return
			}
		}
		ps, qs := c.Polygons(nil, a, b), c.Polygons(nil, b, a)
		if len(ps) != 1 || len(qs) != 1 || ps[0].Area < 1e-3 || ps[0].Length < 1e-3 {
			return
		}
		back := qs[0]
		back.Along = r2.Vec{X: -back.Along.X, Y: -back.Along.Y}
		same(t, "swapped", back, ps[0], 1, 1e-11)
	})
}

// Discs are measured and polygons clipped without allocation.
func TestDoesNotAllocate(t *testing.T) {
	at, other := r2.Vec{X: 0.2, Y: 0.9}, r2.Vec{X: 0.3, Y: -0.4}
	box := box(other, r2.Vec{X: 1, Y: 1}, r2.Vec{X: 0.6, Y: 0.8})
	var c Clipper
	a, b := round(at, 1, 30), round(other, 1, 40)
	ps := make([]Patch, 0, 4)
	sum := 0.0
	for what, measure := range map[string]func(){
		"disc":     func() { sum += DiscDisc(at, 1, other, 1).Area },
		"hollow":   func() { sum += DiscHollow(at, 1, other, 1.5).Area },
		"box":      func() { ps = c.Circle(ps[:0], Circle{at, 1, false}, box); sum += ps[0].Area },
		"polygons": func() { ps = c.Polygons(ps[:0], a, b); sum += ps[0].Area },
	} {
		if n := testing.AllocsPerRun(10, measure); n != 0 {
			t.Errorf("%s: %g allocations", what, n)
		}
	}
}

func BenchmarkOverlap(b *testing.B) {
	at, other := r2.Vec{X: 0.2, Y: 0.9}, r2.Vec{X: 0.3, Y: -1}
	box := box(other, r2.Vec{X: 1, Y: 1}, r2.Vec{X: 0.6, Y: 0.8})
	var c Clipper
	p, q := round(at, 1, 30), round(other, 1, 40)
	var ps []Patch
	for _, bb := range []struct {
		name string
		run  func()
	}{
		{"disc", func() { DiscDisc(at, 1, other, 1) }},
		{"hollow", func() { DiscHollow(at, 1, other, 1.5) }},
		{"box", func() { ps = c.Circle(ps[:0], Circle{at, 1, false}, box) }},
		{"polygons30x40", func() { ps = c.Polygons(ps[:0], p, q) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				bb.run()
			}
		})
	}
}
