// Package halves finds the contact of straight edges in closed form, four halves of pairs side by side,
// and adds the forces to the nodes. A half is the own edge of a pair on its other edge: package pairs has
// the formulas for edges of any form, one after the other.
package halves

import (
	"math"

	"fdem/contactnodes/pairs"

	"gonum.org/v1/gonum/spatial/r2"
)

// Lanes is the number of halves side by side.
const Lanes = 4

// Quad is a value of each of four halves.
type Quad [Lanes]float64

// Half is half of a pair of straight edges. The assembly kernels depend on the order and size of these
// fields.
type Half struct {
	Nodes         [4]int32 // A and B of the own edge, A and B of the other one
	Before, After int32    // nodes before and after the other edge; its own A and B where it ends
	Own, Other    int32    // boundary edges
	Stiffness     float64  // of the law on the whole own edge [N/m]
	Roof          float64  // depth from which the other edge is too deep [m]
	Mass          float64  // of the lighter one of the two bodies, 0 if it does not matter [kg]
	Group         int32    // number of the own edge and the component of the other one
	Offset        int32    // see pairOffsets in package contactnodes; -1 for none
}

// Four is what is found of four halves. A half acts at two Gauss nodes of the covered part of its own edge,
// and at their feet on its other edge. The assembly kernels depend on the order and size of these fields.
type Four struct {
	Half [Lanes]int32
	Grip [2][Lanes]int32 // set by the caller: indices of the friction of the two nodes in Spreading.Ratio

	// A bit per lane.
	Near     int32 // it is in contact now or in the next steps
	Touching int32 // it is in contact
	Deep     int32 // it is deeper than the roof; nothing else is found
	Sector   int32 // the other edge begins at a re-entrant corner

	Offset         Quad // set by the caller: depth that does not count [m]
	AlongX, AlongY Quad // unit vector along the other edge, with the body on its left
	Length         Quad // of the other edge [m]
	Depth0, Run    Quad // depth at position u of the own edge: Depth0 + u Run [m]
	Foot0, Foot1   Quad // its foot there: Foot0 + u Foot1
	Lo, Hi         Quad // covered part of the own edge
	Stiffness      Quad // of that [N/m]
	Normal         Quad // force [N]
	Energy         Quad // [J]
	Position       Quad // of the resultant along the own edge
	Nodes          [2]Node
	Sum, First     Quad // stiffness now and in the next steps relative to that of the whole edge, and its
	Second         Quad // moments, see pairs.Ahead
	Ahead          Quad // its mean position along the own edge
	AheadFoot      Quad // and along the other one
	Closing        Quad // speed of closing there [m/s]
}

// Node is a Gauss node of each of four halves.
type Node struct {
	Normal         Quad // force [N]
	Position, Foot Quad // along the own edge and along the other one
	Couple         Quad // moment of a unit of friction about the foot, over the other edge's length
	Slip           Quad // [m/s]
}

// Query is how halves are found, every value in all lanes. The assembly kernels depend on the order of
// these fields.
type Query struct {
	Zero, One, Half Quad
	NotSign         [Lanes]uint64
	Gauss           [2]Quad // positions of two nodes in a part
	LookAhead       Quad    // greatest distance that matters [m]
	Below           Quad    // -LookAhead
	Approach        Quad    // greatest approach in the next step [m]
	Least           Quad    // least approach [m]
	Step            Quad    // two steps [s]
	Steps           Quad    // number of steps that are predicted
	Two, Three, Six Quad
	Third, Twelfth  Quad
	Thirtieth       Quad
	Predicts        [Lanes]uint64 // all bits if stiffness is wanted
}

func all(v float64) Quad { return Quad{v, v, v, v} }

// Set sets the query for a greatest distance [m], and the greatest and the least approach in a step of
// given duration [m, s], of which steps are predicted; without prediction, no stiffness is found.
func (q *Query) Set(lookAhead, approach, least, step, steps float64, predicts bool) {
	*q = Query{
		One: all(1), Half: all(0.5), Gauss: [2]Quad{all(0.5 - 0.5*pairs.Spread), all(0.5 + 0.5*pairs.Spread)},
		LookAhead: all(lookAhead), Below: all(-lookAhead), Approach: all(approach), Least: all(least), Step: all(2 * step), Steps: all(steps),
		Two: all(2), Three: all(3), Six: all(6), Third: all(1.0 / 3), Twelfth: all(1.0 / 12), Thirtieth: all(1.0 / 30),
	}
	for l := range Lanes {
		q.NotSign[l] = math.MaxInt64
		if predicts {
			q.Predicts[l] = math.MaxUint64
		}
	}
}

// Kernel finds halves, and adds their forces.
type Kernel struct {
	// Meet finds fours of halves at positions x with velocities v of the nodes.
	Meet func(f []Four, halves []Half, x, v []r2.Vec, q *Query)
	// Spread adds the forces of fours of halves.
	Spread func(f []Four, halves []Half, s *Spreading)
	// Power returns the power of the friction of halves at velocities v of the nodes, and a sum before [W].
	Power func(drags []Drag, v []r2.Vec, sum float64) float64
}

