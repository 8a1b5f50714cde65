package shapes

import (
	"math/rand/v2"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// The greatest displacement of nodes along x and along y in Perturb, relative to
// the edge, and the least part of its area that a triangle keeps.
const (
	perturbation = 0.2
	heightKept   = 0.5
)

// Perturb moves the inner nodes of the triangles from number first on at random, along
// x and along y by at most a fifth of the edge [m], so that cracks do not follow rows
// of triangles. Nodes of the outline stay. If a triangle would lose more than half of
// its area, its nodes move less. A seed gives the same mesh on every machine.
func Perturb(src *mesh.Source, first int, edge float64, seed uint64) {
	triangles := src.Triangles[first:]
	shared := map[[2]int32]int{}
	for _, t := range triangles {
		for k := range 3 {
			a, b := t[k], t[(k+1)%3]
			shared[[2]int32{min(a, b), max(a, b)}]++
		}
	}
	stays := map[int32]bool{}
	for e, n := range shared {
		if n == 1 {
			stays[e[0]], stays[e[1]] = true, true
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0x7368616b65))
	by := map[int32]r2.Vec{}
	for _, t := range triangles {
		for _, n := range t {
			if _, seen := by[n]; seen || stays[n] {
				continue
			}
			dx, dy := float64(2*float64(rng.Float64()))-1, float64(2*float64(rng.Float64()))-1
			by[n] = r2.Vec{X: float64(perturbation * edge * dx), Y: float64(perturbation * edge * dy)}
		}
	}
	for range 20 { // each round halves displacements that are too large
		if !halveMoves(src, triangles, by) {
			break
		}
	}
	for n, d := range by {
		src.X[n] = r2.Add(src.X[n], d)
	}
}

// halveMoves halves the displacements of the nodes of triangles that would lose too much area.
// It tells whether there are such triangles.
func halveMoves(src *mesh.Source, triangles [][3]int32, by map[int32]r2.Vec) (found bool) {
	var less []int32
	for _, t := range triangles {
		var now, then [3]r2.Vec
		for k, n := range t {
			now[k], then[k] = src.X[n], r2.Add(src.X[n], by[n])
		}
		if twice(then) < float64(heightKept*twice(now)) {
			less = append(less, t[:]...)
		}
	}
	halved := map[int32]bool{}
	for _, n := range less {
		if d, moves := by[n]; moves && !halved[n] {
			halved[n] = true
			by[n] = r2.Scale(0.5, d)
		}
	}
	return less != nil
}

// twice returns twice the area of a triangle.
func twice(c [3]r2.Vec) float64 {
	return elementary.Cross(r2.Sub(c[1], c[0]), r2.Sub(c[2], c[0]))
}
