package deck

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Error is a mistake in a deck with its place.
type Error struct {
	File         string
	Line, Column int
	Msg          string
	Source       string // the line itself
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// Quote returns the deck's line with a caret under the place.
func (e *Error) Quote() string {
	if e.Source == "" {
		return ""
	}
	indent := []rune(e.Source)
	indent = indent[:min(max(e.Column-1, 0), len(indent))]
	for i, r := range indent {
		if r != '\t' {
			indent[i] = ' '
		}
	}
	return e.Source + "\n" + string(indent) + "^"
}

// place is where a key stands and where its value begins.
type place struct{ key, value int }

// document is a decoded deck with the byte offset of every key.
type document struct {
	file   string
	data   []byte
	places map[string]place
	asked  map[[2]string]Dimension // block and key, for the test of the reference
	values map[string]any
	kept   string // where the files that the deck names are, "" where it says
}

// mistake is thrown by the readers of tables and caught by read: it saves an
// error check after every key.
type mistake struct{ err error }

// catch turns a thrown mistake into an error.
func catch(err *error) {
	if r := recover(); r != nil {
		m, ok := r.(mistake)
		if !ok {
			panic(r)
		}
		*err = m.err
	}
}

// fail stops reading with an error at a byte offset.
func (d *document) fail(offset int, format string, args ...any) {
	panic(mistake{d.errorAt(offset, fmt.Sprintf(format, args...))})
}

func (d *document) errorAt(offset int, msg string) *Error {
	offset = min(max(offset, 0), len(d.data))
	begin := bytes.LastIndexByte(d.data[:offset], '\n') + 1
	source := d.data[begin:]
	if end := bytes.IndexByte(source, '\n'); end >= 0 {
		source = source[:end]
	}
	return &Error{
		File: d.file, Line: 1 + bytes.Count(d.data[:begin], []byte("\n")),
		Column: 1 + len([]rune(string(d.data[begin:offset]))), Msg: msg,
		Source: strings.TrimRight(string(source), "\r"),
	}
}

// maxSize bounds what is taken for a deck.
const maxSize = 16 << 20

// open decodes a deck and notes where its keys stand.
func open(name string, data []byte) (*document, map[string]any, error) {
	d := &document{file: name, data: data, places: map[string]place{}}
	if len(data) > maxSize {
		return nil, nil, fmt.Errorf("%s: %d bytes are too many for a deck", name, len(data))
	}
	if bytes.HasPrefix(data, []byte("$MeshFormat")) {
		return nil, nil, fmt.Errorf("%s is a Gmsh mesh, not a file of keys and values", name)
	}
	if err := d.encoding(); err != nil {
		return nil, nil, err
	}
	if err := d.bounded(); err != nil {
		return nil, nil, err
	}
	values := map[string]any{}
	if err := toml.Unmarshal(d.data, &values); err != nil {
		var decode *toml.DecodeError
		if errors.As(err, &decode) {
			line, column := decode.Position()
			offset := 0
			for range line - 1 {
				offset += bytes.IndexByte(d.data[offset:], '\n') + 1
			}
			offset = min(offset+column-1, len(d.data))
			return nil, nil, d.errorAt(offset, d.syntax(offset, strings.TrimPrefix(decode.Error(), "toml: ")))
		}
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	d.values = values
	d.locate()
	return d, values, nil
}

// locate walks the syntax tree: paths are keys joined by dots, blocks of an
// array counted, "material[1].density".
func (d *document) locate() {
	var p unstable.Parser
	p.Reset(d.data)
	count := map[string]int{}
	prefix := ""
	var put func(prefix string, n *unstable.Node)
	path := func(prefix string, it unstable.Iterator) (string, int) {
		at := -1
		for it.Next() {
			n := it.Node()
			if prefix != "" {
				prefix += "."
			}
			prefix += string(n.Data)
			at = int(n.Raw.Offset)
		}
		return prefix, at
	}
	put = func(prefix string, n *unstable.Node) {
		name, at := path(prefix, n.Key())
		value := at
		if i := bytes.IndexByte(d.data[at:], '='); i >= 0 {
			value = at + i + 1
			for value < len(d.data) && (d.data[value] == ' ' || d.data[value] == '\t') {
				value++
			}
		}
		d.places[name] = place{at, value}
		if v := n.Value(); v.Kind == unstable.InlineTable {
			for it := v.Children(); it.Next(); {
				put(name, it.Node())
			}
		}
	}
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			name, at := path("", e.Key())
			if e.Kind == unstable.ArrayTable {
				i := count[name]
				count[name]++
				name = fmt.Sprintf("%s[%d]", name, i)
			}
			prefix = name
			d.places[name] = place{at, at}
		case unstable.KeyValue:
			put(prefix, e)
		}
	}
}

