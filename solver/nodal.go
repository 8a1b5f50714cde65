package solver

import (
	"fdem/solver/bodies"
	"fdem/solver/cracks"
	"fdem/solver/nodes"
	"fdem/solver/processes"
	"fdem/solver/system"
	"fdem/solver/threads"

	"gonum.org/v1/gonum/spatial/r2"
)

// nodal is the system of nodes (package nodes): the points with lumped mass that
// elements connect. Nodes move, and they rotate if elements have rotations.
type nodal struct {
	system.Idle
	system.View
	shared   *processes.Division
	outlines *bodies.Outlines
	breaking *cracks.Breaking
	loaded   []int32 // buffer of nodes with contact forces
}

// newNodal makes the nodes, which move as they are shared.
func newNodal(s system.View, shared *processes.Division, outlines *bodies.Outlines, breaking *cracks.Breaking) *nodal {
	return &nodal{View: s, shared: shared, outlines: outlines, breaking: breaking}
}

func (k *nodal) Name() string { return "nodes" }

func (k *nodal) NodesRead(func(n int32)) bool { return true }

func (k *nodal) MoveBy(kick, dt float64) { k.shared.MoveNodes(kick, dt) }

func (k *nodal) AddEnergies(e *system.Energies) {
	energy, kick := k.Kinetic()
	e.Kinetic += energy
	e.Kick += kick
}

func (k *nodal) Weights() nodes.Weight { return k.Weight() }

func (k *nodal) UseThreads(t *threads.Team) { k.Share(t.Workers, t.Run) }

func (k *nodal) StateParts() []system.Part {
	return []system.Part{{Name: "positions", Values: k.X}, {Name: "velocities", Values: k.V}, {Name: "rotations", Values: k.Theta}, {Name: "spins", Values: k.Spin}}
}

func (k *nodal) Speed2() float64 { return k.outlines.Fastest2 }

func (k *nodal) ContactMass() float64 {
	sum := 0.0
	k.loaded = k.Contact.Loaded(k.loaded[:0])
	for _, n := range k.loaded {
		if k.Contact.At(n).Stiffness > 0 {
			sum += k.Mass[n]
		}
	}
	return sum
}

func (k *nodal) EachCount(each func(n int, of string)) { each(k.breaking.Nodes(), "nodes") }

func (k *nodal) Extent(each func(position r2.Vec, diameter float64)) {
	for _, x := range k.Mesh.X {
		each(x, 0)
	}
}

func (k *nodal) Bytes() int { return 400 * len(k.X) }

func (k *nodal) Freedoms(f *system.Freedoms) {
	for n := range k.X[:k.Meshed] {
		w := k.Inverse(int32(n))
		if w.X > 0 {
			f.Moves[n][0] = f.Next(1, 1/w.X)
		}
		if w.Y > 0 {
			f.Moves[n][1] = f.Next(1, 1/w.Y)
		}
		if k.InverseInertias != nil && k.InverseInertias[n] > 0 {
			f.Rotation[n] = f.Next(k.RotationLength, 1/k.InverseInertias[n])
		}
	}
}

func (k *nodal) Displace(f *system.Freedoms, from *system.Positions, by func(freedom int32) float64) {
	for n := range k.X[:k.Meshed] {
		m, x := &f.Moves[n], from.X[n]
		k.X[n] = r2.Vec{X: x.X + by(m[0]), Y: x.Y + by(m[1])}
	}
	for n := range k.Theta {
		k.Theta[n] = from.Theta[n] + by(f.Rotation[n])
	}
}

func (k *nodal) Prescribe(*system.Freedoms) bool { return false }
