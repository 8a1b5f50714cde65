// Package parameter describes the constants of a constitutive law, by name, unit, range
// and default. The deck's reader, the command line and the manual use these
// descriptions.
package parameter

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Parameter is one constant of a law.
type Parameter struct {
	Name     string
	Doc      string
	Unit     string // SI: "Pa", "1", or with another parameter as exponent, "m/Pa^m_p"
	Min, Max float64
	OpenMin  bool      // Min itself is out of range
	Choice   []float64 // the only values in range; nil for all between Min and Max
	Default  *float64  // nil if the user must give a value
	Else     string    // the default in words, in place of Default; the law's values then lack the parameter
	Auto     bool      // for a surface law: the value may follow from the bodies in contact
}

// Check returns an error that names the rule violated by v.
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

// Range returns the allowed values in words.
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

// List is the parameters of a law.
type List []Parameter

// Find returns the parameter of that name.
func (l List) Find(name string) (Parameter, bool) {
	for _, p := range l {
		if p.Name == name {
			return p, true
		}
	}
	return Parameter{}, false
}

// Complete returns values in SI units with the defaults of those that are not given. It
// fails for a parameter of the law that is unknown, missing, not finite or out of range.
func (l List) Complete(law string, values map[string]float64) (map[string]float64, error) {
	given := make([]string, 0, len(values))
	for name := range values {
		given = append(given, name)
	}
	slices.Sort(given)
	for _, name := range given {
		if _, ok := l.Find(name); !ok {
			return nil, fmt.Errorf("law %s has no parameter %q: it has %s", law, name, l.names())
		}
	}
	full := make(map[string]float64, len(l))
	for _, p := range l {
		v, ok := values[p.Name]
		switch {
		case !ok && p.Else != "":
			continue
		case !ok && p.Default == nil:
			return nil, fmt.Errorf("law %s needs the parameter %q (%s)", law, p.Name, p.Doc)
		case !ok:
			v = *p.Default
		}
		if err := p.Check(v); err != nil {
			return nil, fmt.Errorf("law %s: %w", law, err)
		}
		full[p.Name] = v
	}
	return full, nil
}

func (l List) names() string {
	names := make([]string, len(l))
	for i, p := range l {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}
