package deck

import (
	"maps"
	"slices"

	"fdem/io/tables"
	"fdem/materials/contact"
)

// namedLaw is a [[law]] block.
type namedLaw struct {
	*tables.Reader
	name   string
	kind   contact.Kind
	law    contact.Law // nil if the pair must give missing parameters
	model  contact.Model
	values map[string]float64
	auto   string  // the parameter that follows from the bodies in contact, "" for none; its value in law is arbitrary
	factor float64 // factor on that parameter
}

var lawBlock = tables.Block{Name: "law", Many: true, Doc: "A contact law with its parameters; for the laws see fdem law list and fdem law show.", More: parameters, Models: lawModels, Facts: ofDeck((*Deck).lawFacts), Read: ofDeck((*Deck).readLaw), Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"blasted steel"`, Doc: "name, to which contacts refer"},
	{Name: "model", Kind: tables.Text, Example: `"kostek"`, Doc: "name of the law, as fdem law list prints it; its parameters are keys of this block"},
	{Name: "k_factor", Kind: tables.Quantity, Bounds: tables.Positive, Default: "1", With: []tables.With{tables.If(`k = "auto"`)}, Doc: "factor on the stiffness of a linear law with k = \"auto\" or without k, which follows from the bodies in contact"},
}}

// parameters returns the keys of a [[law]] block that belong to its model.
func parameters(values map[string]any) (keys []tables.Key, ok bool) {
	word, _ := values["model"].(string)
	model, ok := contact.Lookup(word)
	for _, p := range model.Parameters {
		k := tables.Key{Name: p.Name, Kind: tables.Quantity, Auto: p.Auto, Default: "-", Doc: p.Doc, Unit: p.Unit}
		if dim, err := tables.ParseDimension(p.Unit, nil); err == nil {
			k.Dim = dim
		}
		keys = append(keys, k)
	}
	return keys, ok || values["model"] == nil
}

// lawModels returns the key of a [[law]] block that names its model, and the models.
func lawModels() (key string, names []string) { return "model", contact.Names() }

// lawFacts tells whether the stiffness follows from the bodies in contact.
func (d *Deck) lawFacts(t *tables.Reader) {
	for _, k := range t.Known {
		if v, given := t.Values[k.Name]; k.Auto && (!given || v == "auto") {
			t.Facts[`k = "auto"`] = k.Name
		}
	}
}

func (d *Deck) readLaw(t *tables.Reader) {
	l := namedLaw{Reader: t, name: t.Text("name"), auto: t.Facts[`k = "auto"`], factor: t.Number("k_factor")}
	name := t.Text("model")
	model, ok := contact.Lookup(name)
	if !ok {
		t.Bad("model", "there is no contact law %q%s", name, tables.Nearest(name, contact.Names()))
	}
	l.kind, l.model, l.values = model.Kind, model, lawValues(t, model)
	d.unique(t, "a law", l.name)
	if fromPair(model, l.values) {
		checkValues(t, model, l.values)
	} else {
		var err error
		if l.law, err = l.with(1); err != nil {
			checkValues(t, model, l.values) // gives the position of a wrong value, if there is one
			t.Bad("model", "%v", err)
		}
	}
	d.laws = append(d.laws, l)
}

// with returns the law with a value of the parameter that follows from the
// bodies in contact.
func (l *namedLaw) with(found float64) (contact.Law, error) {
	if l.auto == "" {
		return l.model.Build(l.values)
	}
	values := maps.Clone(l.values)
	values[l.auto] = l.factor * found
	return l.model.Build(values)
}

// checkValues checks the given parameters.
func checkValues(t *tables.Reader, model contact.Model, values map[string]float64) {
	for _, p := range model.Parameters {
		if v, given := values[p.Name]; given {
			if err := p.Check(v); err != nil {
				t.Bad(p.Name, "law %s: %v", model.Name, err)
			}
		}
	}
}

// fromPair tells whether a point law omits parameters that a pair of particles
// gives.
func fromPair(model contact.Model, values map[string]float64) bool {
	for _, name := range pairParameters {
		if _, takes := model.Parameter(name); !takes || model.Kind != contact.Point {
			continue
		}
		if _, given := values[name]; !given {
			return true
		}
	}
	return false
}

// lawValues reads a law's parameters. Units may have other parameters as
// exponents, so plain numbers come first.
func lawValues(t *tables.Reader, model contact.Model) map[string]float64 {
	values := map[string]float64{}
	read := func(p contact.Parameter) {
		dim, err := tables.ParseDimension(p.Unit, func(name string) (float64, bool) {
			v, ok := values[name]
			if other, known := model.Parameter(name); !ok && known && other.Default != nil {
				return *other.Default, true
			}
			return v, ok
		})
		if err != nil {
			t.Bad(p.Name, "%s needs the other parameters of the law: %v", p.Name, err)
		}
		v, _ := t.Raw(p.Name)
		values[p.Name] = t.Value(p.Name, v, dim)
	}
	for _, p := range model.Parameters {
		t.Raw(p.Name)
		if !t.Has(p.Name) && p.Default == nil && !p.Auto && !(model.Kind == contact.Point && slices.Contains(pairParameters, p.Name)) {
			t.Bad("model", "law %s needs the parameter %q, %s", model.Name, p.Name, p.Doc)
		}
	}
	for _, exponents := range []bool{true, false} {
		for _, p := range model.Parameters {
			if t.Has(p.Name) && !(p.Auto && t.Values[p.Name] == "auto") && (p.Unit == "1") == exponents {
				read(p)
			}
		}
	}
	return values
}
