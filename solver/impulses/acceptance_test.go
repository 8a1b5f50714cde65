package impulses_test

import (
	"fmt"
	"math"
	"testing"

	"fdem/materials/elementary"

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
// says (G. W. Housner, Bull. Seismol. Soc. Am. 53, 1963), to 1 %, and 1.5 % for a wide block.
func TestRockingBlock(t *testing.T) {
	rocks(t, 0.2, 0.5, 0.01)
	rocks(t, 0.1, 0.3, 0.01) // so slow that its corners would not rebound
	rocks(t, 0.35, 0.5, 0.015)
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
	if *all {
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
	if !*all {
		t.Skip("some seconds: go test ./solver/impulses -all")
	}
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
		if *all {
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

// The toppling slope of Goodman and Bray (1976), example of 16 blocks, limit of friction 0.7855.
func TestGoodmanBray(t *testing.T) {
	for _, friction := range []float64{0.77, 0.80} {
		heights := []float64{4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 33.8, 27.6, 21.4, 15.2, 9, 2.8}
		s := begin(12, r2.Vec{X: -5, Y: -8.660254037844387}, "")
		s.box(-30, -10, 60, 20, 0, 0)
		for i := range heights {
			top := float64(i + 1)
			s.box(10*float64(i)+5, top/2-10, 10, 20+top, 0, 0)
		}
		for i, h := range heights {
			s.box(10*float64(i)+5, float64(i+1)+h/2, 10, h, 0, 2500)
		}
		r := start(t, s.contact(friction, 0))
		fell := r.to(12, func() bool {
			return elementary.Norm(r2.Sub(r.body(17+9).Centre, r.first["b26"].Centre)) > 1
		})
		t.Logf("friction %g: falls %v at %.2f s, moves %.2g m, %.1f sweeps a step, %d of %d unconverged", friction, fell, r.Time, r.moved(), float64(r.Sweeps())/float64(r.N), r.UnconvergedSteps(), r.N)
		if fell != (friction < 0.7855) {
			t.Errorf("friction %g: topples is %v", friction, fell)
		}
	}
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

// A wave of dominoes that lean on one another without friction has the speed of theory, for several gaps.
func TestDominoes(t *testing.T) {
	within(t, "speed of van Leeuwen", waveSpeed(0.048, 0.0075, 0.0165, 150, 160), 1.232, 0.003)
	for _, gap := range []float64{0.0165, 0.008, 0.024} {
		const h, d, n = 0.048, 0.0075, 30
		s := begin(2.5, under(0), "").floor(-1, 2)
		for i := range n {
			more := ""
			if i == 0 {
				more = "angular_velocity = -20\nvelocity = [0.48, 0.075]"
			}
			s.box(float64(i)*(gap+d), h/2, d, h, 0, 700, more)
		}
		s.contact(0, 0)
		s.WriteString("[[contact]]\nname = \"foot\"\ncontactor = \"floor\"\nopposite = \"all\"\nfriction = 3\n")
		r := start(t, s)
		var hits [n]float64
		var last [n]float64
		angle := math.Asin(gap / h)
		r.to(2.5, func() bool {
			for i := range n {
				a := -r.angle(i)
				if hits[i] == 0 && a >= angle {
					hits[i] = r.Time - r.Last*(a-angle)/(a-last[i])
				}
				last[i] = a
			}
			return hits[n-2] > 0
		})
		within(t, fmt.Sprintf("speed with gaps of %g m", gap), 10*(gap+d)/(hits[24]-hits[14]), waveSpeed(h, d, gap, 15, 25), 0.005)
		closes(t, r.Solver, r.Energies().ExternalWork)
		e := r.Energies()
		t.Logf("errors of solver and positions: %.2g of the work", (math.Abs(e.SolverError)+math.Abs(e.PositionError))/e.ExternalWork)
	}
}

// Newton's cradle with gaps passes the velocity on.
func TestCradle(t *testing.T) {
	for _, shot := range []int{1} {
		s := begin(0.5, r2.Vec{}, "")
		for i := range 5 {
			x, more := float64(i)*0.101, ""
			if i < shot {
				x, more = x-0.01, "velocity = [1, 0]"
			}
			s.disc(x, 0, 0.05, 7800, more)
		}
		r := start(t, s.contact(0, 1))
		r.to(0.5, nil)
		for i := range 5 {
			want := 0.0
			if i >= 5-shot {
				want = 1
			}
			if got := r.body(i).Velocity.X; math.Abs(got-want) > 1e-6 {
				t.Errorf("%d in: disc %d has %g m/s, want %g", shot, i, got, want)
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
