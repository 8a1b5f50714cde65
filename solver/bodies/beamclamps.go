package bodies

import (
	"math"
	"slices"

	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// clamp is a Clamp with its state: a distributing coupling. Triangles have no rotations. The beam's
// rotation is the mean rotation of its end section, which is taken to lie along the edges of the
// body, half the beam's height to either side of the node. Inside a body it is the mean rotation of
// the triangles' nodes within half the height, at least of those around the node, weighted by their
// masses. Let x be the positions of the section's points, w their weights by length or mass, and R
// their arms from the middle at the start. The rotation theta is the best fit
//
//	sum w R' x x = 0,  R' = R turned by theta,
//
// so that d theta = sum g dx with g = k x A'/q. A is the sum of w R over the points, with the share
// that a node has in each, and q = sum A'.x. A moment M on the node acts as the forces M g on the
// other nodes. The sum of these forces is zero and their moment is M, up to rounding, so linear and
// angular momentum are conserved. The clamped rotation has no inertia of its own: the beam's rotary
// inertia there is left out, which vanishes with the square of the element's length.
type clamp struct {
	node    int32
	near    []int32
	arm     []r2.Vec // A of each node
	slope   []r2.Vec // g of each node [1/m]
	inertia float64  // of the rotation, from the masses of these nodes [kg m2]
	own     float64  // the rotary inertia of the node without the clamp [kg m2]
	begins  clampBegins
}

// point is a point of the section on the line between two nodes.
type point struct {
	a, b   int32
	part   float64 // fraction of the distance from a to b
	weight float64
}

func (p *point) position(x []r2.Vec) r2.Vec { return elementary.Between(x[p.a], x[p.b], p.part) }

// addClamps finds the triangles whose rotation beams follow. The masses must be those of the
// triangles alone.
func (k *Beams) addClamps() {
	m, s := k.Mesh, &k.clampState
	for i := range k.Model.Clamps {
		of := &k.Model.Clamps[i]
		s.Add(&k.Ledger, "clamp "+of.On, &of.When)
		s.Begun[i] = !of.Staged()
		s.holding, s.turned, s.left = append(s.holding, s.Begun[i]), append(s.turned, 0), append(s.left, 0)
		reach := 0.0
		for _, e := range m.BeamsAt(of.Node) {
			reach = max(reach, 0.5*k.Model.Bodies[m.BeamBody(e)].Height)
		}
		points := alongEdges(m, of.Node, reach)
		if points == nil {
			points = k.around(of.Node, reach)
		}
		k.clamps = append(k.clamps, k.newClamp(of.Node, points))
	}
}

// alongEdges returns the points on the edges of triangles within a distance [m] to either side of a
// node, by Gauss' rule; nil for a node inside.
func alongEdges(m *mesh.Mesh, n int32, reach float64) (points []point) {
	length := func(e *mesh.Edge) float64 { return elementary.Norm(r2.Sub(m.X[e.B], m.X[e.A])) }
	for i := range m.Edges {
		first := &m.Edges[i]
		if first.Tri < 0 || first.A != n && first.B != n {
			continue
		}
		around := length(first)
		for e := first.Next; e >= 0 && &m.Edges[e] != first; e = m.Edges[e].Next {
			around += length(&m.Edges[e])
		}
		left := min(reach, 0.5*around)
		for e := first; left > 0; {
			from, to, next := e.A, e.B, e.Next
			if first.B == n {
				from, to, next = e.B, e.A, e.Prev
			}
			l := length(e)
			part := min(1, left/l)
			for _, g := range [2]float64{0.5 - 0.5/math.Sqrt(3), 0.5 + 0.5/math.Sqrt(3)} {
				points = append(points, point{from, to, float64(g * part), float64(0.5 * part * l)})
			}
			if left -= l; next < 0 {
				break
			}
			e = &m.Edges[next]
		}
	}
	return points
}

// around returns the nodes of triangles within a distance [m] of a node, and at least those of the
// triangles around it.
func (k *Beams) around(n int32, reach float64) (points []point) {
	m := k.Mesh
	taken := make([]bool, len(m.X))
	for _, t := range m.Triangles {
		if t[0] == n || t[1] == n || t[2] == n {
			taken[t[0]], taken[t[1]], taken[t[2]] = true, true, true
		}
	}
	for _, b := range m.Bodies {
		if _, of := slices.BinarySearch(b.Nodes, n); b.Kind != mesh.OfTriangles || !of {
			continue
		}
		for _, i := range b.Nodes {
			taken[i] = taken[i] || elementary.Norm(r2.Sub(m.X[i], m.X[n])) <= reach
		}
	}
	for i, yes := range taken {
		if yes {
			points = append(points, point{int32(i), int32(i), 0, k.Mass[i]})
		}
	}
	return points
}

// newClamp returns the clamp that couples a node to points.
func (k *Beams) newClamp(n int32, points []point) clamp {
	c := clamp{node: n}
	x := k.Mesh.X
	var centre r2.Vec
	total := 0.0
	for _, p := range points {
		at := p.position(x)
		centre.X += float64(p.weight * at.X)
		centre.Y += float64(p.weight * at.Y)
		total += p.weight
	}
	centre = r2.Vec{X: centre.X / total, Y: centre.Y / total}
	add := func(n int32, v r2.Vec) {
		i, found := slices.BinarySearch(c.near, n)
		if !found {
			c.near, c.arm = slices.Insert(c.near, i, n), slices.Insert(c.arm, i, r2.Vec{})
		}
		c.arm[i] = r2.Add(c.arm[i], v)
	}
	for _, p := range points {
		v := r2.Scale(p.weight, r2.Sub(p.position(x), centre))
		add(p.a, r2.Scale(1-p.part, v))
		add(p.b, r2.Scale(p.part, v))
	}
	c.slope = make([]r2.Vec, len(c.near))
	_, q := c.fit(x, 0)
	yield := 0.0
	for i, n := range c.near {
		a := c.arm[i]
		yield += (float64(a.X*a.X) + float64(a.Y*a.Y)) / (q * q * k.Mass[n])
	}
	c.inertia = 1 / yield
	return c
}

// leastSplit is the least a of holdClamps.
const leastSplit = 0.1

// holdClamps removes the inertia of the clamped rotations and bounds what the clamps add to the
// frequencies of the triangles. The energy of a beam whose end rotates with triangles is at most
// 1+a times that with the end held plus 1+1/a times that of the end's rotation alone. The first
// part stays with the beams, the second goes to the triangles' nodes. a is as large as the stiffest
// element allows. solid bounds the squared frequency of the triangles [1/s2].
func (k *Beams) holdClamps(solid float64) {
	if len(k.clamps) == 0 {
		return
	}
	k.Clamped = make([]float64, len(k.Inertia))
	sum := make([]float64, len(k.Inertia)) // sums over the clamps that use the node
	for i := range k.clamps {
		c := &k.clamps[i]
		turn := 0.0
		for _, e := range k.Mesh.BeamsAt(c.node) {
			omega2, stiffness := k.Held(int(e), c.node)
			k.omega2 = max(k.omega2, float64((1+leastSplit)*omega2))
			turn += float64(stiffness * (1 + omega2/(max(k.omega2, solid)-omega2)))
		}
		for _, n := range c.near {
			sum[n] += turn / c.inertia
			k.held = max(k.held, sum[n])
		}
		if c.own = k.Inertia[c.node]; k.clampState.holding[i] {
			k.holdClamp(c)
		}
	}
}

// fit returns sum A' x d and sum A'.d. A' are the arms rotated by theta, and d the vectors from the
// clamped node to the other nodes.
func (c *clamp) fit(x []r2.Vec, theta float64) (across, along float64) {
	sin, cos := elementary.Sincos(theta)
	at := x[c.node]
	for i, n := range c.near {
		a := c.arm[i]
		r := r2.Vec{X: float64(cos*a.X) - float64(sin*a.Y), Y: float64(sin*a.X) + float64(cos*a.Y)}
		d := r2.Vec{X: x[n].X - at.X, Y: x[n].Y - at.Y}
		across += float64(r.X*d.Y) - float64(r.Y*d.X)
		along += float64(r.X*d.X) + float64(r.Y*d.Y)
	}
	return across, along
}

// setSlopes sets the slopes g at X and a rotation of the triangles.
func (c *clamp) setSlopes(f *nodes.Field, theta float64) {
	_, q := c.fit(f.X, theta)
	sin, cos := elementary.Sincos(theta)
	for i, a := range c.arm {
		c.slope[i] = r2.Vec{X: -(float64(sin*a.X) + float64(cos*a.Y)) / q, Y: (float64(cos*a.X) - float64(sin*a.Y)) / q}
	}
}

// rotateClamps rotates the clamped nodes with the triangles by their displacements in the last dt.
// At the start dt is 0, and the clamped nodes get the triangles' velocity of rotation.
func (k *Beams) rotateClamps(dt float64) {
	for i := range k.clamps {
		c := &k.clamps[i]
		if !k.clampState.holding[i] {
			continue
		}
		turned := k.clampState.turned[i]
		turn := elementary.Atan2(c.fit(k.X, k.Theta[c.node]-turned))
		k.Theta[c.node] += turn
		c.setSlopes(k.Field, k.Theta[c.node]-turned)
		if dt > 0 {
			k.Spin[c.node] = turn / dt
			continue
		}
		k.Spin[c.node] = c.rate(k.Field)
	}
}

// sumClamps transfers the moments on clamped nodes to the triangles' nodes.
func (k *Beams) sumClamps() {
	for i := range k.clamps {
		c := &k.clamps[i]
		if !k.clampState.holding[i] {
			continue
		}
		m := k.Moment[c.node]
		k.keepClamp(i, m)
		for j, n := range c.near {
			k.F[n].X += float64(m * c.slope[j].X)
			k.F[n].Y += float64(m * c.slope[j].Y)
		}
	}
}

// freeClamps makes the clamped rotations follow the triangles' nodes in a static analysis.
func (k *Beams) freeClamps(f *system.Freedoms) {
	for i := range k.clamps {
		c := &k.clamps[i]
		f.Follow(c.node, c.near, c.slope)
	}
}

// Recompute holds and frees the clamped nodes, and computes the slopes of the clamps.
func (k *Beams) Recompute() error {
	k.setShares()
	for i := range k.clamps {
		c := &k.clamps[i]
		if !k.clampState.holding[i] {
			k.freeClamp(c)
			continue
		}
		k.holdClamp(c)
		c.setSlopes(k.Field, k.Theta[c.node]-k.clampState.turned[i])
	}
	return nil
}
