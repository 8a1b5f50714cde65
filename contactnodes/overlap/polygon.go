package overlap

import (
	"math/big"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Clipper finds the overlaps of polygons. It keeps its slices from call to
// call. The zero value is ready for use. A Clipper serves one goroutine.
//
// A loop along both outlines bounds one patch. It begins at a crossing where the
// first polygon enters the second, and follows the first polygon to the crossing
// where it leaves. From there it follows the second polygon to the crossing where
// that leaves the first, and so on until the loop closes.
//
// Touching, collinear and equal edges need no special cases (simulation of
// simplicity): the first polygon is treated as if it were displaced by (e, e^2),
// where e is smaller than any number. This decides every sign that is zero, and signs
// are exact. So entries and exits alternate along both outlines, for any coordinates.
type Clipper struct {
	crossings      []crossing
	onA, onB       []int32 // crossings in their order along the outlines
	indexA, indexB []int32 // of a crossing in onA and in onB
	closed         []bool
	passages       []passage
	ring, flat     []r2.Vec // a patch's outline
	breaks         []float64
}

// crossing is the point where edge i of the first polygon meets edge j of the
// second.
type crossing struct {
	i, j   int32
	t, u   float64 // position on the edges, 0 to 1
	at     r2.Vec
	enters bool // here the first polygon enters the second, and the second leaves the first
}

// Polygons appends the overlaps of a with b to dst and returns it. Polygons are
// simple, convex or not. Their corners are finite and counterclockwise. The
// order of the patches follows the outline of a.
func (c *Clipper) Polygons(dst []Patch, a, b []r2.Vec) []Patch {
	if len(a) < 3 || len(b) < 3 {
		return dst
	}
	lowA, highA := bounds(a)
	lowB, highB := bounds(b)
	if disjoint(lowA, highA, lowB, highB) {
		return dst
	}
	c.cross(a, b, lowB, highB)
	if len(c.crossings) == 0 {
		switch {
		case contains(b, a[0], false):
			return appendPatch(dst, loop(a), a[0], r2.Vec{})
		case contains(a, b[0], true):
			return appendPatch(dst, loop(b), b[0], r2.Vec{})
		}
		return dst
	}
	c.order(contains(b, a[0], false), contains(a, b[0], true))

	c.closed = slices.Grow(c.closed[:0], len(c.crossings))[:len(c.crossings)]
	clear(c.closed)
	for _, start := range c.onA {
		if c.closed[start] || !c.crossings[start].enters {
			continue
		}
		var m moments
		var line r2.Vec
		origin := c.crossings[start].at
		c.ring = c.ring[:0]
		for k := start; !c.closed[k]; {
			c.closed[k] = true
			in := &c.crossings[k]
			k = next(c.onA, c.indexA, k)
			out := &c.crossings[k]
			c.closed[k] = true
			corners := cornersBetween(in.i, out.i, c.indexA[k] == 0, len(a))
			m.addPath(a, origin, in.at, out.at, int(in.i), corners)
			c.appendPath(a, in.at, int(in.i), corners)
			line = r2.Vec{X: line.X + (out.at.X - in.at.X), Y: line.Y + (out.at.Y - in.at.Y)}
			k = next(c.onB, c.indexB, k)
			in = &c.crossings[k]
			corners = cornersBetween(out.j, in.j, c.indexB[k] == 0, len(b))
			m.addPath(b, origin, out.at, in.at, int(out.j), corners)
			c.appendPath(b, out.at, int(out.j), corners)
		}
		if p := m.patch(origin, line); p.Area > 0 {
			if p.Length > 0 {
				p.Energy = c.ringEnergy(c.ring, p.Along)
			}
			dst = append(dst, p)
		}
	}
	return dst
}

// appendPath appends a path along a polygon to the ring: a point on edge i and
// the corners after it.
func (c *Clipper) appendPath(polygon []r2.Vec, from r2.Vec, i, corners int) {
	c.ring = append(c.ring, from)
	for range corners {
		i = (i + 1) % len(polygon)
		c.ring = append(c.ring, polygon[i])
	}
}

func appendPatch(dst []Patch, m moments, origin, line r2.Vec) []Patch {
	if p := m.patch(origin, line); p.Area > 0 {
		dst = append(dst, p)
	}
	return dst
}

// next returns the crossing after k along an outline.
func next(order, position []int32, k int32) int32 {
	return order[(int(position[k])+1)%len(order)]
}

// cornersBetween counts the corners between a crossing on edge i and the next one, on
// edge j. round tells that the path between them passes the start of the outline.
func cornersBetween(i, j int32, round bool, n int) int {
	if round {
		return int(j-i) + n
	}
	return int(j - i)
}

// addPath adds the path from one point to another along a polygon, from edge i
// past a number of corners.
func (m *moments) addPath(polygon []r2.Vec, origin, from, to r2.Vec, i, corners int) {
	p := sub(from, origin)
	for range corners {
		i = (i + 1) % len(polygon)
		q := sub(polygon[i], origin)
		m.addTriangle(p, q)
		p = q
	}
	m.addTriangle(p, sub(to, origin))
}

// loop returns the moments of a polygon about its first corner.
func loop(polygon []r2.Vec) (m moments) {
	m.addPath(polygon, polygon[0], polygon[0], polygon[0], 0, len(polygon)-1)
	return m
}

// cross collects the crossings of the edges of a with those of b.
func (c *Clipper) cross(a, b []r2.Vec, lowB, highB r2.Vec) {
	c.crossings = c.crossings[:0]
	for i, a1 := range a {
		a2 := a[(i+1)%len(a)]
		low, high := bounds([]r2.Vec{a1, a2})
		if disjoint(low, high, lowB, highB) {
			continue
		}
		for j, b1 := range b {
			b2 := b[(j+1)%len(b)]
			if max(b1.X, b2.X) < low.X || min(b1.X, b2.X) > high.X || max(b1.Y, b2.Y) < low.Y || min(b1.Y, b2.Y) > high.Y {
				continue
			}
			enters := sideOfMoved(a2, b1, b2)
			if sideOfMoved(a1, b1, b2) == enters || movedSide(b1, a1, a2) == movedSide(b2, a1, a2) {
				continue
			}
			da, db := sub(a2, a1), sub(b2, b1)
			t := fraction(elementary.Cross(db, sub(a1, b1)), elementary.Cross(db, sub(a2, b1)))
			u := fraction(elementary.Cross(da, sub(b1, a1)), elementary.Cross(da, sub(b2, a1)))
			c.crossings = append(c.crossings, crossing{int32(i), int32(j), t, u, ahead(a1, da, t), enters})
		}
	}
}

// fraction returns the position, from 0 to 1, at which a value that changes
// linearly from f to g is 0. f and g have opposite signs. The result is between
// 0 and 1 even if rounding has changed a sign.
func fraction(f, g float64) float64 {
	if f == g {
		return 0.5
	}
	return min(max(f/(f-g), 0), 1)
}

// order sorts the crossings along both outlines. If rounding has lost the order
// of two close crossings, it is restored by the rule that entries and exits
// alternate. The flags tell whether an outline starts inside the other polygon.
func (c *Clipper) order(aInside, bInside bool) {
	n := len(c.crossings)
	c.onA, c.onB = slices.Grow(c.onA[:0], n)[:n], slices.Grow(c.onB[:0], n)[:n]
	c.indexA, c.indexB = slices.Grow(c.indexA[:0], n)[:n], slices.Grow(c.indexB[:0], n)[:n]
	for k := range n {
		c.onA[k], c.onB[k] = int32(k), int32(k)
	}
	all := c.crossings
	compare := func(i, j int32, t, u float64, k, l int32) int {
		switch {
		case i != j:
			return int(i - j)
		case t < u:
			return -1
		case t > u:
			return 1
		}
		return int(k - l)
	}
	slices.SortFunc(c.onA, func(k, l int32) int { return compare(all[k].i, all[l].i, all[k].t, all[l].t, k, l) })
	slices.SortFunc(c.onB, func(k, l int32) int { return compare(all[k].j, all[l].j, all[k].u, all[l].u, k, l) })
	for p := range c.onA {
		q := p
		for q < n-1 && all[c.onA[q]].enters == aInside {
			q++
		}
		c.onA[p], c.onA[q] = c.onA[q], c.onA[p]
		c.indexA[c.onA[p]] = int32(p)
		aInside = !aInside
	}
	for p := range c.onB { // b enters where a leaves
		q := p
		for q < n-1 && all[c.onB[q]].enters != bInside {
			q++
		}
		c.onB[p], c.onB[q] = c.onB[q], c.onB[p]
		c.indexB[c.onB[p]] = int32(p)
		bInside = !bInside
	}
}

// contains tells whether a point lies inside a polygon. If moved is true the
// polygon is the moved one, else the point is.
func contains(polygon []r2.Vec, p r2.Vec, moved bool) bool {
	inside := false
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		aAbove, bAbove := a.Y > p.Y, b.Y > p.Y
		if moved {
			aAbove, bAbove = a.Y >= p.Y, b.Y >= p.Y
		}
		if aAbove == bAbove {
			continue
		}
		left := sideOfMoved(p, a, b)
		if moved {
			left = movedSide(p, a, b)
		}
		if left == bAbove { // the edge crosses the ray to the right of p
			inside = !inside
		}
	}
	return inside
}

