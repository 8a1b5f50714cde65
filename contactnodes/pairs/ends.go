package pairs

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Moving ends. As an edge moves, so do the ends of its covered part. Where the depth is zero at an
// end this does not change the energy. At a bisector the changes of the two neighbours cancel if
// their depths are equal, as those of straight edges are. Those of arcs of unlike length are not.

// Ends adds the forces by moving ends at the bisectors of an arc to those of the nodes [N], for a
// stiffness of the whole own edge [N/m].
func (h *Half) Ends(o *Outline, stiffness float64, force []r2.Vec) {
	if h.other == 0 || h.sector {
		return
	}
	for _, part := range h.spans[:h.n] {
		for _, u := range [2]float64{part.lo, part.hi} {
			if u <= 0 || u >= 1 {
				continue
			}
			for c := 1; c <= 2; c++ {
				if q := &h.clips.of[c]; math.Abs(q.At(u)) <= 1e-12*q.scale() {
					h.end(o, c, u, stiffness, force)
					break
				}
			}
		}
	}
}

// end adds the forces of an end at u on the bisector of clip c, 1 at C and 2 at D.
func (h *Half) end(o *Outline, c int, u, stiffness float64, force []r2.Vec) {
	f, q, e := h.f, &h.clips.of[c], &o.Edges[h.Other]
	depth, high := h.depth.At(u), float64(h.bulge*u*(1-u))
	times1 := -0.5 * float64(stiffness*depth*depth) / math.Abs(q[1]+float64(2*u*q[2]))
	r := r2.Add(r2.Add(h.from, times(u, h.chord)), times(high, h.outwards))
	border, at, beside, sign := f.start, h.Nodes[2], e.Prev, 1.0
	shared, other, length := f.bordersA, f.before, f.lengthA
	if c == 2 {
		border, at, beside, sign = f.end, h.Nodes[3], e.Next, -1
		shared, other, length = f.bordersB, f.after, f.lengthB
		r = r2.Sub(r, times(f.length, f.along))
	}
	by := times(times1, border)
	turned := times(high, r2.Vec{X: -by.Y, Y: by.X})
	add := func(n int32, g r2.Vec) { force[n] = r2.Add(force[n], g) }
	add(h.Nodes[0], r2.Sub(times(1-u, by), turned))
	add(h.Nodes[1], r2.Add(times(u, by), turned))
	add(at, times(-1, by))
	turn := times(times1*sign*elementary.Dot(f.inward, r)/f.length, f.inward)
	add(h.Nodes[3], turn)
	add(h.Nodes[2], times(-1, turn))
	if !shared {
		return
	}
	inward := r2.Vec{X: -other.Y, Y: other.X}
	turn = times(times1*sign*elementary.Dot(inward, r)/length, inward)
	add(o.Edges[beside].B, turn)
	add(o.Edges[beside].A, times(-1, turn))
}
