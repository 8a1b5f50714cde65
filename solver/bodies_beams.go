package solver

import (
	"fdem/fem"
	"fdem/solver/bodies"
	"fdem/solver/system"
)

// BeamForces fills out, one value per beam, with the forces at Time.
func (s *results) BeamForces(out []fem.BeamForces) {
	for k := range system.All[*bodies.Beams](s.kinds.systems) {
		k.Beams.Forces(s.X, s.Theta, out)
	}
}
