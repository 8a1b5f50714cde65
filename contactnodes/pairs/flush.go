package pairs

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Corners above each other. Where two faces end at the same place, as in a stack of equal boxes and in
// a joint of masonry, each corner lies on the border of the other body, where its depth is zero: the
// nearest way out is sideways. It is no way out, because it leads the corner into its own body. So the
// two corners together carry what one of them carries a short way beside. Their depth is
//
//	D = v w (d - s²/(2 d)),
//
// for a depth d of each corner below the face of the other and a distance s along the faces, less than
// the root of two times d. The factor v falls from one to zero as the faces turn away from each other,
// and w as d comes near the thickness of the bodies there: faces on the far sides of two bodies are
// above each other too. The energies of both corners by themselves and of this depth, all with the
// same stiffness K, add up to 1/2 K d² at any s, within -11 and +1 %.

// Cosines of the angles between two faces up to which corners above each other carry all, and from
// which on they carry nothing, and depths relative to the shortest edge at the two corners.
const (
	flushAll, flushNone = 0.95, 0.8
	flushDeep, flushEnd = 0.25, 0.5
)

// Flush is two corners above each other.
type Flush struct {
	CornerOwn, CornerOther int32   // edges that start at the corners
	AtOwn, AtOther         float64 // positions of the corners along the two edges, 0 or 1
	Depth                  float64 // [m]
	Nodes                  [6]int32
	Gradient               [6]r2.Vec // the first one is that of the own corner
}

// FindFlush appends the corners above each other at the ends of edges own and other, with depths less
// offset [m].
func (o *Outline) FindFlush(found []Flush, own, other int32, offset float64) []Flush {
	a, b := &o.Edges[own], &o.Edges[other]
	if -elementary.Dot(o.frames[own].along, o.frames[other].along) <= flushNone {
		return found
	}
	if f := (Flush{CornerOwn: own, CornerOther: b.Next, AtOther: 1}); o.findFlush(&f, own, other, a.Prev, b.Next, offset) {
		found = append(found, f)
	}
	if f := (Flush{CornerOwn: a.Next, CornerOther: other, AtOwn: 1}); o.findFlush(&f, own, other, a.Next, b.Prev, offset) {
		found = append(found, f)
	}
	return found
}

// findFlush finds the depth of two corners, where edges beside meet the two edges. It returns false if
// there is none.
func (o *Outline) findFlush(f *Flush, own, other, besideOwn, besideOther int32, offset float64) bool {
	if besideOwn < 0 || besideOther < 0 {
		return false
	}
	a, b := &o.Edges[own], &o.Edges[other]
	p, q := &o.frames[own], &o.frames[other]
	at, on := a.A, b.B
	if f.AtOwn == 1 {
		at, on = a.B, b.A
	}
	r := r2.Sub(o.X[at], o.X[on])
	normal, tangent := times(0.5, r2.Sub(q.inward, p.inward)), times(0.5, r2.Sub(p.along, q.along))
	d, s := elementary.Dot(normal, r)-offset, elementary.Dot(tangent, r)
	thickness := min(p.length, q.length, o.lengthNow(besideOwn), o.lengthNow(besideOther))
	if !(d > 0) || s*s >= float64(2*d*d) || d >= flushEnd*thickness {
		return false
	}
	cosine := -elementary.Dot(p.along, q.along)
	v, byCosine := fades(cosine, flushNone, flushAll)
	w, byDepth := fades(d/thickness, flushEnd, flushDeep)
	open, ratio := d-float64(0.5*s*s)/d, s/d
	f.Depth = float64(v * w * open)
	onD := float64(v*w*(1+float64(0.5*ratio*ratio))) + float64(v*open*byDepth)/thickness
	onS := -float64(v * w * ratio)
	onTurn := float64(w * open * byCosine * elementary.Cross(q.along, p.along))
	direct := r2.Add(times(onD, normal), times(onS, tangent))
	turnOwn := float64(0.5*onD*elementary.Dot(p.along, r)) + float64(0.5*onS*elementary.Dot(p.inward, r)) + onTurn
	turnOther := -float64(0.5*onD*elementary.Dot(q.along, r)) - float64(0.5*onS*elementary.Dot(q.inward, r)) - onTurn
	byOwn, byOther := times(turnOwn/p.length, p.inward), times(turnOther/q.length, q.inward)
	f.Nodes = [6]int32{at, on, a.B, a.A, b.B, b.A}
	f.Gradient = [6]r2.Vec{direct, times(-1, direct), byOwn, times(-1, byOwn), byOther, times(-1, byOther)}
	return true
}

// fades returns a smooth factor that rises from 0 at none to 1 at all, and its derivative.
func fades(x, none, all float64) (v, slope float64) {
	t := min(max((x-none)/(all-none), 0), 1)
	return float64(t*t) * (3 - float64(2*t)), float64(6*t*(1-t)) / (all - none)
}

// lengthNow returns the length of an edge at the present positions [m].
func (o *Outline) lengthNow(i int32) float64 {
	d := r2.Sub(o.X[o.Edges[i].B], o.X[o.Edges[i].A])
	return math.Sqrt(elementary.Dot(d, d))
}
