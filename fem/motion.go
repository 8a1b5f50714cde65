package fem

import (
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Leapfrog has the arrays that steps of central differences (leapfrog, explicit Newmark) use and
// change, one value per node.
type Leapfrog struct {
	X, V    []r2.Vec  // positions [m] and velocities [m/s]
	F       []r2.Vec  // forces without damping and weight, which Move adds [N]
	Damping []r2.Vec  // forces of damping; nil for none [N]
	Mass    []float64 // [kg]
	Held    []uint8   // 1 if a node is fixed in x, 2 in y, 3 in both or without mass
	Gravity r2.Vec    // [m/s2]
	Alpha   float64   // factor of mass-proportional damping [1/s]
	End     int32     // Move does not move nodes from this number on
	Powers  []Power   // power of damping, one entry for each of the Groups of nodes
}

// Power is the power of the damping forces of a group of nodes [W], with the velocities before the
// step and with those after it.
type Power struct{ Given, Taken float64 }

// nodesPerGroup is the number of nodes whose power has its own sum. Parts have whole groups, so the
// sum does not depend on the parts.
const nodesPerGroup = elementary.Leaf

// Groups returns the number of groups of some nodes.
func Groups(nodes int) int { return (nodes + nodesPerGroup - 1) / nodesPerGroup }

// drag returns the mass-proportional damping of node i [N].
func (m *Leapfrog) drag(i int32) r2.Vec {
	w, v := m.Alpha*m.Mass[i], m.V[i]
	return r2.Vec{X: 0 - float64(w*v.X), Y: 0 - float64(w*v.Y)}
}

// Force returns the force on node i with damping and weight [N].
func (m *Leapfrog) Force(i int) r2.Vec {
	f := m.F[i]
	if m.Damping != nil {
		f.X += m.Damping[i].X
		f.Y += m.Damping[i].Y
	}
	if w := m.Mass[i]; m.Gravity != (r2.Vec{}) {
		f.X += float64(w * m.Gravity.X)
		f.Y += float64(w * m.Gravity.Y)
	}
	return f
}

// Power returns the power of the damping forces of the nodes [from, to), of one group, with the
// velocities before Move [W].
func (m *Leapfrog) Power(from, to int32) float64 {
	var p power
	for n := range max(0, min(to, m.End)-from) {
		p.given.add(int(n), m.Damping[from+n], m.V[from+n])
	}
	return p.given.sum()
}

// groups divides the nodes [from, to) before End into ranges [i, k) of one group each.
func (m *Leapfrog) groups(from, to int32) func(yield func(i, k int32) bool) {
	return func(yield func(i, k int32) bool) {
		for end := min(to, m.End); from < end; {
			k := min(end, (from/nodesPerGroup+1)*nodesPerGroup)
			if !yield(from, k) {
				return
			}
			from = k
		}
	}
}

// Move advances the velocities of the part's nodes, v += kick f/m with damping and weight, and
// their positions, x += dt v, except of nodes from m.End on. Then it sets the forces of all nodes
// to zero and the damping forces to those of the mass. The next step adds to these.
func (p *Subdomain) Move(m *Leapfrog, kick, dt float64) {
	u, of := m.update(kick, dt), int32(-1)
	for from, to := range p.inUse {
		if m.Damping == nil {
			p.t.move(m, from, to, u)
			continue
		}
		for i, k := range m.groups(from, to) {
			w := p.t.kernel.fade(m.nodes(i, k), u)
			if i/nodesPerGroup != of {
				of = i / nodesPerGroup
				m.Powers[of] = Power{}
			}
			m.Powers[of].Given += w.given.sum()
			m.Powers[of].Taken += w.taken.sum()
		}
		clear(m.F[max(from, min(to, m.End)):to])
	}
}

// MoveOnly is Move for the nodes of some ranges, without the power.
func (t *Triangles) MoveOnly(m *Leapfrog, ranges []Span, kick, dt float64) {
	u := m.update(kick, dt)
	for _, r := range ranges {
		t.move(m, r.First, r.End, u)
	}
}

// update returns how nodes move in a step.
func (m *Leapfrog) update(kick, dt float64) update {
	return update{kick: kick, dt: dt, gravity: m.Gravity, alpha: m.Alpha, one: 1, signs: [lanes]uint64{63, 62, 63, 62}}
}

// move moves the nodes [from, to). It sets the forces of nodes that do not move to zero.
func (t *Triangles) move(m *Leapfrog, from, to int32, u update) {
	end := max(from, min(to, m.End))
	switch {
	case m.Damping != nil:
		t.kernel.fade(m.nodes(from, end), u)
	case m.Gravity != r2.Vec{}:
		t.kernel.weighed(m.nodes(from, end), u)
	default:
		t.kernel.move(m.nodes(from, end), u)
	}
	clear(m.F[end:to])
}

// nodes are the arrays of the nodes that a kernel moves, all of the same length; d is nil without
// damping.
type nodes struct {
	x, v, f, d []r2.Vec
	mass       []float64
	held       []uint8
}

// nodes returns the nodes [i, k).
func (m *Leapfrog) nodes(i, k int32) nodes {
	n := nodes{x: m.X[i:k], v: m.V[i:k], f: m.F[i:k], mass: m.Mass[i:k], held: m.Held[i:k]}
	if m.Damping != nil {
		n.d = m.Damping[i:k]
	}
	return n
}

// fours returns the number of nodes rounded down to a multiple of four.
func (n *nodes) fours() int { return len(n.x) &^ 3 }

// rest returns the nodes after these.
func (n *nodes) rest() nodes {
	i := n.fours()
	m := nodes{x: n.x[i:], v: n.v[i:], f: n.f[i:], mass: n.mass[i:], held: n.held[i:]}
	if n.d != nil {
		m.d = n.d[i:]
	}
	return m
}

// update has the constants of a step of the nodes. The assembly kernel depends on the order of
// these fields.
type update struct {
	kick, dt float64
	gravity  r2.Vec
	alpha    float64
	one      float64       // used by the assembly kernel only, like signs
	signs    [lanes]uint64 // shifts that bring a node's flags for x and y to the sign bit, twice
}

// power adds up power, separately for even and odd nodes and for both directions, as in a vector
// register. The assembly kernel depends on the order of these fields.
type power struct{ given, taken lanesum }

type lanesum [lanes]float64

func (s *lanesum) add(node int, d, v r2.Vec) {
	l := node % 2 * 2
	s[l] += float64(d.X * v.X)
	s[l+1] += float64(d.Y * v.Y)
}

func (s *lanesum) sum() float64 { return (s[0] + s[1]) + (s[2] + s[3]) }

// moveNodes, moveWithGravity and moveDamped are the generic kernels of Move: without weight, with
// weight, and with weight and damping. Those of vector_amd64.s do the same for two nodes at once.

func moveNodes(n nodes, u update) {
	x := n.x
	v, f, mass, held := n.v[:len(x)], n.f[:len(x)], n.mass[:len(x)], n.held[:len(x)]
	for i := range x {
		step(&x[i], &v[i], f[i], mass[i], held[i], &u)
		f[i] = r2.Vec{}
	}
}

func moveWithGravity(n nodes, u update) {
	x := n.x
	v, f, mass, held := n.v[:len(x)], n.f[:len(x)], n.mass[:len(x)], n.held[:len(x)]
	for i := range x {
		g, m := f[i], mass[i]
		g.X += float64(m * u.gravity.X)
		g.Y += float64(m * u.gravity.Y)
		step(&x[i], &v[i], g, m, held[i], &u)
		f[i] = r2.Vec{}
	}
}

func moveDamped(n nodes, u update) power {
	var p power
	addDampedMoves(n, u, &p)
	return p
}

// addDampedMoves is moveDamped that adds to the power of earlier nodes.
func addDampedMoves(n nodes, u update, p *power) {
	x := n.x
	v, f, mass, held, d := n.v[:len(x)], n.f[:len(x)], n.mass[:len(x)], n.held[:len(x)], n.d[:len(x)]
	for i := range x {
		g, m := r2.Vec{X: f[i].X + d[i].X, Y: f[i].Y + d[i].Y}, mass[i]
		p.given.add(i, d[i], v[i])
		g.X += float64(m * u.gravity.X)
		g.Y += float64(m * u.gravity.Y)
		step(&x[i], &v[i], g, m, held[i], &u)
		p.taken.add(i, d[i], v[i])
		w := u.alpha * m
		d[i] = r2.Vec{X: 0 - float64(w*v[i].X), Y: 0 - float64(w*v[i].Y)}
		f[i] = r2.Vec{}
	}
}

// step moves one node.
func step(x, v *r2.Vec, f r2.Vec, mass float64, held uint8, u *update) {
	kick := u.kick * (1 / mass)
	kx, ky := kick, kick
	if held&1 != 0 {
		kx = 0
	}
	if held&2 != 0 {
		ky = 0
	}
	v.X += float64(kx * f.X)
	v.Y += float64(ky * f.Y)
	x.X += float64(u.dt * v.X)
	x.Y += float64(u.dt * v.Y)
}
