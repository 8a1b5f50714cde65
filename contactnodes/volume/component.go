package volume

import (
	"fmt"
	"math"

	"fdem/boundingbox"
	"fdem/contactnodes/motion"
	"fdem/contactnodes/overlap"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Component is a connected component of a body with its outline: a disc, the solid
// around a circular hollow, or a polygon.
type Component struct {
	Name   string
	Rigid  int32   // number of the rigid body, -1 for a meshed component
	Nodes  []int32 // of the outline, in the order that has the body on the left
	Radius float64 // of a disc [m], negative of a hollow, 0 for a polygon
	Behind float64 // depth of the solid behind an open line [m], 0 for a closed outline

	holes bool
}

// Components returns the components of the mesh's bodies, in the order of their
// numbers.
func Components(m *mesh.Mesh) []Component {
	components := make([]Component, m.Components)
	edges := make([]int, m.Components) // edges seen of each component
	for i := range m.Edges {
		e := &m.Edges[i]
		p := &components[e.Component]
		edges[e.Component]++
		if p.Nodes != nil {
			continue
		}
		body := &m.Bodies[e.Body]
		p.Name, p.Rigid, p.Radius = body.Name, -1, e.Radius
		if body.Kind == mesh.OfOutline {
			p.Rigid = body.Number
		}
		for at := int32(i); ; { // begin at the first edge of an open line
			p.Nodes = append(p.Nodes, m.Edges[at].A)
			next := m.Edges[at].Next
			if next < 0 {
				p.Nodes = append(p.Nodes, m.Edges[at].B)
				p.Behind = elementary.Norm(r2.Sub(m.X[m.Edges[at].B], m.X[e.A]))
				break
			}
			if at = next; at == int32(i) {
				break
			}
		}
	}
	for i := range components {
		p := &components[i]
		sides := len(p.Nodes)
		if p.Behind > 0 {
			sides--
		}
		p.holes = sides != edges[i]
	}
	return components
}

// Check returns an error if volumetric contact cannot measure the component.
func (p *Component) Check() error {
	if p.holes {
		return fmt.Errorf("body %q has holes or corners that touch: volumetric contact needs a single closed outline", p.Name)
	}
	return nil
}

// shape is a component at its present position.
type shape struct {
	*Component
	centre  r2.Vec          // of a circle
	polygon []r2.Vec        // of a polygon, counterclockwise
	box     boundingbox.Box // around it
}

// setPosition sets the shape's position from that of its nodes.
func (s *shape) setPosition(x []r2.Vec, rigids []motion.Body) {
	if s.Radius != 0 {
		s.centre = rigids[s.Rigid].Centre
		r := s.Radius
		if r < 0 {
			r = 1e150 // all the plane around the hollow
		}
		s.box = boundingbox.Box{Min: s.centre, Max: s.centre}.Grow(r)
		return
	}
	s.polygon = s.polygon[:0]
	for _, n := range s.Nodes {
		s.polygon = append(s.polygon, x[n])
	}
	if s.Behind > 0 { // a slab; the body is on the left
		a, b := s.polygon[0], s.polygon[len(s.polygon)-1]
		l := elementary.Norm(r2.Sub(b, a))
		back := r2.Vec{X: float64((a.Y - b.Y) / l * s.Behind), Y: float64((b.X - a.X) / l * s.Behind)}
		s.polygon = append(s.polygon, r2.Vec{X: b.X + back.X, Y: b.Y + back.Y}, r2.Vec{X: a.X + back.X, Y: a.Y + back.Y})
	}
	s.box = boundingbox.BoxOf(s.polygon[0], s.polygon[0])
	for _, p := range s.polygon[1:] {
		s.box = s.box.With(p)
	}
}

// overlaps appends the patches of two shapes.
func overlaps(dst []overlap.Patch, c *overlap.Clipper, a, b *shape) []overlap.Patch {
	add := func(p overlap.Patch) []overlap.Patch {
		if p.Area > 0 {
			dst = append(dst, p)
		}
		return dst
	}
	switch {
	case a.Radius > 0 && b.Radius > 0:
		return add(overlap.DiscDisc(a.centre, a.Radius, b.centre, b.Radius))
	case a.Radius > 0 && b.Radius < 0:
		return add(overlap.DiscHollow(a.centre, a.Radius, b.centre, -b.Radius))
	case a.Radius < 0 && b.Radius > 0:
		return add(overlap.DiscHollow(b.centre, b.Radius, a.centre, -a.Radius).Flip())
	case a.Radius < 0 && b.Radius < 0: // solids around two hollows cannot overlap
		return dst
	case a.Radius != 0:
		return c.Circle(dst, overlap.Circle{Center: a.centre, Radius: math.Abs(a.Radius), Hollow: a.Radius < 0}, b.polygon)
	case b.Radius != 0:
		first := len(dst)
		dst = c.Circle(dst, overlap.Circle{Center: b.centre, Radius: math.Abs(b.Radius), Hollow: b.Radius < 0}, a.polygon)
		for i := first; i < len(dst); i++ {
			dst[i] = dst[i].Flip()
		}
		return dst
	}
	return c.Polygons(dst, a.polygon, b.polygon)
}
