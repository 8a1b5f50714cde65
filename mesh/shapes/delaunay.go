package shapes

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// delaunay returns the Delaunay triangulation of points, anticlockwise, by
// inserting one point after the other (A. Bowyer, D. F. Watson, Comput. J. 24,
// 1981): the triangles whose circumcircle contains the new point are replaced
// by a fan around it. The points must not coincide. If consecutive points are
// near each other, the walk to the next point is short.
func delaunay(points []r2.Vec) [][3]int32 {
	n := int32(len(points))
	lo, hi := points[0], points[0]
	for _, p := range points {
		lo = r2.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}
		hi = r2.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
	}
	mid, far := elementary.Between(lo, hi, 0.5), float64(1e4*elementary.Norm(r2.Sub(hi, lo)))
	x := append(points[:n:n], r2.Vec{X: mid.X - float64(2*far), Y: mid.Y - far}, r2.Vec{X: mid.X + float64(2*far), Y: mid.Y - far}, r2.Vec{X: mid.X, Y: mid.Y + float64(2*far)})
	d := delaunayMesh{x: x, t: []face{{v: [3]int32{n, n + 1, n + 2}, next: [3]int32{-1, -1, -1}}}}
	for i := range n {
		d.insert(i)
	}
	var out [][3]int32
	for _, f := range d.t {
		if !f.removed && max(f.v[0], f.v[1], f.v[2]) < n {
			out = append(out, f.v)
		}
	}
	return out
}

// face is a triangle and its neighbours, next[k] across the edge from v[k].
type face struct {
	v, next [3]int32
	removed bool
}

type delaunayMesh struct {
	x      []r2.Vec
	t      []face
	last   int32
	cavity []int32
}

// around tells whether p lies inside the circumcircle of a face.
func (d *delaunayMesh) around(f *face, p r2.Vec) bool {
	a, b, c := r2.Sub(d.x[f.v[0]], p), r2.Sub(d.x[f.v[1]], p), r2.Sub(d.x[f.v[2]], p)
	det := float64(elementary.Dot(a, a)*elementary.Cross(b, c)) + float64(elementary.Dot(b, b)*elementary.Cross(c, a)) + float64(elementary.Dot(c, c)*elementary.Cross(a, b))
	return det > 0
}

// find walks to the face that contains p.
func (d *delaunayMesh) find(p r2.Vec) int32 {
	at := d.last
	for range 4*len(d.t) + 4 {
		f, best, to := &d.t[at], 0.0, int32(-1)
		for k := range 3 {
			a, b := d.x[f.v[k]], d.x[f.v[(k+1)%3]]
			out := -elementary.Cross(r2.Sub(b, a), r2.Sub(p, a)) / math.Max(elementary.Norm(r2.Sub(b, a)), math.SmallestNonzeroFloat64)
			if next := f.next[k]; out > best && next >= 0 {
				best, to = out, next
			}
		}
		if to < 0 {
			return at
		}
		at = to
	}
	return at
}

func (d *delaunayMesh) insert(i int32) {
	p := d.x[i]
	start := d.find(p)
	d.cavity = append(d.cavity[:0], start)
	d.t[start].removed = true
	for k := 0; k < len(d.cavity); k++ {
		for _, n := range d.t[d.cavity[k]].next {
			if n >= 0 && !d.t[n].removed && d.around(&d.t[n], p) {
				d.t[n].removed = true
				d.cavity = append(d.cavity, n)
			}
		}
	}
	begin := int32(len(d.t))
	from := map[int32]int32{} // the new face whose rim edge starts at a node
	for _, c := range d.cavity {
		f := d.t[c]
		for k := range 3 {
			n := f.next[k]
			if n >= 0 && d.t[n].removed {
				continue
			}
			a, b, id := f.v[k], f.v[(k+1)%3], int32(len(d.t))
			d.t = append(d.t, face{v: [3]int32{a, b, i}, next: [3]int32{n, -1, -1}})
			if n >= 0 {
				for e := range 3 {
					if d.t[n].v[e] == b && d.t[n].v[(e+1)%3] == a {
						d.t[n].next[e] = id
					}
				}
			}
			from[a] = id
		}
	}
	for id := begin; id < int32(len(d.t)); id++ {
		next := from[d.t[id].v[1]]
		d.t[id].next[1] = next
		d.t[next].next[2] = id
	}
	d.last = begin
}
