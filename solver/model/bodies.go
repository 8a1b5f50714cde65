package model

import (
	"fmt"
	"math"
	"slices"

	"fdem/fem"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// InPairs tells whether triangles of a body share their volume with another.
func (m *Model) InPairs(body int) bool {
	b := &m.Mesh.Bodies[body]
	return m.Mesh.Pairs != nil && slices.Contains(m.Mesh.Pairs[b.First:b.End], true)
}

// Widths returns the width of every boundary edge out of the plane [m]; nil without beams.
func (m *Model) Widths() []float64 {
	if len(m.Mesh.Beams) == 0 {
		return nil
	}
	out := make([]float64, len(m.Mesh.Edges))
	for i, e := range m.Mesh.Edges {
		out[i] = m.Thickness
		if m.Mesh.Bodies[e.Body].Kind == mesh.OfBeams {
			out[i] = m.Bodies[e.Body].Width
		}
	}
	return out
}

// Clamp is a node of beams that triangles share and whose rotation follows the triangles. Without a
// clamp such a node is a hinge.
type Clamp struct {
	On   string
	Node int32
	When // in motion; with From it keeps the angle that it finds
}

// BoundingRadius returns the greatest distance of the outline from the centre [m].
func (r *Rigid) BoundingRadius(m *mesh.Mesh) float64 {
	far := 0.0
	for i := range m.Bodies {
		if b := &m.Bodies[i]; b.Kind == mesh.OfOutline && b.Name == r.Name {
			for _, n := range b.Nodes {
				far = max(far, elementary.Norm(r2.Sub(m.X[n], r.Centre)))
			}
		}
	}
	return far
}

// ReactionName returns the name of a rigid body's reaction: the name of the body, unless a contact
// has columns of that name.
func (m *Model) ReactionName(body string) string {
	for i := range m.Contacts {
		if c := &m.Contacts[i]; c.Name == body || c.Of == body {
			return body + " rigid"
		}
	}
	return body
}

// Closed tells whether the boundary edges of a meshed body go around it. The boundary of a body
// that shares nodes with another body is open where they are joined.
func (m *Model) Closed(b *mesh.Body) bool {
	for i := b.FirstEdge; i < b.EndEdge; i++ {
		if next := m.Mesh.Edges[i].Next; next < b.FirstEdge || next >= b.EndEdge {
			return false
		}
	}
	return true
}

// SagittaBound bounds the distance of an edge from its chord. The edge is an arc of at most half a
// circle [m].
func (m *Model) SagittaBound(e int) float64 {
	edge := &m.Mesh.Edges[e]
	if edge.Radius == 0 {
		return 0
	}
	chord := m.Mesh.Along(int32(e))
	return elementary.Dot(chord, chord) / (4 * math.Abs(edge.Radius))
}

// InitialStress is the initial stress of a body, such as rock in the ground: At, plus
// More for every metre below Level.
type InitialStress struct {
	Body     int32                               // of triangles
	At, More fem.Stress                          // [Pa], [Pa/m]
	Level    float64                             // [m]
	Field    func(x r2.Vec) (xx, yy, xy float64) // additional stress that varies with the position [Pa]; nil for none
}

// Stress returns the stress at a position [m].
func (p *InitialStress) Stress(x r2.Vec) fem.Stress {
	depth := p.Level - x.Y
	t := fem.Stress{XX: p.At.XX + float64(depth*p.More.XX), YY: p.At.YY + float64(depth*p.More.YY), XY: p.At.XY + float64(depth*p.More.XY)}
	if p.Field != nil {
		xx, yy, xy := p.Field(x)
		t.XX += xx
		t.YY += yy
		t.XY += xy
	}
	return t
}

// JointPressures returns the pressure of the initial stress on each edge that is a joint, from the
// stresses of the bodies on both sides at its middle, and 0 on others and under tension [Pa]; nil
// without initial stress or joints.
func (m *Model) JointPressures() []float64 {
	var pressures []float64
	m.EachJointTraction(func(i int, pressure, _ float64) {
		if pressures == nil {
			pressures = make([]float64, len(m.Fracture.Edges))
		}
		pressures[i] = max(0, pressure)
	})
	return pressures
}

// EachJointTraction calls the function with each edge that is a joint, and the pressure and the shear
// traction of the initial stress on it [Pa], likewise; never without initial stress.
func (m *Model) EachJointTraction(each func(edge int, pressure, shear float64)) {
	f := m.Fracture
	if len(m.InitialStresses) == 0 || !slices.Contains(f.Joints, true) {
		return
	}
	stresses, body := make([]*InitialStress, len(m.Mesh.Bodies)), m.Mesh.BodyOf()
	for i := range m.InitialStresses {
		p := &m.InitialStresses[i]
		stresses[p.Body] = p
	}
	for i := range f.Edges {
		e := &f.Edges[i]
		if e.Region < 0 || !f.Joints[e.Region] {
			continue
		}
		from, to := m.Mesh.X[e.From], m.Mesh.X[e.To]
		n := elementary.Unit(r2.Vec{X: to.Y - from.Y, Y: from.X - to.X})
		middle := r2.Vec{X: 0.5 * (from.X + to.X), Y: 0.5 * (from.Y + to.Y)}
		pressure, shear := 0.0, 0.0
		for _, t := range [2]int32{e.A, e.B} {
			if p := stresses[body[t]]; p != nil {
				s := p.Stress(middle)
				across := float64(n.X*n.X*s.XX) + float64(n.Y*n.Y*s.YY) + float64(2*n.X*n.Y*s.XY)
				along := float64(n.X*n.Y*(s.YY-s.XX)) + float64((float64(n.X*n.X)-float64(n.Y*n.Y))*s.XY)
				pressure -= float64(0.5 * across)
				shear += float64(0.5 * along)
			}
		}
		each(i, pressure, shear)
	}
}

// InitialStressError reports an initial stress that a body's material cannot have.
type InitialStressError struct {
	Of  string // the body
	Why error
}

func (e *InitialStressError) Error() string {
	return fmt.Sprintf("initial stress of %q: %v", e.Of, e.Why)
}

func (e *InitialStressError) Unwrap() error { return e.Why }
