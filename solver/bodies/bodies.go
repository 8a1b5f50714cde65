package bodies

import (
	"slices"

	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Body has the nodes of a meshed body and the body's own share of their masses, for averages over
// the mass.
type Body struct {
	*models.Body
	Number  int // index among the meshed bodies
	Nodes   []int32
	centre0 r2.Vec    // centre of mass at the start [m]
	index   []int32   // per node number, counted from the lowest node: its index in nodes
	Mass    []float64 // per entry of nodes: mass of the body's own elements [kg]; nil if no node has other masses, see leaveMasses
	inertia []float64 // per entry of nodes: rotary inertia of these elements [kg m2]; nil if no node rotates
	Total   float64   // total mass [kg]
}

// newBody returns body i of the model without masses; add adds them. turns tells whether its nodes
// have rotations.
func newBody(m *models.Model, i int, turns bool) Body {
	b := Body{Body: &m.Bodies[i], Number: i, Nodes: m.Mesh.Bodies[i].Nodes}
	b.Mass = make([]float64, len(b.Nodes))
	if turns {
		b.inertia = make([]float64, len(b.Nodes))
	}
	if len(b.Nodes) == 0 {
		return b
	}
	lowest := b.Nodes[0]
	b.index = make([]int32, b.Nodes[len(b.Nodes)-1]-lowest+1)
	for k, n := range b.Nodes {
		b.index[n-lowest] = int32(k)
	}
	return b
}

// add adds an element's mass [kg] and rotary inertia [kg m2] to its node n.
func (b *Body) add(n int32, mass, inertia float64) {
	k := b.index[n-b.Nodes[0]]
	b.Mass[k] += mass
	if b.inertia != nil {
		b.inertia[k] += inertia
	}
}

// leaveMasses drops the masses of each body that shares no node with another. They equal the masses
// of its nodes up to rounding.
func leaveMasses(m *mesh.Mesh, bodies []Body) {
	const none, several = 0, -1
	owner := make([]int32, len(m.X)) // of each node: a body's number from 1 on
	for i := range m.Bodies {
		for _, n := range m.Bodies[i].Nodes {
			if owner[n] == none {
				owner[n] = int32(i) + 1
			} else {
				owner[n] = several
			}
		}
	}
	for i := range bodies {
		b := &bodies[i]
		if !slices.ContainsFunc(b.Nodes, func(n int32) bool { return owner[n] == several }) {
			b.Mass = nil
		}
	}
}

// weight returns the mass of the body's elements at n, entry k of its nodes [kg].
func (b *Body) weight(f *nodes.Field, k int, n int32) float64 {
	if b.Mass == nil {
		return f.Mass[n]
	}
	return b.Mass[k]
}

// centre returns the centre of mass at Time.
func (b *Body) centre(f *nodes.Field) r2.Vec {
	for k, n := range b.Nodes {
		w, x, t := b.weight(f, k, n), f.X[n], f.Listed.At(n)
		t[0] += float64(w * x.X)
		t[1] += float64(w * x.Y)
	}
	sum := f.Listed.Sum()
	return r2.Vec{X: sum[0] / b.Total, Y: sum[1] / b.Total}
}

// start finishes the sums of masses and gives the body's nodes their initial velocity. A node of two bonded bodies takes the velocity of the later body.
func (b *Body) start(f *nodes.Field, a *system.Analysis) {
	b.index = nil
	for _, w := range b.Mass {
		b.Total += w
	}
	a.BodyMass[b.Number] = b.Total
	m := &a.Materials[b.Material]
	a.RoundingNoise += float64(system.StrainRounding * b.Total / m.Density * m.Young)
	b.centre0 = b.centre(f)
	for _, n := range b.Nodes {
		b.Throw(f, a.Mesh, n)
		if b.inertia != nil && f.InverseInertias[n] > 0 {
			f.Spin[n] = b.AngularVelocity
		}
	}
}

// Throw sets the initial velocity of a node of the body, except in fixed directions.
func (b *Body) Throw(f *nodes.Field, m *mesh.Mesh, n int32) {
	inX, inY, _ := f.Driven(f.VertexOf(nodes.Node(n)))
	v := b.InitialVelocity(m.X[n])
	if f.Inverse(n).X > 0 || inX {
		f.V[n].X = v.X
	}
	if f.Inverse(n).Y > 0 || inY {
		f.V[n].Y = v.Y
	}
}

// InitialVelocity returns the initial velocity of the body at a position [m/s].
func (b *Body) InitialVelocity(x r2.Vec) r2.Vec {
	own, c := b.Velocity, b.centre0
	if b.VelocityAt != nil {
		own = r2.Add(own, b.VelocityAt(x))
	}
	return r2.Vec{
		X: own.X - float64(b.AngularVelocity*(x.Y-c.Y)) + float64(b.Expansion*(x.X-c.X)),
		Y: own.Y + float64(b.AngularVelocity*(x.X-c.X)) + float64(b.Expansion*(x.Y-c.Y)),
	}
}

// motion returns the motion of the body at Time.
func (b *Body) motion(f *nodes.Field) system.BodyMotion {
	if b.Total == 0 { // the body has been excavated
		return system.BodyMotion{Name: b.Name}
	}
	m := system.BodyMotion{Name: b.Name, Mass: b.Total, Centre: b.centre(f)}
	for k, n := range b.Nodes {
		v, w, t := f.NodeVelocity(nodes.Node(n)), b.weight(f, k, n), f.Listed.At(n)
		t[0] += float64(w * v.X)
		t[1] += float64(w * v.Y)
	}
	sum := f.Listed.Sum()
	m.Momentum = r2.Vec{X: sum[0], Y: sum[1]}
	m.Velocity = r2.Vec{X: m.Momentum.X / b.Total, Y: m.Momentum.Y / b.Total}
	for k, n := range b.Nodes {
		v, x, t := f.NodeVelocity(nodes.Node(n)), f.X[n], f.Listed.At(n)
		rx, ry := x.X-m.Centre.X, x.Y-m.Centre.Y
		vx, vy := v.X-m.Velocity.X, v.Y-m.Velocity.Y
		w := b.weight(f, k, n)
		t[0] += float64(w * (float64(rx*vy) - float64(ry*vx)))
		t[1] += float64(w * (float64(rx*rx) + float64(ry*ry)))
	}
	sum = f.Listed.Sum()
	spin, inertia := sum[0], sum[1]
	for k, j := range b.inertia {
		spin += float64(j * f.NodeSpin(nodes.Node(b.Nodes[k])))
		inertia += j
	}
	m.AngularVelocity, m.AngularMomentum = spin/inertia, spin
	return m
}

// meshedMotions appends the motions of bodies at Time.
func meshedMotions(f *nodes.Field, bodies []Body, out []system.BodyMotion) []system.BodyMotion {
	for i := range bodies {
		out = append(out, bodies[i].motion(f))
	}
	return out
}
