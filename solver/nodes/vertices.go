package nodes

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// splitting is the nodes into which vertices have been split.
type splitting struct {
	vertex []Vertex // of each node; nil if no vertex can split
	next   []Node   // the next node of the same vertex, -1 after the last
	splits int      // number of nodes split off so far
	follow []func(of, added Node)
	shared [][]r2.Vec // forces per node that are distributed to the nodes of a vertex by mass
}

// MaySplit prepares vertices for splitting.
func (f *Field) MaySplit() {
	f.vertex, f.next = make([]Vertex, len(f.X)), make([]Node, len(f.X))
	for i := range f.next {
		f.vertex[i], f.next[i] = Vertex(i), -1
	}
}

// Split adds a node to the vertex of another node, with the held directions of
// that node.
func (f *Field) Split(of, added Node) {
	v := f.vertex[of]
	f.vertex[added] = v
	f.next[added], f.next[v] = f.next[v], added
	f.Held[added] = f.Held[of]
	f.splits++
	for _, do := range f.follow {
		do(of, added)
	}
}

// OnSplit makes a function that is called when a node is split off another.
func (f *Field) OnSplit(do func(of, added Node)) { f.follow = append(f.follow, do) }

// ShareForces divides the forces on a split node between it and the node split off it, by
// the masses of both.
func (f *Field) ShareForces(of, added Node, mass, split float64) {
	divide := func(g []r2.Vec) {
		v := g[of]
		g[of] = r2.Vec{X: mass / (mass + split) * v.X, Y: mass / (mass + split) * v.Y}
		g[added] = r2.Vec{X: split / (mass + split) * v.X, Y: split / (mass + split) * v.Y}
	}
	divide(f.F)
	for _, g := range f.shared {
		divide(g)
	}
	if f.Motion.Damping != nil {
		divide(f.Motion.Damping)
	}
}

// Forces returns room for forces of a kind, one per node [N]. They are divided by mass
// when a node is split.
func (f *Field) Forces() []r2.Vec {
	g := make([]r2.Vec, len(f.X))
	f.shared = append(f.shared, g)
	return g
}

// SetImplicit tells that a force on a vertex depends on the motion that it
// causes.
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

// massVertex returns the vertex that has the mass of v: v itself, except for a
// hinge.
func (f *Field) massVertex(v Vertex) Vertex { return Vertex(f.mesh.PositionNode(int32(v))) }

// whole returns the only node of a vertex that has not split. Vertices of rigid bodies, which
// have no mass of their own, never split.
func (f *Field) whole(v Vertex) (n Node, is bool) {
	if f.next == nil {
		return Node(v), true
	}
	v = f.massVertex(v)
	return Node(v), f.next[v] < 0
}

// mass returns the mass of all nodes of a vertex [kg].
func (f *Field) mass(v Vertex) float64 {
	total := 0.0
	for n := Node(v); n >= 0; n = f.next[n] {
		total += f.Mass[n]
	}
	return total
}

// position returns the position of a vertex at Time: the mean over its nodes, weighted
// by mass [m].
func (f *Field) position(v Vertex) r2.Vec {
	if n, is := f.whole(v); is {
		return f.X[n]
	}
	return f.mean(v, f.X)
}

// StepVelocity returns the velocity of a vertex in the last step, half a step behind
// Time: the mean over its nodes, weighted by mass [m/s].
func (f *Field) StepVelocity(v Vertex) r2.Vec {
	if n, is := f.whole(v); is {
		return f.V[n]
	}
	return f.mean(v, f.V)
}

// Velocity returns the velocity of a vertex at Time, after the forces have been
// evaluated: the mean over its nodes, weighted by mass [m/s].
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

// AddForce adds a force to a vertex, distributed to its nodes by mass [N].
func (f *Field) AddForce(v Vertex, g r2.Vec) {
	if n, is := f.whole(v); is {
		of := &f.F[n]
		of.X += g.X
		of.Y += g.Y
		return
	}
	f.share(v, g)
}

// share is AddForce if vertices can split.
func (f *Field) share(v Vertex, g r2.Vec) {
	v = f.massVertex(v)
	total := f.mass(v)
	for n := Node(v); n >= 0; n = f.next[n] {
		w := f.Mass[n] / total
		f.F[n].X += float64(w * g.X)
		f.F[n].Y += float64(w * g.Y)
	}
}

// InverseInertia returns the angular velocity that a unit angular impulse gives to a
// vertex that can rotate, together with the body to which it is clamped [1/(kg m2)].
func (f *Field) InverseInertia(v Vertex) float64 {
	if f.Clamped != nil && f.Clamped[v] > 0 {
		return f.Clamped[v]
	}
	return f.InverseInertias[v]
}

// FirstNode returns the first node of a vertex, or of its hinge.
func (f *Field) FirstNode(v Vertex) Node { return Node(f.massVertex(v)) }

// InverseMass returns the velocities that unit impulses along x and along y give to a
// vertex, 0 in held directions [1/kg].
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

