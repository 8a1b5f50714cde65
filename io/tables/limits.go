package tables

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// The limits of a deck. More is a mistake, and checking it would be slow.
const (
	maxBlocks = 10_000 // of one kind
	maxDepth  = 64     // depth of nested tables and lists
)

// encoding returns an error for text that is not UTF-8, and blanks a byte-order
// mark.
func (d *Document) encoding() error {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(d.Data, []byte(mark)) {
			return fmt.Errorf("%s: the file is in UTF-16: save it as UTF-8", d.File)
		}
	}
	if bytes.HasPrefix(d.Data, []byte("\ufeff")) {
		d.Data = append([]byte("   "), d.Data[3:]...)
	}
	return nil
}

// bounded returns an error for a text with too deep nesting.
func (d *Document) bounded() error {
	var p unstable.Parser
	p.Reset(d.Data)
	var deep func(n *unstable.Node, depth int) *unstable.Node
	deep = func(n *unstable.Node, depth int) *unstable.Node {
		if depth > maxDepth {
			return n
		}
		for it := n.Children(); it.Next(); {
			if found := deep(it.Node(), depth+1); found != nil {
				return found
			}
		}
		return nil
	}
	for p.NextExpression() {
		e := p.Expression()
		parts, at := 0, 0
		for it := e.Key(); it.Next(); parts++ {
			if parts == 0 {
				at = int(it.Node().Raw.Offset)
			}
		}
		if parts > maxDepth {
			return d.ErrorAt(at, fmt.Sprintf("a key of %d names: at most %d tables may be nested", parts, maxDepth))
		}
		if e.Kind == unstable.KeyValue && deep(e.Value(), 0) != nil {
			return d.ErrorAt(at, fmt.Sprintf("at most %d lists and tables may be nested", maxDepth))
		}
	}
	return nil // mistakes in the syntax are reported when the values are decoded
}

// syntax returns a message about the decoder's error at an offset.
func (d *Document) syntax(offset int, msg string) string {
	rest := d.Data[offset:]
	r, _ := utf8.DecodeRune(rest)
	switch {
	case strings.Contains(msg, "value out of range"):
		return fmt.Sprintf("%s is too large a number", word(rest))
	case strings.ContainsRune("“”„‘’«»", r):
		return fmt.Sprintf(`%q is a typographic quotation mark: write texts in straight quotes, "..."`, r)
	case strings.HasPrefix(msg, "expected newline but got") && strings.ContainsRune(";/", r):
		return fmt.Sprintf("expected the end of the line, got %q: a comment begins with #", r)
	case strings.HasPrefix(msg, "expected newline but got"):
		return fmt.Sprintf(`expected the end of the line, got %.40q: write a number with a unit in quotes, "10 mm", and every key on a line of its own`, word(rest))
	case r >= utf8.RuneSelf && strings.Contains(msg, "U+"):
		return fmt.Sprintf("unexpected character %q", r)
	case r != utf8.RuneError && strings.Contains(msg, "at start of value"):
		return fmt.Sprintf(`unexpected %.40q: write a text in quotes, "..."`, word(rest))
	}
	return msg
}

// word returns the text up to a blank.
func word(text []byte) []byte {
	if i := bytes.IndexAny(text, " \t\r\n,#]}"); i >= 0 {
		return text[:i]
	}
	return text
}

// Plausible returns an error for values that no model has, and for which
// floating point would fail.
func Plausible(v float64, dim Dimension) error {
	least, most := 1e-50, 1e30
	for _, b := range []struct {
		dim         Dimension
		least, most float64
	}{
		{Length, 1e-15, 1e12}, {Time, 1e-18, 1e12}, {Velocity, 1e-30, 299792458}, {Acceleration, 1e-30, 1e18},
		{Density, 1e-9, 1e15}, {Pressure, 1e-9, 1e18}, {Mass, 1e-30, 1e30},
	} {
		if dim.equals(b.dim) {
			least, most = b.least, b.most
		}
	}
	unit := dim.Unit()
	switch size := math.Abs(v); {
	case size > most:
		return fmt.Errorf("must not exceed %s, got %s", Measured(most, unit), Measured(v, unit))
	case size > 0 && size < least:
		return fmt.Errorf("must not be smaller than %s, got %s", Measured(least, unit), Measured(v, unit))
	}
	return nil
}

// PlausibleComponent is plausible for a component of a vector, such as a coordinate, which
// rounding may bring arbitrarily near to 0.
func PlausibleComponent(v float64, dim Dimension) error {
	if math.Abs(v) < 1 {
		return nil
	}
	return Plausible(v, dim)
}

// Measured returns a number with its unit.
func Measured(v float64, unit string) string {
	if unit == "" || unit == "1" {
		return fmt.Sprintf("%g", v)
	}
	return fmt.Sprintf("%g %s", v, unit)
}