var plain = Kernel{meetPlain, spreadPlain, powerPlain}

// The functions below are those of vector instructions, also for what is no number.

func above(p, q float64) float64 {
	if p > q {
		return p
	}
	return q
}

func below(p, q float64) float64 {
	if p < q {
		return p
	}
	return q
}

func within(p float64) float64 { return below(above(p, 0), 1) }

func choose(mask bool, yes, no float64) float64 {
	if mask {
		return yes
	}
	return no
}

// cut is where a linear function along the own edge changes its sign.
type cut struct {
	at         float64
	fromA, toB bool // it is negative at A, at B
}

func cutAt(atA, atB float64) cut { return cut{atA / (atA - atB), atA < 0, atB < 0} }

// part is a part of the own edge.
type part struct{ lo, hi float64 }

// cut reduces the part to where a function is not negative.
func (p *part) cut(k cut) {
	p.lo = above(choose(k.fromA, k.at, 0), p.lo)
	p.hi = below(choose(k.toB, k.at, 1), p.hi)
	if k.fromA && k.toB {
		p.lo, p.hi = 1, 0
	}
}

func meetPlain(f []Four, hs []Half, x, v []r2.Vec, q *Query) {
	for i := range f {
		f[i].Near, f[i].Touching, f[i].Deep, f[i].Sector = 0, 0, 0, 0
		for l := range Lanes {
			f[i].meet(l, &hs[f[i].Half[l]], x, v, q)
		}
	}
}

// boundary returns the normal of the bisector at a corner between unit vectors, or their own direction at
// a re-entrant corner and at the end of an outline.
func boundary(ownX, ownY, dx, dy float64, atStart bool) (x, y float64, turned bool) {
	l2 := float64(dx*dx) + float64(dy*dy)
	l := math.Sqrt(l2)
	none := l2 == 0
	bx, by := choose(none, ownX, dx/l), choose(none, ownY, dy/l)
	turn := float64(bx*ownY) - float64(by*ownX)
	if !atStart {
		turn = float64(ownX*by) - float64(ownY*bx)
	}
	turned = turn < 0
	return choose(turned, ownX, ownX+bx), choose(turned, ownY, ownY+by), turned
}

// meet finds the half in lane l.
func (f *Four) meet(l int, h *Half, x, v []r2.Vec, k *Query) {
	c, d := x[h.Nodes[2]], x[h.Nodes[3]]
	ex, ey := d.X-c.X, d.Y-c.Y
	length := math.Sqrt(float64(ex*ex) + float64(ey*ey))
	ax, ay := ex/length, ey/length
	b, e := x[h.Before], x[h.After]
	startX, startY, sector := boundary(ax, ay, c.X-b.X, c.Y-b.Y, true)
	endX, endY, _ := boundary(ax, ay, e.X-d.X, e.Y-d.Y, false)

	p, q := x[h.Nodes[0]], x[h.Nodes[1]]
	pcx, pcy, qcx, qcy := p.X-c.X, p.Y-c.Y, q.X-c.X, q.Y-c.Y
	depth0 := float64(ax*pcy) - float64(ay*pcx) - f.Offset[l]
	depth1 := float64(ax*qcy) - float64(ay*qcx) - f.Offset[l]
	run := depth1 - depth0
	foot0 := (float64(ax*pcx) + float64(ay*pcy)) / length
	foot1 := (float64(ax*qcx)+float64(ay*qcy))/length - foot0
	region := part{0, 1}
	region.cut(cutAt(float64(startX*pcx)+float64(startY*pcy), float64(startX*qcx)+float64(startY*qcy)))
	dpx, dpy, dqx, dqy := d.X-p.X, d.Y-p.Y, d.X-q.X, d.Y-q.Y
	region.cut(cutAt(float64(endX*dpx)+float64(endY*dpy), float64(endX*dqx)+float64(endY*dqy)))
	deepest := above(depth0+float64(region.lo*run), depth0+float64(region.hi*run))
	reaches := region.lo < region.hi && deepest > k.Below[l]
	deep := reaches && deepest > h.Roof-f.Offset[l]
	reaches = reaches && !deep
	covered := region
	covered.cut(cutAt(depth0, depth1))
	touching := reaches && covered.lo < covered.hi && deepest > 0

	f.AlongX[l], f.AlongY[l], f.Length[l] = ax, ay, length
	f.Depth0[l], f.Run[l], f.Foot0[l], f.Foot1[l] = depth0, run, foot0, foot1
	f.Lo[l], f.Hi[l] = covered.lo, covered.hi
	width := choose(touching, covered.hi-covered.lo, 0)
	f.press(l, h, width)

	vp, vq, vc, vd := v[h.Nodes[0]], v[h.Nodes[1]], v[h.Nodes[2]], v[h.Nodes[3]]
	np, nq := float64(ax*vp.Y)-float64(ay*vp.X), float64(ax*vq.Y)-float64(ay*vq.X)
	nc, nd := float64(ax*vc.Y)-float64(ay*vc.X), float64(ax*vd.Y)-float64(ay*vd.X)
	tp, tq := float64(ax*vp.X)+float64(ay*vp.Y), float64(ax*vq.X)+float64(ay*vq.Y)
	tc, td := float64(ax*vc.X)+float64(ay*vc.Y), float64(ax*vd.X)+float64(ay*vd.Y)
	for i := range f.Nodes {
		n := &f.Nodes[i]
		n.Slip[l] = tp + float64(n.Position[l]*(tq-tp)) - (tc + float64(n.Foot[l]*(td-tc))) - float64(n.Couple[l]*(nd-nc))
	}
	speed := above(above(math.Abs(np-nc), math.Abs(np-nd)), above(math.Abs(nq-nc), math.Abs(nq-nd)))
	near := below(float64(speed*k.Step[l])+k.Least[l], k.Approach[l])
	f.lookAhead(l, region, depth1, near, reaches && k.Predicts[l] != 0, k)
	at := f.Ahead[l]
	f.Closing[l] = np + float64(at*(nq-np)) - (nc + float64(f.AheadFoot[l]*(nd-nc)))
	bit := int32(1) << l
	if touching {
		f.Touching |= bit
	}
	if touching || f.Sum[l] > 0 {
		f.Near |= bit
	}
	if deep {
		f.Deep |= bit
	}
	if sector {
		f.Sector |= bit
	}
}

