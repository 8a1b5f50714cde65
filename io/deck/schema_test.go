package deck

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fdem/io/tables"
	"fdem/materials/contact"

	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validator makes a validator of a schema, by way of its text.
func validator(t *testing.T, schema map[string]any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	made, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// accepts returns what a schema says of a text, nil if it is right.
func accepts(t *testing.T, schema *jsonschema.Schema, text string) error {
	t.Helper()
	var values map[string]any
	if err := toml.Unmarshal([]byte(text), &values); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	plain, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(plain)))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(doc)
}

// The JSON Schema accepts what the reader accepts, and refuses every key that the reader
// does not know: those of other blocks, and misspelt ones.
func TestSchemaAndReaderAgree(t *testing.T) {
	schema := validator(t, JSONSchema())
	keys := map[string]string{"young_modulus": "1", "typo": "1"}
	for _, b := range Reference() {
		for i := range b.Keys {
			keys[b.Keys[i].Name] = other(&b.Keys[i])
		}
	}
	parameters := map[string]bool{} // of laws
	for _, name := range contact.Names() {
		model, _ := contact.Lookup(name)
		for _, p := range model.Parameters {
			parameters[p.Name] = true
			keys[p.Name] = "0.4"
		}
	}
	tried := map[string]bool{} // foreign keys, by block
	for _, v := range variants(t) {
		if err := accepts(t, schema, v.text("")); err != nil {
			t.Errorf("[%s]\n%s\n%v", v.block, v.keys, err)
			continue
		}
		block := schemaOf(v.block)
		known := tables.KeysOf(block.Keys)
		if v.block == "" {
			for _, b := range Reference() {
				known = append(known, b.Name)
			}
		}
		for name, value := range keys {
			if slices.Contains(known, name) || v.block == "law" && modelHas(v.keys, name) {
				line := name + " = " + value
				if _, err := Parse("deck.toml", []byte(v.without(name).text(line))); err == nil {
					if err := accepts(t, schema, v.without(name).text(line)); err != nil {
						t.Errorf("[%s]\n%s\n%s: the reader accepts it, the schema does not: %v", v.block, v.keys, line, err)
					}
				}
				continue
			}
			if at := v.block + " " + name; tried[at] && !(v.block == "law" && parameters[name]) {
				continue
			} else {
				tried[at] = true
			}
			if accepts(t, schema, v.text(name+" = "+value)) == nil {
				t.Errorf("[%s]\n%s\nthe schema accepts %s, which is no key of the block", v.block, v.keys, name)
			}
		}
	}
}

// without returns the variant without a key.
func (v *variant) without(name string) *variant {
	w := *v
	w.keys = ""
	for _, l := range strings.Split(v.keys, "\n") {
		if !strings.HasPrefix(l, name+" =") {
			w.keys += l + "\n"
		}
	}
	return &w
}

// The pattern of a quantity accepts and refuses what the reader does, for units as people
// write them.
func TestSchemaOfUnits(t *testing.T) {
	for _, c := range []struct {
		dim          tables.Dimension
		right, wrong []string
	}{
		{tables.Length, []string{"10 mm", "1e-3 m", "5um", "-2 µm", "1 J/N", "3 m2/m", "0", "1 m^1", "2 m s/s", "7 m·s / s"}, []string{"10", "10 mn", "3 m2", "5 s", "1 kg m", "ten mm", "1,5 mm", "1 m^2"}},
		{tables.Time, []string{"385 us", "1 min", "2 h", "1 /Hz"}, []string{"385 mus", "2 days", "10 mm"}},
		{tables.Pressure, []string{"210 GPa", "5 N/mm2", "5 N/mm^2", "3 bar", "1 kg m-1 s-2", "7 kN m⁻²", "1 J/m3"}, []string{"210 Gpa", "210 GN", "1 psi", "5 kg/m3", "5 N mm2"}},
		{tables.Density, []string{"7860 kg/m3", "7.86 g/cm3", "2.7 t/m^3"}, []string{"7860 kg", "7860 kg/m2", "7.8 kg/m^2"}},
		{tables.Velocity, []string{"0.5 m/s", "36 km/h", "1 mm/us", "3 m s^-1", "3 m s-1"}, []string{"0.5 m", "1 mph", "2 m/s2"}},
		{tables.SurfaceEnergy, []string{"20 J/m2", "2 N/mm", "1 kg/s2", "3 kN/m"}, []string{"20 J", "20 N/m2"}},
		{tables.None, []string{"20 %", "30 deg", "0.5"}, []string{"20 percent"}},
	} {
		block := &tables.Block{Keys: []tables.Key{{Name: "a", Kind: tables.Quantity, Dim: c.dim, Default: "-"}}}
		schema := validator(t, tables.JSONSchema("test", []*tables.Block{block}))
		for _, text := range slices.Concat(c.right, c.wrong) {
			_, read := tables.ParseQuantity(text, c.dim)
			number, unit := tables.SplitQuantity(text)
			bare := unit == "" && number != "0" && c.dim != tables.None
			err := accepts(t, schema, fmt.Sprintf("a = %q", text))
			if right := slices.Contains(c.right, text); (err == nil) != right || (read == nil && !bare) != right {
				t.Errorf("%q as %s: the schema says %v, the reader %v", text, c.dim, err, read)
			}
		}
	}
}
