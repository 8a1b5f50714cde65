package fem

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// StressThreshold is the stress above which triangles are reported: p + r > Tension or r + Slope p
// > Shear, with the mean p and the radius r of Mohr's circle of the second Piola-Kirchhoff stress,
// or of the Cauchy stress for a triangle with a law. Limits are positive.
type StressThreshold struct {
	First, End     int32   // the triangles [First, End)
	Tension, Shear float64 // [Pa]
	Slope          float64 // sin phi of internal friction
	Beside         bool    // report all triangles of a block in which one is above the threshold
}

// belowTest is a test of det F that holds only for triangles that are below the threshold and not
// inverted: det F - level - rise max(t, least) >= 0, t = tr(F^T F) - 2.
type belowTest struct{ level, rise, least float64 }

// belowTest returns that test for a material with these moduli. With it the comparison that finds
// inverted triangles also finds those that may be above the threshold. Let N be the smaller of the
// limits T (tension) and H (shear). A triangle is below its threshold if
//
//	r^2 + N p <= 3/4 N^2
//
// The reason: p + r > T makes the left side greater than r^2 + N (N - r) = (r - N/2)^2 + 3/4 N^2.
// So does r + k p > H if p >= 0, for k <= 1. If p < 0, r + k p > H makes the left side greater than
// (H - k p)^2 + N p. That is at least H^2 if 2 k H >= N. Otherwise it is at least H^2 - (N - 2 k H)
// p0 while p >= -p0. In terms of F, with the stretches s1 and s2,
//
//	t = s1^2 + s2^2 - 2, w = (s1 - s2)^2 = t + 2 - 2 det F,
//	p = P t, r^2 <= (M/4)^2 w (s1 + s2)^2 <= M^2/8 w (t + 2)
//
// with P = (C11 + C12)/4 and M = 2 G = C11 - C12. If m w + N P t < 3/4 N^2, then t < 3/4 N/P, and
// so r^2 <= m w for m = M^2/4 (1 + 3/8 N/P). Divided by 2 m this is the test of det F. Because of
// least, t > 2 (level + rise least) - 2 in triangles that pass. Triangles compressed so much that
// det F might be 0, or p less than -p0, do not pass.
func (a *StressThreshold) belowTest(c *constants) belowTest {
	p, m := 0.25*(c.c11[0]+c.c12[0]), max(2*c.shear[0], c.c11[0]-c.c12[0])
	const room = 0.999 // margin for rounding of stresses
	n := room * min(a.Tension, a.Shear, m)
	m *= 0.25 * m * (1 + float64(0.375*n)/p)
	below := 0.375 * n * n / m
	rise := 0.5 * (1 + float64(n*p)/m)
	most := min(0.5, (0.75-below)/rise) // limit of compression
	if left := float64(0.5*n) - float64(a.Slope*a.Shear); left > 0 {
		p0 := float64(0.5*(float64(a.Shear*a.Shear)-float64(0.75*n*n))) / left
		most = min(most, (0.5*p0/p-below)/rise)
	}
	// the rounding of both sides is less than rise (16 |F|^2 + 32) 2^-53, |F|^2 = t + 2
	return belowTest{1 - below + float64(0x1p-46*rise), rise * (1 + 0x1p-48), -most}
}

// AboveThreshold appends to above the triangles whose stress at positions x [m] exceeds their
// threshold, ascending. The thresholds are in the order of their triangles, belong to one material
// each, and do not overlap. Only the blocks of these triangles are checked. Other triangles in the
// same blocks get the same threshold.
func (t *Triangles) AboveThreshold(x []r2.Vec, thresholds []StressThreshold, above []Span) []Span {
	t.passed = t.passed[:0]
	for i := range thresholds {
		a := &thresholds[i]
		if a.First >= a.End {
			continue
		}
		r, first, end := t.watchedBlocks(a)
		c := t.constants[r.material]
		for b := first; b < end; b++ {
			if some := t.aboveIn(r, b, x, c, a); some != 0 {
				t.passed = append(t.passed, several*b+some)
			}
		}
	}
	return t.addSpans(above)
}

