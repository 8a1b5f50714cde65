package solver

import (
	"fmt"
	"slices"

	"fdem/fem"
	"fdem/materials/elementary"
	"fdem/solver/nodes"

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

// prestress sets the initial stress of the triangles, at their centroids.
func (m *Model) prestress(t *fem.Triangles) error {
	for _, p := range m.InitialStresses {
		of := &m.Mesh.Bodies[p.Body]
		for i := of.First; i < of.End; i++ {
			n := m.Mesh.Triangles[i]
			a, b, c := m.Mesh.X[n[0]], m.Mesh.X[n[1]], m.Mesh.X[n[2]]
			at := p.Stress(r2.Vec{X: (a.X + b.X + c.X) / 3, Y: (a.Y + b.Y + c.Y) / 3})
			if err := t.Prestress(int(i), at); err != nil {
				return &InitialStressError{of.Name, err}
			}
		}
	}
	return nil
}

// jointPressures returns the pressure of the initial stress on each edge that is a joint, from the
// stresses of the bodies on both sides at its middle, and 0 on others and under tension [Pa]; nil
// without initial stress or joints.
func (m *Model) jointPressures() []float64 {
	f := m.Fracture
	if len(m.InitialStresses) == 0 || !slices.Contains(f.Joints, true) {
		return nil
	}
	stresses, body := make([]*InitialStress, len(m.Mesh.Bodies)), m.Mesh.BodyOf()
	for i := range m.InitialStresses {
		p := &m.InitialStresses[i]
		stresses[p.Body] = p
	}
	pressures := make([]float64, len(f.Edges))
	for i := range f.Edges {
		e := &f.Edges[i]
		if e.Region < 0 || !f.Joints[e.Region] {
			continue
		}
		from, to := m.Mesh.X[e.From], m.Mesh.X[e.To]
		n := elementary.Unit(r2.Vec{X: to.Y - from.Y, Y: from.X - to.X})
		middle := r2.Vec{X: 0.5 * (from.X + to.X), Y: 0.5 * (from.Y + to.Y)}
		for _, t := range [2]int32{e.A, e.B} {
			if p := stresses[body[t]]; p != nil {
				s := p.Stress(middle)
				across := float64(n.X*n.X*s.XX) + float64(n.Y*n.Y*s.YY) + float64(2*n.X*n.Y*s.XY)
				pressures[i] -= float64(0.5 * across)
			}
		}
		pressures[i] = max(0, pressures[i])
	}
	return pressures
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

// stressed is the imbalance of bodies with an initial stress.
type stressed struct {
	view
	triangles  *triangles
	relief     Load      // load that balances it at first
	unbalanced Unbalance // at the start
}

// newStressed makes the load that balances stressed bodies at first. The model's Relief
// releases it, so a hole that exists from the start is excavated slowly.
func newStressed(s view, t *triangles, loads *loads) *stressed {
	k := &stressed{view: s, triangles: t}
	if len(s.InitialStresses) == 0 || s.Relief == nil {
		return k
	}
	l := &k.relief
	l.On, l.Schedule = "initial stress", s.Relief
	taken := make([]bool, len(s.X))
	for _, p := range s.InitialStresses {
		for _, n := range s.Mesh.Bodies[p.Body].Nodes {
			if !taken[n] {
				taken[n] = true
				l.Nodes = append(l.Nodes, n)
			}
		}
	}
	l.Forces = make([]r2.Vec, len(l.Nodes))
	loads.add(l)
	return k
}

// hold finds the imbalance at the start, once all forces are known. It balances the
// imbalance if the model has a relief, and tells whether that changes forces. f is nil in
// dynamics.
func (k *stressed) hold(f *Freedoms) bool {
	k.unbalanced = k.unbalance(f)
	for i, n := range k.relief.Nodes {
		k.relief.Forces[i] = r2.Scale(-1, k.withoutReaction(f, n, k.Force(nodes.Node(n))))
	}
	return len(k.relief.Nodes) > 0
}

// Unbalance is the imbalance of forces on the nodes of triangles at the start of a
// run with an initial stress.
type Unbalance struct {
	Force    float64 // greatest resultant on a node that can move [N]
	Of       float64 // greatest force of a triangle with an initial stress on a node [N]
	Node     int32   // number in the mesh file
	Position r2.Vec  // [m]
}

// Unbalanced returns the imbalance of initial stress, supports, loads and weight at the
// start. Without imbalance a run begins at rest. In a static analysis loads and weight
// that grow from zero are not included. ok is false without an initial stress.
func (s *kinds) Unbalanced() (u Unbalance, ok bool) {
	return s.stressed.unbalanced, len(s.stressed.InitialStresses) > 0
}

func (s *stressed) unbalance(freedoms *Freedoms) (u Unbalance) {
	for _, p := range s.InitialStresses {
		of := &s.Mesh.Bodies[p.Body]
		for i := of.First; i < of.End; i++ {
			f := s.triangles.CornerForces(int(i), s.X)
			for _, v := range f {
				u.Of = max(u.Of, elementary.Norm(v))
			}
		}
		for _, n := range of.Nodes {
			f := s.Force(nodes.Node(n))
			if s.Static != nil { // in statics weight grows; this is its final value
				f.X += float64(s.Mass[n] * s.Model.Gravity.X)
				f.Y += float64(s.Mass[n] * s.Model.Gravity.Y)
			}
			if size := elementary.Norm(s.withoutReaction(freedoms, n, f)); size > u.Force {
				u.Force, u.Node, u.Position = size, s.Mesh.NodeID[n], s.Mesh.X[n]
			}
		}
	}
	return u
}

// withoutReaction returns a force on node n without its components in directions that a
// support holds.
func (s *view) withoutReaction(freedoms *Freedoms, n int32, f r2.Vec) r2.Vec {
	if s.heldIn(freedoms, n, 0) {
		f.X = 0
	}
	if s.heldIn(freedoms, n, 1) {
		f.Y = 0
	}
	return f
}

// heldIn tells whether a support holds node n in a direction, 0 or 1.
func (s *view) heldIn(freedoms *Freedoms, n int32, direction int) bool {
	if freedoms != nil {
		return freedoms.Moves[n][direction] < 0
	}
	return [2]float64{s.Inverse(n).X, s.Inverse(n).Y}[direction] == 0
}
