package curves

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fdem/io/expression"
)

// Text is a curve as in a deck, or a result if Reading takes a number of it.
type Text struct {
	Name, Unit string
	Of, Over   string // expressions of columns
	ShareOf    string // expression to whose peak fractions refer; "" for Of
	Reading
}

// Set is the curves and results of a deck for one history.
type Set struct {
	Curves  []Curve
	Results []Result
	columns int      // of the history without curves
	header  []string // of the history with curves
	names   []string // names in expressions: columns, curves, constants, results
	values  []float64
}

// Curve is a column that is computed from others.
type Curve struct {
	Text
	value formula
	at    int // of its name
}

// Result is a number of the whole run.
type Result struct {
	Text
	of, over formula
	shareOf  *formula // nil for of
	at       int      // of its name
}

// uses returns the indices of the names from which a result is computed.
func (r *Result) uses() []int {
	if r.shareOf == nil {
		return slices.Concat(r.of.uses, r.over.uses)
	}
	return slices.Concat(r.of.uses, r.over.uses, r.shareOf.uses)
}

// Words describes a result: "slope of stress over strain from 40 % to 60 %".
func (r *Result) Words() string {
	if r.Take == "end" && !r.From.Given && !r.To.Given {
		return r.Of + " at the end"
	}
	text := r.Take + " of " + r.Of
	switch r.Take {
	case "at":
		return r.Of + " where " + r.Over + " reaches " + r.From.String()
	case "count":
		return text + " rising through " + r.From.String()
	}
	text += " over " + r.Over
	if r.From.Given {
		text += " from " + r.From.String()
	}
	if r.To.Given {
		text += " to " + r.To.String()
	}
	if r.ShareOf != "" {
		text += ", fractions of " + r.ShareOf
	}
	return text
}

// Begin returns a set without curves for a history with these columns, with further
// constants for expressions.
func Begin(columns []string, constants map[string]float64) *Set {
	s := &Set{columns: len(columns), header: slices.Clone(columns), names: slices.Clone(columns), values: make([]float64, len(columns))}
	for _, name := range slices.Sorted(maps.Keys(constants)) {
		if !slices.Contains(s.names, name) { // a column comes first
			s.names, s.values = append(s.names, name), append(s.values, constants[name])
		}
	}
	return s
}

// known adds a name that further expressions may use, and returns its index.
func (s *Set) known(name string) int {
	if i := slices.Index(s.names, name); i >= 0 {
		s.names[i] = "" // a curve of the name of a constant hides it
	}
	s.names, s.values = append(s.names, name), append(s.values, math.NaN())
	return len(s.names) - 1
}

// Curve adds a curve. It fails for an expression that is not made of columns and
// numbers.
func (s *Set) Curve(t Text) error {
	f, err := s.compile(t.Of)
	if err != nil {
		return err
	}
	s.Curves = append(s.Curves, Curve{t, f, s.known(t.Name)})
	s.header = append(s.header, t.Name)
	return nil
}

// Result adds a result. It fails as Curve does, with the key of the deck that is wrong.
func (s *Set) Result(t Text) (key string, err error) {
	r := Result{Text: t}
	if r.of, err = s.compile(t.Of); err != nil {
		return "of", err
	}
	if r.over, err = s.compile(t.Over); err != nil {
		return "over", err
	}
	if t.ShareOf != "" {
		f, err := s.compile(t.ShareOf)
		if err != nil {
			return "share_of", err
		}
		r.shareOf = &f
	}
	r.at = s.known(t.Name)
	s.Results = append(s.Results, r)
	return "", nil
}

// Header lists the columns of the history, those of the curves last.
func (s *Set) Header() []string { return s.header }

// Append adds the values of the curves to a row of the history that has every other
// column. A value that does not exist is NaN.
func (s *Set) Append(row []float64) []float64 {
	if s == nil || len(s.Curves) == 0 {
		return row
	}
	copy(s.values, row)
	for i := range s.Curves {
		c := &s.Curves[i]
		v := c.value.at(s.values) + 0 // no zero has a sign
		s.values[c.at] = v
		row = append(row, v)
	}
	return row
}

