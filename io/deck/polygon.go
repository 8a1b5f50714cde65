package deck

import (
	"errors"
	"fmt"

	"fdem/io/plan"
	"fdem/io/tables"
	"fdem/io/throw"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// readCorners reads the corners of a rigid polygon, clockwise or anticlockwise.
func (r *rigid) readCorners() mesh.Polygon {
	given := mesh.Polygon(plan.PolygonOf(r.Reader))
	p := given.Simplify()
	if len(p) < 3 {
		r.Bad("corners", "a polygon needs at least three corners that are not on one line, got %d", len(p))
	}
	if i, j, meet := given.SelfIntersection(); meet {
		a, b := given[i], given[j]
		r.Bad("corners", "the sides of a polygon may meet only at its corners, but those that begin at (%.6g, %.6g) m and (%.6g, %.6g) m cross or touch", a.X, a.Y, b.X, b.Y)
	}
	return p
}

// polygon gives the body the outline of a polygon and returns the radius of gyration.
func (r *rigid) polygon(p mesh.Polygon) (gyration float64) {
	n := r.Whole("edges")
	for k, a := range p {
		for i := range n {
			r.outline.Points = append(r.outline.Points, elementary.Between(a, p[(k+1)%len(p)], float64(i)/float64(n)))
		}
	}
	r.outline.Closed = true
	r.size, r.area = p.Thickness()/2, p.Area()
	r.Centre, gyration = p.Inertia()
	return gyration
}

// cutOut gives the rigid bodies on surfaces of the mesh the outlines of their components.
func (d *Deck) cutOut(src *mesh.Source) (err error) {
	defer throw.Catch(&err)
	list := d.rigids
	d.rigids = nil
	for _, r := range list {
		if !r.Has("on") || r.outline.Points != nil {
			d.rigids = append(d.rigids, r)
			continue
		}
		var curves []string
		if r.Has("parted_by") {
			curves = []string{r.Text("parted_by")}
		}
		components, err := src.Regions(r.Text("on"), curves...)
		var lost *mesh.NameError
		switch {
		case errors.As(err, &lost):
			key := [...]string{1: "parted_by", 2: "on"}[lost.Dim]
			r.Bad(key, "there is no %s %q in the mesh%s", groupKinds[lost.Dim], lost.Name, tables.Nearest(lost.Name, unquoted(lost.Known)))
		case err != nil:
			r.Bad("on", "%v", err)
		}
		for i := range d.bodies {
			if b := &d.bodies[i]; src.Shares(r.Text("on"), b.Name) {
				r.Bad("on", "body %q has triangles of the surface %q of this rigid body: leave one of the two bodies out", b.Name, r.Text("on"))
			}
		}
		if len(components) > 1 {
			r.Group = r.block
			for _, key := range []string{"mass", "inertia", "motion"} {
				if r.Has(key) {
					r.Bad(key, "%s is for a single body, and %q has %d components: give a density or a material instead", key, r.Text("on"), len(components))
				}
			}
		}
		for k, p := range components {
			one := r
			if len(components) > 1 {
				one.Name = fmt.Sprintf("%s %d", r.block, k+1)
				d.unique(r.Reader, "a body", one.Name)
			}
			d.addRigid(one, one.polygon(p))
		}
	}
	return nil
}

// cutsOut tells whether a rigid body takes its outline from the mesh.
func (d *Deck) cutsOut() bool {
	for i := range d.rigids {
		if d.rigids[i].Has("on") {
			return true
		}
	}
	return false
}

// holds tells whether a point is in the closed outline of a rigid body, or only slightly
// outside.
func (r *rigid) holds(at r2.Vec) bool {
	p := mesh.Polygon(r.outline.Points)
	return p.Holds(at) || p.Distance(at) <= positionSlack*r.size
}
