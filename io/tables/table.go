package tables

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Reader reads the keys of one block by its schema.
type Reader struct {
	*Document
	*Block
	path   string // "material[1]"
	Title  string // for messages: `material "steel"`
	Values map[string]any
	Known  []Key             // keys of the block, and further ones
	Facts  map[string]string // facts for conditions, in addition to keys
	taken  map[string]bool   // keys that the reader has read
}

// Top returns the table of a whole file with a schema, after a check for keys
// that are in none of its blocks.
func (d *Document) Top(schema []*Block) *Reader {
	d.schema = schema
	d.refuseUnknown()
	t := d.Table(schema[0], "", "", d.Values)
	t.Check(nil)
	return t
}

// Table returns the table at a path.
func (d *Document) Table(b *Block, path, title string, values map[string]any) *Reader {
	t := &Reader{Document: d, Block: b, path: path, Title: title, Values: values, Known: b.Keys, Facts: map[string]string{}, taken: map[string]bool{}}
	if b.More != nil {
		more, _ := b.More(values)
		t.Known = slices.Concat(t.Known, more)
	}
	return t
}

// At returns the position of a key's value, or of the block if the key is absent.
func (t *Reader) At(key string) int {
	if p, ok := t.KeysAt[t.join(key)]; ok {
		return p.Value
	}
	return t.KeysAt[t.path].key
}

func (t *Reader) join(key string) string { return join(t.path, key) }

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Bad stops with an error about a key.
func (t *Reader) Bad(key, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	if t.Title != "" {
		msg = t.Title + ": " + msg
	}
	t.Fail(t.At(key), "%s", msg)
}

// Has tells whether a key is given.
func (t *Reader) Has(key string) bool {
	_, ok := t.Values[key]
	return ok
}

// Need stops if a key is missing.
func (t *Reader) Need(key, example string) {
	if !t.Has(key) {
		t.Bad(key, "%s is missing, for instance %s = %s", key, key, example)
	}
}

// require stops if a key is missing, and names its alternatives.
func (t *Reader) require(k *Key) {
	if t.Has(k.Name) {
		return
	}
	instead := ""
	for _, o := range t.Known {
		if slices.ContainsFunc(k.With, func(w With) bool { return w.Not && w.Is == nil && w.Of == o.Name }) {
			instead += ", or " + o.Name + " = " + o.Kind.sketch()
		}
	}
	t.Bad(k.Name, "%s is missing, for instance %s = %s%s", k.Name, k.Name, k.Example, instead)
}

// given returns the given keys, in the file's order.
func (t *Reader) given() []string {
	return slices.SortedFunc(maps.Keys(t.Values), func(a, b string) int { return t.KeysAt[t.join(a)].key - t.KeysAt[t.join(b)].key })
}

// Check stops if a key is missing, and at a key whose conditions do not hold.
func (t *Reader) Check(d any) {
	t.checkName()
	for _, k := range t.Known { // keys on which others may depend come first
		if k.Must() && k.With == nil {
			t.require(&k)
		}
		if v, given := t.Values[k.Name]; given && k.Kind == Word {
			s, isText := v.(string)
			if !isText || !slices.ContainsFunc(t.Known, func(o Key) bool { return o.Name == k.Name && slices.Contains(o.Words, s) }) {
				t.Word(k.Name)
			}
		}
	}
	if t.Block.Facts != nil {
		t.Block.Facts(d, t)
	}
	for _, name := range t.given() {
		if _, broken := t.Entry(name, nil); broken != nil {
			if k := t.general(name); k.Kind == Quantity { // a number that is wrong in any case is reported first
				switch v := t.Values[name].(type) {
				case int64:
					t.Bounded(k, float64(v))
				case float64:
					t.Bounded(k, v)
				}
			}
			t.Bad(name, "%s %s", name, broken.refusal(t.fact(broken.Of)))
		}
	}
	for _, k := range t.Known {
		if k.Must() && !t.Has(k.Name) && t.broken(&k) == nil {
			t.require(&k)
		}
	}
}

