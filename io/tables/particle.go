package tables

// Radii reads the radius, or the radii to choose from: [from, to] in "sizes"
// equal steps; nil if there is none.
func (t *Reader) Radii() []float64 {
	v, ok := t.Raw("radius")
	if !ok {
		return nil
	}
	l, isList := v.([]any)
	if !isList {
		return []float64{t.Number("radius")}
	}
	if t.Has("file") {
		t.Bad("radius", "particles of a file have one radius for all, or a column \"radius\" in the file")
	}
	if len(l) != 2 {
		t.Bad("radius", "radius must be a length or [from, to], got %d entries", len(l))
	}
	low, high := t.Value("radius", l[0], Length), t.Value("radius", l[1], Length)
	if !(low > 0 && high > low) {
		t.Bad("radius", "radius = [from, to] needs from above 0 and to above from, got %g and %g m", low, high)
	}
	n := t.Whole("sizes")
	var out []float64
	for i := range n {
		out = append(out, low+float64((high-low)*float64(i)/float64(n-1)))
	}
	return out
}
