package deck

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// table reads the keys of one block by its schema.
type table struct {
	*document
	*Block
	path   string // "material[1]"
	title  string // for messages: `material "steel"`
	values map[string]any
	keys   []Key             // keys of the block, and further ones
	facts  map[string]string // facts for conditions, in addition to keys
	taken  map[string]bool   // keys that the reader has read
}

// top returns the table of a whole file with a schema, after a check for keys
// that are in none of its blocks.
func (d *document) top(schema []*Block) *table {
	d.schema = schema
	d.refuseUnknown()
	t := d.table(schema[0], "", "", d.values)
	t.check(nil)
	return t
}

// table returns the table at a path.
func (d *document) table(b *Block, path, title string, values map[string]any) *table {
	t := &table{document: d, Block: b, path: path, title: title, values: values, keys: b.Keys, facts: map[string]string{}, taken: map[string]bool{}}
	if b.more != nil {
		more, _ := b.more(values)
		t.keys = slices.Concat(t.keys, more)
	}
	return t
}

// at returns the position of a key's value, or of the block if the key is absent.
func (t *table) at(key string) int {
	if p, ok := t.keysAt[t.join(key)]; ok {
		return p.value
	}
	return t.keysAt[t.path].key
}

func (t *table) join(key string) string { return join(t.path, key) }

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// bad stops with an error about a key.
func (t *table) bad(key, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	if t.title != "" {
		msg = t.title + ": " + msg
	}
	t.fail(t.at(key), "%s", msg)
}

// has tells whether a key is given.
func (t *table) has(key string) bool {
	_, ok := t.values[key]
	return ok
}

// need stops if a key is missing.
func (t *table) need(key, example string) {
	if !t.has(key) {
		t.bad(key, "%s is missing, for instance %s = %s", key, key, example)
	}
}

// require stops if a key is missing, and names its alternatives.
func (t *table) require(k *Key) {
	if t.has(k.Name) {
		return
	}
	instead := ""
	for _, o := range t.keys {
		if slices.ContainsFunc(k.With, func(w With) bool { return w.Not && w.Is == nil && w.Of == o.Name }) {
			instead += ", or " + o.Name + " = " + o.Kind.sketch()
		}
	}
	t.bad(k.Name, "%s is missing, for instance %s = %s%s", k.Name, k.Name, k.Example, instead)
}

// given returns the given keys, in the file's order.
func (t *table) given() []string {
	return slices.SortedFunc(maps.Keys(t.values), func(a, b string) int { return t.keysAt[t.join(a)].key - t.keysAt[t.join(b)].key })
}

// check stops if a key is missing, and at a key whose conditions do not hold.
func (t *table) check(d any) {
	t.checkName()
	for _, k := range t.keys { // keys on which others may depend come first
		if k.must() && k.With == nil {
			t.require(&k)
		}
		if v, given := t.values[k.Name]; given && k.Kind == Word {
			s, isText := v.(string)
			if !isText || !slices.ContainsFunc(t.keys, func(o Key) bool { return o.Name == k.Name && slices.Contains(o.Words, s) }) {
				t.word(k.Name)
			}
		}
	}
	if t.Block.facts != nil {
		t.Block.facts(d, t)
	}
	for _, name := range t.given() {
		if _, broken := t.entry(name, nil); broken != nil {
			if k := t.general(name); k.Kind == Quantity { // a number that is wrong in any case is reported first
				switch v := t.values[name].(type) {
				case int64:
					t.bounded(k, float64(v))
				case float64:
					t.bounded(k, v)
				}
			}
			t.bad(name, "%s %s", name, broken.refusal(t.fact(broken.Of)))
		}
	}
	for _, k := range t.keys {
		if k.must() && !t.has(k.Name) && t.broken(&k) == nil {
			t.require(&k)
		}
	}
}

// done stops at a given key that was not read, so that none is ignored.
func (t *table) done() {
	for _, name := range t.given() {
		if !t.taken[name] {
			t.bad(name, "%s has no effect here: leave it out", name)
		}
	}
}