// Done stops at a given key that was not read, so that none is ignored.
func (t *Reader) Done() {
	for _, name := range t.given() {
		if !t.taken[name] {
			t.Bad(name, "%s has no effect here: leave it out", name)
		}
	}
}

// Entry returns the entry of a key whose conditions hold, among those accepted
// by suit if that is not nil. If there is none, it returns the condition that
// does not hold of the entry of which most do.
func (t *Reader) Entry(name string, suit func(k *Key) bool) (k *Key, broken *With) {
	most := 0
	for i := range t.Known {
		if k := &t.Known[i]; k.Name == name && (suit == nil || suit(k)) {
			held := t.holding(k)
			if held == len(k.With) {
				return k, nil
			}
			if held >= most {
				most, broken = held, &k.With[held]
			}
		}
	}
	return nil, broken
}

// broken returns the first condition of a key that does not hold, nil if all
// hold.
func (t *Reader) broken(k *Key) *With {
	if held := t.holding(k); held < len(k.With) {
		return &k.With[held]
	}
	return nil
}

// holding returns the number of conditions of a key that hold before the first one that does not.
func (t *Reader) holding(k *Key) int {
	for i := range k.With {
		w := &k.With[i]
		met := false
		for _, of := range strings.Split(w.Of, " or ") {
			v := t.fact(of)
			met = met || w.Is == nil && v != "" || slices.Contains(w.Is, v)
		}
		if met == w.Not {
			return i
		}
	}
	return len(k.With)
}

// fact returns the value for a condition: that of a word or a flag, "given" for
// another key that is given, "" if not.
func (t *Reader) fact(of string) string {
	if v, ok := t.Facts[of]; ok {
		return v
	}
	i := slices.IndexFunc(t.Known, func(k Key) bool { return k.Name == of })
	if i < 0 {
		return t.Document.Facts[of]
	}
	v, given := t.Values[of]
	if flag, ok := v.(bool); ok {
		return strconv.FormatBool(flag)
	}
	word := t.Known[i].Kind == Word || t.Known[i].Kind == Flag
	if text, ok := v.(string); ok && word {
		return text
	}
	if given {
		return "given"
	}
	if word {
		if k, _ := t.Entry(of, nil); k != nil {
			return strings.Trim(k.Default, `"`)
		}
	}
	return ""
}

// EntryOf returns the entry of a key for the reader, and marks the key as read.
// If no entry counts, the key is not given, and the last entry, which is the
// most general, has its default.
func (t *Reader) EntryOf(name string, kinds ...Kind) *Key {
	t.taken[name] = true
	k, _ := t.Entry(name, nil)
	if k == nil {
		k = t.general(name)
	}
	if k == nil || !slices.Contains(kinds, k.Kind) {
		panic(fmt.Sprintf("deck: block %q has no key %q of kind %q", t.Name, name, kinds))
	}
	return k
}

// general returns the last entry of a key, nil if there is none.
func (t *Reader) general(name string) *Key {
	for i := len(t.Known) - 1; i >= 0; i-- {
		if t.Known[i].Name == name {
			return &t.Known[i]
		}
	}
	return nil
}

// Raw returns a key's value as in the file.
func (t *Reader) Raw(name string) (v any, given bool) {
	t.taken[name] = true
	v, given = t.Values[name]
	return v, given
}

// Text reads a string.
func (t *Reader) Text(name string) string {
	k := t.EntryOf(name, Text, Word)
	v, ok := t.Values[name]
	if !ok {
		return strings.Trim(strings.TrimPrefix(k.Default, "-"), `"`)
	}
	s, ok := v.(string)
	if !ok {
		t.Bad(name, "%s must be a text in quotes, got %s", name, Describe(v))
	}
	return s
}

// Word reads a string that is one of several.
func (t *Reader) Word(name string) string {
	k := t.EntryOf(name, Word)
	s := t.Text(name)
	if t.Has(name) && !slices.Contains(k.Words, s) {
		if _, broken := t.Entry(name, func(k *Key) bool { return slices.Contains(k.Words, s) }); broken != nil {
			t.Bad(name, "%s = %q %s", name, s, broken.refusal(t.fact(broken.Of)))
		}
		t.Bad(name, "%s must be one of %s, got %q%s", name, Quoted(k.Words), s, Suggestion(s, k.Words))
	}
	return s
}

