package pairs

import "fdem/materials/elementary"

// Halves of two straight edges between bodies that are no thinner than twice the roof: everything is
// linear along the own edge, and what Find and FindAhead have in common is found once.

// Begin begins a half of two straight edges. offset is a depth that does not count [m]. It returns false
// if no part of the own edge is in the region of the other one, at any depth.
func (h *Half) Begin(o *Outline, own, other int32, offset float64) bool {
	h.set(o, own, other)
	h.sector, h.n = false, 0
	f := h.f
	h.measure()
	h.depth[0] -= offset
	region := span{0, 1}
	region.clip(elementary.Dot(f.start, h.from), elementary.Dot(f.start, h.chord))
	region.clip(elementary.Dot(f.end, h.from)-float64(f.length*elementary.Dot(f.end, f.along)), elementary.Dot(f.end, h.chord))
	h.region, h.offset = region, offset
	return region.lo < region.hi
}

// FindBegun is Find for a half that has begun.
func (h *Half) FindBegun(o *Outline) bool {
	part, d0, run := h.region, h.depth[0], h.depth[1]
	part.clip(d0, run)
	if !(part.lo < part.hi) {
		return false
	}
	if roof := o.Edges[h.Other].Roof; roof > 0 && max(d0+float64(part.lo*run), d0+float64(part.hi*run)) > roof {
		return h.Find(o, h.Own, h.Other, h.offset)
	}
	h.spans[0], h.n = part, 1
	h.addPoints(1)
	return true
}
