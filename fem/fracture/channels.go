package fracture

import (
	"math"
	"slices"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fluid in cracks. An edge that is open is a channel between its faces, a vertex that has
// parted the room where channels meet. A fluid presses on both faces of each open end with
// a pressure of its own, which adds to what the law of the crack carries, so that cohesion,
// friction and shut faces see the effective stress:
//
//	V = sum over open ends of A (D + r)     A half the edge times thickness, D the opening
//
// Forces are p dV/dx, the turning of the frame included: no work is lost, and a free body
// keeps its angular momentum.
//
// The tip. A vertex beside one with fluid opens where the traction there reaches the
// strength over the PRESSURE of that fluid, and has the fluid at once. A tip that stayed dry
// for half an edge would need more pressure by 2 s sqrt(h/pi) over the toughness, under a
// stress s with edges h: 27 % of the length at 10 MPa.

// Channel is an open edge as a fluid finds it.
type Channel struct {
	Edge     int32
	Vertices [2]int32   // of the mesh, at From and To
	Nodes    [4]int32   // A's at From and To, B's at From and To
	Open     [2]bool    // at From and To
	Opening  [2]float64 // [m]
	Area     float64    // of an end, less what contact has of its faces [m2]
	Aperture [2]float64 // of the crack that the edge stands for at From and To, see aperture.go [m]
	Way      float64    // length along that crack, at first [m]
	slip     [2]float64
	n        r2.Vec
	now      float64 // length now [m]
}

// Channel returns the channel of an edge at positions x; ok is false where it is not open,
// or its faces have left each other, when it has no area.
func (z *Zone) Channel(edge int32, x []r2.Vec) (c Channel, ok bool) {
	k := z.crackOf[edge]
	if k < 0 {
		return c, false
	}
	of, e := &z.cracks[k], &z.edges[edge]
	var now frame
	of.look(x, &now)
	area := float64((1 - of.part) * of.weight)
	if of.left {
		area = 0
	}
	wide, way := z.apertures(k, &now, length(z.reach(e)))
	return Channel{
		Edge: edge, Vertices: [2]int32{e.From, e.To}, Nodes: of.node, Open: of.open, Opening: now.opening,
		Area: area, Aperture: wide, Way: way, slip: now.slip, n: now.n, now: now.length,
	}, !of.left
}

// Gradient returns how the volume of an end changes with the places of the four nodes
// [m2]: the force on them of a pressure of 1 Pa there.
func (c *Channel) Gradient(end int) (g [4]r2.Vec) {
	a := c.Area
	turn := float64(0.5 * a * c.slip[end] / c.now)
	push, twist := r2.Vec{X: a * c.n.X, Y: a * c.n.Y}, r2.Vec{X: float64(turn * c.n.X), Y: float64(turn * c.n.Y)}
	g[end], g[2+end] = r2.Vec{X: -push.X, Y: -push.Y}, push
	g[0], g[2] = sum(g[0], twist), sum(g[2], twist)
	g[1], g[3] = r2.Vec{X: g[1].X - twist.X, Y: g[1].Y - twist.Y}, r2.Vec{X: g[3].X - twist.X, Y: g[3].Y - twist.Y}
	return g
}

// OpenRound yields the edges that are open at a vertex.
func (z *Zone) OpenRound(vertex int32) func(yield func(edge int32) bool) {
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

// wet is the fluid in cracks.
type wet struct {
	pressure [][2]float64  // of each crack at From and To; nil where no fluid is [Pa]
	stands   [][2]standing // of each crack at From and To
	waits    []bool        // of each crack, whether its fluid goes on only where faces have opened, and leads no tip
	edges    []int32       // that have some
	tips     []int32       // fans beside it that can open
	mouths   []int32       // fans at walls of wells where joints begin
	meetings []int32       // fans with fluid where joints begin
	begins   []bool        // of each fan, whether joints begin or pass there
	atMouth  []float64     // of each fan, the pressure of the fluid there; 0 where no joint begins [Pa]
}

// HoldFluid makes room for fluid. At the mouths, vertices of outlines, joints open as beside
// a crack with the fluid of the well; a wall without joints carries that by its stress. So do
// joints at a vertex that a crack has brought fluid to.
func (z *Zone) HoldFluid(mouths []int32) {
	w, fans := &z.wet, len(z.fans.vertex)
	w.pressure, w.waits = make([][2]float64, len(z.cracks)), make([]bool, len(z.cracks))
	w.stands = slices.Repeat([][2]standing{{itself, itself}}, len(z.cracks))
	w.atMouth, w.begins = make([]float64, fans), make([]bool, fans)
	for k := range w.begins {
		w.begins[k] = slices.ContainsFunc(z.fans.spokesOf(int32(k)), func(e int32) bool { return e >= 0 && z.joint(z.edges[e].Region) })
	}
	for _, v := range mouths {
		if k := z.fans.of[v]; k >= 0 && w.begins[k] {
			w.mouths = append(w.mouths, k)
		}
	}
}

// Mouth tells the pressure of a well at a vertex of its wall [Pa].
func (z *Zone) Mouth(vertex int32, p float64) {
	if k := z.fans.of[vertex]; slices.Contains(z.wet.mouths, k) {
		z.wet.atMouth[k] = p
	}
}

// Flood tells which edges have fluid at their ends, ascending, and of what pressure; 0 at
// an end without [Pa]; and of which the fluid waits for faces to open before it goes on. Those of
// a call before that are not among them have none any more.
func (z *Zone) Flood(edges []int32, pressure [][2]float64, waits []bool) {
	w := &z.wet
	for _, e := range w.edges {
		if _, still := slices.BinarySearch(edges, e); !still {
			z.press(z.crackOf[e], [2]float64{})
		}
	}
	w.edges, w.tips = append(w.edges[:0], edges...), w.tips[:0]
	z.meet(edges, pressure, waits)
	for i, e := range edges {
		k := z.crackOf[e]
		w.waits[k] = waits[i]
		if z.press(k, pressure[i]); waits[i] {
			continue
		}
		for end, open := range z.cracks[k].open {
			if v := [2]int32{z.edges[e].From, z.edges[e].To}[end]; !open && pressure[i][1-end] > 0 && z.fans.of[v] >= 0 {
				w.tips = append(w.tips, z.fans.of[v])
			}
		}
	}
	for _, k := range w.mouths {
		if w.atMouth[k] > 0 {
			w.tips = append(w.tips, k)
		}
	}
}

// meet tells the pressures where joints begin at vertices that cracks have brought fluid to.
func (z *Zone) meet(edges []int32, pressure [][2]float64, waits []bool) {
	w := &z.wet
	for _, k := range w.meetings {
		w.atMouth[k] = 0
	}
	w.meetings = w.meetings[:0]
	for i, e := range edges {
		if waits[i] {
			continue
		}
		for end, p := range pressure[i] {
			k := z.fans.of[[2]int32{z.edges[e].From, z.edges[e].To}[end]]
			if k < 0 || !w.begins[k] || !(p > w.atMouth[k]) || slices.Contains(w.mouths, k) || !z.shutJoint(k) {
				continue
			}
			w.atMouth[k] = p
			w.meetings, w.tips = append(w.meetings, k), append(w.tips, k)
		}
	}
}

// shutJoint tells whether a joint at fan k has not opened there.
func (z *Zone) shutJoint(k int32) bool {
	open := z.fans.openOf(k)
	for i, e := range z.fans.spokesOf(k) {
		if e >= 0 && !open[i] && z.joint(z.edges[e].Region) {
			return true
		}
	}
	return false
}

// press sets the pressures in a crack.
func (z *Zone) press(k int32, p [2]float64) {
	before := z.wet.pressure[k] != [2]float64{}
	z.wet.pressure[k] = p
	if before != (p != [2]float64{}) {
		z.settle(k)
	}
}

// isWet tells whether crack k has fluid.
func (z *Zone) isWet(k int32) bool {
	return z.wet.pressure != nil && z.wet.pressure[k] != [2]float64{}
}

// pressureBeyond returns the pressure of fluid at the far end of a spoke of fan k, or at
// the mouth of a joint [Pa].
func (z *Zone) pressureBeyond(edge, k int32) (p float64) {
	if z.wet.pressure == nil || edge < 0 {
		return 0
	}
	if z.joint(z.edges[edge].Region) {
		p = z.wet.atMouth[k]
	}
	if q := z.crackOf[edge]; q >= 0 && !z.wet.waits[q] && z.hasArrived(edge, q) {
		p = max(p, z.wet.pressure[q][1-z.end(edge, k)])
	}
	return p
}

// enters returns the pressure of a fluid that comes between the faces of one or two spokes (-1
// for no second), which glue holds together at a chord: a joint that stress shuts against it
// lets nothing in, slip along it or not [Pa].
func (z *Zone) enters(first, second int32, glue, chord r2.Vec, fluid float64) float64 {
	if z.joint(z.edges[first].Region) || second >= 0 && z.joint(z.edges[second].Region) {
		if over := z.over(glue, chord, fluid); float64(over.X*chord.X)+float64(over.Y*chord.Y) < 0 {
			return 0
		}
	}
	return fluid
}

// PressedBy returns the pressure with which the faces of a joint press on each other at an end,
// where its opening is as given; 0 for all else [Pa].
func (z *Zone) PressedBy(edge int32, end int, opening float64) float64 {
	k := z.crackOf[edge]
	if k < 0 || !z.joint(z.edges[edge].Region) {
		return 0
	}
	mem := z.memory(k, end)
	if z.isSprung(edge) {
		return mem[cohesive.Pressed]
	}
	_, b := z.pointOf(k, end)
	if b.Pressure > 0 {
		opening -= mem[cohesive.Offset]
	}
	return max(0, float64(-b.Stiffness*opening))
}

// Fill begins an end of a joint anew with a fluid between its faces from the start: contact
// carries what stress there is over its pressure [Pa]. Forces as they are hold for both.
func (z *Zone) Fill(edge int32, end int, pressure float64) {
	k := z.crackOf[edge]
	r := &z.regions[z.cracks[k].region]
	_, b := z.pointOf(k, end)
	var mem [cohesive.Memories]float64
	normal, shear := b.Normal-b.Pressure+pressure, b.Shear+b.Rub
	if r.Springs != nil {
		*b = r.Springs.Open(normal, shear, b.Stiffness, mem[:])
	} else {
		*b = z.lawOf(&z.cracks[k]).Open(cohesive.Start{Normal: normal, Shear: shear, Stiffness: b.Stiffness, Energy: b.Energy, Onset: b.Onset, Rate: b.Rate}, mem[:])
	}
	z.remember(k, end, &mem)
	z.wet.pressure[k][end] = pressure
	z.settle(k)
}

// hasArrived tells whether what has happened at one end of an edge since its crack q opened
// can be felt at the other: the triangles there take some 5/omega, in which the fastest waves go
// along an edge of triangles that are nearly equilateral; along the long edges of slender ones
// they take longer. Else a fluid at more than the strength would run from vertex to vertex, one
// each step.
func (z *Zone) hasArrived(edge, q int32) bool {
	e := &z.edges[edge]
	omega2 := max(z.omega2[e.A], z.omega2[e.B])
	speed := max(z.triangles.WaveSpeed(int(e.A)), z.triangles.WaveSpeed(int(e.B)))
	return !(z.time < z.fates[q].inserted+max(5/math.Sqrt(omega2), length(z.reach(e))/speed))
}

// atTip returns the greatest pressure of fluid beside the vertex of fan k, which has none
// itself [Pa].
func (z *Zone) atTip(k int32) (p float64) {
	if z.wet.pressure == nil {
		return 0
	}
	for i, e := range z.fans.spokesOf(k) {
		if !z.fans.openOf(k)[i] {
			p = max(p, z.pressureBeyond(e, k))
		}
	}
	return p
}

// Pressure returns the pressures of fluid at the ends of an edge [Pa].
func (z *Zone) Pressure(edge int32) [2]float64 {
	if k := z.crackOf[edge]; k >= 0 && z.wet.pressure != nil {
		return z.wet.pressure[k]
	}
	return [2]float64{}
}
