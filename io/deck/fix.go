package deck

import "fdem/solver"

var fixBlock = Block{Name: "fix", Many: true, Doc: "A support: nodes that stay where they are.", read: (*Deck).readFix, Keys: []Key{
	{Name: "on", Kind: Text, Example: `"clamp"`, Doc: "a physical curve, point or surface of the mesh"},
	{Name: "components", Kind: List, Default: `["x", "y"]`, Branch: true, Doc: `what is held: "x", "y" and, of beams, "rotation"`},
	{Name: "displacement", Kind: Pair, Dim: Length, Default: "-", With: []With{{Of: "type", Is: inStatics.Is, Why: "in time a [[rigid]] body with a motion pushes"}}, Branch: true, Doc: "where the nodes are moved"},
	{Name: "schedule", Kind: Schedule, Else: "growing evenly", With: []With{with("displacement")}, Branch: true, Doc: "factor of the displacement over time, as of a load"},
}}

func (d *Deck) readFix(t *table) {
	f := solver.Fix{On: t.text("on")}
	components := t.list("components", 0)
	if !t.has("components") {
		components = []any{"x", "y"}
	}
	for _, c := range components {
		switch c {
		case "x":
			f.X = true
		case "y":
			f.Y = true
		case "rotation":
			f.Rotation = true
		default:
			t.bad("components", `components must be "x" and "y", and "rotation" for beams, got %s`, describe(c))
		}
	}
	if !f.X && !f.Y && !f.Rotation {
		t.bad("components", "components must name at least one of \"x\", \"y\" and \"rotation\"")
	}
	f.Displacement = t.vector("displacement")
	if f.Displacement.X != 0 && !f.X || f.Displacement.Y != 0 && !f.Y {
		t.bad("displacement", "the displacement moves in a direction that components leaves free")
	}
	if f.Schedule = d.schedule(t); t.has("displacement") {
		f.Schedule = d.ramped(f.Schedule)
	}
	d.onMesh = append(d.onMesh, func(r *resolver, m *solver.Model) {
		g := r.group(t, "on", f.On)
		r.hold(t, &f, g.Nodes)
		f.Nodes = g.Nodes
		m.Fixes = append(m.Fixes, f)
	})
}

// hold stops at nodes that another fix holds in the same direction.
func (r *resolver) hold(t *table, f *solver.Fix, nodes []int32) {
	directions := []string{"x", "y", "rotation"}
	for _, n := range nodes {
		for c, on := range []bool{f.X, f.Y, f.Rotation} {
			at := [2]int32{n, int32(c)}
			if !on {
				continue
			}
			if other, twice := r.fixed[at]; twice {
				t.bad("on", "node %d is fixed in %s by fix %q already: fixes must not overlap", r.mesh.NodeID[n], directions[c], other)
			}
			r.fixed[at] = f.On
		}
	}
	if f.Rotation && len(r.ofBeams(nodes)) == 0 {
		t.bad("components", "rotation is of the nodes of beams, and %q has none", f.On)
	}
}
