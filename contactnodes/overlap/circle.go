package overlap

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Circle is a disc or the solid around a circular hollow.
type Circle struct {
	Center r2.Vec  // [m]
	Radius float64 // [m]
	Hollow bool
}

// passage is a part of a polygon's outline that runs through the circle's
// solid, from the point where it enters to the point where it leaves.
type passage struct {
	from, to r2.Vec  // points of the circle, from its centre
	in, out  float64 // angles of points just within the circle
	first    int     // edge on which it enters
	corners  int     // between these points
	closed   bool
}

// crossingNudge is a distance relative to the radius. When crossings are sorted
// around the circle, the polygon is taken to cross it this far inside. A corner on
// the circle crosses it twice at one point; slightly inside, the two crossings are
// separated.
const crossingNudge = 1e-9

// Circle appends to dst the overlaps of a disc, or of the solid around a
// hollow, with a simple polygon, convex or not, its corners counterclockwise,
// and returns it. The circle is the first body. A polygon that lies wholly in
// the solid, or encloses a disc, gives a patch without a contact line.
//
// The polygon's passages through the solid are joined by arcs. An arc begins
// where a passage leaves the solid, follows the circle through the polygon, and
// ends where the next passage enters.
func (c *Clipper) Circle(dst []Patch, o Circle, polygon []r2.Vec) []Patch {
	c.passages = c.passages[:0]
	rr := float64(o.Radius * o.Radius)
	in := float64(rr * (1 - 1e-12)) // a corner on the circle to rounding is outside
	solid := func(p r2.Vec) bool { return (elementary.Dot(p, p) < in) != o.Hollow }
	n := len(polygon)
	open := -1 // the passage that has entered and not yet left
	lead := -1 // the passage that leaves before it has entered
	corners := 0
	begun := solid(sub(polygon[0], o.Center))
	if begun {
		c.passages = append(c.passages, passage{})
		open, lead = 0, 0
	}
	for i := range n {
		p, q := sub(polygon[i], o.Center), sub(polygon[(i+1)%n], o.Center)
		ts, count := crossings(p, q, rr, in, solid(p) == solid(q))
		for _, t := range ts[:count] {
			d := sub(q, p)
			at := ahead(p, d, t)
			nudge := crossingNudge * o.Radius / elementary.Norm(d)
			if o.Hollow {
				nudge = -nudge
			}
			if open >= 0 {
				r := &c.passages[open]
				within := ahead(at, d, -nudge)
				r.to, r.out, r.corners = at, elementary.Atan2(within.Y, within.X), r.corners+corners
				open, corners = -1, 0
				continue
			}
			open = len(c.passages)
			within := ahead(at, d, nudge)
			c.passages = append(c.passages, passage{from: at, in: elementary.Atan2(within.Y, within.X), first: i})
			corners = 0
		}
		if open >= 0 {
			corners++ // the corner at the end of edge i
		}
	}
	switch {
	case len(c.passages) == 0:
		if o.Hollow || !contains(polygon, o.Center, false) {
			return dst
		}
		return append(dst, wholeDisc(o.Center, o.Radius))
	case open == 0 && lead == 0: // all of the polygon
		m := loop(polygon)
		if o.Hollow && contains(polygon, o.Center, false) { // the polygon encloses the hollow
			disc := discSegment(o.Radius, 2*o.Radius)
			m.addSegment(sub(o.Center, polygon[0]), r2.Vec{X: 1}, segment{0, -disc.area, -disc.first, -disc.along, -disc.across})
		}
		return appendPatch(dst, m, polygon[0], r2.Vec{})
	case open >= 0: // continues as the passage that had entered at the start
		last, first := &c.passages[open], &c.passages[0]
		first.from, first.in, first.first = last.from, last.in, last.first
		first.corners += corners
		c.passages = c.passages[:open]
	}
	return c.closePassages(dst, o, polygon)
}

// crossings returns where the edge from p to q crosses the circle of squared
// radius rr around 0, as fractions of the edge's length. There are two or none
// if both ends are on the same side, else one. An end is inside if its squared
// distance is below in.
func crossings(p, q r2.Vec, rr, in float64, same bool) (ts [2]float64, count int) {
	d := sub(q, p)
	dd, foot, off := elementary.Dot(d, d), -elementary.Dot(p, d), elementary.Cross(p, d)
	root := float64(dd*rr) - float64(off*off)
	inside := elementary.Dot(p, p) < in
	if same && (inside || root <= 0 || foot <= 0 || foot >= dd) {
		return ts, 0
	}
	root = math.Sqrt(max(root, 0))
	near, far := min(max((foot-root)/dd, 0), 1), min(max((foot+root)/dd, 0), 1)
	switch {
	case same:
		return [2]float64{near, far}, 2
	case inside:
		return [2]float64{far}, 1
	}
	return [2]float64{near}, 1
}

