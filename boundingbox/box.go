// Package boundingbox is the broad phase of contact: neighbour lists (Verlet
// lists) of boundary edges, found with axis-aligned bounding boxes in a
// hierarchical hash grid. It tells which edges are near which.
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

// Grow moves all four sides outwards by d.
func (b Box) Grow(d float64) Box {
	return Box{
		Min: r2.Vec{X: b.Min.X - d, Y: b.Min.Y - d},
		Max: r2.Vec{X: b.Max.X + d, Y: b.Max.Y + d},
	}
}

// Overlaps is the elimination by four lines of Kostek (2012), section 3.3: two
// edges are far apart when one lies wholly beyond one of the four lines xmin,
// xmax, ymin, ymax of the other.
func (b Box) Overlaps(o Box) bool {
	return b.Min.X <= o.Max.X && o.Min.X <= b.Max.X && b.Min.Y <= o.Max.Y && o.Min.Y <= b.Max.Y
}
