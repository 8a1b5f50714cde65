package solver

import (
	"math"

	"fdem/materials/elementary"
)

// Time to collision of spheres, see contact_clearance.go. Among themselves they near each other by
// what their velocities differ, so that a cloud may fall; of the rest they near by what all
// have.

// followClearances subtracts the displacement of the last step from the clearances, and measures them
// when half of one is used up.
func (k *balls) followClearances() {
	c, last := &k.far, k.view.Last
	follow, first := c.begin(k.view.N)
	if !follow {
		return
	}
	others := c.nearer(0, float64(k.closingSpeed()*last), k.smallest)
	if rest := c.nearer(1, float64(k.approachSpeed()*last), k.smallest); others || rest || first {
		fromOthers, fromRest := k.clearances()
		c.set(0, fromOthers)
		c.set(1, fromRest)
	}
}

// clearances measures how far spheres are from one another and from the rest [m].
func (k *balls) clearances() (fromOthers, fromRest float64) {
	x := k.OutlineNodes()
	for _, i := range k.Used() {
		x[i] = k.view.X[k.outline.nodes[i]]
	}
	return k.Clearances()
}

// closingSpeed bounds the speed with which spheres come nearer to one another [m/s], where
// their clearance is worth the search.
func (k *balls) closingSpeed() float64 {
	if k.far.Clearances[0] <= 0 {
		return 2 * k.Fastest()
	}
	return k.Spread()
}

// approachSpeed bounds the speed with which a sphere and a wall or an outline come nearer
// to each other [m/s].
func (k *balls) approachSpeed() float64 {
	fastest := k.outline.fastest
	for i := range k.bodies.list {
		r := &k.bodies.list[i]
		fastest = max(fastest, elementary.Norm(r.RigidMotion.Velocity)+float64(math.Abs(r.Spin)*r.far))
	}
	return k.Fastest() + fastest
}

// timeToContact returns the longest step after which spheres are still many steps of that length
// from what they may meet [s]; 0 where they are near. In flight they have one acceleration.
func (k *balls) timeToContact() float64 {
	d := k.far.Clearances
	if len(d) == 0 || d[0] <= 0 || d[1] <= 0 {
		return 0
	}
	return min(
		closing{k.closingSpeed(), 0}.timeToContact(d[0]),
		closing{k.approachSpeed() + k.bodies.ahead(), 2 * k.bodies.acceleration()}.timeToContact(d[1]))
}

// nearLimit returns the longest step with which spheres may meet at the speeds that they
// have [s].
func (k *balls) nearLimit() float64 {
	if len(k.far.Clearances) == 0 {
		return math.Inf(1)
	}
	return k.nearStep
}