// Flag reads true or false.
func (t *Reader) Flag(name string) bool {
	k := t.EntryOf(name, Flag)
	v, ok := t.Values[name]
	if !ok {
		return k.Default == "true"
	}
	b, ok := v.(bool)
	if !ok {
		t.Bad(name, "%s must be true or false, got %s", name, Describe(v))
	}
	return b
}

// Whole reads a whole number.
func (t *Reader) Whole(name string) int {
	k := t.EntryOf(name, Whole)
	v, ok := t.Values[name]
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
		t.Bad(name, "%s must be a whole number%s, got %s", name, auto, Describe(v))
	}
	if !k.Bounds.Keep(float64(n)) {
		t.Bad(name, "%s %s, got %d", name, k.Bounds.Rule, n)
	}
	return int(n)
}

// Number reads a number in SI or a text with a unit. It returns 0 for "auto",
// and if there is neither a value nor a default.
func (t *Reader) Number(name string) float64 {
	k := t.EntryOf(name, Quantity)
	v, ok := t.Values[name]
	switch {
	case !ok:
		return t.otherwise(k)
	case k.Auto && v == "auto":
		return 0
	}
	q := t.Value(name, v, k.Dim)
	if s, _ := v.(string); !k.Angle && k.Dim == None && isAngle(s) {
		advice := ""
		if strings.HasSuffix(name, "friction") {
			advice = fmt.Sprintf("; the coefficient of friction is the tangent of the friction angle, %.4g", elementary.Sin(q)/elementary.Cos(q))
		}
		t.Bad(name, "%s is a plain number, not an angle, got %q%s", name, s, advice)
	}
	return t.Bounded(k, q)
}

// Bounded stops if a number violates its rule.
func (t *Reader) Bounded(k *Key, q float64) float64 {
	if k.Bounds.Keep != nil && !k.Bounds.Keep(q) {
		rule := k.Bounds.Rule
		if k.Auto {
			rule += `, or "auto"`
		}
		t.Bad(k.Name, "%s %s, got %s", k.Name, rule, Measured(q, cmp.Or(k.Unit, k.Dim.Unit())))
	}
	return q
}

