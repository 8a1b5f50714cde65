package contact

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Model describes a law to the deck reader, the command line and the manual.
type Model struct {
	Name       string // as decks and commands spell it
	Kind       Kind   // Surface or Point
	Title      string // one line
	Source     string // paper and equation
	Formula    string // plain text, one equation a line
	Parameters []Parameter
	New        func(values map[string]float64) (Law, error) // values are complete and in range
}

// Parameter is one constant of a law.
type Parameter struct {
	Name     string
	Doc      string
	Unit     string // SI: "Pa", "1", or with another parameter as exponent, "m/Pa^m_p"
	Min, Max float64
	OpenMin  bool      // Min itself is out of range
	Choice   []float64 // the only values in range; nil for all between Min and Max
	Default  *float64  // nil where the user must give a value
	Auto     bool      // of a surface law: a deck may leave it to the bodies in contact
}

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
	for _, p := range m.Parameters {
		if p.Name == name {
			return p, true
		}
	}
	return Parameter{}, false
}

// Build makes the law from values in SI units. It fails for a parameter that
// is unknown, missing, not finite or out of range, or that contradicts
// another.
func (m Model) Build(values map[string]float64) (Law, error) {
	given := make([]string, 0, len(values))
	for name := range values {
		given = append(given, name)
	}
	slices.Sort(given)
	for _, name := range given {
		if _, ok := m.Parameter(name); !ok {
			return nil, fmt.Errorf("law %s has no parameter %q: it takes %s", m.Name, name, m.takes())
		}
	}
	full := make(map[string]float64, len(m.Parameters))
	for _, p := range m.Parameters {
		v, ok := values[p.Name]
		switch {
		case !ok && p.Default == nil:
			return nil, fmt.Errorf("law %s needs the parameter %q (%s)", m.Name, p.Name, p.Doc)
		case !ok:
			v = *p.Default
		}
		if err := p.Check(v); err != nil {
			return nil, fmt.Errorf("law %s: %w", m.Name, err)
		}
		full[p.Name] = v
	}
	law, err := m.New(full)
	if err != nil {
		return nil, fmt.Errorf("law %s: %w", m.Name, err)
	}
	return law, nil
}

func (m Model) takes() string {
	names := make([]string, len(m.Parameters))
	for i, p := range m.Parameters {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// Check returns an error naming the rule that v breaks.
func (p Parameter) Check(v float64) error {
	low, high := v < p.Min || p.OpenMin && v == p.Min, v > p.Max
	between := p.Choice != nil && !slices.Contains(p.Choice, v)
	if !low && !high && !between && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return nil
	}
	unit := " " + p.Unit
	if p.Unit == "1" {
		unit = ""
	}
	return fmt.Errorf("%s must be %s, got %g%s", p.Name, p.Range(), v, unit)
}

// Range says in words which values are allowed.
func (p Parameter) Range() string {
	above := fmt.Sprintf("at least %g", p.Min)
	if p.OpenMin {
		above = fmt.Sprintf("greater than %g", p.Min)
	}
	switch {
	case p.Choice != nil:
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(p.Choice), "[]"), " ", " or ")
	case math.IsInf(p.Max, 1) && math.IsInf(p.Min, -1):
		return "finite"
	case math.IsInf(p.Max, 1):
		return above
	}
	return fmt.Sprintf("%s and at most %g", above, p.Max)
}
