package segments

import (
	"cmp"
	"math"
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// State is what a contact stores from step to step, apart from the friction of its groups, which
// Columns has.
type State struct {
	StoredBefore float64   // energy of the law at the last committed evaluation [J]
	Offsets      []Offset  // ascending
	PeakEdges    []int32   // edges that have touched
	Peaks        []float64 // greatest pressures so far at their Positions [Pa]
	Peak         float64   // greatest pressure so far [Pa]
}

// Offset is a depth of two components that does not count: their overlap at the start.
type Offset struct {
	Components [2]int32 // ascending
	Depth      float64  // [m]
	Normal     float64  // normal force between them at the last committed evaluation [N]

	whole, normal float64 // of this evaluation
}

func (o Offset) compare(p Offset) int {
	return cmp.Or(cmp.Compare(o.Components[0], p.Components[0]), cmp.Compare(o.Components[1], p.Components[1]))
}

// Columns is the friction of the groups in the form of a checkpoint: an array of each value.
type Columns struct {
	Edge, Component                   []int32
	Friction, Spring, Stiffness, Slip []float64
	Sliding                           []bool
	First, Second                     []int32 // components of each offset
	Offset, OffsetNormal              []float64
}

// Columns returns the columns.
func (k *Contact) Columns() (c Columns) {
	for i := range k.groups {
		g := &k.groups[i]
		if g.stick == (coulomb.Stick{}) {
			continue
		}
		c.Edge, c.Component = append(c.Edge, g.Edge), append(c.Component, g.Component)
		c.Friction, c.Spring, c.Stiffness = append(c.Friction, g.stick.Friction), append(c.Spring, g.stick.Spring), append(c.Stiffness, g.stick.Stiffness)
		c.Slip, c.Sliding = append(c.Slip, g.slip), append(c.Sliding, g.stick.Sliding)
	}
	for _, o := range k.Offsets {
		c.First, c.Second = append(c.First, o.Components[0]), append(c.Second, o.Components[1])
		c.Offset, c.OffsetNormal = append(c.Offset, o.Depth), append(c.OffsetNormal, o.Normal)
	}
	return c
}

// Restore takes the columns of a checkpoint, after the State has been filled. It tells whether they
// belong to each other.
func (k *Contact) Restore(c *Columns) bool {
	n := len(c.Edge)
	for _, column := range [][]float64{c.Friction, c.Spring, c.Stiffness, c.Slip} {
		if len(column) != n {
			return false
		}
	}
	if len(c.Component) != n || len(c.Sliding) != n || len(c.First) != len(c.Second) || len(c.Offset) != len(c.First) || len(c.OffsetNormal) != len(c.First) ||
		len(k.Peaks) != len(k.PeakEdges)*len(k.Positions) {
		return false
	}
	k.touched = k.touched[:0]
	k.groups, k.pairs, k.awake, k.active, k.touches = k.groups[:0], k.pairs[:0], k.awake[:0], k.active[:0], k.touches[:0]
	for i := range n {
		g := group{Key: Key{c.Edge[i], c.Component[i]}, slip: c.Slip[i]}
		g.stick = coulomb.Stick{Friction: c.Friction[i], Spring: c.Spring[i], Stiffness: c.Stiffness[i], Sliding: c.Sliding[i]}
		k.groups = append(k.groups, g)
	}
	k.Offsets = k.Offsets[:0]
	for i := range c.First {
		k.Offsets = append(k.Offsets, Offset{Components: [2]int32{c.First[i], c.Second[i]}, Depth: c.Offset[i], Normal: c.OffsetNormal[i]})
	}
	for i := range k.peaksOf {
		k.peaksOf[i] = -1
	}
	for i, e := range k.PeakEdges {
		if e < 0 || int(e) >= len(k.peaksOf) || k.peaksOf[e] >= 0 {
			return false
		}
		k.peaksOf[e] = int32(i * len(k.Positions))
	}
	return true
}

// commitFriction adds the heat of the last step by the trapezoidal rule, and the change of the
// energy of the springs. On a group that has separated friction acts over the first half of the
// step, with about its last slip.
func (k *Contact) commitFriction() {
	heat, energy, dt := k.ended.power, -k.ended.energy, k.now.dt
	k.ended, k.settled = endedGroups{}, true
	separated := k.active[:0]
	for _, n := range k.active {
		if k.groups[n].covered == 0 {
			separated = append(separated, n)
		}
	}
	slices.Sort(separated)
	for _, n := range separated {
		g := &k.groups[n]
		heat += float64(g.stick.Friction * g.slip)
		energy -= g.stick.Energy()
		g.stick, g.slip = coulomb.Stick{}, 0
	}
	k.active = k.active[:0]
	for _, n := range k.touched {
		g := &k.groups[n]
		heat += float64((g.stick.Friction + g.before.Friction) * g.slip)
		energy += g.stick.Energy() - g.before.Energy()
		if g.stick != (coulomb.Stick{}) {
			k.active = append(k.active, n)
		}
	}
	k.FrictionWork = float64(-0.5 * heat * dt)
	k.StickEnergy = energy
}

// peakLine is the depths along an own edge up to which its peaks are raised.
type peakLine struct{ lo, hi, depth0, run float64 }

// raisePeaks raises the peak pressures along edges, and that of the contact.
func (k *Contact) raisePeaks() {
	for i := range k.touches {
		t := &k.touches[i]
		h := k.halfOf(t)
		deepest := h.deepest()
		k.Peak = max(k.Peak, float64(k.Stiffness*h.meanDeepest(deepest)))
		l := &k.lines[2*t.pair+int32(t.own)]
		if h.lo >= l.lo && h.hi <= l.hi && h.depth0+float64(h.lo*h.run) <= l.depth0+float64(h.lo*l.run) && h.depth0+float64(h.hi*h.run) <= l.depth0+float64(h.hi*l.run) {
			continue
		}
		*l = peakLine{h.lo, h.hi, h.depth0, h.run}
		own := k.pairs[t.pair].edge[t.own]
		if k.peaksOf[own] < 0 {
			k.peaksOf[own] = int32(len(k.Peaks))
			k.PeakEdges = append(k.PeakEdges, own)
			k.Peaks = append(k.Peaks, make([]float64, len(k.Positions))...)
		}
		peaks := k.Peaks[k.peaksOf[own]:][:len(k.Positions)]
		for n, u := range k.Positions {
			if u >= h.lo && u <= h.hi {
				peaks[n] = max(peaks[n], float64(k.Stiffness*(h.depth0+float64(u*h.run))))
			}
		}
	}
}

// peakPart is the part of an edge over which the greatest pressure of a contact is averaged.
const peakPart = 1.0 / 20

// meanDeepest returns the root mean square of the depth over peakPart of the own edge, where it is
// deepest [m].
func (h *half) meanDeepest(deepest float64) float64 {
	over := min(h.covered, peakPart)
	change := math.Abs(h.run) * over
	middle := deepest - float64(0.5*change)
	return math.Sqrt((float64(middle*middle) + float64(change*change)/12) * over / peakPart)
}

// Value is what presses on an own edge at one of the Positions.
type Value struct {
	Edge, Opposite            int32
	Position                  int
	Depth, Pressure, Traction float64 // [m], [Pa], [Pa]
}

// EachValue calls the function with the Positions in contact.
func (k *Contact) EachValue(each func(v Value)) {
	for i := range k.touches {
		t := &k.touches[i]
		h, p := k.halfOf(t), &k.pairs[t.pair]
		for n, u := range k.Positions {
			if u < h.lo || u > h.hi {
				continue
			}
			v := Value{Edge: p.edge[t.own], Opposite: p.edge[1-t.own], Position: n, Depth: max(0, h.depth0+float64(u*h.run))}
			v.Pressure = float64(k.Stiffness * v.Depth)
			if h.normal > 0 {
				v.Traction = float64(v.Pressure * (k.frictionOf(t, h) / h.normal))
			}
			each(v)
		}
	}
}

// frictionOf returns the friction of a touch [N].
func (k *Contact) frictionOf(t *touch, h *half) float64 {
	if g := &k.groups[t.group]; g.normal > 0 {
		return float64(g.stick.Friction * (h.normal / g.normal))
	}
	return 0
}

// Touch is a half in contact, for results.
type Touch struct {
	Own, Other     int32
	Lo, Hi         float64 // part of the own edge
	Deepest, Force float64 // [m], [N]
	Inward         [2]float64
}

// EachTouch calls the function with each half in contact.
func (k *Contact) EachTouch(each func(t Touch)) {
	for i := range k.touches {
		t := &k.touches[i]
		h, p := k.halfOf(t), &k.pairs[t.pair]
		each(Touch{p.edge[t.own], p.edge[1-t.own], h.lo, h.hi, h.deepest(), h.normal, [2]float64{h.inward.X, h.inward.Y}})
	}
}

// setFraction sets the part of the offsets that does not count at this evaluation.
func (k *Contact) setFraction(ramp float64) {
	k.now.fraction, k.now.before = 1, 1
	if ramp > 0 {
		k.now.fraction, k.now.before = max(0, 1-k.now.t/ramp), max(0, 1-(k.now.t-k.now.dt)/ramp)
	}
	k.now.ramped = ramp > 0
	for i := range k.Offsets {
		k.Offsets[i].whole, k.Offsets[i].normal = 0, 0
	}
}

// BeginOffsets makes the offsets of the components that overlap at the last evaluation.
func (k *Contact) BeginOffsets() {
	k.Offsets = k.Offsets[:0]
	for i := range k.touches {
		t := &k.touches[i]
		p := &k.pairs[t.pair]
		of := k.componentsOf(p)
		at, ok := slices.BinarySearchFunc(k.Offsets, Offset{Components: of}, Offset.compare)
		if !ok {
			k.Offsets = slices.Insert(k.Offsets, at, Offset{Components: of})
		}
		k.Offsets[at].Depth = max(k.Offsets[at].Depth, k.halfOf(t).deepest())
	}
	k.listOffsets()
}

func (k *Contact) componentsOf(p *pair) [2]int32 {
	a, b := k.Edges[p.edge[0]].Component, k.Edges[p.edge[1]].Component
	return [2]int32{min(a, b), max(a, b)}
}

// listOffsets finds the offsets of the pairs.
func (k *Contact) listOffsets() {
	k.mostOffset = 0
	for _, o := range k.Offsets {
		k.mostOffset = max(k.mostOffset, o.Depth)
	}
	for i := range k.pairs {
		p := &k.pairs[i]
		p.offset = -1
		if len(k.Offsets) == 0 {
			continue
		}
		if at, ok := slices.BinarySearchFunc(k.Offsets, Offset{Components: k.componentsOf(p)}, Offset.compare); ok {
			p.offset = int32(at)
		}
	}
}

// commitOffsets adds the work of the ramp, and drops offsets that have opened or are ramped out.
func (k *Contact) commitOffsets() {
	if len(k.Offsets) == 0 {
		return
	}
	for i := range k.touches {
		t := &k.touches[i]
		if p := &k.pairs[t.pair]; p.offset >= 0 {
			k.Offsets[p.offset].normal += k.halfOf(t).normal
		}
	}
	kept := k.Offsets[:0]
	for _, o := range k.Offsets {
		k.RampWork += float64(0.5 * (o.normal + o.Normal) * o.Depth * (k.now.before - k.now.fraction))
		o.Normal = o.normal
		if !k.now.ramped {
			o.Depth = min(o.Depth, o.whole)
		} else if k.now.before == 0 {
			o.Depth = 0
		}
		if o.Depth > 0 {
			kept = append(kept, o)
		}
	}
	if len(kept) < len(k.Offsets) {
		k.Offsets = kept
		k.listOffsets()
	}
}

// Near calls the function with the parts of own edges that are in contact at positions x, or would be
// if they were nearer by gap [m], of edges that face each other. inward is the direction into the body
// of the other edge.
func (k *Contact) Near(x []r2.Vec, gap float64, each func(own, other int32, lo, hi float64, inward r2.Vec)) {
	k.outline.X = x
	k.outline.UpdateAll()
	for i := range k.pairs {
		p := &k.pairs[i]
		for own := range p.edge {
			if along, _ := k.outline.Along(p.edge[own]); !(elementary.Dot(along, k.alongOf(p.edge[1-own])) < -facing) {
				continue
			}
			if lo, hi, ok := k.scratch.FindNear(&k.outline, p.edge[own], p.edge[1-own], gap); ok {
				_, inward := k.outline.Along(p.edge[1-own])
				each(p.edge[own], p.edge[1-own], lo, hi, inward)
			}
		}
	}
}

// facing is the least cosine of the angle between edges that face each other.
const facing = 1e-3

// alongOf returns the unit vector along an edge.
func (k *Contact) alongOf(edge int32) r2.Vec {
	along, _ := k.outline.Along(edge)
	return along
}
