package rest

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Equilibrium of bodies under their weight, as rigid bodies in contact at points. Sequential
// impulses (projected Gauss-Seidel; E. Catto, Iterative dynamics with temporal coherence, 2005)
// find the accelerations that remain under contact forces and friction.

// restComponent is a component that may move, as a rigid body [kg], [m], [1/kg].
type restComponent struct {
	mass, inertia float64
	centre        r2.Vec
	reach         float64 // greatest distance of its nodes from its centre [m]
	inverse       r2.Vec  // inverse mass, 0 in held directions
	turning       float64 // inverse moment of inertia, 0 if it cannot rotate
	acceleration  r2.Vec
	angular       float64 // angular acceleration [1/s2]
	askedAt       r2.Vec  // both accelerations at the last call of decided
	turnAskedAt   float64
}

// supportContact is a point at which two components are in contact.
type supportContact struct {
	components  [2]int32 // a and b, by their first nodes
	a, b        *restComponent
	at, into    r2.Vec           // position, and direction from a into b
	friction    float64          // coefficient, at first that of what holds
	kinetic     float64          // coefficient of what slides
	push        float64          // force of a on b along into [N]
	normalForce float64          // force across it [N]
	along       supportDirection // effect of forces along into
	across      supportDirection // effect of forces across it
}

// supportDirection is a direction of the forces between two components at a support contact.
type supportDirection struct {
	d        r2.Vec
	armA     float64 // arms about the two centres [m]
	armB     float64
	mobility float64 // acceleration of b relative to a there by 1 N [1/kg]
}

const (
	restSweeps      = 2000 // greatest number of sweeps over all support contacts
	restWork        = 2e7  // greatest number of support contacts times sweeps
	convergedChange = 1e-6 // change of an acceleration in a sweep, relative to gravity, at which the sweeps end
	paceSweeps      = 200  // interval of sweeps at which decided is called
	fewHolds        = 1000 // with fewer support contacts all sweeps are done, and the accelerations of sliding bodies are used
	// restsBelow is the ratio of acceleration to gravity up to which a component counts as in
	// equilibrium, because sweeps leave a residual.
	restsBelow = 0.05
)

// arm returns the arm about the centre of a force at p along d [m].
func (s *restComponent) arm(p, d r2.Vec) float64 { return elementary.Cross(r2.Sub(p, s.centre), d) }

// addForce adds the acceleration by a force along d with an arm about the centre [N].
func (s *restComponent) addForce(d r2.Vec, arm, force float64) {
	s.acceleration.X += float64(force * s.inverse.X * d.X)
	s.acceleration.Y += float64(force * s.inverse.Y * d.Y)
	s.angular += float64(force * arm * s.turning)
}

// along returns the acceleration along d of a point [m/s2]. arm is the arm of d about the
// centre.
func (s *restComponent) along(d r2.Vec, arm float64) float64 {
	return elementary.Dot(s.acceleration, d) + float64(s.angular*arm)
}

// easing returns the acceleration along d of a point by a force of 1 N along d with an arm
// [1/kg].
func (s *restComponent) easing(d r2.Vec, arm float64) float64 {
	return float64(s.inverse.X*d.X*d.X) + float64(s.inverse.Y*d.Y*d.Y) + float64(arm*arm*s.turning)
}

// arm returns the supportDirection for d at the support contact.
func (h *supportContact) arm(d r2.Vec) supportDirection {
	l := supportDirection{d: d, armA: h.a.arm(h.at, d), armB: h.b.arm(h.at, d)}
	l.mobility = h.a.easing(d, l.armA) + h.b.easing(d, l.armB)
	return l
}

// decided tells whether the acceleration will stay on its side of restsBelow within a number of
// sweeps, if it continues to change as it has since the last call.
func (s *restComponent) decided(sweeps int, gravity float64) bool {
	pace := elementary.Norm(r2.Sub(s.acceleration, s.askedAt)) + math.Abs(float64((s.angular-s.turnAskedAt)*s.reach))
	s.askedAt, s.turnAskedAt = s.acceleration, s.angular
	return float64(pace/paceSweeps)*float64(sweeps) < math.Abs(s.residual()-float64(restsBelow*gravity))
}

// solveSliding is solveSupports with kinetic friction where components slide under gravity g [m/s2].
func solveSliding(holds []supportContact, g float64) (converged bool) {
	converged = solveSupports(holds)
	for more := converged; more; {
		more = false
		for i := range holds {
			h := &holds[i]
			if h.friction > h.kinetic && h.push > 0 && math.Abs(h.opening(&h.across)) > slidesAbove*g {
				h.friction, more = h.kinetic, true
			}
		}
		if more {
			converged = solveSupports(holds)
		}
	}
	return converged
}

// solveSupports finds the remaining accelerations of components in contact [m/s2]. It tells
// whether the sweeps have converged.
func solveSupports(holds []supportContact) (converged bool) {
	gravity := 0.0
	for i := range holds {
		h := &holds[i]
		gravity = max(gravity, elementary.Norm(h.a.acceleration), elementary.Norm(h.b.acceleration))
		h.along, h.across = h.arm(h.into), h.arm(across(h.into))
	}
	sweeps := min(restSweeps, int(restWork)/(len(holds)+1))
	for sweep := range sweeps {
		most := 0.0
		for i := range holds {
			if sweep%2 == 1 {
				i = len(holds) - 1 - i
			}
			h := &holds[i]
			opens := h.opening(&h.along)
			if h.along.mobility == 0 || h.push == 0 && h.normalForce == 0 && opens >= 0 { // the contact opens, as many do
				continue
			}
			push := max(0, h.push-opens/h.along.mobility)
			most = max(most, math.Abs(push-h.push)*h.along.mobility)
			h.press(&h.along, push-h.push)
			h.push = push
			if h.across.mobility == 0 {
				continue
			}
			normalForce := min(max(h.normalForce-h.opening(&h.across)/h.across.mobility, -float64(h.friction*push)), float64(h.friction*push))
			most = max(most, math.Abs(normalForce-h.normalForce)*h.across.mobility)
			h.press(&h.across, normalForce-h.normalForce)
			h.normalForce = normalForce
		}
		if most < convergedChange*gravity {
			return true
		}
		if sweep%paceSweeps == 0 && len(holds) > fewHolds {
			over := true
			for i := range holds {
				for _, t := range [...]*restComponent{holds[i].a, holds[i].b} {
					over = t.decided(sweeps-sweep, gravity) && over
				}
			}
			if over {
				return false
			}
		}
	}
	return false
}

// opening returns the acceleration of b relative to a at the point [m/s2].
func (h *supportContact) opening(l *supportDirection) float64 {
	return h.b.along(l.d, l.armB) - h.a.along(l.d, l.armA)
}

// press adds a force of a on b at the point [N].
func (h *supportContact) press(l *supportDirection, force float64) {
	h.b.addForce(l.d, l.armB, force)
	h.a.addForce(l.d, l.armA, -force)
}

func across(d r2.Vec) r2.Vec { return r2.Vec{X: -d.Y, Y: d.X} }

// rests tells whether the component stays at rest.
func (s *restComponent) rests(gravity float64) bool { return s.residual() < restsBelow*gravity }

// residual bounds the acceleration of the component's nodes [m/s2].
func (s *restComponent) residual() float64 {
	return elementary.Norm(s.acceleration) + math.Abs(float64(s.angular*s.reach))
}
