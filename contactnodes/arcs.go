package contactnodes

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Arcs. Edges of a mesh along a round outline are chords. The part between chord and arc is missing
// on a shaft and in excess in a hole: h^2/8R at the middle of an edge of length h. If two such
// outlines fit each other, this may be many times their overlap:
//
//	      .--''--.    arc           D = d + y(u) + y(s),  y(s) = 4 H s (1 - s)
//	    -'________`-  edge, H
//
// For such edges the depth D of a contact node is measured from the parabola over its own edge, at
// u, to the parabola over the opposite edge, at s. The height H over the middle is constant, so the
// force is the gradient of the law's energy. Where y changes along the opposite edge, a part of the
// pressure acts along that edge. A contact node takes the depth at its position, as on a rigid
// circle. The mean depth over its strip differs from it by equal amounts on both arcs if they fit.
// (The mean of a concave arc would reach in front of its edge at the ends, where no contact nodes
// are searched.)

// Arc is the arc that an edge of a mesh represents in a contact.
type Arc struct {
	Height float64 // over the middle of the edge, outwards [m]; 0 for a straight edge
	Smooth bool    // it continues the arc of the previous edge smoothly
}

// arc returns the arc that an edge represents; a straight one has height 0.
func (c *Contact) arc(edge int32) Arc {
	if c.Arcs == nil {
		return Arc{}
	}
	return c.Arcs[edge]
}

// onArcs tells whether one of two edges represents an arc.
func (c *Contact) onArcs(i, j int32) bool { return c.arc(i).Height != 0 || c.arc(j).Height != 0 }

// newArcLayout returns a layout of contact nodes on the parabola over an edge of a mesh.
func newArcLayout(height, chord float64, c *Config) layout {
	p := newLayout(0, chord, c)
	p.strips, p.raised, p.sagitta, p.amplification = false, true, math.Abs(height), 1+4*math.Abs(height)/chord
	p.height = make([]float64, len(p.position))
	for k, u := range p.position {
		p.height[k] = parabola(height, u)
	}
	return p
}

// parabola returns the height at u of a parabola over an edge [m]. height is its height over the
// middle [m].
func parabola(height, u float64) float64 { return float64(4 * height * u * (1 - u)) }

// setTarget makes t an opposite edge of the contact.
func (c *Contact) setTarget(t *target, edge int32, x []r2.Vec) {
	t.setEdge(c.outline, edge, x)
	t.height = 0
	if c.Arcs == nil {
		return
	}
	e := &c.outline.Edges[edge]
	t.height = c.Arcs[edge].Height
	t.low -= math.Abs(t.height)
	if c.Arcs[edge].Smooth {
		t.start.boundary, t.start.reentrant, t.start.sharp = r2.Add(t.start.before, t.along), false, false
	}
	if e.Next >= 0 && c.Arcs[e.Next].Smooth {
		t.end.boundary, t.end.reentrant = r2.Add(t.along, direction(t.d, x[c.outline.Edges[e.Next].B])), false
	}
}

// raise adds the height of the parabola over the target to the depth of a hit at q. It sets in the
// edge pair how that depth changes along the edge.
func (t *target) raise(m *edgePair, h *hit, q r2.Vec) {
	s := elementary.Dot(t.along, sub(q, t.c)) / t.length
	h.position = s
	h.deflection += parabola(t.height, s)
	m.kind, m.arcs, m.slope, m.bend = curved, true, 4*t.height*(1-float64(2*s))/t.length, -8*t.height/float64(t.length*t.length)
}

// remainsSeparated is Outline.remainsSeparated, with the parabolas over both edges included.
func (c *Contact) remainsSeparated(i, j int32, x []r2.Vec, moved float64) bool {
	if c.Arcs != nil {
		moved += math.Abs(c.Arcs[i].Height) + math.Abs(c.Arcs[j].Height)
	}
	return c.outline.remainsSeparated(i, j, x, moved)
}
