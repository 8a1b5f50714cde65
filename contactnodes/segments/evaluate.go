package segments

import (
	"fdem/contactnodes/coulomb"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Step is the arguments of an evaluation at positions X and time T, after a step DT that led there
// with velocities V; nil for none.
type Step struct {
	X, V      []r2.Vec
	T, DT     float64
	Next      Next
	LookAhead float64 // greatest distance in front of an edge at which a pair counts for the time step [m]
	Commit    bool
	Friction  *coulomb.Friction
	Ramp      float64 // time over which offsets are ramped out; 0 for offsets that stay until they open [s]
	Corrects  bool    // leapfrog is corrected for halves that touch or separate within a step
}

// minParallel is the least number of awake halves that are divided among workers.
const minParallel = 128

// Evaluate finds what touches, and its forces. With commit it updates the state. It fails if
// something is too deep.
func (k *Contact) Evaluate(s Step) *TooDeep {
	k.Clear()
	if k.IsIdle() {
		return nil
	}
	k.now = arguments{x: s.X, v: s.V, t: s.T, dt: s.DT, next: s.Next, most: s.LookAhead, commits: s.Commit, friction: s.Friction, stiffest: s.Friction.Stiffest(k.Stiffness) / k.Stiffness, corrects: s.Corrects && s.DT > 0 && len(k.Offsets) == 0}
	k.setFraction(s.Ramp)
	k.sleep.wake(k)
	k.frames.step++
	for _, n := range k.awake {
		k.frame(k.pairs[n>>1].edge[1-n&1])
	}
	for len(k.halves) < len(k.awake) {
		k.halves = append(k.halves, half{})
	}
	k.spread(len(k.awake))
	if e := k.gather(); e != nil {
		k.Clear()
		return e
	}
	k.rub()
	k.distribute()
	if s.Commit {
		k.commit()
	}
	return nil
}

// spread finds the awake halves with all workers.
func (k *Contact) spread(n int) {
	shared := k.shared != nil && k.shared.Workers > 1 && n >= minParallel
	if !shared {
		k.findHalves(0, n)
		return
	}
	k.shared.Do(4*k.shared.Workers, true, k.doFind)
}

func (k *Contact) findChunk(i int) { k.findHalves(k.shared.Share(i, len(k.awake))) }

// findHalves finds the awake halves [first, end).
func (k *Contact) findHalves(first, end int) {
	x, v, moves := k.now.x, k.now.v, k.now.v != nil
	var at ends
	for n := first; n < end; n++ {
		p, own := &k.pairs[k.awake[n]>>1], k.awake[n]&1
		e, o := p.nodes[own], p.nodes[1-own]
		at.a, at.b, at.c, at.d = x[e[0]], x[e[1]], x[o[0]], x[o[1]]
		if moves {
			at.va, at.vb, at.vc, at.vd = v[e[0]], v[e[1]], v[o[0]], v[o[1]]
		}
		h, other := &k.halves[n], p.edge[1-own]
		h.stiffness = p.stiffness[own]
		h.find(&k.frames.of[other], &at, &k.now, k.offsetOf(p), k.Depth[other])
	}
}

// touch is a half in contact.
type touch struct {
	half    int32 // index in halves, or -1 - index in sectors
	pair    int32
	own     int8 // of the pair's edges
	group   int32
	general int32 // index in general, -1 for none
}

// gather lists the halves in contact, in the order of the pairs, and adds what counts for the time
// step. Halves that have nothing may fall asleep.
func (k *Contact) gather() *TooDeep {
	for n, at := range k.awake {
		h := &k.halves[n]
		p, own := &k.pairs[at>>1], int(at&1)
		sector := k.frames.of[p.edge[1-own]].sector
		if h.covered == 0 && h.ahead == 0 && !h.beyond && !sector {
			k.sleep.fall(k, at)
			continue
		}
		if p.offset >= 0 {
			o := &k.Offsets[p.offset]
			o.whole = max(o.whole, h.whole)
		}
		something := h.covered > 0 || h.ahead > 0
		switch {
		case h.beyond:
			found, e := k.findDeep(h, p, own)
			if e != nil {
				return e
			}
			if found {
				k.addTouch(int32(n), at, int32(len(k.general)-1))
			}
		case h.covered > 0:
			k.addTouch(int32(n), at, -1)
		}
		if sector && k.addSector(p, at) {
			something = true
		}
		if h.ahead > 0 {
			k.addAhead(p, own, h)
		}
		if something {
			k.sleep.tests[at] = 1
		} else {
			k.sleep.fall(k, at)
		}
	}
	return nil
}

// findDeep finds a half of which a part is nearly as deep as the limit of the other edge, or deeper,
// by package pairs. It fails if it is too deep.
func (k *Contact) findDeep(h *half, p *pair, own int) (found bool, deep *TooDeep) {
	i, j := p.edge[own], p.edge[1-own]
	limit := k.MaxDepth * max(k.Depth[i], k.Depth[j])
	e := &k.outline.Edges[i]
	a, b := k.now.x[e.A], k.now.x[e.B]
	u, v := h.lo, h.hi
	if h.run > 0 {
		u, v = v, u
	}
	depth, least := h.depth0+float64(u*h.run), h.depth0+float64(v*h.run)
	if depth > limit && least < k.Depth[j] { // otherwise it has come through another edge
		return false, &TooDeep{i, j, r2.Vec{X: a.X + float64(u*(b.X-a.X)), Y: a.Y + float64(u*(b.Y-a.Y))}, depth, limit}
	}
	return k.findGeneral(h, i, j, false, k.offsetOf(p)), nil
}

// addSector adds the part of the own edge in the sector of a re-entrant corner.
func (k *Contact) addSector(p *pair, at int32) bool {
	own := int(at & 1)
	h := half{stiffness: p.stiffness[own]}
	if !k.findGeneral(&h, p.edge[own], p.edge[1-own], true, k.offsetOf(p)) {
		return false
	}
	k.sectors = append(k.sectors, h)
	k.addTouch(int32(-len(k.sectors)), at, int32(len(k.general)-1))
	if k.now.commits && k.now.v != nil {
		h.ahead, h.at, h.under = h.covered, 0.5*(h.lo+h.hi), 0
		k.addAhead(p, own, &h)
	}
	return true
}

func (k *Contact) offsetOf(p *pair) float64 {
	if p.offset < 0 {
		return 0
	}
	return float64(k.now.fraction * k.Offsets[p.offset].Depth)
}

func (k *Contact) addTouch(h, at, general int32) {
	k.touches = append(k.touches, touch{half: h, pair: at >> 1, own: int8(at & 1), general: general, group: k.pairs[at>>1].group[at&1]})
}

// halfOf returns the half of a touch.
func (k *Contact) halfOf(t *touch) *half {
	if t.half < 0 {
		return &k.sectors[-1-t.half]
	}
	return &k.halves[t.half]
}

// nodeLoad is the force on a node and its stiffness there.
type nodeLoad struct {
	force     r2.Vec  // [N]
	stiffness float64 // sum of the absolute values in the node's row of the stiffness matrix [N/m]
	loaded    bool
}

// EachNode calls the function with the nodes with a load, its force [N] and its stiffness [N/m], see
// nodeLoad.
func (k *Contact) EachNode(each func(node int32, force r2.Vec, stiffness float64)) {
	for _, n := range k.onNodes {
		on := &k.on[n]
		each(k.nodes[n], on.force, on.stiffness)
	}
}

func (k *Contact) clearLoads() {
	for _, n := range k.onNodes {
		k.on[n] = nodeLoad{}
	}
	k.onNodes = k.onNodes[:0]
}

// node returns the load of a node, for adding to it.
func (k *Contact) node(n int32) *nodeLoad {
	on := &k.on[n]
	if !on.loaded {
		on.loaded = true
		k.onNodes = append(k.onNodes, n)
	}
	return on
}

// addAhead adds the stiffness of a half now and in the next steps.
func (k *Contact) addAhead(p *pair, own int, h *half) {
	stiff := float64(2 * h.stiffness * h.ahead * k.now.stiffest)
	e, o := k.ends[p.edge[own]], k.ends[p.edge[1-own]]
	k.node(e[0]).stiffness += float64((1 - h.at) * stiff)
	k.node(e[1]).stiffness += float64(h.at * stiff)
	k.node(o[0]).stiffness += float64((1 - h.under) * stiff)
	k.node(o[1]).stiffness += float64(h.under * stiff)
	if h.covered == 0 {
		k.Coming++
	}
	if energy := k.energyOf(p); energy > 0 {
		k.ImpactLoss += h.loss / energy
	}
}

// energyOf returns the energy by which the losses of a pair are divided [J], 0 for none.
func (k *Contact) energyOf(p *pair) float64 {
	energy := k.now.next.Energy
	if speed2 := float64(k.now.next.Speed * k.now.next.Speed); k.Mass != nil && speed2 > 0 {
		energy = max(energy, 0.5*p.mass*speed2)
	}
	return energy
}

// distribute adds the forces of all touches to those of the nodes, and to the sums.
func (k *Contact) distribute() {
	for i := range k.touches {
		t := &k.touches[i]
		p, h := &k.pairs[t.pair], k.halfOf(t)
		friction := k.frictionOf(t, h)
		e, o := k.ends[p.edge[t.own]], k.ends[p.edge[1-t.own]]
		var f [4]r2.Vec
		if t.general >= 0 {
			f = k.generalForces(t, p, h, friction)
		} else {
			f = h.forces(friction)
		}
		for n, node := range [4]int32{e[0], e[1], o[0], o[1]} {
			on := k.node(node)
			on.force.X += f[n].X
			on.force.Y += f[n].Y
		}
		k.Normal += h.normal
		k.Tangential += friction
		k.Stored += h.energy
		if side := float64(p.side[t.own]); side != 0 {
			k.Resultant.X += float64(side * (f[0].X + f[1].X))
			k.Resultant.Y += float64(side * (f[0].Y + f[1].Y))
			a, b := k.now.x[k.nodes[e[0]]], k.now.x[k.nodes[e[1]]]
			k.Moment += float64(side * (elementary.Cross(a, f[0]) + elementary.Cross(b, f[1])))
		}
	}
	k.Touching = len(k.touches)
}

// forces returns the forces of a half on the ends of the own and of the other edge, with a friction
// along the other edge [N].
func (h *half) forces(friction float64) [4]r2.Vec {
	r := r2.Vec{
		X: float64(friction*h.along.X) - float64(h.normal*h.inward.X),
		Y: float64(friction*h.along.Y) - float64(h.normal*h.inward.Y),
	}
	couple := float64(friction * h.depth * h.per)
	qx, qy := float64(couple*h.inward.X), float64(couple*h.inward.Y)
	u, s := h.position, h.foot
	v, w := 1-u, 1-s
	return [4]r2.Vec{
		{X: float64(v * r.X), Y: float64(v * r.Y)}, {X: float64(u * r.X), Y: float64(u * r.Y)},
		{X: -float64(w*r.X) - qx, Y: -float64(w*r.Y) - qy}, {X: qx - float64(s*r.X), Y: qy - float64(s*r.Y)},
	}
}

// generalForces is forces for a half found by package pairs.
func (k *Contact) generalForces(t *touch, p *pair, h *half, friction float64) [4]r2.Vec {
	f := k.general[t.general].force
	e, o := &k.outline.Edges[p.edge[t.own]], &k.outline.Edges[p.edge[1-t.own]]
	x := k.now.x
	a, b, c, d := x[e.A], x[e.B], x[o.A], x[o.B]
	at := r2.Vec{X: a.X + float64(h.position*(b.X-a.X)), Y: a.Y + float64(h.position*(b.Y-a.Y))}
	along := r2.Vec{X: d.X - c.X, Y: d.Y - c.Y}
	for n, g := range frictionOn(h, at, c, along, elementary.Dot(along, along)) {
		f[n].X += float64(friction * g.X)
		f[n].Y += float64(friction * g.Y)
	}
	return f
}

// commit stores the results in the state, and updates the account of work: the change of the stored
// energy, and the heat of friction by the trapezoidal rule.
func (k *Contact) commit() {
	k.commitOffsets()
	k.NormalWork = k.Stored - k.StoredBefore
	k.StoredBefore = k.Stored
	k.commitFriction()
	k.raisePeaks()
}

// meanLoss is the loss of leapfrog at a first contact, see kick.go of package contactnodes.
const meanLoss = 1.0 / 16

// correct corrects the force of a half of which a part has begun to press in the last step, or will
// separate in the next one. displacement is the change of the depth in a step [m].
func (h *half) correct(displacement float64) {
	d0, d1 := max(0, h.depth0+float64(h.lo*h.run)), max(0, h.depth0+float64(h.hi*h.run))
	lo, hi := min(d0, d1), max(d0, d1)
	if lo < displacement {
		h.normal += float64(h.stiffness * h.covered * displacement * kickCorrection(lo/displacement, hi/displacement))
	}
}

// kickCorrection returns the mean of meanLoss - s/2 + s²/2 over depths from lo to hi, in units of the
// displacement in a step, with lo < 1. Depths above 1 add nothing.
func kickCorrection(lo, hi float64) float64 {
	if hi-lo < 1e-6 {
		return meanLoss - float64(0.5*lo*(1-lo))
	}
	integral := func(s float64) float64 { return float64(s * (meanLoss - float64(s*(0.25-s/6)))) }
	return (integral(min(1, hi)) - integral(lo)) / (hi - lo)
}

// deepest returns the greatest depth of a half.
func (h *half) deepest() float64 {
	return max(0, h.depth0+float64(h.lo*h.run), h.depth0+float64(h.hi*h.run))
}
