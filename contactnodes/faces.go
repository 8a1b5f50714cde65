package contactnodes

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"fdem/boundingbox"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/halves"
	"fdem/contactnodes/pairs"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contact of straight edges of meshed bodies with each other and with those of rigid bodies, by pairs
// of edges in closed form, for linear laws: see package pairs. What is linear along the covered part is
// integrated by two Gauss nodes here; the sectors of re-entrant corners are found by package pairs. The
// contact nodes on such edges show the pressures; they carry nothing themselves.
//
// The two halves of a pair carry half of the stiffness each. Against a body without corners that cannot
// move, such as a line, the half of the other body carries everything, and so does that of a much finer
// outline: the coarse one is deeper under its edges.

// faces is the contact of straight edges by pairs in a contact, for edges of which at least one
// deforms.
type faces struct {
	contact   *Contact
	kernel    halves.Kernel
	law       float64      // stiffness of the law [Pa/m]
	edges     []pairs.Edge // per boundary edge
	component []int32      // per boundary edge
	whole     []float64    // per boundary edge: its stiffness, for a width of one [N/m2]
	pointed   []bool       // per component: it has a convex corner
	partial   []bool       // per component: the contact has one side of a convex corner of it, and not the other
	presses   []bool       // per boundary edge: it is of the contactor
	size      []float64    // per component: mean length of its edges [m]

	halves  []halves.Half // sorted by own edge, component of the other edge, and that edge
	wakes   []faceSleeper // per half
	sides   []int8        // per half: see Contact.side; nil if all are 0
	offsets int           // number of overlaps at the start that the halves know
	made    *uint64       // the first word of loaded nodes of the forces in which the nodes of the halves have places
	until   []float64     // per half that sleeps: least sleep.fastest at which it may wake [m]
	awake   []uint64      // a bit per half
	due     []float64     // per word of these: the least of until
	up      int           // number of awake halves
	fours   []halves.Four // the awake halves, in their order; the last one is repeated
	query   halves.Query
	forces  halves.Spreading

	chunks  []faceChunk
	used    int // number of chunks of this evaluation
	doFind  func(chunk int)
	commits bool
	kicks   float64 // 0, or the step if the correction of leapfrog acts [s]
	dt      float64 // the last step [s]

	load     []float64 // per boundary edge: normal force on it, or on its rigid body at its representative [N]
	loaded   []int32   // edges with an entry in load
	grips    []grip
	kept     []GripState   // their states
	gripOf   []int32       // per group and Gauss node: 1 + index of its grip, 0 for none
	ratio    []float64     // per grip: its friction over its normal force
	drags    []halves.Drag // place for those of the next evaluation
	released float64       // energy of the sticks before [J]
	speeds   coulomb.Speeds
	ended    []int32 // own edges of the grips that ended in the last step
	touched  int     // number of halves in contact
}

// faceSleeper is what wakes a half.
type faceSleeper struct {
	wake       float64  // weighted sum of the travels that may close the gap [m]
	weight     float64  // weight of the travel of the other component
	components [2]int32 // of the own edge and of the other one
	tests      uint8    // number of tests before it may sleep
}

// beginFaces prepares the pairs of edges that deform, for nodes at x.
func (c *Contact) beginFaces(x []r2.Vec) {
	law, linear := c.Law.(contact.Linear)
	if !linear || c.Ends || c.Static || c.Overlap.Mode == OverlapSubtract {
		return
	}
	edges := c.outline.Edges
	k := &faces{contact: c, kernel: halves.Choose(c.Generic), law: law.K, component: make([]int32, len(edges)), whole: make([]float64, len(edges)), load: make([]float64, len(edges))}
	var components int32
	k.edges, components = c.pairEdges()
	k.pointed, k.partial, k.size = make([]bool, components), make([]bool, components), make([]float64, components)
	o, count, deforms := pairs.Outline{Edges: k.edges, X: x}, make([]float64, components), false
	for i := range edges {
		e := &edges[i]
		p, length := e.Component, distance(x[e.A], x[e.B])
		k.component[i], k.whole[i] = p, k.law*length
		count[p]++
		k.size[p] += (length - k.size[p]) / count[p]
		if c.isFace(int32(i)) {
			deforms = deforms || c.Rigid == nil || c.Rigid[i] == Deformable
			k.pointed[p] = k.pointed[p] || o.IsConvexAt(int32(i))
		}
	}
	if !deforms {
		return
	}
	k.findPartial(c, x)
	k.doFind = k.findChunk
	c.faces = k
}

