package fracture

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// scattered makes a Delaunay mesh of random points, at least 0.8 h from one another.
func scattered(w, hgt, h float64, seed uint64) (n net) {
	r := rand.New(rand.NewPCG(seed, 3))
	nx, ny := int(math.Round(w/h)), int(math.Round(hgt/h))
	for i := 0; i <= nx; i++ {
		n.x = append(n.x, r2.Vec{X: w * float64(i) / float64(nx)}, r2.Vec{X: w * float64(i) / float64(nx), Y: hgt})
	}
	for j := 1; j < ny; j++ {
		n.x = append(n.x, r2.Vec{Y: hgt * float64(j) / float64(ny)}, r2.Vec{X: w, Y: hgt * float64(j) / float64(ny)})
	}
	grid := map[[2]int][]int{}
	put := func(i int) {
		k := [2]int{int(n.x[i].X / h), int(n.x[i].Y / h)}
		grid[k] = append(grid[k], i)
	}
	for i := range n.x {
		put(i)
	}
	for range int(w * hgt / h / h * 120) {
		p := r2.Vec{X: r.Float64() * w, Y: r.Float64() * hgt}
		if p.X < .6*h || p.X > w-.6*h || p.Y < .6*h || p.Y > hgt-.6*h {
			continue
		}
		a, b, ok := int(p.X/h), int(p.Y/h), true
		for i := a - 1; i <= a+1; i++ {
			for j := b - 1; j <= b+1; j++ {
				for _, q := range grid[[2]int{i, j}] {
					ok = ok && r2.Norm(r2.Sub(n.x[q], p)) >= .8*h
				}
			}
		}
		if ok {
			n.x = append(n.x, p)
			put(len(n.x) - 1)
		}
	}
	count := int32(len(n.x))
	p := append(slices.Clone(n.x), r2.Vec{X: -1000 * w, Y: -900 * w}, r2.Vec{X: 1100 * w, Y: -950 * w}, r2.Vec{X: 30 * w, Y: 1500 * w})
	for i := range count { // the outline bulges a little, so that its edges are found
		x, y := p[i].X/w-.5, p[i].Y/hgt-.5
		if math.Abs(x) > .499 {
			p[i].X += 1e-5 * h * (1 - 4*y*y) * math.Copysign(1, x)
		}
		if math.Abs(y) > .499 {
			p[i].Y += 1e-5 * h * (1 - 4*x*x) * math.Copysign(1, y)
		}
	}
	type circle struct {
		v      [3]int32
		centre r2.Vec
		radius float64
	}
	around := func(a, b, c int32) circle {
		q, s := r2.Sub(p[b], p[a]), r2.Sub(p[c], p[a])
		d := 2 * r2.Cross(q, s)
		u := r2.Vec{X: (s.Y*r2.Norm2(q) - q.Y*r2.Norm2(s)) / d, Y: (q.X*r2.Norm2(s) - s.X*r2.Norm2(q)) / d}
		return circle{[3]int32{a, b, c}, r2.Add(p[a], u), r2.Norm(u)}
	}
	all := []circle{around(count, count+1, count+2)}
	for i := range count {
		sides := map[[2]int32]bool{}
		var order [][2]int32
		keep := all[:0]
		for _, t := range all {
			if r2.Norm(r2.Sub(p[i], t.centre)) >= t.radius {
				keep = append(keep, t)
				continue
			}
			for k := range 3 {
				e := [2]int32{t.v[k], t.v[(k+1)%3]}
				sides[e] = true
				order = append(order, e)
			}
		}
		all = keep
		for _, e := range order {
			if !sides[[2]int32{e[1], e[0]}] {
				all = append(all, around(e[0], e[1], i))
			}
		}
	}
	for _, t := range all {
		if t.v[0] >= count || t.v[1] >= count || t.v[2] >= count {
			continue
		}
		a := r2.Cross(r2.Sub(n.x[t.v[1]], n.x[t.v[0]]), r2.Sub(n.x[t.v[2]], n.x[t.v[0]]))
		if a > 1e-3*h*h {
			n.tri = append(n.tri, t.v)
		} else if a < -1e-3*h*h {
			n.tri = append(n.tri, [3]int32{t.v[0], t.v[2], t.v[1]})
		}
	}
	slices.SortFunc(n.tri, func(a, b [3]int32) int { return slices.Compare(a[:], b[:]) })
	return n
}