// entry returns the entry of a key whose conditions hold, among those accepted
// by suit if that is not nil. If there is none, it returns the condition that
// does not hold.
func (t *table) entry(name string, suit func(k *Key) bool) (k *Key, broken *With) {
	for i := range t.keys {
		if k := &t.keys[i]; k.Name == name && (suit == nil || suit(k)) {
			w := t.broken(k)
			if w == nil {
				return k, nil
			}
			broken = w
		}
	}
	return nil, broken
}

// broken returns the first condition of a key that does not hold, nil if all
// hold.
func (t *table) broken(k *Key) *With {
	for i := range k.With {
		w := &k.With[i]
		met := false
		for _, of := range strings.Split(w.Of, " or ") {
			v := t.fact(of)
			met = met || w.Is == nil && v != "" || slices.Contains(w.Is, v)
		}
		if met == w.Not {
			return w
		}
	}
	return nil
}

// fact returns the value for a condition: that of a word or a flag, "given" for
// another key that is given, "" if not.
func (t *table) fact(of string) string {
	if v, ok := t.facts[of]; ok {
		return v
	}
	i := slices.IndexFunc(t.keys, func(k Key) bool { return k.Name == of })
	if i < 0 {
		return t.document.facts[of]
	}
	v, given := t.values[of]
	if flag, ok := v.(bool); ok {
		return strconv.FormatBool(flag)
	}
	word := t.keys[i].Kind == Word || t.keys[i].Kind == Flag
	if text, ok := v.(string); ok && word {
		return text
	}
	if given {
		return "given"
	}
	if word {
		if k, _ := t.entry(of, nil); k != nil {
			return strings.Trim(k.Default, `"`)
		}
	}
	return ""
}

// entryOf returns the entry of a key for the reader, and marks the key as read.
// If no entry counts, the key is not given, and the last entry, which is the
// most general, has its default.
func (t *table) entryOf(name string, kinds ...Kind) *Key {
	t.taken[name] = true
	k, _ := t.entry(name, nil)
	if k == nil {
		k = t.general(name)
	}
	if k == nil || !slices.Contains(kinds, k.Kind) {
		panic(fmt.Sprintf("deck: block %q has no key %q of kind %q", t.Name, name, kinds))
	}
	return k
}

// general returns the last entry of a key, nil if there is none.
func (t *table) general(name string) *Key {
	for i := len(t.keys) - 1; i >= 0; i-- {
		if t.keys[i].Name == name {
			return &t.keys[i]
		}
	}
	return nil
}

// raw returns a key's value as in the file.
func (t *table) raw(name string) (v any, given bool) {
	t.taken[name] = true
	v, given = t.values[name]
	return v, given
}

// text reads a string.
func (t *table) text(name string) string {
	k := t.entryOf(name, Text, Word)
	v, ok := t.values[name]
	if !ok {
		return strings.Trim(strings.TrimPrefix(k.Default, "-"), `"`)
	}
	s, ok := v.(string)
	if !ok {
		t.bad(name, "%s must be a text in quotes, got %s", name, describe(v))
	}
	return s
}

// word reads a string that is one of several.
func (t *table) word(name string) string {
	k := t.entryOf(name, Word)
	s := t.text(name)
	if t.has(name) && !slices.Contains(k.Words, s) {
		if _, broken := t.entry(name, func(k *Key) bool { return slices.Contains(k.Words, s) }); broken != nil {
			t.bad(name, "%s = %q %s", name, s, broken.refusal(t.fact(broken.Of)))
		}
		t.bad(name, "%s must be one of %s, got %q%s", name, quoted(k.Words), s, suggestion(s, k.Words))
	}
	return s
}

// flag reads true or false.
func (t *table) flag(name string) bool {
	k := t.entryOf(name, Flag)
	v, ok := t.values[name]
	if !ok {
		return k.Default == "true"
	}
	b, ok := v.(bool)
	if !ok {
		t.bad(name, "%s must be true or false, got %s", name, describe(v))
	}
	return b
}