// Number is a result with its value, or with the reason why it has none.
type Number struct {
	Name, Unit string
	Value      float64
	Err        error
	Late       bool // a greatest or least value of the last rows
}

// Needs returns the columns from which the results are computed.
func (s *Set) Needs() (out []string) {
	if s == nil {
		return nil
	}
	for i := range s.Results {
		for _, k := range s.Results[i].uses() {
			if s.varies(k) && !slices.Contains(out, s.names[k]) {
				out = append(out, s.names[k])
			}
		}
	}
	return out
}

// Read computes the results from the columns of a history that they need, by name, all of
// the same length.
func (s *Set) Read(columns map[string][]float64) []Number {
	if s == nil {
		return nil
	}
	var out []Number
	for i := range s.Results {
		r := &s.Results[i]
		n := Number{Name: r.Name, Unit: r.Unit}
		n.Value, n.Late, n.Err = s.read(r, columns)
		if n.Err != nil {
			n.Value = math.NaN()
		}
		s.values[r.at] = n.Value
		out = append(out, n)
	}
	return out
}

// read computes one result, and tells whether it is a peak at the end. Earlier results
// are known.
func (s *Set) read(r *Result, columns map[string][]float64) (v float64, late bool, err error) {
	rows := 1
	uses := r.uses()
	for _, k := range uses {
		switch v, there := columns[s.names[k]]; {
		case s.varies(k) && !there:
			return 0, false, fmt.Errorf("history.csv has no column %q", s.names[k])
		case s.varies(k):
			rows = len(v)
		case math.IsNaN(s.values[k]):
			return 0, false, fmt.Errorf("%s has no value", s.names[k])
		}
	}
	if !slices.ContainsFunc(r.of.uses, s.varies) && r.Take == "end" { // a number already
		v, err = finished(r.of.at(s.values))
		return v, false, err
	}
	x, y := make([]float64, rows), make([]float64, rows)
	var of []float64
	for i := range rows {
		for _, k := range uses {
			if s.varies(k) {
				s.values[k] = columns[s.names[k]][i]
			}
		}
		x[i], y[i] = r.over.at(s.values), r.of.at(s.values)
		if r.shareOf != nil {
			of = append(of, r.shareOf.at(s.values))
		}
	}
	if v, err = r.Number(x, y, of); err != nil {
		return 0, false, err
	}
	v, err = finished(v)
	return v, r.late(y), err
}

func finished(v float64) (float64, error) {
	if !finite(v) {
		return 0, fmt.Errorf("the value is %g", v)
	}
	return v, nil
}

// varies tells whether a name is that of a column, whose value changes from row to
// row.
func (s *Set) varies(k int) bool {
	return k < s.columns || slices.ContainsFunc(s.Curves, func(c Curve) bool { return c.at == k })
}

// formula is a compiled expression of the names of a set.
type formula struct {
	uses []int // indices of names
	at   func(values []float64) float64
}

// compile compiles an expression of the names so far.
func (s *Set) compile(text string) (formula, error) {
	if strings.TrimSpace(text) == "" {
		return formula{}, fmt.Errorf("there is no expression")
	}
	plain, used := replaced(text, s.names)
	names := make([]string, len(used))
	for i, k := range used {
		names[i] = variable(k)
	}
	e, err := expression.Compile(plain, names)
	if err != nil {
		return formula{}, fmt.Errorf("%q: %s", text, s.restored(err.Error(), used))
	}
	args := make([]float64, len(used))
	f := formula{used, func(values []float64) float64 {
		for i, k := range used {
			args[i] = values[k]
		}
		return e.Value(args)
	}}
	unknown := func(k int) bool { return s.varies(k) || math.IsNaN(s.values[k]) } // until there are rows
	if v := f.at(s.values); !finite(v) && !slices.ContainsFunc(used, unknown) {
		return formula{}, fmt.Errorf("%q is %g in every row", text, v)
	}
	return f, nil
}
