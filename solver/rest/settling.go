package rest

import (
	"fmt"
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/contactnodes/motion"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/bodies"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Start in equilibrium by dynamic relaxation. Before the first step, bodies that rest, slide or tip
// on others are brought into balance in pseudo-time, with Cundall's local damping (P. A. Cundall,
// Distinct element models of rock and soil structure, 1987). If their weight acted suddenly, the
// force under them would oscillate between zero and twice the weight for ever, and friction would
// hold less whenever that force is small. What slides or tips gets the stress that goes with its
// acceleration as a rigid body (d'Alembert): weight less mass times acceleration is in balance with
// its support, too. Everything else stands still meanwhile. Time, history and ledger begin
// afterwards; displacements count from the mesh.

const (
	settleDamping  = 0.8            // coefficient of local damping
	SettleStep     = 0.75           // part of the stable step: local damping adds its share to every force, sqrt(1/(1 + settleDamping))
	settleDrag     = 0.03           // viscous damping of what slides or tips, in units of pi over its travel time of sound: local damping does not act on constant speed
	settleRise     = 200            // least number of steps in which the load grows from zero
	settleLag      = 0.05           // out-of-balance force, relative to the weight, above which the load does not grow
	settleSlowLag  = settleLag / 10 // the same in a second attempt, where the first does not end in balance
	settleBalance  = 3e-5           // the same at which settling ends
	settleStalled  = 1e-2           // the same that is accepted if it no longer falls
	settleFalls    = 0.7            // it no longer falls if it does not become this many times smaller within settleBlocks
	settleBlocks   = 8              // blocks of settleBlock steps
	settleBlock    = 500
	settleHopeless = 0.5   // part of the load that would act after the greatest number of steps, at the mean pace so far, below which settling is given up
	settleCalm     = 20    // steps in balance after which it ends
	settleMost     = 20000 // greatest number of steps,
	settleShare    = 0.1   // or this part of the run's, whichever is more
	settleStraying = 0.2   // greatest displacement of a node while it settles, relative to the distance of its component's nodes from the centre
	SettleAttempts = 4     // greatest number of stacks that are left out one after another
	rigidSound     = 100   // substitute for the speed of sound of rigid bodies [m/s]
)

// equilibrium is what settles, per vertex and per rigid body.
type equilibrium struct {
	component []int32   // per vertex: a component that settles, -1 for none
	load      []r2.Vec  // per vertex: weight less acceleration [m/s2]
	drag      []float64 // per vertex: viscous damping [1/s]
	reach     []float64 // per vertex: greatest distance of the component's nodes from its centre [m]
	weights   []float64 // per vertex: of what settles [N]
	rigids    []settlingRigid
	weight    float64                 // of all that settles [N]
	stacks    mesh.Connected          // the first component of each stack
	moves     bool                    // something slides or tips
	overlaps  []*contactnodes.Contact // contacts whose initial overlap is pressed apart meanwhile
}

// settlingRigid is a rigid body that settles.
type settlingRigid struct {
	component    int32 // -1 for none
	acceleration r2.Vec
	angular      float64
	drag, weight float64
}

// Outcomes of settling.
const (
	StartsSettled = 1
	StartsAsItIs  = 2
)

// Settling is the phase before the first step. Settled is State.
type Settling struct {
	system.Idle
	system.View
	rigids  *bodies.Rigids
	Settled float64 // StartsSettled or StartsAsItIs after it
	plan    *equilibrium
	Resting Resting
	on      bool
	share   float64  // of the load that acts
	lag     float64  // out-of-balance force, relative to the weight, above which that does not grow
	out     float64  // sum of out-of-balance forces [N]
	Far     bool     // a node has moved too far
	strayed int32    // the component of one of these, -1 for none
	start   []r2.Vec // positions before it [m]
	poses   []system.RigidMotion
	doSlow  func(from, to int32, sum *elementary.Terms)
}

// any tells whether anything settles.
func (p *equilibrium) any() bool {
	return slices.ContainsFunc(p.component, func(c int32) bool { return c >= 0 }) || slices.ContainsFunc(p.rigids, func(r settlingRigid) bool { return r.component >= 0 })
}

// leaveOut takes the stack of a component out of what settles.
func (p *equilibrium) leaveOut(component int32) {
	stack := p.stacks[component]
	for v, c := range p.component {
		if c >= 0 && p.stacks[c] == stack {
			p.component[v] = -1
			p.weight -= p.weights[v]
		}
	}
	for i := range p.rigids {
		if r := &p.rigids[i]; r.component >= 0 && p.stacks[r.component] == stack {
			r.component = -1
			p.weight -= r.weight
		}
	}
}

// firstMoving returns the first component that slides or tips, -1 for none.
func (p *equilibrium) firstMoving() int32 {
	for i := range p.rigids {
		if r := &p.rigids[i]; r.component >= 0 && r.drag > 0 {
			return r.component
		}
	}
	for v, c := range p.component {
		if c >= 0 && p.drag[v] > 0 {
			return c
		}
	}
	return -1
}

// leaveOutMoving takes the stacks out that slide or tip, or everything if nothing does.
func (p *equilibrium) leaveOutMoving() {
	c := p.firstMoving()
	if c < 0 {
		for v := range p.component {
			p.component[v] = -1
		}
		for i := range p.rigids {
			p.rigids[i].component = -1
		}
	}
	for ; c >= 0; c = p.firstMoving() {
		p.leaveOut(c)
	}
	p.moves = false
}

// NewSettling returns the phase before the first step: what settles is as the finder says.
func NewSettling(of system.View, rigids *bodies.Rigids, rests *RestFinder) *Settling {
	k := &Settling{View: of, rigids: rigids}
	k.plan, k.Resting = rests.find()
	k.doSlow = k.slow
	return k
}

func (k *Settling) Name() string { return "settling" }

func (k *Settling) Empty() bool { return k.plan == nil }

func (k *Settling) NodesRead(func(n int32)) bool { return true } // each node by itself, by the process that moves it

func (k *Settling) StateParts() []system.Part {
	return []system.Part{{Name: "settled", Values: &k.Settled}}
}

// AfterForces replaces the weight of what settles by the share of its load, adds the damping, and
// balances all forces on what stands still.
func (k *Settling) AfterForces() {
	if !k.on {
		return
	}
	sum := k.Sum(k.doSlow)
	var others elementary.Terms // sums of all owners
	for _, s := range k.Followed {
		k.slow(s.First, s.End, &others)
	}
	k.out, k.Far = sum[0], sum[1] > 0
	for n, w := range k.InverseInertias {
		switch {
		case !(w > 0):
		case k.plan.component[n] < 0:
			k.Moment[n], k.Spin[n] = 0, 0
		default:
			k.Moment[n] += system.Against(settleDamping, k.Moment[n], k.Spin[n])
		}
	}
	for i := range k.plan.rigids {
		k.slowRigid(i)
	}
}

// slow does this for the nodes [from, to). It adds up their out-of-balance forces, and counts those
// that have moved too far.
func (k *Settling) slow(from, to int32, sum *elementary.Terms) {
	p := k.plan
	for n := from; n < min(to, int32(k.Meshed)); n++ {
		h, v := k.Held[n], k.VertexOf(nodes.Node(n))
		if h == motion.HeldX|motion.HeldY {
			continue
		}
		all := k.Motion.Force(int(n))
		if p.component[v] < 0 {
			k.F[n], k.V[n] = r2.Sub(k.F[n], all), r2.Vec{}
			continue
		}
		m, g, load := k.Mass[n], k.Motion.Gravity, p.load[v]
		add := r2.Vec{X: float64(m * (float64(k.share*load.X) - g.X)), Y: float64(m * (float64(k.share*load.Y) - g.Y))}
		net, drag := r2.Add(all, add), p.drag[v]*m
		implicit := k.Implicit != nil && k.Implicit[v]
		damp := func(net, v float64) float64 {
			d := -float64(drag * v)
			if !implicit {
				d += system.Against(settleDamping, net, v)
			}
			return d
		}
		if h&motion.HeldX == 0 {
			sum[0] += math.Abs(net.X)
			add.X += damp(net.X, k.V[n].X)
		}
		if h&motion.HeldY == 0 {
			sum[0] += math.Abs(net.Y)
			add.Y += damp(net.Y, k.V[n].Y)
		}
		k.F[n] = r2.Add(k.F[n], add)
		if k.strays(n, v) {
			sum[1]++
		}
	}
}

// slowRigid does this for a rigid body.
func (k *Settling) slowRigid(i int) {
	r, s := &k.rigids.List[i], &k.plan.rigids[i]
	q := r.RigidMotion
	if r.Inverse == 0 || s.component < 0 {
		q.Force, q.Moment, q.Velocity, q.Spin = r2.Vec{}, 0, r2.Vec{}, 0
		return
	}
	g := k.Motion.Gravity
	q.Force.X += float64(r.Mass * (float64(k.share*(g.X-s.acceleration.X)) - g.X))
	q.Force.Y += float64(r.Mass * (float64(k.share*(g.Y-s.acceleration.Y)) - g.Y))
	q.Moment -= float64(k.share * r.Inertia * s.angular)
	k.out += math.Abs(q.Force.X) + math.Abs(q.Force.Y) + math.Abs(q.Moment)/r.Far
	q.Force.X += system.Against(settleDamping, q.Force.X, q.Velocity.X) - float64(s.drag*r.Mass*q.Velocity.X)
	q.Force.Y += system.Against(settleDamping, q.Force.Y, q.Velocity.Y) - float64(s.drag*r.Mass*q.Velocity.Y)
	q.Moment += system.Against(settleDamping, q.Moment, q.Spin) - float64(s.drag*r.Inertia*q.Spin)
	k.Far = k.Far || k.straysRigid(i)
}

// strays tells whether a node of what settles has moved too far.
func (k *Settling) strays(n int32, v nodes.Vertex) bool {
	return !(elementary.Norm(r2.Sub(k.X[n], k.start[v])) <= settleStraying*k.plan.reach[v])
}

// straysRigid tells whether a rigid body that settles has moved too far.
func (k *Settling) straysRigid(i int) bool {
	r, was := &k.rigids.List[i], &k.poses[i]
	return !(elementary.Norm(r2.Sub(r.RigidMotion.Centre, was.Centre))+math.Abs(float64((r.RigidMotion.Angle-was.Angle)*r.Far)) <= settleStraying*r.Far)
}

// farthest returns the first component that has moved too far. All nodes must be up to date.
func (k *Settling) farthest() (component int32) {
	for i := range k.plan.rigids {
		if c := k.plan.rigids[i].component; c >= 0 && k.straysRigid(i) {
			return c
		}
	}
	component = -1
	k.InUse(func(from, to int32) bool {
		for n := from; n < min(to, int32(k.Meshed)) && component < 0; n++ {
			if v := k.VertexOf(nodes.Node(n)); k.plan.component[v] >= 0 && k.Held[n] != motion.HeldX|motion.HeldY && k.strays(n, v) {
				component = k.plan.component[v]
			}
		}
		return component < 0
	})
	return component
}

// PutBack puts back what stands still, and the held directions of what settles, after a step.
func (k *Settling) PutBack() {
	k.InUse(func(from, to int32) bool {
		for n := from; n < min(to, int32(k.Meshed)); n++ {
			h, v := k.Held[n], k.VertexOf(nodes.Node(n))
			switch {
			case k.plan.component[v] < 0 || h == motion.HeldX|motion.HeldY:
				k.X[n], k.V[n] = k.start[v], r2.Vec{}
			case h&motion.HeldX != 0:
				k.X[n].X, k.V[n].X = k.start[v].X, 0
			case h&motion.HeldY != 0:
				k.X[n].Y, k.V[n].Y = k.start[v].Y, 0
			}
		}
		return true
	})
	for i := range k.rigids.List {
		r := &k.rigids.List[i]
		if k.plan.rigids[i].component >= 0 && r.Motion == nil {
			continue
		}
		*r.RigidMotion = k.poses[i]
		for _, n := range r.Nodes {
			k.X[n], k.V[n] = k.start[n], r2.Vec{}
		}
	}
}

// Unbalanced returns the out-of-balance forces relative to the weight.
func (k *Settling) Unbalanced() float64 { return k.out / k.plan.weight }

// Begin stops all bodies at the present positions, and lets the weight of what settles act from zero on.
func (k *Settling) Begin(motions []system.RigidMotion) {
	k.start, k.poses = append(k.start[:0], k.X...), append(k.poses[:0], motions...)
	clear(k.V)
	clear(k.Spin)
	for i := range motions {
		motions[i].Velocity, motions[i].Spin = r2.Vec{}, 0
		k.poses[i] = motions[i]
	}
	k.on, k.share, k.out = true, 0, 0
	for _, c := range k.plan.overlaps {
		c.PressOverlap()
	}
}

// End ends it.
func (k *Settling) End() { k.on = false }

// Moves tells whether something slides or tips.
func (k *Settling) Moves() bool { return k.plan.moves }

// Grow returns the share of the load that acts in the next step: it grows near balance.
func (k *Settling) Grow() float64 {
	if k.out < k.lag*k.plan.weight {
		k.share = min(1, k.share+1.0/settleRise)
	}
	return k.share
}

// Stray finds who has moved too far, and returns the error. All nodes must be up to date.
func (k *Settling) Stray() error {
	k.strayed = k.farthest()
	return fmt.Errorf("%s finds no equilibrium near the position of the mesh: its stack starts as it is", k.named(k.strayed))
}

// LeaveOut takes out what has found no equilibrium. It tells whether anything is left.
func (k *Settling) LeaveOut() bool {
	if k.strayed >= 0 {
		k.plan.leaveOut(k.strayed)
	} else {
		k.plan.leaveOutMoving()
	}
	return k.plan.any()
}

// FirstPace chooses the pace of a first attempt.
func (k *Settling) FirstPace() { k.lag = settleLag }

// Again tells, after a first attempt that ended with err, whether a second one in which the load grows
// more slowly may find balance, and chooses its pace.
func (k *Settling) Again(err error) bool {
	if err != nil && (k.Far || k.share < 1) || k.out < settleBalance*k.plan.weight || k.plan.moves {
		return false
	}
	k.lag = settleSlowLag
	return true
}

// named returns the name of a component's body.
func (k *Settling) named(component int32) string {
	for i := range k.plan.rigids {
		if c := k.plan.rigids[i].component; c == component {
			return fmt.Sprintf("rigid body %q", k.Rigids[i].Name)
		}
	}
	for i := range k.Model.Bodies {
		for _, n := range k.Mesh.Bodies[i].Nodes {
			if c := k.plan.component[n]; c == component {
				return fmt.Sprintf("body %q", k.Model.Bodies[i].Name)
			}
		}
	}
	return "a body"
}

// Relax returns what tells when settling ends, for a run of a duration in steps dt [s].
func (k *Settling) Relax(duration, dt float64) *relaxation {
	now := &relaxation{Settling: k, most: settleMost, least: math.Inf(1)}
	if !k.plan.moves {
		now.most = max(now.most, int(settleShare*duration/dt))
	}
	return now
}

// relaxation tells when settling ends.
type relaxation struct {
	*Settling
	most  int       // greatest number of steps
	calm  int       // steps in balance so far
	least float64   // least out-of-balance force in this block [N]
	best  []float64 // in each block since the whole load acts [N]
}

// Over tells after a step whether settling is over. It returns an error if there is no balance.
func (r *relaxation) Over(steps int) (over bool, err error) {
	weight := r.plan.weight
	if r.share < 1 {
		r.calm, r.best = 0, r.best[:0]
	} else if r.calm++; !(r.out < settleBalance*weight) {
		r.calm = 0
	}
	if r.calm > settleCalm {
		return true, nil
	}
	if r.least = min(r.least, r.out); steps%settleBlock != 0 {
		return false, nil
	}
	r.best, r.least = append(r.best, r.least), math.Inf(1)
	last := r.best[len(r.best)-1]
	stalled := len(r.best) > settleBlocks && !(last < settleFalls*r.best[len(r.best)-1-settleBlocks])
	switch {
	case !stalled && steps < r.most && !r.isHopeless(steps):
		return false, nil
	case r.share == 1 && last < settleStalled*weight:
		return true, nil
	}
	r.strayed = -1
	what := "rest on others at the start"
	if c := r.plan.firstMoving(); c >= 0 {
		what = fmt.Sprintf("slide or tip on others at the start, such as %s,", r.named(c))
	}
	return false, fmt.Errorf("bodies that %s find no equilibrium in %d steps, out-of-balance forces of %.2g of the weight remain: they start as they are", what, steps, r.out/weight)
}

// isHopeless tells whether the load grows too slowly, as in a pile whose out-of-balance forces hold it
// back all the time.
func (r *relaxation) isHopeless(steps int) bool {
	return 2*steps >= r.most && float64(r.most)*r.share < float64(settleHopeless*float64(steps))
}
