package deck

var fixBlock = Block{Name: "fix", Many: true, Doc: "A support: nodes that stay where they are.", read: (*Deck).readFix, Keys: []Key{
	{Name: "on", Kind: Text, Example: `"clamp"`, Doc: "a physical curve, point or surface of the mesh"},
	{Name: "components", Kind: List, Default: `["x", "y"]`, Branch: true, Doc: `what is held: "x", "y" and, of beams, "rotation"`},
	{Name: "displacement", Kind: Pair, Dim: Length, Default: "-", With: []With{{Of: "type", Is: inStatics.Is, Why: "in time a [[rigid]] body with a motion pushes"}}, Branch: true, Doc: "where the nodes are moved"},
	{Name: "schedule", Kind: Schedule, Else: "growing evenly", With: []With{with("displacement")}, Branch: true, Doc: "factor of the displacement over time, as of a load"},
}}

func (d *Deck) readFix(t *table) {
	f := fix{table: t, on: t.text("on")}
	components := t.list("components", 0)
	if !t.has("components") {
		components = []any{"x", "y"}
	}
	for _, c := range components {
		switch c {
		case "x":
			f.x = true
		case "y":
			f.y = true
		case "rotation":
			f.rotation = true
		default:
			t.bad("components", `components must be "x" and "y", and "rotation" for beams, got %s`, describe(c))
		}
	}
	if !f.x && !f.y && !f.rotation {
		t.bad("components", "components must name at least one of \"x\", \"y\" and \"rotation\"")
	}
	f.by = t.vector("displacement")
	if f.by.X != 0 && !f.x || f.by.Y != 0 && !f.y {
		t.bad("displacement", "the displacement moves in a direction that components leaves free")
	}
	if f.when = d.schedule(t); t.has("displacement") {
		f.when = d.ramped(f.when)
	}
	d.fixes = append(d.fixes, f)
}
