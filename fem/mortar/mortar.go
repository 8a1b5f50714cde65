// Package mortar ties two lines of edges that do not share nodes: mortar
// constraints with linear Lagrange multipliers. For every node i of the first
// line the integral of its shape function times the gap to the other line is
// zero,
//
//	sum_j c_ij x_j = integral of N_i (x - y) ds = 0,
//
// with x on the first line and y where the normal at x meets the other line (Puso,
// A 3D mortar method for solid mechanics, Int. J. Numer. Meth. Engng 59, 2004).
// The constraint forces are those of a traction that is linear between the nodes,
// so that a uniform stress is transmitted exactly by any meshes.
//
// An initial gap between the lines rotates and stretches with the opposite edge: the
// coefficients are complex, a + ib. So no rigid motion loads the tie, and its forces
// have neither resultant nor moment.
package mortar

import (
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Constraint is the constraint of a node: the sum of (a + ib)(x + iy) over its terms is
// zero.
type Constraint struct {
	Node  int32
	Terms []Term
}

// Term is the coefficient of a node in a constraint [m].
type Term struct {
	Node int32
	A, B float64
}

// Found describes how two lines face each other.
type Found struct {
	Rows     []Constraint
	Alone    []int32   // nodes of the first line that lie opposite no edge
	Gap      float64   // greatest gap between the lines [m]
	Covered  float64   // length of the first line that lies opposite the second [m]
	Length   float64   // of the first line [m]
	Opposite []int32   // edges of the second line that lie opposite the first, ascending
	Spread   []float64 // per row: the integral of its shape function [m]
}

const (
	sliver   = 1e-9              // fraction of an edge up to which an overlap is ignored
	rounding = 1e-12             // fraction of an edge up to which a gap is zero
	gauss    = 0.577350269189626 // positions of the two Gauss points, relative to half of the length
)

// usualGap is the default of the greatest gap between two edges, relative to the longer
// one.
const usualGap = 0.1

// Tie ties two lines of edges, which have their bodies on the left, at positions x [m].
// Edges are tied that face each other with a gap of at most most [m]. If most is 0 it
// is a tenth of the longer of the two edges.
func Tie(x []r2.Vec, first, second [][2]int32, most float64) Found {
	var out Found
	index := map[int32]int{} // for lookup only
	for _, e := range first {
		for _, n := range e {
			if _, known := index[n]; !known {
				index[n] = len(out.Rows)
				out.Rows = append(out.Rows, Constraint{Node: n})
			}
		}
	}
	out.Spread = make([]float64, len(out.Rows))
	met := make([]bool, len(second))
	for _, e := range first {
		a, b := x[e[0]], x[e[1]]
		along := r2.Sub(b, a)
		length := elementary.Norm(along)
		out.Length += length
		for k, o := range second {
			c, d := x[o[0]], x[o[1]]
			across := r2.Sub(d, c)
			if elementary.Dot(along, across) >= 0 {
				continue
			}
			at := func(p r2.Vec) float64 { return elementary.Dot(r2.Sub(p, a), along) / (length * length) }
			sc, sd := at(c), at(d)
			low, high := max(0, sd), min(1, sc)
			if high-low < sliver {
				continue
			}
			gap := func(s float64) r2.Vec {
				return r2.Sub(elementary.Between(a, b, s), elementary.Between(c, d, (s-sc)/(sd-sc)))
			}
			wide := max(elementary.Norm(gap(low)), elementary.Norm(gap(high)))
			allowed := most
			if most == 0 {
				allowed = usualGap * max(length, elementary.Norm(across))
			}
			if wide > allowed {
				continue
			}
			if wide > out.Gap && wide > rounding*length {
				out.Gap = wide
			}
			met[k] = true
			out.Covered += float64((high - low) * length)
			for _, side := range [2]float64{-1, 1} {
				s := float64(0.5*(low+high)) + float64(0.5*side*gauss*(high-low))
				weight := 0.5 * (high - low) * length
				xi := (s - sc) / (sd - sc)
				re, im := quotient(gap(s), across)
				for end, n := range e {
					i := index[n]
					w := float64(weight * [2]float64{1 - s, s}[end])
					r := &out.Rows[i]
					out.Spread[i] += w
					r.add(e[0], w*(1-s), 0)
					r.add(e[1], w*s, 0)
					r.add(o[0], float64(w*re)-float64(w*(1-xi)), w*im)
					r.add(o[1], -float64(w*xi)-float64(w*re), -w*im)
				}
			}
		}
	}
	kept := 0
	for i := range out.Rows {
		if out.Spread[i] == 0 {
			out.Alone = append(out.Alone, out.Rows[i].Node)
			continue
		}
		out.Rows[kept], out.Spread[kept] = out.Rows[i], out.Spread[i]
		kept++
	}
	out.Rows, out.Spread = out.Rows[:kept], out.Spread[:kept]
	for k, is := range met {
		if is {
			out.Opposite = append(out.Opposite, int32(k))
		}
	}
	return out
}

// quotient returns a/b of complex numbers; parts that are only rounding become
// 0.
func quotient(a, b r2.Vec) (re, im float64) {
	length2 := float64(b.X*b.X) + float64(b.Y*b.Y)
	re, im = elementary.Dot(a, b)/length2, elementary.Cross(b, a)/length2
	if math.Abs(re) < rounding {
		re = 0
	}
	if math.Abs(im) < rounding {
		im = 0
	}
	return re, im
}

func (r *Constraint) add(n int32, a, b float64) {
	i := slices.IndexFunc(r.Terms, func(t Term) bool { return t.Node == n })
	if i < 0 {
		i = len(r.Terms)
		r.Terms = append(r.Terms, Term{Node: n})
	}
	r.Terms[i].A += a
	r.Terms[i].B += b
}

// Of returns the constraint's sum for the vectors v of nodes.
func (r *Constraint) Of(v []r2.Vec) (sum r2.Vec) {
	for _, t := range r.Terms {
		u := v[t.Node]
		sum.X += float64(t.A*u.X) - float64(t.B*u.Y)
		sum.Y += float64(t.B*u.X) + float64(t.A*u.Y)
	}
	return sum
}

// Push adds the forces of a multiplier to the forces f on nodes [N].
func (r *Constraint) Push(f []r2.Vec, by r2.Vec) {
	for _, t := range r.Terms {
		f[t.Node].X += float64(t.A*by.X) + float64(t.B*by.Y)
		f[t.Node].Y += float64(t.A*by.Y) - float64(t.B*by.X)
	}
}
