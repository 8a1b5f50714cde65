package system

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// WithoutReaction returns a force on node n without its components in directions that a
// support holds.
func (s *View) WithoutReaction(freedoms *Freedoms, n int32, f r2.Vec) r2.Vec {
	if s.HeldIn(freedoms, n, 0) {
		f.X = 0
	}
	if s.HeldIn(freedoms, n, 1) {
		f.Y = 0
	}
	return f
}

// HeldIn tells whether a support holds node n in a direction, 0 or 1.
func (s *View) HeldIn(freedoms *Freedoms, n int32, direction int) bool {
	if freedoms != nil {
		return freedoms.Moves[n][direction] < 0
	}
	return [2]float64{s.Inverse(n).X, s.Inverse(n).Y}[direction] == 0
}