// whole reads a whole number.
func (t *table) whole(name string) int {
	k := t.entryOf(name, Whole)
	v, ok := t.values[name]
	if !ok {
		n, _ := strconv.Atoi(k.Default) // "-" and "auto" are 0
		return n
	}
	if k.Auto && v == "auto" {
		return 0
	}
	n, ok := v.(int64)
	if !ok {
		auto := ""
		if k.Auto {
			auto = `, or "auto"`
		}
		t.bad(name, "%s must be a whole number%s, got %s", name, auto, describe(v))
	}
	if !k.Bounds.keep(float64(n)) {
		t.bad(name, "%s %s, got %d", name, k.Bounds.Rule, n)
	}
	return int(n)
}

// number reads a number in SI or a text with a unit. It returns 0 for "auto",
// and if there is neither a value nor a default.
func (t *table) number(name string) float64 {
	k := t.entryOf(name, Quantity)
	v, ok := t.values[name]
	switch {
	case !ok:
		return t.otherwise(k)
	case k.Auto && v == "auto":
		return 0
	}
	q := t.value(name, v, k.Dim)
	if s, _ := v.(string); !k.Angle && k.Dim == None && isAngle(s) {
		advice := ""
		if strings.HasSuffix(name, "friction") {
			advice = fmt.Sprintf("; the coefficient of friction is the tangent of the friction angle, %.4g", elementary.Sin(q)/elementary.Cos(q))
		}
		t.bad(name, "%s is a plain number, not an angle, got %q%s", name, s, advice)
	}
	return t.bounded(k, q)
}

// bounded stops if a number violates its rule.
func (t *table) bounded(k *Key, q float64) float64 {
	if k.Bounds.keep != nil && !k.Bounds.keep(q) {
		rule := k.Bounds.Rule
		if k.Auto {
			rule += `, or "auto"`
		}
		t.bad(k.Name, "%s %s, got %s", k.Name, rule, measured(q, cmp.Or(k.Unit, k.Dim.Unit())))
	}
	return q
}

// otherwise returns a quantity's default.
func (t *table) otherwise(k *Key) float64 {
	if k.Default == "" || k.Default == "-" || k.Default == `"auto"` {
		return 0
	}
	if v, err := ParseQuantity(k.Default, k.Dim); err == nil {
		return v
	}
	name, part, divides := strings.Cut(k.Default, "/")
	if !divides {
		part = "1"
		if factor, of, ok := strings.Cut(k.Default, " "); ok {
			part, name = factor, of
		}
	}
	v, known := t.numbers[name]
	if !known {
		v = t.number(name)
	}
	f, err := strconv.ParseFloat(part, 64)
	switch {
	case err != nil:
		panic(fmt.Sprintf("deck: the default %q of %q", k.Default, k.Name))
	case divides:
		return v / f
	}
	return f * v
}

// value converts a value found under a key.
func (t *table) value(name string, v any, dim Dimension) float64 {
	return t.converted(name, v, dim, plausible)
}

// component converts a component of a vector found under a key.
func (t *table) component(name string, v any, dim Dimension) float64 {
	return t.converted(name, v, dim, plausibleComponent)
}

// converted converts a value found under a key. It stops if check returns an error.
func (t *table) converted(name string, v any, dim Dimension, check func(v float64, dim Dimension) error) float64 {
	q := 0.0
	switch v := v.(type) {
	case int64:
		q = float64(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.bad(name, "%s must be finite, got %v", name, v)
		}
		q = v
	case string:
		var err error
		if q, err = written(v, dim); err != nil {
			auto := ""
			k, _ := t.entry(name, nil)
			if k != nil && k.Auto {
				auto = `, or "auto"`
			}
			t.bad(name, "%s: %s%s", name, strings.Replace(err.Error(), "expected "+dim.String(), "expected "+wanted(k, dim), 1), auto)
		}
	default:
		k, _ := t.entry(name, nil)
		t.bad(name, "%s must be %s, got %s", name, wanted(k, dim), describe(v))
	}
	if err := check(q, dim); err != nil {
		t.bad(name, "%s %v", name, err)
	}
	return q
}

