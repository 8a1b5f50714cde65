package overlap

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// DiscLine returns the overlap of a disc with the half plane behind the line
// through p; n is the line's unit normal, out of the half plane.
func DiscLine(center r2.Vec, r float64, p, n r2.Vec) Patch {
	h := r - elementary.Dot(sub(center, p), n)
	switch {
	case !(h > 0):
		return Patch{}
	case h >= 2*r:
		return whole(center, r)
	}
	inward := r2.Vec{X: -n.X, Y: -n.Y}
	return capped(center, inward, cut(r, h), r, r-h)
}

// DiscDisc returns the overlap of a first disc with a second one.
func DiscDisc(center r2.Vec, r float64, other r2.Vec, q float64) Patch {
	between := sub(other, center)
	d := elementary.Norm(between)
	depth := r + q - d
	switch {
	case !(depth > 0):
		return Patch{}
	case d <= math.Abs(r-q):
		if r <= q {
			return whole(center, r)
		}
		return whole(other, q)
	}
	// The chord cuts both discs; heights of the segments without cancellation.
	axis := r2.Vec{X: between.X / d, Y: between.Y / d}
	high, low := min(depth*(d+(q-r))/(2*d), 2*r), min(depth*(d-(q-r))/(2*d), 2*q)
	mine, its := cut(r, high), cut(q, low)
	area := mine.area + its.area
	at := (mine.first + float64(d*its.area) - its.first) / area
	return Patch{
		Area: area, Centroid: ahead(center, axis, at),
		Along: turn(axis), Length: 2 * mine.half, J: mine.along + its.along,
		Energy: lens(mine.half, r, r-high, 1, q, q-low),
	}
}

// DiscHollow returns the overlap of a disc with the solid around a circular
// hollow of radius q.
func DiscHollow(center r2.Vec, r float64, hollow r2.Vec, q float64) Patch {
	off := sub(center, hollow)
	e := elementary.Norm(off)
	depth := e + r - q
	switch {
	case !(depth > 0):
		return Patch{}
	case e >= r+q:
		return whole(center, r)
	case e+q <= r: // the disc covers the hollow
		area := math.Pi * (r - q) * (r + q)
		if area == 0 {
			return Patch{}
		}
		shift := float64(math.Pi*q*q) / area // times off: centroid of what is left
		return Patch{Area: area, Centroid: ahead(center, off, shift)}
	}
	axis := r2.Vec{X: off.X / e, Y: off.Y / e}
	high, low := min(depth*(e+r+q)/(2*e), 2*r), min(depth*(r+(q-e))/(2*e), 2*q)
	mine, its := cut(r, high), cut(q, low)
	area := mine.area - its.area
	if !(area > 0) {
		return Patch{}
	}
	// Centroid from the disc's centre: the hollow's centre lies e behind.
	at := (mine.first - (its.first - float64(e*its.area))) / area
	return Patch{
		Area: area, Centroid: ahead(center, axis, at),
		Along: turn(axis), Length: 2 * mine.half, J: max(0, mine.along-its.along),
		Energy: lens(mine.half, r, r-high, -1, q, q-low),
	}
}

// whole is a disc that lies inside the other body.
func whole(center r2.Vec, r float64) Patch {
	return Patch{Area: math.Pi * r * r, Centroid: center}
}

// capped is the patch of one segment of a disc towards axis.
// The chord lies base from the centre.
func capped(center, axis r2.Vec, s segment, r, base float64) Patch {
	if !(s.area > 0) {
		return Patch{}
	}
	return Patch{
		Area: s.area, Centroid: ahead(center, axis, s.first/s.area),
		Along: turn(axis), Length: 2 * s.half, J: s.along, Energy: lens(s.half, r, base, 0, 0, 0),
	}
}

// Box is a solid rectangle.
type Box struct {
	Center r2.Vec // [m]
	Half   r2.Vec // half width along Axis and half height across [m]
	Axis   r2.Vec // unit vector along the width
}

// corners returns the corners counterclockwise.
func (b Box) corners() [4]r2.Vec {
	along := r2.Vec{X: b.Axis.X * b.Half.X, Y: b.Axis.Y * b.Half.X}
	across := r2.Vec{X: -b.Axis.Y * b.Half.Y, Y: b.Axis.X * b.Half.Y}
	corner := func(i, j float64) r2.Vec {
		return r2.Vec{
			X: b.Center.X + (float64(i*along.X) + float64(j*across.X)),
			Y: b.Center.Y + (float64(i*along.Y) + float64(j*across.Y)),
		}
	}
	return [4]r2.Vec{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}
}

