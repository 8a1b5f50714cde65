package contactnodes

import (
	"math"
	"math/bits"

	"fdem/contactnodes/halves"
	"fdem/contactnodes/pairs"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// face is a half that is in contact, with its resultant at a position of its own edge and at the foot of that
// on its other edge; or a Gauss node of one in the sector of a re-entrant corner.
type face struct {
	half           int32
	grip           int32 // index of its grip
	inward         r2.Vec
	lo, hi         float64 // covered part of the own edge
	depth0, run    float64 // depth at its position u: depth0 + u run [m]
	position, foot float64 // of the resultant along the two edges
	normal         float64 // force [N]
	couple         float64 // moment of a unit of friction about the foot, over the other edge's length
	slip           float64 // [m/s]
	friction       float64 // [N]
	heat           float64 // of that [W]
	stiffness      float64 // of the covered part [N/m]
	energy         float64 // [J]
	pairs.Ahead            // stiffness now and in the next steps, relative to that of the whole edge
	closing        float64 // speed of closing there [m/s]
}

// damper is a force of dampers on a half, at a position along its own edge and its foot on the other.
type damper struct {
	half     int32
	inward   r2.Vec
	force    float64 // [N]
	at, foot float64 // its moments: times its positions
	power    float64 // [W]
}

// faceChunk has the results of a chunk of the search.
type faceChunk struct {
	sectors []face // in sectors of re-entrant corners
	dampers []damper
	asleep  []int32
	err     error

	half    pairs.Half
	outline pairs.Outline // for what is not straight
	target  target
	_       [64]byte
}

// lane returns the half in a lane, in contact.
func (k *faces) lane(f *halves.Four, l int) face {
	at := f.Position[l]
	q := face{
		half: f.Half[l], inward: inwardOf(f, l), lo: f.Lo[l], hi: f.Hi[l], depth0: f.Depth0[l], run: f.Run[l],
		position: at, foot: within(f.Foot0[l] + float64(at*f.Foot1[l])), normal: f.Normal[l], stiffness: f.Stiffness[l], energy: f.Energy[l],
	}
	for i := range f.Nodes {
		if g := f.Grip[i][l]; int(g) < len(k.ratio) { // not before forces are found
			friction := float64(f.Nodes[i].Normal[l] * k.ratio[g])
			q.friction += friction
			q.heat -= float64(friction * f.Nodes[i].Slip[l])
		}
	}
	return q
}

func inwardOf(f *halves.Four, l int) r2.Vec { return r2.Vec{X: -f.AlongY[l], Y: f.AlongX[l]} }

// sectors yields the Gauss nodes in sectors of re-entrant corners, in the order of the halves.
func (k *faces) sectors(yield func(q *face) bool) {
	for i := range k.chunks[:k.used] {
		for j := range k.chunks[i].sectors {
			if !yield(&k.chunks[i].sectors[j]) {
				return
			}
		}
	}
}

// force returns the force on the own edge [N].
func (q *face) force() r2.Vec {
	return r2.Vec{X: float64(q.friction*q.inward.Y) - float64(q.normal*q.inward.X), Y: -float64(q.friction*q.inward.X) - float64(q.normal*q.inward.Y)}
}

// each calls the function with every half in contact.
func (k *faces) each(do func(q *face, h *halves.Half)) {
	if k == nil {
		return
	}
	for i := range k.fours {
		f := &k.fours[i]
		for m := f.Touching; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(uint32(m))
			q := k.lane(f, l)
			do(&q, &k.halves[f.Half[l]])
		}
	}
	for q := range k.sectors {
		do(q, &k.halves[q.half])
	}
}

// find finds what touches at the positions of this evaluation, and its normal forces. It fails if
// something is too deep.
func (k *faces) find(c *Contact, commit bool) error {
	for len(k.chunks) < len(c.finders) {
		k.chunks = append(k.chunks, faceChunk{})
	}
	k.commits = commit && c.v != nil
	k.kicks = 0
	if k.commits && c.damping == 0 && len(c.OffsetBetween) == 0 && c.Elastic() {
		k.kicks = k.dt
	}
	k.wakeDue(c)
	k.setOffsets(c)
	p := &c.prediction
	k.query.Set(c.lookAhead, p.Approach, leastApproach*p.Approach, p.Step, predictionSteps, k.commits)
	k.used = c.spread(len(c.finders), len(k.fours), minParallelPairs/halves.Lanes, k.doFind)
	for i := range k.chunks[:k.used] {
		if err := k.chunks[i].err; err != nil {
			return err
		}
	}
	k.putToSleep(c)
	return nil
}

