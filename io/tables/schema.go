package tables

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// object is a JSON object.
type object = map[string]any

// JSONSchema returns the JSON Schema (draft 7) of a file with these blocks, of which the
// first is its top: what an editor needs to complete keys, show their meaning and mark
// mistakes. It has types, units as patterns, choices, defaults, bounds and descriptions. It
// accepts every file that the reader accepts. It does not have conditions between keys, which
// are in the descriptions, except for the keys that belong to one of several models.
func JSONSchema(title string, blocks []*Block) map[string]any {
	s := schemaMaker{definitions: object{}}
	top := s.table(blocks[0])
	properties := top["properties"].(object)
	for _, b := range blocks[1:] {
		table := s.table(b)
		if b.Many {
			table = object{"type": "array", "items": table}
		}
		table["description"] = cmp.Or(b.Doc, b.Header())
		properties[b.Name] = table
	}
	top["$schema"] = "http://json-schema.org/draft-07/schema#"
	top["title"] = title
	top["definitions"] = s.definitions
	return top
}

// schemaMaker collects the definitions to which a schema refers: a text for each dimension.
type schemaMaker struct{ definitions object }

// table returns the schema of a block's table.
func (s *schemaMaker) table(b *Block) object {
	properties := object{}
	var required []string
	for _, name := range KeysOf(b.Keys) {
		properties[name] = s.key(entries(b.Keys, name))
	}
	for _, k := range b.Keys {
		if k.Must() && k.With == nil {
			required = append(required, k.Name)
		}
	}
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if b.Doc != "" {
		out["description"] = b.Doc
	}
	if required != nil {
		out["required"] = required
	}
	if b.Models != nil {
		s.models(out, b)
	}
	return out
}

// models adds the keys of all models of a block to the schema of its table, and the
// condition that a table has keys of its own model only.
func (s *schemaMaker) models(table object, b *Block) {
	of, names := b.Models()
	properties := table["properties"].(object)
	properties[of].(object)["enum"] = names
	own := KeysOf(b.Keys)
	all := map[string][]Key{}
	var cases []any
	for _, name := range names {
		keys, _ := b.More(map[string]any{of: name})
		for _, k := range keys {
			all[k.Name] = append(all[k.Name], k)
		}
		cases = append(cases, object{
			"if":   object{"properties": object{of: object{"const": name}}, "required": []string{of}},
			"then": object{"propertyNames": object{"enum": slices.Concat(own, KeysOf(keys))}},
		})
	}
	for name, keys := range all {
		properties[name] = s.key(keys)
	}
	table["allOf"] = cases
}

// entries returns the entries of a key.
func entries(keys []Key, name string) []Key {
	var out []Key
	for _, k := range keys {
		if k.Name == name {
			out = append(out, k)
		}
	}
	return out
}

