package deck

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Block describes a table of the deck to the manual and to fdem deck. A test
// holds it against what the reader asks for: no key without its line, no line
// without its key, dimensions and defaults as read.
type Block struct {
	Name string // "" for the top of the deck, "analysis.damping" for a table in a table
	Many bool   // written [[name]], any number of times
	Doc  string
	Keys []Key
}

// Key describes one key.
type Key struct {
	Name    string
	Kind    Kind
	Dim     Dimension // of quantities and of the numbers in lists
	Default string    // as it would be written; "" where the key must be given, "-" where leaving it out means without, "*" where the other keys decide whether it must be given
	Doc     string
}

// Kind says what a value looks like.
type Kind string

// The kinds of values.
const (
	Text     Kind = "text"
	Word     Kind = "word" // one of a few, which the line names
	Flag     Kind = "true or false"
	Whole    Kind = "whole number"
	Quantity Kind = "quantity"
	Pair     Kind = "[x, y]"
	List     Kind = "list"
	Table    Kind = "table"
	Schedule Kind = "of time" // a list of [time, factor] or an expression of t
)

// Header returns the block's name as a deck writes it.
func (b Block) Header() string {
	switch {
	case b.Name == "":
		return "(top of the deck)"
	case b.Many:
		return "[[" + b.Name + "]]"
	case strings.Contains(b.Name, "."):
		i := strings.LastIndexByte(b.Name, '.')
		return b.Name[i+1:] + " = { ... } in " + b.Name[:i]
	}
	return "[" + b.Name + "]"
}

// Value says in a few words what a key's value is.
func (k Key) Value() string {
	unit := k.Dim.Unit()
	switch {
	case k.Kind == Quantity && unit == "1":
		return "number"
	case unit == "1" || k.Dim == None:
		return string(k.Kind)
	}
	return string(k.Kind) + ", " + unit
}

// Without says what holds where the key is left out.
func (k Key) Without() string {
	switch k.Default {
	case "":
		return "must be given"
	case "*":
		return "must be given where it applies"
	case "-":
		return "optional"
	}
	return "default " + k.Default
}

// Unit returns the dimension's SI unit, "1" where there is none.
func (d Dimension) Unit() string {
	for _, n := range []struct {
		d    Dimension
		name string
	}{{None, "1"}, {Force, "N"}, {Pressure, "Pa"}, {Dimension{-2, 1, -2}, "Pa/m"}, {Dimension{2, 1, -2}, "J"}, {Dimension{0, 1, -2}, "N/m"}} {
		if d.equals(n.d) {
			return n.name
		}
	}
	var above, below []string
	for _, f := range []struct {
		unit string
		e    float64
	}{{"kg", d.Mass}, {"m", d.Length}, {"s", d.Time}} {
		power := func(e float64) string {
			if e == 1 {
				return f.unit
			}
			return f.unit + strconv.FormatFloat(e, 'g', -1, 64)
		}
		if f.e > 0 {
			above = append(above, power(f.e))
		} else if f.e < 0 {
			below = append(below, power(-f.e))
		}
	}
	out := strings.Join(above, " ")
	if out == "" {
		out = "1"
	}
	if below != nil {
		out += "/" + strings.Join(below, "/")
	}
	return out
}

// Reference returns every block that a deck can hold.
func Reference() []Block { return slices.Clone(reference) }

var indices = regexp.MustCompile(`\[\d+\]`)

// note keeps what the reader asked for, for the test of the reference.
func (t *table) note(key string, dim Dimension) {
	if t.asked == nil {
		return
	}
	at := [2]string{indices.ReplaceAllString(t.path, ""), key}
	if _, before := t.asked[at]; !before || dim != None {
		t.asked[at] = dim
	}
}
