package deck

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/elementary"
	"fdem/materials/parameter"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// materialKeys returns the keys of a [[material]]: the common ones, and the parameters of
// the laws from their registry. A parameter of several laws has one key.
func materialKeys() (keys []tables.Key) {
	keys = []tables.Key{
		{Name: "name", Kind: tables.Text, Example: `"steel"`, Doc: "name, to which bodies refer"},
		{Name: "young", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Example: `"210 GPa"`, Branch: true, Doc: "Young's modulus"},
		{Name: "poisson", Kind: tables.Quantity, Example: "0.3", Branch: true, Doc: "Poisson's ratio, above -1 and below 0.5"},
		{Name: "density", Kind: tables.Quantity, Dim: tables.Density, Bounds: tables.Positive, Example: `"7860 kg/m3"`, Branch: true, Doc: "mass per volume"},
		{Name: "law", Kind: tables.Word, Words: bulk.Names(), Default: "-", Doc: "law of the triangles at strains that are not small, " + lawWords() + ": see fdem law show. young and poisson are the values at zero strain. Without a law triangles are elastic by St. Venant and Kirchhoff, for strains of a few percent"},
	}
	keys = append(keys, tables.Key{Name: "scatter", Kind: tables.Table, Default: "-", Sub: &modulusBlock, Doc: "random distribution of Young's modulus over the triangles, see below"})
	for _, name := range bulk.Names() {
		model, _ := bulk.Lookup(name)
		for _, p := range model.Parameters {
			group, _, grouped := strings.Cut(p.Name, ".")
			if grouped {
				keys = ofLaw(keys, name, tables.Key{Name: group, Kind: tables.Table, Default: "-", Sub: groupBlock(&model, group), Doc: model.Groups[group]})
				continue
			}
			keys = ofLaw(keys, name, quantityOf(p))
		}
		for _, c := range model.Curves {
			if strings.Contains(c.Name, ".") {
				continue // in the table of its group
			}
			keys = ofLaw(keys, name, tables.Key{Name: c.Name, Kind: tables.List, Default: "-", Doc: c.Doc})
		}
	}
	return append(append(keys, heatKeys()...), poreKeys()...)
}

// lawWords returns a short description of the laws.
func lawWords() string {
	var out []string
	for _, name := range bulk.Names() {
		model, _ := bulk.Lookup(name)
		short, _, _ := strings.Cut(model.Title, ":")
		out = append(out, fmt.Sprintf("%q (%s)", name, short))
	}
	return strings.Join(out, ", ")
}

// ofLaw adds a key of a law.
func ofLaw(keys []tables.Key, law string, k tables.Key) []tables.Key {
	for i := range keys {
		if keys[i].Name == k.Name {
			if is := &keys[i].With[0].Is; !slices.Contains(*is, law) {
				*is = append(*is, law)
			}
			return keys
		}
	}
	k.With = []tables.With{tables.If("law", law)}
	return append(keys, k)
}

// degrees is the unit of parameters that are angles.
const degrees = "deg"

// kelvins is the unit of temperatures, which decks give as plain numbers.
const kelvins = "K"

// dimensionOf returns the dimension of a unit of the registry.
func dimensionOf(unit string) tables.Dimension {
	if unit == degrees || unit == kelvins {
		return tables.None
	}
	dim, err := tables.ParseDimension(strings.Replace(unit, "/(kg K)", "/kg", 1), nil)
	if err != nil {
		panic(err)
	}
	return dim
}

// quantityOf returns the key of a parameter.
func quantityOf(p parameter.Parameter) tables.Key {
	k := tables.Key{Name: p.Name, Kind: tables.Quantity, Dim: dimensionOf(p.Unit), Branch: true, Doc: p.Doc}
	k.Bounds = tables.Bounds{Rule: "must be " + p.Range(), Keep: func(v float64) bool { return p.Check(v) == nil }}
	if p.Unit == degrees {
		k.Angle, k.Unit = true, "degrees"
	}
	if strings.Contains(p.Unit, kelvins) {
		k.Unit = p.Unit
	}
	switch {
	case p.Else == "without":
		k.Default = "-"
	case p.Else != "":
		k.Else = p.Else
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
func groupBlock(model *bulk.Model, group string) *tables.Block {
	b := &tables.Block{Name: "material." + group, Doc: "Parameters of law = \"" + model.Name + "\": " + model.Groups[group] + "."}
	for _, p := range model.Parameters {
		if of, name, ok := strings.Cut(p.Name, "."); ok && of == group {
			k := quantityOf(p)
			k.Name, k.Branch = name, false
			b.Keys = append(b.Keys, k)
		}
	}
	for _, c := range model.Curves {
		if of, name, ok := strings.Cut(c.Name, "."); ok && of == group {
			b.Keys = append(b.Keys, tables.Key{Name: name, Kind: tables.List, Default: "-", Doc: c.Doc})
		}
	}
	return b
}

// bulkLaw reads the law of a material, nil for none. Moduli among its parameters are
// multiplied by a factor; those of e already are.
func bulkLaw(t *tables.Reader, e bulk.Elastic, times float64) bulk.Law {
	if !t.Has("law") {
		return nil
	}
	model, _ := bulk.Lookup(t.Word("law"))
	c := bulk.Constants{Value: map[string]float64{}, Curve: map[string][][2]float64{}}
	for _, p := range model.Parameters {
		if from, name := t.Grouped(p.Name); from != nil {
			v := from.Number(name)
			if _, text := from.Values[name].(string); text && p.Unit == degrees {
				v *= 180 / math.Pi
			}
			if name == "young_along" || name == "shear_along" {
				v *= times
			}
			if from.Has(name) {
				c.Value[p.Name] = v
			}
		}
	}
	for _, of := range model.Curves {
		if from, name := t.Grouped(of.Name); from != nil {
			if pairs := pairsOf(from, name, of); pairs != nil {
				c.Curve[of.Name] = pairs
			}
		}
	}
	law, err := model.Build(e, c)
	if err != nil {
		t.Bad(t.KeyOf(err), "%v", err)
	}
	return law
}

// pairsOf reads a table of pairs, nil if the key is absent.
func pairsOf(t *tables.Reader, name string, of bulk.Curve) (out [][2]float64) {
	x, y := dimensionOf(of.X), dimensionOf(of.Y)
	for i, row := range t.List(name, 0) {
		pair, ok := row.([]any)
		if !ok || len(pair) != 2 {
			t.Bad(name, "%s: entry %d must be a pair, %s", name, i+1, of.Doc)
		}
		out = append(out, [2]float64{t.Value(name, pair[0], x), t.Value(name, pair[1], y)})
	}
	return out
}

// fitting stops if the triangles of a body have a size that its law does not allow.
func (d *Deck) fitting(t *tables.Reader, of bulk.Sized, material int32) {
	d.onMesh = append(d.onMesh, func(r *resolver, _ *models.Model) {
		for _, b := range d.bodies {
			if b.Material != material {
				continue
			}
			largest, body := 0.0, &r.mesh.Bodies[r.bodyNamed(b.Name)]
			for _, n := range r.mesh.Triangles[body.First:body.End] {
				p, q := r2.Sub(r.mesh.X[n[1]], r.mesh.X[n[0]]), r2.Sub(r.mesh.X[n[2]], r.mesh.X[n[0]])
				largest = max(largest, 0.5*elementary.Cross(p, q))
			}
			if err := of.Fits(math.Sqrt(largest)); err != nil {
				t.Bad("softening", "body %q: %v", b.Name, err)
			}
		}
	})
}
