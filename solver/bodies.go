package solver

import (
	"fdem/solver/system"
)

// Describe describes every body, in the order of Motions.
func (s *results) Describe() []system.Description {
	var out []system.Description
	for _, k := range s.bodies {
		out = k.Describe(out)
	}
	return out
}

// Motions returns the motion of every body at Time: meshed bodies, then rigid bodies, then groups
// of particles. Forces must have been evaluated there. Fixed and driven bodies have mass 0.
func (s *results) Motions() []system.BodyMotion {
	var out []system.BodyMotion
	for _, k := range s.bodies {
		out = k.Motions(out)
	}
	return out
}
