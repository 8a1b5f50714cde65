package impulses_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fdem/examples/cases"
	"fdem/io/deck"
	"fdem/materials/elementary"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// A block on a slope stays below the limit of friction, and slides by theory above it.
func TestBlockOnSlope(t *testing.T) {
	for _, k := range []float64{0.99, 1.01, 1.5} {
		angle := math.Atan(0.5 * k)
		end := 2.0
		if k < 1 {
			end = 10
		}
		r := start(t, begin(end, under(angle), "").floor(-10, 100).box(0, 0.25, 1, 0.5, 0, 2500).contact(0.5, 0))
		r.to(end, nil)
		if k < 1 {
			t.Logf("at %g of the limit it moves %.2g m", k, r.moved())
			if !(r.moved() < 1e-6) {
				t.Errorf("at %g of the limit the block moves %g m", k, r.moved())
			}
			continue
		}
		way := 0.5 * g * (math.Sin(angle) - 0.5*math.Cos(angle)) * end * end
		within(t, "way", r.body(0).Centre.X, way, 1e-4)
		closes(t, r.Solver, r.Energies().ExternalWork)
	}
}

// A block that rocks has the quarter period of theory, and loses at its impacts what Housner's formula
// says (G. W. Housner, Bull. Seismol. Soc. Am. 53, 1963), wherever in a step the impact comes.
func TestRockingBlock(t *testing.T) {
	rocks(t, 0.1, 0.3, 0.005) // so slow that its corners would not rebound
	for _, b := range []float64{0.15, 0.2, 0.3, 0.35, 0.5} {
		for _, share := range []float64{0.2, 0.5, 0.8} {
			rocks(t, b, share, 0.005)
		}
	}
}

// rocks rocks a block of a width and a height of 1 m from a share of the angle at which it falls.
func rocks(t *testing.T, b, share, bound float64) {
	const h = 1.0
	alpha := math.Atan(b / h)
	from, radius := share*alpha, math.Hypot(b, h)/2
	sin, cos := math.Sincos(-from)
	centre := r2.Vec{X: b/2 + (cos*(-b/2) - sin*h/2), Y: sin*(-b/2) + cos*h/2}
	r := start(t, begin(3, under(0), "").floor(-10, 10).box(centre.X, centre.Y, b, h, -from, 2500).contact(3, 0))
	at, last, peak := -1.0, -from, 0.0
	r.to(3, func() bool {
		a := r.angle(0) - from
		if at < 0 && a >= 0 {
			at = r.Time - r.Last*a/(a-last)
		}
		last = a
		peak = max(peak, a)
		return at > 0 && a < peak-1e-3
	})
	within(t, "quarter period", at, fallTime(3*g/(4*radius), alpha-from, from), 0.003)
	within(t, "restitution", math.Sqrt((math.Cos(alpha-peak)-math.Cos(alpha))/(math.Cos(alpha-from)-math.Cos(alpha))), 1-1.5*math.Pow(math.Sin(alpha), 2), bound)
	closes(t, r.Solver, r.Energies().ImpactLoss)
	if e := r.Energies(); !(math.Abs(e.SolverError) < 0.1*e.ImpactLoss) {
		t.Errorf("impacts lose %g J, and the solver's error is %g J", e.ImpactLoss, e.SolverError)
	}
}

// What impacts slower than the restitution speed lose is lost in impacts, too.
func TestSlowImpact(t *testing.T) {
	s := begin(1, under(0), "").floor(-1, 1).box(0, 0.25, 0.2, 0.2, 0, 2000).contact(0.5, 0.8)
	s.WriteString("restitution_speed = 3\n")
	r := start(t, s)
	r.to(1, nil)
	if e := r.Energies(); !(math.Abs(e.SolverError) < 1e-6*e.ImpactLoss) || math.Abs(r.body(0).Velocity.Y) > 1e-9 {
		t.Errorf("impacts lose %g J, and the solver's error is %g J; the block moves at %g m/s", e.ImpactLoss, e.SolverError, r.body(0).Velocity.Y)
	}
	closes(t, r.Solver, r.Energies().ImpactLoss)
}