// aboveIn returns a bit for each triangle of block b of a run that exceeds the threshold, or all
// bits (Beside).
func (t *Triangles) aboveIn(r *run, b int32, x []r2.Vec, c *constants, a *StressThreshold) (some int32) {
	if r.law == nil {
		return t.blocks[b].above(x, c, a)
	}
	for l := range lanes {
		if a.passes(t.cauchy(r, b, l, x)) {
			some |= 1 << l
		}
	}
	return a.with(some)
}

// several is the number of subsets of a block's triangles. A block in which triangles exceed a
// threshold is listed as its number times several, plus a bit for each of these triangles.
const several = 1 << lanes

// watchedBlocks returns the run and the blocks [first, end) of a threshold.
func (t *Triangles) watchedBlocks(a *StressThreshold) (r *run, first, end int32) {
	r = t.runOf(int(a.First))
	return r, r.block + (a.First-r.first)/lanes, r.block + (a.End-1-r.first)/lanes + 1
}

// addSpans appends to above the triangles of t.passed, which may list a block twice.
func (t *Triangles) addSpans(above []Span) []Span {
	slices.Sort(t.passed)
	for i, p := range t.passed {
		some, b := p%several, p/several
		if i+1 < len(t.passed) && t.passed[i+1]/several == b {
			t.passed[i+1] |= some
			continue
		}
		r := t.runOfBlock(b)
		for l := range lanes {
			if some&(1<<l) == 0 {
				continue
			}
			k := int32(t.number(r, b, l))
			if n := len(above) - 1; n >= 0 && above[n].End >= k {
				above[n].End = max(above[n].End, k+1)
			} else {
				above = append(above, Span{k, k + 1})
			}
		}
	}
	return above
}

// Span is the triangles [First, End).
type Span struct{ First, End int32 }

// above returns a bit for each of the block's triangles that exceeds the threshold, or all bits
// (Beside). Like the kernel it works with doubled strains.
func (b *block) above(x []r2.Vec, c *constants, a *StressThreshold) (some int32) {
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
		p, q, s := float64(0.5*(sxx+syy)), 0.5*(sxx-syy), shear*exy
		square := float64(q*q) + float64(s*s)
		tension, sliding := a.Tension-p, a.Shear-float64(a.Slope*p)
		if tension < 0 || sliding < 0 || square > float64(tension*tension) || square > float64(sliding*sliding) {
			some |= 1 << l
		}
	}
	return a.with(some)
}

// with returns the bits in some, or all bits if the threshold has Beside and some is not 0.
func (a *StressThreshold) with(some int32) int32 {
	if a.Beside && some != 0 {
		return several - 1
	}
	return some
}

// Paged divides the nodes into pages of slots nodes. The first used[k] nodes of page k are in use,
// and so are all nodes after the last page. Parts then consist of whole pages, so that a corner may
// be given to any node of its page; unused nodes cost no time. used may change between steps. Paged
// must be called before Subdomains.
func (t *Triangles) Paged(slots int32, used []int32) {
	t.slots, t.used = slots, slices.Clip(used)
}

// inUse yields the ranges [from, to) of nodes in use among the nodes [first, end), where a page
// begins at first: all of them, or page by page. Ranges of pages have a multiple of four nodes, as
// kernels need. Nodes that are not in use have no mass, force or velocity.
func (t *Triangles) inUse(first, end int32, yield func(from, to int32) bool) {
	if t.used == nil {
		yield(first, end)
		return
	}
	for from := first; from < end; from += t.slots {
		k := int(from / t.slots)
		if k == len(t.used) {
			yield(from, end)
			return
		}
		if !yield(from, from+min((t.used[k]+3)&^3, t.slots)) {
			return
		}
	}
}

// InUse yields the ranges [from, to) of all nodes that can have mass, in order. The others are
// reserved for nodes that cracks may add.
func (t *Triangles) InUse(yield func(from, to int32) bool) { t.inUse(0, int32(t.nodes), yield) }

// InUseOf yields the ranges of nodes in use among the nodes [first, end), as InUse does.
func (t *Triangles) InUseOf(first, end int32, yield func(from, to int32) bool) {
	t.inUse(first/t.slots*t.slots, end, func(from, to int32) bool {
		from, to = max(from, first), min(to, end)
		return from >= to || yield(from, to)
	})
}