// otherwise returns a quantity's default.
func (t *Reader) otherwise(k *Key) float64 {
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
	v, known := t.Numbers[name]
	if !known {
		v = t.Number(name)
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

// Value converts a value found under a key.
func (t *Reader) Value(name string, v any, dim Dimension) float64 {
	return t.converted(name, v, dim, Plausible)
}

// Component converts a component of a vector found under a key.
func (t *Reader) Component(name string, v any, dim Dimension) float64 {
	return t.converted(name, v, dim, PlausibleComponent)
}

// converted converts a value found under a key. It stops if check returns an error.
func (t *Reader) converted(name string, v any, dim Dimension, check func(v float64, dim Dimension) error) float64 {
	q := 0.0
	switch v := v.(type) {
	case int64:
		q = float64(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Bad(name, "%s must be finite, got %v", name, v)
		}
		q = v
	case string:
		var err error
		if q, err = written(v, dim); err != nil {
			auto := ""
			k, _ := t.Entry(name, nil)
			if k != nil && k.Auto {
				auto = `, or "auto"`
			}
			t.Bad(name, "%s: %s%s", name, strings.Replace(err.Error(), "expected "+dim.String(), "expected "+wanted(k, dim), 1), auto)
		}
	default:
		k, _ := t.Entry(name, nil)
		t.Bad(name, "%s must be %s, got %s", name, wanted(k, dim), Describe(v))
	}
	if err := check(q, dim); err != nil {
		t.Bad(name, "%s %v", name, err)
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

// List reads an array of n values, or of any number for n = 0; nil if it is
// absent.
func (t *Reader) List(name string, n int) []any {
	v, ok := t.Raw(name)
	if !ok {
		return nil
	}
	l, ok := v.([]any)
	if !ok {
		t.Bad(name, "%s must be a list in brackets, got %s", name, Describe(v))
	}
	if n > 0 && len(l) != n {
		t.Bad(name, "%s must have %d entries, got %d", name, n, len(l))
	}
	return l
}

// Several reads a text or a list of texts, unchanged; nil if it is absent.
func (t *Reader) Several(name string) []any {
	if v, _ := t.Raw(name); v != nil {
		switch s := v.(type) {
		case string:
			return []any{s}
		case []any:
		default:
			t.Bad(name, "%s must be a name in quotes or a list of names, got %s", name, Describe(v))
		}
	}
	return t.List(name, 0)
}

// Vector reads [x, y]; (0, 0) if it is absent.
func (t *Reader) Vector(name string) r2.Vec {
	l := t.List(name, 2)
	if l == nil {
		return r2.Vec{}
	}
	dim := t.EntryOf(name, Pair, Quantity).Dim
	return r2.Vec{X: t.Component(name, l[0], dim), Y: t.Component(name, l[1], dim)}
}

// Sub returns the table under a key, an empty one if it is absent.
func (t *Reader) Sub(name string) *Reader {
	return t.inner(t.EntryOf(name, Table, Schedule).Sub, name)
}

// Single returns the table of a block that may be given once.
func (t *Reader) Single(b *Block) *Reader { return t.inner(b, b.Name) }

func (t *Reader) inner(b *Block, name string) *Reader {
	v, ok := t.Raw(name)
	values := map[string]any{}
	if _, many := v.([]any); many {
		t.Fail(t.KeysAt[t.join(name)+"[0]"].key, "%s must be written once and in single brackets, [%s]", name, name)
	}
	if ok {
		if values, ok = v.(map[string]any); !ok {
			t.Bad(name, "%s must be a table, got %s", name, Describe(v))
		}
	}
	return t.Table(b, t.join(name), name, values)
}

// Blocks returns the tables of [[name]].
func (t *Reader) Blocks(b *Block) []*Reader {
	v, ok := t.Raw(b.Name)
	if !ok {
		return nil
	}
	l, isList := v.([]any)
	if !isList {
		t.Bad(b.Name, "%s must be written in double brackets, [[%s]]", b.Name, b.Name)
	}
	if len(l) > maxBlocks {
		t.Fail(t.KeysAt[fmt.Sprintf("%s[%d]", b.Name, maxBlocks)].key, "at most %d [[%s]] blocks are possible, got %d", maxBlocks, b.Name, len(l))
	}
	var out []*Reader
	for i, e := range l {
		values, ok := e.(map[string]any)
		if !ok {
			t.Bad(b.Name, "%s must be written in double brackets, [[%s]]", b.Name, b.Name)
		}
		out = append(out, t.Table(b, fmt.Sprintf("%s[%d]", b.Name, i), titled(b.Name, i, values), values))
	}
	return out
}

// Each reads the tables of a block, one after the other. A missing single block
// is read as an empty table.
func (t *Reader) Each(d any, b *Block) {
	tables := []*Reader{}
	if b.Many {
		tables = t.Blocks(b)
	} else {
		tables = append(tables, t.Single(b))
	}
	for _, t := range tables {
		t.Check(d)
		b.Read(d, t)
		t.Done()
	}
}

// checkName stops at names that results could not show, since names are in
// headers of columns and in messages.
func (t *Reader) checkName() {
	name, ok := t.Values["name"].(string)
	switch {
	case !ok:
	case strings.TrimSpace(name) == "":
		t.Bad("name", "the name is empty")
	case strings.ContainsFunc(name, unicode.IsControl):
		t.Bad("name", "the name must be one line without control characters")
	case len(name) > longestName:
		t.Bad("name", "a name of %d letters is too long, at most %d", len(name), longestName)
	}
}

const longestName = 200

// Describe returns a description of a value.
func Describe(v any) string {
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

// Quoted returns names as a list in quotes for a message.
func Quoted(names []string) string {
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
