package deck

import (
	"slices"

	"fdem/contactnodes/volume"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/solver"
)

// checkVolumetric stops keys of contact nodes in a [[contact]] under a
// volumetric law, which measures whole bodies.
func (d *Deck) checkVolumetric(t *table) {
	if d.model.Static != nil {
		t.bad("law", "a volumetric law goes with type = \"dynamic\"")
	}
	for _, no := range []struct{ key, instead string }{
		{"nodes_per_element", "there are no contact nodes"},
		{"two_sided", "both bodies take part alike"},
		{"self", "a body cannot meet itself"},
		{"stick_stiffness", "friction is regularised"},
		{"static_friction", "friction is regularised"},
		{"overlap_ramp", `overlap = "allow" presses at once`},
	} {
		if t.has(no.key) {
			t.bad(no.key, "%s does not go with a volumetric law: %s", no.key, no.instead)
		}
	}
	if t.text("friction_model", "regularised") == "stick" {
		t.bad("friction_model", `friction_model = "stick" does not go with a volumetric law: friction is regularised`)
	}
	if t.text("overlap", "refuse") == "subtract" {
		t.bad("overlap", `overlap = "subtract" does not go with a volumetric law: "refuse" or "allow"`)
	}
}

// volumetric resolves a contact under a volumetric law: whole pieces of
// bodies, each with a single outline.
func (r *resolver) volumetric(c *contactBlock, first, second []int32, law contact.Volumetric, pieces []volume.Piece) solver.Volume {
	whole := func(key string, edges []int32) []int32 {
		count := map[int32]int{}
		var out []int32
		for _, e := range edges {
			p := r.mesh.Edges[e].Piece
			if count[p] == 0 {
				out = append(out, p)
			}
			count[p]++
		}
		slices.Sort(out)
		of := map[int32]int{} // edges of each piece in all
		for _, e := range r.mesh.Edges {
			of[e.Piece]++
		}
		for _, p := range out {
			name := pieces[p].Name
			if b := r.mesh.Bodies[r.bodyOf(p)]; b.FirstBeam < b.EndBeam {
				c.bad(key, "%q is a beam: a volumetric law is for bodies and rigid bodies", name)
			}
			if count[p] < of[p] {
				c.bad(key, "a volumetric law measures whole bodies, and this is a part of the outline of %q", name)
			}
			if err := pieces[p].Check(); err != nil {
				c.bad(key, "%v", err)
			}
		}
		return out
	}
	return solver.Volume{
		Name: c.Name, First: whole("contactor", first), Second: whole("opposite", second),
		Law: law, LawName: c.LawName, Friction: c.Friction.Kinetic, Speed: c.Friction.Speed,
		Allow: c.text("overlap", "refuse") == "allow",
	}
}

// bodyOf returns the body of a piece.
func (r *resolver) bodyOf(piece int32) int32 {
	return r.mesh.Edges[slices.IndexFunc(r.mesh.Edges, func(e mesh.Edge) bool { return e.Piece == piece })].Body
}
