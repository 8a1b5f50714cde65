package cohesive

import (
	"math"

	"fdem/materials/elementary"
)

// Steepest returns by how much Used, and Greatest, grow at most with a change of the
// traction, or of the stress in Frobenius' norm [1/Pa].
func (s Strength) Steepest() float64 {
	return max(1/s.Tension, math.Sqrt(1+float64(s.Friction*s.Friction))/s.Cohesion)
}

// PlaneMargin returns how far the traction (normal, shear) [Pa] on a plane may go, in any
// direction, before the plane uses more than a level of its strength [Pa]; less than that
// where it is not known, and 0 or less where the plane uses so much already.
//
// A traction that goes no farther than e to the line |shear| + friction normal = level c
// does not reach it while it presses, and uses hypot((normal+e)/f, (|shear|+e)/c) at most
// where it pulls. Steepest bounds what is left.
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

// Margin returns how far the in-plane stress xx, yy, xy [Pa] may go, in Frobenius' norm, before
// any plane uses more than a level of its strength [Pa]; less than that where it is not
// known, and 0 or less where a plane uses so much already.
//
// With p and r of Mohr's circle, no plane uses the level u while p + r <= u f and
// r h + friction p <= u c, h = sqrt(1 + friction^2), where c is f or more: the second line
// bounds |shear| + friction normal of all planes, so |shear| of those that pull by u c and,
// since then hypot(normal/f, shear/c) is greatest on the plane of p + r or on that without
// normal traction, what these use. A change e of the stress has p^2 + r^2 = e^2/2 at most,
// so it changes p + r by e, and r h + friction p by e sqrt((h^2 + friction^2)/2).
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
