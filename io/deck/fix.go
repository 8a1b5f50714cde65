package deck

import (
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

var fixBlock = Block{Name: "fix", Many: true, Doc: "A support: nodes that stay where they are.", read: (*Deck).readFix, Keys: []Key{
	{Name: "on", Kind: Text, Example: `"clamp"`, Doc: "a physical curve, point or surface of the mesh"},
	{Name: "components", Kind: List, Default: `["x", "y"]`, Branch: true, Doc: `what is held: "x", "y" and, of beams, "rotation"`},
	{Name: "displacement", Kind: Pair, Dim: Length, Default: "-", With: []With{{Of: "type", Is: inStatics.Is, Why: "in time a [[drive]] moves nodes"}}, Branch: true, Doc: "where the nodes are moved, as a [[drive]] with this displacement and schedule would; of older decks"},
	{Name: "schedule", Kind: Schedule, Else: "growing evenly", With: []With{with("displacement")}, Branch: true, Doc: "factor of the displacement over time, as of a load"},
}}

func (d *Deck) readFix(t *table) {
	f := solver.Fix{On: t.text("on")}
	f.X, f.Y, f.Rotation = d.components(t)
	to := t.vector("displacement")
	if to.X != 0 && !f.X || to.Y != 0 && !f.Y {
		t.bad("displacement", "the displacement moves in a direction that components leaves free")
	}
	schedule := d.schedule(t)
	d.onMesh = append(d.onMesh, func(r *resolver, m *solver.Model) {
		f.Nodes = r.group(t, "on", f.On).Nodes
		r.hold(t, f.On, f.Nodes, [3]bool{f.X, f.Y, f.Rotation})
		if to == (r2.Vec{}) {
			m.Fixes = append(m.Fixes, f)
			return
		}
		m.Drives = append(m.Drives, solver.Drive{On: f.On, Nodes: f.Nodes, X: f.X, Y: f.Y, Rotation: f.Rotation, Course: [3]solver.Course{
			d.course(t, "displacement", to.X, nil, schedule), d.course(t, "displacement", to.Y, nil, schedule),
		}})
	})
}

// directions are the components of a motion, for messages.
var directions = [3]string{"x", "y", "rotation"}

// components reads what is held or driven: x and y where the deck does not say.
func (d *Deck) components(t *table) (x, y, rotation bool) {
	list := t.list("components", 0)
	if !t.has("components") {
		list = []any{"x", "y"}
	}
	for _, c := range list {
		switch c {
		case "x":
			x = true
		case "y":
			y = true
		case "rotation":
			rotation = true
		default:
			t.bad("components", `components must be "x" and "y", and "rotation" for beams, got %s`, describe(c))
		}
	}
	if !x && !y && !rotation {
		t.bad("components", "components must name at least one of \"x\", \"y\" and \"rotation\"")
	}
	return x, y, rotation
}

// hold stops at nodes that another fix or drive has in the same direction.
func (r *resolver) hold(t *table, name string, nodes []int32, of [3]bool) {
	for _, n := range nodes {
		for c, on := range of {
			at := [2]int32{n, int32(c)}
			if !on {
				continue
			}
			if by, twice := r.fixed[at]; twice {
				does := map[string]string{"fix": "fixed", "drive": "driven"}[by.block]
				t.bad("on", "node %d is %s in %s by %s %q already: fixes and drives must not overlap", r.mesh.NodeID[n], does, directions[c], by.block, by.on)
			}
			r.fixed[at] = holder{t.Name, name}
		}
	}
	if of[2] && len(r.ofBeams(nodes)) == 0 {
		t.bad("components", "rotation is of the nodes of beams, and %q has none", name)
	}
}

// holder is a block that holds or drives a node.
type holder struct{ block, on string }
