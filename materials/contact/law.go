// Package contact holds the contact laws: pure functions from deflection,
// deflection rate and memory to pressure. A law is one file that registers
// itself; nothing here knows edges, bodies or time stepping.
package contact

// Law is a surface law p(d): pressure on a unit of area under a deflection.
type Law interface {
	// Memory names the values kept per contact node; they are also VTK arrays
	// and checkpoint columns. nil for a law without memory.
	Memory() []string
	// Eval fills out for every contact node of in. It must not allocate and
	// is idempotent: with out.Mem as the next in.Mem and the same deflection
	// it returns the same P, W and Mem to rounding.
	Eval(in Input, out Output)
}

// Input is a slice of contact nodes; all slices have the same length n, Mem n
// times len(Memory()), a node's values side by side.
type Input struct {
	D    []float64 // deflection [m], positive in contact
	Rate []float64 // deflection rate [m/s]
	Mem  []float64 // committed memory
}

// Output receives a law's answer, laid out as Input.
type Output struct {
	P   []float64 // pressure [Pa], never negative
	DP  []float64 // tangent dP/dD of the segment the node is on [Pa/m]
	K   []float64 // stiffest tangent the node can show at this pressure [Pa/m]; bounds the time step
	W   []float64 // recoverable energy [J/m2]
	Mem []float64 // next memory; may alias Input.Mem
}
