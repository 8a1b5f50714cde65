// Package coulomb is Coulomb friction for forces [N] at a point, or for
// tractions [Pa] on a unit of area. Friction is regularised, or has an elastic
// stick.
//
// Regularised friction is a function of the slip speed, so that a contact
// creeps under any load. The elastic stick (P. A. Cundall and O. D. L. Strack,
// Geotechnique 29, 1979) is a tangential spring that holds a sticking contact
// and releases it above the static limit. The stiffness of the spring is
// constant or follows that of the contact law (R. D. Mindlin, J. Appl. Mech.
// 16, 1949: for elastic bodies it is 2/3 to 1 of the normal stiffness). A brake
// beside it dissipates the energy of a body that begins to stick, which the
// spring alone would return.
package coulomb

import "math"

// Friction is Coulomb friction in one of its forms. It is an elastic stick if
// Ratio or Stiffness is above zero, else regularised. A sticking contact slides
// when its spring carries more than Static times the pressure. It slides under
// Kinetic times the pressure, and sticks again when the slip reverses.
type Friction struct {
	Kinetic   float64 // coefficient while sliding [1]
	Static    float64 // coefficient while holding, not below Kinetic; elastic stick only [1]
	Speed     float64 // slip speed below which regularised friction is linear; 0 for none [m/s]
	Ratio     float64 // stiffness of the spring over the law's tangent; 0 for Stiffness [1]
	Stiffness float64 // constant, of the spring [Pa/m] ([N/m])
	Brake     float64 // the part of a slip that the brake stops within one step; 0 for none [1]
}

// Sticks tells whether the friction has an elastic stick.
func (f *Friction) Sticks() bool { return f.Ratio > 0 || f.Stiffness > 0 }

// Acts tells whether a contact has friction.
func (f *Friction) Acts() bool { return f.Kinetic > 0 || f.Static > 0 }

// Stick is the memory of friction with an elastic stick.
type Stick struct {
	Friction  float64 // total friction [Pa] ([N])
	Spring    float64 // part of the spring
	Stiffness float64 // stiffness of the spring [Pa/m] ([N/m])
	Sliding   bool    // the contact slides
}

// Energy returns the energy stored by the spring [J/m2] ([J]).
func (g *Stick) Energy() float64 {
	if g.Stiffness == 0 {
		return 0
	}
	return float64(0.5 * g.Spring * (g.Spring / g.Stiffness))
}

// Lag is the least ratio of the stiffness of a spring to Ratio times the
// stiffness of a law that stiffens.
const Lag = 0.5

// Follow returns the stiffness of the spring of a stick if the law's tangent is k. At first
// contact it is Ratio k. Later it stays constant while it is between half of Ratio k and
// Ratio k. The force of a spring decreases whenever the spring softens. Without this range a
// vibrating pressure would release the spring step by step.
func (f *Friction) Follow(k float64, before Stick) float64 {
	switch {
	case f.Ratio == 0:
		return f.Stiffness
	case before.Stiffness == 0:
		return f.Ratio * k
	}
	return min(max(before.Stiffness, Lag*f.Ratio*k), f.Ratio*k)
}

// Stiffest returns an upper bound of the stiffness of a contact against motion in any
// direction, if the law's tangent is k. The normal force and the spring are at right angles.
func (f *Friction) Stiffest(k float64) float64 {
	if !f.Acts() {
		return k
	}
	return max(k, f.Ratio*k, f.Stiffness)
}

// Along returns the stiffness of the spring of a stick if the law's stiffness is k; 0 without a spring.
func (f *Friction) Along(k float64) float64 {
	if !f.Acts() {
		return 0
	}
	return max(f.Ratio*k, f.Stiffness)
}

// SpringOf returns the stiffness of the spring of a face of a given stiffness along its normal, if the law's
// is k per area.
func (f *Friction) SpringOf(face, k float64) float64 {
	if f.Ratio == 0 { // per area
		return f.Stiffness * face / k
	}
	return f.Ratio * face
}

// BrakeOf returns the brake of a face of a given normal force at a slip velocity, in a step dt [s]. eased is what the
// normal forces of the two bodies would change that velocity in a unit of time, if they acted along it.
func (f *Friction) BrakeOf(normal, eased, slip, dt float64) float64 {
	if f.Brake > 0 && dt > 0 && eased > 0 {
		return -f.Brake * (normal / eased) * (slip / dt)
	}
	return 0
}

