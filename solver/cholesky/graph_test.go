package cholesky

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A graph's system is solved, whatever it joins, and a tree fills nothing in.
func TestGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "unknowns")
		var links [][2]int32
		tree := rapid.Bool().Draw(t, "tree")
		for i := 1; i < n; i++ {
			links = append(links, [2]int32{int32(i), int32(rapid.IntRange(0, i-1).Draw(t, "to"))})
		}
		for range rapid.IntRange(0, 20).Draw(t, "more") {
			a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
			if a != b && !tree {
				links = append(links, [2]int32{int32(a), int32(b)})
			}
		}
		var g Graph
		g.Arrange(n, links)
		if tree && len(g.rows) != n-1 {
			t.Fatalf("a tree of %d has %d entries", n, len(g.rows))
		}
		diagonal, right := make([]float64, n), make([]float64, n)
		for i := range n {
			diagonal[i], right[i] = rapid.Float64Range(1e-3, 2).Draw(t, "d"), rapid.Float64Range(-1, 1).Draw(t, "r")
		}
		weights := make([]float64, len(links))
		g.Clear()
		for i, l := range links {
			weights[i] = rapid.Float64Range(0, 100).Draw(t, "w")
			g.Add(i, -weights[i])
			diagonal[l[0]] += weights[i]
			diagonal[l[1]] += weights[i]
		}
		x := g.Solve(diagonal, right)
		size := 0.0
		for _, v := range x {
			size = max(size, math.Abs(v))
		}
		for i := range n {
			r, scale := diagonal[i]*x[i]-right[i], diagonal[i]*size+1
			for j, l := range links {
				if int(l[0]) == i {
					r -= weights[j] * x[l[1]]
				}
				if int(l[1]) == i {
					r -= weights[j] * x[l[0]]
				}
			}
			if math.Abs(r) > 1e-11*scale {
				t.Fatalf("residual %g of %g", r, scale)
			}
		}
	})
}
