package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Block is the schema of one table of a TOML file: its keys, and the function
// that reads it. The reader, the reference, the errors and --set use it.
type Block struct {
	Name string // "" for the top of the file, "analysis.damping" for a table in a table
	Many bool   // written [[name]], any number of times
	Doc  string
	Keys []Key

	More   func(values map[string]any) (keys []Key, ok bool) // further keys of a table; ok is false if they are unknown
	Models func() (key string, names []string)               // the key on whose value More depends, and its values; for the JSON Schema
	Facts  func(d any, t *Reader)                            // gives the table facts for conditions, in addition to its keys
	Read   func(d any, t *Reader)                            // d is what the file makes: a Deck
}

// Key describes one key. If its kind, default or bounds depend on the rest of
// the block, it has several entries. The first one whose conditions hold
// counts.
type Key struct {
	Name    string
	Kind    Kind
	Also    []Kind    // further forms of the value that the reader takes
	Dim     Dimension // dimension of quantities and of the numbers in lists
	Words   []string  // values of a Word
	Auto    bool      // "auto" is allowed: the program chooses
	Angle   bool      // a quantity that is an angle, in radians or degrees
	Unit    string    // unit in the reference, if it is not that of Dim
	Bounds  Bounds
	Default string // as in a deck; a key and a factor, "duration/100" or "0.01 duration"; "-" for none
	Else    string // instead of Default, if the reader computes it: the default in words
	Example string // example of a key that must be given
	With    []With // conditions, all of which must hold
	Branch  bool   // a branch of a run may change it
	Doc     string
	Sub     *Block // block of a table
}

// Kind is the kind of a key's value.
type Kind string

// The kinds of values.
const (
	Text     Kind = "text"
	Word     Kind = "word" // one of a few words, which the entry names
	Flag     Kind = "true or false"
	Whole    Kind = "whole number"
	Quantity Kind = "quantity"
	Pair     Kind = "[x, y]"
	List     Kind = "list"
	Table    Kind = "table"
	Schedule Kind = "of time" // a list of [time, factor] or an expression of t

	Share      Kind = "share"      // "5 %", beside another kind
	Expression Kind = "expression" // of time or position, beside another kind: also in a list and a pair
)

// sketch returns the form of a value.
func (k Kind) sketch() string {
	switch k {
	case Text, Word:
		return `"..."`
	case Pair:
		return string(k)
	}
	return "..."
}

// Bounds are the rule for a number; the zero value is no rule.
type Bounds struct {
	Rule string // "must be positive"
	Keep func(v float64) bool
}

// Frequent bounds.
var (
	Positive    = Bounds{"must be positive", func(v float64) bool { return v > 0 }}
	NotNegative = Bounds{"must not be negative", func(v float64) bool { return v >= 0 }}
	BelowOne    = Bounds{"must be at least 0 and below 1", func(v float64) bool { return v >= 0 && v < 1 }}
	AtMostOne   = Bounds{"must be above 0 and at most 1", func(v float64) bool { return v > 0 && v <= 1 }}
)

// Within returns the bounds of a number that lies between two whole ones.
func Within(low, high int) Bounds {
	return Bounds{fmt.Sprintf("must lie between %d and %d", low, high), func(v float64) bool { return v >= float64(low) && v <= float64(high) }}
}

// With is a condition of a key: another key must have one of some values, or
// must be given if no values are named. The condition may also be a fact about
// the block in words: "a free body". Alternatives are separated by " or ".
type With struct {
	Of  string
	Is  []string
	Not bool
	Why string
	Say string // text instead of the usual one; %s is the value of Of
}

// If is the condition that a key is given, or that it has one of some values.
func If(of string, is ...string) With { return With{Of: of, Is: is} }

// Unless is the condition that a key is not given, or has none of some values; why is the reason.
func Unless(of, why string, is ...string) With { return With{Of: of, Is: is, Not: true, Why: why} }

// Frequent conditions.
var (
	InStatics = If("type", "static")
	InTime    = If("type", "dynamic")
)

// String returns the condition in words.
func (w With) String() string {
	values := make([]string, len(w.Is))
	for i, v := range w.Is {
		if values[i] = v; v != "true" && v != "false" {
			values[i] = strconv.Quote(v)
		}
	}
	text := w.Of
	if len(values) > 0 && !strings.Contains(w.Of, " ") {
		text += " = " + strings.Join(values, " or ")
	}
	if w.Not {
		return "without " + text
	}
	return "with " + text
}

// refusal returns the reason why a key cannot be given with the present value
// of Of.
func (w With) refusal(is string) string {
	if w.Say != "" {
		return strings.ReplaceAll(w.Say, "%s", is)
	}
	text := "goes " + w.String()
	if rest, not := strings.CutPrefix(w.String(), "without "); not {
		text = "does not go with " + rest
	}
	if w.Why != "" {
		text += ": " + w.Why
	}
	return text
}

// Header returns the block's name as in a deck.
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

// Value returns a short description of a key's value.
func (k Key) Value() string {
	unit := cmp.Or(k.Unit, k.Dim.Unit())
	switch {
	case k.Kind == Quantity && unit == "1":
		return "number"
	case unit == "1" || k.Dim == None:
		return string(k.Kind)
	}
	return string(k.Kind) + ", " + unit
}

// Must tells whether the key must be given if its conditions hold.
func (k Key) Must() bool { return k.Default == "" && k.Else == "" }

// Without returns the default in words, for a key that is left out.
func (k Key) Without() string {
	switch {
	case k.Else != "":
		return "default " + k.Else
	case k.Default == "-":
		return "optional"
	case k.Must() && k.With != nil:
		return "must be given where it applies"
	case k.Must():
		return "must be given"
	}
	return "default " + k.Default
}

// About returns the description of a key, with its conditions and whether a
// branch may change it.
func (k Key) About() string {
	var goes []string
	for _, w := range k.With {
		goes = append(goes, w.String())
	}
	if k.Branch {
		goes = append(goes, "--set may change it")
	}
	if goes == nil {
		return k.Doc
	}
	return k.Doc + " (" + strings.Join(goes, ", ") + ")"
}

// KeysOf returns the names of a table's keys.
func KeysOf(keys []Key) []string {
	var out []string
	for _, k := range keys {
		if !slices.Contains(out, k.Name) {
			out = append(out, k.Name)
		}
	}
	return out
}
