package spheres

import (
	"math"
	"slices"

	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// joinPatches joins the contact points on both sides of every corner that lies in a
// sphere. It sets the memory and the rule of the corner. If the rules of the two
// contact points differ, the corner takes that of the shallower one.
func (s *Spheres) joinPatches(q *outlinePoints) {
	for k := range q.corners {
		j := &q.corners[k]
		if j.d <= 0 {
			continue
		}
		lo, _ := slices.BinarySearchFunc(q.order, j.i, func(c, i int32) int { return int(q.points[c].i) - int(i) })
		hi := lo
		for hi < len(q.order) && q.points[q.order[hi]].i == j.i {
			hi++
		}
		group := q.order[lo:hi]
		then, first := j.edge, s.Outline.Edges[j.edge].Prev
		if s.Outline.Edges[j.edge].ClosedCrack {
			if then, first = j.edge-1, j.edge-2; j.at > 0.5 {
				then, first = first, then
			}
		}
		after, ahead := s.alongPatch(q, group, j, then, true), s.alongPatch(q, group, j, first, false)
		closed := s.Outline.Edges[j.edge].ClosedCrack
		if closed {
			j.bound(q, [2]int32{s.deepest(q, group, j, ahead, false), s.deepest(q, group, j, after, true)})
		}
		if j.lead = max(after, ahead); after < 0 || ahead < 0 {
			continue
		}
		s.join(q, group, ahead, after)
		if closed {
			j.ends = [2]int32{ahead, after}
		}
		if j.lead = after; q.d[ahead] < q.d[after] {
			j.lead = ahead
		}
		j.rule = s.ruleOfPoint(q, j.lead)
	}
	for k := range q.corners {
		if j := &q.corners[k]; j.lead >= 0 {
			if lead := q.edgePoints[j.lead].lead; s.ruleOfPoint(q, lead) == j.rule {
				j.lead = lead
			}
		}
	}
}

// alongPatch returns the first contact point of a group on edge e or on an edge
// behind it, as long as the corners between lie in the sphere; -1 for none. The
// first corner beside a closed crack need not: half way to the other face lies in it.
func (s *Spheres) alongPatch(q *outlinePoints, group []int32, j *corner, e int32, forward bool) int32 {
	near := s.Outline.Edges[j.edge].ClosedCrack && (e == j.edge-1 || e == j.edge-2)
	for first := e; e >= 0; near = false {
		for _, c := range group {
			if q.edgePoints[c].edge == e && q.d[c] > 0 {
				return c
			}
		}
		edge := &s.Outline.Edges[e]
		node, next := edge.B, edge.Next
		if !forward {
			node, next = edge.A, edge.Prev
		}
		if next == first || !near && !s.inSphere(j.i, node) {
			return -1
		}
		e = next
	}
	return -1
}

// deepest returns the deepest contact point of a patch, from contact point c on in the direction
// away from a closed crack; -1 if c is -1.
func (s *Spheres) deepest(q *outlinePoints, group []int32, j *corner, c int32, forward bool) int32 {
	best := c
	for range group {
		if c < 0 {
			break
		}
		if q.d[c] > q.d[best] {
			best = c
		}
		edge := &s.Outline.Edges[q.edgePoints[c].edge]
		node, next := edge.B, edge.Next
		if !forward {
			node, next = edge.A, edge.Prev
		}
		if next < 0 || !s.inSphere(j.i, node) {
			break
		}
		c = s.alongPatch(q, group, j, next, forward)
	}
	return best
}

// inSphere tells whether a node of the outline lies in a sphere.
func (s *Spheres) inSphere(i, node int32) bool {
	p, x, radius := s.X[s.rim+int(node)], s.motion[i].x, s.Radius[i]
	px, py := p.X-x.X, p.Y-x.Y
	return float64(px*px)+float64(py*py) < radius*radius
}

// bound lets a closed crack lie no deeper in its sphere than half way between the fragments
// beside it, whose deepest contact points are on; -1 for none, which has the deflection 0. So
// what is subtracted is at most half of the energies of both, since laws are convex. Where faces
// have moved far apart and still hold, the line between them lies deeper than either of them.
func (j *corner) bound(q *outlinePoints, on [2]int32) {
	d, n, rate := 0.0, r2.Vec{}, 0.0
	for _, c := range on {
		if c >= 0 {
			o := &q.points[c]
			d += float64(0.5 * q.d[c])
			rate += float64(0.5 * o.rateBefore)
			n = r2.Vec{X: n.X + float64(0.5*o.n.X), Y: n.Y + float64(0.5*o.n.Y)}
		}
	}
	if d < j.d {
		j.d, j.on, j.bounded, j.n, j.rateBefore = d, on, true, n, rate
	}
}

// join puts two contact points into one patch. The deepest is the leader.
func (s *Spheres) join(q *outlinePoints, group []int32, a, b int32) {
	one, other := q.edgePoints[a].lead, q.edgePoints[b].lead
	lead := one
	if q.d[other] > q.d[one] || q.d[other] == q.d[one] && other < one {
		lead = other
	}
	for _, c := range group {
		if f := &q.edgePoints[c]; f.lead == one || f.lead == other {
			f.lead = lead
		}
	}
}

// follow transfers the memory of a group's contact points that end to those that
// continue them.
func (s *Spheres) follow(b int, q *outlinePoints, group []int32) {
	t := &s.slots
	for _, c := range group {
		from := &t.pairMemory[q.points[c].slot]
		if q.d[c] > 0 || from.d <= 0 {
			continue
		}
		next := s.nearestPoint(q, group, c)
		if next < 0 {
			continue
		}
		to := &t.pairMemory[q.points[next].slot]
		if to.d > 0 { // it was already in the same patch
			if to.friction == 0 && to.stiffness == 0 {
				to.moveStick(from)
			}
			continue
		}
		*to, *from = *from, pairMemory{}
		a, z := q.points[c].slot, q.points[next].slot
		t.roll[z], t.roll[a] = t.roll[a], rollMemory{}
		if a, z := s.memoryOf(q, c), s.memoryOf(q, next); s.ruleOfPoint(q, c) == s.ruleOfPoint(q, next) {
			copy(z, a)
			clear(a)
		}
	}
	for _, c := range group {
		f, h := &q.edgePoints[c], &t.pairMemory[q.points[c].slot]
		if q.d[c] <= 0 || f.lead == c {
			continue
		}
		lead := &t.pairMemory[q.points[f.lead].slot]
		if lead.d <= 0 && h.d > 0 { // the patch's new leader has just begun
			lead.d = q.d[f.lead]
		}
		if (h.friction != 0 || h.stiffness != 0) && lead.friction == 0 && lead.stiffness == 0 {
			lead.moveStick(h)
		}
		if a, z := s.memoryOf(q, c), s.memoryOf(q, f.lead); h.d > 0 && lead.force == 0 && s.ruleOfPoint(q, c) == s.ruleOfPoint(q, f.lead) {
			copy(z, a)
		}
	}
	for _, c := range group {
		f, h := &q.edgePoints[c], &t.pairMemory[q.points[c].slot]
		if q.d[c] <= 0 || h.d > 0 {
			continue
		}
		if f.lead == c {
			s.recallMemory(b, q, c)
			continue
		}
		if lead := &t.pairMemory[q.points[f.lead].slot]; lead.d > 0 && s.ruleOfPoint(q, c) == s.ruleOfPoint(q, f.lead) {
			copy(s.memoryOf(q, c), s.memoryOf(q, f.lead))
			h.d = q.d[c] // the patch continues
		}
	}
}

// nearestPoint returns the contact point of a group that is nearest to the former position
// of contact point c, if it is near enough to continue c; else -1.
func (s *Spheres) nearestPoint(q *outlinePoints, group []int32, c int32) int32 {
	position := func(c int32) r2.Vec {
		o, x := &q.points[c], s.motion[q.points[c].i].x
		return r2.Vec{X: x.X + float64(o.armI*o.n.X), Y: x.Y + float64(o.armI*o.n.Y)}
	}
	at, best := position(c), nearby*s.Radius[q.points[c].i]
	next := int32(-1)
	for _, o := range group {
		if q.d[o] <= 0 || s.Outline.Edges[q.edgePoints[o].edge].Component != s.Outline.Edges[q.edgePoints[c].edge].Component {
			continue
		}
		p := position(o)
		if d := elementary.Norm(r2.Vec{X: p.X - at.X, Y: p.Y - at.Y}); d < best {
			next, best = o, d
		}
	}
	return next
}

// recallMemory gives the law of a new contact point the memory of its sphere and
// component, from the edge where they were in contact before.
func (s *Spheres) recallMemory(b int, q *outlinePoints, c int32) {
	rule := s.rules[s.ruleOfPoint(q, c)]
	own := s.memoryOf(q, c)
	if rule.memory == 0 || rule.ResetsAfterImpact || !allZero(own) {
		return
	}
	t, o := &s.slots, &q.points[c]
	component := s.Outline.Edges[q.edgePoints[c].edge].Component
	var found []float64 // memories to copy, and to clear
	var all []float64
	edge := int32(math.MaxInt32) // the first edge of several, near or not, since the list decides which ones are near
	first := 2*len(s.block) + b
	for k := t.first[first]; k < t.first[first+1]; k++ {
		batch := &t.batch[k]
		if s.rules[batch.rule] != rule {
			continue
		}
		at, _ := slices.BinarySearchFunc(t.pair[batch.first:batch.end], o.i, func(p pair, i int32) int { return int(p.I) - int(i) })
		for z := batch.first + int32(at); z < batch.end && t.pair[z].I == o.i && t.pair[z].J < edge; z++ {
			if m := t.lawMemory(batch, z); t.pairMemory[z].d <= 0 && s.Outline.Edges[s.edgeOf(t.pair[z])].Component == component && !allZero(m) {
				found, all, edge = m, m, t.pair[z].J
			}
		}
	}
	from, _ := s.stored.find(rule.keyOf(pair{o.i, int32(s.n + len(s.Walls))}))
	for ; from < s.stored.pairs(); from++ {
		k := s.stored.key(from)
		if k[0] != int32(rule.key>>32) || k[1] != int32(rule.key) || k[2] != o.i || k[3] >= edge {
			break
		}
		m := s.stored.values(from)[ownValues+1:]
		if s.Outline.Edges[s.edgeOf(pair{k[2], k[3]})].Component == component && !allZero(m) {
			found, all = m, s.stored.values(from)
			break
		}
	}
	copy(own, found)
	clear(all)
}

// allZero tells whether a memory is all zero.
func allZero(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return x != 0 })
}

// evaluateCorner evaluates the law at a corner, with the memory of its patch.
func (s *Spheres) evaluateCorner(j *corner, q *outlinePoints) {
	if j.d <= 0 {
		return
	}
	rule := s.rules[j.rule]
	q.memory = slices.Grow(q.memory[:0], int(rule.memory))[:rule.memory]
	clear(q.memory)
	if j.lead >= 0 {
		copy(q.memory, s.memoryOf(q, j.lead))
	}
	v := &q.one
	v[0], v[1] = j.d, j.rate
	rule.Law.Eval(contact.Input{D: v[0:1], Rate: v[1:2], Mem: q.memory},
		contact.Output{P: v[2:3], DP: v[3:4], K: v[4:5], W: v[5:6], Mem: q.memory})
	j.energy = v[5]
	j.p, j.w = float64(j.closedPart[1]*v[2]), float64(j.closedPart[1]*v[5])
}