// closePassages closes the passages by arcs and appends the patches.
func (c *Clipper) closePassages(dst []Patch, o Circle, polygon []r2.Vec) []Patch {
	for start := range c.passages {
		if c.passages[start].closed {
			continue
		}
		var m moments
		var line r2.Vec
		origin := c.passages[start].from // from the centre
		centre := r2.Vec{X: -origin.X, Y: -origin.Y}
		c.ring = c.ring[:0]
		for k := start; ; {
			r := &c.passages[k]
			r.closed = true
			at := r.from
			c.ring = append(c.ring, at)
			for i := range r.corners {
				next := sub(polygon[(r.first+i+1)%len(polygon)], o.Center)
				m.addTriangle(sub(at, origin), sub(next, origin))
				c.ring = append(c.ring, next)
				at = next
			}
			m.addTriangle(sub(at, origin), sub(r.to, origin))
			c.ring = append(c.ring, r.to)
			next, angle := c.next(r, o.Hollow)
			to := c.passages[next].from
			line = r2.Vec{X: line.X + (to.X - r.to.X), Y: line.Y + (to.Y - r.to.Y)}
			m.addArc(origin, centre, r.to, to, o, angle)
			c.appendArc(r.to, angle, o.Hollow)
			k = next
			if c.passages[k].closed {
				break
			}
		}
		p := m.patch(r2.Vec{X: o.Center.X + origin.X, Y: o.Center.Y + origin.Y}, line)
		if !(p.Area > 0) {
			continue
		}
		if p.Length > 0 {
			p.Energy = c.ringEnergy(c.ring, p.Along)
		}
		dst = append(dst, p)
	}
	return dst
}

// next returns the passage that enters next around the circle after r has left,
// and the angle between the two. It goes counterclockwise around a disc and
// clockwise around a hollow.
func (c *Clipper) next(r *passage, hollow bool) (k int, angle float64) {
	least := math.Inf(1)
	for i := range c.passages {
		a := c.passages[i].in - r.out
		if hollow {
			a = -a
		}
		if a < 0 {
			a += 2 * math.Pi
		}
		if a < least {
			k, least = i, a
		}
	}
	from, to := r.to, c.passages[k].from
	angle = elementary.Atan2(elementary.Cross(from, to), elementary.Dot(from, to))
	if hollow {
		angle = -angle
	}
	if angle < -10*crossingNudge { // a smaller angle is an arc of no length
		angle += 2 * math.Pi
	}
	return k, max(angle, 0)
}

// addArc adds the moments of the area between the arc and the origin.
func (m *moments) addArc(origin, centre, from, to r2.Vec, o Circle, angle float64) {
	if !o.Hollow {
		m.addDiscArc(origin, from, to, o.Radius, angle)
		return
	}
	m.addTriangle(sub(from, origin), sub(to, origin))
	s := elementary.Sin(0.25 * angle)
	chord := sub(from, to)
	axis := r2.Vec{X: chord.Y, Y: -chord.X}
	l := elementary.Norm(axis)
	if l == 0 {
		return
	}
	axis.X, axis.Y = axis.X/l, axis.Y/l
	cap := discSegment(o.Radius, min(float64(2*o.Radius*s*s), 2*o.Radius))
	m.addSegment(centre, axis, segment{cap.half, -cap.area, -cap.first, -cap.along, -cap.across})
}

// appendArc appends points of an arc to the ring, for its thickness. They lie a
// little outside the arc, so that the polygon through them has about the area
// under the arc.
func (c *Clipper) appendArc(from r2.Vec, angle float64, hollow bool) {
	const parts = 32
	if hollow {
		angle = -angle
	}
	out := 1.0
	if step := angle / parts; step != 0 {
		out = math.Sqrt(step / elementary.Sin(step))
	}
	for i := 1; i < parts; i++ {
		s, co := elementary.Sincos(angle * float64(i) / parts)
		s, co = float64(s*out), float64(co*out)
		c.ring = append(c.ring, r2.Vec{X: float64(co*from.X) - float64(s*from.Y), Y: float64(s*from.X) + float64(co*from.Y)})
	}
}

// Flip returns the patch with the first body and the second exchanged.
func (p Patch) Flip() Patch {
	p.Along = r2.Vec{X: -p.Along.X, Y: -p.Along.Y}
	return p
}
