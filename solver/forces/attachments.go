package forces

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// Attachment describes how a component is held: the range of y of its nodes that are held along
// x, and the range of x of those held along y [m].
type Attachment struct {
	X, Y   span
	Clamps bool // a node cannot rotate
}

// span is the range of some numbers.
type span struct {
	low, high float64
	Any       bool
}

// Add adds a number.
func (s *span) Add(v float64) {
	if !s.Any {
		s.low, s.high, s.Any = v, v, true
	}
	s.low, s.high = min(s.low, v), max(s.high, v)
}

// wide tells whether nodes at two positions are held, so that the component does not rotate.
func (s *span) wide() bool { return s.Any && s.low < s.high }

// rotates tells whether a component is free to rotate.
func (t *Attachment) rotates() bool { return !t.X.wide() && !t.Y.wide() && !t.Clamps }

// Pin returns the position about which a component rotates.
func (t *Attachment) Pin() (r2.Vec, bool) {
	return r2.Vec{X: t.Y.low, Y: t.X.low}, t.X.Any && t.Y.Any && t.rotates()
}

// Slides tells whether a component can move along one axis only.
func (t *Attachment) Slides() bool { return t.X.Any != t.Y.Any && !t.rotates() }

// Holds tells whether a component cannot move. A component that can both rotate and slide counts
// as held.
func (t *Attachment) Holds() bool {
	_, hangs := t.Pin()
	return (t.X.Any || t.Y.Any || t.Clamps) && !hangs && !t.Slides()
}