// A slender block on a slope topples above the limit, in the time of theory, and stands below it.
func TestTopplingBlock(t *testing.T) {
	for _, k := range []float64{0.99, 1.01} {
		angle := math.Atan(0.25 * k)
		r := start(t, begin(10, under(angle), "").floor(-10, 10).box(0, 1, 0.5, 2, 0, 2500).contact(5, 0))
		fell := r.to(10, func() bool { return -r.angle(0) > 0.3 })
		if k < 1 {
			if fell || math.Abs(r.angle(0)) > 1e-6 {
				t.Errorf("at %g of the limit the block turns by %g", k, r.angle(0))
			}
			continue
		}
		within(t, "time to 0.3 rad", r.Time, fallTime(3*g/(4*math.Hypot(0.5, 2)/2), angle-math.Atan(0.25), 0.3), 0.005)
	}
}

// A disc and a box bounce to the heights of their restitution, and the box falls flat.
func TestBounces(t *testing.T) {
	for _, shape := range []string{"disc", "box"} {
		s := begin(5, under(0), "").floor(-10, 10)
		if shape == "disc" {
			s.disc(0, 1.05, 0.05, 2500)
		} else {
			s.box(0, 1.05, 0.1, 0.1, 0, 2500)
		}
		r := start(t, s.contact(0.5, 0.8))
		peak, up, n := 0.0, false, 0
		r.to(5, func() bool {
			m := r.body(0)
			if m.Velocity.Y > 0 {
				up = true
				peak = max(peak, m.Centre.Y-0.05)
			} else if up {
				n++
				within(t, shape, peak, math.Pow(0.64, float64(n)), 0.015)
				up, peak = false, 0
			}
			return n == 3
		})
		if spin := math.Abs(r.body(0).AngularVelocity); spin > 0.01 {
			t.Errorf("the %s spins with %g rad/s", shape, spin)
		}
		closes(t, r.Solver, 100)
	}
}

// In a stack of ten every joint carries the weight above it.
func TestStack(t *testing.T) {
	s := begin(1, under(0), "").floor(-10, 10)
	for i := range 10 {
		s.box(0, 0.5+float64(i), 1, 1, 0, 2500)
	}
	for i := range 10 {
		below := "floor"
		if i > 0 {
			below = "b" + string(rune('0'+i-1))
		}
		s.WriteString("[[contact]]\nname = \"j" + string(rune('0'+i)) + "\"\ncontactor = \"b" + string(rune('0'+i)) + "\"\nopposite = \"" + below + "\"\nfriction = 0.5\n")
	}
	r := start(t, s)
	r.to(0.5, nil)
	sum := make([]float64, 10)
	steps := 0.0
	r.to(1, func() bool {
		for i, f := range r.ContactForces() {
			sum[i] += f.Normal
		}
		steps++
		return false
	})
	for i := range sum {
		within(t, "force at a joint", sum[i]/steps, 2500*g*float64(10-i), 1e-3)
	}
	if r.moved() > 1e-4 {
		t.Errorf("the stack moves %g m", r.moved())
	}
}

// wall adds courses of bricks in a running bond.
func (s *scene) wall(long, courses int, width, height float64) *scene {
	for j := range courses {
		x := 0.0
		for i := range long + j%2 {
			w := width
			if j%2 == 1 && (i == 0 || i == long) {
				w = width / 2
			}
			s.box(x+w/2, height*(float64(j)+0.5), w, height, 0, 2000)
			x += w
		}
	}
	return s
}

