package deck

import (
	"slices"

	"fdem/fem/mortar"
	"fdem/io/tables"
	"fdem/mesh"
	"fdem/solver/constraints"
	"fdem/solver/model"
)

var tieBlock = tables.Block{Name: "tie", Many: true, Doc: "A tie: it holds together two boundary curves of meshed bodies that do not share nodes.", Read: ofDeck((*Deck).readTie), Keys: slices.Concat([]tables.Key{
	{Name: "name", Kind: tables.Text, Else: `"ON-TO"`, Doc: "in messages"},
	{Name: "on", Kind: tables.Text, Example: `"left face"`, Doc: "a physical curve on the boundary of a meshed body, every node of which is near the other curve: the shorter one of the two"},
	{Name: "to", Kind: tables.Text, Example: `"right face"`, Doc: "a physical curve on the boundary of another meshed body, or that body"},
	{Name: "gap", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "-", Doc: "greatest distance between them; the default is a tenth of the longer of the two opposite edges. An existing gap stays"},
}, coming("when it begins to hold the two curves together, with the gap of that moment; from then on their velocities agree"), goingKeys)}

func (d *Deck) readTie(t *tables.Reader) {
	on, to, gap := t.Text("on"), t.Text("to"), t.Number("gap")
	name := t.Text("name")
	if !t.Has("name") {
		name = on + "-" + to
	}
	d.unique(t, "a tie", name)
	stage := d.readStage(t, name)
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		if len(m.Ties) == constraints.MaxTies {
			t.Bad("on", "a model may have at most %d ties", constraints.MaxTies)
		}
		tie := r.tied(t, m, name, on, to, gap, stage.at(r))
		m.Ties = append(m.Ties, tie)
		r.checks = append(r.checks, func() { r.leaves(t, &tie) })
	})
}

// tied finds the nodes and edges of a tie.
func (r *resolver) tied(t *tables.Reader, m *model.Model, name, on, to string, gap float64, when model.When) model.Tie {
	tie := model.Tie{Name: name, Within: gap, When: when, On: r.tiedEdges(t, m, "on", on), To: r.tiedEdges(t, m, "to", to)}
	ends := func(edges []int32) (out [][2]int32, nodes []int32) {
		for _, i := range edges {
			e := r.mesh.Edges[i]
			out, nodes = append(out, [2]int32{e.A, e.B}), append(nodes, e.A, e.B)
			tie.Young = max(tie.Young, r.model.Materials[r.bodies[e.Body].Material].Young)
		}
		slices.Sort(nodes)
		return out, slices.Compact(nodes)
	}
	if on == to {
		t.Bad("to", "a tie needs two different curves, and both are %q", on)
	}
	first, nodes := ends(tie.On)
	second, others := ends(tie.To)
	if both := common(nodes, others); len(both) > 0 {
		x := r.mesh.X[both[0]]
		t.Bad("to", "%q and %q share %d nodes of the mesh, the first at (%.6g, %.6g) m, and need no tie: leave it out", on, to, len(both), x.X, x.Y)
	}
	if tie.From > 0 {
		return tie
	}
	found := mortar.Tie(r.mesh.X, first, second, gap)
	if n := len(found.Alone); n > 0 {
		x := r.mesh.X[found.Alone[0]]
		allowed := "a tenth of an edge"
		if gap > 0 {
			allowed = tables.Measured(gap, "m")
		}
		t.Bad("on", "%d of the %d nodes of %q have no edge of %q within %s, the first, node %d, at (%.6g, %.6g) m: give a greater gap, or a curve that lies along the other over its whole length", n, len(nodes), on, to, allowed, r.mesh.NodeID[found.Alone[0]], x.X, x.Y)
	}
	tie.Rows, tie.Spread, tie.Gap, tie.Unshared = found.Rows, found.Spread, found.Gap, 1-found.Covered/found.Length
	var met []int32
	for _, k := range found.Opposite {
		met = append(met, tie.To[k])
	}
	tie.To = met
	return tie
}

// leaves stops if all nodes of a tie are driven or fixed by more than one block,
// since none is left that could follow.
func (r *resolver) leaves(t *tables.Reader, tie *model.Tie) {
	for _, e := range slices.Concat(tie.On, tie.To) {
		for _, n := range [2]int32{r.mesh.Edges[e].A, r.mesh.Edges[e].B} {
			for c := range int32(2) {
				if then := r.fixedThen[[2]int32{n, c}]; then != nil {
					t.Bad("on", "node %d of the tie is held for a part of the run by the fix on %q: leave the node out of that group, or let it hold all the time", r.mesh.NodeID[n], then[0].on)
				}
			}
		}
	}
	for _, row := range tie.Rows {
		for c := range int32(2) {
			first, any := r.fixed[[2]int32{row.Terms[0].Node, c}]
			if !any {
				continue
			}
			other, moves, all := first, false, true
			for _, term := range row.Terms {
				by, held := r.fixed[[2]int32{term.Node, c}]
				all, moves = all && held, moves || by.moves
				if held && by != first {
					other = by
				}
			}
			if all && moves && other != first {
				t.Bad("on", "around node %d all nodes of both curves are held in %s, by %s %q and %s %q, so that the tie can move none of them: fix or drive only one side", r.mesh.NodeID[row.Terms[0].Node], directions[c], first.block, first.on, other.block, other.on)
			}
		}
	}
}

// tiedEdges returns the boundary edges of a curve, or with "to" of a body.
func (r *resolver) tiedEdges(t *tables.Reader, m *model.Model, key, name string) []int32 {
	if i := r.bodyNamed(name); i >= 0 && r.mesh.Bodies[i].Kind != mesh.OfTriangles {
		t.Bad(key, "%q is not a meshed body: a tie is between edges of triangles", name)
	}
	g := r.group(t, key, name)
	edges := slices.Clone(g.Edges)
	if i := r.bodyNamed(name); i >= 0 && key == "to" {
		edges = append(edges, r.mesh.Bodies[i].Edges()...)
	}
	if key == "on" && len(edges) == 0 && r.bodyNamed(name) >= 0 {
		t.Bad(key, "%q is a body, and only \"to\" may be a body: name a boundary curve of it", name)
	}
	if len(edges) == 0 {
		t.Bad(key, "%q is a %s without an edge on the boundary of a meshed body: name a boundary curve", name, groupKinds[g.Dim])
	}
	for _, i := range edges {
		if m.Fracture == nil {
			break
		}
		body := r.mesh.Edges[i].Body
		for _, e := range m.Fracture.Edges {
			if b := r.mesh.Bodies[body]; e.Region >= 0 && e.A >= b.First && e.A < b.End {
				t.Bad(key, "%q is on body %q, which can break: a tie needs bodies that cannot break", name, b.Name)
			}
		}
	}
	return edges
}
