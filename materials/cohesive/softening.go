package cohesive

import (
	"fmt"
	"slices"
	"strings"
)

// Softening is a dimensionless curve of traction over opening. s is the
// traction over the traction f at which softening begins. x is the opening over
// the length G/f, with the fracture energy G. Every curve starts at 1, never
// rises, and has an area of exactly 1, so that the dissipated energy is G.
type Softening interface {
	// End returns the x from which on s is 0.
	End() float64
	// Eval sets for every x >= 0 the traction s, its slope ds/dx if slope is
	// not nil, and lost = -integral of x ds from 0 to x. lost is the dissipated
	// energy if x s is the stored one: 0 at the start, 1 at the end. The area
	// below the curve up to x is lost + x s. All slices are as long as x; s may
	// alias x. It does not allocate.
	Eval(x, s, slope, lost []float64)
}

// SofteningCurve describes a softening curve to the deck reader, the command line and
// the manual.
type SofteningCurve struct {
	Name    string // as in decks: softening = "linear"
	Title   string // one line
	Source  string // paper and equation
	Formula string // plain text, one equation a line
	Softening
}

var registry []SofteningCurve // sorted by name

// register adds a curve. The file that defines the curve calls it from init. A
// second curve of the same name is a programmer's mistake.
func register(c SofteningCurve) {
	i, found := slices.BinarySearchFunc(registry, c.Name, byName)
	if found {
		panic("cohesive: softening " + c.Name + " registered twice")
	}
	registry = slices.Insert(registry, i, c)
}

func byName(c SofteningCurve, name string) int { return strings.Compare(c.Name, name) }

// Curves returns the names of all softening curves, sorted.
func Curves() []string {
	names := make([]string, len(registry))
	for i, c := range registry {
		names[i] = c.Name
	}
	return names
}

// Lookup returns the softening curve of that name. Its error lists the known
// names.
func Lookup(name string) (SofteningCurve, error) {
	i, found := slices.BinarySearchFunc(registry, name, byName)
	if !found {
		return SofteningCurve{}, fmt.Errorf("there is no softening %q: it is one of %s", name, strings.Join(Curves(), ", "))
	}
	return registry[i], nil
}
