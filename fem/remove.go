package fem

// Remove removes the triangles [first, end): they no longer have force and mass. A
// remaining triangle, repeated without volume, replaces them, like the filler of a
// block, so that the order of sums does not change. Subdomains must be called again.
// It returns false if no triangle remains.
func (t *Triangles) Remove(first, end int) bool {
	with := -1
	for i := range t.count {
		if (i < first || i >= end) && t.element(i).volume > 0 {
			with = i
			break
		}
	}
	if with < 0 {
		return false
	}
	t.keepMemory(first, end)
	filler := t.element(with)
	filler.volume = 0
	for i := first; i < end; i++ {
		r := t.runOf(i)
		k := i - int(r.first)
		last := k%lanes + 1
		if t.fills(r, i) {
			last = lanes
		}
		for l := k % lanes; l < last; l++ {
			t.blocks[int(r.block)+k/lanes].set(l, &filler)
		}
		if r.whole != nil {
			r.whole[k/lanes] = false
		}
	}
	return true
}