// A wall stands still.
func TestWall(t *testing.T) {
	end := 1.0
	if cases.All() {
		end = 10
	}
	r := start(t, begin(end, under(0), "").floor(-10, 10).wall(10, 10, 0.4, 0.2).contact(0.5, 0))
	r.to(end, nil)
	t.Logf("%d steps, %d sweeps, %d unconverged; the wall moves %.2g m", r.N, r.Sweeps(), r.UnconvergedSteps(), r.moved())
	if !(r.moved() < 2e-5) {
		t.Errorf("the wall moves %g m in %g s", r.moved(), end)
	}
}

// A tall wall, whose weight plain sweeps carry down course by course, rests from the first step on.
func TestTallWall(t *testing.T) {
	cases.WithAll(t)
	r := start(t, begin(1, under(0), "").floor(-10, 100).wall(25, 40, 0.4, 0.2).contact(0.5, 0))
	r.to(1, func() bool { return r.N == 1 })
	t.Logf("%d sweeps and factorisations in the first step", r.Sweeps())
	if r.UnconvergedSteps() > 0 || r.Sweeps() > 600 { // plain sweeps: 2,200
		t.Errorf("%d sweeps, %d steps did not converge", r.Sweeps(), r.UnconvergedSteps())
	}
	r.to(0.1, nil)
	if !(r.moved() < 2e-6) {
		t.Errorf("the wall moves %g m", r.moved())
	}
}

// A marginal arch of 27 stones takes few sweeps.
func TestMarginalArch(t *testing.T) {
	for _, thickness := range []float64{0.1219, 0.1085} {
		r := start(t, begin(0.5, under(0), "impulses = { tolerance = 1e-4 }").arch(27, thickness).contact(0.75, 0))
		r.to(0.5, nil)
		each := float64(r.Sweeps()) / float64(r.N)
		t.Logf("t/R %g: %.1f sweeps and factorisations a step, %d unconverged, moves %.2g m", thickness, each, r.UnconvergedSteps(), r.moved())
		if each > 150 || r.moved() > 1e-5 { // plain sweeps: 300 to 600
			t.Errorf("t/R %g: %g sweeps a step, moves %g m", thickness, each, r.moved())
		}
	}
}

// arch adds a semicircular arch of mean radius 1 on two blocks.
func (s *scene) arch(n int, thickness float64) *scene {
	s.box(-1.5, -0.5, 2, 1, 0, 0).box(1.5, -0.5, 2, 1, 0, 0)
	at := func(r float64, i int) r2.Vec {
		sin, cos := math.Sincos(math.Pi * float64(i) / float64(n))
		return r2.Vec{X: r * cos, Y: r * sin}
	}
	for i := range n {
		in, out := 1-thickness/2, 1+thickness/2
		s.polygon([]r2.Vec{at(in, i), at(out, i), at(out, i+1), at(in, i+1)}, 2000)
	}
	return s
}

// An arch of 15 stones stands down to the thickness of Milankovitch and falls below it.
func TestArch(t *testing.T) {
	for _, c := range []struct {
		thickness float64
		stands    bool
	}{{0.1219, true}, {0.1075, true}, {0.09, false}} {
		end := 0.5
		if cases.All() {
			end = 4
		}
		r := start(t, begin(end, under(0), "impulses = { tolerance = 1e-4 }").arch(15, c.thickness).contact(0.75, 0))
		y := r.body(2 + 7).Centre.Y
		fell := r.to(end, func() bool { return y-r.body(2+7).Centre.Y > 0.02 })
		t.Logf("t/R %g: falls %v at %.3f s, moves %.2g m, %.1f sweeps a step, %d unconverged", c.thickness, fell, r.Time, r.moved(), float64(r.Sweeps())/float64(r.N), r.UnconvergedSteps())
		if fell == c.stands {
			t.Errorf("t/R %g: falls is %v", c.thickness, fell)
		}
		if fell {
			within(t, "time of the fall", r.Time, 0.19, 0.05)
		}
	}
}

