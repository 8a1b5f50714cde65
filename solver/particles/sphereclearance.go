package particles

import (
	"math"

	"fdem/materials/elementary"
	"fdem/solver/bodies"
)

// Time to collision of spheres, see package bodies. The distance between two spheres shrinks
// at most by the difference of their velocities, so a cloud that falls as a whole is not limited.
// The distance to other bodies shrinks at most by the full speeds.

// followClearances subtracts the displacement of the last step from the clearances. It measures
// them again when half of one is used up.
func (k *Balls) followClearances() {
	c, last := &k.Far, k.view.Last
	follow, first := c.Begin(k.view.N)
	if !follow {
		return
	}
	others := c.Nearer(0, float64(k.closingSpeed()*last), k.smallest)
	if rest := c.Nearer(1, float64(k.approachSpeed()*last), k.smallest); others || rest || first {
		fromOthers, fromRest := k.SphereClearances()
		c.Set(0, fromOthers)
		c.Set(1, fromRest)
	}
}

// SphereClearances measures the distances of the spheres from one another and from other bodies [m].
func (k *Balls) SphereClearances() (fromOthers, fromRest float64) {
	x := k.OutlineNodes()
	for _, i := range k.Used() {
		x[i] = k.view.X[k.outline.nodes[i]]
	}
	return k.Clearances()
}

// closingSpeed bounds the speed at which two spheres approach each other [m/s]. It uses differences
// of velocities only if the clearance is above 0.
func (k *Balls) closingSpeed() float64 {
	if k.Far.Clearances[0] <= 0 {
		return 2 * k.Fastest()
	}
	return k.Spread()
}

// approachSpeed bounds the speed at which a sphere and a wall or an outline approach each other
// [m/s].
func (k *Balls) approachSpeed() float64 {
	fastest := k.outline.fastest
	for i := range k.bodies.List {
		r := &k.bodies.List[i]
		fastest = max(fastest, elementary.Norm(r.RigidMotion.Velocity)+float64(math.Abs(r.Spin)*r.Far))
	}
	return k.Fastest() + fastest
}

// timeToContact returns the longest step after which the spheres are still many such steps away
// from contact [s]; 0 if they are near. Spheres in flight have the same acceleration, so it does
// not count between them.
func (k *Balls) timeToContact() float64 {
	d := k.Far.Clearances
	if len(d) == 0 || d[0] <= 0 || d[1] <= 0 {
		return 0
	}
	return min(
		bodies.Closing{Speed: k.closingSpeed(), Acceleration: 0}.TimeToContact(d[0]),
		bodies.Closing{Speed: k.approachSpeed() + k.bodies.AheadOf(), Acceleration: 2 * k.bodies.Acceleration()}.TimeToContact(d[1]))
}

// NearLimit returns the longest step with which spheres may come into contact at their present
// speeds [s].
func (k *Balls) NearLimit() float64 {
	if len(k.Far.Clearances) == 0 {
		return math.Inf(1)
	}
	return k.nearStep
}
