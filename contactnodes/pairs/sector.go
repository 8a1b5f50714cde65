package pairs

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// FindSector finds the part of edge own in the sector of the re-entrant corner at the start of edge
// other, between the normals of the two edges that meet there. The depth is the distance from the
// corner minus offset [m]. It returns false if there is none.
func (h *Half) FindSector(o *Outline, own, other int32, offset float64) bool {
	if !o.frames[other].sector {
		return false
	}
	h.set(o, own, other)
	h.clips = clips{}
	h.clips.add(h.along(h.f.before))
	h.clips.add(h.along(r2.Vec{X: -h.f.along.X, Y: -h.f.along.Y}))
	if roof := o.Edges[other].Roof; roof > 0 {
		h.clips.add(Quad{float64(roof*roof) - elementary.Dot(h.from, h.from), -2 * elementary.Dot(h.from, h.chord), -elementary.Dot(h.chord, h.chord)})
	}
	if offset > 0 {
		h.clips.add(Quad{elementary.Dot(h.from, h.from) - float64(offset*offset), 2 * elementary.Dot(h.from, h.chord), elementary.Dot(h.chord, h.chord)})
	}
	h.sector = true
	h.n = h.clips.spans(&h.spans)
	for _, part := range h.spans[:h.n] {
		width := part.hi - part.lo
		h.Covered += width
		for k, at := range Gauss3 {
			h.addRadial(part.lo+float64(at*width), Weight3[k]*width, offset)
		}
	}
	return len(h.Points) > 0
}

// addRadial adds a Gauss node of a sector.
func (h *Half) addRadial(u, w, offset float64) {
	high := float64(h.bulge * u * (1 - u))
	r := r2.Add(r2.Add(h.from, times(u, h.chord)), times(high, h.outwards))
	depth := math.Sqrt(elementary.Dot(r, r))
	if depth == 0 {
		return
	}
	n := times(1/depth, r)
	turned := times(high, r2.Vec{X: -n.Y, Y: n.X})
	h.Points = append(h.Points, Point{
		U: u, Depth: depth - offset, Weight: w,
		Gradient: [4]r2.Vec{r2.Sub(times(1-u, n), turned), r2.Add(times(u, n), turned), times(-1, n), {}},
	})
}

// IsSector tells whether FindSector has found the half.
func (h *Half) IsSector() bool { return h.sector }
