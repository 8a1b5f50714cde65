// Package boundingbox is the broad phase of contact. A hierarchical hash grid
// (HashGrid) finds which axis-aligned bounding boxes overlap; Search makes neighbour
// lists (Verlet lists) of boundary edges with it.
package boundingbox

import "gonum.org/v1/gonum/spatial/r2"

// Box is an axis-parallel rectangle [m].
type Box struct{ Min, Max r2.Vec }

// BoxOf returns the box around the edge from a to b.
func BoxOf(a, b r2.Vec) Box {
	return Box{
		Min: r2.Vec{X: min(a.X, b.X), Y: min(a.Y, b.Y)},
		Max: r2.Vec{X: max(a.X, b.X), Y: max(a.Y, b.Y)},
	}
}

// With returns the box around a box and a position.
func (b Box) With(p r2.Vec) Box {
	return Box{
		Min: r2.Vec{X: min(b.Min.X, p.X), Y: min(b.Min.Y, p.Y)},
		Max: r2.Vec{X: max(b.Max.X, p.X), Y: max(b.Max.Y, p.Y)},
	}
}

// Grow returns the box with all four sides moved outwards by d [m].
func (b Box) Grow(d float64) Box {
	return Box{
		Min: r2.Vec{X: b.Min.X - d, Y: b.Min.Y - d},
		Max: r2.Vec{X: b.Max.X + d, Y: b.Max.Y + d},
	}
}

// Contains tells whether a box lies within the box.
func (b Box) Contains(o Box) bool {
	return b.Min.X <= o.Min.X && o.Max.X <= b.Max.X && b.Min.Y <= o.Min.Y && o.Max.Y <= b.Max.Y
}

// Gap returns a lower bound of the distance of two boxes [m]: the greater of their gaps
// along x and along y. It is negative if they overlap.
func (b Box) Gap(o Box) float64 {
	return max(o.Min.X-b.Max.X, b.Min.X-o.Max.X, o.Min.Y-b.Max.Y, b.Min.Y-o.Max.Y)
}

// Overlaps tells whether two boxes overlap. This is the elimination by four lines of
// Kostek (2012), section 3.3: two edges are far from each other if one lies completely
// beyond one of the four lines xmin, xmax, ymin, ymax of the other.
func (b Box) Overlaps(o Box) bool {
	return b.Min.X <= o.Max.X && o.Min.X <= b.Max.X && b.Min.Y <= o.Max.Y && o.Min.Y <= b.Max.Y
}
