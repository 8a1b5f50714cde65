package deck

import (
	"cmp"
	"math"
	"slices"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// boltLine is the line of a bolt through a mesh.
type boltLine struct {
	mesh    *mesh.Mesh
	a, b    r2.Vec
	length  float64    // [m]
	crossed []crossing // in their order from a
}

// crossing is a triangle that a bolt crosses, between two distances from its head [m].
type crossing struct {
	triangle int32
	from, to float64
}

// lineSlack is a distance relative to a size that counts as none.
const lineSlack = 1e-9

// newBoltLine finds the triangles along a line, apart from those that are gone; nil for none.
func newBoltLine(m *mesh.Mesh, gone []bool, a, b r2.Vec) *boltLine {
	l := &boltLine{mesh: m, a: a, b: b, length: elementary.Norm(r2.Sub(b, a))}
	for i := range m.Triangles {
		if gone == nil || !gone[i] {
			l.crossTriangle(int32(i))
		}
	}
	slices.SortStableFunc(l.crossed, func(p, q crossing) int { return cmp.Compare(p.from, q.from) })
	return l
}

// crossTriangle adds the part of the line in a triangle.
func (l *boltLine) crossTriangle(t int32) {
	d := r2.Sub(l.b, l.a)
	low, high := 0.0, 1.0
	of := l.mesh.Triangles[t]
	for k := range of {
		p, q := l.mesh.X[of[k]], l.mesh.X[of[(k+1)%3]]
		side := r2.Sub(q, p)
		start, rate := elementary.Cross(side, r2.Sub(l.a, p)), elementary.Cross(side, d)
		if slack := lineSlack * elementary.Dot(side, side); math.Abs(rate) <= slack {
			if start < -slack {
				return
			}
			continue
		}
		if at := -start / rate; rate > 0 {
			low = max(low, at)
		} else {
			high = min(high, at)
		}
	}
	if high-low > lineSlack {
		l.crossed = append(l.crossed, crossing{t, low * l.length, high * l.length})
	}
}

// boltPosition returns the position at a distance from the head [m].
func (l *boltLine) boltPosition(s float64) r2.Vec {
	return elementary.Along(l.a, r2.Sub(l.b, l.a), s/l.length)
}

// triangleSize returns the size of a triangle [m].
func (l *boltLine) triangleSize(t int32) float64 {
	of := l.mesh.Triangles[t]
	return math.Sqrt(elementary.Cross(r2.Sub(l.mesh.X[of[1]], l.mesh.X[of[0]]), r2.Sub(l.mesh.X[of[2]], l.mesh.X[of[0]])))
}

// medianSize returns the median size of the triangles along the line [m].
func (l *boltLine) medianSize() float64 {
	var sizes []float64
	for _, c := range l.crossed {
		sizes = append(sizes, l.triangleSize(c.triangle))
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// leavesAt returns the distance at which the line leaves the triangles for good [m], and the last one.
func (l *boltLine) leavesAt() (end float64, last int32) {
	for _, c := range l.crossed {
		if c.to > end {
			end, last = c.to, c.triangle
		}
	}
	return end, last
}

// firstGap returns the first part of the line beyond a distance that is in no triangle.
func (l *boltLine) firstGap(free float64) (from, to float64, is bool) {
	reach := l.crossed[0].to
	for _, c := range l.crossed[1:] {
		if c.from-reach > 1e-6*l.length && c.from > free+float64(lineSlack*l.length) {
			return reach, c.from, true
		}
		reach = max(reach, c.to)
	}
	return 0, 0, false
}

// The greatest number of points of a bolt, and their distance over 1/alpha.
const (
	mostBoltPoints = 200
	finestBolt     = 0.25
)

// boltPoints returns the distances of a bolt's points from the head, and the length of bar that is bonded
// at each [m].
func (l *boltLine) boltPoints(free, alpha float64) (along, bonded []float64) {
	begin := l.crossed[0].from
	end, _ := l.leavesAt()
	start := max(free, begin)
	n := min(max(int(math.Ceil((end-start)/min(finestBolt/alpha, 0.5*l.medianSize()))), 4), mostBoltPoints-2)
	h := (end - start) / float64(n)
	if free > begin {
		along, bonded = append(along, begin), append(bonded, 0)
	}
	for k := range n + 1 {
		along, bonded = append(along, min(start+float64(float64(k)*h), end)), append(bonded, h)
	}
	last := len(bonded) - 1
	bonded[last], bonded[last-n] = 0.5*h, 0.5*h
	return along, bonded
}

// hostOf returns the triangle that has a point of the bolt, the one that reaches farthest to both sides
// of it. Where two bodies touch, it is that in which the bolt goes on.
func (l *boltLine) hostOf(s float64, last bool) int32 {
	if s += float64(1e-6 * l.length); last {
		s -= float64(2e-6 * l.length)
	}
	best, host := math.Inf(-1), int32(-1)
	for _, c := range l.crossed {
		if room := min(s-c.from, c.to-s); room > best {
			best, host = room, c.triangle
		}
	}
	return host
}

// edgeCrossing is where a bolt runs from one triangle into another, at a distance from its head [m].
type edgeCrossing struct {
	at        float64
	near, far int32
}

// edgesCrossed returns the crossings of edges between triangles beyond a distance [m].
func (l *boltLine) edgesCrossed(beyond float64) (out []edgeCrossing) {
	var ends []float64
	for _, c := range l.crossed {
		ends = append(ends, c.from)
	}
	slices.Sort(ends)
	last := -1.0
	for _, s := range ends {
		if s-last <= 4e-6*l.length || s <= beyond {
			continue
		}
		last = s
		if near, far := l.hostOf(s, true), l.hostOf(s, false); near != far {
			out = append(out, edgeCrossing{s, near, far})
		}
	}
	return out
}
