package nodes

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// splitting is which nodes the vertices have been split into.
type splitting struct {
	vertex []Vertex // of each node; nil where no vertex can split
	next   []Node   // the next node of the same vertex, -1 after the last
	round  func(v Vertex) []int32
	splits int        // how many nodes have been split off so far
	shared [][]r2.Vec // forces per node that the nodes of a vertex share by their masses
}

// MaySplit prepares vertices for being split. round returns the triangles round a vertex
// that can be.
func (f *Field) MaySplit(round func(v Vertex) []int32) {
	f.vertex, f.next, f.round = make([]Vertex, len(f.X)), make([]Node, len(f.X)), round
	for i := range f.next {
		f.vertex[i], f.next[i] = Vertex(i), -1
	}
}

// Split makes a node one of the same vertex as another, and held as that is.
func (f *Field) Split(of, fresh Node) {
	v := f.vertex[of]
	f.vertex[fresh] = v
	f.next[fresh], f.next[v] = f.next[v], fresh
	f.Held[fresh] = f.Held[of]
	f.splits++
}

// ShareForces shares the forces on a node that has been split with the node that was split
// off it, by the masses of both.
func (f *Field) ShareForces(of, fresh Node, mass, split float64) {
	divide := func(g []r2.Vec) {
		v := g[of]
		g[of] = r2.Vec{X: mass / (mass + split) * v.X, Y: mass / (mass + split) * v.Y}
		g[fresh] = r2.Vec{X: split / (mass + split) * v.X, Y: split / (mass + split) * v.Y}
	}
	divide(f.F)
	for _, g := range f.shared {
		divide(g)
	}
	if f.Motion.Damping != nil {
		divide(f.Motion.Damping)
	}
}

// Forces returns room for forces of a kind, one per node [N], which nodes that are split
// share by their masses.
func (f *Field) Forces() []r2.Vec {
	g := make([]r2.Vec, len(f.X))
	f.shared = append(f.shared, g)
	return g
}

// SetImplicit says that a force on a vertex is found from what it leads to.
func (f *Field) SetImplicit(v Vertex) {
	if f.Implicit == nil {
		f.Implicit = make([]bool, len(f.X))
	}
	f.Implicit[v] = true
}

// VertexOf returns the vertex of a node.
func (f *Field) VertexOf(n Node) Vertex {
	if f.vertex == nil {
		return Vertex(n)
	}
	return f.vertex[n]
}

// At yields the nodes of a vertex.
func (f *Field) At(v Vertex) func(yield func(n Node) bool) {
	return func(yield func(n Node) bool) {
		if f.next == nil {
			yield(Node(v))
			return
		}
		for n := Node(v); n >= 0 && yield(n); n = f.next[n] {
		}
	}
}

// massVertex returns the vertex that has the mass of v: v itself, but for a hinge.
func (f *Field) massVertex(v Vertex) Vertex { return Vertex(f.mesh.PositionNode(int32(v))) }

// whole returns the only node of a vertex that has not split, as those of rigid bodies, which
// have no mass of their own, never do.
func (f *Field) whole(v Vertex) (n Node, is bool) {
	if f.next == nil {
		return Node(v), true
	}
	v = f.massVertex(v)
	return Node(v), f.next[v] < 0
}

// mass returns the mass of a vertex, of all its nodes [kg].
func (f *Field) mass(v Vertex) float64 {
	total := 0.0
	for n := Node(v); n >= 0; n = f.next[n] {
		total += f.Mass[n]
	}
	return total
}

// Position returns where a vertex is at Time: the mean of its nodes by their masses [m].
func (f *Field) Position(v Vertex) r2.Vec {
	if n, is := f.whole(v); is {
		return f.X[n]
	}
	return f.mean(v, f.X)
}

// StepVelocity returns the velocity with which a vertex has moved in the last step, half
// a step behind Time: the mean of its nodes by their masses [m/s].
func (f *Field) StepVelocity(v Vertex) r2.Vec {
	if n, is := f.whole(v); is {
		return f.V[n]
	}
	return f.mean(v, f.V)
}

// Velocity returns the velocity of a vertex at Time, where forces have been evaluated:
// the mean of its nodes by their masses [m/s].
func (f *Field) Velocity(v Vertex) (sum r2.Vec) {
	if n, is := f.whole(v); is {
		return f.NodeVelocity(n)
	}
	v = f.massVertex(v)
	total := 0.0
	for n := Node(v); n >= 0; n = f.next[n] {
		m, u := f.Mass[n], f.NodeVelocity(n)
		total += m
		sum.X += float64(m * u.X)
		sum.Y += float64(m * u.Y)
	}
	return r2.Vec{X: sum.X / total, Y: sum.Y / total}
}

