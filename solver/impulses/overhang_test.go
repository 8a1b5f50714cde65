package impulses_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
)

// overhang is a stack of ten equal blocks, from the top, of which each juts out over the one below by k times the
// harmonic series: at k = 1 the weight above every joint acts at its edge.
type overhang struct {
	x    [10]float64 // of the middles [m]
	edge float64     // of the base
	k    float64
}

const overhangWidth, overhangHeight = 1.0, 0.2

func newOverhang(k float64) (o overhang) {
	sum := 0.0
	for i := range o.x {
		o.x[i] = -sum
		sum += 0.5 / float64(i+1) * k
	}
	o.edge, o.k = o.x[9]+0.5-0.5/10*k, k
	return o
}

// hinged is the stack as a chain: every block turns about the upper corner of the one below, to which it has turned
// at least as far.
type hinged struct {
	overhang
	angles, spins [10]float64
}

// positions returns the middles of the blocks, and how they follow the angles.
func (h *hinged) positions() (at [10]r2.Vec, by [10][10]r2.Vec, centripetal [10]r2.Vec) {
	pivot, edge := r2.Vec{X: h.edge}, h.edge
	var pivotBy [10]r2.Vec
	var pivotTo r2.Vec
	left := func(r r2.Vec) r2.Vec { return r2.Vec{X: -r.Y, Y: r.X} }
	for i := 9; i >= 0; i-- {
		sin, cos := math.Sincos(h.angles[i])
		turned := func(x, y float64) r2.Vec { return r2.Vec{X: x*cos - y*sin, Y: x*sin + y*cos} }
		r := turned(h.x[i]-edge, overhangHeight/2)
		at[i], by[i], centripetal[i] = r2.Add(pivot, r), pivotBy, r2.Sub(pivotTo, r2.Scale(h.spins[i]*h.spins[i], r))
		by[i][i] = r2.Add(by[i][i], left(r))
		r = turned(overhangWidth/2, overhangHeight/2)
		pivot, pivotBy, pivotTo = r2.Add(at[i], r), by[i], r2.Sub(centripetal[i], r2.Scale(h.spins[i]*h.spins[i], r))
		pivotBy[i] = r2.Add(pivotBy[i], left(r))
		edge = h.x[i] + overhangWidth/2
	}
	return at, by, centripetal
}

// balance returns what the angles gain, accelerations or velocities, under forces along them: M gain = forces +
// moments of closed joints, which press or open. With start it is rates + gain that closed joints do not have below 0.
func (h *hinged) balance(t testing.TB, closed []int, forces func(by *[10][10]r2.Vec, p int) float64, rates [10]float64) (gain [10]float64) {
	_, by, _ := h.positions()
	inertia := (overhangWidth*overhangWidth + overhangHeight*overhangHeight) / 12 // of a unit mass
	for closed = slices.Clone(closed); ; {
		n := 10 + len(closed)
		m, b, x := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for p := range 10 {
			for q := range 10 {
				sum := 0.0
				if p == q {
					sum = inertia
				}
				for i := range 10 {
					sum += r2.Dot(by[i][p], by[i][q])
				}
				m.Set(p, q, sum)
			}
			b.SetVec(p, forces(&by, p))
		}
		for c, i := range closed {
			m.Set(10+c, i, -1)
			m.Set(i, 10+c, 1)
			if i < 9 {
				m.Set(10+c, i+1, 1)
				m.Set(i+1, 10+c, -1)
			}
			b.SetVec(10+c, -h.opening(i, rates))
		}
		if err := x.SolveVec(m, b); err != nil {
			t.Fatal(err)
		}
		worst := -1
		for c := range closed { // the moment on the block above, clockwise: a joint cannot pull
			if x.AtVec(10+c) < -1e-9 && (worst < 0 || x.AtVec(10+c) < x.AtVec(10+worst)) {
				worst = c
			}
		}
		if worst < 0 {
			for i := range gain {
				gain[i] = x.AtVec(i)
			}
			return gain
		}
		closed = slices.Delete(closed, worst, worst+1)
	}
}

