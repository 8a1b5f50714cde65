package solver

import (
	"iter"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/fem"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// A run consists of systems: kinds of bodies, forces, constraints and accounts. Each is a file or a
// package with all of its duties. The solver knows their list, in a fixed order, and nothing about
// their contents.

// system is one kind. Each kind embeds idle and implements the methods that it needs.
type system interface {
	name() string // name in the profile of a run
	empty() bool  // the model has nothing of this kind, so the run leaves it out
	// addForces adds the system's forces on nodes at X, V and Time. With commit its memory and
	// energies advance to Time; without commit it changes only the forces.
	addForces(commit bool) error
	// afterForces transfers the forces that all systems have put on the system's nodes to the nodes
	// or bodies that carry these, and adds their work to its account. In a static analysis Freedoms
	// does this.
	afterForces()
	// move advances the system from Time to Time + dt: velocities by kick, which is half of the
	// last step and half of this one [s], positions by dt [s].
	move(kick, dt float64)
	// bound adds the limits of the next step and their causes.
	bound(*bounds)
	energies(*Energies)
	// parts lists the system's state: everything that outlives a step.
	parts() []Part
	// weights returns the weight of the system's masses.
	weights() nodes.Weight
	// balance returns why a static analysis does not support the system; nil if it does.
	balance() error
}

// analysis is the part of a run, besides the nodal field, that a kind may use.
type analysis struct {
	*Model
	Ledger Ledger
	Note   func(format string, args ...any) // writes a line to the log
	StepState
	clock  clock
	passed []passed // per Expression of the model

	bodyMass       []float64           // per meshed body [kg]
	noise          float64             // energy error that rounding may cause [J]
	rotationLength float64             // length that makes rotations of nodes comparable to displacements [m]
	contact        contactnodes.Forces // contact forces at Time
	generic        bool                // the kernels are the portable ones
	stepping       bool                // a step has begun; before that, a state is restored into whole bodies, and nothing breaks or is excavated
}

// view is what a kind may use of a run: the nodal field and the analysis.
type view struct {
	*nodes.Field
	*analysis
}

// breaking has the systems of bodies that break or are excavated, and the contact of the surfaces
// that this exposes.
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

// all yields the systems that also implement T, in their order.
func all[T any](of []system) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, k := range of {
			if k, ok := k.(T); ok && !yield(k) {
				return
			}
		}
	}
}

// Interfaces of some systems only. Each is used in one place.
type (
	// carrying systems have nodes that move with a heavier body. They give the greatest speed that
	// a unit impulse gives to these nodes [1/kg].
	carrying interface {
		addMobility(mobility []float64)
	}
	// moving systems are bodies whose motion is in results.
	moving interface {
		motions(out []BodyMotion) []BodyMotion
		describe(out []Description) []Description // in the same order
	}
	// contacting systems are contacts whose forces are in results.
	contacting interface {
		contactForces(out []ContactForce) []ContactForce
		// eachContact calls the function with the forces of every contact at Time, in the order of
		// contactForces, part by part.
		eachContact(each func(contactLoad))
	}
	// pressing systems have contact with nodes apart from the contacts of edges. They add their
	// forces to the forces per node [N].
	pressing interface {
		addTo(force []r2.Vec)
	}
	// elastic systems have a tangent stiffness.
	elastic interface {
		addStiffness(p *fem.Pattern, value []float64)
		set() (of fem.Ends, elements int)
	}
	// stiffening systems have a tangent stiffness that is a sum of matrices of rank one.
	stiffening interface {
		stiffen(f *Freedoms, add func(stiffness float64, freedom []int32, g []float64))
	}
	// holding systems hold nodes and rigid bodies of a static analysis.
	holding interface {
		hold(node func(n int32), body func(i int32))
	}
	// overlapping systems check at the start whether bodies overlap without consent of the deck:
	// before the forces are evaluated for the first time, and after that.
	overlapping interface {
		overlap(evaluated bool) error
	}
	// supporting systems hold or drive bodies from outside. They call the function with the
	// reaction of each of their supports at Time, always the same number in the same order.
	supporting interface{ reactions(each func(*reaction)) }
	// sized systems report their numbers.
	sized interface {
		counts(each func(n int, of string)) // number of elements or other objects
		bytes() int                         // peak memory of a run [bytes]
	}
	// extended systems give their initial positions [m].
	extended interface {
		extent(each func(position r2.Vec, diameter float64))
	}
	// searching systems have neighbour lists and count how many were made.
	searching interface{ rebuilds() int }
	// shared systems let several workers compute their part of a step.
	shared interface{ workers(t *team) }
	// fast systems return the square of their greatest speed [m2/s2].
	fast interface{ speed2() float64 }
	// approaching systems allow longer steps while they are far from contact. They return the
	// longest step if contact were near [s].
	approaching interface{ nearLimit() float64 }
	// massed systems return the mass on which contact acts now [kg].
	massed interface{ contactMass() float64 }
	// locating systems return where their cause of a short step is, "" for causes of other systems.
	locating interface{ where(by Cause) string }
	// restoring systems compute the data that follow from their parts.
	restoring interface{ restore() error }
	// adapting systems follow bodies that separate. They are told of triangles around a vertex that
	// has opened and of a body that was excavated. They return the energy that they would store in
	// an open edge if it were closed [J].
	adapting interface {
		adapt(triangles []int32)
		excavate(body int32)
		closed(edge int32) float64
		velocities(box boundingbox.Box) boundingbox.Box // with the velocities of these systems at the start [m/s]
	}
	// hinged systems may swing about hinges. They name the parts that can move under the given
	// fixes, except parts that are bound otherwise.
	hinged interface {
		mechanisms(fixes []Fix, bound func(n int32) bool) []string
	}
	// following systems name the nodes that they read or act on in a step, apart from the nodes of
	// outlines and those after the nodes of elements, which all processes have. They return false
	// if they cannot name them. All other systems are taken to read every node.
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
