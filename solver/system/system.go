package system

import (
	"iter"

	"fdem/contactnodes/onnodes"
	"fdem/fem"
	"fdem/solver/model"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// A run consists of systems: kinds of bodies, forces, constraints and accounts. Each is a file or a
// package with all of its duties. The solver knows their list, in a fixed order, and nothing about
// their contents.

// System is one kind. Each kind embeds Idle and implements the methods that it needs.
type System interface {
	Name() string // name in the profile of a run
	Empty() bool  // the model has nothing of this kind, so the run leaves it out
	// ApplyForces adds the system's forces on nodes at X, V and Time. With commit its memory and
	// energies advance to Time; without commit it changes only the forces.
	ApplyForces(commit bool) error
	// AfterForces transfers the forces that all systems have put on the system's nodes to the nodes
	// or bodies that carry these, and adds their work to its account. In a static analysis Freedoms
	// does this.
	AfterForces()
	// MoveBy advances the system from Time to Time + dt: velocities by kick, which is half of the
	// last step and half of this one [s], positions by dt [s].
	MoveBy(kick, dt float64)
	// Bound adds the limits of the next step and their causes.
	Bound(*Bounds)
	AddEnergies(*Energies)
	// StateParts lists the system's state: everything that outlives a step.
	StateParts() []Part
	// Weights returns the weight of the system's masses.
	Weights() nodes.Weight
	// Balance returns why a static analysis does not support the system; nil if it does.
	Balance() error
}

// Analysis is the part of a run, besides the nodal field, that a kind may use.
type Analysis struct {
	*model.Model
	Ledger Ledger
	Note   func(format string, args ...any) // writes a line to the log
	StepState
	Timer  Clock
	passed []passed // per Expression of the model

	BodyMass       []float64      // per meshed body [kg]
	Holding        []bool         // per Fix of the model: it holds its nodes now
	RoundingNoise  float64        // energy error that rounding may cause [J]
	RotationLength float64        // length that makes rotations of nodes comparable to displacements [m]
	Contact        onnodes.Forces // contact forces at Time
	Generic        bool           // the kernels are the portable ones
	GrowthDelay    float64        // time for which the limit of the step must be longer before the step grows: the longest four travel times of sound, found before the first step [s]
	Stepping       bool           // a step has begun; before that, a state is restored into whole bodies, and nothing breaks or is excavated
}

// View is what a kind may use of a run: the nodal field and the analysis.
type View struct {
	*nodes.Field
	*Analysis
}

// Idle is a system that does nothing.
type Idle struct{}

func (Idle) Empty() bool { return false }

func (Idle) ApplyForces(bool) error { return nil }

func (Idle) AfterForces() {}

func (Idle) MoveBy(_, _ float64) {}

func (Idle) Bound(*Bounds) {}

func (Idle) AddEnergies(*Energies) {}

func (Idle) StateParts() []Part { return nil }

func (Idle) Weights() nodes.Weight { return nodes.Weight{} }

func (Idle) Balance() error { return nil }

// All yields the systems that also implement T, in their order.
func All[T any](of []System) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, k := range of {
			if k, ok := k.(T); ok && !yield(k) {
				return
			}
		}
	}
}

// Where returns the location of a cause as text, "" if no system knows it.
func Where(of []System, by Cause) string {
	for k := range All[locating](of) {
		if text := k.Where(by); text != "" {
			return text
		}
	}
	return ""
}

