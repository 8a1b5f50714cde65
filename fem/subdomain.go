package fem

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Subdomain is domain decomposition for threads: it computes the forces on a range of nodes. Parts
// can work at the same time. Each part computes the blocks that have one of its nodes and writes
// only the forces on its own nodes. The neighbouring part computes the blocks at the border, too.
//
//	blocks   | head: touch nodes before |  middle: own nodes only  | tail: touch nodes after |
//	forces   | in a scratch array       |  straight in the result  | in a scratch array      |
//
// The blocks keep their order. So the sum at each node has the same order and the same bits for any
// division into parts.
type Subdomain struct {
	t                  *Triangles
	first, end         int32 // its nodes
	head, middle, tail segment
	batch              *batch  // nil without laws
	above              []int32 // blocks with triangles above their threshold, with a bit for each triangle
}

// segment is some of a part's blocks.
type segment struct {
	spans     []span
	low, high int32    // range of their nodes
	scratch   []r2.Vec // forces on these nodes; nil if all are the part's own
	fading    []r2.Vec // damping forces on these nodes, allocated at first use
}

// span is consecutive blocks of one run with the same watch.
type span struct {
	run, block, end int32
	watch           int32 // index in Triangles.watch, -1 for none
	own             bool  // the part keeps the results of a law; of the parts that share a block, one in each process does
}

// Subdomains divides the triangles among at most n parts of about equal work, with whole groups of
// nodes. There are fewer parts if there are fewer blocks.
func (t *Triangles) Subdomains(n int) []*Subdomain { return t.SubdomainsOf(0, int32(t.nodes), n) }

// SubdomainsOf is Subdomains for the triangles that have nodes in [first, end). This range must
// consist of whole parts of another call.
func (t *Triangles) SubdomainsOf(first, end int32, n int) []*Subdomain {
	lowest, whole := t.workBefore(), t.nodesTogether()
	work := int(lowest[end] - lowest[first])
	parts := make([]*Subdomain, max(1, min(n, work)))
	before, from := int(lowest[first]), first
	for k := range parts {
		to := end
		if k+1 < len(parts) {
			i, _ := slices.BinarySearch(lowest, int32(before+(k+1)*work/len(parts)))
			to = min(end, max(from, (int32(i)+whole/2)/whole*whole))
		}
		parts[k] = t.subdomain(first, from, to)
		from = to
	}
	return parts
}

// nodes returns the range [low, high) of the block's nodes.
func (b *block) nodes() (low, high int32) {
	low, high = b.a[0], b.a[0]
	for l := range lanes {
		low = min(low, b.a[l], b.b[l], b.c[l])
		high = max(high, b.a[l], b.b[l], b.c[l])
	}
	return low / stride, high/stride + 1
}

// span returns the range [low, high) of the block's nodes, extended to whole pages if there are
// pages.
func (t *Triangles) span(b *block) (low, high int32) {
	low, high = b.nodes()
	if t.slots == 1 {
		return low, high
	}
	return low / t.slots * t.slots, min((high+t.slots-1)/t.slots*t.slots, int32(t.nodes))
}

// hasNodeIn tells whether a corner of the block is one of the nodes [first, end).
func (b *block) hasNodeIn(first, end int32) bool {
	for l := range lanes {
		for _, n := range [3]int32{b.a[l], b.b[l], b.c[l]} {
			if n >= first*stride && n < end*stride {
				return true
			}
		}
	}
	return false
}

// subdomain returns the part of the nodes [first, end). The first of all parts begins at node
// begin.
func (t *Triangles) subdomain(begin, first, end int32) *Subdomain {
	p := &Subdomain{t: t, first: first, end: end}
	if t.lawful != nil {
		p.batch = t.newBatch()
	}
	head, tail := int32(-1), int32(len(t.blocks)) // the last block with nodes before the range, the first block with nodes after it
	for i := range int32(len(t.blocks)) {
		b := &t.blocks[i]
		low, high := t.span(b)
		if low >= end || high <= first || !b.hasNodeIn(first, end) {
			continue
		}
		if low < first {
			head = i
		}
		if high > end {
			tail = min(tail, i)
		}
	}
	tail = max(tail, head+1)
	for k, r := range t.runs {
		for i := r.block; i < r.end; i++ {
			b := &t.blocks[i]
			low, high := t.span(b)
			if low >= end || high <= first || !b.hasNodeIn(first, end) {
				continue
			}
			at := span{int32(k), i, i + 1, t.watchOf(i), r.law == nil || !b.hasNodeIn(begin, first)}
			switch {
			case i <= head:
				p.head.append(at, low, high)
			case i < tail:
				p.middle.append(at, low, high)
			default:
				p.tail.append(at, low, high)
			}
		}
	}
	for _, s := range []*segment{&p.head, &p.tail} {
		s.scratch = make([]r2.Vec, s.high-s.low)
	}
	looked := int32(0)
	for _, s := range []*segment{&p.head, &p.middle, &p.tail} {
		for _, a := range s.spans {
			if a.watch >= 0 {
				looked += a.end - a.block
			}
		}
	}
	p.above = make([]int32, 0, looked)
	return p
}

// append adds a block with nodes in [low, high).
func (s *segment) append(b span, low, high int32) {
	if len(s.spans) == 0 {
		s.low, s.high = low, high
	}
	s.low, s.high = min(s.low, low), max(s.high, high)
	if last := len(s.spans) - 1; last >= 0 && s.spans[last].run == b.run && s.spans[last].end == b.block && s.spans[last].watch == b.watch && s.spans[last].own == b.own {
		s.spans[last].end++
		return
	}
	s.spans = append(s.spans, b)
}

// Nodes returns the range [first, end) of the part's nodes.
func (p *Subdomain) Nodes() (first, end int32) { return p.first, p.end }

