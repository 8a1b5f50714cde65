package solver

import (
	"math"

	"fdem/contactnodes"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// A run that goes wrong is to be stopped at once, and the whole ledger takes a
// pass over all triangles. Between its checks a watch looks at the few nodes
// that contact presses: what contacts have made out of nothing, and how hard
// they kick. Where that, or the fastest node, goes beyond what was ever seen at
// a check, the whole ledger is checked there and then. The watch never says
// that a run is wrong: only the ledger does.

// Watch is what is known of the ledger between its checks.
type Watch struct {
	// Made is what contacts have added to the residual so far: the work that
	// their books have, less what their forces have done on the nodes [J].
	Made float64
	// Owed is the work of the contact forces in the first half of the step
	// being taken, less the books at its start [J].
	Owed    float64
	Alarm   float64 // greatest part of contact in the residual that a check has seen [J]
	Fastest float64 // greatest squared speed that a check has seen [m2/s2]
	Over    int64   // steps in a row whose residual is above the limit
}

// lasting is for how many more steps the residual must stay above the limit. A
// node that bounces off something stiff within a few steps is kicked hard there
// and then no more, and leapfrog's energies at whole steps show the kick; energy
// out of nothing stays.
const lasting = 5

const (
	louder = 1.1 // times the last alarm of contact is a new one
	fleet  = 2   // times the squared speed at the last alarm is a new one
)

// watch keeps the account of contact up to Time and tells whether the ledger
// must be checked now; forces must have been evaluated.
func (s *Solver) watch() bool {
	w := &s.Ledger.Watch
	power, kick := s.pressing()
	if s.N > 0 {
		w.Made += (s.contactBooks() + w.Owed) + float64(0.5*s.Last*power)
	}
	w.Owed = 0
	alarm := math.Abs(w.Made + float64(0.125*s.Last*s.Last*kick))
	level := max(louder*w.Alarm, s.ResidualLimit*max(s.Ledger.Entered, s.Ledger.OneStep, s.noise))
	return w.Over > 0 || !(alarm <= level) || !(s.speed2() <= fleet*w.Fastest)
}

// owe begins the account of contact for the step that move has taken.
func (s *Solver) owe() {
	power, _ := s.pressing()
	s.Ledger.Watch.Owed = float64(0.5*s.Last*power) - s.contactBooks()
}

// seen remembers what the watch would show at a check of the whole ledger.
func (s *Solver) seen() {
	w := &s.Ledger.Watch
	_, kick := s.pressing()
	w.Alarm = max(w.Alarm, math.Abs(w.Made+float64(0.125*s.Last*s.Last*kick)))
	w.Fastest = max(w.Fastest, s.speed2())
}

// pressing returns the power of the contact forces on the velocities [W], and
// the sum of force squared over mass for all that contact presses [W/s]: half
// of that times the square of half a step is by how much the kinetic energy of
// leapfrog differs from what it keeps.
func (s *Solver) pressing() (power, kick float64) {
	nodes := s.pressedNodes()
	for _, n := range nodes {
		g := s.contact.F[n]
		if g.X == 0 && g.Y == 0 { // most are out of contact
			continue
		}
		v, f, w := s.V[n], s.f[n], s.inverse[n]
		power += float64(g.X*v.X) + float64(g.Y*v.Y)
		kick += float64(w.X*f.X*f.X) + float64(w.Y*f.Y*f.Y)
	}
	if len(nodes) > 0 {
		for i := range s.rigids {
			r, p := &s.rigids[i], &s.Poses[i]
			kick += float64(r.inverse*(float64(p.Force.X*p.Force.X)+float64(p.Force.Y*p.Force.Y))) + float64(r.turning*p.Moment*p.Moment)
		}
	}
	return power, kick
}

// contactBooks returns the work that surface and volumetric contacts have
// booked so far, less that of overlaps let press [J].
func (s *Solver) contactBooks() float64 {
	sum := 0.0
	for _, i := range s.byName {
		c := s.Surfaces[i]
		sum += (c.NormalWork + c.FrictionWork) - c.RampWork
	}
	for _, c := range s.Volumes {
		sum += c.NormalWork + c.FrictionWork
	}
	return sum
}

// speed2 returns the square of the fastest speed of a node of the outline, a
// rigid body's centre or a sphere [m2/s2].
func (s *Solver) speed2() float64 {
	most := s.team.speed2()
	for i := range s.Poses {
		v := s.Poses[i].Velocity
		most = max(most, float64(v.X*v.X)+float64(v.Y*v.Y))
	}
	if s.spheres != nil {
		v := s.spheres.Fastest()
		most = max(most, v*v)
	}
	return most
}

// moved returns the greater of the energies that have come in and that have
// gone out so far, of all that works from outside [J]: a load that is slowly let
// down does work, and a drive takes it, however little is held meanwhile.
func (s *Solver) moved() float64 {
	in, out := 0.0, 0.0
	book := func(w float64) {
		if w > 0 {
			in += w
		} else {
			out -= w
		}
	}
	for _, w := range s.Ledger.Sources {
		book(w)
	}
	for _, c := range s.Surfaces {
		book(c.RampWork)
	}
	if g := s.Gravity; g != (r2.Vec{}) {
		for i, m := range s.mass {
			x, x0 := s.X[i], s.Mesh.X[i]
			book(float64(m * (float64(g.X*(x.X-x0.X)) + float64(g.Y*(x.Y-x0.Y)))))
		}
		for i := range s.rigids {
			r, x := &s.rigids[i], s.Poses[i].Centre
			book(float64(r.Mass * (float64(g.X*(x.X-r.Centre.X)) + float64(g.Y*(x.Y-r.Centre.Y)))))
		}
		for i, m := range s.Model.Particles.Mass {
			x, x0 := s.spheres.X[i], s.Model.Particles.X[i]
			book(float64(m * (float64(g.X*(x.X-x0.X)) + float64(g.Y*(x.Y-x0.Y)))))
		}
	}
	return max(in, out)
}

const (
	// few is a number of steps that say nothing of a run: where loads and
	// weight have acted no longer, a step is no small part of what is held.
	few = 10
	// thrown is how many times the energy of what a driven body throws off the
	// residual is measured by at least: 5 % of it leave room for five times that
	// energy, which is soon little of what the drive has done.
	thrown = 100
)

// inOneStep returns the energy that a residual is measured by where less is
// held [J]. Weight and loads move what they act on for few steps; and what a
// driven body touches it throws off at up to twice its speed.
func (s *Solver) inOneStep() float64 {
	if s.Static != nil {
		return 0
	}
	dt := few * s.Limit
	sum := 0.0
	for _, l := range s.loads {
		for i, n := range l.nodes {
			f, w := l.force[i], s.inverse[n]
			sum += float64(0.5 * dt * dt * (float64(w.X*f.X*f.X) + float64(w.Y*f.Y*f.Y)))
		}
	}
	if g := s.Gravity; g != (r2.Vec{}) {
		sum += float64(0.5 * dt * dt * s.weighed() * (float64(g.X*g.X) + float64(g.Y*g.Y)))
	}
	if v := s.driven(); v > 0 {
		sum += float64(thrown * 2 * v * v * s.struck())
	}
	return sum
}

// weighed returns the mass of all that is free [kg].
func (s *Solver) weighed() float64 {
	sum := 0.0
	for _, m := range s.mass {
		sum += m
	}
	for i := range s.rigids {
		sum += s.rigids[i].Mass
	}
	for _, m := range s.Model.Particles.Mass {
		sum += m
	}
	return sum
}

// driven returns the greatest speed of what is moved from outside: a point of a
// driven body, an overlap that is let press [m/s].
func (s *Solver) driven() float64 {
	fastest := 0.0
	for i := range s.rigids {
		r, p := &s.rigids[i], &s.Poses[i]
		if r.Motion == nil {
			continue
		}
		far := 0.0
		for _, a := range r.arm {
			far = max(far, elementary.Norm(a))
		}
		fastest = max(fastest, elementary.Norm(p.Velocity)+float64(math.Abs(p.Spin)*far))
	}
	for _, c := range s.Surfaces {
		if c.Overlap.Mode != contactnodes.OverlapAllow || s.Time > c.Overlap.Ramp {
			continue
		}
		for _, o := range c.Offset {
			fastest = max(fastest, o/c.Overlap.Ramp)
		}
	}
	return fastest
}

// struck returns the mass of all that contact presses now: of nodes, of rigid
// bodies, and of the heaviest sphere [kg].
func (s *Solver) struck() float64 {
	sum := 0.0
	for _, n := range s.pressedNodes() {
		if s.contact.Stiffness[n] > 0 {
			sum += s.mass[n]
		}
	}
	for i := range s.rigids {
		r := &s.rigids[i]
		for _, n := range r.nodes {
			if s.contact.Stiffness[n] > 0 {
				sum += r.Mass
				break
			}
		}
	}
	heaviest := 0.0
	for _, m := range s.Model.Particles.Mass {
		heaviest = max(heaviest, m)
	}
	return sum + heaviest
}