// findPartial finds the components of which the contact has one side of a convex corner only. What is inside
// such a corner leaves the region of that side with its energy. So the halves of the partial outline carry
// everything against one of which the contact has all corners, and of two partial ones those of the contactor.
func (k *faces) findPartial(c *Contact, x []r2.Vec) {
	has := make([]bool, len(k.edges))
	k.presses = make([]bool, len(k.edges))
	for _, i := range c.Contactor {
		has[i], k.presses[i] = true, true
	}
	for _, i := range c.Opposite {
		has[i] = true
	}
	for i := range k.edges {
		e := &k.edges[i]
		if c.isFace(int32(i)) && e.Prev >= 0 && has[i] != has[e.Prev] && c.turn(x, e.Prev, int32(i)) > leastTurn {
			k.partial[k.component[i]] = true
		}
	}
}

// isFace tells whether an edge is a straight one that does not bend.
func (c *Contact) isFace(i int32) bool {
	return c.outline.Edges[i].Radius == 0 && c.arc(i).Height == 0 && !c.outline.Bends[i]
}

// byFaces tells whether edges i and j are in contact as a pair of edges of which one deforms.
func (c *Contact) byFaces(i, j int32) bool {
	return c.faces != nil && c.outline.Transfer == nil && c.isFace(i) && c.isFace(j) && !(c.isRigidStraight(i) && c.isRigidStraight(j))
}

// takeCandidates takes the candidates from a list of the broad phase, for positions x.
func (k *faces) takeCandidates(c *Contact, from *boundingbox.Pairs, x []r2.Vec, moved float64) {
	k.halves = k.halves[:0]
	for _, p := range from.List {
		if !c.byFaces(p.I, p.J) || !c.mayTouch(p.I, p.J) && !c.mayTouch(p.J, p.I) {
			continue
		}
		for _, h := range [2][2]int32{{p.I, p.J}, {p.J, p.I}} {
			same := k.component[h[0]] == k.component[h[1]]
			if share := k.shareOf(c, h[0], h[1]); share > 0 && !c.remainsSeparated(h[0], h[1], x, moved) && !(same && c.neighbours(h[0], h[1])) {
				k.halves = append(k.halves, k.half(c, h[0], h[1], share))
			}
		}
	}
	slices.SortFunc(k.halves, func(a, b halves.Half) int {
		return cmp.Or(cmp.Compare(a.Own, b.Own), cmp.Compare(k.component[a.Other], k.component[b.Other]), cmp.Compare(a.Other, b.Other))
	})
	k.wakes, k.until = slices.Grow(k.wakes[:0], len(k.halves))[:len(k.halves)], slices.Grow(k.until[:0], len(k.halves))[:len(k.halves)]
	k.sides, k.made, k.offsets = k.sides[:0], nil, 0
	groups := int32(0)
	for i := range k.halves {
		h := &k.halves[i]
		of := [2]int32{k.component[h.Own], k.component[h.Other]}
		if i == 0 || k.halves[i-1].Own != h.Own || k.wakes[i-1].components[1] != of[1] {
			groups++
		}
		h.Group = groups - 1
		k.wakes[i] = faceSleeper{components: of}
		side := c.side(h.Own, h.Other)
		if side != 0 && len(k.sides) == 0 {
			k.sides = slices.Grow(k.sides, len(k.halves))[:len(k.halves)]
			clear(k.sides)
		}
		if len(k.sides) > 0 {
			k.sides[i] = int8(side)
		}
	}
	k.gripOf = slices.Grow(k.gripOf[:0], int(2*groups))[:2*groups]
	clear(k.gripOf)
	words := (len(k.halves) + 63) / 64
	k.awake, k.due = slices.Grow(k.awake[:0], words)[:words], slices.Grow(k.due[:0], words)[:words]
	for g := range k.awake {
		k.awake[g], k.due[g] = ^uint64(0)>>max(0, 64*(g+1)-len(k.halves)), math.Inf(1)
	}
}

// half returns the half of edge own on another one, with a part of the stiffness.
func (k *faces) half(c *Contact, own, other int32, share float64) halves.Half {
	a, b := &k.edges[own], &k.edges[other]
	h := halves.Half{
		Nodes: [4]int32{a.A, a.B, b.A, b.B}, Before: b.A, After: b.B, Own: own, Other: other, Offset: -1,
		Stiffness: float64(share*min(c.width(own), c.width(other))) * k.whole[own], Roof: b.Roof,
	}
	if b.Prev >= 0 {
		h.Before = k.edges[b.Prev].A
	}
	if b.Next >= 0 {
		h.After = k.edges[b.Next].B
	}
	if c.Mass != nil {
		h.Mass = min(c.Mass[own], c.Mass[other])
	}
	return h
}

