package cohesive

import (
	"math"

	"fdem/materials/elementary"
)

// Steepest returns the greatest growth of Used per change of the traction, and of
// Greatest per change of the stress in Frobenius' norm [1/Pa].
func (s Strength) Steepest() float64 {
	return max(1/s.Tension, math.Sqrt(1+float64(s.Friction*s.Friction))/s.Cohesion)
}

// PlaneMargin returns a lower bound of the change of the traction (normal, shear) on a
// plane [Pa], in any direction, at which the plane uses a level of its strength. It is 0
// or less if the plane already uses so much.
//
// Consider a traction that changes by e towards the line |shear| + friction normal =
// level c. Under pressure it does not reach the line if it is farther away than e. Under
// tension it uses hypot((normal+e)/f, (|shear|+e)/c) at most. Steepest bounds the rest.
func (s Strength) PlaneMargin(normal, shear, level float64) float64 {
	least := (level - s.Used(normal, shear)) / s.Steepest()
	if least <= 0 {
		return least
	}
	most := (float64(level*s.Cohesion) - math.Abs(shear) - float64(s.Friction*normal)) / math.Sqrt(1+float64(s.Friction*s.Friction))
	for e := most; e > least; e *= 0.5 {
		if normal+e <= 0 || elementary.Hypot((normal+e)/s.Tension, (math.Abs(shear)+e)/s.Cohesion) <= level {
			return e
		}
	}
	return least
}

// Margin returns a lower bound of the change of the in-plane stress xx, yy, xy [Pa], in
// Frobenius' norm, at which any plane uses a level of its strength. It is 0 or less if a plane
// already uses so much.
//
// p is the middle and r the radius of Mohr's circle, h = sqrt(1 + friction^2), and c is at
// least f. No plane uses the level u while p + r <= u f and r h + friction p <= u c. The
// second condition bounds |shear| + friction normal of all planes by u c, and so |shear| of
// the planes under tension. Of these, hypot(normal/f, shear/c) is greatest on the plane of
// p + r or on that without normal traction. A change e of the stress has p^2 + r^2 <=
// e^2/2. So it changes p + r by at most e, and r h + friction p by at most e sqrt((h^2 +
// friction^2)/2).
func (s Strength) Margin(xx, yy, xy, level float64) float64 {
	least := (level - s.Greatest(xx, yy, xy)) / s.Steepest()
	if s.Cohesion < s.Tension {
		return least
	}
	p, r := float64(0.5*(xx+yy)), elementary.Hypot(0.5*(xx-yy), xy)
	mu2 := float64(s.Friction * s.Friction)
	h := math.Sqrt(1 + mu2)
	pull := float64(level*s.Tension) - (p + r)
	slide := (float64(level*s.Cohesion) - float64(r*h) - float64(s.Friction*p)) / math.Sqrt(0.5+mu2)
	return max(least, min(pull, slide))
}
