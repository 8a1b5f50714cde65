package solver

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// What is in balance under its weight, as rigid bodies that touch at points: the
// accelerations that are left where contact pushes and friction holds as far as they
// can, by sequential impulses (projected Gauss-Seidel; E. Catto, Iterative dynamics
// with temporal coherence, 2005).

// restComponent is a component that may fall [kg], [m], [1/kg].
type restComponent struct {
	mass, inertia float64
	centre        r2.Vec
	reach         float64 // of its nodes from its centre [m]
	inverse       r2.Vec  // of the mass, 0 along what holds it
	turning       float64 // of the inertia, 0 where it does not turn
	acceleration  r2.Vec
	angular       float64 // angular acceleration [1/s2]
	askedAt       r2.Vec  // the two when decided was asked last
	turnAskedAt   float64
}

// supportContact is a point at which two components touch.
type supportContact struct {
	components  [2]int32 // a and b, by their first nodes
	a, b        *restComponent
	at, into    r2.Vec // and the direction from a into b
	friction    float64
	push        float64          // of a on b [N]
	normalForce float64          // across it [N]
	along       supportDirection // how forces along into act
	across      supportDirection // and those across it
}

// supportDirection is a direction in which two components push one another at a support contact.
type supportDirection struct {
	d        r2.Vec
	leverA   float64 // about the centre of either [m]
	leverB   float64
	mobility float64 // acceleration of b against a there for 1 N [1/kg]
}

const (
	restSweeps      = 2000 // over all support contacts at most
	restWork        = 2e7  // support contacts times sweeps at most
	convergedChange = 1e-6 // change of an acceleration in a sweep, over gravity, with which they end
	paceSweeps      = 200  // after so many it is asked whether more can change what rests
	// restsBelow is the acceleration over gravity up to which a component is in balance:
	// sweeps leave some.
	restsBelow = 0.05
)

// lever returns the lever of a force at p along d about the centre [m].
func (s *restComponent) lever(p, d r2.Vec) float64 { return elementary.Cross(r2.Sub(p, s.centre), d) }

// addForce adds the acceleration of a force along d with an arm about the centre [N].
func (s *restComponent) addForce(d r2.Vec, lever, force float64) {
	s.acceleration.X += float64(force * s.inverse.X * d.X)
	s.acceleration.Y += float64(force * s.inverse.Y * d.Y)
	s.angular += float64(force * lever * s.turning)
}

// along returns the acceleration along d of a point where d has an arm about the centre
// [m/s2].
func (s *restComponent) along(d r2.Vec, lever float64) float64 {
	return elementary.Dot(s.acceleration, d) + float64(s.angular*lever)
}

// easing returns how much a force of 1 N along d with an arm accelerates its point
// [1/kg].
func (s *restComponent) easing(d r2.Vec, lever float64) float64 {
	return float64(s.inverse.X*d.X*d.X) + float64(s.inverse.Y*d.Y*d.Y) + float64(lever*lever*s.turning)
}

// lever returns how forces along d act at the support contact.
func (h *supportContact) lever(d r2.Vec) supportDirection {
	l := supportDirection{d: d, leverA: h.a.lever(h.at, d), leverB: h.b.lever(h.at, d)}
	l.mobility = h.a.easing(d, l.leverA) + h.b.easing(d, l.leverB)
	return l
}

// decided tells that an acceleration that goes on to change as it has since this was
// asked last will not pass restsBelow within so many sweeps.
func (s *restComponent) decided(sweeps int, gravity float64) bool {
	pace := elementary.Norm(r2.Sub(s.acceleration, s.askedAt)) + math.Abs(float64((s.angular-s.turnAskedAt)*s.reach))
	s.askedAt, s.turnAskedAt = s.acceleration, s.angular
	return float64(pace/paceSweeps)*float64(sweeps) < math.Abs(s.residual()-float64(restsBelow*gravity))
}

// solveSupports finds what is left of the accelerations of components that touch [m/s2], and tells
// whether it has found it.
func solveSupports(holds []supportContact) (converged bool) {
	gravity := 0.0
	for i := range holds {
		h := &holds[i]
		gravity = max(gravity, elementary.Norm(h.a.acceleration), elementary.Norm(h.b.acceleration))
		h.along, h.across = h.lever(h.into), h.lever(across(h.into))
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
			if h.along.mobility == 0 || h.push == 0 && h.normalForce == 0 && opens >= 0 { // opens, as many do
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
		if sweep%paceSweeps == 0 {
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

// opening returns the acceleration of b against a at the point [m/s2].
func (h *supportContact) opening(l *supportDirection) float64 {
	return h.b.along(l.d, l.leverB) - h.a.along(l.d, l.leverA)
}

// press adds a force of a on b at the point [N].
func (h *supportContact) press(l *supportDirection, force float64) {
	h.b.addForce(l.d, l.leverB, force)
	h.a.addForce(l.d, l.leverA, -force)
}

func across(d r2.Vec) r2.Vec { return r2.Vec{X: -d.Y, Y: d.X} }

// rests tells whether the component stays at rest.
func (s *restComponent) rests(gravity float64) bool { return s.residual() < restsBelow*gravity }

// residual returns a bound of the acceleration of the component's nodes [m/s2].
func (s *restComponent) residual() float64 {
	return elementary.Norm(s.acceleration) + math.Abs(float64(s.angular*s.reach))
}
