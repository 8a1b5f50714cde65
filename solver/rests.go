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

// thing is a thing that may fall [kg], [m], [1/kg].
type thing struct {
	mass, inertia float64
	centre        r2.Vec
	reach         float64 // of its nodes from its centre [m]
	inverse       r2.Vec  // of the mass, 0 along what holds it
	turning       float64 // of the inertia, 0 where it does not turn
	acceleration  r2.Vec
	turn          float64 // angular acceleration [1/s2]
}

// foothold is a point at which two things touch.
type foothold struct {
	things   [2]int32 // a and b, by their first nodes
	a, b     *thing
	at, into r2.Vec // and the direction from a into b
	friction float64
	push     float64    // of a on b [N]
	grip     float64    // across it [N]
	mobility [2]float64 // acceleration of b against a there for 1 N, along and across [1/kg]
}

const (
	restSweeps = 2000 // over all footholds at most
	restWork   = 2e7  // footholds times sweeps at most
	settled    = 1e-4 // change of an acceleration in a sweep, over gravity, with which they end
	// restsBelow is the acceleration over gravity up to which a thing is in balance:
	// sweeps leave some.
	restsBelow = 0.05
)

// arm returns the lever of a force at p along d about the centre [m].
func (s *thing) arm(p, d r2.Vec) float64 { return elementary.Cross(r2.Sub(p, s.centre), d) }

// pull adds the acceleration of a force at p along d [N].
func (s *thing) pull(p, d r2.Vec, force float64) {
	s.acceleration.X += float64(force * s.inverse.X * d.X)
	s.acceleration.Y += float64(force * s.inverse.Y * d.Y)
	s.turn += float64(force * s.arm(p, d) * s.turning)
}

// along returns the acceleration of its point p along d [m/s2].
func (s *thing) along(p, d r2.Vec) float64 {
	return elementary.Dot(s.acceleration, d) + float64(s.turn*s.arm(p, d))
}

// easing returns how much a force of 1 N at p along d accelerates its point [1/kg].
func (s *thing) easing(p, d r2.Vec) float64 {
	arm := s.arm(p, d)
	return float64(s.inverse.X*d.X*d.X) + float64(s.inverse.Y*d.Y*d.Y) + float64(arm*arm*s.turning)
}

// settle finds what is left of the accelerations of things that touch [m/s2].
func settle(holds []foothold) {
	least := 0.0
	for i := range holds {
		h := &holds[i]
		least = max(least, settled*max(elementary.Norm(h.a.acceleration), elementary.Norm(h.b.acceleration)))
		h.mobility[0] = h.a.easing(h.at, h.into) + h.b.easing(h.at, h.into)
		h.mobility[1] = h.a.easing(h.at, across(h.into)) + h.b.easing(h.at, across(h.into))
	}
	for sweep := range min(restSweeps, int(restWork)/(len(holds)+1)) {
		most := 0.0
		for i := range holds {
			if sweep%2 == 1 {
				i = len(holds) - 1 - i
			}
			h := &holds[i]
			if h.mobility[0] == 0 {
				continue
			}
			push := max(0, h.push-h.opening(h.into)/h.mobility[0])
			most = max(most, math.Abs(push-h.push)*h.mobility[0])
			h.press(h.into, push-h.push)
			h.push = push
			if h.mobility[1] == 0 {
				continue
			}
			side := across(h.into)
			grip := min(max(h.grip-h.opening(side)/h.mobility[1], -float64(h.friction*push)), float64(h.friction*push))
			most = max(most, math.Abs(grip-h.grip)*h.mobility[1])
			h.press(side, grip-h.grip)
			h.grip = grip
		}
		if most < least {
			return
		}
	}
}

// opening returns the acceleration of b against a at the point, along d [m/s2].
func (h *foothold) opening(d r2.Vec) float64 { return h.b.along(h.at, d) - h.a.along(h.at, d) }

// press adds a force of a on b at the point, along d [N].
func (h *foothold) press(d r2.Vec, force float64) {
	h.b.pull(h.at, d, force)
	h.a.pull(h.at, d, -force)
}

func across(d r2.Vec) r2.Vec { return r2.Vec{X: -d.Y, Y: d.X} }

// rests tells whether it stays where it is.
func (s *thing) rests(gravity float64) bool {
	return elementary.Norm(s.acceleration)+math.Abs(float64(s.turn*s.reach)) < restsBelow*gravity
}
