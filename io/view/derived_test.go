package view

import (
	"math"
	"slices"
	"testing"

	"fdem/materials/bulk"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// A triangle that is turned has no strain; one that is stretched by l has (l^2 - 1)/2 along it. The
// parts of a stress are those of Mohr's circle, and the strength used that of the weaker of material
// and planes.
func TestDerivedFields(t *testing.T) {
	x := []r2.Vec{{X: 1, Y: 2}, {X: 3, Y: 2.5}, {X: 1.5, Y: 4}}
	sin, cos := math.Sincos(0.7)
	for _, k := range []struct {
		name string
		at   func(p r2.Vec) r2.Vec
		want []float64
	}{
		{"turned", func(p r2.Vec) r2.Vec { return r2.Vec{X: cos*p.X - sin*p.Y + 5, Y: sin*p.X + cos*p.Y - 8} }, []float64{0, 0, 0}},
		{"stretched", func(p r2.Vec) r2.Vec { return r2.Vec{X: 1.2 * p.X, Y: p.Y} }, []float64{0.22, 0, 0}},
		{"sheared and turned", func(p r2.Vec) r2.Vec {
			q := r2.Vec{X: p.X + 0.1*p.Y, Y: p.Y}
			return r2.Vec{X: cos*q.X - sin*q.Y, Y: sin*q.X + cos*q.Y}
		}, []float64{0, 0.005, 0.05}},
	} {
		var moved []float64
		for _, p := range x {
			u := r2.Sub(k.at(p), p)
			moved = append(moved, u.X, u.Y, 0)
		}
		for c, got := range strains(x, [][3]int32{{0, 1, 2}}, moved, 3) {
			if math.Abs(float64(got)-k.want[c]) > 1e-7 {
				t.Errorf("%s: strain %d is %g, want %g", k.name, c, got, k.want[c])
			}
		}
	}
	if got := derivedParts([]float32{5, -1, 2, 4}); got != [4]float64{7, -3, 5, 2} {
		t.Errorf("parts of a stress %v", got)
	}
	if got := derivedParts([]float32{5, -1, 4}); got != [4]float64{7, -3, 5, 4} {
		t.Errorf("parts of a strain %v", got)
	}
	bodies := []*strength{{Law: &bulk.Strength{Yield: 100}}, nil, {Law: &bulk.Strength{Yield: 100}, Planes: &cohesive.Strength{Tension: 50, Cohesion: 200}}}
	stress := []float64{25, 0, 0, 0, 0, 0}
	if got := used(bodies, []int32{0, 1, 2, 3}, slices.Concat(stress, stress, stress, stress)); !slices.Equal(got, []float32{0.25, 0, 0.5, 0}) {
		t.Errorf("%v of the strengths are used", got)
	}
}