// mean returns the mean of a value per node over the nodes of a vertex that can split.
func (f *Field) mean(v Vertex, of []r2.Vec) (sum r2.Vec) {
	v = f.massVertex(v)
	total := 0.0
	for n := Node(v); n >= 0; n = f.next[n] {
		m := f.Mass[n]
		total += m
		sum.X += float64(m * of[n].X)
		sum.Y += float64(m * of[n].Y)
	}
	return r2.Vec{X: sum.X / total, Y: sum.Y / total}
}

// AddForce adds a force to a vertex, whose nodes share it by their masses [N].
func (f *Field) AddForce(v Vertex, g r2.Vec) {
	if n, is := f.whole(v); is {
		of := &f.F[n]
		of.X += g.X
		of.Y += g.Y
		return
	}
	f.share(v, g)
}

// share is AddForce where vertices can split.
func (f *Field) share(v Vertex, g r2.Vec) {
	v = f.massVertex(v)
	total := f.mass(v)
	for n := Node(v); n >= 0; n = f.next[n] {
		w := f.Mass[n] / total
		f.F[n].X += float64(w * g.X)
		f.F[n].Y += float64(w * g.Y)
	}
}

// InverseInertia returns the angular velocity that a unit of angular impulse gives to a
// vertex that can turn, with what it is clamped to [1/(kg m2)].
func (f *Field) InverseInertia(v Vertex) float64 {
	if f.Clamped != nil && f.Clamped[v] > 0 {
		return f.Clamped[v]
	}
	return f.InverseInertias[v]
}

// Shares yields the nodes of a vertex with their shares of what it takes, by their masses.
func (f *Field) Shares(v Vertex) func(yield func(n Node, w float64) bool) {
	return func(yield func(n Node, w float64) bool) {
		if n, is := f.whole(v); is {
			yield(n, 1)
			return
		}
		total := f.mass(v)
		for n := Node(v); n >= 0 && yield(n, f.Mass[n]/total); n = f.next[n] {
		}
	}
}

// InverseMass returns the velocity that a unit impulse along x and along y gives to a
// vertex, 0 where it is held [1/kg].
func (f *Field) InverseMass(v Vertex) (w r2.Vec) {
	if n, is := f.whole(v); is {
		return f.Inverse(int32(n))
	}
	v = f.massVertex(v)
	total := f.mass(v)
	for n := Node(v); n >= 0; n = f.next[n] {
		of := f.Inverse(int32(n))
		if of.X > 0 {
			w.X = 1 / total
		}
		if of.Y > 0 {
			w.Y = 1 / total
		}
	}
	return w
}

// Group is vertices, each named once, with the nodes that they have been split into.
type Group struct {
	Of     []int32 // vertices
	Bodies []int32 // where vertices are split, nodes with triangles of these bodies alone; nil for all
	all    []int32
	splits int // how many there were when all was made
}

// Nodes returns the nodes of a group that there are now. The caller must not change them.
func (f *Field) Nodes(g *Group) []int32 {
	if f.next == nil {
		return g.Of
	}
	if g.all == nil || g.splits != f.splits {
		g.all, g.splits = g.all[:0], f.splits
		for _, v := range g.Of {
			for n := range f.At(Vertex(v)) {
				if f.Has(n, g.Bodies) {
					g.all = append(g.all, int32(n))
				}
			}
		}
	}
	return g.all
}

// Each yields the nodes of a group that there are now, each with its share of what its
// vertex takes of what is given to the group: by the masses of those of the group.
func (f *Field) Each(g *Group) func(yield func(n Node, w float64) bool) {
	return func(yield func(n Node, w float64) bool) {
		all := f.Nodes(g)
		for from, to := 0, 0; from < len(all); from = to {
			v, total := f.VertexOf(Node(all[from])), 0.0
			for to = from; to < len(all) && f.VertexOf(Node(all[to])) == v; to++ {
				total += f.Mass[all[to]]
			}
			for _, n := range all[from:to] {
				w := 1.0
				if to > from+1 {
					w = f.Mass[n] / total
				}
				if !yield(Node(n), w) {
					return
				}
			}
		}
	}
}

// Has tells whether a node has a triangle of some bodies, true where bodies is nil or
// nothing has been split off its vertex.
func (f *Field) Has(n Node, bodies []int32) bool {
	if bodies == nil || f.next == nil {
		return true
	}
	v := f.vertex[n]
	if f.next[v] < 0 {
		return true
	}
	return slices.ContainsFunc(f.round(v), func(t int32) bool {
		return slices.Contains(f.mesh.Triangles[t][:], int32(n)) && slices.ContainsFunc(bodies, func(i int32) bool {
			b := &f.mesh.Bodies[i]
			return t >= b.First && t < b.End
		})
	})
}
