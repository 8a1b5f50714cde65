// Package rolling is the rolling resistance of discs: a moment that holds two bodies against rolling on one
// another up to a limit, elastic before it (J. Ai, J.-F. Chen, J. M. Rotter and J. Y. Ooi, Powder Technology
// 206, 2011, model C with critical damping), as between particles (package spheres):
//
//	M = M_k - 2 sqrt(k_r J) theta',  dM_k = -k_r dtheta,  k_r = 2.25 mu_r² sum k R²,  |M|, |M_k| <= mu_r sum R N
//
// with the angle theta by which one turns against the other, the moment of inertia J, 1/J = 1/J_1 + 1/J_2,
// and the sums over the contact points of the two: normal forces N, stiffness k, and the radius R, of
// which 1/R is the sum of the curvatures of both edges. While sum k R² grows k_r may stay behind, down to
// half (coulomb.Friction.Follow). It is Coulomb friction with a stick and a damper beside it, for a moment,
// which the contact points carry in proportion to R N.
package rolling

import (
	"cmp"
	"math"
	"slices"

	"fdem/contactnodes/coulomb"
)

// Stiffness is the stiffness against rolling over that of the law and (mu_r R)².
const Stiffness = 2.25

// State is the rolling moment of two connected components. It is kept from step to step.
type State struct {
	Components [2]int32 // ascending
	Moment     float64  // on the first [N m]
	Spring     float64  // part of it by its spring [N m]
	Stiffness  float64  // of that [N m]
	Rate       float64  // spin of the first against the second [rad/s]
}

func compare(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// energy returns the energy stored by the spring [J].
func (s *State) energy() float64 {
	g := coulomb.Stick{Spring: s.Spring, Stiffness: s.Stiffness}
	return g.Energy()
}

// Part is some contact points of two components, and what they carry.
type Part struct {
	Components [2]int32 // ascending
	Number     int32    // orders the parts of two components
	Rate       float64  // spin of the first against the second [rad/s]
	Load       float64  // sum of R N [N m]
	Stiff      float64  // sum of k R² [N m]
	Mobility   float64  // spin that a unit of angular impulse gives to the one against the other, 1/J [1/(kg m2)]

	Moment             float64 // on the first [N m]
	Stiffness, Damping float64 // of that [N m], [N m s]
}

// Resistance finds the rolling moments of a contact.
type Resistance struct {
	Parts []Part // in an evaluation
	law   coulomb.Friction
	now   []State
}

// New returns the resistance with a coefficient mu_r.
func New(coefficient float64) Resistance {
	return Resistance{law: coulomb.Friction{Kinetic: coefficient, Static: coefficient, Ratio: Stiffness * coefficient * coefficient}}
}

// Acts tells whether there is any.
func (r *Resistance) Acts() bool { return r.law.Kinetic > 0 }

// Resolve finds what each of the parts carries after a step dt [s], and sorts them. before are the moments
// of the last step, ascending. It returns those of this one, until the next call, the heat of the step [J] by
// the trapezoidal rule, and the change of the energy of the springs [J]. Where contact has ended the moment
// acts over the first half of the step.
func (r *Resistance) Resolve(before []State, dt float64) (now []State, heat, energy float64) {
	r.now = r.now[:0]
	slices.SortFunc(r.Parts, func(a, b Part) int {
		return cmp.Or(compare(a.Components, b.Components), cmp.Compare(a.Number, b.Number))
	})
	end := func(s *State) {
		heat -= float64(0.5 * s.Moment * s.Rate * dt)
		energy -= s.energy()
	}
	for parts := r.Parts; len(parts) > 0; {
		of, n := parts[0].Components, 1
		for n < len(parts) && parts[n].Components == of {
			n++
		}
		for len(before) > 0 && compare(before[0].Components, of) < 0 {
			end(&before[0])
			before = before[1:]
		}
		was := State{}
		if len(before) > 0 && before[0].Components == of {
			was, before = before[0], before[1:]
		}
		s := r.roll(parts[:n], was, dt)
		heat -= float64(0.5 * (s.Moment + was.Moment) * s.Rate * dt)
		energy += s.energy() - was.energy()
		r.now = append(r.now, s)
		parts = parts[n:]
	}
	for i := range before {
		end(&before[i])
	}
	return r.now, heat, energy
}

// roll returns the rolling moment of two components with these parts. was is that of the last step.
func (r *Resistance) roll(parts []Part, was State, dt float64) State {
	s := State{Components: parts[0].Components}
	load, stiff, turns := 0.0, 0.0, 0.0
	for i := range parts {
		p := &parts[i]
		load += p.Load
		stiff += p.Stiff
		turns += float64(p.Load * p.Rate)
	}
	if !(load > 0) {
		return s
	}
	s.Rate = turns / load
	stick, damping := coulomb.Stick{Friction: was.Moment, Spring: was.Spring, Stiffness: was.Stiffness}, 0.0
	spring := r.law.Follow(stiff, stick)
	if mobility := parts[0].Mobility; mobility > 0 {
		damping = 2 * math.Sqrt(spring/mobility)
	}
	stick = r.law.Advance(stick, load, spring, float64(s.Rate*dt), -float64(damping*s.Rate))
	s.Moment, s.Spring, s.Stiffness = stick.Friction, stick.Spring, stick.Stiffness
	for i := range parts {
		p := &parts[i]
		share := p.Load / load
		p.Moment, p.Stiffness, p.Damping = float64(share*s.Moment), float64(share*s.Stiffness), float64(share*damping)
	}
	return s
}

// End ends the moment of two components without work. It returns the others, and the energy that it had
// stored [J].
func End(all []State, a, b int32) (left []State, stored float64) {
	at, found := slices.BinarySearchFunc(all, [2]int32{min(a, b), max(a, b)}, func(s State, of [2]int32) int { return compare(s.Components, of) })
	if !found {
		return all, 0
	}
	stored = all[at].energy()
	return slices.Delete(all, at, at+1), stored
}

// Columns is the moments in the form of a checkpoint: an array of each value.
type Columns struct {
	Components                      []int32 // two of each
	Moment, Spring, Stiffness, Rate []float64
}

// ColumnsOf returns the columns of moments.
func ColumnsOf(all []State) (k Columns) {
	for _, s := range all {
		k.Components = append(k.Components, s.Components[:]...)
		k.Moment, k.Spring, k.Stiffness, k.Rate = append(k.Moment, s.Moment), append(k.Spring, s.Spring), append(k.Stiffness, s.Stiffness), append(k.Rate, s.Rate)
	}
	return k
}

// Rows returns the moments of the columns. It tells whether these belong to each other.
func (k *Columns) Rows() (all []State, whole bool) {
	n := len(k.Moment)
	if len(k.Components) != 2*n || len(k.Spring) != n || len(k.Stiffness) != n || len(k.Rate) != n {
		return nil, false
	}
	for i := range n {
		all = append(all, State{Components: [2]int32(k.Components[2*i:]), Moment: k.Moment[i], Spring: k.Spring[i], Stiffness: k.Stiffness[i], Rate: k.Rate[i]})
	}
	return all, true
}
