package forces

import (
	"errors"

	"fdem/contactnodes/motion"
	"fdem/materials/elementary"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// LocalDamping is the local damping of Cundall (1987), for slow loads. A node is damped by a
// share of its out-of-balance force,
//
//	d = -alpha |F| sign(v)   in x and in y,
//
// and a node with a rotation also by a share of its moment. The damping vanishes in
// equilibrium, at any position, and does not depend on frequency: in each half period of a
// vibration of any mode the amplitude is multiplied by sqrt((1 - alpha)/(1 + alpha)). A body in
// free fall falls more slowly.
//
// It acts when all other forces are known. It does not act at absorbing edges and ties, whose
// forces depend on the motion that they cause.
type LocalDamping struct {
	system.Idle
	*nodes.Field
	alpha        float64
	DampingForce []r2.Vec  // on every node at Time [N]
	moments      []float64 // moments on every node [N m]; nil without rotations
	taken        float64   // energy taken until Time [J]
	Off          bool      // bodies settle before the first step, with a damping of their own

	doSlow func(from, to int32, sum *elementary.Terms) // slow, made once
}

// NewLocalDamping makes the damping.
func NewLocalDamping(of system.View) *LocalDamping {
	k := &LocalDamping{Field: of.Field, alpha: of.Model.Damping.Local}
	if k.Empty() {
		return k
	}
	k.DampingForce, k.doSlow = make([]r2.Vec, len(k.X)), k.slow
	if k.InverseInertias != nil {
		k.moments = make([]float64, len(k.X))
	}
	return k
}

func (k *LocalDamping) Empty() bool { return k.alpha == 0 }

func (k *LocalDamping) Dissipates() bool { return k.alpha > 0 }

func (k *LocalDamping) Name() string { return "local damping" }

func (k *LocalDamping) NodesRead(func(n int32)) bool { return true } // each node by itself, by the process that moves it

func (k *LocalDamping) OfOwners() []r2.Vec { return k.DampingForce }

// against returns the damping of an out-of-balance force at a velocity. No branch depends on
// the sign of the velocity, because processors cannot predict it.
func (k *LocalDamping) against(force, v float64) float64 { return system.Against(k.alpha, force, v) }

// AfterForces adds the damping forces. It records their work in the last step: half of the work
// of the forces at its start and half of that of the forces at its end.
func (k *LocalDamping) AfterForces() {
	if k.Off {
		return
	}
	power := k.Sum(k.doSlow)[0]
	var booked elementary.Terms // sums of all owners
	for _, s := range k.Followed {
		k.slow(s.First, s.End, &booked)
	}
	for i := range k.moments {
		if !(k.InverseInertias[i] > 0) {
			continue
		}
		d := k.against(k.Moment[i], k.Spin[i])
		power += float64(k.Spin[i] * (k.moments[i] + d))
		k.moments[i] = d
		k.Moment[i] += d
	}
	k.taken -= float64(0.5 * k.Last * power)
}

// slow damps the nodes [from, to). Node by node it adds twice their mean power over the last
// step [W].
func (k *LocalDamping) slow(from, to int32, sum *elementary.Terms) {
	if to = min(to, int32(k.Meshed)); from >= to {
		return
	}
	power, f := sum[0], k.F[from:to]
	v, was, held := k.V[from:to][:len(f)], k.DampingForce[from:to][:len(f)], k.Held[from:to][:len(f)]
	alone := k.Motion.Damping == nil && k.Motion.Gravity == (r2.Vec{})
	alpha, implicit := k.alpha, k.Implicit
	for i := range f {
		h := held[i]
		if h == motion.HeldX|motion.HeldY || implicit != nil && implicit[k.VertexOf(nodes.Node(from)+nodes.Node(i))] {
			continue
		}
		all := f[i]
		if !alone {
			all = k.Motion.Force(int(from) + i)
		}
		var d r2.Vec
		if h&motion.HeldX == 0 {
			d.X = system.Against(alpha, all.X, v[i].X)
		}
		if h&motion.HeldY == 0 {
			d.Y = system.Against(alpha, all.Y, v[i].Y)
		}
		power += float64(v[i].X*(was[i].X+d.X)) + float64(v[i].Y*(was[i].Y+d.Y))
		was[i] = d
		f[i].X += d.X
		f[i].Y += d.Y
	}
	sum[0] = power
}

func (k *LocalDamping) AddEnergies(e *system.Energies) { e.DampingDissipated += k.taken }

func (k *LocalDamping) StateParts() []system.Part {
	parts := []system.Part{{Name: "local_damping", Values: &k.taken}, {Name: "local_damping_forces", Values: k.DampingForce}}
	if k.moments != nil {
		parts = append(parts, system.Part{Name: "local_damping_moments", Values: k.moments})
	}
	return parts
}

func (k *LocalDamping) Balance() error { return errors.New("local damping" + WithoutMotion) }

// WithoutMotion is the reason why a static analysis has no damping.
const WithoutMotion = " acts on what moves in time, a static analysis is in balance: leave damping out"
