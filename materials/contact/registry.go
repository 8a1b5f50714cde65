package contact

import (
	"fmt"
	"slices"
	"strings"

	"fdem/materials/parameter"
)

// Model describes a law to the deck reader, the command line and the manual.
type Model struct {
	Name       string // as spelled in decks and commands
	Kind       Kind   // Surface or Point
	Title      string // one line
	Source     string // paper and equation
	Formula    string // plain text, one equation a line
	Parameters []Parameter
	New        func(values map[string]float64) (Law, error) // values are complete and in range
}

// Parameter is one constant of a law.
type Parameter = parameter.Parameter

var registry []Model // sorted by name

// Register adds a law; the file that defines a law calls it from init. A name
// given twice is a programmer's mistake.
func Register(m Model) {
	i, found := slices.BinarySearchFunc(registry, m.Name, byName)
	if found {
		panic("contact: law " + m.Name + " registered twice")
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

// Parameter returns the parameter of that name.
func (m Model) Parameter(name string) (Parameter, bool) {
	return parameter.List(m.Parameters).Find(name)
}

// Build makes the law from values in SI units. It fails for a parameter that
// is unknown, missing, not finite or out of range, or that contradicts
// another.
func (m Model) Build(values map[string]float64) (Law, error) {
	full, err := parameter.List(m.Parameters).Complete(m.Name, values)
	if err != nil {
		return nil, err
	}
	law, err := m.New(full)
	if err != nil {
		return nil, fmt.Errorf("law %s: %w", m.Name, err)
	}
	return law, nil
}
