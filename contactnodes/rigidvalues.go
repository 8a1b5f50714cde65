package contactnodes

// Values of pairs of edges at contact nodes, for results.

// NodePressures appends the pressure at every contact node [Pa].
func (c *Contact) NodePressures(out []float64) []float64 {
	law := c.pairLaw()
	return c.withPairs(out, c.AtNodes(c.Pressures()), func(depth, _ float64) float64 { return float64(law * depth) })
}

// NodeDeflections appends the deflection of every contact node [m].
func (c *Contact) NodeDeflections(out []float64) []float64 {
	return c.withPairs(out, c.AtNodes(c.Deflections()), func(depth, _ float64) float64 { return depth })
}

// NodeTractions appends the friction on every contact node [Pa].
func (c *Contact) NodeTractions(out []float64) []float64 {
	law := c.pairLaw()
	return c.withPairs(out, c.AtNodes(c.Tractions()), func(depth, friction float64) float64 { return friction * float64(law*depth) })
}

// withPairs appends the values of all contact nodes, given in the order of the state, and adds those of
// pairs, which are functions of the depth [m] and of friction divided by pressure.
func (c *Contact) withPairs(out, values []float64, of func(depth, friction float64) float64) []float64 {
	first := len(out)
	out = c.PerContactNode(out, values)
	c.eachNode(func(node int, depth, friction float64) { out[first+node] += of(depth, friction) })
	return out
}

// NodePeaks appends the greatest pressure so far at every contact node [Pa].
func (c *Contact) NodePeaks(out []float64) []float64 {
	first := len(out)
	out = c.PerContactNode(out, c.PeakPressures())
	for i, e := range c.PairElements {
		for n, p := range c.PairPeaks[i*c.Nodes : (i+1)*c.Nodes] {
			at := first + int(e)*c.Nodes + n
			out[at] = max(out[at], p)
		}
	}
	return out
}

// GreatestOffset returns the greatest overlap that is not counted as deflection [m].
func (c *Contact) GreatestOffset() (most float64) {
	for i := range c.Kept {
		most = max(most, c.Kept[i].Offset)
	}
	for _, o := range c.OffsetBetween {
		most = max(most, o.Depth)
	}
	return most
}

// PairColumns returns the columns of the state of pairs of edges. Restore reads them after
// they have been filled. The next call changes them.
func (c *Contact) PairColumns() *PairColumns {
	c.pairColumns = columnsOf(c.Patches, c.OffsetBetween, c.Grips, c.Drags)
	return &c.pairColumns
}