// sideOfMoved tells whether a corner a of the moved polygon lies left of the
// line from b1 to b2.
func sideOfMoved(a, b1, b2 r2.Vec) bool {
	switch side(b1, b2, a) {
	case 1:
		return true
	case -1:
		return false
	}
	return leftward(b1, b2)
}

// movedSide tells whether a corner b of the polygon at rest lies left of the
// line from a1 to a2 of the moved one.
func movedSide(b, a1, a2 r2.Vec) bool {
	switch side(a1, a2, b) {
	case 1:
		return true
	case -1:
		return false
	}
	return !leftward(a1, a2)
}

// leftward tells whether moving by (e, e^2) goes to the left of the direction
// from p to q.
func leftward(p, q r2.Vec) bool {
	if p.Y != q.Y {
		return q.Y < p.Y
	}
	return q.X > p.X
}

// side returns 1 if c lies left of the line from p to q, -1 if right and 0 if
// on it. The sign is exact, with rational numbers where rounding could matter:
// J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust
// Geometric Predicates, 1997.
func side(p, q, c r2.Vec) int {
	l, r := float64((q.X-p.X)*(c.Y-p.Y)), float64((q.Y-p.Y)*(c.X-p.X))
	det, bound := l-r, 3.4e-16*(max(l, -l)+max(r, -r))
	switch {
	case det > bound:
		return 1
	case det < -bound:
		return -1
	case c == p || c == q || det != det:
		return 0
	}
	difference := func(a, b float64) *big.Rat {
		x, y := new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b)
		return x.Sub(x, y)
	}
	left := difference(q.X, p.X)
	left.Mul(left, difference(c.Y, p.Y))
	right := difference(q.Y, p.Y)
	right.Mul(right, difference(c.X, p.X))
	return left.Cmp(right)
}

// bounds returns the corners of the box around points.
func bounds(points []r2.Vec) (low, high r2.Vec) {
	low, high = points[0], points[0]
	for _, p := range points[1:] {
		low = r2.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = r2.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	return low, high
}

// disjoint tells whether two boxes have no point in common.
func disjoint(lowA, highA, lowB, highB r2.Vec) bool {
	return highA.X < lowB.X || highB.X < lowA.X || highA.Y < lowB.Y || highB.Y < lowA.Y
}
