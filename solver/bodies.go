package solver

import (
	"slices"

	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// body has the nodes of a meshed body and the body's own share of their masses, for averages over
// the mass.
type body struct {
	*models.Body
	number  int // index among the meshed bodies
	nodes   []int32
	centre0 r2.Vec    // centre of mass at the start [m]
	index   []int32   // per node number, counted from the lowest node: its index in nodes
	mass    []float64 // per entry of nodes: mass of the body's own elements [kg]; nil if no node has other masses, see leaveMasses
	inertia []float64 // per entry of nodes: rotary inertia of these elements [kg m2]; nil if no node rotates
	total   float64   // total mass [kg]
}

// Describe describes every body, in the order of Motions.
func (s *results) Describe() []system.Description {
	var out []system.Description
	for _, k := range s.bodies {
		out = k.Describe(out)
	}
	return out
}

// newBody returns body i of the model without masses; add adds them. turns tells whether its nodes
// have rotations.
func newBody(m *models.Model, i int, turns bool) body {
	b := body{Body: &m.Bodies[i], number: i, nodes: m.Mesh.Bodies[i].Nodes}
	b.mass = make([]float64, len(b.nodes))
	if turns {
		b.inertia = make([]float64, len(b.nodes))
	}
	if len(b.nodes) == 0 {
		return b
	}
	lowest := b.nodes[0]
	b.index = make([]int32, b.nodes[len(b.nodes)-1]-lowest+1)
	for k, n := range b.nodes {
		b.index[n-lowest] = int32(k)
	}
	return b
}

// add adds an element's mass [kg] and rotary inertia [kg m2] to its node n.
func (b *body) add(n int32, mass, inertia float64) {
	k := b.index[n-b.nodes[0]]
	b.mass[k] += mass
	if b.inertia != nil {
		b.inertia[k] += inertia
	}
}

// leaveMasses drops the masses of each body that shares no node with another. They equal the masses
// of its nodes up to rounding.
func leaveMasses(m *mesh.Mesh, bodies []body) {
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
		if !slices.ContainsFunc(b.nodes, func(n int32) bool { return owner[n] == several }) {
			b.mass = nil
		}
	}
}

// weight returns the mass of the body's elements at n, entry k of its nodes [kg].
func (b *body) weight(f *nodes.Field, k int, n int32) float64 {
	if b.mass == nil {
		return f.Mass[n]
	}
	return b.mass[k]
}

// centre returns the centre of mass at Time.
func (b *body) centre(f *nodes.Field) r2.Vec {
	for k, n := range b.nodes {
		w, x, t := b.weight(f, k, n), f.X[n], f.Listed.At(n)
		t[0] += float64(w * x.X)
		t[1] += float64(w * x.Y)
	}
	sum := f.Listed.Sum()
	return r2.Vec{X: sum[0] / b.total, Y: sum[1] / b.total}
}

// start finishes the sums of masses and gives the body's nodes their initial velocity. Fixed
// directions stay at rest. A node of two bonded bodies takes the velocity of the later body.
func (b *body) start(f *nodes.Field, a *system.Analysis) {
	b.index = nil
	for _, w := range b.mass {
		b.total += w
	}
	a.BodyMass[b.number] = b.total
	m := &a.Materials[b.Material]
	a.RoundingNoise += float64(system.StrainRounding * b.total / m.Density * m.Young)
	b.centre0 = b.centre(f)
	for _, n := range b.nodes {
		b.throw(f, a.Mesh, n)
		_, _, turned := f.Driven(nodes.Vertex(n))
		if b.inertia != nil && (f.InverseInertias[n] > 0 || turned) {
			f.Spin[n] = b.AngularVelocity
		}
	}
}

// throw sets the initial velocity of a node of the body, except in fixed directions.
func (b *body) throw(f *nodes.Field, m *mesh.Mesh, n int32) {
	inX, inY, _ := f.Driven(f.VertexOf(nodes.Node(n)))
	v := b.initialVelocity(m.X[n])
	if f.Inverse(n).X > 0 || inX {
		f.V[n].X = v.X
	}
	if f.Inverse(n).Y > 0 || inY {
		f.V[n].Y = v.Y
	}
}

// initialVelocity returns the initial velocity of the body at a position [m/s].
func (b *body) initialVelocity(x r2.Vec) r2.Vec {
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
func (b *body) motion(f *nodes.Field) system.BodyMotion {
	if b.total == 0 { // the body has been excavated
		return system.BodyMotion{Name: b.Name}
	}
	m := system.BodyMotion{Name: b.Name, Mass: b.total, Centre: b.centre(f)}
	for k, n := range b.nodes {
		v, w, t := f.NodeVelocity(nodes.Node(n)), b.weight(f, k, n), f.Listed.At(n)
		t[0] += float64(w * v.X)
		t[1] += float64(w * v.Y)
	}
	sum := f.Listed.Sum()
	m.Momentum = r2.Vec{X: sum[0], Y: sum[1]}
	m.Velocity = r2.Vec{X: m.Momentum.X / b.total, Y: m.Momentum.Y / b.total}
	for k, n := range b.nodes {
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
		spin += float64(j * f.NodeSpin(nodes.Node(b.nodes[k])))
		inertia += j
	}
	m.AngularVelocity = spin / inertia
	return m
}

// meshedMotions appends the motions of bodies at Time.
func meshedMotions(f *nodes.Field, bodies []body, out []system.BodyMotion) []system.BodyMotion {
	for i := range bodies {
		out = append(out, bodies[i].motion(f))
	}
	return out
}

// Motions returns the motion of every body at Time: meshed bodies, then rigid bodies, then groups
// of particles. Forces must have been evaluated there. Fixed and driven bodies have mass 0.
func (s *results) Motions() []system.BodyMotion {
	var out []system.BodyMotion
	for _, k := range s.bodies {
		out = k.Motions(out)
	}
	return out
}
