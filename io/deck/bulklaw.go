package deck

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fdem/materials/bulk"
	"fdem/materials/parameter"
)

// materialKeys are those of a [[material]]: what all have, and the parameters of the laws as
// their registry has them, once each for all laws that take it.
func materialKeys() (keys []Key) {
	keys = []Key{
		{Name: "name", Kind: Text, Example: `"steel"`, Doc: "by which bodies name it"},
		{Name: "young", Kind: Quantity, Dim: Pressure, Bounds: positive, Example: `"210 GPa"`, Branch: true, Doc: "Young's modulus"},
		{Name: "poisson", Kind: Quantity, Example: "0.3", Branch: true, Doc: "Poisson's ratio, above -1 and below 0.5"},
		{Name: "density", Kind: Quantity, Dim: Density, Bounds: positive, Example: `"7860 kg/m3"`, Branch: true, Doc: "mass per volume"},
		{Name: "law", Kind: Word, Words: bulk.Names(), Default: "-", Doc: "what the triangles of its bodies do at strains that are not small, " + lawWords() + ": see fdem law show. young and poisson are those of the first strain. Without a law they are elastic, by St. Venant and Kirchhoff, for strains of some percent"},
	}
	for _, name := range bulk.Names() {
		model, _ := bulk.Lookup(name)
		for _, p := range model.Parameters {
			group, _, grouped := strings.Cut(p.Name, ".")
			if grouped {
				keys = ofLaw(keys, name, Key{Name: group, Kind: Table, Default: "-", sub: groupBlock(&model, group), Doc: model.Groups[group]})
				continue
			}
			keys = ofLaw(keys, name, quantityOf(p))
		}
		for _, c := range model.Curves {
			keys = ofLaw(keys, name, Key{Name: c.Name, Kind: List, Default: "-", Doc: c.Doc})
		}
	}
	return keys
}

// lawWords says in a few words what the laws are.
func lawWords() string {
	var out []string
	for _, name := range bulk.Names() {
		model, _ := bulk.Lookup(name)
		short, _, _ := strings.Cut(model.Title, ":")
		out = append(out, fmt.Sprintf("%q (%s)", name, short))
	}
	return strings.Join(out, ", ")
}

// ofLaw adds a key that a law takes.
func ofLaw(keys []Key, law string, k Key) []Key {
	for i := range keys {
		if keys[i].Name == k.Name {
			if is := &keys[i].With[0].Is; !slices.Contains(*is, law) {
				*is = append(*is, law)
			}
			return keys
		}
	}
	k.With = []With{with("law", law)}
	return append(keys, k)
}

// quantityOf returns the key of a parameter.
func quantityOf(p parameter.Parameter) Key {
	dim, err := ParseDimension(p.Unit, nil)
	if err != nil {
		panic(err) // of the registry
	}
	k := Key{Name: p.Name, Kind: Quantity, Dim: dim, Branch: true, Doc: p.Doc}
	k.Bounds = Bounds{"must be " + p.Range(), func(v float64) bool { return p.Check(v) == nil }}
	switch {
	case p.Default == nil:
		k.Example = "1"
	case *p.Default == 0:
		k.Default = "-"
	default:
		k.Default = strconv.FormatFloat(*p.Default, 'g', -1, 64)
	}
	return k
}

// groupBlock is the inline table of some parameters of a law.
func groupBlock(model *bulk.Model, group string) *Block {
	b := &Block{Name: "material." + group, Doc: "Of law = \"" + model.Name + "\": " + model.Groups[group] + "."}
	for _, p := range model.Parameters {
		if of, name, ok := strings.Cut(p.Name, "."); ok && of == group {
			k := quantityOf(p)
			k.Name, k.Branch = name, false
			b.Keys = append(b.Keys, k)
		}
	}
	return b
}

// bulkLaw reads the law of a material, nil for none.
func (t *table) bulkLaw(e bulk.Elastic) bulk.Law {
	if !t.has("law") {
		return nil
	}
	model, _ := bulk.Lookup(t.word("law"))
	c := bulk.Constants{Value: map[string]float64{}, Curve: map[string][][2]float64{}}
	for _, p := range model.Parameters {
		from, name := t, p.Name
		if group, inner, ok := strings.Cut(p.Name, "."); ok {
			if !t.has(group) {
				continue
			}
			from, name = t.sub(group), inner
			from.check(nil)
			for _, given := range from.given() {
				if !slices.ContainsFunc(from.keys, func(k Key) bool { return k.Name == given }) {
					from.bad(given, "there is no key %q in %s", given, group)
				}
			}
		}
		if v := from.number(name); from.has(name) {
			c.Value[p.Name] = v
		}
	}
	for _, of := range model.Curves {
		if pairs := t.pairs(of); pairs != nil {
			c.Curve[of.Name] = pairs
		}
	}
	law, err := model.Build(e, c)
	if err != nil {
		culprit := "law"
		for _, k := range t.given() { // that the message names
			if k != "law" && k != "name" && strings.Contains(err.Error(), k) {
				culprit = k
				break
			}
		}
		t.bad(culprit, "%v", err)
	}
	return law
}

// pairs reads a table of pairs; nil where it is absent.
func (t *table) pairs(of bulk.Curve) (out [][2]float64) {
	var dims [2]Dimension
	for i, unit := range []string{of.X, of.Y} {
		dim, err := ParseDimension(unit, nil)
		if err != nil {
			panic(err) // of the registry
		}
		dims[i] = dim
	}
	for i, row := range t.list(of.Name, 0) {
		pair, ok := row.([]any)
		if !ok || len(pair) != 2 {
			t.bad(of.Name, "%s: entry %d must be a pair, %s", of.Name, i+1, of.Doc)
		}
		out = append(out, [2]float64{t.value(of.Name, pair[0], dims[0]), t.value(of.Name, pair[1], dims[1])})
	}
	return out
}
