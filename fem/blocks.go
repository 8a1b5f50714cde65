package fem

import (
	"slices"

	"fdem/materials/bulk"
)

// Triangles are stored for vector instructions (SIMD), as an array of structures
// of arrays: in blocks of four, with each quantity of the four triangles side by
// side, so that one instruction processes a block. A block has everything that
// the forces need except the material. A run of blocks has one material. If the
// triangles of a run do not fill its last block, the last triangle is repeated
// there without volume, so that it adds nothing.
//
//	block   | nodes a: t0 t1 t2 t3 | b: ... | c: ... | bx: t0 t1 t2 t3 | ... | volume |
//	run     | block | block | block (t8, t8, t8, t8) |   one material
//
// Every kernel adds forces triangle after triangle and corner after corner. This
// order determines the bits.

// lanes is the number of triangles in a block.
const lanes = 4

// stride is the size of a node's position or force [bytes].
const (
	shift  = 4
	stride = 1 << shift
)

// block is four triangles of 52 bytes each. The assembly kernel depends on the
// order and size of these fields.
type block struct {
	a, b, c        [lanes]int32   // corner nodes times stride
	bx, by, cx, cy [lanes]float64 // gradients of the second and third shape function [1/m]
	volume         [lanes]float64 // [m3]
}

// maxNodes is the greatest number of nodes, since a block stores 32-bit byte
// offsets.
const maxNodes = 1 << 31 / stride

// run is consecutive triangles of one material: those from first on, in the
// blocks [block, end).
type run struct {
	first, block, end int32
	material          int32
	law               bulk.Law     // nil for St. Venant and Kirchhoff
	sharing           bulk.Sharing // the law if partners of a pair share more than their volume, else nil
	elasticResponse   bulk.Law     // the law without plastic flow if it has flow, else nil
	spent             [2]int       // indices of plastic and viscous work in its memory, -1 for none
	firstLane         int32        // index of its first lane among lanes with laws
	memory            int          // start of its memory
	paired            []bool       // per two lanes: they are a pair, which shares its volume; nil for none
	whole             []bool       // per block: it consists of two pairs without removed triangles
}

// set puts a triangle into a lane.
func (b *block) set(lane int, e *element) {
	b.a[lane], b.b[lane], b.c[lane] = stride*e.a, stride*e.b, stride*e.c
	b.bx[lane], b.by[lane], b.cx[lane], b.cy[lane] = e.bx, e.by, e.cx, e.cy
	b.volume[lane] = e.volume
}

// at returns the triangle in a lane.
func (b *block) at(lane int, material int32) element {
	return element{
		a: b.a[lane] / stride, b: b.b[lane] / stride, c: b.c[lane] / stride, material: material,
		bx: b.bx[lane], by: b.by[lane], cx: b.cx[lane], cy: b.cy[lane], volume: b.volume[lane],
	}
}

// append adds triangle number i after all others.
func (t *Triangles) append(e *element) {
	last := len(t.runs) - 1
	if last < 0 || t.runs[last].material != e.material {
		at := int32(len(t.blocks))
		t.runs = append(t.runs, run{first: int32(t.count), block: at, end: at, material: e.material})
		last++
	}
	r := &t.runs[last]
	lane := (t.count - int(r.first)) % lanes
	if lane == 0 {
		t.blocks = append(t.blocks, block{})
		r.end++
	}
	b := &t.blocks[len(t.blocks)-1]
	b.set(lane, e)
	filler := *e
	filler.volume = 0
	for l := lane + 1; l < lanes; l++ {
		b.set(l, &filler)
	}
	t.count++
}

// runOf returns the run of triangle i.
func (t *Triangles) runOf(i int) *run {
	if len(t.runs) == 1 {
		return &t.runs[0]
	}
	k, found := slices.BinarySearchFunc(t.runs, i, func(r run, i int) int { return int(r.first) - i })
	if !found {
		k--
	}
	return &t.runs[k]
}

// end returns the number of the first triangle after run k.
func (t *Triangles) end(k int) int {
	if k+1 < len(t.runs) {
		return int(t.runs[k+1].first)
	}
	return t.count
}

// element returns triangle i.
func (t *Triangles) element(i int) element {
	r := t.runOf(i)
	k := i - int(r.first)
	return t.blocks[int(r.block)+k/lanes].at(k%lanes, r.material)
}

// elements yields the triangles in order.
func (t *Triangles) elements(yield func(i int, e element) bool) {
	for k := range t.runs {
		r, end := &t.runs[k], t.end(k)
		for i := int(r.first); i < end; i++ {
			j := i - int(r.first)
			if !yield(i, t.blocks[int(r.block)+j/lanes].at(j%lanes, r.material)) {
				return
			}
		}
	}
}

// number returns the number of the triangle in a lane of block b of run r. For a
// filler it is the number of the triangle that the filler repeats.
func (t *Triangles) number(r *run, b int32, lane int) int {
	end := t.count
	if r.end < int32(len(t.blocks)) {
		end = int(t.runOfBlock(r.end).first)
	}
	return min(int(r.first)+int(b-r.block)*lanes+lane, end-1)
}

// runOfBlock returns the run that holds block b.
func (t *Triangles) runOfBlock(b int32) *run {
	if len(t.runs) == 1 {
		return &t.runs[0]
	}
	k, found := slices.BinarySearchFunc(t.runs, b, func(r run, b int32) int { return int(r.block) - int(b) })
	if !found {
		k--
	}
	return &t.runs[k]
}
