package pairs

import "math"

// Quad is a polynomial of the position u along an own edge, 0 at A and 1 at B:
// q[0] + q[1] u + q[2] u².
type Quad [3]float64

// At returns the value at u.
func (q *Quad) At(u float64) float64 { return q[0] + float64(u*(q[1]+float64(u*q[2]))) }

// scale returns the size of the polynomial's values, for rounding.
func (q *Quad) scale() float64 { return math.Abs(q[0]) + math.Abs(q[1]) + math.Abs(q[2]) }

// span is a part of an own edge.
type span struct{ lo, hi float64 }

const (
	maxClips = 8
	maxSpans = maxClips + 1
)

// clips are polynomials that are positive in the covered part of an own edge.
type clips struct {
	of     [maxClips]Quad
	n      int
	curved bool // one of them is not linear
}

func (c *clips) add(q Quad) {
	c.of[c.n] = q
	c.n++
	c.curved = c.curved || q[2] != 0
}

// spans returns the parts of the own edge where all polynomials are positive, in out.
func (c *clips) spans(out *[maxSpans]span) int {
	if c.curved {
		return c.curvedSpans(out)
	}
	all := span{0, 1}
	for i := range c.n {
		all.clip(c.of[i][0], c.of[i][1])
	}
	if !(all.lo < all.hi) {
		return 0
	}
	out[0] = all
	return 1
}

// clip limits a span to where f0 + run u is positive.
func (s *span) clip(f0, run float64) {
	switch f1 := f0 + run; {
	case f0 < 0 && f1 < 0:
		s.lo, s.hi = 1, 0
	case f0 < 0:
		s.lo = max(s.lo, f0/(f0-f1))
	case f1 < 0:
		s.hi = min(s.hi, f0/(f0-f1))
	}
}

// curvedSpans is spans between the sorted roots of all polynomials.
func (c *clips) curvedSpans(out *[maxSpans]span) int {
	var at [2*maxClips + 2]float64
	n := 1 // at[0] is 0
	for i := range c.n {
		n = roots(&c.of[i], &at, n)
	}
	at[n] = 1
	n++
	for i := 1; i < n; i++ { // insertion sort
		for j := i; j > 0 && at[j] < at[j-1]; j-- {
			at[j], at[j-1] = at[j-1], at[j]
		}
	}
	count := 0
	for i := 0; i+1 < n; i++ {
		if !(at[i] < at[i+1]) || !c.allPositive(0.5*(at[i]+at[i+1])) {
			continue
		}
		if count > 0 && out[count-1].hi == at[i] {
			out[count-1].hi = at[i+1]
			continue
		}
		out[count] = span{at[i], at[i+1]}
		count++
	}
	return count
}

func (c *clips) allPositive(u float64) bool {
	for i := range c.n {
		if c.of[i].At(u) < 0 {
			return false
		}
	}
	return true
}

// Through returns the polynomial with given values at 0, 1/2 and 1.
func Through(a, b, c float64) Quad {
	return Quad{a, float64(4*b) - float64(3*a) - c, float64(2*a) - float64(4*b) + float64(2*c)}
}

// roots adds the roots of q between 0 and 1 behind the first n entries of out, and returns their new
// number.
func roots(q *Quad, out *[2*maxClips + 2]float64, n int) int {
	of, count := q.Roots()
	for _, u := range of[:count] {
		if u > 0 && u < 1 {
			out[n] = u
			n++
		}
	}
	return n
}

// Roots returns the roots, in any order, and their number.
func (q *Quad) Roots() (of [2]float64, n int) {
	a, b, c := q[2], q[1], q[0]
	if math.Abs(a) < 1e-14*(math.Abs(b)+math.Abs(c)) {
		if b != 0 {
			of[0], n = -c/b, 1
		}
		return of, n
	}
	d := float64(b*b) - float64(4*a*c)
	if d <= 0 {
		return of, 0
	}
	p := -0.5 * (b + math.Copysign(math.Sqrt(d), b))
	of[0], n = p/a, 1
	if p != 0 {
		of[1], n = c/p, 2
	}
	return of, n
}
