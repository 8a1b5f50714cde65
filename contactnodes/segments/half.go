package segments

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// frame is what halves need of an edge as the other edge.
type frame struct {
	along, start, end r2.Vec  // unit vector, and the bisectors at its ends as in package pairs, both along the edge
	length, per       float64 // [m], [1/m]
	sector            bool    // it starts at a re-entrant corner
}

// framing is the frames of the other edges of halves that are awake.
type framing struct {
	of      []frame
	unit    []r2.Vec
	length  []float64
	framed  []int32 // per edge: number of the evaluation for which it has a frame
	unified []int32 // and for which it has a unit vector
	step    int32
}

func (f *framing) begin(edges int) {
	f.of, f.unit, f.length = make([]frame, edges), make([]r2.Vec, edges), make([]float64, edges)
	f.framed, f.unified = make([]int32, edges), make([]int32, edges)
}

// unify finds the unit vector along an edge.
func (k *Contact) unify(i int32) r2.Vec {
	f := &k.frames
	if f.unified[i] != f.step {
		f.unified[i] = f.step
		e := &k.outline.Edges[i]
		a, b := k.now.x[e.A], k.now.x[e.B]
		dx, dy := b.X-a.X, b.Y-a.Y
		l := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		per := 1 / l
		f.length[i], f.unit[i] = l, r2.Vec{X: float64(dx * per), Y: float64(dy * per)}
	}
	return f.unit[i]
}

// frame frames an edge.
func (k *Contact) frame(i int32) {
	all := &k.frames
	if all.framed[i] == all.step {
		return
	}
	all.framed[i] = all.step
	f, e, along := &all.of[i], &k.outline.Edges[i], k.unify(i)
	f.along, f.start, f.end, f.length, f.per, f.sector = along, along, along, all.length[i], 1/all.length[i], false
	if e.Prev >= 0 {
		before := k.unify(e.Prev)
		if float64(before.X*along.Y)-float64(before.Y*along.X) >= 0 {
			f.start.X += before.X
			f.start.Y += before.Y
		} else {
			f.sector = true
		}
	}
	if e.Next >= 0 {
		after := k.unify(e.Next)
		if float64(along.X*after.Y)-float64(along.Y*after.X) >= 0 {
			f.end.X += after.X
			f.end.Y += after.Y
		}
	}
}

// half is one half of a pair: the own edge in the region of the other edge.
type half struct {
	stiffness     float64 // of the own edge [N/m]
	covered       float64 // length of the part in contact relative to the own edge; 0 for none
	normal        float64 // normal force [N]
	position      float64 // of its resultant along the own edge
	foot          float64 // and along the other edge
	depth         float64 // mean depth there, weighted by pressure [m]
	energy        float64 // [J]
	slip          float64 // mean slip speed, weighted by pressure [m/s]
	lo, hi        float64 // the part in contact
	depth0, run   float64 // depth at position u of the own edge: depth0 + u run [m]
	whole         float64 // greatest depth, with the offset that does not count [m]
	ahead         float64 // weighted length for the time step, see package pairs
	at, under     float64 // its middle along the own and along the other edge
	loss          float64 // k v^2 of first contact [N m/s2]
	beyond        bool    // a part is nearly as deep as the other edge's limit, or deeper
	along, inward r2.Vec
	per           float64 // of the other edge's frame
}

// ends are the ends of the two edges of a half, the own edge first, and their velocities.
type ends struct{ a, b, c, d, va, vb, vc, vd r2.Vec }

// clip narrows [lo, hi] to the part where a linear value, f0 at 0 and f1 at 1, is not negative.
func clip(lo, hi, f0, f1 float64) (float64, float64) {
	if f0 < 0 {
		lo = max(lo, f0/(f0-f1))
		if f1 < 0 {
			return 1, 0
		}
	} else if f1 < 0 {
		hi = min(hi, f0/(f0-f1))
	}
	return lo, hi
}

