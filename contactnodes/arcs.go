package contactnodes

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Arcs. Edges of a mesh along a round outline are chords. The part between chord and arc is missing
// on a shaft and too much in a hole: h^2/8R at the middle of an edge of length h. Where two such
// outlines fit, that may be many times their overlap:
//
//	      .--''--.    arc           D = d + y(u) + y(s),  y(s) = 4 H s (1 - s)
//	    -'________`-  edge, H
//
// There the depth D of a contact node is measured from the parabola over its own edge, at u, to the
// parabola over the opposite edge, at s. The height H over the middle is constant, so that the
// force is the gradient of the law's energy: where y changes along the opposite edge, a part of the
// pressure acts along that edge. A contact node stands for a strip, and takes the mean depth of the
// strip.

// Arc is what an edge of a mesh stands for in a contact.
type Arc struct {
	Height float64 // over the middle of the edge, outwards [m]; 0 for a straight edge
	Rise   float64 // how far in front of the edge a strip may touch the parabola on the mean, see RiseOver [m]
	Smooth bool    // it goes on where the one before it ends
}

// stretch is by how much longer against one another than at the start strips and edges may come to be.
const stretch = 1.5

// RiseOver returns how far at most a parabola is outside of its edge, so long, on the mean over strips
// of contact nodes that are so long at the start [m]: at the ends of a concave one it turns away.
func RiseOver(height, length, strip float64) float64 {
	if height >= 0 {
		return height
	}
	part := stretch * strip / length
	return -height * part * part / 3
}

// arc returns what an edge stands for.
func (c *Contact) arc(edge int32) Arc {
	if c.Arcs == nil {
		return Arc{}
	}
	return c.Arcs[edge]
}

// onArcs tells whether an edge pair has parabolas.
func (c *Contact) onArcs(i, j int32) bool { return c.arc(i).Height != 0 || c.arc(j).Height != 0 }

// newArcLayout puts contact nodes on the parabola over an edge of a mesh.
func newArcLayout(height, chord float64, c *Config) layout {
	p := newLayout(0, chord, c)
	p.strips, p.raised, p.sagitta, p.amplification = false, true, math.Abs(height), 1+4*math.Abs(height)/chord
	p.height = make([]float64, len(p.position))
	for k, u := range p.position {
		p.height[k] = meanHeight(height, u, 2*p.half[k])
	}
	return p
}

// meanHeight returns the mean height of a parabola over a part of an edge, so long and around u.
func meanHeight(height, u, part float64) float64 {
	return float64(4 * height * (float64(u*(1-u)) - float64(part*part)/12))
}

// setTarget makes t an opposite edge of the contact.
func (c *Contact) setTarget(t *target, edge int32, x []r2.Vec) {
	t.setEdge(c.outline, edge, x)
	t.height, t.rise = 0, 0
	if c.Arcs == nil {
		return
	}
	e := &c.outline.Edges[edge]
	t.height, t.rise = c.Arcs[edge].Height, c.Arcs[edge].Rise
	t.low -= t.rise
	if c.Arcs[edge].Smooth {
		t.start.boundary, t.start.reentrant, t.start.sharp = r2.Add(t.start.before, t.along), false, false
	}
	if e.Next >= 0 && c.Arcs[e.Next].Smooth {
		t.end.boundary, t.end.reentrant = r2.Add(t.along, direction(t.d, x[c.outline.Edges[e.Next].B])), false
	}
}

// raise adds the height of the parabola over the target to the depth of a hit at q, which stands
// for a part of its edge, and sets in the edge pair how that depth changes.
func (t *target) raise(m *edgePair, h *hit, q, way r2.Vec, part float64) {
	s := elementary.Dot(t.along, sub(q, t.c)) / t.length
	h.position = s
	h.deflection += meanHeight(t.height, s, float64(elementary.Dot(t.along, way)*part)/t.length)
	m.arcs, m.slope, m.bend = true, 4*t.height*(1-float64(2*s))/t.length, -8*t.height/float64(t.length*t.length)
}

// remainsSeparated is the Outline's, with the parabolas over both edges added.
func (c *Contact) remainsSeparated(i, j int32, x []r2.Vec, moved float64) bool {
	if c.Arcs != nil {
		moved += math.Abs(c.Arcs[i].Height) + c.Arcs[j].Rise
	}
	return c.outline.remainsSeparated(i, j, x, moved)
}
