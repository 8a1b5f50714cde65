package cohesive

import (
	"fmt"
	"slices"
	"strings"
)

// Softening is a curve of traction over opening, both made dimensionless: s is
// the traction over that at which softening begins, x the opening over the
// length G/f, fracture energy over that traction. Every curve starts at 1,
// never rises, and has the area 1 exactly, whatever it is: the energy that is
// given is the energy that is dissipated.
type Softening interface {
	// End returns the x at which s is 0 and stays so.
	End() float64
	// Eval fills, for every x >= 0, the traction s, its slope ds/dx where
	// slope is not nil, and lost = -integral of x ds from 0 to x, the energy
	// dissipated by a crack that unloads to the origin: 0 at the start, 1 at
	// the end; the area below the curve so far is lost + x s. All slices are
	// as long as x; s may alias x. It does not allocate.
	Eval(x, s, slope, lost []float64)
}

// SofteningCurve describes a softening curve to the deck reader, the command line and
// the manual.
type SofteningCurve struct {
	Name    string // as decks spell it: softening = "linear"
	Title   string // one line
	Source  string // paper and equation
	Formula string // plain text, one equation a line
	Softening
}

var registry []SofteningCurve // sorted by name

// register adds a curve; the file that defines one calls it from init. A name
// given twice is a programmer's mistake.
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

// Lookup returns the softening curve of that name; the error names those there
// are.
func Lookup(name string) (SofteningCurve, error) {
	i, found := slices.BinarySearchFunc(registry, name, byName)
	if !found {
		return SofteningCurve{}, fmt.Errorf("there is no softening %q: it is one of %s", name, strings.Join(Curves(), ", "))
	}
	return registry[i], nil
}
