package contactnodes

// meets is what two edges are to each other for as long as they are candidates: found once,
// when they first come near. Most edge pairs of rigid bodies have one contact node that
// touches or two, so what is asked of a pair costs as much as what is asked of its nodes.
type meets struct {
	known    bool
	corners  bool     // onCorners
	byBodies bool     // byBodies
	together bool     // holdsTogether
	own      int32    // boundary edge of the contact element
	bearers  [2]int32 // representatives of the two
	side     float64  // side
	damper   float64  // settling [Pa s/m]
	share    float64  // of the load, by the sizes of bodies [-]
	halfMass float64  // half of the lighter one of the two bodies [kg]
}

// meet returns what the edges of candidate n are to each other.
func (c *Contact) meet(n int32) *meets {
	m := &c.meets[n]
	if !m.known {
		own, edge := c.elements[c.sleep.owner[n]], c.candidate[n]
		*m = meets{
			known: true, corners: c.onCorners(own, edge), byBodies: c.byBodies(own, edge), together: c.holdsTogether(own, edge),
			own: own, bearers: [2]int32{c.representative(own), c.representative(edge)}, side: c.side(own, edge), damper: c.settling(own, edge),
		}
		m.share, _ = twoPassWeight(c.outline.sizes[own].body, c.outline.sizes[edge].body, 0)
		if c.Mass != nil {
			m.halfMass = 0.5 * min(c.Mass[own], c.Mass[edge])
		}
	}
	return m
}
