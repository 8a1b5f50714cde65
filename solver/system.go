package solver

import (
	"iter"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/fem"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// A run is made of systems: kinds of things that move, push, carry or count. Each is a room, a file
// or a package that knows all of its duties; the solver knows their list, in a fixed order, and
// nothing of their content.

// system is one kind. A kind embeds idle and implements the methods that it needs.
type system interface {
	name() string // in the profile of a run
	empty() bool  // the model has nothing of the kind: the run goes without
	// addForces adds the system's forces on nodes at X, V and Time. With commit
	// its memory and its account of energy advance to Time; without, it changes
	// nothing but the forces.
	addForces(commit bool) error
	// afterForces moves the forces that all systems have put on the system's nodes
	// to where they move something, and adds their work to its account. A static
	// analysis does this by Freedoms.
	afterForces()
	// move advances the system from Time to Time + dt: velocities by kick, half of the last step
	// and of this one [s], positions by dt [s].
	move(kick, dt float64)
	// bound tells how long the next step may be, and why.
	bound(*bounds)
	energies(*Energies)
	// parts lists the system's state, all of it that outlives a step.
	parts() []Part
	// weights tells what has weight.
	weights() nodes.Weight
	// balance says why a static analysis cannot have the system; nil where it
	// can.
	balance() error
}

// analysis is what a kind sees of the run besides the nodal field.
type analysis struct {
	*Model
	Ledger Ledger
	Note   func(format string, args ...any) // takes a line for the log
	StepState
	clock  clock
	passed []passed // by the Expressions of the model

	bodyMass       []float64           // per meshed body [kg]
	noise          float64             // energy that rounding may make out of nothing [J]
	rotationLength float64             // that makes a length of the turning of nodes [m]
	contact        contactnodes.Forces // of the forces at Time those of contact
	damping        *damping
	generic        bool // the kernels are the portable ones
	stepping       bool // a step has begun: before, bodies neither part nor leave, for a state is restored into whole ones
}

// view is what a kind sees of a run: the nodal field and the analysis.
type view struct {
	*nodes.Field
	*analysis
}

// breaking is what separates during a run: bodies that break or are excavated, and the contact of
// the surfaces that this exposes.
type breaking struct {
	view
	cracks      *cracks
	crackFaces  *crackFaces
	excavations *excavations
}

// idle is a system that does nothing.
type idle struct{}

func (idle) empty() bool           { return false }
func (idle) addForces(bool) error  { return nil }
func (idle) afterForces()          {}
func (idle) move(_, _ float64)     {}
func (idle) bound(*bounds)         {}
func (idle) energies(*Energies)    {}
func (idle) parts() []Part         { return nil }
func (idle) weights() nodes.Weight { return nodes.Weight{} }
func (idle) balance() error        { return nil }

// all goes through the systems that are a T as well, in their order.
func all[T any](of *kinds) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, k := range of.systems {
			if k, ok := k.(T); ok && !yield(k) {
				return
			}
		}
	}
}

// Methods of some systems only, each called in one place.
type (
	// carrying systems have nodes that move with something heavier: they tell
	// the greatest speed that a unit impulse gives to these [1/kg].
	carrying interface {
		addMobility(mobility []float64)
	}
	// moving systems are bodies, whose motion results tell.
	moving interface {
		motions(out []BodyMotion) []BodyMotion
		describe(out []Description) []Description // in the same order
	}
	// contacting systems are contacts, whose forces results tell.
	contacting interface {
		contactForces(out []ContactForce) []ContactForce
		// eachContact calls the function with the forces of every contact at Time, in
		// the order of contactForces, parts one by one.
		eachContact(each func(contactLoad))
	}
	// pressing systems touch nodes beside the contacts of edges: they add their
	// forces to those per node [N].
	pressing interface {
		addTo(force []r2.Vec)
	}
	// elastic systems have a tangent stiffness.
	elastic interface {
		addStiffness(p *fem.Pattern, value []float64)
		set() (of fem.Ends, elements int)
	}
	// stiffening systems have a tangent stiffness in parts of rank one.
	stiffening interface {
		stiffen(f *Freedoms, add func(stiffness float64, freedom []int32, g []float64))
	}
	// holding systems hold nodes and rigid bodies of a static analysis.
	holding interface {
		hold(node func(n int32), body func(i int32))
	}
	// overlapping systems say at the start whether bodies lie in one another
	// without consent: before the forces are first evaluated, and after.
	overlapping interface {
		overlap(evaluated bool) error
	}
	// supporting systems hold or drive something from outside: they call the
	// function with what each of their supports does at Time, always as many in
	// the same order.
	supporting interface{ reactions(each func(*reaction)) }
	// sized systems report their numbers.
	sized interface {
		counts(each func(n int, of string)) // elements and the like
		bytes() int                         // that a run takes at its peak
	}
	// extended systems report their positions at the start [m].
	extended interface {
		extent(each func(position r2.Vec, diameter float64))
	}
	// searching systems keep neighbour lists and tell how often they were made.
	searching interface{ rebuilds() int }
	// shared systems let several workers do their part of a step.
	shared interface{ workers(t *team) }
	// fast systems tell the square of their greatest speed [m2/s2].
	fast interface{ speed2() float64 }
	// approaching systems let steps be longer while what they meet is far, and tell what they
	// would be if it were near [s].
	approaching interface{ nearLimit() float64 }
	// massed systems tell how much mass contact presses now [kg].
	massed interface{ contactMass() float64 }
	// locating systems say where a cause of a short step of theirs is; nothing
	// for those of others.
	locating interface{ where(by Cause) string }
	// restoring systems make the data that follow from their parts.
	restoring interface{ restore() error }
	// adapting systems follow bodies that part: they are told of triangles round a
	// vertex that has opened and of a body that has left, and tell what they would store
	// in an edge that has opened were it shut [J].
	adapting interface {
		adapt(triangles []int32)
		excavate(body int32)
		closed(edge int32) float64
		velocities(box boundingbox.Box) boundingbox.Box // with theirs at the start [m/s]
	}
	// hinged systems may swing: they name what does under fixes, but for what is
	// bound otherwise.
	hinged interface {
		mechanisms(fixes []Fix, bound func(n int32) bool) []string
	}
	// following systems name the nodes that they read or push in a step, beside those of outlines
	// and behind those of elements, which all processes have; where they cannot they return
	// false. Other systems are taken to read every node.
	following interface {
		follows(each func(n int32)) bool
	}
	// owning systems have a value per node, part of their state, that only the process has which
	// moves the node.
	owning interface{ ofOwners() []r2.Vec }
	// dissipating systems tell whether they take energy out of vibrations.
	dissipating interface{ dissipates() bool }
	// free systems have positions that a static analysis finds.
	free interface {
		freedoms(f *Freedoms)                                                  // numbers the degrees of freedom
		displace(f *Freedoms, from *Positions, by func(freedom int32) float64) // puts all at a change from a position
		prescribe(f *Freedoms) (moved bool)                                    // moves driven nodes to their positions at Time
	}
)
