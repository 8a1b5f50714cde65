package fem

// Remove takes the triangles [first, end) away: they carry no load and weigh nothing
// any more. In their places stands a triangle that remains, again, with no volume, as
// where a block is not full: it adds nothing, and the order of sums stays. Parts are
// to be made anew. It returns false where no triangle remains.
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