// press finds the force in lane l by two Gauss nodes in a covered part of a width, 0 for none.
func (f *Four) press(l int, h *Half, width float64) {
	stiffness := h.Stiffness * width
	half := 0.5 * stiffness
	u := [2]float64{f.Lo[l] + float64((0.5-0.5*pairs.Spread)*width), f.Lo[l] + float64((0.5+0.5*pairs.Spread)*width)}
	var energy, force [2]float64
	for i := range f.Nodes {
		depth := f.Depth0[l] + float64(u[i]*f.Run[l])
		force[i] = float64(half * depth)
		energy[i] = float64(0.5 * force[i] * depth)
		n := &f.Nodes[i]
		n.Normal[l], n.Position[l], n.Foot[l] = force[i], u[i], f.Foot0[l]+float64(u[i]*f.Foot1[l])
		n.Couple[l] = (0 - (depth + f.Offset[l])) / f.Length[l]
	}
	f.Stiffness[l] = stiffness
	f.Energy[l] = energy[0] + energy[1]
	normal := force[0] + force[1]
	position := (float64(force[0]*u[0]) + float64(force[1]*u[1])) / normal
	f.Normal[l], f.Position[l] = normal, within(choose(normal > 0, position, 0.5*(f.Lo[l]+f.Hi[l])))
}

// lookAhead finds the stiffness in lane l now and in the next steps, in a region of the own edge: that of
// what may be in contact after an approach by near [m] counts fully, and that of what may be later less,
// by the square of a weight that falls linearly with the distance.
func (f *Four) lookAhead(l int, region part, depth1, near float64, wanted bool, k *Query) {
	far := below(float64(near*k.Steps[l]), k.LookAhead[l])
	depth0, run := f.Depth0[l], f.Run[l]
	at := cutAt(depth0+near, depth1+near)
	p := region
	p.cut(at)
	width := choose(wanted && p.lo < p.hi, p.hi-p.lo, 0)
	sum, first := width, float64(width*(0.5*(p.lo+p.hi)))
	second := float64(width * ((float64(p.lo*p.lo) + float64(p.lo*p.hi) + float64(p.hi*p.hi)) * (1.0 / 3)))

	p = region
	p.cut(cutAt(depth0+far, depth1+far))
	p.cut(cut{at.at, depth0+near > 0, depth1+near > 0})
	width = choose(wanted && far > near && p.lo < p.hi, p.hi-p.lo, 0)
	per := 1 / choose(far > near, far-near, 1)
	vLo, vHi := (depth0+float64(p.lo*run)+far)*per, (depth0+float64(p.hi*run)+far)*per
	vv, vw, ww := float64(vLo*vLo), float64(vLo*vHi), float64(vHi*vHi)
	s := float64(width * (vv + vw + ww) * (1.0 / 3))
	m := width * (vv + float64(2*vw) + float64(3*ww)) * (1.0 / 12)
	n := width * (vv + float64(3*vw) + float64(6*ww)) * (1.0 / 30)
	f.Sum[l] = sum + s
	f.First[l] = first + (float64(p.lo*s) + float64(width*m))
	f.Second[l] = second + (float64(p.lo*(float64(p.lo*s)+float64(2*width*m))) + float64(width*width*n))
	f.Ahead[l] = within(f.First[l] / choose(f.Sum[l] > 0, f.Sum[l], 1))
	f.AheadFoot[l] = within(f.Foot0[l] + float64(f.Ahead[l]*f.Foot1[l]))
}