// topplingFriction returns the friction below which a slope of columns topples, or slides at its toe, by limit
// equilibrium (R. E. Goodman and J. W. Bray, Toppling of rock slopes, Proc. ASCE Specialty Conf. Rock Engineering,
// 1976): columns of a width stand on steps that rise by the same from one to the next, on a base under an angle.
// From the top each presses on the next one by what it would else topple or slide; the lowest stands alone.
func topplingFriction(heights []float64, width, rise, base float64) float64 {
	sin, cos := math.Sincos(base)
	presses := func(friction float64) (force float64) {
		for i := len(heights) - 1; i >= 0; i-- {
			h := heights[i]
			weight, above, below := h*width, 0.0, h // of unit weight; heights of the forces over the column's base
			if i+1 < len(heights) {
				above = min(heights[i+1]+rise, h)
			}
			if i > 0 {
				below = min(heights[i-1]-rise, h)
			}
			topples := (force*(above-friction*width) + 0.5*weight*(h*sin-width*cos)) / below
			slides := force - weight*(friction*cos-sin)/(1-friction*friction)
			if force = max(topples, slides); i > 0 {
				force = max(force, 0)
			}
		}
		return force
	}
	low, high := math.Tan(base), 0.999
	for range 50 {
		if mid := 0.5 * (low + high); presses(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// Toppling slopes: the example of 16 columns of Goodman and Bray, with its limit of friction of 0.7855, and others, in
// either order of bodies and for two tolerances: such columns can also rest below the limit.
func TestGoodmanBray(t *testing.T) {
	within(t, "limit of Goodman and Bray", topplingFriction(columns(10, 6, 4, 6.2), 10, 1, math.Pi/6), 0.7855, 1e-3)
	for _, c := range []struct {
		heights         []float64
		width, base     float64 // degrees
		topples, stands float64 // friction; 0 for 2 % below and above the limit
		turned          bool    // the order of bodies
		tolerance       float64
	}{
		{columns(10, 6, 4, 6.2), 10, 30, 0.77, 0.80, false, 1e-3},
		{columns(10, 6, 4, 6.2), 10, 30, 0.7725, 0.79, true, 1e-3},
		{columns(10, 6, 4, 6.2), 10, 30, 0.76, 0.80, true, 1e-4},
		{columns(6, 4, 6, 8), 10, 30, 0, 0, false, 1e-3},
		{columns(8, 4, 4, 6.2), 8, 30, 0, 0, false, 1e-3},
		{columns(7, 4, 5, 7), 10, 25, 0, 0, false, 1e-3},
	} {
		if c.topples == 0 {
			limit := topplingFriction(c.heights, c.width, 1, c.base*math.Pi/180)
			c.topples, c.stands = 0.98*limit, 1.02*limit
		}
		n, crest := len(c.heights), slices.Index(c.heights, slices.Max(c.heights))
		for _, friction := range []float64{c.topples, c.stands} {
			s := begin(12, under(-c.base*math.Pi/180), fmt.Sprintf("impulses = { tolerance = %g }", c.tolerance))
			s.box(-3*c.width, -10, 6*c.width, 20, 0, 0)
			for i := range n {
				top := float64(i + 1)
				s.box(c.width*(float64(i)+0.5), top/2-10, c.width, 20+top, 0, 0)
			}
			highest := n + 1 + crest
			if c.turned {
				highest = 2*n - crest
			}
			for i := range n {
				if c.turned {
					i = n - 1 - i
				}
				h := c.heights[i]
				s.box(c.width*(float64(i)+0.5), float64(i+1)+h/2, c.width, h, 0, 2500)
			}
			r := start(t, s.contact(friction, 0))
			name := fmt.Sprintf("b%d", highest)
			fell := r.to(12, func() bool {
				return elementary.Norm(r2.Sub(r.body(highest).Centre, r.first[name].Centre)) > 0.1*c.width
			})
			t.Logf("%d columns, friction %.4g: falls %v at %.2f s, moves %.2g m, %.1f sweeps a step, %d of %d unconverged", n, friction, fell, r.Time, r.moved(), float64(r.Sweeps())/float64(r.N), r.UnconvergedSteps(), r.N)
			if fell != (friction == c.topples) {
				t.Errorf("%d columns, friction %g: topples is %v", n, friction, fell)
			}
		}
	}
}

// columns returns heights of columns: so many that grow by the same from the toe to the crest, and so many that
// fall behind it [m].
func columns(up, down int, grow, fall float64) (heights []float64) {
	for i := range up {
		heights = append(heights, grow*float64(i+1))
	}
	for range down {
		heights = append(heights, heights[len(heights)-1]-fall)
	}
	return heights
}

// waveSpeed returns the speed of a wave of dominoes of height h and thickness d with gaps between them, which lean on
// one another without friction (J. M. J. van Leeuwen, Physica A 389, 2010): all that have fallen follow the angle of
// the first, h sin(a_behind - a) = (gap + d) cos a - d, and keep their energy until the next one is hit, which takes
// its part of their momentum without restitution. The speed is that between two of them, after the first began with
// 20 rad/s.
func waveSpeed(h, d, gap float64, from, to int) float64 {
	const parts = 400
	pitch, least, inertia := gap+d, math.Asin(gap/h), (h*h+d*d)/3 // of a unit mass about the corner
	chain := func(angle float64, n int) (mass, height float64) {  // of n dominoes: over the inertia of the first, and the energy of weight
		for rate := 1.0; n > 0; n-- {
			mass += rate * rate
			height += 0.5 * g * (h*math.Cos(angle) + d*math.Sin(angle))
			lean := math.Asin((pitch*math.Cos(angle) - d) / h)
			rate *= 1 - pitch*math.Sin(angle)/h/math.Cos(lean)
			angle += lean
		}
		return mass, height
	}
	spin, time := 20.0, 0.0
	for n := 1; n <= to; n++ {
		if n == from+1 {
			time = 0
		}
		mass, height := chain(0, n)
		energy := 0.5*inertia*mass*spin*spin + height
		for k := range parts {
			m, v := chain((float64(k)+0.5)/parts*least, n)
			time += least / parts / math.Sqrt(2*(energy-v)/(inertia*m))
		}
		mass, height = chain(least, n)
		spin = math.Sqrt(2*(energy-height)/(inertia*mass)) * mass / (1 + mass)
	}
	return float64(to-from) * pitch / time
}

// wave returns the speed of a wave of dominoes of height h and thickness d with gaps between them and friction
// between them and on the floor, between the dominoes from and to [m/s].
func wave(t *testing.T, h, d, gap, friction, foot float64, from, to int) float64 {
	n := to + 6
	s := begin(3, under(0), "").floor(-1, 4)
	for i := range n {
		more := ""
		if i == 0 {
			more = fmt.Sprintf("angular_velocity = -20\nvelocity = [%v, %v]", 10*h, 10*d)
		}
		s.box(float64(i)*(gap+d), h/2, d, h, 0, 700, more)
	}
	s.contact(friction, 0)
	fmt.Fprintf(s, "[[contact]]\nname = \"foot\"\ncontactor = \"floor\"\nopposite = \"all\"\nfriction = %v\n", foot)
	r := start(t, s)
	hits, last := make([]float64, n), make([]float64, n)
	angle := math.Asin(gap / h)
	r.to(3, func() bool {
		for i := range n {
			a := -r.angle(i)
			if hits[i] == 0 && a >= angle {
				hits[i] = r.Time - r.Last*(a-angle)/(a-last[i])
			}
			last[i] = a
		}
		return hits[to+4] > 0
	})
	closes(t, r.Solver, r.Energies().ExternalWork)
	e := r.Energies()
	t.Logf("errors of solver and positions: %.2g of the work", (math.Abs(e.SolverError)+math.Abs(e.PositionError))/e.ExternalWork)
	return float64(to-from) * (gap + d) / (hits[to] - hits[from])
}

// A wave of dominoes that lean on one another without friction has the speed of theory, for several gaps.
func TestDominoes(t *testing.T) {
	within(t, "speed of van Leeuwen", waveSpeed(0.048, 0.0075, 0.0165, 150, 160), 1.232, 0.003)
	for _, gap := range []float64{0.0165, 0.008, 0.024} {
		within(t, fmt.Sprintf("speed with gaps of %g m", gap), wave(t, 0.048, 0.0075, gap, 0, 3, 14, 24), waveSpeed(0.048, 0.0075, gap, 15, 25), 0.005)
	}
}

// Waves of real dominoes of 48 by 7.5 mm with gaps of one, two and three thicknesses, without and with sandpaper, as
// a student's files of a physics laboratory have them (github.com/JWang1414/winter2026code, advlab/dominos, 2026,
// nopaper.csv and paper.csv, with uncertainties of 1.0, 0.5, 0.5 and 0.3, 0.1 cm/s). They do not say the friction: one
// coefficient between dominoes is chosen for each surface. Measured waves depend less on the gap.
func TestMeasuredDominoes(t *testing.T) {
	for _, c := range []struct{ gap, friction, speed, bound float64 }{
		{0.0075, 0.28, 0.877, 0.06}, {0.015, 0.28, 0.867, 0.02}, {0.0225, 0.28, 0.859, 0.05},
		{0.015, 0.7, 0.573, 0.02}, {0.0225, 0.7, 0.566, 0.02},
	} {
		within(t, fmt.Sprintf("speed with gaps of %g m and friction %g, measured", c.gap, c.friction), wave(t, 0.048, 0.0075, c.gap, c.friction, 0.5, 15, 35), c.speed, c.bound)
	}
}

// collide1D returns the velocities of bodies in a row after all their impacts in pairs: at start positions of facing
// ends, left and right, with velocities, masses and a coefficient of restitution.
func collide1D(left, right, v, mass []float64, restitution, end float64) []float64 {
	left, right, v = slices.Clone(left), slices.Clone(right), slices.Clone(v)
	for now := 0.0; ; {
		next, at := end-now, -1
		for i := range len(v) - 1 {
			if closing := v[i] - v[i+1]; closing > 1e-12 {
				if wait := (left[i+1] - right[i]) / closing; wait < next {
					next, at = wait, i
				}
			}
		}
		for i := range v {
			left[i], right[i] = left[i]+next*v[i], right[i]+next*v[i]
		}
		if now += next; at < 0 {
			return v
		}
		p := (1 + restitution) * (v[at] - v[at+1]) / (1/mass[at] + 1/mass[at+1])
		v[at] -= p / mass[at]
		v[at+1] += p / mass[at+1]
	}
}

// Newton's cradle with gaps, of equal and other discs, elastic and not, has the velocities of impacts in pairs.
func TestCradle(t *testing.T) {
	for _, c := range []struct {
		radii       []float64
		shot        int
		restitution float64
		more        string
	}{
		{[]float64{0.05, 0.05, 0.05, 0.05, 0.05}, 1, 1, ""}, {[]float64{0.05, 0.05, 0.05, 0.05, 0.05}, 1, 0.5, ""}, {[]float64{0.05, 0.05, 0.05, 0.05, 0.05}, 1, 0, ""},
		{[]float64{0.03, 0.05, 0.08, 0.04}, 1, 1, ""}, {[]float64{0.08, 0.05, 0.03}, 1, 0.8, ""}, {[]float64{0.03, 0.06, 0.03, 0.06}, 2, 0.3, "step = 1e-5"}, // impacts follow one another fast
	} {
		s := begin(0.5, r2.Vec{}, c.more)
		var left, right, v, mass []float64
		for i, radius := range c.radii {
			x, speed := radius, 0.0
			if i > 0 {
				x = right[i-1] + 0.0013 + 0.0004*float64(i) + radius
			}
			if i < c.shot {
				speed = 1
			}
			left, right = append(left, x-radius), append(right, x+radius)
			v, mass = append(v, speed), append(mass, radius*radius)
			s.disc(x, 0, radius, 7800, fmt.Sprintf("velocity = [%v, 0]", speed))
		}
		r := start(t, s.contact(0, c.restitution))
		r.to(0.5, nil)
		for i, want := range collide1D(left, right, v, mass, c.restitution, 0.5) {
			got := r.body(i).Velocity.X
			t.Logf("radii %v, %d in, restitution %g: disc %d has %.9f m/s, pairs %.9f", c.radii, c.shot, c.restitution, i, got, want)
			if math.Abs(got-want) > 1e-6 {
				t.Errorf("radii %v, %d in, restitution %g: disc %d has %g m/s, want %g", c.radii, c.shot, c.restitution, i, got, want)
			}
		}
	}
}

// Particles are discs with the moment of inertia of spheres: they roll down a slope by theory and rest
// against a wall.
func TestParticlesRoll(t *testing.T) {
	angle := 0.2
	s := begin(1, under(angle), "").floor(-1, 10)
	s.WriteString("[[particle]]\nname = \"p\"\nposition = [0, 0.01]\nradius = 0.01\ngrid = [3, 1]\nspacing = 0.05\ndensity = 2500\n")
	r := start(t, s.contact(0.5, 0))
	r.to(1, nil)
	for _, m := range r.Motions() {
		if m.Name == "p" {
			within(t, "speed", m.Velocity.X, g*math.Sin(angle)/1.4, 1e-3)
			within(t, "mass", m.Mass, 3*2500*4./3*math.Pi*1e-6, 1e-9)
		}
	}
}

// The errors of solver and positions of dominoes, their magnitudes added, stay below 2 % of the work at a step of 1
// ms, and fall with the step.
func TestDominoesAtLongSteps(t *testing.T) {
	for _, step := range []float64{1e-3, 0.25e-3} {
		s := begin(0.8, under(0), fmt.Sprintf("step = %g", step)).floor(-1, 2)
		for i := range 12 {
			more := ""
			if i == 0 {
				more = "angular_velocity = -6\nvelocity = [0.144, 0.0225]"
			}
			s.box(float64(i)*0.024, 0.024, 0.0075, 0.048, 0, 700, more)
		}
		r := start(t, s.contact(0.2, 0))
		r.to(0.8, nil)
		e := r.Energies()
		share := (math.Abs(e.SolverError) + math.Abs(e.PositionError)) / e.ExternalWork
		t.Logf("step %g s: errors %.3g of the work, solver %.3g J, positions %.3g J of %.3g J", step, share, e.SolverError, e.PositionError, e.ExternalWork)
		if !(share < 20*step) {
			t.Errorf("step %g s: %g of the work", step, share)
		}
	}
}

// A step of the deck that is too long for falling bodies is shortened before they pass through anything; one that is
// too long at the start is an error.
func TestLongStep(t *testing.T) {
	s := begin(2, under(0), "step = 0.1").floor(-2, 2).box(0, 3.25, 0.5, 0.5, 0, 2000).contact(0.5, 0)
	r := start(t, s)
	longest := 0.0
	r.to(2, func() bool {
		longest = max(longest, r.Last)
		return false
	})
	if y := r.body(0).Centre.Y; math.Abs(y-0.25) > 0.01 || longest < 0.09 {
		t.Errorf("the box ends at a height of %g m, by steps up to %g s", y, longest)
	}
	closes(t, r.Solver, r.Energies().ImpactLoss)
	d, err := deck.Parse("m.toml", []byte(strings.Replace(s.String(), "step = 0.1", "step = 1", 1)))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	var wrong *solver.StepError
	if _, err = solver.New(m); !errors.As(err, &wrong) || math.Abs(wrong.Limit-math.Sqrt(0.25*0.5/g)) > 1e-3 {
		t.Errorf("a step of 1 s gives %v", err)
	}
}
