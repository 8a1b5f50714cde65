package contactnodes

import (
	"math/rand"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// The number of contact nodes on a straight edge hardly matters under a linear law: energy
// and force are those of many, the stiffness for the step is no less than 19 find and
// little more than 20 of them did, and a peak pressure is one over a twentieth of an edge,
// on one side where the deepest point is between two opposite edges.
func TestFewContactNodesDo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewSource(rapid.Int64().Draw(rt, "seed")))
		p := newPair(t, penalty(t, 1e9), 0, star("fixed", r2.Vec{}, radii(rng, 7, 0.3), 0.1), star("moved", r2.Vec{X: 3}, radii(rng, 5, 0.3), rng.Float64()))
		c := p.contacts[0]
		first, whole := 1.0, 3.0 // displacement from first contact to the middle
		for range 30 {
			if mid := 0.5 * (first + whole); outlinesMeet(p.m, moved(p.m, r2.Vec{X: -mid})) {
				whole = mid
			} else {
				first = mid
			}
		}
		x := moved(p.m, r2.Vec{X: -whole - rapid.Float64Range(1e-4, 0.02).Draw(rt, "depth")})
		v := make([]r2.Vec, len(x))
		of := func(nodes int) (stored, stiffness, peak float64, force r2.Vec) {
			config := c.Config
			config.Nodes, config.TwoSided = nodes, false
			p.contacts[0] = byNodes(New(config, p.o, p.m.X, make([]float64, len(x))))
			stored, _ = p.evaluate(t, x, v, 1e-6)
			for i := range x {
				stiffness += p.out.At(int32(i)).Stiffness
			}
			return stored, stiffness, p.contacts[0].Peak(), p.contacts[0].Resultant
		}
		stored, _, peak, force := of(400)
		_, stiffness, _, _ := of(manyNodes - 1)
		few, stiff, highest, pressed := of(4)
		_, usual, usualPeak, _ := of(20)
		if r := few / stored; !(r > 1-1e-9 && r < 1+1e-9) {
			rt.Fatalf("energy %g J, that of many %g", few, stored)
		}
		if r := r2.Norm(r2.Sub(pressed, force)) / r2.Norm(force); !(r < 1e-9) {
			rt.Fatalf("force %v N, that of many %v", pressed, force)
		}
		if !(stiff >= 0.999*stiffness && stiff <= 1.25*usual) {
			rt.Fatalf("stiffness %g N/m, %g of 19, %g of the usual", stiff, stiffness, usual)
		}
		if !(highest >= 0.7*usualPeak && highest <= 1.001*peak) {
			rt.Fatalf("peak pressure %g Pa, %g of many, %g of the usual", highest, peak, usualPeak)
		}
	})
}