// setOffsets sets the depths of the awake halves that do not count, for overlaps at the start.
func (k *faces) setOffsets(c *Contact) {
	switch n := len(c.OffsetBetween); {
	case n == 0 && k.offsets == 0:
		return
	case n != k.offsets:
		k.offsets = n
		for i := range k.halves {
			at, ok := offsetAt(c.OffsetBetween, k.wakes[i].components[0], k.wakes[i].components[1])
			if k.halves[i].Offset = int32(at); !ok {
				k.halves[i].Offset = -1
			}
		}
		clear(k.fours[len(k.fours):cap(k.fours)])
	}
	for i := range k.fours {
		f := &k.fours[i]
		for l, n := range f.Half {
			f.Offset[l] = 0
			if at := k.halves[n].Offset; at >= 0 {
				f.Offset[l] = float64(c.offsets.fraction * c.OffsetBetween[at].Depth)
			}
		}
	}
}

// findChunk is chunk i of find.
func (k *faces) findChunk(i int) {
	c, ch := k.contact, &k.chunks[i]
	ch.sectors, ch.dampers, ch.asleep, ch.err = ch.sectors[:0], ch.dampers[:0], ch.asleep[:0], nil
	lo, hi := c.shared.Share(i, len(k.fours))
	fours, v := k.fours[lo:hi], c.v
	if v == nil { // does not matter
		v = c.x
	}
	k.kernel.Meet(fours, k.halves, c.x, v, &k.query)
	more := k.commits && (c.damping != 0 || k.kicks != 0)
	for j := range fours {
		f := &fours[j]
		used := int32(1)<<min(halves.Lanes, k.up-halves.Lanes*(lo+j)) - 1
		f.Near, f.Touching, f.Deep, f.Sector = f.Near&used, f.Touching&used, f.Deep&used, f.Sector&used
		if f.Near == used && f.Deep|f.Sector == 0 && !more {
			for _, n := range f.Half {
				k.wakes[n].tests = 1
			}
			continue
		}
		for ; used != 0; used &= used - 1 {
			if k.follow(ch, f, bits.TrailingZeros32(uint32(used)), more); ch.err != nil {
				return
			}
		}
	}
}

// follow does what is left for the half in a lane. If it is not in contact and will not be, it may fall
// asleep.
func (k *faces) follow(ch *faceChunk, f *halves.Four, l int, more bool) {
	c, n, bit := k.contact, f.Half[l], int32(1)<<l
	h, w := &k.halves[n], &k.wakes[n]
	if f.Deep&bit != 0 {
		ch.err = k.deep(f, l, h)
	}
	near := f.Near&bit != 0
	if more && f.Touching&bit != 0 {
		k.pressMore(ch, f, l, h)
	}
	if f.Sector&bit != 0 && k.meetSector(ch, f, l, h) {
		near = true
	}
	switch {
	case near:
		w.tests = 1
	case !k.commits:
	case w.tests > 1:
		w.tests--
	default:
		w.tests = testsBeforeSleep
		if gap, weight := k.gapOf(c, h, w, &ch.target); gap > 0 {
			w.weight, w.tests = weight, 0
			w.wake = w.travelled(&c.sleep) + gap
			ch.asleep = append(ch.asleep, n)
		}
	}
}

// pressMore adds the dashpot of the law and the correction of leapfrog at first contact, see kick.go, to
// the force of the half in a lane, at both of its Gauss nodes.
func (k *faces) pressMore(ch *faceChunk, f *halves.Four, l int, h *halves.Half) {
	c, lo, width := k.contact, f.Lo[l], f.Hi[l]-f.Lo[l]
	part := 0.5 * f.Stiffness[l]
	damps := damper{half: f.Half[l], inward: inwardOf(f, l)}
	depthAt := func(u float64) float64 { return f.Depth0[l] + float64(u*f.Run[l]) }
	for i := range f.Nodes {
		m := &f.Nodes[i]
		u := m.Position[l]
		rate := k.rateAt(h, damps.inward, u, m.Foot[l])
		force := damps.add(m.Normal[l], float64(c.damping*rate*(part/k.law)), u, m.Foot[l], rate)
		if displacement := math.Abs(rate) * k.kicks; displacement > 0 {
			from := lo + float64(0.5*float64(i)*width)
			a, b := max(0, depthAt(from)), max(0, depthAt(from+float64(0.5*width)))
			if min(a, b) < displacement {
				force += float64(part * displacement * kickCorrection(meanLoss, min(a, b)/displacement, max(a, b)/displacement))
			}
		}
		m.Normal[l] = force
	}
	if damps.force != 0 {
		ch.dampers = append(ch.dampers, damps)
	}
	a, b := &f.Nodes[0], &f.Nodes[1]
	if f.Normal[l] = a.Normal[l] + b.Normal[l]; f.Normal[l] > 0 {
		f.Position[l] = within((float64(a.Normal[l]*a.Position[l]) + float64(b.Normal[l]*b.Position[l])) / f.Normal[l])
	}
}

