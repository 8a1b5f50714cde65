package deck

import (
	"errors"
	"slices"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

var beamBlock = Block{Name: "beam", Many: true, Doc: "Beams: a 1-D physical group of the mesh, with a rectangular section. They meet others with the faces on both sides.", read: (*Deck).readBeam, Keys: []Key{
	{Name: "name", Kind: Text, Example: `"strip"`, Doc: "the group's name in the mesh"},
	{Name: "material", Kind: Text, Example: `"steel"`, Doc: "name of a [[material]]"},
	{Name: "height", Kind: Quantity, Dim: Length, Bounds: positive, Example: `"5 mm"`, Doc: "of the section, in the plane; at most the beam's length"},
	{Name: "width", Kind: Quantity, Dim: Length, Bounds: positive, Default: "thickness", Doc: "of the section, out of the plane"},
	startVelocity, startSpin,
}}

func (d *Deck) readBeam(t *table) {
	d.readBody(t)
	b := &d.bodies[len(d.bodies)-1]
	b.Width, b.Height = t.number("width"), t.number("height")
}

// withBeams adds the faces of the beams to the mesh. A beam higher than it is
// long is none.
func (r *resolver) withBeams() {
	var heights []float64
	for i, b := range r.bodies {
		if b.Height == 0 {
			continue
		}
		if length := r.mesh.Length(&r.mesh.Bodies[i]); b.Height > length {
			b.bad("height", "height must not exceed the length of the beam, %.6g m, got %.6g m", length, b.Height)
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
				b.bad("name", "%s", face.Reason)
			}
		}
	}
	r.mesh = m
}

// ofBeams returns those of the nodes that are of beams, ascending.
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

// lengths calls share with the length [m] of every beam in the group and its
// end nodes, and tells whether there are any.
func (r *resolver) lengths(g *mesh.Group, share func(w float64, nodes ...int32)) bool {
	any := false
	for _, b := range r.mesh.Beams {
		if g.Dim == 1 && inGroup(g, b[:]) {
			share(elementary.Norm(r2.Sub(r.mesh.X[b[1]], r.mesh.X[b[0]])), b[:]...)
			any = true
		}
	}
	return any
}

// facesOn returns the edges of the faces of those beams that lie on a curve.
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
			if inGroup(g, of[:]) {
				edges = append(edges, e)
			}
		}
	}
	return edges
}
