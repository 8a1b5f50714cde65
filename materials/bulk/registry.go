package bulk

import (
	"fmt"
	"slices"
	"strings"

	"fdem/materials/parameter"
)

// Model describes a law to the deck's reader, the command line and the manual.
type Model struct {
	Name       string // as spelled in decks and commands
	Title      string // one line
	Source     string // book or paper, with the equation
	Formula    string // plain text, one equation a line
	Parameters parameter.List
	Groups     map[string]string // description of an inline table of parameters, by the part of their names before a dot
	Curves     []Curve
	New        func(e Elastic, c Constants) (Law, error) // the values are complete and in range
}

// Curve describes a table of pairs that a law takes.
type Curve struct {
	Name, Doc string
	X, Y      string // units
}

// Constants are the constants of a law.
type Constants struct {
	Value map[string]float64      // SI
	Curve map[string][][2]float64 // tables that are given
}

var registry []Model // sorted by name

// Register adds a law; the file that defines a law calls it from init. A name given twice
// is a programmer's mistake.
func Register(m Model) {
	i, found := slices.BinarySearchFunc(registry, m.Name, byName)
	if found {
		panic("bulk: law " + m.Name + " registered twice")
	}
	registry = slices.Insert(registry, i, m)
}

func byName(m Model, name string) int { return strings.Compare(m.Name, name) }

// Names returns the names of all laws, sorted.
func Names() []string {
	names := make([]string, len(registry))
	for i, m := range registry {
		names[i] = m.Name
	}
	return names
}

// Lookup returns the law of that name.
func Lookup(name string) (Model, bool) {
	i, found := slices.BinarySearchFunc(registry, name, byName)
	if !found {
		return Model{}, false
	}
	return registry[i], true
}

// Build makes the law of a material. It fails for a parameter that is unknown, missing,
// not finite or out of range, or that contradicts another.
func (m Model) Build(e Elastic, c Constants) (Law, error) {
	full, err := m.Parameters.Complete(m.Name, c.Value)
	if err != nil {
		return nil, err
	}
	for name := range c.Curve {
		if !slices.ContainsFunc(m.Curves, func(of Curve) bool { return of.Name == name }) {
			return nil, fmt.Errorf("law %s has no table %q", m.Name, name)
		}
	}
	law, err := m.New(e, Constants{full, c.Curve})
	if err != nil {
		return nil, fmt.Errorf("law %s: %w", m.Name, err)
	}
	return law, nil
}

// Derived is a law with numbers that follow from its constants and that engineers compare.
type Derived interface {
	Law
	Derived() []Number
}

// Number is a number with its unit.
type Number struct {
	Name, Unit string
	Value      float64 // SI; angles in degrees
}