// table reads the keys of one block.
type table struct {
	*document
	path   string // "material[1]"
	title  string // for messages: `material "steel"`
	values map[string]any
	known  []string // keys asked for
}

// at returns the place of a key's value, of the block where the key is absent.
func (t *table) at(key string) int {
	if p, ok := t.places[t.join(key)]; ok {
		return p.value
	}
	return t.places[t.path].key
}

func (t *table) join(key string) string {
	if t.path == "" {
		return key
	}
	return t.path + "." + key
}

// bad stops with a complaint about a key.
func (t *table) bad(key, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	if t.title != "" {
		msg = t.title + ": " + msg
	}
	t.fail(t.at(key), "%s", msg)
}

// get returns a key's value.
func (t *table) get(key string) (any, bool) {
	t.known = append(t.known, key)
	t.note(key, None)
	v, ok := t.values[key]
	return v, ok
}

// has tells whether a key is given.
func (t *table) has(key string) bool {
	_, ok := t.values[key]
	return ok
}

// need stops where a key is missing.
func (t *table) need(key, example string) {
	if !t.has(key) {
		t.bad(key, "%s is missing, for instance %s = %s", key, key, example)
	}
}

// done refuses keys nobody asked for.
func (t *table) done() {
	var unknown []string
	for key := range t.values {
		if !slices.Contains(t.known, key) {
			unknown = append(unknown, key)
		}
	}
	if len(unknown) == 0 {
		return
	}
	slices.SortFunc(unknown, func(a, b string) int { return t.places[t.join(a)].key - t.places[t.join(b)].key })
	key := unknown[0]
	at := t.places[t.join(key)].key
	if p, ok := t.places[t.join(key)+"[0]"]; ok {
		at = p.key
	}
	msg := fmt.Sprintf("unknown key %q%s", key, nearest(key, t.known))
	if t.title != "" {
		msg = t.title + ": " + msg
	}
	t.fail(at, "%s", msg)
}

// text reads a string; fallback where it is absent.
func (t *table) text(key, fallback string) string {
	v, ok := t.get(key)
	if !ok {
		return fallback
	}
	s, ok := v.(string)
	if !ok {
		t.bad(key, "%s must be a text in quotes, got %s", key, describe(v))
	}
	return s
}

// word reads a string that is one of several.
func (t *table) word(key, fallback string, allowed ...string) string {
	s := t.text(key, fallback)
	if !slices.Contains(allowed, s) {
		t.bad(key, "%s must be one of %s, got %q%s", key, quoted(allowed), s, meant(s, allowed))
	}
	return s
}

// flag reads true or false.
func (t *table) flag(key string, fallback bool) bool {
	v, ok := t.get(key)
	if !ok {
		return fallback
	}
	b, ok := v.(bool)
	if !ok {
		t.bad(key, "%s must be true or false, got %s", key, describe(v))
	}
	return b
}

// whole reads a whole number from low to high.
func (t *table) whole(key string, fallback, low, high int) int {
	v, ok := t.get(key)
	if !ok {
		return fallback
	}
	n, ok := v.(int64)
	if !ok {
		t.bad(key, "%s must be a whole number, got %s", key, describe(v))
	}
	if n < int64(low) || n > int64(high) {
		t.bad(key, "%s must lie between %d and %d, got %d", key, low, high, n)
	}
	return int(n)
}

// quantity reads a number in SI or a text with a unit.
func (t *table) quantity(key string, dim Dimension, fallback float64) float64 {
	v, ok := t.get(key)
	t.note(key, dim)
	if !ok {
		return fallback
	}
	return t.number(key, v, dim)
}

