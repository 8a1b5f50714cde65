package deck

import (
	"errors"
	"slices"

	"fdem/io/tables"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

var beamBlock = tables.Block{Name: "beam", Many: true, Doc: "Beams on a 1-D physical group of the mesh, with a rectangular section. The faces on both sides of a beam are in contact with other bodies.", Read: ofDeck((*Deck).readBeam), Keys: slices.Concat([]tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"strip"`, Doc: "name of the physical group in the mesh"},
	{Name: "material", Kind: tables.Text, Example: `"steel"`, Doc: "name of a [[material]]"},
	{Name: "height", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"5 mm"`, Doc: "height of the section, in the plane; at most the beam's length"},
	{Name: "width", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "thickness", Doc: "width of the section, across the plane"},
	startVelocity, startSpin, startExpansion,
}, comingKeys, goingKeys)}

func (d *Deck) readBeam(t *tables.Reader) {
	d.readBody(t)
	b := &d.bodies[len(d.bodies)-1]
	if b.Material >= 0 && d.model.Materials[b.Material].Law != nil {
		t.Bad("material", "material %q has a law, and beams are linear elastic: give them a material without a law", d.model.Materials[b.Material].Name)
	}
	b.Width, b.Height = t.Number("width"), t.Number("height")
	stage, i := d.readStage(t, t.Text("name")), len(d.bodies)-1
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) { m.Bodies[r.bodyNamed(d.bodies[i].Name)].When = stage.at(r) })
}

// withBeams adds the faces of the beams to the mesh. A beam that is higher than
// long is an error.
func (r *resolver) withBeams() {
	var heights []float64
	for i, b := range r.bodies {
		if b.Height == 0 {
			continue
		}
		if length := r.mesh.Length(&r.mesh.Bodies[i]); b.Height > length {
			b.Bad("height", "height must not exceed the length of the beam, %.6g m, got %.6g m", length, b.Height)
		}
		heights = append(heights, b.Height)
	}
	if len(heights) == 0 {
		return
	}
	m, err := r.mesh.WithFaces(heights)
	var face *mesh.FaceError
	if errors.As(err, &face) {
		for _, b := range r.bodies {
			if b.Name == face.Body {
				b.Bad("name", "%s", face.Reason)
			}
		}
	}
	r.mesh = m
}

// ofBeams returns the nodes that belong to beams, ascending.
func (r *resolver) ofBeams(nodes []int32) []int32 {
	var out []int32
	for _, b := range r.mesh.Bodies {
		if b.Kind == mesh.OfBeams {
			for _, n := range nodes {
				if _, ok := slices.BinarySearch(b.Nodes, n); ok {
					out = append(out, n)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// beamsOn returns the elements of beams on a curve, and their total length [m].
func (r *resolver) beamsOn(g *mesh.Group) (elements []int32, length float64) {
	for e, b := range r.mesh.Beams {
		if g.Dim == 1 && inGroup(g, r.hinged(b)) {
			elements = append(elements, int32(e))
			length += elementary.Norm(r2.Sub(r.mesh.X[b[1]], r.mesh.X[b[0]]))
		}
	}
	return elements, length
}

// sides returns the widths of beams under a pressure on their left, negative if
// it is on their right. It stops if two consecutive beams have opposite
// directions, since the side would change.
func (r *resolver) sides(t *tables.Reader, elements []int32) []float64 {
	sign := 1.0
	if t.Word("side") == "right" {
		sign = -1
	}
	var out []float64
	ends := map[int32][]int{} // by node, whether elements end or begin there; looked up only
	for _, e := range elements {
		out = append(out, sign*r.bodies[r.mesh.BeamBody(e)].Width)
		for k, n := range r.hinged(r.mesh.Beams[e]) {
			ends[n] = append(ends[n], k)
		}
	}
	for _, e := range elements {
		for _, n := range r.hinged(r.mesh.Beams[e]) {
			if k := ends[n]; len(k) == 2 && k[0] == k[1] {
				t.Bad("side", "the curves of %q are drawn in opposite directions, towards or away from node %d: turn one round in Gmsh, or give each a load of its own", t.Text("on"), r.mesh.NodeID[n])
			}
		}
	}
	return out
}

// facesOn returns the edges of the faces of the beams on a curve.
func (r *resolver) facesOn(g *mesh.Group) []int32 {
	var edges []int32
	if g.Dim != 1 {
		return nil
	}
	for _, b := range r.mesh.Bodies {
		if b.Kind != mesh.OfBeams {
			continue
		}
		for e := b.FirstEdge; e < b.EndEdge; e++ {
			k := &r.mesh.Edges[e]
			of := [2]int32{r.mesh.Faces[k.A-r.mesh.FirstFace], r.mesh.Faces[k.B-r.mesh.FirstFace]}
			if inGroup(g, r.hinged(of)) {
				edges = append(edges, e)
			}
		}
	}
	return edges
}
