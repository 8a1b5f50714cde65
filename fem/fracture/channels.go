package fracture

import (
	"math"
	"slices"

	"fdem/fem"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fluid in cracks. An open edge is a channel between its faces; channels meet at open vertices. At
// each open end of an edge a fluid presses on both faces with the pressure of that end. This
// pressure adds to the traction of the crack's law, so that cohesion, friction and contact of
// closed faces depend on the effective stress:
//
//	V = sum over open ends of A (D + r)     A half the edge times thickness, D the opening
//
// Forces are p dV/dx, including the rotation of the frame. So no work is lost, and a free body
// keeps its angular momentum.
//
// The tip. A vertex beside one with fluid opens when its effective traction, with the pressure of
// that fluid, reaches the strength, and the fluid enters at once. If the tip stayed dry for half an
// edge, the pressure would rise by 2 s sqrt(h/pi) over the toughness, under a stress s with edges
// of length h: 27 % of the length at 10 MPa.

// Channel is the geometry of an open edge for the flow of a fluid.
type Channel struct {
	Edge     int32
	Vertices [2]int32   // of the mesh, at From and To
	Nodes    [4]int32   // A's at From and To, B's at From and To
	Open     [2]bool    // at From and To
	Opening  [2]float64 // [m]
	Area     float64    // of an end, without the part of the faces that contact has taken over [m2]
	Aperture [2]float64 // of the crack that the edge represents at From and To, see aperture.go [m]
	Length   float64    // reference length along that crack [m]
	slip     [2]float64
	n        r2.Vec
	now      float64 // current length [m]
}

// Channel returns the channel of an edge at positions x. ok is false if the edge is not open, or if
// its faces are detached and have no area.
func (z *Zone) Channel(edge int32, x []r2.Vec) (c Channel, ok bool) {
	k := z.crackOf[edge]
	if k < 0 {
		return c, false
	}
	of, e := &z.cracks[k], &z.edges[edge]
	var now frame
	of.measureGaps(x, &now)
	area := float64((1 - of.contactShare) * of.weight)
	if of.detached {
		area = 0
	}
	wide, path := z.apertures(k, &now, length(z.edgeVector(e)))
	return Channel{
		Edge: edge, Vertices: [2]int32{e.From, e.To}, Nodes: of.node, Open: of.open, Opening: now.opening,
		Area: area, Aperture: wide, Length: path, slip: now.slip, n: now.n, now: now.length,
	}, !of.detached
}

// Opposite tells whether the faces lie opposite each other, within half of their length, whether or not contact
// has taken them over.
func (c *Channel) Opposite() bool {
	half := 0.5 * c.now
	return math.Abs(c.slip[0]) < half && math.Abs(c.slip[1]) < half
}

// Gradient returns the derivative of the volume of an end with respect to the positions of the four
// nodes [m2]. It is the force on them of a pressure of 1 Pa there.
func (c *Channel) Gradient(end int) (g [4]r2.Vec) {
	a := c.Area
	turn := float64(0.5 * a * c.slip[end] / c.now)
	push, twist := r2.Vec{X: a * c.n.X, Y: a * c.n.Y}, r2.Vec{X: float64(turn * c.n.X), Y: float64(turn * c.n.Y)}
	g[end], g[2+end] = r2.Vec{X: -push.X, Y: -push.Y}, push
	g[0], g[2] = sum(g[0], twist), sum(g[2], twist)
	g[1], g[3] = r2.Vec{X: g[1].X - twist.X, Y: g[1].Y - twist.Y}, r2.Vec{X: g[3].X - twist.X, Y: g[3].Y - twist.Y}
	return g
}

// OpenEdges yields the edges that are open at a vertex.
func (z *Zone) OpenEdges(vertex int32) func(yield func(edge int32) bool) {
	return func(yield func(edge int32) bool) {
		k := z.fans.of[vertex]
		if k < 0 {
			return
		}
		open := z.fans.openOf(k)
		for i, e := range z.fans.spokesOf(k) {
			if e >= 0 && open[i] && !yield(e) {
				return
			}
		}
	}
}

// crackFluid is the fluid in cracks.
type crackFluid struct {
	flows         bool              // there is a fluid that flows in cracks
	pressure      [][2]float64      // pressure of each crack at From and To; nil if there is no fluid [Pa]
	smoothed      [][2]smoothedEdge // of each crack at From and To
	waiting       []bool            // per crack: its fluid enters only where faces have opened, and it opens no tip
	edges         []int32           // edges with fluid
	tips          []int32           // fans beside fluid that can open
	mouths        []int32           // fans at walls of wells where joints begin
	junctions     []int32           // fans at vertices with fluid where joints begin
	hasJoint      []bool            // per fan: joints begin or pass there
	jointPressure []float64         // per fan: the pressure of the fluid there; 0 if no joint begins there [Pa]
}

// EnableFluid allocates the state of fluid. mouths are vertices of outlines. Joints open there,
// under the fluid of the well, as they do beside a crack. A wall without joints carries the
// pressure by its stress. Joints at a vertex that the fluid of a crack has reached open in the same
// way.
func (z *Zone) EnableFluid(mouths []int32) {
	w, fans := &z.fluid, len(z.fans.vertex)
	w.flows = true
	z.allowPressure()
	w.jointPressure, w.hasJoint = make([]float64, fans), make([]bool, fans)
	for k := range w.hasJoint {
		w.hasJoint[k] = slices.ContainsFunc(z.fans.spokesOf(int32(k)), func(e int32) bool { return e >= 0 && z.joint(z.edges[e].Region) })
	}
	for _, v := range mouths {
		if k := z.fans.of[v]; k >= 0 && w.hasJoint[k] {
			w.mouths = append(w.mouths, k)
		}
	}
}

// allowPressure allocates the pressures in cracks.
func (z *Zone) allowPressure() {
	w := &z.fluid
	w.pressure, w.waiting = make([][2]float64, len(z.cracks)), make([]bool, len(z.cracks))
	w.smoothed = slices.Repeat([][2]smoothedEdge{{unsmoothed, unsmoothed}}, len(z.cracks))
}

// Fluid in the pores of triangles, see package diffusion. It fills cracks, too, so the traction of a
// crack's law, and the strength of what is whole, is the effective stress of Terzaghi: the total one
// plus the pressure p at the vertex, where that is above 0. The total one is that of the material's
// law less b p in each triangle, b Biot's coefficient.
type pores struct {
	push     []float64 // per triangle: b p; nil for none [Pa]
	pressure []float64 // per node: the pressure in a crack there, at least 0 [Pa]
	shift    []float64 // per triangle: see EnablePores [Pa]
	shifted  []fem.Span
}

// EnablePores makes cracks follow the fluid in pores: b p of each triangle, and the pressure that each
// node would have in a crack, at least 0 [Pa]. shift is how much the effective mean stress of a triangle is
// above that of its law at most: the greatest pressure of its corners less b p [Pa]. The caller changes these
// as time goes on.
func (z *Zone) EnablePores(push, pressure, shift []float64) {
	z.pores = pores{push: push, pressure: pressure, shift: shift}
	if z.fluid.pressure == nil {
		z.allowPressure()
	}
	for k := range z.sleepers {
		z.sleepers[k].soft = 0 // a pressure may change while the stress of the law does not
	}
}

// findShifted finds the triangles whose effective stress is above their threshold while that of their law,
// of which OpenAbove is told, need not be: b is below 1, the pressure below 0, or greater at a corner than in
// the middle.
func (z *Zone) findShifted() {
	o, s := &z.pores, &z.scan
	o.shifted, s.blocks = o.shifted[:0], s.blocks[:0]
	for i := range z.thresholds {
		a := &z.thresholds[i]
		lane, last, least := z.triangles.LaneIndex(int(a.First)), int32(-1), leastShift(a)
		for t := a.First; t < a.End; t, lane = t+1, lane+1 {
			if b := lane / lanes; o.shift[t] > least && b != last {
				s.blocks, last = append(s.blocks, b), b
			}
		}
	}
	if len(s.blocks) == 0 {
		return
	}
	s.blocks = slices.Grow(s.blocks, fem.Ahead)
	z.parallel(len(s.blocks) >= fewFans, z.doStress)
	for i := range z.thresholds {
		a := &z.thresholds[i]
		lane, least := z.triangles.LaneIndex(int(a.First)), leastShift(a)
		for t := a.First; t < a.End; t, lane = t+1, lane+1 {
			if by := o.shift[t]; by > least && exceeds(&s.stress[lane/lanes], lane%lanes, by, a) {
				o.add(t, a, lane%lanes)
			}
		}
	}
}

// leastShift is the least shift of a threshold that matters: thresholdMargin covers it [Pa].
func leastShift(a *fem.StressThreshold) float64 { return 0.01 * min(a.Tension, a.Shear) }

// exceeds tells whether a stress is above a threshold once its mean is greater by a number of Pa.
func exceeds(q *fem.BlockStress, lane int32, by float64, a *fem.StressThreshold) bool {
	p, d := float64(0.5*(q.XX[lane]+q.YY[lane]))+by, 0.5*(q.XX[lane]-q.YY[lane])
	tension, shear := a.Tension-p, a.Shear-float64(a.Slope*p)
	square := float64(d*d) + float64(q.XY[lane]*q.XY[lane])
	return tension < 0 || shear < 0 || square > float64(tension*tension) || square > float64(shear*shear)
}

// addShifted adds the triangles of findShifted to others.
func (z *Zone) addShifted(above []fem.Span, x []r2.Vec) []fem.Span {
	if z.pores.shift == nil {
		return above
	}
	z.allocate(x)
	z.scan.x = x
	z.findShifted()
	if len(z.pores.shifted) > 0 {
		z.scan.above = append(append(z.scan.above[:0], above...), z.pores.shifted...)
		above = z.scan.above
	}
	return above
}

// add adds a triangle to those shifted, and the others of its block if the threshold says so.
func (o *pores) add(t int32, a *fem.StressThreshold, lane int32) {
	first, end := t, t+1
	if a.Beside {
		first, end = max(a.First, t-lane), min(a.End, t-lane+lanes)
	}
	if n := len(o.shifted) - 1; n >= 0 && o.shifted[n].End >= first {
		o.shifted[n].End = max(o.shifted[n].End, end)
		return
	}
	o.shifted = append(o.shifted, fem.Span{First: first, End: end})
}

// porePressure returns the pressure of the fluid in pores at the vertex of a fan, at the node of
// triangle i of all fans [Pa].
func (z *Zone) porePressure(i int32) float64 {
	if z.pores.push == nil {
		return 0
	}
	return z.pores.pressure[z.nodes[z.fans.tri[i]][z.fans.corner[i]]]
}

// addPorePush adds the forces of the fluid in pores to those of the triangles of fan k.
func (z *Zone) addPorePush(k int32, force []r2.Vec) {
	f, x := z.fans, z.scan.x
	for i := range force {
		at := f.first[k] + int32(i)
		t, c := f.tri[at], f.corner[at]
		n := &z.nodes[t]
		push := fem.PushOnCorner(0.5*z.thickness*z.pores.push[t], x[n[(c+1)%3]], x[n[(c+2)%3]])
		force[i].X += push.X
		force[i].Y += push.Y
	}
}

// SetPorePressure sets the pressure at an end of an open edge that no other fluid fills [Pa].
func (z *Zone) SetPorePressure(edge int32, end int, p float64) {
	k := z.crackOf[edge]
	now := z.fluid.pressure[k]
	now[end] = p
	z.setPressure(k, now)
}

// PorePressure returns the pressure of the fluid in pores at an end of an edge [Pa].
func (z *Zone) PorePressure(edge int32, end int) float64 {
	k := z.crackOf[edge]
	if z.pores.push == nil || k < 0 {
		return 0
	}
	n := &z.cracks[k].node
	return max(z.pores.pressure[n[end]], z.pores.pressure[n[2+end]])
}

// EachOpen calls a function with the edges that are open, ascending.
func (z *Zone) EachOpen(do func(edge int32)) {
	for _, k := range z.order {
		do(z.cracks[k].edge)
	}
}

// SetWellPressure sets the pressure of a well at a vertex of its wall [Pa].
func (z *Zone) SetWellPressure(vertex int32, p float64) {
	if k := z.fans.of[vertex]; slices.Contains(z.fluid.mouths, k) {
		z.fluid.jointPressure[k] = p
	}
}

// SetFluid sets the edges that have fluid, ascending, the pressures at their ends [Pa], 0 at an end
// without fluid, and whether the fluid waits for the faces to open before it flows on. Edges of an
// earlier call that are not in the list no longer have fluid.
func (z *Zone) SetFluid(edges []int32, pressure [][2]float64, waits []bool) {
	w := &z.fluid
	for _, e := range w.edges {
		if _, still := slices.BinarySearch(edges, e); !still {
			z.setPressure(z.crackOf[e], [2]float64{})
		}
	}
	w.edges, w.tips = append(w.edges[:0], edges...), w.tips[:0]
	z.setJunctionPressures(edges, pressure, waits)
	for i, e := range edges {
		k := z.crackOf[e]
		w.waiting[k] = waits[i]
		if z.setPressure(k, pressure[i]); waits[i] {
			continue
		}
		for end, open := range z.cracks[k].open {
			if v := [2]int32{z.edges[e].From, z.edges[e].To}[end]; !open && pressure[i][1-end] > 0 && z.fans.of[v] >= 0 {
				w.tips = append(w.tips, z.fans.of[v])
			}
		}
	}
	for _, k := range w.mouths {
		if w.jointPressure[k] > 0 {
			w.tips = append(w.tips, k)
		}
	}
}

// setJunctionPressures sets the pressures at vertices where joints begin and the fluid of a crack
// has arrived.
func (z *Zone) setJunctionPressures(edges []int32, pressure [][2]float64, waits []bool) {
	w := &z.fluid
	for _, k := range w.junctions {
		w.jointPressure[k] = 0
	}
	w.junctions = w.junctions[:0]
	for i, e := range edges {
		if waits[i] {
			continue
		}
		for end, p := range pressure[i] {
			k := z.fans.of[[2]int32{z.edges[e].From, z.edges[e].To}[end]]
			if k < 0 || !w.hasJoint[k] || !(p > w.jointPressure[k]) || slices.Contains(w.mouths, k) || !z.hasClosedJoint(k) {
				continue
			}
			w.jointPressure[k] = p
			w.junctions, w.tips = append(w.junctions, k), append(w.tips, k)
		}
	}
}

// hasClosedJoint tells whether fan k has a joint that is closed at its vertex.
func (z *Zone) hasClosedJoint(k int32) bool {
	open := z.fans.openOf(k)
	for i, e := range z.fans.spokesOf(k) {
		if e >= 0 && !open[i] && z.joint(z.edges[e].Region) {
			return true
		}
	}
	return false
}

// setPressure sets the pressures in a crack.
func (z *Zone) setPressure(k int32, p [2]float64) {
	before := z.fluid.pressure[k] != [2]float64{}
	z.fluid.pressure[k] = p
	if before != (p != [2]float64{}) {
		z.updateQuad(k)
	}
}

// hasFluid tells whether crack k has fluid.
func (z *Zone) hasFluid(k int32) bool {
	return z.fluid.pressure != nil && z.fluid.pressure[k] != [2]float64{}
}

// farPressure returns the pressure of fluid at the far end of a spoke of fan k, or at
// the mouth of a joint [Pa].
func (z *Zone) farPressure(edge, k int32) (p float64) {
	if !z.fluid.flows || edge < 0 {
		return 0
	}
	if z.joint(z.edges[edge].Region) {
		p = z.fluid.jointPressure[k]
	}
	if q := z.crackOf[edge]; q >= 0 && !z.fluid.waiting[q] && z.hasArrived(edge, q) {
		p = max(p, z.fluid.pressure[q][1-z.end(edge, k)])
	}
	return p
}

// entryPressure returns the pressure of the fluid that enters between the faces of one or two
// spokes (-1 for no second), for the given internal force on a chord [Pa]. No fluid enters a joint
// that stress presses together more than the fluid opens it, whether or not the joint slips.
func (z *Zone) entryPressure(first, second int32, internal, chord r2.Vec, fluid float64) float64 {
	if z.joint(z.edges[first].Region) || second >= 0 && z.joint(z.edges[second].Region) {
		if over := z.effectiveForce(internal, chord, fluid); float64(over.X*chord.X)+float64(over.Y*chord.Y) < 0 {
			return 0
		}
	}
	return fluid
}

// ContactPressure returns the pressure between the faces of a joint at an end, for a given opening;
// 0 for other edges [Pa].
func (z *Zone) ContactPressure(edge int32, end int, opening float64) float64 {
	k := z.crackOf[edge]
	if k < 0 || !z.joint(z.edges[edge].Region) {
		return 0
	}
	mem := z.memory(k, end)
	if z.hasSprings(edge) {
		return mem[cohesive.Pressed]
	}
	_, b := z.pointOf(k, end)
	if b.Pressure > 0 {
		opening -= mem[cohesive.Offset]
	}
	return max(0, float64(-b.Stiffness*opening))
}

// FillJoint starts an end of a joint again with a fluid between its faces from the start. Contact
// then carries the stress minus the fluid's pressure [Pa]. The forces on nodes do not change.
func (z *Zone) FillJoint(edge int32, end int, pressure float64) {
	k := z.crackOf[edge]
	r := &z.regions[z.cracks[k].region]
	_, b := z.pointOf(k, end)
	var mem [cohesive.Memories]float64
	normal, shear := b.Normal-b.Pressure+pressure, b.Shear+b.FrictionShear
	if r.Springs != nil {
		*b = r.Springs.Open(normal, shear, b.Stiffness, mem[:])
	} else {
		*b = z.lawOf(&z.cracks[k]).Open(cohesive.Start{Normal: normal, Shear: shear, Stiffness: b.Stiffness, Energy: b.Energy, Onset: b.Onset, Rate: b.Rate}, mem[:])
	}
	z.setMemory(k, end, &mem)
	z.fluid.pressure[k][end] = pressure
	z.updateQuad(k)
}

// hasArrived tells whether a wave from one end of an edge has reached the other end since its crack
// q opened. That takes about 5/omega of the triangles there. In this time the fastest waves travel
// along an edge of nearly equilateral triangles; along the long edges of slender triangles they
// take longer. Without this delay a fluid at more than the strength would advance by one vertex in
// each step.
func (z *Zone) hasArrived(edge, q int32) bool {
	e := &z.edges[edge]
	omega2 := max(z.omega2[e.A], z.omega2[e.B])
	speed := max(z.triangles.WaveSpeed(int(e.A)), z.triangles.WaveSpeed(int(e.B)))
	return !(z.time < z.histories[q].inserted+max(5/math.Sqrt(omega2), length(z.edgeVector(e))/speed))
}

// tipPressure returns the greatest pressure of fluid beside the vertex of fan k, which itself has
// no fluid [Pa].
func (z *Zone) tipPressure(k int32) (p float64) {
	if !z.fluid.flows {
		return 0
	}
	for i, e := range z.fans.spokesOf(k) {
		if !z.fans.openOf(k)[i] {
			p = max(p, z.farPressure(e, k))
		}
	}
	return p
}

// Pressure returns the pressures of fluid at the ends of an edge [Pa].
func (z *Zone) Pressure(edge int32) [2]float64 {
	if k := z.crackOf[edge]; k >= 0 && z.fluid.pressure != nil {
		return z.fluid.pressure[k]
	}
	return [2]float64{}
}
