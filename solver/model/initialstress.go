package model

import (
	"fmt"
	"slices"

	"fdem/fem"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

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