// Advance advances a stick by a slip [m], under a pressure, with a spring of the
// given stiffness and a brake of the given force. The force of a spring that
// softens falls in proportion, and a spring that stiffens keeps its force. So a
// spring never returns more energy than it took.
func (f *Friction) Advance(g Stick, pressure, spring, slip, brake float64) Stick {
	next, bound := f.Try(g, pressure, spring, slip, brake)
	f.Yield(&next, pressure, bound)
	return next
}

// Yield lets a stick slide if it carries more than a friction coefficient
// allows.
func (f *Friction) Yield(g *Stick, pressure, bound float64) {
	if g.Stiffness > 0 && max(math.Abs(g.Spring), math.Abs(g.Friction)) > bound*pressure {
		f.Slide(g, pressure)
	}
}

// Try is Advance without sliding. It returns the coefficient that bounds the friction
// of the stick.
func (f *Friction) Try(g Stick, pressure, spring, slip, brake float64) (next Stick, bound float64) {
	if !f.Acts() || !(pressure > 0) || !(spring > 0) {
		return Stick{}, f.Static
	}
	if spring != g.Stiffness && g.Stiffness > 0 { // no branch, since it would be mispredicted often
		g.Spring *= min(spring, g.Stiffness) / g.Stiffness
	}
	g.Stiffness = spring
	bound = f.Static
	if g.Sliding && g.Friction*slip < 0 { // still sliding the same way
		bound = f.Kinetic
	}
	g.Spring -= float64(spring * slip)
	g.Friction = g.Spring + brake
	g.Sliding = false
	return g, bound
}

// TryWhole is Try for the sum of the friction of a whole face, at a slip [m] and with a brake [N]:
// it slides if its spring exceeds the limit, with and without the brake. Otherwise it is reduced to
// the limit.
func (f *Friction) TryWhole(before Stick, normal, spring, slip, brake float64) Stick {
	g, bound := f.Try(before, normal, spring, slip, brake)
	if g.Stiffness == 0 {
		return g
	}
	limit := f.Static * normal
	if bound < f.Static {
		limit = f.Kinetic * normal
	}
	held, all := math.Abs(g.Spring), math.Abs(g.Friction)
	switch {
	case min(held, all) > limit:
		f.Slide(&g, normal)
	case held > limit:
		of := g.Friction - g.Spring
		g.Spring = float64(g.Spring * (limit / held))
		g.Friction = g.Spring + of
	case all > limit:
		g.Friction = math.Copysign(limit, g.Friction)
	}
	return g
}

// Slide sets the friction of a sliding stick.
func (f *Friction) Slide(g *Stick, pressure float64) {
	limit := f.Kinetic * pressure
	g.Sliding = true
	g.Spring = min(max(g.Spring, -limit), limit)
	g.Friction = min(max(g.Friction, -limit), limit)
}

// Speeds are the greatest speeds of regularised friction so far.
type Speeds struct {
	Linear float64 // speed below which friction was linear in the slip speed [m/s]
	Slip   float64 // slip speed [m/s]
}

// Raise raises each speed to that of others if theirs is greater.
func (s *Speeds) Raise(o Speeds) {
	s.Linear, s.Slip = max(s.Linear, o.Linear), max(s.Slip, o.Slip)
}

// Regularised returns the friction at a slip speed [m/s], that speed, and the speed
// below which friction is linear. The last is Speed, but at least least [m/s],
// below which friction would stop or reverse the slip within a step.
func (f *Friction) Regularised(pressure, slip, least float64) (drag float64, at Speeds) {
	if !f.Drags(pressure, slip) {
		return 0, Speeds{}
	}
	at = Speeds{Linear: f.LinearBelow(least), Slip: math.Abs(slip)}
	return f.Drag(pressure, slip, at.Linear), at
}

// Drags tells whether regularised friction is not zero at a pressure and a slip speed.
func (f *Friction) Drags(pressure, slip float64) bool { return slip != 0 && f.Acts() && pressure > 0 }

// LinearBelow returns the speed below which regularised friction is linear, see Regularised.
func (f *Friction) LinearBelow(least float64) float64 {
	if !(least <= f.Speed) {
		return least
	}
	return f.Speed
}

// Drag returns regularised friction that is linear below a slip speed.
func (f *Friction) Drag(pressure, slip, linear float64) float64 {
	part := slip / linear
	if part < -1 {
		part = -1
	} else if part > 1 {
		part = 1
	}
	return -f.Kinetic * pressure * part
}