// key returns the schema of a key with its entries: what any of them accepts.
func (s *schemaMaker) key(entries []Key) object {
	var forms []any
	var about []string
	seen := map[string]bool{}
	add := func(form object) {
		if text := fmt.Sprint(form); !seen[text] {
			seen[text] = true
			forms = append(forms, form)
		}
	}
	var words []string
	for i := range entries {
		k := &entries[i]
		if k.Sub != nil {
			return s.sub(k)
		}
		for _, w := range k.Words {
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		for _, form := range s.forms(k) {
			add(form)
		}
		if text := strings.TrimSpace(k.About() + "\n" + k.Value() + "; " + k.Without()); !slices.Contains(about, text) {
			about = append(about, text)
		}
	}
	if words != nil {
		add(object{"enum": words})
	}
	out := object{"anyOf": forms}
	if len(forms) == 1 {
		out = maps.Clone(forms[0].(object))
	}
	out["description"] = strings.Join(about, "\n\n")
	if v, ok := value(entries[0].Default); ok && len(entries) == 1 {
		out["default"] = v
	}
	return out
}

// sub returns the schema of a key that is a table, and of the other forms that it takes.
func (s *schemaMaker) sub(k *Key) object {
	table := s.table(k.Sub)
	table["description"] = k.About() + "\n" + k.Sub.Doc
	plain := *k
	plain.Sub = nil
	if k.Kind == Table {
		if k.Also == nil {
			return table
		}
		plain.Kind = ""
	}
	forms := []any{table}
	for _, form := range s.forms(&plain) {
		forms = append(forms, form)
	}
	return object{"anyOf": forms, "description": table["description"]}
}

// forms returns the schemas of the values that an entry accepts, without its words.
func (s *schemaMaker) forms(k *Key) []object {
	var out []object
	for _, kind := range slices.Concat([]Kind{k.Kind}, k.Also) {
		switch kind {
		case Text, Expression:
			out = append(out, object{"type": "string"})
		case Flag:
			out = append(out, object{"type": "boolean"})
		case Whole:
			out = append(out, k.Bounds.within(object{"type": "integer"}))
		case Quantity:
			out = append(out, k.Bounds.within(object{"type": "number"}), s.text(k))
		case Pair:
			component := []any{object{"type": "number"}, s.text(k)}
			if slices.Contains(k.Also, Expression) {
				component = []any{object{"type": []string{"number", "string"}}}
			}
			out = append(out, object{"type": "array", "minItems": 2, "maxItems": 2, "items": object{"anyOf": component}})
		case Share:
			out = append(out, s.text(&Key{}))
		case List:
			out = append(out, object{"type": "array"})
		case Schedule:
			out = append(out, object{"type": "array"}, object{"type": "string"})
		}
	}
	if k.Auto {
		out = append(out, object{"const": "auto"})
	}
	return out
}

// text returns a reference to the schema of texts with a unit of a key's dimension.
func (s *schemaMaker) text(k *Key) object {
	name, pattern := strings.NewReplacer(" ", "_", "/", "_per_").Replace(cmp.Or(k.Dim.Unit(), "1")), ""
	switch {
	case k.Angle:
		name, pattern = "angle", textIn(None, true)
	case k.Dim != None:
		pattern = textIn(k.Dim, false)
	case k.Unit != "" && k.Unit != "1":
		name, pattern = "any", textIn(None, true)
	default:
		name, pattern = "number", textIn(None, true)
	}
	if _, ok := s.definitions[name]; !ok {
		about := "a number with a unit"
		if k.Dim != None {
			about = k.Dim.String()
		}
		s.definitions[name] = object{"type": "string", "pattern": pattern, "description": about}
	}
	return object{"$ref": "#/definitions/" + name}
}

// Patterns of a number and of units, as the reader takes them (see SplitQuantity and
// ParseUnit).
const (
	numberPattern = `[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`
	zeroPattern   = `[+-]?(0+\.?0*|\.0+)([eE][+-]?[0-9]+)?`
	blanks        = " \u00a0\u202f" // the narrow ones, too, since a schema has no escapes for them that all readers know
	blankPattern  = "[" + blanks + "]*"
	signPattern   = "([" + blanks + "]*[*·/][" + blanks + "*·]*/?|[" + blanks + "]+/?)" + blankPattern
	powerPattern  = `(\^\(?[+-]?[A-Za-z0-9_.]+\)?|-?[0-9]+|⁻?[¹²³⁴]+)?`
	prefixPattern = `[kMGTcmuµμnp]?`
)

// unitPatterns are the named units by dimension.
var unitPatterns = []struct {
	pattern string
	Dimension
}{
	{prefixPattern + "m", Length}, {"(" + prefixPattern + "g|t)", Mass}, {"(" + prefixPattern + "s|min|h)", Time},
	{prefixPattern + "N", Force}, {"(" + prefixPattern + "Pa|bar)", Pressure}, {prefixPattern + "J", Moment},
	{prefixPattern + "W", workRate}, {prefixPattern + "Hz", Frequency}, {prefixPattern + "D", Permeability}, {"(1|%|rad|deg)", None}, {"K", Temperature},
}

// textIn returns the pattern of texts that are a number with a unit. For any dimension it
// takes every unit. Otherwise it takes one unit, or two with small whole exponents, if they
// have the dimension, and more units or other exponents in any case, since no pattern can
// multiply them out.
func textIn(dim Dimension, any bool) string {
	var names []string
	for _, u := range unitPatterns {
		names = append(names, u.pattern)
	}
	unit := "(" + strings.Join(names, "|") + ")" + powerPattern
	all := `/?` + blankPattern + unit + `(` + signPattern + unit + `)*`
	if any || dim == None {
		return "^" + blankPattern + numberPattern + blankPattern + "(" + all + ")?" + blankPattern + "$"
	}
	if dim.Temperature != 0 { // with parentheses and degrees Celsius
		return "^" + blankPattern + numberPattern + blankPattern + `.*(K|degC|°C).*$`
	}
	fits := slices.Concat(oneUnit(dim), twoUnits(dim),
		[]string{unit + `(` + signPattern + unit + `){2,}`, `[^^]*\^\(?[+-]?([0-9]*\.[0-9]|[A-Za-z_]).*`})
	return "^" + blankPattern + "(" + zeroPattern + "|" + numberPattern + blankPattern + "(" + strings.Join(fits, "|") + "))" + blankPattern + "$"
}

// highest is the greatest whole exponent that patterns multiply out.
const highest = 4

// oneUnit returns the patterns of single units of a dimension.
func oneUnit(dim Dimension) []string {
	var out []string
	for _, u := range unitPatterns {
		for e := -highest; e <= highest; e++ {
			if e == 0 || !dim.equals(None.times(u.Dimension, float64(e))) {
				continue
			}
			if out = append(out, u.pattern+power(e)); e < 0 {
				out = append(out, "/"+blankPattern+u.pattern+power(-e))
			}
		}
	}
	return out
}

// twoUnits returns the patterns of two units that together have a dimension.
func twoUnits(dim Dimension) []string {
	var out []string
	const product = "([" + blanks + "]*[*·][" + blanks + "*·]*|[" + blanks + "]+)"
	const over = "[" + blanks + "*·]*/" + blankPattern
	for _, u := range unitPatterns {
		for _, v := range unitPatterns {
			for e := -highest; e <= highest; e++ {
				for f := -highest; f <= highest; f++ {
					if e == 0 || f == 0 || !dim.equals(None.times(u.Dimension, float64(e)).times(v.Dimension, float64(f))) {
						continue
					}
					first := u.pattern + power(e)
					if e < 0 {
						first = "(" + first + "|/" + blankPattern + u.pattern + power(-e) + ")"
					}
					if out = append(out, first+product+v.pattern+power(f)); f < 0 {
						out = append(out, first+over+v.pattern+power(-f))
					}
				}
			}
		}
	}
	return out
}

// power returns the pattern of a whole exponent.
func power(e int) string {
	digits := strconv.Itoa(e)
	raised := strings.NewReplacer("-", "⁻", "1", "¹", "2", "²", "3", "³", "4", "⁴").Replace(digits)
	text := digits + `|\^` + digits + `|\^\(` + digits + `\)|` + raised
	if e == 1 {
		return "(" + text + ")?"
	}
	return "(" + text + ")"
}

// within adds the bounds of a number that JSON Schema knows.
func (b Bounds) within(schema object) object {
	switch {
	case b.Keep == nil:
		return schema
	case !b.Keep(0) && b.Keep(1):
		if !b.Keep(-1) && b.Keep(1e-12) {
			schema["exclusiveMinimum"] = 0
		}
	case b.Keep(0) && !b.Keep(-1e-12):
		schema["minimum"] = 0
	}
	return schema
}

// value returns a default as a JSON value, if it is one of TOML.
func value(text string) (any, bool) {
	if text == "" || text == "-" {
		return nil, false
	}
	var out map[string]any
	if err := toml.Unmarshal([]byte("v = "+text), &out); err != nil {
		if _, err := strconv.ParseFloat(strings.Fields(text)[0], 64); err != nil || len(strings.Fields(text)) != 2 {
			return nil, false
		}
		if _, _, err := ParseUnit(strings.Fields(text)[1], nil); err != nil {
			return nil, false
		}
		return text, true
	}
	return out["v"], true
}
