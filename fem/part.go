package fem

// Touching returns the triangles that have a node in [first, end), in the same
// order, and the range [low, high) of all their nodes. AddForces of the part
// gives the nodes in [first, end) the same forces, to the bit.
func (t *Triangles) Touching(first, end int32) (part *Triangles, low, high int32) {
	part = &Triangles{moduli: t.moduli, density: t.density, nodes: t.nodes}
	low, high = end, first
	for i, e := range t.element {
		within := false
		for _, n := range [3]int32{e.a, e.b, e.c} {
			within = within || n >= first && n < end
		}
		if !within {
			continue
		}
		part.element = append(part.element, e)
		part.id = append(part.id, t.id[i])
		low, high = min(low, e.a, e.b, e.c), max(high, e.a+1, e.b+1, e.c+1)
	}
	return part, min(low, high), high
}
