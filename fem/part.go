package fem

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Part computes the forces on a range of nodes. Parts share the triangles and
// can work at the same time: each takes the blocks that touch its nodes, those
// at its borders too, which the neighbouring part computes as well, and writes
// the forces on its own nodes only.
//
//	blocks   | head: touch nodes before |  middle: own nodes only  | tail: touch nodes after |
//	forces   | in a scratch array       |  straight in the result  | in a scratch array      |
//
// The blocks keep their order, and so a node adds up its triangles in the same
// order, and to the same bits, whatever the parts are.
type Part struct {
	t                  *Triangles
	first, end         int32 // its nodes
	head, middle, tail segment
}

// segment is some of a part's blocks.
type segment struct {
	spans     []span
	low, high int32    // the nodes they touch
	scratch   []r2.Vec // forces on these; nil where all are the part's own
}

// span is consecutive blocks of one run.
type span struct{ run, block, end int32 }

// Parts shares the triangles among n parts of about as many each. There are
// fewer where there are fewer blocks.
func (t *Triangles) Parts(n int) []*Part {
	n = max(1, min(n, len(t.blocks)))
	lowest := make([]int32, t.nodes+1) // blocks per lowest node, then of all nodes before
	for i := range t.blocks {
		low, _ := t.blocks[i].nodes()
		lowest[low+1]++
	}
	for i := range t.nodes {
		lowest[i+1] += lowest[i]
	}
	parts := make([]*Part, n)
	first := int32(0)
	for k := range parts {
		end := int32(t.nodes)
		if k+1 < n {
			i, _ := slices.BinarySearch(lowest, int32((k+1)*len(t.blocks)/n))
			end = max(first, int32(i))
		}
		parts[k] = t.part(first, end)
		first = end
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

// touches tells whether a corner of the block is one of the nodes [first, end).
func (b *block) touches(first, end int32) bool {
	for l := range lanes {
		for _, n := range [3]int32{b.a[l], b.b[l], b.c[l]} {
			if n >= first*stride && n < end*stride {
				return true
			}
		}
	}
	return false
}

// part returns the part of the nodes [first, end).
func (t *Triangles) part(first, end int32) *Part {
	p := &Part{t: t, first: first, end: end}
	head, tail := int32(-1), int32(len(t.blocks)) // the last that touches nodes before, the first that touches nodes after
	for i := range int32(len(t.blocks)) {
		b := &t.blocks[i]
		low, high := b.nodes()
		if low >= end || high <= first || !b.touches(first, end) {
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
			low, high := b.nodes()
			if low >= end || high <= first || !b.touches(first, end) {
				continue
			}
			switch {
			case i <= head:
				p.head.append(int32(k), i, low, high)
			case i < tail:
				p.middle.append(int32(k), i, low, high)
			default:
				p.tail.append(int32(k), i, low, high)
			}
		}
	}
	for _, s := range []*segment{&p.head, &p.tail} {
		s.scratch = make([]r2.Vec, s.high-s.low)
	}
	return p
}

// append adds block i of run k, which touches nodes [low, high).
func (s *segment) append(k, i, low, high int32) {
	if len(s.spans) == 0 {
		s.low, s.high = low, high
	}
	s.low, s.high = min(s.low, low), max(s.high, high)
	if last := len(s.spans) - 1; last >= 0 && s.spans[last].run == k && s.spans[last].end == i {
		s.spans[last].end++
		return
	}
	s.spans = append(s.spans, span{k, i, i + 1})
}

// Nodes returns the range [first, end) of the part's nodes.
func (p *Part) Nodes() (first, end int32) { return p.first, p.end }

// SetForces sets the forces on the part's nodes, f[first:end], to the internal
// forces at positions x, which AddForces adds. Both have one value per node of
// the triangles. Where a triangle is turned inside out they return false: the
// triangles' own AddForces then tells which.
func (p *Part) SetForces(f, x []r2.Vec) bool {
	clear(f[p.first:p.end])
	return p.AddForces(f, x)
}

// AddForces adds the internal forces on the part's nodes at positions x to
// f[first:end]; see SetForces.
func (p *Part) AddForces(f, x []r2.Vec) bool {
	f, x = f[:p.t.nodes], x[:p.t.nodes] // kernels do not check bounds
	return p.border(&p.head, f, x) && p.add(&p.middle, f, 0, x) && p.border(&p.tail, f, x)
}

// border adds the forces of a segment that touches others' nodes.
func (p *Part) border(s *segment, f, x []r2.Vec) bool {
	if len(s.spans) == 0 {
		return true
	}
	first, end := max(p.first, s.low), min(p.end, s.high)
	clear(s.scratch)
	own := s.scratch[first-s.low : end-s.low]
	copy(own, f[first:end])
	ok := p.add(s, s.scratch, s.low, x)
	copy(f[first:end], own)
	return ok
}

// add adds the forces of a segment to f, which begins at node low.
func (p *Part) add(s *segment, f []r2.Vec, low int32, x []r2.Vec) bool {
	t := p.t
	for _, a := range s.spans {
		b := t.blocks[a.block:a.end]
		if t.kernel.add(b, f, x, low, t.constants[t.runs[a.run].material]) < len(b) {
			return false
		}
	}
	return true
}

// Move kicks the velocities of the part's nodes, v += kick f/m, and drifts their
// positions, x += dt v; of nodes from end on, if there are any, neither. It sets
// the forces of all to zero while it has them at hand, for those of the next
// step to be added. inverse is 1/m of each node and direction, 0 where it is
// fixed [1/kg]. All have one value per node.
func (p *Part) Move(x, v, f, inverse []r2.Vec, end int32, kick, dt float64) {
	i, k := p.first, max(p.first, min(p.end, end))
	p.t.kernel.move(x[i:k], v[i:k], f[i:k], inverse[i:k], kick, dt)
	clear(f[k:max(k, p.end)])
}

// moveNodes is the generic kernel of Move; vector_amd64.s does the same for two
// nodes at once.
func moveNodes(x, v, f, inverse []r2.Vec, kick, dt float64) {
	v, f, inverse = v[:len(x)], f[:len(x)], inverse[:len(x)]
	for i := range x {
		u := v[i]
		u.X += float64(float64(kick*inverse[i].X) * f[i].X)
		u.Y += float64(float64(kick*inverse[i].Y) * f[i].Y)
		v[i] = u
		x[i].X += float64(dt * u.X)
		x[i].Y += float64(dt * u.Y)
		f[i] = r2.Vec{}
	}
}
