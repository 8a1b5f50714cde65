package pairs

import (
	"math"
	"math/rand/v2"
	"testing"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// The gradient of the depth of corners above each other is the derivative of the depth, for any motion
// of the two bodies, and moves or turns nothing as a whole. Faces that turn away and depths near the
// thickness are among the poses.
func TestFlushCornersHaveTheirGradient(t *testing.T) {
	const h = 1e-7
	rng := rand.New(rand.NewPCG(4, 9))
	box := func(width, height float64) []r2.Vec {
		return []r2.Vec{{}, {X: width}, {X: width, Y: height}, {Y: height}}
	}
	found, faded, turned := 0, 0, 0
	for range 3000 {
		var s scene
		s.add(box(1, 0.4), Edge{})
		s.add(box(0.7, 0.5), Edge{})
		depth, angle := 0.22*rng.Float64(), 0.7*(2*rng.Float64()-1)
		beside := depth * 1.4 * (2*rng.Float64() - 1)
		pose := func(d r2.Vec, turn float64) float64 {
			for i, x := range box(0.7, 0.5) {
				s.X[4+i] = r2.Add(r2.Rotate(x, angle+turn, r2.Vec{}), r2.Add(d, r2.Vec{X: beside, Y: 0.4 - depth}))
			}
			s.UpdateAll()
			if f := s.FindFlush(nil, 4, 2, 0); len(f) > 0 {
				return f[0].Depth
			}
			return 0
		}
		if pose(r2.Vec{}, 0) < 1e-3 {
			continue
		}
		found++
		if depth > 0.1 {
			faded++
		}
		if math.Abs(angle) > 0.35 {
			turned++
		}
		f := s.FindFlush(nil, 4, 2, 0)[0]
		var all, upper r2.Vec
		var moment, spin float64
		for i, g := range f.Gradient {
			at := s.X[f.Nodes[i]]
			all, moment = r2.Add(all, g), moment+elementary.Cross(at, g)
			if f.Nodes[i] >= 4 {
				upper, spin = r2.Add(upper, g), spin+elementary.Cross(r2.Sub(at, r2.Vec{X: beside, Y: 0.4 - depth}), g)
			}
		}
		want := [3]float64{
			(pose(r2.Vec{X: h}, 0) - pose(r2.Vec{X: -h}, 0)) / (2 * h),
			(pose(r2.Vec{Y: h}, 0) - pose(r2.Vec{Y: -h}, 0)) / (2 * h),
			(pose(r2.Vec{}, h) - pose(r2.Vec{}, -h)) / (2 * h),
		}
		for i, got := range [3]float64{upper.X, upper.Y, spin} {
			if math.Abs(got-want[i]) > 1e-5 {
				t.Fatalf("depth %g, %g beside, turned by %g: derivative %d is %g, the gradient %g", depth, beside, angle, i, want[i], got)
			}
		}
		if elementary.Norm(all) > 1e-12 || math.Abs(moment) > 1e-12 {
			t.Fatalf("depth %g, %g beside, turned by %g: a force %v and a moment %g on both bodies", depth, beside, angle, all, moment)
		}
	}
	if found < 1000 || faded < 100 || turned < 100 {
		t.Errorf("%d poses, %d deep, %d turned", found, faded, turned)
	}
}

// Two corners that pass above each other carry about as much at any place: what one of them carries.
func TestFlushCornersCarryAsOne(t *testing.T) {
	var s scene
	s.add([]r2.Vec{{X: -1, Y: -1}, {Y: -1}, {}, {X: -1}}, Edge{})
	s.add([]r2.Vec{{X: -1}, {}, {Y: 1}, {X: -1, Y: 1}}, Edge{})
	before := append([]r2.Vec(nil), s.X...)
	const depth = 1e-3
	for _, beside := range []float64{-5, -2, -1.4, -1, -0.5, -1e-6, 0, 0.5, 1, 1.4, 2, 5} {
		for i := 4; i < 8; i++ {
			s.X[i] = r2.Add(before[i], r2.Vec{X: beside * depth, Y: -depth})
		}
		s.UpdateAll()
		energy := 0.0
		for _, of := range [2][3]int32{{5, 0, 4}, {2, 4, 8}} { // a corner, the edges of the other
			if d, _ := s.InConvex(nil, of[0], of[1], of[2]); d > 0 {
				energy += d * d
			}
		}
		for _, f := range s.FindFlush(nil, 4, 2, 0) {
			if f.Nodes[0] == 5 {
				energy += f.Depth * f.Depth
			}
		}
		if got := energy / (depth * depth); got < 0.88 || got > 1.01 {
			t.Errorf("%g depths beside: %g of the energy of one corner", beside, got)
		}
	}
}
