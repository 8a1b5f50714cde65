package deck

import (
	"fmt"
	"math"
	"slices"

	"fdem/io/tables"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

var fixBlock = tables.Block{Name: "fix", Many: true, Doc: "A support: nodes with fixed positions.", Read: ofDeck((*Deck).readFix), Keys: slices.Concat([]tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"clamp"`, With: []tables.With{tables.Unless("node_near", "a fix holds a group or a single node")}, Doc: "a physical curve, point or surface of the mesh. Nodes that joints or cracks separate from the body, or from the body whose outline the curve is, are released"},
	{Name: "node_near", Kind: tables.Pair, Dim: tables.Length, Default: "-", Doc: "instead of a group, the node nearest to this position at the start"},
	supportName, supportAbout,
	{Name: "components", Kind: tables.List, Also: []tables.Kind{tables.Text}, Default: `["x", "y"]`, Branch: true, Doc: `fixed components: "x", "y" and, for beams, "rotation"`},
	{Name: "displacement", Kind: tables.Pair, Dim: tables.Length, Default: "-", With: []tables.With{{Of: "type", Is: tables.InStatics.Is, Why: "in a dynamic analysis a [[drive]] moves nodes"}}, Branch: true, Doc: "displacement of the nodes, as by a [[drive]] with this displacement and schedule; for older decks"},
	{Name: "schedule", Kind: tables.Schedule, Else: "growing evenly", With: []tables.With{tables.If("displacement")}, Branch: true, Doc: "factor of the displacement over time, as for a load"},
}, within(coming("when it begins to hold its nodes, where they are then; a node that moves stops at once"), unmoved), within(goingKeys, unmoved))}

var unmoved = tables.Unless("displacement", "it is reached at the end")

func (d *Deck) readFix(t *tables.Reader) {
	f := model.Fix{On: t.Text("on"), Name: t.Text("name"), About: t.Vector("about")}
	near := t.Vector("node_near")
	f.X, f.Y, f.Rotation = d.components(t)
	to := t.Vector("displacement")
	if to.X != 0 && !f.X || to.Y != 0 && !f.Y {
		t.Bad("displacement", "the displacement has a component in a direction that components does not list")
	}
	schedule, stage := d.schedule(t), d.readStage(t, f.Name, f.On)
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		if t.Has("node_near") {
			f.On, f.Nodes = r.nodeNear(t, near)
		} else {
			g := r.group(t, "on", f.On)
			f.Nodes = r.andLinings(g.Nodes)
			f.Corners = r.sidesOf(g, f.Nodes)
		}
		f.When = stage.at(r)
		f.Name, f.About = r.support(t, m, f.On, f.Name, f.About, f.Nodes)
		if to == (r2.Vec{}) {
			m.Fixes = append(m.Fixes, r.fix(t, f)...)
			return
		}
		r.hold(t, f.On, f.Nodes, [3]bool{f.X, f.Y, f.Rotation}, true, nil)
		if f.Rotation {
			f.Nodes = r.andHinges(f.Nodes)
		}
		m.Drives = append(m.Drives, model.Drive{On: f.On, Name: f.Name, About: f.About, Nodes: f.Nodes, X: f.X, Y: f.Y, Rotation: f.Rotation, Motion: [3]model.PrescribedMotion{
			d.prescribed(t, "displacement", to.X, nil, schedule), d.prescribed(t, "displacement", to.Y, nil, schedule),
		}})
	})
}

// nodeNear returns the node of the mesh nearest to a position, as a group whose name is the
// node's number in the file.
func (r *resolver) nodeNear(t *tables.Reader, at r2.Vec) (string, []int32) {
	if len(r.nodes) == 0 {
		t.Bad("node_near", "a fix needs a node of a mesh, and this model has no mesh")
	}
	n := nearestTo(at, r.nodes)
	name := fmt.Sprintf("node %d", r.mesh.NodeID[n])
	r.warnOutside(fmt.Sprintf("the fix on %s", name), "node", at)
	return name, []int32{n}
}

// fix returns a simple fix without the directions that earlier fixes hold,
// since the reaction belongs to those. If its nodes are left with different
// directions, it returns several fixes of one name.
func (r *resolver) fix(t *tables.Reader, f model.Fix) []model.Fix {
	of := [3]bool{f.X, f.Y, f.Rotation}
	sets := [][3]bool{of}
	parts := map[[3]bool]*model.Fix{} // looked up only
	for i, left := range r.hold(t, f.On, f.Nodes, of, false, &f.When) {
		if left == [3]bool{} {
			continue
		}
		part := parts[left]
		if part == nil {
			part = &model.Fix{}
			parts[left] = part
			if left != of {
				sets = append(sets, left)
			}
		}
		part.Nodes = append(part.Nodes, f.Nodes[i])
		part.Corners.Add(f.Corners.At(i)...)
	}
	if len(parts) == 0 {
		r.warn("earlier fixes already hold all that the fix on %q holds, so that it has no reaction of its own: leave it out", f.On)
	}
	var out []model.Fix
	for i, left := range sets {
		part := f
		part.Nodes, part.Corners, part.X, part.Y, part.Rotation = nil, model.Corners{}, left[0], left[1], left[2]
		if of := parts[left]; of != nil {
			part.Nodes, part.Corners = of.Nodes, of.Corners
		}
		if f.Corners.First == nil {
			part.Corners = model.Corners{}
		}
		if part.Rotation {
			part.Nodes = r.andHinges(part.Nodes)
		}
		if i == 0 && len(sets) > 1 && len(part.Nodes) == 0 {
			continue
		}
		out = append(out, part)
	}
	return out
}

// Texts of fixes and drives about their reaction.
var (
	supportName  = tables.Key{Name: "name", Kind: tables.Text, Else: "the group's name, or \"node\" and its number", Doc: "name of the reaction in the results. The reactions of blocks of one name are added"}
	supportAbout = tables.Key{Name: "about", Kind: tables.Pair, Dim: tables.Length, Else: "the middle of the nodes at the start", Doc: "the point about which the reaction's moment is taken. It does not move"}
)

// support returns the name of the reaction of some nodes, and the point of its
// moment. Names of contacts and rigid bodies are taken, since they have columns
// of their own.
func (r *resolver) support(t *tables.Reader, m *model.Model, on, name string, about r2.Vec, nodes []int32) (string, r2.Vec) {
	kind := ""
	taken := name
	if !t.Has("name") {
		taken = on
	}
	for i := range m.Contacts {
		if c := &m.Contacts[i]; c.Name == taken || c.Of == taken {
			kind = "contact"
		}
	}
	for i := range m.Rigids {
		if m.Rigids[i].Name == taken {
			kind = "rigid body"
		}
	}
	switch {
	case !t.Has("name") && kind == "":
		name = on
	case !t.Has("name"):
		name = on + " " + t.Name
	case kind != "":
		t.Bad("name", "the name is taken by a %s %q, whose force has the columns %s.fx and %s.fy: take another name", kind, name, name, name)
	}
	first, known := r.supports[name]
	switch {
	case known && t.Has("about") && first != about:
		t.Bad("about", "%q has a moment about (%g, %g) m already, by another block of this name: give both the same moment_about", name, first.X, first.Y)
	case known:
		about = first
	case !t.Has("about"):
		about = r.middle(nodes)
	}
	r.supports[name] = about
	return name, about
}

// directions are the components of a motion, for messages.
var directions = [3]string{"x", "y", "rotation"}

// components reads the held or driven components, by default x and y.
func (d *Deck) components(t *tables.Reader) (x, y, rotation bool) {
	list := t.Several("components")
	if !t.Has("components") {
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
			t.Bad("components", `components must be "x" and "y", and "rotation" for beams, got %s`, tables.Describe(c))
		}
	}
	if !x && !y && !rotation {
		t.Bad("components", "components must name at least one of \"x\", \"y\" and \"rotation\"")
	}
	return x, y, rotation
}

// hold claims directions of nodes for a fix or a drive, and returns for each
// node the directions that no earlier fix has. It stops if a block moves a node
// that another block holds or moves in the same direction. when is for a fix that comes or goes.
func (r *resolver) hold(t *tables.Reader, name string, nodes []int32, of [3]bool, moves bool, when *model.When) [][3]bool {
	taken, key := make([][3]bool, len(nodes)), "on"
	if t.Has("node_near") {
		key = "node_near"
	}
	for i, n := range nodes {
		for c, on := range of {
			at := [2]int32{n, int32(c)}
			if !on {
				continue
			}
			by, twice := r.fixed[at]
			if twice && (moves || by.moves) {
				does := "fixed"
				if by.moves {
					does = "driven"
				}
				t.Bad(key, "node %d is already %s in %s by %s %q, and a driven node can have only one block in each direction: leave %s out of the components of one of them, or the node out of its group", r.mesh.NodeID[n], does, directions[c], by.block, by.on, directions[c])
			}
			if staged, free := r.holdsThen(t, key, at, name, when); staged {
				taken[i][c] = free && !twice
				continue
			}
			if twice {
				r.twice[n] = true
			} else {
				taken[i][c] = true
				r.fixed[at] = holder{t.Name, name, moves}
			}
			if on, yes := r.clamped[n]; yes && c == 2 {
				t.Bad("components", "node %d turns with a body, by the clamp on %q: leave \"rotation\" out of the components, and hold the body around the node", r.mesh.NodeID[n], on)
			}
		}
	}
	if of[2] && len(r.ofBeams(nodes)) == 0 {
		t.Bad("components", "only nodes of beams have a rotation, and %q has none", name)
	}
	return taken
}

// staged is when a fix on a group holds.
type stagedHolder struct {
	on         string
	from, till float64 // [s]
}

// holdsThen claims a direction of a node for a fix that comes or goes. It tells whether it is one, and
// whether no other fix has the node for the same time. It stops where one has it for a part of that time.
func (r *resolver) holdsThen(t *tables.Reader, key string, at [2]int32, name string, when *model.When) (staged, free bool) {
	own := stagedHolder{on: name, till: math.Inf(1)}
	if staged = when != nil && when.Staged(); staged {
		if own.from = when.From; when.Until > 0 {
			own.till = when.Until
		}
	}
	free = true
	for _, other := range r.fixedThen[at] {
		switch {
		case !staged:
			t.Bad(key, "node %d is held in %s for a part of the run by the fix on %q: let that block follow those that hold all the time, or leave the node out of its group", r.mesh.NodeID[at[0]], directions[at[1]], other.on)
		case other.from == own.from && other.till == own.till:
			free = false
		case other.from < own.till && own.from < other.till:
			t.Bad(key, "node %d is held in %s by the fix on %q, too, for a part of the time: give both the same times, or let one begin as the other ends", r.mesh.NodeID[at[0]], directions[at[1]], other.on)
		}
	}
	if staged && free {
		r.fixedThen[at] = append(r.fixedThen[at], own)
	}
	return staged, free
}

// holdAlways makes nodes that two blocks hold stay held after any split. The reaction is
// that of the first block, which otherwise holds only its own side of them.
func (r *resolver) holdAlways(m *model.Model) {
	if m.Fracture == nil {
		return
	}
	shared := func(n int32) bool { return r.twice[n] }
	for i := range m.Fixes {
		f := &m.Fixes[i]
		if f.Corners.First == nil || !slices.ContainsFunc(f.Nodes, shared) {
			continue
		}
		rest, own := *f, *f
		rest.Corners, rest.Nodes = model.Corners{}, nil
		own.Corners, own.Nodes = model.Corners{}, nil
		for i, n := range f.Nodes {
			if shared(n) {
				rest.Nodes = append(rest.Nodes, n)
			} else {
				own.Nodes = append(own.Nodes, n)
				own.Corners.Add(f.Corners.At(i)...)
			}
		}
		*f = own
		m.Fixes = append(m.Fixes, rest)
	}
}

// holder is a block that holds a node, or moves it.
type holder struct {
	block, on string
	moves     bool
}

var absorbBlock = tables.Block{Name: "absorb", Many: true, Doc: "An absorbing edge: the viscous boundary of Lysmer and Kuhlemeyer. Waves leave the body there as if the body went on behind the edge.", Read: ofDeck((*Deck).readAbsorb), Keys: []tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"far side"`, With: []tables.With{{Of: "type", Is: tables.InTime.Is, Why: "a static analysis has no waves"}}, Doc: "a physical curve on the boundary of a meshed body"},
}}

func (d *Deck) readAbsorb(t *tables.Reader) {
	a := model.Absorb{On: t.Text("on")}
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		g := r.group(t, "on", a.On)
		if a.Edges = g.Edges; len(g.Edges) == 0 {
			t.Bad("on", "an absorbing edge is a curve on the boundary of triangles, and %q has no boundary edge", a.On)
		}
		for _, i := range a.Edges {
			if by, twice := r.absorbing[i]; twice {
				t.Bad("on", "edges of %q already absorb waves by [[absorb]] on %q", a.On, by)
			}
			r.absorbing[i] = a.On
		}
		m.Absorbs = append(m.Absorbs, a)
	})
}
