package boundingbox

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// HashGrid is a hierarchical cell grid in a hash table. It finds which of many boxes
// overlap. A box is stored in one cell, the one that contains its middle, on the
// level whose cells are just larger than the box. So on each level, a box that
// overlaps another has its middle within half a cell of the other box. The cost is
// linear in the number of boxes, for any mixture of sizes and any distances. A grid
// allocates nothing once its buffers have grown.
type HashGrid struct {
	boxes []Box
	cell  []cell  // of each box
	level []int32 // the levels in use, ascending
	mask  uint64  // buckets - 1
	start []int32 // per bucket: its first entry; one more at the end
	entry []int32 // boxes by bucket
}

// cell is a square of the grid of one level, of side 2^level metres.
type cell struct {
	x, y  int64
	level int32
}

// Fill puts boxes into the grid. The grid reads them until the next call.
func (g *HashGrid) Fill(boxes []Box) {
	g.begin(boxes)
	g.enter(0, len(boxes))
	g.sort()
}

// begin makes room for boxes.
func (g *HashGrid) begin(boxes []Box) {
	g.boxes = boxes
	g.cell = slices.Grow(g.cell[:0], len(boxes))[:len(boxes)]
	g.entry = slices.Grow(g.entry[:0], len(boxes))[:len(boxes)]
	buckets := len(g.start) - 1
	if buckets < 2*len(boxes) {
		for buckets = 1; buckets < 2*len(boxes); {
			buckets *= 2
		}
		g.mask, g.start = uint64(buckets-1), make([]int32, buckets+1)
	}
}

// enter finds the cells of the boxes [first, end).
func (g *HashGrid) enter(first, end int) {
	for i := first; i < end; i++ {
		b := &g.boxes[i]
		_, level := math.Frexp(max(b.Max.X-b.Min.X, b.Max.Y-b.Min.Y))
		perSide := math.Ldexp(1, -level)
		g.cell[i] = cell{
			x:     int64(math.Floor(0.5 * (b.Min.X + b.Max.X) * perSide)),
			y:     int64(math.Floor(0.5 * (b.Min.Y + b.Max.Y) * perSide)),
			level: int32(level),
		}
	}
}

// sort puts the boxes into the buckets of their cells and lists the levels.
func (g *HashGrid) sort() {
	clear(g.start)
	g.level = g.level[:0]
	for i := range g.cell {
		c := &g.cell[i]
		if k, ok := slices.BinarySearch(g.level, c.level); !ok {
			g.level = slices.Insert(g.level, k, c.level)
		}
		g.start[g.bucket(*c)]++
	}
	for b := range len(g.start) - 1 { // start[b] is now the end of bucket b
		g.start[b+1] += g.start[b]
	}
	for i := len(g.cell) - 1; i >= 0; i-- { // and here it goes down to the start
		b := g.bucket(g.cell[i])
		g.start[b]--
		g.entry[g.start[b]] = int32(i)
	}
}

// bucket returns the bucket of a cell, by its hash.
func (g *HashGrid) bucket(c cell) uint64 {
	h := uint64(c.x)*0x9e3779b97f4a7c15 ^ uint64(c.y)*0xc2b2ae3d27d4eb4f ^ uint64(c.level)*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 32
	return h & g.mask
}

// Pairs calls the function once with the numbers of every two boxes that overlap. It searches from
// the smaller box of each pair.
func (g *HashGrid) Pairs(found func(i, j int32)) { g.pairsOf(0, len(g.boxes), found) }

// pairsOf is Pairs for the pairs found from one of the boxes [first, end).
func (g *HashGrid) pairsOf(first, end int, found func(i, j int32)) {
	for i := first; i < end; i++ {
		own := g.cell[i].level
		for k := len(g.level) - 1; k >= 0 && g.level[k] >= own; k-- {
			g.near(g.boxes[i], g.level[k], func(j int32) {
				if g.cell[j].level != own || int(j) > i {
					found(int32(i), j)
				}
			})
		}
	}
}

// pairsWith calls the function with the numbers of two boxes that overlap, the first of this grid
// and the second of another grid. It finds the pairs whose smaller box is one of the boxes [first,
// end) of this grid. equal tells whether boxes of equal size count as smaller.
func (g *HashGrid) pairsWith(o *HashGrid, first, end int, equal bool, found func(i, j int32)) {
	for i := first; i < end; i++ {
		own := g.cell[i].level
		for k := len(o.level) - 1; k >= 0 && (o.level[k] > own || equal && o.level[k] == own); k-- {
			o.near(g.boxes[i], o.level[k], func(j int32) { found(int32(i), j) })
		}
	}
}

// Near calls the function with the number of every box that overlaps b.
func (g *HashGrid) Near(b Box, found func(j int32)) {
	for _, level := range g.level {
		g.near(b, level, found)
	}
}

// near calls the function with the boxes of a level that overlap b.
func (g *HashGrid) near(b Box, level int32, found func(j int32)) {
	perSide := math.Ldexp(1, -int(level))
	low := r2.Vec{X: math.Floor(float64(b.Min.X*perSide) - 0.5), Y: math.Floor(float64(b.Min.Y*perSide) - 0.5)}
	high := r2.Vec{X: math.Floor(float64(b.Max.X*perSide) + 0.5), Y: math.Floor(float64(b.Max.Y*perSide) + 0.5)}
	if cells := (high.X - low.X + 1) * (high.Y - low.Y + 1); !(cells <= float64(len(g.boxes))) { // or NaN
		for j := range g.boxes {
			if g.cell[j].level == level && b.Overlaps(g.boxes[j]) {
				found(int32(j))
			}
		}
		return
	}
	for y := int64(low.Y); y <= int64(high.Y); y++ {
		for x := int64(low.X); x <= int64(high.X); x++ {
			c := cell{x, y, level}
			k := g.bucket(c)
			for _, j := range g.entry[g.start[k]:g.start[k+1]] {
				if g.cell[j] == c && b.Overlaps(g.boxes[j]) {
					found(j)
				}
			}
		}
	}
}
