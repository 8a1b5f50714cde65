package solver

import (
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// nodal is the kind of the nodes (package nodes): the points with lumped mass that
// elements hang on. They move, and turn where elements ask for it.
type nodal struct {
	idle
	s *Solver
}

// holdNodes holds what is fixed, when the masses of the nodes are known.
func (s *Solver) holdNodes() {
	if s.Static == nil {
		s.Motion.Gravity = s.Model.Gravity
	}
	s.HoldMassless()
	for _, fix := range s.Fixes {
		for _, n := range fix.Nodes {
			s.Hold(nodes.Vertex(n), fix.X, fix.Y, fix.Rotation)
		}
	}
}

// Nodes returns the number of nodes: those of the mesh and of outlines, and those
// that cracks have added.
func (s *Solver) Nodes() int {
	n := len(s.Mesh.X) - len(s.Mesh.Faces) - len(s.Mesh.Hinges)
	if s.cracks != nil {
		n -= s.cracks.Free()
	}
	return n
}

// velocity returns the velocity of node i at Time: V is half a step behind.
func (s *Solver) velocity(i int) r2.Vec { return s.NodeVelocity(nodes.Node(i)) }

// spin returns the angular velocity of node n, which can turn, at Time.
func (s *Solver) spin(n int32) float64 { return s.NodeSpin(nodes.Node(n)) }

// Velocities fills v, one per node, with the velocities at Time [m/s].
func (s *Solver) Velocities(v []r2.Vec) {
	for i := range v {
		v[i] = s.velocity(i)
	}
}

func (k *nodal) name() string { return "nodes" }

func (k *nodal) reads(func(n int32)) bool { return k.s.Theta == nil }

func (k *nodal) move(kick, dt float64) { k.s.moveNodes(kick, dt) }

// atNode is the cause of contact that presses on the mass of a node, atBody that
// on a free rigid body.
const (
	atNode = "contact at a node"
	atBody = "contact of a rigid body"
)

func (k *nodal) energies(e *Energies) {
	e.Kinetic += k.s.Kinetic()
}

func (k *nodal) weigh() nodes.Weighed { return k.s.Weigh() }

func (k *nodal) workers(t *team) { k.s.Share(t.workers, t.run) }

func (k *nodal) parts() []Part {
	s := k.s
	return []Part{{"positions", s.X}, {"velocities", s.V}, {"rotations", s.Theta}, {"spins", s.Spin}}
}

func (k *nodal) speed2() float64 { return k.s.outlines.fastest2 }

func (k *nodal) struck() float64 {
	s, sum := k.s, 0.0
	for _, n := range s.contacts.pressed {
		if s.contact.At(n).Stiffness > 0 {
			sum += s.Mass[n]
		}
	}
	return sum
}

func (k *nodal) counts(each func(n int, of string)) { each(k.s.Nodes(), "nodes") }

func (k *nodal) extent(each func(place r2.Vec, diameter float64)) {
	for _, x := range k.s.Mesh.X {
		each(x, 0)
	}
}

func (k *nodal) bytes() int { return 400 * len(k.s.X) }

func (k *nodal) freedoms(f *Freedoms) {
	s := k.s
	for n := range s.X[:s.Meshed] {
		w := s.Inverse(int32(n))
		if w.X > 0 {
			f.Moves[n][0] = f.next(1, 1/w.X)
		}
		if w.Y > 0 {
			f.Moves[n][1] = f.next(1, 1/w.Y)
		}
		if s.Turning != nil && s.Turning[n] > 0 {
			f.Turns[n] = f.next(s.lever, 1/s.Turning[n])
		}
	}
}

func (k *nodal) displace(f *Freedoms, from *Place, by func(freedom int32) float64) {
	s := k.s
	for n := range s.X[:s.Meshed] {
		m, x := &f.Moves[n], from.X[n]
		s.X[n] = r2.Vec{X: x.X + by(m[0]), Y: x.Y + by(m[1])}
	}
	for n := range s.Theta {
		s.Theta[n] = from.Theta[n] + by(f.Turns[n])
	}
}

func (k *nodal) prescribe(*Freedoms) bool { return false }