// accelerations returns those of the angles. Joints that have not opened stay closed where they would press.
func (h *hinged) accelerations(t testing.TB) [10]float64 {
	_, _, centripetal := h.positions()
	return h.balance(t, h.shut(1e-9), func(by *[10][10]r2.Vec, p int) (sum float64) {
		for i := range 10 {
			sum += r2.Dot(by[i][p], r2.Sub(r2.Vec{Y: -g}, centripetal[i]))
		}
		return sum
	}, [10]float64{})
}

// shut returns the joints that are closed and open no faster than a rate.
func (h *hinged) shut(rate float64) (closed []int) {
	for i := range 10 {
		if h.opening(i, h.angles) < 1e-9 && h.opening(i, h.spins) < rate {
			closed = append(closed, i)
		}
	}
	return closed
}

// opening returns how far the joint below block i has opened, or its rate. Blocks fall clockwise.
func (h *hinged) opening(i int, of [10]float64) float64 {
	if i == 9 {
		return -of[9]
	}
	return of[i+1] - of[i]
}

// falls returns when the top block is lower by a way [m], with a step [s].
func (h *hinged) falls(t testing.TB, way, step float64) float64 {
	top := func() float64 { at, _, _ := h.positions(); return at[0].Y }
	first, last := top(), top()
	for n := 1; n < 100000; n++ {
		a := h.accelerations(t)
		angles, spins := h.angles, h.spins
		for i := range a { // the middle of the step
			h.angles[i] += 0.5 * step * spins[i]
			h.spins[i] += 0.5 * step * a[i]
		}
		middle := h.spins
		a = h.accelerations(t)
		for i := range a {
			h.angles[i], h.spins[i] = angles[i]+step*middle[i], spins[i]+step*a[i]
		}
		if closes := h.shut(-1e-9); len(closes) > 0 { // an impact without restitution
			gain := h.balance(t, h.shut(1e-9), func(*[10][10]r2.Vec, int) float64 { return 0 }, h.spins)
			for i := range gain {
				h.spins[i] += gain[i]
			}
		}
		if now := top(); first-now > way {
			return step * (float64(n) - 1 + (last-first+way)/(last-now))
		} else {
			last = now
		}
	}
	return math.NaN()
}

// The stack stands at 0.99 of the harmonic series. At 1.01 it falls: by theory, integrated here as a chain of
// blocks that turn about the corners below them, the top is 5 cm lower after 0.9944 s, and its joints close from
// below from 0.75 s on as what is above leaves. The run comes to that with its step.
func TestOverhang(t *testing.T) {
	theory := (&hinged{overhang: newOverhang(1.01)}).falls(t, 0.05, 1e-3)
	if coarse := (&hinged{overhang: newOverhang(1.01)}).falls(t, 0.05, 4e-3); math.Abs(coarse-theory) > 1e-4 {
		t.Errorf("theory has %g s with a step of 1 ms, %g s with 4 ms", theory, coarse)
	}
	for _, c := range []struct{ k, step, within float64 }{{0.99, 0, 0}, {1.01, 0, 1e-3}, {1.01, 2e-3, 5e-3}} {
		o := newOverhang(c.k)
		more := "impulses = { tolerance = 1e-4 }"
		if c.step > 0 {
			more += fmt.Sprintf("\nstep = %v", c.step)
		}
		s := begin(2, under(0), more).box(o.edge-5, -0.5, 10, 1, 0, 0)
		for i := 9; i >= 0; i-- {
			s.box(o.x[i], overhangHeight*(0.5+float64(9-i)), overhangWidth, overhangHeight, 0, 2000)
		}
		r := start(t, s.contact(0.5, 0))
		before := 0.0
		at := func() float64 { return r.first["b10"].Centre.Y - r.body(10).Centre.Y }
		fell := r.to(2, func() bool {
			if now := at(); now <= 0.05 {
				before = now
			}
			return at() > 0.05
		})
		if c.k < 1 {
			t.Logf("at %g of the limit it moves %.2g m", c.k, r.moved())
			if fell || r.moved() > 1e-6 {
				t.Errorf("at %g of the limit the stack falls at %g s, or moves %g m", c.k, r.Time, r.moved())
			}
			continue
		}
		time := r.Time - r.Last*(at()-0.05)/(at()-before)
		t.Logf("at %g of the limit it falls 5 cm in %.4f s with a step of %.3g ms, theory %.4f s", c.k, time, 1000*r.Last, theory)
		within(t, "time of the fall", time, theory, c.within)
	}
}
