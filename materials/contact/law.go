// Package contact holds the contact laws (contact force models): pure functions
// of the deflection, which is the penetration or overlap, its rate and a
// memory. They return a pressure or a force. A law is one file that registers
// itself. The package has no edges, bodies or time steps.
package contact

// Kind tells whether a law returns a pressure or a force.
type Kind int

const (
	Surface Kind = iota // pressure p(d) [Pa] on a unit of area; tangents in Pa/m, energy in J/m2
	Point               // force F(d) [N] between two bodies that meet at a point; tangents in N/m, energy in J
)

// String returns "surface" or "point".
func (k Kind) String() string {
	if k == Point {
		return "point"
	}
	return "surface"
}

// Law is a contact law p(d) of a surface or F(d) of a point. Its Model's Kind
// tells which, and so the units of Output.
type Law interface {
	// Memory names the values kept per contact node, which are also VTK arrays
	// and checkpoint columns. It is nil for a law without memory.
	Memory() []string
	// Eval fills out for every contact node of in. It must not allocate. It is
	// idempotent: with out.Mem as the next in.Mem and the same deflection it
	// returns the same P, W and Mem to rounding.
	Eval(in Input, out Output)
}

// Damped is a law whose pressure (force) grows with the deflection rate.
type Damped interface {
	Law
	// Damping returns the greatest slope of pressure over rate [Pa s/m] ([N
	// s/m]), which bounds the time step.
	Damping() float64
}

// Tabulated is a law that can make lookup tables in some milliseconds. With them
// it is evaluated many times faster. For a few evaluations no tables are needed.
type Tabulated interface {
	Law
	Tabulate() // must not run concurrently with Eval
}

// Sprung is a point law whose damper makes the tangent K infinite as contact
// begins, where its force is still small. Then the spring beside the damper
// bounds the time step.
type Sprung interface {
	Law
	// EvalSprung is Eval with K the tangent of the spring alone [N/m]. It leaves
	// DP as it is.
	EvalSprung(in Input, out Output)
}

// Input is a slice of contact nodes. All slices have the same length n. Mem has
// n times len(Memory()), a node's values side by side.
type Input struct {
	D    []float64 // deflection [m], positive in contact
	Rate []float64 // deflection rate [m/s]
	Mem  []float64 // committed memory
}

// Output is the output of a law, laid out as Input. Units are for a surface
// law, and in brackets for a point law.
type Output struct {
	P   []float64 // pressure [Pa] (force [N]), never negative unless a law's raw form is asked for
	DP  []float64 // tangent dP/dD on the node's present branch [Pa/m] ([N/m])
	K   []float64 // stiffest possible tangent of the node at this pressure [Pa/m] ([N/m]); bounds the time step
	W   []float64 // recoverable energy [J/m2] ([J])
	Mem []float64 // next memory; may alias Input.Mem
}