// find finds the half of an own edge in the region of an edge with frame f. offset is a depth that
// does not count, limit that from which the depth falls again [m].
func (h *half) find(f *frame, e *ends, now *arguments, offset, limit float64) {
	h.covered, h.ahead, h.beyond, h.whole = 0, 0, false, 0
	ra, rb := r2.Vec{X: e.a.X - e.c.X, Y: e.a.Y - e.c.Y}, r2.Vec{X: e.b.X - e.c.X, Y: e.b.Y - e.c.Y}
	d0, d1 := elementary.Cross(f.along, ra), elementary.Cross(f.along, rb)
	if d0 < -now.most && d1 < -now.most || d0 > 2*limit+offset && d1 > 2*limit+offset {
		return
	}
	lo, hi := clip(0, 1, elementary.Dot(f.start, ra), elementary.Dot(f.start, rb))
	lo, hi = clip(lo, hi, elementary.Dot(f.end, r2.Vec{X: e.d.X - e.a.X, Y: e.d.Y - e.a.Y}), elementary.Dot(f.end, r2.Vec{X: e.d.X - e.b.X, Y: e.d.Y - e.b.Y}))
	if far := 2*limit + offset; d0 > far || d1 > far {
		lo, hi = clip(lo, hi, far-d0, far-d1)
	}
	if !(lo < hi) {
		return
	}
	h.along, h.inward, h.per = f.along, r2.Vec{X: -f.along.Y, Y: f.along.X}, f.per
	if offset > 0 {
		if from, to := clip(lo, hi, d0, d1); from < to {
			h.whole = max(d0+float64(from*(d1-d0)), d0+float64(to*(d1-d0)))
		}
		d0, d1 = d0-offset, d1-offset
	}
	h.depth0, h.run = d0, d1-d0
	s0 := elementary.Dot(f.along, ra)
	run := float64((elementary.Dot(f.along, rb) - s0) * f.per)
	s0 = float64(s0 * f.per)
	h.press(lo, hi, s0, run, limit)
	if now.v != nil {
		h.move(e, now, lo, hi, s0, run)
	}
}

// nearLimit is the part of an edge's limit from which a half is looked at by package pairs.
const nearLimit = 0.8

// press finds the part of [lo, hi] in contact, its force and its energy. The foot of position u is
// at s0 + u run along the other edge.
func (h *half) press(lo, hi, s0, run, limit float64) {
	d0, d1 := h.depth0, h.depth0+h.run
	if d0 <= 0 && d1 <= 0 {
		return
	}
	lo, hi = clip(lo, hi, d0, d1)
	if !(lo < hi) {
		return
	}
	width, middle := hi-lo, float64(0.5*(lo+hi))
	depth, spread := d0+float64(middle*h.run), float64(h.run*width*width)*(1.0/12)
	area := width * depth
	if !(area > 0) {
		return
	}
	square := float64(width * (float64(depth*depth) + float64(h.run*spread)))
	h.covered, h.lo, h.hi = width, lo, hi
	h.beyond = depth+float64(0.5*math.Abs(h.run)*width) > float64(nearLimit*limit)
	h.position = middle + float64(spread*width)/area
	h.foot = s0 + float64(run*h.position)
	h.depth = square / area
	h.normal, h.energy = h.stiffness*area, 0.5*float64(h.stiffness*square)
}

// move finds the slip, the parts that count for the time step, and the correction of leapfrog.
func (h *half) move(e *ends, now *arguments, lo, hi, s0, run float64) {
	na, nb, nc, nd := elementary.Cross(h.along, e.va), elementary.Cross(h.along, e.vb), elementary.Cross(h.along, e.vc), elementary.Cross(h.along, e.vd)
	if h.covered > 0 {
		u, s := h.position, h.foot
		v, w := 1-u, 1-s
		x := float64(v*e.va.X) + float64(u*e.vb.X) - float64(w*e.vc.X) - float64(s*e.vd.X)
		y := float64(v*e.va.Y) + float64(u*e.vb.Y) - float64(w*e.vc.Y) - float64(s*e.vd.Y)
		h.slip = float64(h.along.X*x) + float64(h.along.Y*y) + float64(h.depth*(nd-nc)*h.per)
		if now.corrects {
			h.correct(math.Abs(float64(v*na)+float64(u*nb)-float64(w*nc)-float64(s*nd)) * now.dt)
		}
	}
	if !now.commits {
		return
	}
	speed := max(math.Abs(na-nc), math.Abs(na-nd), math.Abs(nb-nc), math.Abs(nb-nd))
	near := now.next.approach(speed)
	far := min(now.most, predictionSteps*near)
	d0, d1 := h.depth0, h.depth0+h.run
	from, to := clip(lo, hi, d0+near, d1+near)
	sum, first := 0.0, 0.0
	if from < to {
		sum = to - from
		first = float64(sum * 0.5 * (from + to))
	}
	if far > near && (d0 < -near || d1 < -near) {
		from, to = clip(lo, hi, d0+far, d1+far)
		if from, to = clip(from, to, -near-d0, -near-d1); from < to {
			per, middle, width := 1/(far-near), 0.5*(from+to), to-from
			w, slope := float64((d0+float64(middle*h.run)+far)*per), float64(h.run*per*width)
			part := float64(width * (float64(w*w) + float64(float64(slope*slope)*(1.0/12))))
			sum += part
			first += float64(part * middle)
		}
	}
	if !(sum > 0) {
		return
	}
	h.ahead, h.at = sum, first/sum
	h.under = min(max(s0+float64(run*h.at), 0), 1)
	u, s := h.at, h.under
	rate := float64((1-u)*na) + float64(u*nb) - float64((1-s)*nc) - float64(s*nd)
	h.loss = float64(h.stiffness * sum * now.stiffest * rate * rate)
}

