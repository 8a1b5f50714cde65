package deck

import (
	"slices"

	"fdem/io/tables"
	"fdem/mesh"
	"fdem/solver/model"
)

var hingeBlock = tables.Block{Name: "hinge", Many: true, Doc: "A hinge between beams: at its node each [[beam]] has a rotation of its own. If only one beam goes through the node, each of its elements has one. Without a hinge, beams that share a node have one rotation there.", Read: ofDeck((*Deck).readHinge), Keys: []tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"crown"`, Doc: "a physical point of the mesh where beams meet, or a curve, for all of its nodes where beams meet"},
}}

var clampBlock = tables.Block{Name: "clamp", Many: true, Doc: "A clamp of a beam to a meshed body that shares a node with it. The rotation of the beam is that of the body within half the beam's height. Without a clamp such a node is a hinge.", Read: ofDeck((*Deck).readClamp), Keys: slices.Concat([]tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"root"`, Doc: "a physical point that a beam and a body share, or a curve, for all of its nodes that they share"},
}, within(coming("when it begins to hold, with the angle between beam and body of that moment; before, the node is a hinge"), clampedForGood), within(goingKeys, clampedForGood))}

var clampedForGood = tables.With{Of: "type", Is: tables.InTime.Is, Why: "in a static analysis a clamp holds from the start"}

func (d *Deck) readHinge(t *tables.Reader) {
	t.Text("on")
	d.hinges = append(d.hinges, t)
}

func (d *Deck) readClamp(t *tables.Reader) {
	t.Text("on")
	d.clamps, d.clampStages = append(d.clamps, t), append(d.clampStages, d.readStage(t, t.Text("on")))
	if len(d.fractures) > 0 {
		t.Bad("on", "a clamp on a body that can break is not possible: leave out [[clamp]] or [[fracture]]")
	}
}

// joint is the elements that meet at a node.
type joint struct {
	beams int  // elements
	body  bool // whether triangles meet there
}

// joints returns the nodes of a group and the elements that meet at each of
// them.
func (r *resolver) joints(t *tables.Reader) ([]int32, []joint, bool) {
	g := r.group(t, "on", t.Text("on"))
	if g.Dim == 2 {
		t.Bad("on", "a %s is at points or along a curve, and %q is a surface", t.Name, g.Name)
	}
	nodes := slices.Clone(g.Nodes)
	for i, n := range nodes {
		if own, has := r.lined[n]; has {
			nodes[i] = own
		}
	}
	at := make(map[int32]int, len(nodes)) // looked up only
	for i, n := range nodes {
		at[n] = i
	}
	out := make([]joint, len(nodes))
	for _, b := range r.mesh.Beams {
		for _, n := range b {
			if i, ok := at[n]; ok {
				out[i].beams++
			}
		}
	}
	for _, c := range r.mesh.Triangles {
		for _, n := range c {
			if i, ok := at[n]; ok {
				out[i].body = true
			}
		}
	}
	return nodes, out, g.Dim == 0
}

// withHinges adds the nodes of the hinges to the mesh and finds the clamps.
func (r *resolver) withHinges() (clamps []model.Clamp) {
	var hinges []int32
	of := map[int32]string{} // the joint of a node, looked up only
	for j, t := range append(slices.Clone(r.hinges), r.clamps...) {
		var when model.When
		if t.Name == "clamp" {
			when = r.clampStages[j-len(r.hinges)].at(r)
		}
		on, found := t.Text("on"), false
		nodes, joints, points := r.joints(t)
		for i, n := range nodes {
			j, x := joints[i], r.mesh.X[n]
			why := ""
			switch {
			case j.beams == 0:
				why = "no beam has it"
			case t.Name == "hinge" && j.beams == 1 && j.body:
				why = "a node that a beam and a body share is a hinge anyway; [[clamp]] would make it a clamp"
			case t.Name == "hinge" && j.beams == 1:
				why = "only one beam ends there; a [[fix]] with components = [\"x\", \"y\"] lets its end rotate"
			case t.Name == "clamp" && !j.body:
				why = "no body shares it: beams that share a node are clamped to each other anyway, and a [[fix]] with components = [\"x\", \"y\", \"rotation\"] clamps an end to the ground"
			}
			if why != "" && points {
				t.Bad("on", "node %d at (%.6g, %.6g) m cannot be a %s: %s", r.mesh.NodeID[n], x.X, x.Y, t.Name, why)
			}
			if why != "" {
				continue
			}
			if other, twice := of[n]; twice {
				t.Bad("on", "node %d at (%.6g, %.6g) m is a %s already: name it once", r.mesh.NodeID[n], x.X, x.Y, other)
			}
			of[n], found = t.Name, true
			if t.Name == "hinge" {
				hinges = append(hinges, n)
			} else {
				clamps = append(clamps, model.Clamp{On: on, Node: n, When: when})
				r.clamped[n] = on
			}
		}
		switch {
		case !found && t.Name == "hinge":
			t.Bad("on", "a hinge needs nodes where beams meet, and %q has none", on)
		case !found:
			t.Bad("on", "a clamp needs nodes that a beam and a body share, and %q has none", on)
		}
	}
	slices.Sort(hinges)
	r.mesh = r.mesh.WithHinges(hinges)
	return clamps
}

// andHinges returns the nodes, followed by the nodes of hinges at the same
// positions.
func (r *resolver) andHinges(nodes []int32) []int32 {
	out := slices.Clone(nodes)
	for _, h := range r.mesh.Hinges {
		if _, ok := slices.BinarySearch(nodes, h.Of); ok {
			out = append(out, h.Node)
		}
	}
	return out
}

// hinged returns the nodes of an element, with nodes of hinges replaced by the
// nodes that have their positions.
func (r *resolver) hinged(n [2]int32) []int32 {
	return []int32{r.mesh.PositionNode(n[0]), r.mesh.PositionNode(n[1])}
}

// rotating returns the nodes on whose rotation a moment on a group of nodes acts.
// At a hinge it is the node of the named beam.
func (r *resolver) rotating(t *tables.Reader, nodes []int32) []int32 {
	of := t.Text("beam")
	out := slices.Clone(nodes)
	if t.Has("beam") {
		i := r.bodyNamed(of)
		if i < 0 || r.mesh.Bodies[i].Kind != mesh.OfBeams {
			t.Bad("beam", "there is no [[beam]] %q%s", of, tables.Nearest(of, r.BeamNames()))
		}
		for k, n := range out {
			at := slices.IndexFunc(r.mesh.Bodies[i].Nodes, func(m int32) bool { return r.mesh.PositionNode(m) == n })
			if at < 0 {
				t.Bad("beam", "beam %q does not have node %d of %q", of, r.mesh.NodeID[n], t.Text("on"))
			}
			out[k] = r.mesh.Bodies[i].Nodes[at]
		}
		return out
	}
	for _, h := range r.mesh.Hinges {
		if slices.Contains(nodes, h.Of) {
			t.Bad("on", "node %d of %q is a hinge, where each beam has its own rotation: say on which beam the moment acts, beam = %q", r.mesh.NodeID[h.Of], t.Text("on"), r.BeamNames()[0])
		}
	}
	return out
}