// Corner is the corner of a triangle at a vertex on which a force acts.
type Corner struct {
	Triangle int32
	Fraction float64 // of the force; the sum over the corners at the vertex is 1
}

// Corners are the corners on which forces on vertices in a list act. A vertex that splits leaves to
// each corner its fraction. A force on a vertex without corners acts on the whole vertex. The zero
// value has none.
type Corners struct {
	First []int32 // per vertex the index of its first corner, and at the end their number; nil for none
	List  []Corner
}

// At returns the corners at the i-th vertex.
func (c *Corners) At(i int) []Corner {
	if c.First == nil {
		return nil
	}
	return c.List[c.First[i]:c.First[i+1]]
}

// Of returns the corners at the i-th vertex for a list of that vertex alone.
func (c *Corners) Of(i int) Corners {
	at := c.At(i)
	if at == nil {
		return Corners{}
	}
	return Corners{First: []int32{0, int32(len(at))}, List: at}
}

// Add appends a vertex with corners.
func (c *Corners) Add(at ...Corner) {
	if c.First == nil {
		c.First = []int32{0}
	}
	c.List = append(c.List, at...)
	c.First = append(c.First, int32(len(c.List)))
}

// InverseMassAt returns the greatest velocities that unit impulses along x and along y on corners
// at a vertex give to a node, however the vertex splits [1/kg].
func (f *Field) InverseMassAt(v Vertex, at []Corner) r2.Vec {
	if len(at) == 0 {
		return f.Inverse(int32(f.massVertex(v)))
	}
	most := 0.0
	for _, c := range at {
		most = max(most, c.Fraction/f.elements.CornerMass(int(c.Triangle)))
	}
	return r2.Vec{X: most, Y: most}
}

// Divided tells whether a vertex has split.
func (f *Field) Divided(v Vertex) bool { return f.next != nil && f.next[v] >= 0 }

// NodeOf returns the node of a vertex that has the corner of a triangle.
func (f *Field) NodeOf(v Vertex, triangle int32) Node {
	t := &f.mesh.Triangles[triangle]
	for _, n := range t[:2] {
		if f.vertex[n] == v {
			return Node(n)
		}
	}
	return Node(t[2])
}

// AddForceAt adds a force to corners at a vertex [N].
func (f *Field) AddForceAt(v Vertex, at []Corner, g r2.Vec) {
	if len(at) == 0 || !f.Divided(v) {
		f.AddForce(v, g)
		return
	}
	for _, c := range at {
		on := &f.F[f.NodeOf(v, c.Triangle)]
		on.X += float64(c.Fraction * g.X)
		on.Y += float64(c.Fraction * g.Y)
	}
}

// PositionAt returns the mean position of corners at a vertex at Time [m].
func (f *Field) PositionAt(v Vertex, at []Corner) r2.Vec {
	if len(at) == 0 || !f.Divided(v) {
		return f.position(v)
	}
	return f.meanAt(v, at, f.X)
}

// StepVelocityAt returns the mean velocity of corners at a vertex in the last step [m/s].
func (f *Field) StepVelocityAt(v Vertex, at []Corner) r2.Vec {
	if len(at) == 0 || !f.Divided(v) {
		return f.StepVelocity(v)
	}
	return f.meanAt(v, at, f.V)
}

// meanAt returns the mean of a value per node over corners at a vertex, weighted by their
// fractions.
func (f *Field) meanAt(v Vertex, at []Corner, of []r2.Vec) (sum r2.Vec) {
	for _, c := range at {
		x := of[f.NodeOf(v, c.Triangle)]
		sum.X += float64(c.Fraction * x.X)
		sum.Y += float64(c.Fraction * x.Y)
	}
	return sum
}

// Group is a list of vertices without repeats, with the nodes into which they have
// been split.
type Group struct {
	Of      []int32 // vertices
	Corners Corners // at each of Of: of a vertex that has split, only the nodes with these
	all     []int32
	splits  int // number of splits when all was made
}

// Nodes returns the present nodes of a group. The caller must not change them.
func (f *Field) Nodes(g *Group) []int32 {
	if f.next == nil {
		return g.Of
	}
	if g.all == nil || g.splits != f.splits {
		g.all, g.splits = g.all[:0], f.splits
		for i, v := range g.Of {
			for n := range f.At(Vertex(v)) {
				if f.Has(n, g.Corners.At(i)) {
					g.all = append(g.all, int32(n))
				}
			}
		}
	}
	return g.all
}

// Each yields the present nodes of a group, each with its fraction of its vertex's
// load. The fractions are by mass, among the nodes of the group.
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

// Has tells whether a node has one of some corners at its vertex. It is true if there are none.
func (f *Field) Has(n Node, at []Corner) bool {
	return len(at) == 0 || slices.ContainsFunc(at, func(c Corner) bool { return slices.Contains(f.mesh.Triangles[c.Triangle][:], int32(n)) })
}