// predictionSteps is the greatest number of steps before contact at which a pair counts for the time
// step, and leastApproach the least approach of a pair relative to Next.Approach.
const (
	predictionSteps = 40
	leastApproach   = 0.05
)

// approach bounds the approach [m] in the next step of a pair with a closing speed [m/s].
func (n *Next) approach(speed float64) float64 {
	return min(n.Approach, float64(2*speed*n.Step)+float64(leastApproach*n.Approach))
}

// general is a half found by package pairs: at a re-entrant corner, or beyond the limit of an edge.
type general struct {
	force  [4]r2.Vec // on the ends of the own and of the other edge by the law [N]
	energy float64
	inward r2.Vec
}

// findGeneral finds such a half, and replaces the values in h. It tells whether there is one.
func (k *Contact) findGeneral(h *half, own, other int32, sector bool, offset float64) bool {
	o, g := &k.outline, &k.scratch
	o.X = k.now.x
	o.Update([]int32{own, other})
	if sector {
		if !g.FindSector(o, own, other, offset) {
			return false
		}
	} else if !g.Find(o, own, other, offset) {
		return false
	}
	var of general
	h.covered, h.normal, h.depth, h.energy, h.position, h.foot, h.whole = g.Covered, 0, 0, 0, 0, 0, 0
	h.lo, h.hi = g.Range()
	h.depth0, h.run = g.DepthLine()
	sum := 0.0
	for i := range g.Points {
		p := &g.Points[i]
		f := float64(h.stiffness * p.Weight * p.Depth)
		of.energy += float64(0.5 * f * p.Depth)
		for n := range of.force {
			of.force[n].X -= float64(f * p.Gradient[n].X)
			of.force[n].Y -= float64(f * p.Gradient[n].Y)
		}
		sum += f
		h.position += float64(f * p.U)
		h.whole = max(h.whole, p.Depth+offset)
	}
	x, y := of.force[0].X+of.force[1].X, of.force[0].Y+of.force[1].Y
	h.normal = math.Sqrt(float64(x*x) + float64(y*y))
	if sum == 0 {
		h.covered = 0
		return false
	}
	h.energy = of.energy
	if h.normal > 1e-9*sum { // beyond the limit parts of the force may cancel
		h.inward = r2.Vec{X: -x / h.normal, Y: -y / h.normal}
		h.along = r2.Vec{X: h.inward.Y, Y: -h.inward.X}
	}
	k.placeGeneral(h, own, other, h.position/sum)
	of.inward = h.inward
	k.general = append(k.general, of)
	return true
}

// placeGeneral finds where the friction of such a half acts, and its slip.
func (k *Contact) placeGeneral(h *half, own, other int32, position float64) {
	e, o, x := &k.outline.Edges[own], &k.outline.Edges[other], k.now.x
	a, b, c, d := x[e.A], x[e.B], x[o.A], x[o.B]
	h.position = position
	at := r2.Vec{X: a.X + float64(position*(b.X-a.X)), Y: a.Y + float64(position*(b.Y-a.Y))}
	along := r2.Vec{X: d.X - c.X, Y: d.Y - c.Y}
	l2 := elementary.Dot(along, along)
	r := r2.Vec{X: at.X - c.X, Y: at.Y - c.Y}
	h.foot = min(max(elementary.Dot(along, r)/l2, 0), 1)
	if k.now.v == nil {
		return
	}
	h.slip = 0
	f := frictionOn(h, at, c, along, l2)
	for n, node := range [4]int32{e.A, e.B, o.A, o.B} {
		h.slip += elementary.Dot(f[n], k.now.v[node])
	}
}

// frictionOn returns the forces on the ends of the edges of a general half by a unit of friction. It
// acts at the same position on both edges: a couple on the other edge has its moment about the foot.
func frictionOn(h *half, at, c, along r2.Vec, l2 float64) [4]r2.Vec {
	t := h.along
	arm := r2.Vec{X: at.X - c.X - float64(h.foot*along.X), Y: at.Y - c.Y - float64(h.foot*along.Y)}
	couple := elementary.Cross(arm, t) / l2
	q := r2.Vec{X: -float64(couple * along.Y), Y: float64(couple * along.X)}
	u, s := h.position, h.foot
	return [4]r2.Vec{times(1-u, t), times(u, t), r2.Add(times(s-1, t), q), r2.Sub(times(-s, t), q)}
}

func times(f float64, a r2.Vec) r2.Vec { return r2.Vec{X: float64(f * a.X), Y: float64(f * a.Y)} }