// shareOf returns the part of the stiffness that the half of edge own carries.
func (k *faces) shareOf(c *Contact, own, other int32) float64 {
	held := func(i int32) bool { return c.Rigid != nil && c.Rigid[i] == Held && !k.pointed[k.component[i]] }
	mine, others := k.size[k.component[own]], k.size[k.component[other]]
	switch {
	case held(other):
		return 1
	case held(own):
		return 0
	case coarser*mine <= others:
		return 1
	case coarser*others <= mine:
		return 0
	}
	of, by := k.partial[k.component[own]], k.partial[k.component[other]]
	if of && by { // the contactor presses, as by contact nodes
		of, by = k.presses[own], k.presses[other]
	}
	switch {
	case of && !by:
		return 1
	case by && !of:
		return 0
	}
	return 0.5
}

// coarser is how many times as long the edges of an outline are for the other one to carry everything.
const coarser = 2

// isIdle tells whether another evaluation would change nothing.
func (k *faces) isIdle(s *State) bool {
	return k == nil || len(k.halves) == 0 && len(s.Grips) == 0 && k.touched == 0
}

// wakeDue wakes the sleepers whose gaps may be closed, and lists the awake halves.
func (k *faces) wakeDue(c *Contact) {
	s := &c.sleep
	k.up = 0
	for g := range k.awake {
		if s.fastest() >= k.due[g] {
			k.wakeWord(s, g)
		}
		k.up += bits.OnesCount64(k.awake[g])
	}
	n := (k.up + halves.Lanes - 1) / halves.Lanes
	k.fours = slices.Grow(k.fours[:0], n)[:n]
	at, last := 0, int32(0)
	for g, awake := range k.awake {
		for ; awake != 0; awake &= awake - 1 {
			last = int32(64*g + bits.TrailingZeros64(awake))
			k.fours[at/halves.Lanes].Half[at%halves.Lanes] = last
			at++
		}
	}
	for ; at < halves.Lanes*n; at++ {
		k.fours[n-1].Half[at%halves.Lanes] = last
	}
}

// wakeWord wakes the sleepers of a word whose gaps may be closed.
func (k *faces) wakeWord(s *sleep, g int) {
	now, due := s.fastest(), math.Inf(1)
	for asleep := ^k.awake[g] & (^uint64(0) >> max(0, 64*(g+1)-len(k.halves))); asleep != 0; asleep &= asleep - 1 {
		i := bits.TrailingZeros64(asleep)
		until := &k.until[64*g+i]
		if *until <= now {
			w := &k.wakes[64*g+i]
			left := w.wake - w.travelled(s)
			if !(left > 0) {
				k.awake[g] |= 1 << i
				continue
			}
			*until = now + left/(1+w.weight)
		}
		due = min(due, *until)
	}
	k.due[g] = due
}

// travelled returns the weighted sum of the travels of the two components [m].
func (w *faceSleeper) travelled(s *sleep) float64 {
	return s.travelled[w.components[0]] + float64(w.weight*s.travelled[w.components[1]])
}

// gapOf returns a lower bound of the distance of a half that touches nothing from the region of its
// other edge [m], 0 if it is not worth sleeping, and the weight of the travel of that edge.
func (k *faces) gapOf(c *Contact, h *halves.Half, w *faceSleeper, t *target) (gap, weight float64) {
	s, x, ahead := &c.sleep, c.x, c.lookAheadOf(w.components)
	a, b := x[h.Nodes[0]], x[h.Nodes[1]]
	gap, weight = c.outline.gapByLines(h.Other, a, b, 0, ahead, x)
	if gap > s.least(w.components, weight) {
		return gap, weight
	}
	t.setEdge(c.outline, h.Other, x)
	shortest := t.neighbours(c.outline, x)
	weight = t.motionWeight(a, b, 0, shortest)
	least := s.least(w.components, weight)
	if gap = t.gapOfSegment(a, b, ahead, least, shortest, weight); gap > least {
		return gap, weight
	}
	return 0, weight
}

// putToSleep puts the halves to sleep that chunks have found far from their edges.
func (k *faces) putToSleep(c *Contact) {
	fastest := c.sleep.fastest()
	for i := range k.chunks[:k.used] {
		for _, n := range k.chunks[i].asleep {
			g, w := n>>6, &k.wakes[n]
			k.awake[g] &^= 1 << (n & 63)
			k.until[n] = fastest + (w.wake-w.travelled(&c.sleep))/(1+w.weight)
			k.due[g] = min(k.due[g], k.until[n])
		}
	}
}
