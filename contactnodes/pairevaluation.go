package contactnodes

import (
	"math"

	"fdem/boundingbox"
	"fdem/contactnodes/halves"
	"fdem/contactnodes/onnodes"
	"fdem/contactnodes/pairs"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// What the pairs of rigid bodies and those of edges that deform have in common: the order of an
// evaluation, overlaps at the start (see PairOffset), and the account of work.

// pairOffsets is the overlaps at the start at an evaluation.
type pairOffsets struct {
	fraction float64   // present factor of State.OffsetBetween
	ramp     float64   // what it has fallen by in the last step
	left     []float64 // per offset: what is left of it [m]
	damped   []int32   // per node: 1 + its index in State.PairDampers while that is made, else 0
}

// hasPairs tells whether some edges are in contact by pairs, or were at the last evaluation.
func (c *Contact) hasPairs() bool { return !c.rigid.isIdle(&c.State) || !c.faces.isIdle(&c.State) }

// listPairs takes the candidates from a list of the broad phase.
func (c *Contact) listPairs(from *boundingbox.Pairs, x []r2.Vec, moved float64) {
	if c.rigid != nil {
		c.rigid.takeCandidates(c, from, x, moved)
	}
	if c.faces != nil {
		c.faces.takeCandidates(c, from, x, moved)
	}
}

// findPairs finds which pairs touch at time t after a step dt.
func (c *Contact) findPairs(t, dt float64, commit bool) error {
	if !c.hasPairs() {
		return nil
	}
	if c.rigid != nil {
		c.rigid.dt = dt
		c.rigid.place(c)
	}
	c.setOffsets(t, dt, commit)
	if c.rigid != nil {
		if err := c.rigid.find(c, commit); err != nil {
			return err
		}
	}
	if c.faces != nil {
		c.faces.dt = dt
		if err := c.faces.find(c, commit); err != nil {
			return err
		}
	}
	c.openOffsets(commit)
	return nil
}

// addPairs adds the forces of the pairs. With commit it updates the state, and the account of work.
func (c *Contact) addPairs(out onnodes.Forces, dt float64, commit bool) {
	if !c.hasPairs() {
		return
	}
	stored := c.Stored
	if c.rigid != nil {
		c.rigid.addForces(c, out, dt, commit)
	}
	if c.faces != nil {
		c.faces.addForces(c, out, dt)
	}
	if !commit {
		return
	}
	if c.faces != nil {
		c.faces.keepGrips(c, dt)
		c.faces.raisePeaks(c)
	}
	c.accountPairs(c.Stored-stored, dt)
}

// accountPairs adds the work of the last step: the change of the stored energy, that of dampers, with the
// mean of their forces before and after the step, and that of the ramp of overlaps.
func (c *Contact) accountPairs(stored, dt float64) {
	c.addRampWork()
	d, pulls := &c.PairDampers, 0.0
	for i, n := range d.Nodes {
		pulls -= float64(d.X[i]*c.v[n].X) + float64(d.Y[i]*c.v[n].Y)
	}
	d.Nodes, d.X, d.Y = d.Nodes[:0], d.X[:0], d.Y[:0]
	at := c.offsets.damped
	if at == nil {
		at = make([]int32, len(c.x))
		c.offsets.damped = at
	}
	add := func(n int32, f r2.Vec) {
		if at[n] == 0 {
			d.Nodes, d.X, d.Y = append(d.Nodes, n), append(d.X, 0), append(d.Y, 0)
			at[n] = int32(len(d.Nodes))
		}
		d.X[at[n]-1] += f.X
		d.Y[at[n]-1] += f.Y
	}
	if c.rigid != nil {
		pulls += c.rigid.addDampers(add)
	}
	if c.faces != nil {
		pulls += c.faces.addDampers(add)
	}
	for _, n := range d.Nodes {
		at[n] = 0
	}
	c.NormalWork += (stored - c.PairStored) + float64(0.5*dt*pulls)
	c.PairStored = stored
}

// beginOffsets finds how bodies overlap at the start.
func (c *Contact) beginOffsets() error {
	before := c.OffsetBetween
	if c.Overlap.Mode != OverlapRefuse {
		c.OffsetBetween = nil
	}
	if c.rigid != nil {
		c.rigid.place(c)
		if err := c.rigid.find(c, false); err != nil {
			return err
		}
	}
	if c.faces != nil {
		if err := c.faces.find(c, false); err != nil {
			return err
		}
	}
	if c.Overlap.Mode == OverlapRefuse {
		c.OffsetBetween = before
		return nil
	}
	if c.rigid != nil {
		for i := range c.rigid.touches {
			t := &c.rigid.touches[i]
			c.OffsetBetween = withOffset(c.OffsetBetween, c.outline.Edges[t.own].Component, c.outline.Edges[t.other].Component, t.deepest())
		}
	}
	c.faces.each(func(q *face, h *halves.Half) {
		c.OffsetBetween = withOffset(c.OffsetBetween, c.outline.Edges[h.Own].Component, c.outline.Edges[h.Other].Component, q.deepest())
	})
	return nil
}

// findWhole finds what touches by pairs, with all of the overlap at the start.
func (c *Contact) findWhole() (err error) {
	before := c.OffsetBetween
	c.OffsetBetween = nil
	if c.rigid != nil {
		err = c.rigid.find(c, false)
	}
	if c.faces != nil && err == nil {
		err = c.faces.find(c, false)
	}
	c.OffsetBetween = before
	return err
}

// offsetBetween returns the depth that does not count between two components at this evaluation [m].
func (c *Contact) offsetBetween(a, b int32) float64 {
	if len(c.OffsetBetween) == 0 {
		return 0
	}
	if at, ok := offsetAt(c.OffsetBetween, a, b); ok {
		return float64(c.offsets.fraction * c.OffsetBetween[at].Depth)
	}
	return 0
}

// setOffsets sets the part of the offsets at time t after a step dt.
func (c *Contact) setOffsets(t, dt float64, commit bool) {
	o := &c.offsets
	o.ramp = 0
	if len(c.OffsetBetween) == 0 {
		return
	}
	o.fraction = 1
	if c.Overlap.Mode != OverlapAllow {
		return
	}
	before := max(0, 1-(t-dt)/c.Overlap.Ramp)
	o.fraction = max(0, 1-t/c.Overlap.Ramp)
	if commit {
		if o.ramp = before - o.fraction; before == 0 {
			c.OffsetBetween = c.OffsetBetween[:0]
		}
	}
}

// openOffsets reduces the offsets to the present overlaps, and drops those that are zero.
func (c *Contact) openOffsets(commit bool) {
	if len(c.OffsetBetween) == 0 || c.Overlap.Mode == OverlapAllow || !commit {
		return
	}
	left := append(c.offsets.left[:0], make([]float64, len(c.OffsetBetween))...)
	c.offsets.left = left
	if c.rigid != nil {
		c.rigid.raiseLeft(c, left)
	}
	c.OffsetBetween = openedOffsets(c.OffsetBetween, left)
}

// addRampWork adds the work of the ramp in the last step, with the trapezoidal rule.
func (c *Contact) addRampWork() {
	if len(c.OffsetBetween) == 0 || c.Overlap.Mode != OverlapAllow {
		return
	}
	now := append(c.offsets.left[:0], make([]float64, len(c.OffsetBetween))...)
	c.offsets.left = now
	if c.rigid != nil {
		for i := range c.rigid.touches {
			t := &c.rigid.touches[i]
			if at, ok := offsetAt(c.OffsetBetween, c.outline.Edges[t.own].Component, c.outline.Edges[t.other].Component); ok {
				now[at] += t.normal
			}
		}
	}
	if c.faces != nil {
		c.faces.addOverlaps(now)
	}
	for i := range c.OffsetBetween {
		o := &c.OffsetBetween[i]
		c.RampWork += float64(0.5 * (now[i] + o.Force) * o.Depth * c.offsets.ramp)
		o.Force = now[i]
	}
}

// pairEdges returns the edges of the outline for pairs, and the number of components.
func (c *Contact) pairEdges() (edges []pairs.Edge, components int32) {
	for i := range c.outline.Edges {
		e, depth := &c.outline.Edges[i], c.outline.Depth[i]
		edges = append(edges, pairs.Edge{A: e.A, B: e.B, Prev: e.Prev, Next: e.Next, Across: -1, Roof: MaxDepth * depth, Back: depth})
		components = max(components, e.Component+1)
	}
	return edges, components
}

// peaksOn returns the greatest pressures so far at the contact nodes of an edge [Pa]; nil if it has none.
func (c *Contact) peaksOn(edge int32) []float64 {
	e := c.elementOf[edge]
	if e < 0 {
		return nil
	}
	if c.peaksOf[e] < 0 {
		c.peaksOf[e] = int32(len(c.PairPeaks))
		c.PairElements = append(c.PairElements, e)
		c.PairPeaks = append(c.PairPeaks, make([]float64, c.Nodes)...)
	}
	return c.PairPeaks[c.peaksOf[e]:][:c.Nodes]
}

// nodesBetween calls the function with the contact nodes of an edge between two positions.
func (c *Contact) nodesBetween(edge int32, lo, hi float64, each func(n int, u float64)) {
	if e := c.elementOf[edge]; e >= 0 {
		for n, u := range c.layouts[c.layoutOf[e]].position {
			if u >= lo && u <= hi {
				each(n, u)
			}
		}
	}
}

// eachNode calls the function with the contact nodes in the covered parts of all pairs, by their number
// in the contact, their depth [m], and the friction of the pair divided by its normal force.
func (c *Contact) eachNode(each func(node int, depth, friction float64)) {
	visit := func(own int32, lo, hi, depth0, run, normal, friction float64) {
		if normal != 0 {
			friction /= normal
		}
		c.nodesBetween(own, lo, hi, func(n int, u float64) {
			each(int(c.elementOf[own])*c.Nodes+n, max(0, depth0+float64(u*run)), friction)
		})
	}
	if c.rigid != nil {
		for i := range c.rigid.touches {
			if t := &c.rigid.touches[i]; !t.corner {
				visit(t.own, t.lo, t.hi, t.depth0, t.run, t.normal, t.friction)
			}
		}
	}
	c.faces.each(func(q *face, h *halves.Half) { visit(h.Own, q.lo, q.hi, q.depth0, q.run, q.normal, q.friction) })
}

// pairLaw returns the stiffness of the law of pairs [Pa/m].
func (c *Contact) pairLaw() float64 {
	switch {
	case c.faces != nil:
		return c.faces.law
	case c.rigid != nil:
		return c.rigid.law
	}
	return 0
}

// across returns the normal and the tangential force [N] of a pair across and along its own edge instead of
// its other one, if the own edge is the face on which a corner of the other outline presses. It is covered from
// lo to hi, where the depth is depth0 + u run [m]. Forces act across other edges. But the two edges at a corner
// share its force, and only what acts across the face adds up.
func (c *Contact) across(own, other int32, lo, hi, depth0, run, normal, friction float64) (across, along float64) {
	o := c.outline
	e, f := &o.Edges[own], &o.Edges[other]
	chord := sub(c.x[e.B], c.x[e.A])
	l2 := square(chord)
	sine2 := float64(run*run) / l2
	if sine2 < leastTurn {
		return normal, friction
	}
	// The outlines turn by mine and its at the ends that the covered part reaches: where it ends below the other
	// edge, and not with the own one, that ends.
	mine, its := 0.0, 0.0
	far := float64(elementary.Dot(sub(between(c.x[e.A], c.x[e.B], 0.5*(lo+hi)), between(c.x[f.A], c.x[f.B], 0.5)), sub(c.x[f.B], c.x[f.A])))
	deep := 1e-6 * max(depth0+float64(lo*run), depth0+float64(hi*run))
	for _, at := range [2]struct {
		u             float64
		ends          bool
		before, after int32
	}{{lo, lo <= 0, e.Prev, own}, {hi, hi >= 1, own, e.Next}} {
		switch {
		case at.ends:
			mine = max(mine, c.turn(c.x, at.before, at.after))
		case !(depth0+float64(at.u*run) > deep): // it leaves the other body
		case far < 0:
			its = max(its, c.turn(c.x, f.Prev, other))
		default:
			its = max(its, c.turn(c.x, other, f.Next))
		}
	}
	if its < sharp || mine >= its {
		return normal, friction
	}
	sine, cosine := run/math.Sqrt(l2), math.Sqrt(max(0, 1-sine2))
	return float64(cosine*normal) - float64(sine*friction), float64(cosine*friction) + float64(sine*normal)
}

// sharp is the turn of an outline, 20 degrees, from which it has a corner; edges of round outlines turn less.
const sharp = 0.06

// turn returns by how much an outline with nodes at x turns at a convex corner from edge i to edge j: 1 less the cosine of the
// angle; 0 at another corner, and 2 where it ends.
func (c *Contact) turn(x []r2.Vec, i, j int32) float64 {
	if i < 0 || j < 0 {
		return 2
	}
	of := c.outline.Edges
	p, q := sub(x[of[i].B], x[of[i].A]), sub(x[of[j].B], x[of[j].A])
	if elementary.Cross(p, q) <= 0 {
		return 0
	}
	return 1 - elementary.Dot(p, q)/math.Sqrt(square(p)*square(q))
}

// leastTurn is the squared sine of an angle between two edges from which it matters to sums of forces.
const leastTurn = 1e-8
