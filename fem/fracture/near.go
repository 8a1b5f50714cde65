package fracture

import (
	"math"

	"fdem/fem"

	"gonum.org/v1/gonum/spatial/r2"
)

// strengthBounds are cheap lower bounds of the strength of a region; all 0 where there is
// no bound.
type strengthBounds struct {
	tension, shear     float64 // of the mean and the radius of Mohr's circle: p + r >= tension or r >= shear [Pa]
	size               float64 // of a tensile traction [Pa]
	cohesion, friction float64 // of a compressive traction: |shear| - friction |normal| >= cohesion [Pa]
}

func (r *region) newBounds() strengthBounds {
	const used = 0.998 // margin for rounding
	s := &r.Law.Strength
	h := math.Sqrt(1 + float64(s.Friction*s.Friction))
	size := used * r.weakest * min(s.Tension, s.Cohesion)
	return strengthBounds{patchUse * size, used * patchUse * r.weakest * s.Cohesion / h, size, used * r.weakest * s.Cohesion, s.Friction}
}

// belowPatch tells whether a mean stress is safely below the part of the strength that the patch
// test needs.
func (n *strengthBounds) belowPatch(mean fem.Stress) bool {
	p, q := float64(0.5*(mean.XX+mean.YY)), 0.5*(mean.XX-mean.YY)
	square, left := float64(q*q)+float64(mean.XY*mean.XY), n.tension-p
	return left > 0 && square < float64(left*left) && square < float64(n.shear*n.shear)
}

// belowStrength tells whether the internal force of a chord uses less than the given part of the
// strength; the normal is as long as the chord.
func (n *strengthBounds) belowStrength(internal, chord r2.Vec, thickness, used float64) bool {
	c2 := float64(chord.X*chord.X) + float64(chord.Y*chord.Y)
	half := 0.5 * used * thickness * c2 // of a traction that is 1 Pa
	if pull := float64(internal.X*chord.X) + float64(internal.Y*chord.Y); pull < 0 {
		shear := float64(internal.Y*chord.X) - float64(internal.X*chord.Y)
		return math.Abs(shear)+float64(n.friction*pull) < n.cohesion*half
	}
	return float64((float64(internal.X*internal.X)+float64(internal.Y*internal.Y))*c2) < float64(n.size*half)*float64(n.size*half)
}

// boundsOf returns the bounds of fan k.
func (z *Zone) boundsOf(k int32) (n strengthBounds) {
	if r := z.fans.region[k]; r != several {
		n = z.regions[r].bounds
	}
	return n
}

// strained tells whether a prescribed crack passes through a fan, or the fan's mean stress passes
// the patch test for the strength of one of its spokes in some direction.
func (z *Zone) strained(k int32, mean fem.Stress) bool {
	if r := z.fans.region[k]; r != several {
		return z.regions[r].strained(mean)
	}
	for _, q := range z.fans.spokesOf(k) {
		if q >= 0 && z.regions[z.edges[q].Region].strained(mean) {
			return true
		}
	}
	return false
}

func (r *region) strained(mean fem.Stress) bool {
	return r.Prescribed || !r.bounds.belowPatch(mean) && r.Law.Greatest(mean.XX, mean.YY, mean.XY) >= float64(0.999*patchUse*r.weakest)
}
