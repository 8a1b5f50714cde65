package deck

import (
	"errors"
	"slices"

	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// beam is a [[beam]] block: a 1-D physical group with a rectangular section.
type beam struct {
	*table
	solver.Body
}

// BeamNames returns the names of the beams in the deck's order, for
// mesh.Build.
func (d *Deck) BeamNames() []string {
	names := make([]string, len(d.beams))
	for i, b := range d.beams {
		names[i] = b.Name
	}
	return names
}

// readBeams reads beams; their width is the model's thickness where the deck
// does not say.
func (d *Deck) readBeams(blocks []*table) {
	for _, t := range blocks {
		t.need("name", `"strip"`)
		t.need("material", `"steel"`)
		t.need("height", `"5 mm"`)
		b := beam{table: t}
		b.Name = t.text("name", "")
		b.Material = d.material(t, "material")
		b.Width = t.positive("width", Length, d.model.Thickness, "m")
		b.Height = t.positive("height", Length, 0, "m")
		b.Velocity.X, b.Velocity.Y = t.vector("velocity", Velocity)
		b.AngularVelocity = t.quantity("angular_velocity", AngularVelocity, 0)
		t.done()
		if slices.Contains(slices.Concat(d.BodyNames(), d.BeamNames()), b.Name) {
			t.bad("name", "there is a body of this name already")
		}
		d.beams = append(d.beams, b)
	}
}

// withBeams adds the faces of the beams to the mesh. A beam higher than it is
// long is none.
func (r *resolver) withBeams() {
	var heights []float64
	for i, b := range r.beams {
		body := &r.mesh.Bodies[len(r.bodies)+i]
		if length := r.mesh.Length(body); b.Height > length {
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
		for _, b := range r.beams {
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
		if b.FirstBeam < b.EndBeam {
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
	for i, b := range r.mesh.Bodies {
		if b.FirstBeam == b.EndBeam || i >= len(r.bodies)+len(r.beams) {
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

// moment reads the moment of a load, which acts on nodes of beams.
func (d *Deck) moment(t *table, l load) {
	v, _ := t.get("moment")
	m, s := d.amount(t, "moment", v, Moment)
	if m == 0 && s == nil {
		t.bad("moment", "the moment is zero")
	}
	l.Moment, l.Schedule = m, product(l.Schedule, s)
	d.loads = append(d.loads, l)
}

// twist checks that a moment acts on beams, which alone can turn at a node.
func (r *resolver) twist(l *load, g *mesh.Group) {
	if n := r.ofBeams(g.Nodes); len(n) < len(g.Nodes) {
		l.bad("on", "a moment needs nodes of a beam, and %d of the %d nodes of %q are not", len(g.Nodes)-len(n), len(g.Nodes), l.On)
	}
}