// wanted returns the kind of value of a key in words; a plain number is in the
// key's unit.
func wanted(k *Key, dim Dimension) string {
	if k == nil || !k.Angle {
		return dim.String()
	}
	return `an angle such as "30 deg", or a plain number of ` + cmp.Or(k.Unit, "radians")
}

// list reads an array of n values, or of any number for n = 0; nil if it is
// absent.
func (t *table) list(name string, n int) []any {
	v, ok := t.raw(name)
	if !ok {
		return nil
	}
	l, ok := v.([]any)
	if !ok {
		t.bad(name, "%s must be a list in brackets, got %s", name, describe(v))
	}
	if n > 0 && len(l) != n {
		t.bad(name, "%s must have %d entries, got %d", name, n, len(l))
	}
	return l
}

// several reads a text or a list of texts, unchanged; nil if it is absent.
func (t *table) several(name string) []any {
	if v, _ := t.raw(name); v != nil {
		switch s := v.(type) {
		case string:
			return []any{s}
		case []any:
		default:
			t.bad(name, "%s must be a name in quotes or a list of names, got %s", name, describe(v))
		}
	}
	return t.list(name, 0)
}

// vector reads [x, y]; (0, 0) if it is absent.
func (t *table) vector(name string) r2.Vec {
	l := t.list(name, 2)
	if l == nil {
		return r2.Vec{}
	}
	dim := t.entryOf(name, Pair, Quantity).Dim
	return r2.Vec{X: t.component(name, l[0], dim), Y: t.component(name, l[1], dim)}
}

// sub returns the table under a key, an empty one if it is absent.
func (t *table) sub(name string) *table {
	return t.inner(t.entryOf(name, Table, Schedule).sub, name)
}

// single returns the table of a block that may be given once.
func (t *table) single(b *Block) *table { return t.inner(b, b.Name) }

func (t *table) inner(b *Block, name string) *table {
	v, ok := t.raw(name)
	values := map[string]any{}
	if _, many := v.([]any); many {
		t.fail(t.keysAt[t.join(name)+"[0]"].key, "%s must be written once and in single brackets, [%s]", name, name)
	}
	if ok {
		if values, ok = v.(map[string]any); !ok {
			t.bad(name, "%s must be a table, got %s", name, describe(v))
		}
	}
	return t.table(b, t.join(name), name, values)
}

// blocks returns the tables of [[name]].
func (t *table) blocks(b *Block) []*table {
	v, ok := t.raw(b.Name)
	if !ok {
		return nil
	}
	l, isList := v.([]any)
	if !isList {
		t.bad(b.Name, "%s must be written in double brackets, [[%s]]", b.Name, b.Name)
	}
	if len(l) > maxBlocks {
		t.fail(t.keysAt[fmt.Sprintf("%s[%d]", b.Name, maxBlocks)].key, "at most %d [[%s]] blocks are possible, got %d", maxBlocks, b.Name, len(l))
	}
	var out []*table
	for i, e := range l {
		values, ok := e.(map[string]any)
		if !ok {
			t.bad(b.Name, "%s must be written in double brackets, [[%s]]", b.Name, b.Name)
		}
		out = append(out, t.table(b, fmt.Sprintf("%s[%d]", b.Name, i), titled(b.Name, i, values), values))
	}
	return out
}

// each reads the tables of a block, one after the other. A missing single block
// is read as an empty table.
func (t *table) each(d any, b *Block) {
	tables := []*table{}
	if b.Many {
		tables = t.blocks(b)
	} else {
		tables = append(tables, t.single(b))
	}
	for _, t := range tables {
		t.check(d)
		b.read(d, t)
		t.done()
	}
}

// checkName stops at names that results could not show, since names are in
// headers of columns and in messages.
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

// describe returns a description of a value.
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

// quoted returns names as a list in quotes for a message.
func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}

// Beside returns the path of a file that a deck or a study names: relative to
// its folder, or unchanged if it is absolute.
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
