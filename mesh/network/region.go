package network

import (
	"fmt"
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Region is a convex polygon, its corners anticlockwise [m].
type Region []r2.Vec

// Check returns an error if the corners are not those of an anticlockwise convex
// polygon.
func (p Region) Check() error {
	if len(p) < 3 {
		return fmt.Errorf("a region has three corners or more, got %d", len(p))
	}
	for i := range p {
		a, b, c := p[i], p[(i+1)%len(p)], p[(i+2)%len(p)]
		if !(elementary.Cross(r2.Sub(b, a), r2.Sub(c, b)) > 0) {
			return fmt.Errorf("the region must be convex and its corners anticlockwise: corner %d is not", (i+1)%len(p)+1)
		}
	}
	return nil
}

// Area returns the area [m2].
func (p Region) Area() float64 {
	sum := 0.0
	for i := range p {
		sum += float64(0.5 * elementary.Cross(r2.Sub(p[i], p[0]), r2.Sub(p[(i+1)%len(p)], p[0])))
	}
	return sum
}

func (p Region) box() (low, high r2.Vec) {
	low, high = p[0], p[0]
	for _, x := range p {
		low.X, low.Y = min(low.X, x.X), min(low.Y, x.Y)
		high.X, high.Y = max(high.X, x.X), max(high.Y, x.Y)
	}
	return low, high
}

// Holds tells whether a point lies inside or on the boundary.
func (p Region) Holds(x r2.Vec) bool {
	for i := range p {
		a, b := p[i], p[(i+1)%len(p)]
		if elementary.Cross(r2.Sub(b, a), r2.Sub(x, a)) < -1e-12*elementary.Norm(r2.Sub(b, a)) {
			return false
		}
	}
	return true
}

// Cut returns the part of a trace inside the region (Cyrus and Beck 1978). ok is false
// if there is none.
func (p Region) Cut(t Trace) (Trace, bool) {
	from, to := 0.0, 1.0
	d := r2.Sub(t.B, t.A)
	for i := range p {
		a, b := p[i], p[(i+1)%len(p)]
		side := r2.Sub(b, a)
		at, rate := elementary.Cross(side, r2.Sub(t.A, a)), elementary.Cross(side, d) // positive inside
		switch {
		case rate == 0 && at < 0:
			return t, false
		case rate > 0:
			from = max(from, -at/rate)
		case rate < 0:
			to = min(to, -at/rate)
		}
	}
	if !(from < to) {
		return t, false
	}
	t.A, t.B = elementary.Between(t.A, t.B, from), elementary.Between(t.A, t.B, to)
	return t, true
}

// Beyond returns the part of the region on the left of a line through a point along a
// direction, empty if there is none.
func (p Region) Beyond(at, along r2.Vec) Region {
	var out Region
	for i := range p {
		a, b := p[i], p[(i+1)%len(p)]
		da, db := elementary.Cross(along, r2.Sub(a, at)), elementary.Cross(along, r2.Sub(b, at))
		if da >= 0 {
			out = append(out, a)
		}
		if (da > 0) != (db > 0) && da != 0 && db != 0 {
			out = append(out, elementary.Between(a, b, da/(da-db)))
		}
	}
	if len(out) < 3 {
		return nil
	}
	return out
}

// Round returns a round hole: a polygon whose sides are about an edge long [m].
func Round(centre r2.Vec, radius, edge float64) Region {
	const least = 12
	n := max(least, int(math.Round(2*math.Pi*radius/edge)))
	out := make(Region, n)
	for i := range out {
		angle := 2 * math.Pi * float64(i) / float64(n)
		out[i] = r2.Vec{X: centre.X + float64(radius*elementary.Cos(angle)), Y: centre.Y + float64(radius*elementary.Sin(angle))}
	}
	return out
}

// Outline returns the parts of a hole's sides that lie in the region, as traces of a
// set.
func (p Region) Outline(in Region, set int32) (out []Trace) {
	for i := range p {
		if side, ok := in.Cut(Trace{A: p[i], B: p[(i+1)%len(p)], Set: set}); ok {
			out = append(out, side)
		}
	}
	return out
}

// Within returns the area of the part of a hole that lies in the region [m2].
func (p Region) Within(region Region) float64 {
	for i := range region {
		if p = p.Beyond(region[i], r2.Sub(region[(i+1)%len(region)], region[i])); p == nil {
			return 0
		}
	}
	return p.Area()
}

// Simple returns an error if sides of a polygon cross or are shorter than a
// length [m].
func (p Region) Simple(shortest float64) error {
	for i := range p {
		a, b := p[i], p[(i+1)%len(p)]
		if far := elementary.Norm(r2.Sub(b, a)); far < shortest {
			return fmt.Errorf("the side after corner %d is %.4g m long, less than the edge of %.4g m", i+1, far, shortest)
		}
		for j := i + 2; j < len(p) && (i > 0 || j < len(p)-1); j++ {
			if _, _, ok := cross(a, b, p[j], p[(j+1)%len(p)]); ok {
				return fmt.Errorf("the sides after corners %d and %d cross", i+1, j+1)
			}
		}
	}
	return nil
}

// Grains returns the boundaries inside the region of Voronoi grains of about a size [m].
// Seeds are drawn at random and moved several times to the centres of their grains (Lloyd
// 1982). With more moves the grains become more equal.
func Grains(region Region, size float64, rounds int, seed uint64, set int32) ([]Trace, error) {
	n := int(math.Round(region.Area() / (size * size)))
	const most = 20_000
	switch {
	case n < 2:
		return nil, fmt.Errorf("grains of %g m are too large for a region of %.3g m2", size, region.Area())
	case n > most:
		return nil, fmt.Errorf("grains of %g m are %d in the region: at most %d", size, n, most)
	}
	r := newSource(seed, 0)
	low, high := region.box()
	var seeds []r2.Vec
	for len(seeds) < n {
		x := r2.Vec{X: low.X + float64(r.Float64()*(high.X-low.X)), Y: low.Y + float64(r.Float64()*(high.Y-low.Y))}
		if region.Holds(x) {
			seeds = append(seeds, x)
		}
	}
	for range rounds {
		for i, cell := range cells(region, seeds, size) {
			seeds[i] = cell.centre()
		}
	}
	var out []Trace
	for i, cell := range cells(region, seeds, size) {
		for k := range cell.Region {
			if j := cell.of[k]; j > i { // each boundary once; the region's own sides have no other seed
				out = append(out, Trace{A: cell.Region[k], B: cell.Region[(k+1)%len(cell.Region)], Set: set})
			}
		}
	}
	return out, nil
}

// cell is a Voronoi grain: its corners, and per side the other seed, -1 for a side of
// the region.
type cell struct {
	Region
	of []int
}

// cells divides the region into the grains of seeds. Each grain is cut by the bisectors
// to nearby seeds, the nearest first.
func cells(region Region, seeds []r2.Vec, size float64) []cell {
	grid := newGrid(size)
	for i, x := range seeds {
		grid.add(x, int32(i))
	}
	out := make([]cell, len(seeds))
	for i, x := range seeds {
		c := cell{Region: append(Region(nil), region...), of: make([]int, len(region))}
		for k := range c.of {
			c.of[k] = -1
		}
		for ring := 0; ; ring++ {
			for _, j := range grid.ring(x, ring) {
				if int(j) != i {
					c.cut(x, seeds[j], int(j))
				}
			}
			reach := 0.0 // seeds farther away than twice the farthest corner do not cut
			for _, p := range c.Region {
				reach = max(reach, elementary.Norm(r2.Sub(p, x)))
			}
			if float64(ring)*size > 2*reach {
				break
			}
		}
		out[i] = c
	}
	return out
}

// cut keeps the part of the grain that is nearer to x than to another seed.
func (c *cell) cut(x, other r2.Vec, j int) {
	middle := elementary.Between(x, other, 0.5)
	between := r2.Sub(other, x)
	var region Region
	var of []int
	n := len(c.Region)
	for k := range n {
		a, b := c.Region[k], c.Region[(k+1)%n]
		da, db := -elementary.Dot(between, r2.Sub(a, middle)), -elementary.Dot(between, r2.Sub(b, middle))
		if da >= 0 {
			region, of = append(region, a), append(of, c.of[k])
		}
		switch {
		case da >= 0 && db < 0: // the outline leaves: the side to the other seed begins
			region, of = append(region, elementary.Between(a, b, da/(da-db))), append(of, j)
		case da < 0 && db >= 0:
			region, of = append(region, elementary.Between(a, b, da/(da-db))), append(of, c.of[k])
		}
	}
	if len(region) >= 3 {
		c.Region, c.of = region, of
	}
}

// centre returns the centre of area.
func (p Region) centre() r2.Vec {
	var sum r2.Vec
	area := 0.0
	for i := 1; i+1 < len(p); i++ {
		a := float64(0.5 * elementary.Cross(r2.Sub(p[i], p[0]), r2.Sub(p[i+1], p[0])))
		sum = elementary.Along(sum, r2.Add(p[0], r2.Add(p[i], p[i+1])), a/3)
		area += a
	}
	if area == 0 {
		return p[0]
	}
	return r2.Scale(1/area, sum)
}

// grid finds points by their position.
type grid struct {
	size float64
	in   map[[2]int32][]int32
}

func newGrid(size float64) *grid { return &grid{size, map[[2]int32][]int32{}} }

func (g *grid) cell(x r2.Vec) [2]int32 {
	return [2]int32{int32(math.Floor(x.X / g.size)), int32(math.Floor(x.Y / g.size))}
}

func (g *grid) add(x r2.Vec, i int32) {
	at := g.cell(x)
	g.in[at] = append(g.in[at], i)
}

// ring returns the points in the cells at a distance, in cells, from the cell
// of x.
func (g *grid) ring(x r2.Vec, distance int) (out []int32) {
	at, d := g.cell(x), int32(distance)
	for i := -d; i <= d; i++ {
		for j := -d; j <= d; j++ {
			if max(i, -i, j, -j) == d {
				out = append(out, g.in[[2]int32{at[0] + i, at[1] + j}]...)
			}
		}
	}
	return out
}
