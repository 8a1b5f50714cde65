package diffusion

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// heatedEnd is a bar of nodes whose first is held at a temperature that rises.
type heatedEnd struct{ rise float64 }

func (h heatedEnd) ambient(_, _ int32, _ float64) float64 { return 0 }
func (h heatedEnd) gives(_ int32, _ float64) float64      { return 0 }
func (h heatedEnd) held(_, _ int32, at float64) float64   { return float64(h.rise * at) }

// nodesInLine is a network of nodes in a line with capacities and conductances of 1.
func nodesInLine(n int) (*network, []r2.Vec) {
	k, x := &network{capacity: make([]float64, n), has: make([]bool, n), heldBy: make([]int32, n), joined: make([]bool, n)}, make([]r2.Vec, n)
	for i := range n {
		k.capacity[i], k.heldBy[i], k.joined[i], k.has[i] = 1, -1, true, true
		k.used, x[i].X = append(k.used, int32(i)), float64(i)
		if i > 0 {
			k.links = append(k.links, link{a: int32(i - 1), b: int32(i), g: 1})
		}
	}
	k.heldBy[0] = 0
	return k, x
}

// Steps that are shorter than some explicit ones are made of these, without a matrix; longer ones are implicit.
// Both agree to the accuracy of the steps, and neither loses heat.
func TestExplicitWhereCheaper(t *testing.T) {
	const nodes = 200
	var mean [2][]float64
	for i, c := range []struct {
		advances int
		made     bool
	}{{1, true}, {100, false}} {
		k, x := nodesInLine(nodes)
		s := state{theta: make([]float64, nodes), rate: make([]float64, nodes), given: make([]float64, 1), power: make([]float64, 1)}
		w := work{next: make([]float64, nodes)}
		const end = 200 // 800 of 1/fastest
		for j := range c.advances {
			if !s.advance(k, heatedEnd{1.0 / end}, end*float64(j+1)/float64(c.advances), &w, x) {
				t.Fatal("no factor")
			}
		}
		if made := w.matrix != nil; made != c.made {
			t.Errorf("%d increments: a matrix is made: %v", c.advances, made)
		}
		sum := 0.0
		for _, theta := range s.theta {
			sum += theta
		}
		if math.Abs(sum-s.given[0]) > 1e-13*sum {
			t.Errorf("%d increments: nodes have %.17g, were given %.17g", c.advances, sum, s.given[0])
		}
		mean[i] = s.theta
	}
	for n := range mean[0] {
		if d := mean[0][n] - mean[1][n]; math.Abs(d) > 1e-3 {
			t.Errorf("node %d: %g implicitly, %g explicitly", n, mean[0][n], mean[1][n])
		}
	}
	// a half space whose surface becomes warmer evenly has 4 i2erfc at depth x over sqrt(4 t)
	within := func(x, got float64) {
		u := x / math.Sqrt(4*200)
		i2 := 0.25 * ((1+2*u*u)*math.Erfc(u) - 2/math.Sqrt(math.Pi)*u*math.Exp(-u*u))
		if math.Abs(got-4*i2) > 2e-3 {
			t.Errorf("at %g: %g, theory %g", x, got, 4*i2)
		}
	}
	for _, n := range []int{5, 10, 20, 40} {
		within(float64(n), mean[1][n])
	}
}