// watched is a range of blocks [first, end) with thresholds. The kernel checks the first threshold.
// Other thresholds of triangles in the same block are checked separately.
type watched struct {
	*constants            // of the material, with the first threshold
	always     *constants // the same for blocks with sleeping triangles, of which each is checked
	first, end int32
	own        StressThreshold
	others     []StressThreshold
}

// Watch makes the parts check the stress while they compute forces. The parts must be made
// afterwards. Passed then returns the result of AboveThreshold without another loop. The thresholds
// must be as for AboveThreshold.
func (t *Triangles) Watch(thresholds []StressThreshold) {
	t.watch = nil
	t.putAllAwake()
	for i := range thresholds {
		a := &thresholds[i]
		if a.First >= a.End {
			continue
		}
		r, first, end := t.watchedBlocks(a)
		if k := len(t.watch) - 1; k >= 0 && t.watch[k].end > first { // the last block of the previous thresholds
			w := &t.watch[k]
			if w.end-w.first > 1 {
				shared := *w
				w.end--
				shared.first = w.end
				t.watch = append(t.watch, shared)
				w = &t.watch[k+1]
			}
			w.others = append(w.others, *a)
			first++
		}
		if first == end {
			continue
		}
		c := *t.constants[r.material] // allocated separately, so that no four values lie in two cache lines: saves 4 % of the time of forces
		w := watched{constants: &c, first: first, end: end, own: *a}
		below := a.belowTest(w.constants)
		for l := range lanes {
			w.twiceTension[l], w.twiceShear[l], w.slope[l] = 2*a.Tension, 2*a.Shear, a.Slope
			w.level[l], w.rise[l], w.least[l] = below.level, below.rise, below.least
		}
		always := c // no triangle passes belowTest
		w.always = &always
		for l := range lanes {
			always.level[l] = math.Inf(1)
		}
		t.watch = append(t.watch, w)
	}
}

// watchOf returns the index in watch of the entry with block b, -1 for none.
func (t *Triangles) watchOf(b int32) int32 {
	k, found := slices.BinarySearchFunc(t.watch, b, func(w watched, b int32) int { return int(w.first) - int(b) })
	if !found {
		k--
	}
	if k < 0 || b >= t.watch[k].end {
		return -1
	}
	return int32(k)
}

// Passed appends to above the triangles that AboveThreshold would find at the positions of the last
// computed forces. It leaves out sleeping ones (see Sleep) and adds all whose sleep has ended.
// join, which may be nil, adds the triangles that other processes have found.
func (t *Triangles) Passed(parts []*Subdomain, above []Span, join func(found []int32) []int32) []Span {
	t.passed = t.passed[:0]
	for _, p := range parts {
		t.passed = append(t.passed, p.above...)
	}
	if join != nil {
		t.passed = join(t.passed)
	}
	return t.addSpans(above) // blocks at the borders of parts are in the list twice
}

// addWatched and addDampedWatched are the generic kernels of watched blocks.

func addWatched(blocks []block, f, x []r2.Vec, low int32, c *constants, of []asleep, above []int32) (done, count int) {
	done = addForces(blocks, f, x, low, c)
	return done, checkThresholds(blocks[:done], x, c, of, above)
}

func addDampedWatched(blocks []block, f, d, x, v []r2.Vec, low int32, c *constants, of []asleep, above []int32) (done, count int) {
	done = addDamped(blocks, f, d, x, v, low, c)
	return done, checkThresholds(blocks[:done], x, c, of, above)
}

// checkThresholds sets above to the blocks with triangles that exceed the threshold of c or whose
// sleep their stress ends. It returns their number.
func checkThresholds(blocks []block, x []r2.Vec, c *constants, of []asleep, above []int32) (count int) {
	a := StressThreshold{Tension: 0.5 * c.twiceTension[0], Shear: 0.5 * c.twiceShear[0], Slope: c.slope[0]}
	for i := range blocks {
		if some := blocks[i].woken(x, c, &a, &of[i]); some != 0 {
			above[count] = several*int32(i) + some
			count++
		}
	}
	return count
}
