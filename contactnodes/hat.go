package contactnodes

// Consistent nodal forces of a contact pressure on the face of a beam. If contact nodes
// are at the ends of equal parts of an edge, the pressure is linear in between. The part
// that belongs to one contact node is a hat function,
//
//	 1 \        /\          1 at the contact node, 0 at its neighbours
//	    \      /  \
//	 0 __\____/____\__
//
// On a face that bends, the pressure is distributed by Hermite's cubic shape functions
// across and linear ones along it, so the beam gets the consistent forces and moments.
// The reaction on the opposite edge acts at the hat's centroid, which conserves angular
// momentum. On a straight edge the force of a contact node, with the area of its hat,
// acts at the position of the contact node, where the deflection is measured. Only then
// is the force the gradient of the law's energy, also if the neighbours are not in
// contact.

// hat has the area of one contact node and the distribution of its force to the ends
// of the face of a beam.
type hat struct {
	area             float64 // area of the hat relative to that of a part [-]
	centroid         float64 // position of its centroid along the edge, 0 at A, 1 at B
	acrossB          float64 // part of a unit force across the face of a beam that acts on B
	momentA, momentB float64 // moments of a unit force across, relative to the length
}

// newHat returns the hat of contact node k if contact nodes are at the ends of equal
// parts.
func newHat(k, parts int) hat {
	w := 1 / float64(parts)
	c := float64(k) * w
	// means of s, s^2 and s^3 over the hat
	s1, s2, s3 := c, float64(c*c)+float64(w*w)/6, float64(c*c*c)+float64(0.5*c*w*w)
	area := 1.0
	switch k {
	case 0:
		area = 0.5
		s1, s2, s3 = w/3, w*w/6, w*w*w/10
	case parts:
		area = 0.5
		s1, s2, s3 = 1-w/3, 1-float64(2*w/3)+float64(w*w)/6, 1-w+float64(w*w/2)-float64(w*w*w/10)
	}
	return hat{
		area: area, centroid: s1,
		acrossB: float64(3*s2) - float64(2*s3),
		momentA: s1 - float64(2*s2) + s3,
		momentB: s3 - s2,
	}
}
