package fracture

import (
	"cmp"
	"math"
	"slices"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// frame is a crack's directions and length, see crack.frame, and its opening.
type frame struct {
	n, t          r2.Vec
	length        float64
	opening, slip [2]float64 // at the ends [m]
}

// frame returns the crack's current normal n out of A, its tangent t from From to To, and
// its length l [m]. The midpoints of opposite nodes define them.
func (c *crack) frame(x []r2.Vec) (n, t r2.Vec, l float64) {
	a0, a1, b0, b1 := x[c.node[0]], x[c.node[1]], x[c.node[2]], x[c.node[3]]
	d := r2.Vec{X: 0.5 * ((a1.X - a0.X) + (b1.X - b0.X)), Y: 0.5 * ((a1.Y - a0.Y) + (b1.Y - b0.Y))}
	l = length(d)
	t = r2.Vec{X: d.X / l, Y: d.Y / l}
	return r2.Vec{X: t.Y, Y: -t.X}, t, l
}

// AddForces adds the forces of all cracks at positions x to f [N] and advances their
// memory to the given time [s]. A second call at the same x gives the same. Forces are
// the exact gradient of the points' potentials. The gradient includes the rotation of the
// frame, so a free body keeps its angular momentum, and rotation does no work:
//
//	M = sum w (T_n D_s - T_s D_n),  -+ M n/(2 l) at the two ends
//
// Where Separate has transferred a part of the faces to contact, only the rest counts.
// Without calls of Separate, broken faces become detached when they carry no load and their
// distance exceeds the length of the edge.
func (z *Zone) AddForces(f, x []r2.Vec, time float64) {
	z.since, z.taken = max(0, time-z.taken), time
	z.x, z.f, z.time = x, f, time // Energies needs positions after the first opening
	n := len(z.order)
	if n == 0 {
		return
	}
	z.computeQuads(&z.workers[0], z.sorted/lanes, len(z.quads))
	z.parallel(n >= fewCracks, z.doForces)
	for i := range z.workers {
		p := &z.workers[i]
		for _, q := range p.deferred {
			z.add(q, 0, p.below)
		}
	}
	z.arm = 0
	if slices.ContainsFunc(z.changed, func(edge int32) bool { return z.cracks[z.crackOf[edge]].detached }) {
		z.broken = slices.DeleteFunc(z.broken, func(k int32) bool { return z.cracks[k].detached })
	}
	for i := range z.workers {
		p := &z.workers[i]
		z.arm = max(z.arm, p.arm, p.arms[0], p.arms[1], p.arms[2], p.arms[3])
		z.broken = append(z.broken, p.broken...)
		p.arm, p.arms, p.broken = 0, [lanes]float64{}, p.broken[:0]
	}
}

// computeForces computes the forces of a worker's cracks in the order of memory, and adds them
// while they are in the cache. AddForces has already computed the cracks that are not sorted yet.
// Additions to nodes in pages that an earlier worker's edges also reach are deferred.
func (z *Zone) computeForces(worker int) {
	p := &z.workers[worker]
	p.deferred = p.deferred[:0]
	first, end := z.portion(worker, z.sorted/lanes)
	at, last := z.orderIndex(first), z.orderIndex(end)
	if worker == len(z.workers)-1 {
		last = len(z.order)
	}
	if at == last {
		return
	}
	p.below = 0
	if at > 0 {
		p.below = z.reached[z.cracks[z.order[at]].edge] * z.pages.Slots * stride
	}
	for first < end || at < last {
		next := min(first+batch, end)
		z.computeQuads(p, first, next)
		first = next
		to := at
		for to < last && !(first < end && int(z.order[to]) >= lanes*first && int(z.order[to]) < z.sorted) { // taken
			to++
		}
		for ; at < to; at++ {
			if z.kernel.add != nil {
				if at += z.kernel.add(z.quads, z.order[at:to], z.f, p.below); at == to {
					break
				}
			}
			if q := z.order[at]; z.add(q, p.below, math.MaxInt32) {
				p.deferred = append(p.deferred, q)
			}
		}
	}
}

// orderIndex returns the index in z.order of the first crack of a quad. For a quad after the sorted
// cracks it returns the length of z.order.
func (z *Zone) orderIndex(quad int) int {
	k := lanes * quad
	if k == 0 {
		return 0
	}
	if k >= z.sorted {
		return len(z.order)
	}
	at, _ := slices.BinarySearchFunc(z.order, z.cracks[k].edge, func(q, edge int32) int { return cmp.Compare(z.cracks[q].edge, edge) })
	return at
}

// add adds the forces of a crack to its nodes at offsets [from, to) of z.f [bytes]. It tells
// whether some of its nodes are outside of this range.
func (z *Zone) add(crack, from, to int32) (some bool) {
	q, lane := z.at(crack)
	for k := range q.node {
		n := q.node[k][lane]
		if n < from || n >= to {
			some = true
			continue
		}
		at := &z.f[uint32(n)/stride]
		at.X, at.Y = at.X+q.force[k][0][lane], at.Y+q.force[k][1][lane]
	}
	return some
}

// fewCracks is the number of cracks below which one worker does the work.
const fewCracks = 500

// Workers lets n workers compute forces and search vertices; run calls a function once for
// each worker's number. The number of workers does not change a bit of the results.
func (z *Zone) Workers(n int, run func(do func(worker int))) {
	z.phase, z.workers, z.scan.searchers = run, make([]crackWorker, n), make([]searcher, n)
	z.doForces, z.doSeparate, z.doSearch, z.doEmission = z.computeForces, z.separateFaces, z.searchFans, z.computeEmission
	z.doStress, z.doStrain, z.doCorners = z.computeStress, z.selectStrained, z.computeCorners
}

// batch is the number of quads that the kernel computes in one call.
const batch = 16

// crackWorker has the buffers and the findings of one worker.
type crackWorker struct {
	arm      float64 // see Zone.arm
	arms     [lanes]float64
	broken   []int32 // cracks that break
	changed  []int32 // see Zone.changed
	list     []int32 // cracks that the kernel leaves to evaluate
	deferred []int32 // cracks that have yet to add to nodes below a position [bytes]
	below    int32
	memory   [cohesive.Memories]float64 // of the current point
	_        [64]byte
}

// parallel calls do once for each worker: at the same time where there is much to do, else one after the other.
func (z *Zone) parallel(much bool, do func(worker int)) {
	if much && len(z.workers) > 1 {
		z.phase(do)
		return
	}
	for w := range z.workers {
		do(w)
	}
}

// portion returns the range [first, end) of n items that belongs to a worker.
func (z *Zone) portion(worker, n int) (first, end int) {
	of := len(z.workers)
	return worker * n / of, (worker + 1) * n / of
}

// computeQuads computes the forces of the cracks in the quads [first, end).
func (z *Zone) computeQuads(p *crackWorker, first, end int) {
	if first == end {
		return
	}
	quads := z.quads[first:end]
	p.list = slices.Grow(p.list[:0], len(quads))[:len(quads)]
	for _, of := range p.list[:z.kernel.compute(quads, z.balances[first:end], z.x, z.f, p.list, &p.arms, z.thickness)] {
		k := lanes * (first + int(of/16))
		for lane := range min(lanes, len(z.cracks)-k) {
			if of&(1<<lane) != 0 && !z.cracks[k+lane].detached {
				z.evaluate(int32(k+lane), p)
			}
		}
	}
}

// measureGaps sets f to the frame of a crack and to the openings and slips at its ends [m].
func (c *crack) measureGaps(x []r2.Vec, f *frame) {
	f.n, f.t, f.length = c.frame(x)
	for end := range 2 {
		a, b := x[c.node[end]], x[c.node[2+end]]
		dx, dy := b.X-a.X, b.Y-a.Y
		f.opening[end] = float64(dx*f.n.X) + float64(dy*f.n.Y)
		f.slip[end] = float64(dx*f.t.X) + float64(dy*f.t.Y)
	}
}

// evaluate evaluates the law of crack k and sets the forces of the crack. It raises the arm of the
// worker, see Zone.arm.
func (z *Zone) evaluate(k int32, by *crackWorker) {
	c := &z.cracks[k]
	var now frame
	c.measureGaps(z.x, &now)
	n, t, l := now.n, now.t, now.length
	law := z.lawOf(c)
	q, lane := z.at(k)
	var force [2]r2.Vec
	moment, far, carriedGap2, energy := 0.0, 0.0, 0.0, 0.0
	broken, torn, carries := true, false, false
	kept := 1 - c.contactShare
	for end, open := range c.open {
		if !open {
			broken = false
			continue
		}
		p, b := z.pointOf(k, end)
		opening, slip := now.opening[end], now.slip[end]
		z.getMemory(k, end, &by.memory)
		normal, shear, stored, frictionHeat := 0.0, 0.0, 0.0, 0.0
		if springs := z.regions[c.region].Springs; springs != nil {
			normal, shear, stored, frictionHeat = springs.Advance(b, &by.memory, opening, slip, z.since)
			if springs.Bond != nil {
				p.mixity = by.memory[cohesive.Sheared]
			}
		} else {
			if b.Pressure > 0 {
				b.BalanceContact(&by.memory, opening, z.since, z.release(k))
			}
			if z.balances[uint32(k)/lanes][end][ofPending][lane] > 0 && b.BalanceCohesion(&by.memory, opening, slip, q.slips[end][ofHeat][lane], z.since, z.release(k)) {
				p.breaks = z.breaksAt(c.region, b)
			}
			normal, shear, stored, frictionHeat = law.AdvanceIn(b, &by.memory, opening, slip, z.since, nil)
			if b.Pressure > 0 {
				frictionHeat = cohesive.FrictionHeat(&by.memory, frictionHeat)
			}
		}
		z.setMemory(k, end, &by.memory)
		q.slips[end][ofHeat][lane] += float64(kept * frictionHeat)
		if z.balances[uint32(k)/lanes][end][ofPending][lane] > 0 && b.Balanced(&by.memory, q.slips[end][ofHeat][lane]) {
			z.updateQuad(k)
		}
		energy += float64(c.weight * stored)
		gap2 := float64(opening*opening) + float64(slip*slip)
		far = max(far, gap2)
		if normal != 0 || shear != 0 {
			carries, carriedGap2 = true, max(carriedGap2, gap2)
		}
		if z.fluid.pressure != nil {
			normal -= z.fluid.pressure[k][end]
		}
		tn, ts := kept*c.weight*normal, kept*c.weight*shear
		force[end] = r2.Vec{X: float64(tn*n.X) + float64(ts*t.X), Y: float64(tn*n.Y) + float64(ts*t.Y)}
		moment += float64(tn*slip) - float64(ts*opening)
		whole := p.kappa < p.breaks
		if law.Rate != nil {
			whole = by.memory[cohesive.Integrity] > 0
		}
		broken, torn = broken && !whole, torn || !whole
	}
	g := 0.5 * moment / l
	turn := r2.Vec{X: float64(g * n.X), Y: float64(g * n.Y)}
	h := z.transferForce(k, energy)
	z.setForce(k, 0, r2.Vec{X: force[0].X - turn.X - h.X, Y: force[0].Y - turn.Y - h.Y})
	z.setForce(k, 1, r2.Vec{X: force[1].X + turn.X - h.X, Y: force[1].Y + turn.Y - h.Y})
	z.setForce(k, 2, r2.Vec{X: h.X - (force[0].X + turn.X), Y: h.Y - (force[0].Y + turn.Y)})
	z.setForce(k, 3, r2.Vec{X: turn.X - force[1].X + h.X, Y: turn.Y - force[1].Y + h.Y})
	// Faces that rotate about an end that still holds, as about a hinge, break when they have
	// opened too far: the normal of folded faces is not defined.
	if !c.broken && (broken || torn && far > hingeOpening*c.length2) {
		c.broken, z.histories[k].broken = true, z.time
		z.recordPotency(k, &now)
		by.broken = append(by.broken, k)
	}
	switch {
	case carries:
		by.arm = max(by.arm, carriedGap2/float64(l*l))
	case c.broken && far > c.length2 && math.IsNaN(z.histories[k].transferGap):
		z.detach(k)
	}
}

// hingeOpening is the squared ratio of the distance of faces to their length at which faces break that
// rotate about an end that still holds: an angle of 120 degrees. Their mean has half of their length
// there. The half edge at the end that holds has no energy left then.
const hingeOpening = 3

// release returns how much farther than the faces move an unbalanced spring of crack k unloads, see
// cohesive.Release. It is 0 for a crack with fluid, whose flow depends on the distance of the
// faces.
func (z *Zone) release(k int32) float64 {
	if z.hasFluid(k) {
		return 0
	}
	return cohesive.Release
}

// response is the result of the law of a point at the last computation of forces.
type response struct {
	opening, slip float64 // [m]
	normal, shear float64 // traction on A [Pa]
	stored        float64 // [J/m2]
}

// responses returns the responses of the points of crack k; zeros before the first forces.
// Detached faces have no traction.
func (z *Zone) responses(k int32) (of [2]response) {
	if z.x == nil {
		return
	}
	c := &z.cracks[k]
	var now frame
	c.measureGaps(z.x, &now)
	for end, open := range c.open {
		if !open {
			continue
		}
		p, mem := &of[end], z.memory(k, end)
		p.opening, p.slip = now.opening[end], now.slip[end]
		switch springs := z.regions[c.region].Springs; {
		case c.detached:
		case springs != nil:
			p.normal, p.shear, p.stored = springs.Current(&z.constants[2*int(k)+end], &mem, p.opening, p.slip)
		default:
			p.normal, p.shear, p.stored = z.lawOf(c).Current(&z.constants[2*int(k)+end], &mem, p.opening, p.slip)
		}
	}
	return of
}

// Energies are the energies of all cracks [J].
type Energies struct {
	Stored    float64 // recoverable: of cohesion, of contact of faces and of friction's springs; 0 when a point begins, plus the energy with which the initial stress charges joints; Insertion is not part of it
	Fracture  float64 // dissipated by fracture
	Friction  float64 // dissipated by friction between faces
	Insertion float64 // what points have released beyond the work done on them
}

// Energies adds up the cracks in the order of their edges.
func (z *Zone) Energies() (e Energies) {
	e.Stored = z.charged
	for _, q := range z.order {
		c := &z.cracks[q]
		of, lane := z.at(q)
		responses := z.responses(q)
		for end, open := range c.open {
			if !open {
				continue
			}
			stored, spent, given := z.pointEnergies(q, end, &responses[end])
			e.Stored += float64(c.weight * stored)
			e.Fracture += float64(c.weight * spent)
			e.Friction += float64(c.weight * of.slips[end][ofHeat][lane])
			e.Insertion += float64(c.weight * given)
		}
	}
	return e
}

// EachDissipation calls a function with every open end of an edge, its two nodes, and what fracture and friction
// between its faces have dissipated there so far [J], in the order of the edges.
func (z *Zone) EachDissipation(do func(edge int32, end int, nodes [2]int32, dissipated float64)) {
	for _, q := range z.order {
		c := &z.cracks[q]
		of, lane := z.at(q)
		responses := z.responses(q)
		for end, open := range c.open {
			if open {
				_, spent, _ := z.pointEnergies(q, end, &responses[end])
				do(c.edge, end, [2]int32{c.node[end], c.node[2+end]}, float64(c.weight*spent)+float64(c.weight*of.slips[end][ofHeat][lane]))
			}
		}
	}
}

// pointEnergies returns the stored energy of a point of crack k, its fracture energy, and the
// energy that it has released beyond the work done on it [J/m2]. The potential is 0 when the point
// begins. For a joint with an initial stress it is the energy with which the stress has charged the
// point, which Zone.charged contains. Work that has balanced the initial stretch of cohesion is
// stored in cohesion's spring. Damage d, which never falls, dissipates the part d of it.
func (z *Zone) pointEnergies(k int32, end int, responses *response) (stored, spent, given float64) {
	c, charge := &z.cracks[k], &z.balances[k/lanes][end]
	of, lane := z.at(k)
	lost, balanced := charge[ofLost][lane], charge[supplied][lane]
	stored = float64((1 - c.contactShare) * responses.stored)
	if z.springsOf(c.region) != nil {
		return stored, lost, charge[unbalanced][lane]
	}
	potential := stored - charge[unbalanced][lane] - charge[unbalancedFriction][lane]
	given = max(0, -potential-lost-balanced-of.slips[end][ofHeat][lane])
	damaged := float64((1 - of.end[end][ofIntegrity][lane]) * balanced)
	return potential - z.constants[2*int(k)+end].Charged(z.chargeOf(c.edge)) + given + (balanced - damaged), lost + damaged, given
}
