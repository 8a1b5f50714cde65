package solver

import (
	"fdem/contactnodes/motion"
	"fdem/fem"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// nodes are the points with lumped mass that elements hang on: they move, and
// turn where elements ask for it. A fix (Dirichlet condition) holds a node in a
// direction, as if its mass had no inverse there.
type nodes struct {
	idle
	s *Solver
}

// NodeState is how the nodes stand and move. Nodes that have no mass are among
// them: they follow what carries them.
type NodeState struct {
	X     []r2.Vec  // positions at Time [m]
	V     []r2.Vec  // velocities at Time - Last/2 [m/s]
	Theta []float64 // how far nodes have turned at Time [rad]; nil where none can
	Spin  []float64 // and their angular velocities at Time - Last/2 [rad/s]
}

// addNodes makes the nodes, whose masses are known, and holds what is fixed.
func (s *Solver) addNodes() {
	m := s.Model
	count := len(m.Mesh.X)
	s.X, s.f, s.V = apart(0, count), apart(1, count), apart(2, count)
	copy(s.X, m.Mesh.X)
	s.meshed = count
	for i := range m.Mesh.Bodies {
		if b := &m.Mesh.Bodies[i]; b.Kind == mesh.OfOutline {
			s.meshed = int(b.Nodes[0])
			break
		}
	}
	if len(m.Mesh.Faces) > 0 {
		s.meshed = int(m.Mesh.FirstFace)
	}
	s.masses = motion.Masses{Mass: s.mass, Held: make([]uint8, count)}
	held := s.masses.Held
	for i, mass := range s.mass {
		if !(mass > 0) {
			held[i] = motion.HeldX | motion.HeldY
		}
	}
	s.motion = fem.Leapfrog{X: s.X, V: s.V, F: s.f, Mass: s.mass, Held: held, Gravity: s.gravity, End: int32(s.meshed)}
	for _, fix := range m.Fixes {
		for _, n := range fix.Nodes {
			if fix.X {
				held[n] |= motion.HeldX
			}
			if fix.Y {
				held[n] |= motion.HeldY
			}
			if fix.Rotation {
				s.turning[n] = 0
			}
		}
	}
}

// apart returns a value per node, beginning in another place within a page of
// memory than the arrays of other numbers: the kernels read the position and
// write the force of one node, and where both had the same place a processor
// would take one for the other and wait.
func apart(number, nodes int) []r2.Vec {
	skip := 80 * number
	return make([]r2.Vec, skip+nodes)[skip : skip+nodes : skip+nodes]
}

// inverse returns 1/mass of a node in either direction, 0 where it is fixed, of a
// face or rigid [1/kg].
func (s *Solver) inverse(n int32) r2.Vec { return s.masses.Inverse(n) }

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
func (s *Solver) velocity(i int) r2.Vec {
	i = int(s.Mesh.Place(int32(i)))
	v, f, w := s.V[i], s.motion.Force(i), s.inverse(int32(i))
	half := 0.5 * s.Last
	v = r2.Vec{X: v.X + float64(half*w.X*f.X), Y: v.Y + float64(half*w.Y*f.Y)}
	if s.drives != nil && s.Static == nil && i < s.meshed {
		return s.drives.ahead(int32(i), v)
	}
	return v
}

// spin returns the angular velocity of node n, which can turn, at Time.
func (s *Solver) spin(n int32) float64 {
	if _, _, driven := s.drives.moves(n); driven && s.Static == nil {
		d := &s.drives.list[s.drives.of[n][2]]
		return d.now(s).rate.angle
	}
	return s.Spin[n] + float64(float64(0.5*s.Last*s.turning[n])*s.moment[n])
}

// Velocities fills v, one per node, with the velocities at Time [m/s].
func (s *Solver) Velocities(v []r2.Vec) {
	for i := range v {
		v[i] = s.velocity(i)
	}
}

func (k *nodes) name() string { return "nodes" }

func (k *nodes) move(kick, dt float64) { k.s.moveNodes(kick, dt) }

// bound adds what contact, as it presses now and will in the coming step, does
// to the nodes. The node where it is stiffest says why.
func (k *nodes) bound(b *bounds) {
	a := k.s.contacts.act()
	k.s.contacts.acts = a
	b.stiffness.raise(a.stiffness, Cause{atNode, a.stiffest})
	b.damping.raise(a.damping, Cause{atNode, a.mostDamped})
}

// atNode is the cause of contact that presses on the mass of a node, atBody that
// on a free rigid body.
const (
	atNode = "contact at a node"
	atBody = "contact of a rigid body"
)

func (k *nodes) energies(e *Energies) {
	s := k.s
	for from, to := range s.triangles.InUse { // there may be room for many nodes that cracks add
		for i := from; i < to; i++ {
			m := s.mass[i]
			if m == 0 {
				continue
			}
			v := s.velocity(int(i))
			e.Kinetic += float64(0.5 * m * (float64(v.X*v.X) + float64(v.Y*v.Y)))
		}
	}
}

func (k *nodes) weigh(each func(mass float64, way r2.Vec)) {
	s := k.s
	for i, m := range s.mass {
		if m == 0 {
			continue
		}
		x, x0 := s.X[i], s.Mesh.X[i]
		each(m, r2.Vec{X: x.X - x0.X, Y: x.Y - x0.Y})
	}
}

func (k *nodes) parts() []Part {
	s := k.s
	return []Part{{"positions", s.X}, {"velocities", s.V}, {"rotations", s.Theta}, {"spins", s.Spin}}
}

func (k *nodes) speed2() float64 { return k.s.team.fastest2 }

func (k *nodes) struck() float64 {
	s, sum := k.s, 0.0
	for _, n := range s.contacts.pressed {
		if s.contact.At(n).Stiffness > 0 {
			sum += s.mass[n]
		}
	}
	return sum
}

func (k *nodes) counts(each func(n int, of string)) { each(k.s.Nodes(), "nodes") }

func (k *nodes) extent(each func(place r2.Vec, diameter float64)) {
	for _, x := range k.s.Mesh.X {
		each(x, 0)
	}
}

func (k *nodes) bytes() int { return 400 * len(k.s.X) }

// stopHeld stops what is held.
func (s *Solver) stopHeld() {
	for i, m := range s.mass {
		if m == 0 {
			continue
		}
		x, y, _ := s.drives.moves(s.vertex(int32(i)))
		if s.inverse(int32(i)).X == 0 && !x {
			s.V[i].X = 0
		}
		if s.inverse(int32(i)).Y == 0 && !y {
			s.V[i].Y = 0
		}
	}
	for n := range s.Spin {
		if _, _, driven := s.drives.moves(int32(n)); s.turning[n] == 0 && !driven {
			s.Spin[n] = 0
		}
	}
}

func (k *nodes) freedoms(f *Freedoms) {
	s := k.s
	for n := range s.X[:s.meshed] {
		w := s.inverse(int32(n))
		if w.X > 0 {
			f.Moves[n][0] = f.next(1, 1/w.X)
		}
		if w.Y > 0 {
			f.Moves[n][1] = f.next(1, 1/w.Y)
		}
		if s.turning != nil && s.turning[n] > 0 {
			f.Turns[n] = f.next(s.lever, 1/s.turning[n])
		}
	}
}

func (k *nodes) displace(f *Freedoms, from *Place, by func(freedom int32) float64) {
	s := k.s
	for n := range s.X[:s.meshed] {
		m, x := &f.Moves[n], from.X[n]
		s.X[n] = r2.Vec{X: x.X + by(m[0]), Y: x.Y + by(m[1])}
	}
	for n := range s.Theta {
		s.Theta[n] = from.Theta[n] + by(f.Turns[n])
	}
}

func (k *nodes) prescribe(*Freedoms) bool { return false }
