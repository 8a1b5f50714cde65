package output

import (
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/spatial/r2"

	"fdem/contactnodes/spheres"
	"fdem/solver/bodies"
	"fdem/solver/contacts"
	"fdem/solver/diffusion"
	"fdem/solver/flow"
	"fdem/solver/forces"
	"fdem/solver/impulses"
	"fdem/solver/particles"
	"fdem/solver/system"
)

// Kinds are the kinds of a run that are asked by name for their own results.
type Kinds struct {
	Triangles *bodies.Continuum
	Beams     *bodies.Beams
	Rigids    *bodies.Rigids
	Spheres   *particles.Balls
	Contacts  *contacts.Contacts
	Springs   *forces.Springs
	Bolts     *forces.Bolts
	Fluids    *flow.Fluids
	Impulses  *impulses.Contacts
	Heat      *diffusion.Heat
	Pores     *diffusion.Pores
}

// Results has what histories, frames and summaries show of all kinds.
type Results struct {
	system.View
	*Means
	Kinds   Kinds
	systems []system.System
	bodies  []system.Moving // in the order of results
	probes  []probe         // in the order of results
	pressed []r2.Vec        // see pressNodes
	told    func(name string) bool
	columns []Columns // see listColumns
}

// New makes the results of a run: of its bodies in their order, with the means, with those entries of the
// ledger that are told, and with the columns of kinds before those of bodies and behind those of contacts.
func New(of system.View, systems []system.System, bodies []system.Moving, means *Means, kinds Kinds, told func(name string) bool, before, behind []Columns) *Results {
	of.Timer.Systems = make([]time.Duration, len(systems))
	k := &Results{View: of, Means: means, Kinds: kinds, systems: systems, bodies: bodies, told: told}
	k.addProbes()
	k.listColumns(before, behind)
	return k
}

// Spheres returns the spheres with their state; nil without spheres.
func (k *Results) Spheres() *spheres.Spheres { return k.Kinds.Spheres.Spheres }

// FluidStates returns the states of all fluids.
func (k *Results) FluidStates() []flow.FluidState { return k.Kinds.Fluids.States() }

// Describe describes every body, in the order of Motions.
func (s *Results) Describe() []system.Description {
	var out []system.Description
	for _, k := range s.bodies {
		out = k.Describe(out)
	}
	return out
}

// Motions returns the motion of every body at Time: meshed bodies, then rigid bodies, then groups
// of particles. Forces must have been evaluated there. Fixed and driven bodies have mass 0.
func (s *Results) Motions() []system.BodyMotion {
	var out []system.BodyMotion
	for _, k := range s.bodies {
		out = k.Motions(out)
	}
	return out
}

// Counts calls the function with the number of each kind of object in the model.
func (s *Results) Counts(each func(n int, of string)) {
	for k := range system.All[system.Sized](s.systems) {
		k.EachCount(each)
	}
}

// Size returns the greater side of the box around all initial positions, or the greatest
// diameter of a sphere if that is greater [m].
func (s *Results) Size() (size float64) {
	lo, hi := r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for k := range system.All[system.Extended](s.systems) {
		k.Extent(func(p r2.Vec, diameter float64) {
			lo.X, lo.Y, hi.X, hi.Y = min(lo.X, p.X), min(lo.Y, p.Y), max(hi.X, p.X), max(hi.Y, p.Y)
			size = max(size, diameter)
		})
	}
	return max(size, hi.X-lo.X, hi.Y-lo.Y)
}

// Rebuilds returns how many candidate lists the searches have made.
func (s *Results) Rebuilds() int {
	n := 0
	for k := range system.All[system.Searching](s.systems) {
		n += k.ListsMade()
	}
	return n
}

// Bytes estimates the peak memory of a run of the model: the program, model and state, the
// copies from which frames and checkpoints are written, and garbage that is not yet
// collected. The numbers are measured in runs of 1e4 to 1e6 triangles, 1e5 beams, and 1e4
// and 9e4 spheres.
func (s *Results) Bytes() int {
	const program = 30e6
	n := int(program)
	for k := range system.All[system.Sized](s.systems) {
		n += k.Bytes()
	}
	return n
}

// NodalContactForces fills force, one per node, with the contact forces at Time [N].
func (s *Results) NodalContactForces(force []r2.Vec) {
	clear(force)
	for _, n := range s.Kinds.Contacts.LoadedNodes {
		force[n] = s.Contact.At(n).F
	}
	for k := range system.All[system.Pressing](s.systems) {
		k.AddTo(force)
	}
}

// pressNodes returns the forces per node at Time of what presses on nodes without contact nodes: spheres, and contact
// by impulses [N].
func (s *Results) pressNodes() []r2.Vec {
	s.pressed = slices.Grow(s.pressed[:0], len(s.X))[:len(s.X)]
	clear(s.pressed)
	for k := range system.All[system.Pressing](s.systems) {
		k.AddTo(s.pressed)
	}
	return s.pressed
}

// Sweeps returns how often contact by impulses has swept over all contact points.
func (k *Results) Sweeps() int64 { return k.Kinds.Impulses.Swept }

// ImpulsesAtStart returns what contact by impulses cannot tell at the start: a body in a row of touching
// ones whose restitution is above elastic, and the number of forces of points, or of joints, that statics does not
// determine.
func (k *Results) ImpulsesAtStart(elastic float64, joints bool) (row string, redundant int) {
	return k.Kinds.Impulses.AtStart(elastic, joints)
}

// UnconvergedSteps returns the number of steps of contact by impulses that ended before their impulses
// were right to the tolerance.
func (k *Results) UnconvergedSteps() int64 { return k.Kinds.Impulses.Unconverged }
