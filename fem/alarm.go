package fem

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Alarm is the stress at which some triangles want to be looked at, in terms
// of the mean p and the radius r of Mohr's circle of the second Piola-Kirchhoff
// stress: where p + r > Tension, or r + Slope p > Shear. Limits are positive.
type Alarm struct {
	First, End     int32   // the triangles [First, End)
	Tension, Shear float64 // [Pa]
	Slope          float64 // sin phi of internal friction
}

// Hot appends to hot the triangles of every block in which the stress at
// positions x passes its alarm, ascending. Alarms are in order of their
// triangles, each of one material, and do not overlap; only their blocks are
// looked at, and the triangles beside them in the same block are of the alarm
// as well.
func (t *Triangles) Hot(x []r2.Vec, alarms []Alarm, hot []Span) []Span {
	for i := range alarms {
		a := &alarms[i]
		if a.First >= a.End {
			continue
		}
		r := t.runOf(int(a.First))
		first := r.block + (a.First-r.first)/lanes
		end := r.block + (a.End-1-r.first)/lanes + 1
		c := t.constants[r.material]
		for b := first; b < end; b++ {
			if !t.blocks[b].hot(x, c, a) {
				continue
			}
			s := Span{r.first + (b-r.block)*lanes, int32(t.number(r, b, lanes-1)) + 1}
			if n := len(hot) - 1; n >= 0 && hot[n].End >= s.First {
				hot[n].End = max(hot[n].End, s.End)
			} else {
				hot = append(hot, s)
			}
		}
	}
	return hot
}

// Span is the triangles [First, End).
type Span struct{ First, End int32 }

// hot tells whether one of the block's triangles passes the alarm. Like the
// kernel it leaves the strains doubled.
func (b *block) hot(x []r2.Vec, c *constants, a *Alarm) bool {
	half11, half12, shear := c.half11[0], c.half12[0], c.shear[0]
	for l := range lanes {
		pa, pb, pc := x[b.a[l]/stride], x[b.b[l]/stride], x[b.c[l]/stride]
		x1, y1, x2, y2 := pb.X-pa.X, pb.Y-pa.Y, pc.X-pa.X, pc.Y-pa.Y
		bx, by, cx, cy := b.bx[l], b.by[l], b.cx[l], b.cy[l]
		fxx, fxy := float64(x1*bx)+float64(x2*cx), float64(x1*by)+float64(x2*cy)
		fyx, fyy := float64(y1*bx)+float64(y2*cx), float64(y1*by)+float64(y2*cy)
		exx := float64(fxx*fxx) + (float64(fyx*fyx) - 1)
		eyy := float64(fxy*fxy) + (float64(fyy*fyy) - 1)
		exy := float64(fxx*fxy) + float64(fyx*fyy)
		sxx := float64(exx*half11) + float64(eyy*half12)
		syy := float64(exx*half12) + float64(eyy*half11)
		p, q, s := 0.5*(sxx+syy), 0.5*(sxx-syy), shear*exy
		square := float64(q*q) + float64(s*s)
		tension, sliding := a.Tension-p, a.Shear-float64(a.Slope*p)
		if tension < 0 || sliding < 0 || square > float64(tension*tension) || square > float64(sliding*sliding) {
			return true
		}
	}
	return false
}

// Paged tells the triangles that nodes stand in pages of so many, the first
// used[k] of page k in use: parts are then made of whole pages, so that a corner
// may be given to any node of its page, and unused nodes cost no time. used may
// change between steps. It is to be called before Parts.
func (t *Triangles) Paged(slots int32, used []int32) {
	t.slots, t.used = slots, slices.Clip(used)
}

// inUse yields the ranges [from, to) of the nodes [first, end), which begins with
// a page, that are in use: all, or page by page.
func (t *Triangles) inUse(first, end int32, yield func(from, to int32) bool) {
	if t.used == nil {
		yield(first, end)
		return
	}
	for from := first; from < end; from += t.slots {
		if !yield(from, from+t.used[from/t.slots]) {
			return
		}
	}
}