// add adds a force to that of a spring, so that both do not pull [N]. It returns their sum.
func (d *damper) add(spring, force, at, foot, rate float64) (sum float64) {
	sum = max(0, spring+force)
	force = sum - spring
	d.force += force
	d.at += float64(force * at)
	d.foot += float64(force * foot)
	d.power += float64(force * rate)
	return sum
}

// rateAt returns the speed of closing at a position of the own edge and its foot [m/s].
func (k *faces) rateAt(h *halves.Half, inward r2.Vec, at, foot float64) float64 {
	v, n := k.contact.v, &h.Nodes
	return elementary.Dot(inward, sub(between(v[n[0]], v[n[1]], at), between(v[n[2]], v[n[3]], foot)))
}

// meetSector finds the part of the half in a lane in the sector of the re-entrant corner at the start of
// its other edge. It tells whether there is one.
func (k *faces) meetSector(ch *faceChunk, f *halves.Four, l int, h *halves.Half) bool {
	c, o := k.contact, &ch.outline
	o.Edges, o.X = k.edges, c.x
	o.Update([]int32{h.Other})
	if !ch.half.FindSector(o, h.Own, h.Other, f.Offset[l]) {
		return false
	}
	for i := range ch.half.Points {
		p := &ch.half.Points[i]
		q := face{half: f.Half[l], inward: scale(-1, p.Gradient[2]), lo: p.U, hi: p.U, depth0: p.Depth, position: p.U}
		q.stiffness = float64(h.Stiffness * p.Weight)
		q.normal = float64(q.stiffness * p.Depth)
		q.energy = float64(0.5 * q.normal * p.Depth)
		if c.v != nil {
			k.slipInSector(ch, &q, f, l, h)
		}
		ch.sectors = append(ch.sectors, q)
	}
	return true
}

// slipInSector finds the slip of a Gauss node in a sector, its damper, and its stiffness for the step.
func (k *faces) slipInSector(ch *faceChunk, q *face, f *halves.Four, l int, h *halves.Half) {
	c, n := k.contact, &h.Nodes
	turned := r2.Vec{X: q.inward.Y, Y: -q.inward.X}
	q.couple = float64((q.depth0+f.Offset[l])*elementary.Cross(q.inward, turned)) / f.Length[l]
	w := sub(between(c.v[n[0]], c.v[n[1]], q.position), c.v[n[2]])
	q.slip = elementary.Dot(turned, w) - float64(q.couple*elementary.Dot(inwardOf(f, l), sub(c.v[n[3]], c.v[n[2]])))
	if !k.commits {
		return
	}
	if c.damping != 0 {
		damps, rate := damper{half: q.half, inward: q.inward}, k.rateAt(h, q.inward, q.position, 0)
		q.normal = damps.add(q.normal, float64(c.damping*rate*(q.stiffness/k.law)), q.position, 0, rate)
		ch.dampers = append(ch.dampers, damps)
	}
	weight := q.stiffness / h.Stiffness
	q.Ahead = pairs.Ahead{Sum: weight, First: weight * q.position, Second: weight * q.position * q.position}
	q.closing = elementary.Dot(q.inward, w)
}

// deep reports the half in a lane if it is deeper in the other edge's body than it should be, unless it is
// behind that. If it was as deep before the last step, it came from beside the body or from behind.
func (k *faces) deep(f *halves.Four, l int, h *halves.Half) error {
	c, inward := k.contact, inwardOf(f, l)
	at := func(u float64) float64 { return f.Depth0[l] + float64(u*f.Run[l]) + f.Offset[l] }
	lo, hi := f.Lo[l], f.Hi[l]
	if min(at(lo), at(hi)) > c.outline.Depth[h.Other] {
		return nil
	}
	u := lo
	if f.Run[l] > 0 {
		u = hi
	}
	depth := min(at(u), c.outline.Depth[h.Other])
	advice := c.advice(depth, h.Roof) + "; or coarsen the surface"
	if c.v != nil && depth-float64(k.dt*k.rateAt(h, inward, u, 0.5)) > h.Roof {
		advice = cameFromBehind
	}
	return &DepthError{c.Name, between(c.x[h.Nodes[0]], c.x[h.Nodes[1]], u), depth, h.Roof, advice}
}
