package rayleigh

import (
	"math"
	"sort"

	"fdem/materials/elementary"
	"fdem/solver/bodies"
	"fdem/solver/contacts"
	"fdem/solver/processes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Light damping of whole bodies. Bodies on elastic ground vibrate under Coulomb's law by mode
// coupling: friction follows the pressure, and it drives the motion that changes the pressure (N.
// M. Kinkaid, O. M. O'Reilly and P. Papadopoulos, Automotive disc brake squeal, J. Sound Vib. 267,
// 2003). A block then hops and creeps although the load is below the friction limit. This is a
// motion of the slowest vibrations. Stiffness-proportional damping that leaves the step as it is
// has little effect on them. So two more forces act on some nodes of each connected component:
//
//   - The first force damps the motion that is not rigid, in proportion to mass, at the rate 4 c/l,
//     with the speed of sound c and the longer side l.
//   - The second force damps the rigid motion, like a dashpot beside the support of the component.
//     The dashpot is T = l/c times the stiffness of the support. c is the speed of sound in the
//     softest body that the component touches at the start, if that is slower, with the component's
//     own density. The springs of joints are added to its compliance over the shorter side, area
//     divided by l. The force of the support is the mass times a, the acceleration by all forces
//     except gravity and damping, whatever their origin. So the force of the dashpot is the mass
//     times T da/dt, with da/dt = (a - as)/L, where as is a smoothed over the time L. Smoothed once,
//     the dashpot damps vibrations of every frequency. If a were smoothed twice, or found a step
//     late, it would drive fast vibrations, as on stiff contact. Fast changes of a have the effect
//     T/L times themselves, which makes a body lighter for them: L is T/10, or longer if the step
//     would be too long for that (setNodes). All nodes of a body get the same acceleration, so the
//     body does not vibrate. The force is zero while a component falls, rolls or slides steadily.

const (
	bodyRate   = 4   // rate of the first force in units of c/l
	heldRate   = 1   // the same for held components; a higher rate would delay their response to ramped weight
	bodyTime   = 1   // T of the second force in units of l/c
	bodySmooth = 0.1 // least ratio of L to T
	maxDashpot = 1   // greatest ratio of the second force to the weight
	heldNodes  = 256 // least number of nodes on which the first force acts, if a held component has as many
	nodeRate   = 0.1 // greatest ratio of the rate on a node to the highest frequency of the elements
	// leapfrogMargin is the ratio of the stiffness at which leapfrog becomes unstable to the
	// greatest stiffness that steps allow with a safety of 0.8.
	leapfrogMargin = 1.5
	// besideShared is a part of the stiffness that steps allow: the part of a row of nodes between
	// two others, as in a chain of equal masses.
	besideShared = 0.5
	// besideJoint is the part of that stiffness that joints have on nodes of both blocks. The
	// springs of a joint have at most twice the squared frequency of the corners of its triangles,
	// and steps allow for three times. A node at a joint has three such corners.
	besideJoint = 0.45
)

// bodyDamping is the light damping of whole bodies.
type bodyDamping struct {
	system.View
	triangles *bodies.Continuum
	breaking  contacts.Broken
	shared    *processes.Division
	highest   float64    // frequency of the elements [1/s]
	supports  []float64  // per triangle: Young's modulus of the softest body that it is in contact with at the start [Pa]
	joints    []float64  // per triangle: least normal stiffness of the joints beside it [Pa/m]; infinity for none
	whole     [][3]int32 // nodes of the triangles before any crack
	before    []float64  // mass per vertex before any crack [kg]
	mass      []float64  // per node: mass of the triangles of its component [kg]
	free      []bool     // per vertex: nothing holds, drives or rotates it at the start
	border    []r2.Vec   // per vertex: the fractions of outlines at it across x and across y
	outer     []r2.Vec   // the same, at least besideJoint at joints and besideShared beside nodes that are not of one component
	moving    []bool     // per body: it has a velocity at the start
	fixed     []fixedCorner
	driven    []int32 // driven triangles
	acts      bool    // the damping has been made; before, nothing has broken or been excavated
	resumed   bool    // the bodies have still to be formed as the state says
	Groups    []dampedBody
	nodes     []int32 // nodes on which it acts, body after body
	rate      float64 // greatest rate on a node [1/s]
	next      []float64
	moves     []rigidMotion
	workers   int
	share     float64 // share of the forces to add
	part      float64 // part of that share that takes no more energy than allowed
	commit    bool    // the state advances to Time

	doMove, doSpread func(worker int) // moveBodies and spreadBodies, made once

	motions []float64 // a bodyMotion of each body
	Formed  float64   // edges that broke up to this time have divided the bodies [s]
	split   []int32   // nodes into which joints had split vertices by that time, each of one body
}

// bodyMotion is the state of a body: values along x, along y and of rotation.
type bodyMotion []float64

const bodyValues = 4

func (m bodyMotion) smoothed() []float64 { return m[0:3] } // smoothed acceleration by the support [m/s2]

func (m bodyMotion) known() *float64 { return &m[3] } // 1 if smoothed has a value

// Forget forgets the smoothed accelerations: the next ones are the first.
func (k *bodyDamping) Forget() {
	for i := range k.Groups {
		*k.kept(k.motions, i).known() = 0
	}
}

// addForces adds a share of the damping to the damping forces at Time. Its work in a step is
// limited to most [J]. With commit the state advances to Time.
func (k *bodyDamping) addForces(share, most float64, commit bool) error {
	if k.resumed {
		if err := k.resume(); err != nil {
			return err
		}
	}
	if len(k.Groups) == 0 {
		return nil
	}
	k.share, k.part, k.commit = share, 1, commit
	k.parallel(k.doMove)
	takes := 0.0
	for i := range k.moves {
		takes += k.moves[i].takes
	}
	if most = max(most, 0); takes > most {
		k.part = most / takes
	}
	k.parallel(k.doSpread)
	return nil
}

// fewBodyNodes is the number of nodes below which one worker does the work.
const fewBodyNodes = 4000

// parallel calls do once for each worker, or once if there is only one.
func (k *bodyDamping) parallel(do func(worker int)) {
	k.workers = 1
	if t := k.shared.Team; t.Workers > 1 && len(k.nodes) >= fewBodyNodes {
		k.workers = t.Workers
		t.Run(do)
		return
	}
	do(0)
}

// portion returns the bodies [from, to) of a worker, such that all workers have nearly equal
// numbers of nodes. No two bodies have a node in common.
func (k *bodyDamping) portion(worker int) (from, to int) {
	first := func(worker int) int {
		node := int32(worker * len(k.nodes) / k.workers)
		return sort.Search(len(k.Groups), func(i int) bool { return k.Groups[i].first >= node })
	}
	return first(worker), first(worker + 1)
}

// moveBodies finds the motion of a worker's bodies, and the forces of damping.
func (k *bodyDamping) moveBodies(worker int) {
	from, to := k.portion(worker)
	for i := from; i < to; i++ {
		b, next, m := &k.Groups[i], k.kept(k.next, i), &k.moves[i]
		copy(next, k.kept(k.motions, i))
		k.move(b, m)
		if !b.held {
			k.brake(b, k.share, m, next)
		}
		m.takes = float64(k.Last * m.power(b, k.share))
	}
}

// spreadBodies adds the forces on the nodes of a worker's bodies, and updates their state.
func (k *bodyDamping) spreadBodies(worker int) {
	from, to := k.portion(worker)
	for i := from; i < to; i++ {
		k.spread(&k.Groups[i], float64(k.part*k.share), &k.moves[i])
		if k.commit {
			copy(k.kept(k.motions, i), k.kept(k.next, i))
		}
	}
}

// kept returns the entry of body i in a list of states.
func (k *bodyDamping) kept(of []float64, i int) bodyMotion {
	return of[bodyValues*i : bodyValues*(i+1)]
}

// rigidMotion is the motion of a body's nodes: the rigid motion that has their linear and angular
// momentum, and their energy.
type rigidMotion struct {
	centre        r2.Vec
	velocity      [3]float64 // along x, along y [m/s] and of rotation [rad/s]
	acceleration  [3]float64 // by all forces except weight and damping
	dashpot       [3]float64 // acceleration by the dashpot
	mass, inertia float64    // of the nodes [kg], [kg m2]
	twice         float64    // twice their kinetic energy [J]
	more          float64    // ratio of the body's mass to the nodes' mass
	rate          float64    // of the mass-proportional damping [1/s]
	takes         float64    // energy that damping would take in the last step [J]
}

// power returns the power that damping removes [W].
func (m *rigidMotion) power(b *dampedBody, share float64) float64 {
	rigid, given := 0.0, 0.0
	for j, w := range [...]float64{m.mass, m.mass, m.inertia} {
		rigid += float64(w * m.velocity[j] * m.velocity[j])
		given += float64(w * m.velocity[j] * m.dashpot[j])
	}
	return m.more * (float64(share*m.rate*(m.twice-rigid)) - given)
}

// move finds the motion of a body. Its sums stay in registers, because each of the two loops has
// few of them.
func (k *bodyDamping) move(b *dampedBody, m *rigidMotion) {
	nodes, masses := k.nodes[b.first:b.end], k.Mass
	positions, speeds, forces := k.X[:len(masses)], k.V[:len(masses)], k.F[:len(masses)]
	var x, v r2.Vec
	mass, twice := 0.0, 0.0
	for _, n := range nodes {
		w, p, u := masses[n], positions[n], speeds[n]
		mass += w
		x.X += float64(w * p.X)
		x.Y += float64(w * p.Y)
		v.X += float64(w * u.X)
		v.Y += float64(w * u.Y)
		twice += float64(w * (float64(u.X*u.X) + float64(u.Y*u.Y)))
	}
	*m = rigidMotion{mass: mass, twice: twice}
	if mass > 0 {
		m.more = b.mass / mass
		m.rate = min(b.rate, float64(nodeRate*k.highest/m.more)) // cracks have given part of the nodes' mass to others
	}
	if b.held || mass == 0 {
		return
	}
	centre := r2.Vec{X: x.X / mass, Y: x.Y / mass}
	var f r2.Vec
	spin, couple, inertia := 0.0, 0.0, 0.0
	for _, n := range nodes {
		w, u, p := masses[n], speeds[n], forces[n]
		dx, dy := positions[n].X-centre.X, positions[n].Y-centre.Y
		f.X += p.X
		f.Y += p.Y
		couple += float64(dx*p.Y) - float64(dy*p.X)
		spin += float64(w * (float64(dx*u.Y) - float64(dy*u.X)))
		inertia += float64(w * (float64(dx*dx) + float64(dy*dy)))
	}
	m.centre, m.inertia = centre, inertia
	m.velocity = [3]float64{v.X / mass, v.Y / mass, spin / inertia}
	m.acceleration = [3]float64{f.X / mass, f.Y / mass, couple / inertia}
}

// brake finds the dashpot's accelerations from those by the support, and advances the smoothed
// values in kept.
func (k *bodyDamping) brake(b *dampedBody, share float64, m *rigidMotion, kept bodyMotion) {
	smoothed, dashpot := kept.smoothed(), &m.dashpot
	part := k.Last / (b.smooth + k.Last)
	for j, a := range m.acceleration {
		if *kept.known() == 0 {
			smoothed[j] = a
		}
		smoothed[j] += float64(part * (a - smoothed[j]))
		dashpot[j] = share * (b.time / b.smooth) * (a - smoothed[j])
	}
	*kept.known() = 1
	turning := float64(b.arm * dashpot[2])
	size := math.Sqrt(float64(dashpot[0]*dashpot[0]) + float64(dashpot[1]*dashpot[1]) + float64(turning*turning))
	if most := maxDashpot * elementary.Norm(k.Model.Gravity); size > most {
		for j := range dashpot {
			dashpot[j] *= most / size
		}
	}
}

// spread adds the forces on the nodes of a body.
func (k *bodyDamping) spread(b *dampedBody, share float64, m *rigidMotion) {
	rate, centre, more := share*m.rate, m.centre, m.more
	ax, ay, turn := float64(k.part*m.dashpot[0]), float64(k.part*m.dashpot[1]), float64(k.part*m.dashpot[2])
	vx, vy, spin := m.velocity[0], m.velocity[1], m.velocity[2]
	positions, speeds, masses, forces := k.X, k.V, k.Mass, k.Motion.Damping
	for _, n := range k.nodes[b.first:b.end] {
		d, w, v, f := r2.Sub(positions[n], centre), float64(more*masses[n]), speeds[n], &forces[n]
		f.X += float64(w * (ax - float64(turn*d.Y) - float64(rate*(v.X-(vx-float64(spin*d.Y))))))
		f.Y += float64(w * (ay + float64(turn*d.X) - float64(rate*(v.Y-(vy+float64(spin*d.X))))))
	}
}

func (k *bodyDamping) Parts() []system.Part {
	if !k.acts {
		return nil
	}
	return []system.Part{{Name: dampedBodiesPart, Values: &k.motions}, {Name: "damping_formed", Values: &k.Formed}, {Name: "damping_parted", Values: &k.split}}
}
