package deck

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Block is the schema of one table of a TOML file: its keys, and the function
// that reads it. Reader, reference, refusals and --set follow from it.
type Block struct {
	Name string // "" for the top of the file, "analysis.damping" for a table in a table
	Many bool   // written [[name]], any number of times
	Doc  string
	Keys []Key

	more  func(values map[string]any) (keys []Key, ok bool) // further keys of a table; not ok where they cannot be known
	facts func(d *Deck, t *table)                           // tells the table what conditions ask for, beside its keys
	read  func(d *Deck, t *table)
}

// Key describes one key. Where its kind, default or bounds differ with the rest
// of the block it stands several times; the first whose conditions hold counts.
type Key struct {
	Name    string
	Kind    Kind
	Dim     Dimension // of quantities and of the numbers in lists
	Words   []string  // that a Word may be
	Auto    bool      // "auto" leaves it to the program
	Angle   bool      // a quantity that is an angle, in radians or degrees
	Unit    string    // that the reference names, where it is not that of Dim
	Bounds  Bounds
	Default string // as a deck writes it; a key and a factor, "duration/100" or "0.01 duration"; "-" for without
	Else    string // instead of Default, where the reader makes it: what holds, in words
	Example string // of a key that must be given
	With    []With // what it goes with: all of these
	Branch  bool   // a branch of a run may change it
	Doc     string
	sub     *Block // of a table
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

// sketch shows what a value looks like.
func (k Kind) sketch() string {
	switch k {
	case Text, Word:
		return `"..."`
	case Pair:
		return string(k)
	}
	return "..."
}

// Bounds are the rule that a number must keep; the zero value is none.
type Bounds struct {
	Rule string // "must be positive"
	keep func(v float64) bool
}

var (
	positive    = Bounds{"must be positive", func(v float64) bool { return v > 0 }}
	notNegative = Bounds{"must not be negative", func(v float64) bool { return v >= 0 }}
	belowOne    = Bounds{"must be at least 0 and below 1", func(v float64) bool { return v >= 0 && v < 1 }}
	atMostOne   = Bounds{"must be above 0 and at most 1", func(v float64) bool { return v > 0 && v <= 1 }}
)

func within(low, high int) Bounds {
	return Bounds{fmt.Sprintf("must lie between %d and %d", low, high), func(v float64) bool { return v >= float64(low) && v <= float64(high) }}
}

// With is a condition of a key: that another one has one of some values, or is
// given at all where none are named. What is asked may also be a fact about the
// block, in words: "a free body". Several, parted by " or ", suit alike.
type With struct {
	Of  string
	Is  []string
	Not bool
	Why string
	Say string // instead of the usual words; %s stands for what Of is
}

func with(of string, is ...string) With { return With{Of: of, Is: is} }

func without(of, why string, is ...string) With { return With{Of: of, Is: is, Not: true, Why: why} }

// What much depends on.
var (
	inStatics = with("type", "static")
	inTime    = with("type", "dynamic")
)

// String says what the key goes with.
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

// refusal says why a key cannot stand where Of is as it is.
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
	unit := cmp.Or(k.Unit, k.Dim.Unit())
	switch {
	case k.Kind == Quantity && unit == "1":
		return "number"
	case unit == "1" || k.Dim == None:
		return string(k.Kind)
	}
	return string(k.Kind) + ", " + unit
}

// must tells whether the key must be given where its conditions hold.
func (k Key) must() bool { return k.Default == "" && k.Else == "" }

// Without says what holds where the key is left out.
func (k Key) Without() string {
	switch {
	case k.Else != "":
		return "default " + k.Else
	case k.Default == "-":
		return "optional"
	case k.must() && k.With != nil:
		return "must be given where it applies"
	case k.must():
		return "must be given"
	}
	return "default " + k.Default
}

// About says what a key is, what it goes with, and whether a branch may change
// it.
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

// Reference returns every block that a deck can hold, those in blocks behind
// the one that they are in.
func Reference() []Block {
	var out []Block
	for _, b := range schema {
		out = append(out, *b)
		for _, k := range b.Keys {
			if k.sub != nil {
				out = append(out, *k.sub)
			}
		}
	}
	return out
}

// Changeable lists the keys that Set may change. Of a block that may be
// repeated, the name stands between: contact.NAME.friction.
func Changeable() []string {
	var out []string
	for _, b := range schema {
		for _, k := range b.Keys {
			path := b.Name + "." + k.Name
			if b.Many {
				path = b.Name + ".NAME." + k.Name
			}
			if k.Branch && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	return out
}

// keysOf returns the names of a table's keys.
func keysOf(keys []Key) []string {
	var out []string
	for _, k := range keys {
		if !slices.Contains(out, k.Name) {
			out = append(out, k.Name)
		}
	}
	return out
}