// number converts a value found under key.
func (t *table) number(key string, v any, dim Dimension) float64 {
	t.note(key, dim)
	q := 0.0
	switch v := v.(type) {
	case int64:
		q = float64(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.bad(key, "%s must be finite, got %v", key, v)
		}
		q = v
	case string:
		var err error
		if q, err = written(v, dim); err != nil {
			t.bad(key, "%s: %v", key, err)
		}
	default:
		t.bad(key, "%s must be %s, got %s", key, dim, describe(v))
	}
	if err := plausible(q, dim); err != nil {
		t.bad(key, "%s %v", key, err)
	}
	return q
}

// positive is quantity for values that must be above zero.
func (t *table) positive(key string, dim Dimension, fallback float64, unit string) float64 {
	v := t.quantity(key, dim, fallback)
	if t.has(key) && !(v > 0) {
		t.bad(key, "%s must be positive, got %s", key, measured(v, unit))
	}
	return v
}

// notNegative is quantity for values that must not be below zero.
func (t *table) notNegative(key string, dim Dimension, fallback float64, unit string) float64 {
	v := t.quantity(key, dim, fallback)
	if v < 0 {
		t.bad(key, "%s must not be negative, got %s", key, measured(v, unit))
	}
	return v
}

// list reads an array of n values; nil where it is absent.
func (t *table) list(key string, n int) []any {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	l, ok := v.([]any)
	if !ok {
		t.bad(key, "%s must be a list in brackets, got %s", key, describe(v))
	}
	if n > 0 && len(l) != n {
		t.bad(key, "%s must have %d entries, got %d", key, n, len(l))
	}
	return l
}

// vector reads [x, y].
func (t *table) vector(key string, dim Dimension) (x, y float64) {
	l := t.list(key, 2)
	if l == nil {
		return 0, 0
	}
	return t.number(key, l[0], dim), t.number(key, l[1], dim)
}

// sub returns a table under key; an empty one where it is absent.
func (t *table) sub(key string) *table {
	v, ok := t.get(key)
	s := &table{document: t.document, path: t.join(key), title: key, values: map[string]any{}}
	if !ok {
		return s
	}
	if _, many := v.([]any); many {
		t.fail(t.places[t.join(key)+"[0]"].key, "%s must be written once and in single brackets, [%s]", key, key)
	}
	if s.values, ok = v.(map[string]any); !ok {
		t.bad(key, "%s must be a table, got %s", key, describe(v))
	}
	return s
}

// blocks returns the tables of [[key]].
func (t *table) blocks(key string) []*table {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	l, isList := v.([]any)
	if !isList {
		t.bad(key, "%s must be written in double brackets, [[%s]]", key, key)
	}
	if len(l) > mostBlocks {
		t.fail(t.places[fmt.Sprintf("%s[%d]", t.join(key), mostBlocks)].key, "at most %d [[%s]] blocks, got %d", mostBlocks, key, len(l))
	}
	var out []*table
	for i, e := range l {
		values, ok := e.(map[string]any)
		if !ok {
			t.bad(key, "%s must be written in double brackets, [[%s]]", key, key)
		}
		b := &table{document: t.document, path: fmt.Sprintf("%s[%d]", t.join(key), i), title: titled(key, i, values), values: values}
		b.checkName()
		out = append(out, b)
	}
	return out
}

// checkName refuses names that results could not show: they stand in heads of
// columns and in messages.
func (t *table) checkName() {
	name, ok := t.values["name"].(string)
	switch {
	case !ok:
	case strings.TrimSpace(name) == "":
		t.bad("name", "the name is empty")
	case strings.ContainsFunc(name, unicode.IsControl):
		t.bad("name", "the name must be one line without control characters")
	case len(name) > longestName:
		t.bad("name", "a name of %d letters is too long, at most %d", len(name), longestName)
	}
}

const longestName = 200

// describe says what a value is.
func describe(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the text %.40q", v)
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return fmt.Sprintf("%v", v)
}

// quoted lists names for a message.
func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}

// Beside returns the path of a file that a deck or a study names: seen from its
// folder, or as it is where it is absolute.
func Beside(deck, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(deck), path)
}

// Read reads a deck. Mistakes are *Error with file, line and column.
func Read(path string) (*Deck, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}