// Interfaces of some systems only. Each is used in one place.
type (

	// carrying systems have nodes that move with a heavier body. They give the greatest speed that
	// a unit impulse gives to these nodes [1/kg].
	carrying interface {
		AddMobility(mobility []float64)
	}

	// Moving systems are bodies whose motion is in results.
	Moving interface {
		Motions(out []BodyMotion) []BodyMotion
		Describe(out []Description) []Description // in the same order
	}

	// Contacting systems are contacts whose forces are in results.
	Contacting interface {
		ContactForces(out []ContactForce) []ContactForce
		// EachContact calls the function with the forces of every contact at Time, in the order of
		// ContactForces, part by part.
		EachContact(each func(ContactLoad))
	}

	// Pressing systems have contact with nodes apart from the contacts of edges. They add their
	// forces to the forces per node [N].
	Pressing interface {
		AddTo(force []r2.Vec)
	}

	// Elastic systems have a tangent stiffness.
	Elastic interface {
		AddStiffness(p *fem.Pattern, value []float64)
		Set() (of fem.Ends, elements int)
	}

	// Stiffening systems have a tangent stiffness that is a sum of matrices of rank one.
	Stiffening interface {
		Stiffen(f *Freedoms, add func(stiffness float64, freedom []int32, g []float64))
	}

	// Holding systems hold nodes and rigid bodies of a static analysis.
	Holding interface {
		EachHeld(node func(n int32), body func(i int32))
	}

	// Overlapping systems check at the start whether bodies overlap without consent of the deck:
	// before the forces are evaluated for the first time, and after that.
	Overlapping interface {
		Overlap(evaluated bool) error
	}

	// Supporting systems hold or drive bodies from outside. They call the function with the
	// reaction of each of their supports at Time, always the same number in the same order.
	Supporting interface{ Reactions(each func(*Reaction)) }

	// Sized systems report their numbers.
	Sized interface {
		EachCount(each func(n int, of string)) // number of elements or other objects
		Bytes() int                            // peak memory of a run [bytes]
	}

	// Extended systems give their initial positions [m].
	Extended interface {
		Extent(each func(position r2.Vec, diameter float64))
	}

	// Searching systems have neighbour lists and count how many were made.
	Searching interface{ ListsMade() int }

	// Fast systems return the square of their greatest speed [m2/s2].
	Fast interface{ Speed2() float64 }

	// Approaching systems allow longer steps while they are far from contact. They return the
	// longest step if contact were near [s].
	Approaching interface{ NearLimit() float64 }

	// Massed systems return the mass on which contact acts now [kg].
	Massed interface{ ContactMass() float64 }

	// locating systems return where their cause of a short step is, "" for causes of other systems.
	locating interface{ Where(by Cause) string }

	// Restoring systems compute the data that follow from their parts.
	Restoring interface{ Recompute() error }

	// Hinged systems may swing about hinges. They name the parts that can move under the given
	// fixes, except parts that are bound otherwise.
	Hinged interface {
		Mechanisms(fixes []model.Fix, bound func(n int32) bool) []string
	}

	// Following systems name the nodes that they read or act on in a step, apart from the nodes of
	// outlines and those after the nodes of elements, which all processes have. They return false
	// if they cannot name them. All other systems are taken to read every node.
	Following interface {
		NodesRead(each func(n int32)) bool
	}

	// Owning systems have a value per node, part of their state, that only the process has which
	// moves the node.
	Owning interface{ OfOwners() []r2.Vec }

	// Dissipating systems tell whether they take energy out of vibrations.
	Dissipating interface{ Dissipates() bool }

	// Staged systems advance in the time of a static analysis, between its balances.
	Staged interface {
		// Repeat follows the positions in balance at the end of an increment, and tells whether
		// forces have changed by that, so that balance must be found again.
		Repeat() (again bool, err error)
		// Pace returns the greatest length of the next increment, by the error of this one, which is
		// in balance, and whether that is small enough.
		Pace() (next float64, fits bool)
		// First returns the greatest length of the first increment.
		First() float64
	}

	// stopping systems name the freedoms of a static analysis that stay where they are now, by
	// Freedoms.Stop.
	stopping interface{ Stop(f *Freedoms) }

	// free systems have positions that a static analysis finds.
	free interface {
		Freedoms(f *Freedoms)                                                  // numbers the degrees of freedom
		Displace(f *Freedoms, from *Positions, by func(freedom int32) float64) // puts all at a change from a position
		Prescribe(f *Freedoms) (moved bool)                                    // moves driven nodes to their positions at Time
	}
)
