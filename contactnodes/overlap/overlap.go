// Package overlap clips polygons and circles against one another (polygon
// clipping) and measures the overlap of two bodies in the plane, for volumetric
// contact: Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedboeuf, A novel contact
// model based on volumetric information, 2004. Area, centroid and second moment
// are exact for straight edges and arcs, and for spheres.
package overlap

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Patch is a connected overlap of a first body with a second one.
//
// The contact line joins the points where the outlines cross. If they cross
// more than twice around a patch, it is the sum of such lines, each from an
// entry of the first body into the second to an exit. Rotated by a right angle,
// the line is the gradient of the area over translations of the first body. A
// body inside another has no contact line: Length, Along and J are 0.
type Patch struct {
	Area     float64 // [m2]; 0 for separated bodies
	Centroid r2.Vec  // [m]
	Along    r2.Vec  // unit vector along the contact line
	Length   float64 // of the contact line [m]
	J        float64 // second moment of the area about its centroid, of distances along the line [m4]
	Energy   float64 // half the integral, along the line, of the square of the thickness across it [m3]
}

// Normal returns the unit vector across the contact line that points out of
// the second body: the direction of the force on the first.
func (p Patch) Normal() r2.Vec { return perpendicular(p.Along) }

// moments are the area and its first and second moments about an origin.
type moments struct{ a, x, y, xx, xy, yy float64 }

// addTriangle adds the triangle of the origin, p and q, as negative if it runs
// clockwise. The triangles of a closed outline add up to the area inside.
func (m *moments) addTriangle(p, q r2.Vec) {
	c := elementary.Cross(p, q)
	m.a += float64(0.5 * c)
	m.x += float64(c * (p.X + q.X) / 6)
	m.y += float64(c * (p.Y + q.Y) / 6)
	m.xx += float64(c * (float64(p.X*p.X) + float64(p.X*q.X) + float64(q.X*q.X)) / 12)
	m.yy += float64(c * (float64(p.Y*p.Y) + float64(p.Y*q.Y) + float64(q.Y*q.Y)) / 12)
	m.xy += float64(c * (float64(2*p.X*p.Y) + float64(p.X*q.Y) + float64(q.X*p.Y) + float64(2*q.X*q.Y)) / 24)
}

// addSegment adds a segment of the circle around c. axis is the unit vector
// from c to the middle of the segment.
func (m *moments) addSegment(c, axis r2.Vec, s segment) {
	if s.area == 0 {
		return
	}
	d := s.first / s.area
	x, y := c.X+float64(axis.X*d), c.Y+float64(axis.Y*d)
	along, across := s.along, s.across-float64(s.first*d)
	m.a += s.area
	m.x += float64(s.area * x)
	m.y += float64(s.area * y)
	m.xx += float64(s.area*x*x) + float64(along*axis.Y*axis.Y) + float64(across*axis.X*axis.X)
	m.yy += float64(s.area*y*y) + float64(along*axis.X*axis.X) + float64(across*axis.Y*axis.Y)
	m.xy += float64(s.area*x*y) + float64((across-along)*axis.X*axis.Y)
}

// patch returns the patch that has the moments about the origin and the contact
// line, a vector.
func (m *moments) patch(origin, line r2.Vec) Patch {
	if !(m.a > 0) {
		return Patch{}
	}
	x, y := m.x/m.a, m.y/m.a
	p := Patch{Area: m.a, Centroid: r2.Vec{X: origin.X + x, Y: origin.Y + y}, Length: elementary.Norm(line)}
	if p.Length == 0 {
		return p
	}
	u := r2.Vec{X: line.X / p.Length, Y: line.Y / p.Length}
	xx, xy, yy := m.xx-float64(m.x*x), m.xy-float64(m.x*y), m.yy-float64(m.y*y)
	p.Along = u
	p.J = max(0, float64(xx*u.X*u.X)+float64(2*xy*u.X*u.Y)+float64(yy*u.Y*u.Y))
	return p
}

// segment is the part of a disc that a chord cuts off. Its moments are along
// and across the axis from the centre through the middle of the chord.
type segment struct {
	half   float64 // half the chord
	area   float64
	first  float64 // integral of the distance from the centre along the axis
	along  float64 // integral of the square of the distance from the axis
	across float64 // integral of the square of the distance along the axis
}

// discSegment returns the segment of height h, from 0 to 2 r, of a disc of radius r.
// It keeps its digits for thin segments:
//
//	area = 2 r^2 integral of sin^2, along = 2/3 r^4 integral of sin^4
//
// from 0 to half the angle of the segment.
func discSegment(r, h float64) segment {
	half := math.Sqrt(h * (2*r - h))
	s, c := half/r, 1-h/r
	var sin2, sin4 float64
	if s < 0.35 && c > 0 { // integral of s^n/sqrt(1-s^2) term by term
		ss := float64(s * s)
		term := float64(s * ss)
		for k := 0.0; ; k++ {
			sin2 += term / (float64(2*k) + 3)
			next := float64(term * ss)
			sin4 += next / (float64(2*k) + 5)
			term = float64(next * (float64(2*k) + 1) / (float64(2*k) + 2))
			if term <= 1e-17*sin2 {
				break
			}
		}
	} else {
		angle := elementary.Atan2(s, c)
		sin2 = 0.5 * (angle - float64(s*c))
		sin4 = 0.375 * (angle - float64(s*c) - float64(2./3*s*s*s*c))
	}
	rr := float64(r * r)
	return segment{
		half:   half,
		area:   2 * rr * sin2,
		first:  2. / 3 * half * half * half,
		along:  2. / 3 * rr * rr * sin4,
		across: float64(rr * rr * (float64(0.5*sin2) + float64(0.5*s*s*s*c))),
	}
}

// Plane geometry in which products are rounded before they are added, so that
// every machine gives the same bits.

func sub(a, b r2.Vec) r2.Vec { return r2.Vec{X: a.X - b.X, Y: a.Y - b.Y} }

// perpendicular returns v rotated by a right angle, counterclockwise.
func perpendicular(v r2.Vec) r2.Vec { return r2.Vec{X: -v.Y, Y: v.X} }

// ahead returns p + d v.
func ahead(p, v r2.Vec, d float64) r2.Vec {
	return r2.Vec{X: p.X + float64(d*v.X), Y: p.Y + float64(d*v.Y)}
}