// Wakes tells whether the part found a triangle above its threshold, or at the end of its sleep,
// when it last computed forces.
func (p *Subdomain) Wakes() bool { return len(p.above) > 0 }

// Reads calls the function with the nodes whose positions the part reads. It may be called more
// than once for a node.
func (p *Subdomain) Reads(each func(n int32)) {
	for _, s := range []*segment{&p.head, &p.middle, &p.tail} {
		for _, a := range s.spans {
			for i := range p.t.blocks[a.block:a.end] {
				b := &p.t.blocks[int(a.block)+i]
				for l := range lanes {
					each(b.a[l] / stride)
					each(b.b[l] / stride)
					each(b.c[l] / stride)
				}
			}
		}
	}
}

// SetForces sets the forces on the part's nodes to the internal forces at m.X, as AddForces adds
// them. With damping it sets m.Damping to that of mass and stiffness. It returns false if a
// triangle is inverted; Triangles.AddForces then returns the error with the triangle.
func (p *Subdomain) SetForces(m *Leapfrog) bool {
	for from, to := range p.inUse {
		clear(m.F[from:to])
		for i := from; m.Damping != nil && i < to; i++ {
			m.Damping[i] = m.drag(i)
		}
	}
	return p.AddForces(m)
}

// AddForces adds the internal forces on the part's nodes at m.X to m.F. With damping it adds those
// of stiffness to m.Damping; see SetForces.
func (p *Subdomain) AddForces(m *Leapfrog) bool {
	w := *m // kernels do not check bounds
	n := p.t.nodes
	w.F, w.X = w.F[:n], w.X[:n]
	if w.Damping != nil {
		w.Damping, w.V = w.Damping[:n], w.V[:n]
	}
	p.above = p.above[:0]
	if p.batch != nil {
		p.batch.stiffest = 0
	}
	return p.border(&p.head, &w) && p.add(&p.middle, w.F, w.Damping, 0, &w) && p.border(&p.tail, &w)
}

// border adds the forces of a segment with nodes of other parts.
func (p *Subdomain) border(s *segment, m *Leapfrog) bool {
	if len(s.spans) == 0 {
		return true
	}
	if m.Damping != nil && s.fading == nil {
		s.fading = make([]r2.Vec, len(s.scratch))
	}
	first, end := max(p.first, s.low), min(p.end, s.high)
	enter := func(scratch, f []r2.Vec) {
		clear(scratch)
		copy(scratch[first-s.low:end-s.low], f[first:end])
	}
	leave := func(scratch, f []r2.Vec) { copy(f[first:end], scratch[first-s.low:end-s.low]) }
	enter(s.scratch, m.F)
	if m.Damping != nil {
		enter(s.fading, m.Damping)
	}
	ok := p.add(s, s.scratch, s.fading, s.low, m)
	leave(s.scratch, m.F)
	if m.Damping != nil {
		leave(s.fading, m.Damping)
	}
	return ok
}

// add adds the forces of a segment to f and, with damping, to d. Both begin at node low.
func (p *Subdomain) add(s *segment, f, d []r2.Vec, low int32, m *Leapfrog) bool {
	t := p.t
	for _, a := range s.spans {
		if t.runs[a.run].law != nil {
			if !p.addLaw(a, f, d, low, m) {
				return false
			}
			continue
		}
		if a.watch >= 0 {
			if !p.addWatched(a, f, d, low, m) {
				return false
			}
			continue
		}
		b, c := t.blocks[a.block:a.end], t.constants[t.runs[a.run].material]
		done := 0
		if m.Damping == nil {
			done = t.kernel.add(b, f, m.X, low, c)
		} else {
			done = t.kernel.damped(b, f, d, m.X, m.V, low, c)
		}
		if done < len(b) {
			return false
		}
	}
	return true
}

// addWatched is add for a span with thresholds.
func (p *Subdomain) addWatched(a span, f, d []r2.Vec, low int32, m *Leapfrog) bool {
	t := p.t
	for first, last := a.block, a.end; first < last; first = a.end {
		var sleeping bool
		a.block = first
		a.end, sleeping = t.alike(first, last)
		c := t.watch[a.watch].constants
		if sleeping {
			c = t.watch[a.watch].always
		}
		b, of, above := t.blocks[a.block:a.end], t.asleep[a.block:a.end], p.above[len(p.above):cap(p.above)]
		done, count := 0, 0
		if m.Damping == nil {
			done, count = t.kernel.watched(b, f, m.X, low, c, of, above)
		} else {
			done, count = t.kernel.dampedWatched(b, f, d, m.X, m.V, low, c, of, above)
		}
		if done < len(b) {
			return false
		}
		p.keep(a, count, m.X)
	}
	return true
}

// keep records the count blocks of a span in which the kernel found triangles to report. It also
// records blocks with such triangles by other thresholds.
func (p *Subdomain) keep(a span, count int, x []r2.Vec) {
	w, n := &p.t.watch[a.watch], len(p.above)
	p.above = p.above[:n+count]
	for i, of := range p.above[n:] {
		p.above[n+i] = several*(a.block+of/several) + w.own.with(of%several)
	}
	for i := range w.others { // thresholds within one block
		some := p.t.blocks[a.block].above(x, w.constants, &w.others[i]) & p.t.asleep[a.block].wokenByThreshold()
		switch {
		case some != 0 && len(p.above) == n:
			p.above = append(p.above, several*a.block+some)
		case some != 0:
			p.above[n] |= some
		}
	}
}

// inUse yields the ranges [from, to) of the part's nodes that are in use: all of them, or page by
// page.
func (p *Subdomain) inUse(yield func(from, to int32) bool) { p.t.inUse(p.first, p.end, yield) }
