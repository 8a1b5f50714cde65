package view

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// A square that has moved, turned and been stretched is drawn where it is, turned as it is, with its
// stretch enlarged; a square with a node that has not moved stands, with all of its displacements
// enlarged; a rigid outline and a node by itself are where they are. In a static analysis, and on
// request, displacements are enlarged.
func TestMagnifiedDeformation(t *testing.T) {
	square := func(x float64) []r2.Vec { return []r2.Vec{{X: x}, {X: x + 1}, {X: x + 1, Y: 1}, {X: x, Y: 1}} }
	s := &static{points: append(append(square(0), square(5)...), r2.Vec{X: 9}, r2.Vec{X: 10}, r2.Vec{X: 20})}
	s.triangles = [][3]int32{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}}
	s.lines = [][2]int32{{8, 9}}
	const stretch, angle, magnify = 1e-3, 0.3, 50
	middle, to := r2.Vec{X: 0.5, Y: 0.5}, r2.Vec{X: 3.5, Y: -1.5}
	place := func(p r2.Vec, by float64) r2.Vec { // where a node of the first square is with this stretch along x
		a := r2.Sub(p, middle)
		return r2.Add(to, r2.Rotate(r2.Vec{X: (1 + by) * a.X, Y: a.Y}, angle, r2.Vec{}))
	}
	moved := make([]float32, 2*len(s.points))
	set := func(n int, x r2.Vec) {
		moved[2*n], moved[2*n+1] = float32(x.X-s.points[n].X), float32(x.Y-s.points[n].Y)
	}
	for n := range 4 {
		set(n, place(s.points[n], stretch))
	}
	set(6, r2.Vec{X: 6.002, Y: 1})
	for n := 8; n < 11; n++ {
		set(n, r2.Add(s.points[n], r2.Vec{X: 0.25, Y: 2}))
	}
	f := &Folder{static: s}
	x := f.drawnAt(&Meta{}, moved, &Pictures{Magnify: magnify})
	want := append([]r2.Vec{}, s.points...)
	for n := range 4 {
		want[n] = place(s.points[n], magnify*stretch)
	}
	want[6].X += magnify * 0.002
	for n := 8; n < 11; n++ {
		want[n] = r2.Add(want[n], r2.Vec{X: 0.25, Y: 2})
	}
	for n := range want {
		if d := r2.Norm(r2.Sub(x[n], want[n])); !(d < 1e-4) {
			t.Errorf("node %d is drawn at %v, want %v", n, x[n], want[n])
		}
	}
	whole := displaced(s.points, moved, magnify)
	for _, c := range []struct {
		m Meta
		o Pictures
	}{{Meta{Static: true}, Pictures{Magnify: magnify}}, {Meta{}, Pictures{Magnify: magnify, Displacements: true}}} {
		for n, got := range f.drawnAt(&c.m, moved, &c.o) {
			if math.Abs(got.X-whole[n].X)+math.Abs(got.Y-whole[n].Y) > 0 {
				t.Errorf("%+v: node %d is drawn at %v, want %v", c, n, got, whole[n])
			}
		}
	}
}