// DiscBox returns the overlap of a disc with a solid box. For a disc in a
// box-shaped room take DiscLine with each wall.
func DiscBox(center r2.Vec, r float64, b Box) Patch {
	c := b.corners()
	return DiscConvex(center, r, c[:])
}

// DiscConvex returns the overlap of a disc with a convex polygon, its corners
// counterclockwise. It does not allocate.
//
// The overlap is bounded by what the disc holds of the edges and, wherever
// these leave the disc, by an arc to where they enter again.
func DiscConvex(center r2.Vec, r float64, polygon []r2.Vec) Patch {
	var first, at, line r2.Vec // from the centre
	var m moments              // about first
	parts := 0
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		a, b, ok := inDisc(sub(p, center), sub(q, center), r)
		if !ok {
			continue
		}
		if parts == 0 {
			first = a
		} else if a != at {
			line = m.arc(first, at, a, r, line)
		}
		m.triangle(sub(a, first), sub(b, first))
		at = b
		parts++
	}
	origin := r2.Vec{X: center.X + first.X, Y: center.Y + first.Y}
	switch {
	case parts == 0 && surrounds(polygon, center):
		return whole(center, r)
	case parts == 1:
		line = m.soleArc(first, at, r)
	case parts > 1 && at != first:
		line = m.arc(first, at, first, r, line)
	}
	return m.patch(origin, line)
}

// inDisc returns the part from a to b of the edge from p to q inside the disc
// of radius r around 0. An end inside is returned as it is.
func inDisc(p, q r2.Vec, r float64) (a, b r2.Vec, ok bool) {
	rr := float64(r * r)
	pIn, qIn := elementary.Dot(p, p) < rr, elementary.Dot(q, q) < rr
	if pIn && qIn {
		return p, q, true
	}
	d := sub(q, p)
	dd, foot, off := elementary.Dot(d, d), -elementary.Dot(p, d), elementary.Cross(p, d)
	root := float64(dd*rr) - float64(off*off)
	if !pIn && !qIn && (root <= 0 || foot <= 0 || foot >= dd) {
		return a, b, false
	}
	root = math.Sqrt(max(root, 0))
	a, b = p, q
	if !pIn {
		a = ahead(p, d, min(max((foot-root)/dd, 0), 1))
	}
	if !qIn {
		b = ahead(p, d, min(max((foot+root)/dd, 0), 1))
	}
	return a, b, true
}

// arc adds what lies between the arc from one point of the circle around 0
// counterclockwise to another and the origin, and returns line grown by the
// chord.
func (m *moments) arc(origin, from, to r2.Vec, r float64, line r2.Vec) r2.Vec {
	angle := elementary.Atan2(elementary.Cross(from, to), elementary.Dot(from, to))
	if angle < -1e-9 { // less is an arc of no length, rounded
		angle += 2 * math.Pi
	}
	m.bulge(origin, from, to, r, max(angle, 0))
	return r2.Vec{X: line.X + (to.X - from.X), Y: line.Y + (to.Y - from.Y)}
}

// soleArc closes an overlap that a single edge bounds, from first to at: the
// side on which the centre lies tells a short arc from a long one.
func (m *moments) soleArc(first, at r2.Vec, r float64) r2.Vec {
	angle := math.Abs(elementary.Atan2(elementary.Cross(at, first), elementary.Dot(at, first)))
	if elementary.Cross(first, at) > 0 { // the centre is within
		angle = 2*math.Pi - angle
	}
	m.bulge(first, at, first, r, angle)
	return sub(first, at)
}

// bulge adds the triangle of the chord and the segment beyond it.
func (m *moments) bulge(origin, from, to r2.Vec, r, angle float64) {
	m.triangle(sub(from, origin), sub(to, origin))
	s := elementary.Sin(0.25 * angle)
	across := sub(to, from)
	axis := r2.Vec{X: across.Y, Y: -across.X}
	if l := elementary.Norm(axis); l > 0 {
		axis.X, axis.Y = axis.X/l, axis.Y/l
	} else {
		axis = r2.Vec{X: 1}
	}
	m.segment(r2.Vec{X: -origin.X, Y: -origin.Y}, axis, cut(r, min(float64(2*r*s*s), 2*r)))
}

// surrounds tells whether p lies inside a convex polygon.
func surrounds(polygon []r2.Vec, p r2.Vec) bool {
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		if elementary.Cross(sub(b, a), sub(p, a)) <= 0 {
			return false
		}
	}
	return len(polygon) > 2
}
