package overlap

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

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
			return wholeDisc(center, r)
		}
		return wholeDisc(other, q)
	}
	// The chord cuts both discs. The heights of the segments are computed
	// without cancellation.
	axis := r2.Vec{X: between.X / d, Y: between.Y / d}
	high, low := min(depth*(d+(q-r))/(2*d), 2*r), min(depth*(d-(q-r))/(2*d), 2*q)
	mine, its := discSegment(r, high), discSegment(q, low)
	area := mine.area + its.area
	at := (mine.first + float64(d*its.area) - its.first) / area
	return Patch{
		Area: area, Centroid: ahead(center, axis, at),
		Along: perpendicular(axis), Length: 2 * mine.half, J: mine.along + its.along,
		Energy: chordEnergy(mine.half, r, r-high, 1, q, q-low),
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
		return wholeDisc(center, r)
	case e+q <= r: // the disc covers the hollow
		area := math.Pi * (r - q) * (r + q)
		if area == 0 {
			return Patch{}
		}
		shift := float64(math.Pi*q*q) / area // times off: centroid of the area that is left
		return Patch{Area: area, Centroid: ahead(center, off, shift)}
	}
	axis := r2.Vec{X: off.X / e, Y: off.Y / e}
	high, low := min(depth*(e+r+q)/(2*e), 2*r), min(depth*(r+(q-e))/(2*e), 2*q)
	mine, its := discSegment(r, high), discSegment(q, low)
	area := mine.area - its.area
	if !(area > 0) {
		return Patch{}
	}
	// The centroid is measured from the disc's centre; the hollow's centre lies
	// e behind it.
	at := (mine.first - (its.first - float64(e*its.area))) / area
	return Patch{
		Area: area, Centroid: ahead(center, axis, at),
		Along: perpendicular(axis), Length: 2 * mine.half, J: max(0, mine.along-its.along),
		Energy: chordEnergy(mine.half, r, r-high, -1, q, q-low),
	}
}

// wholeDisc is a disc that lies inside the other body.
func wholeDisc(center r2.Vec, r float64) Patch {
	return Patch{Area: math.Pi * r * r, Centroid: center}
}

// addDiscArc adds the triangle of the chord and the segment beyond it.
func (m *moments) addDiscArc(origin, from, to r2.Vec, r, angle float64) {
	m.addTriangle(sub(from, origin), sub(to, origin))
	s := elementary.Sin(0.25 * angle)
	across := sub(to, from)
	axis := r2.Vec{X: across.Y, Y: -across.X}
	if l := elementary.Norm(axis); l > 0 {
		axis.X, axis.Y = axis.X/l, axis.Y/l
	} else {
		axis = r2.Vec{X: 1}
	}
	m.addSegment(r2.Vec{X: -origin.X, Y: -origin.Y}, axis, discSegment(r, min(float64(2*r*s*s), 2*r)))
}
