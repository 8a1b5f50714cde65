package model

import (
	"slices"

	"fdem/fem/fracture"
)

// HasFriction tells whether joints and seams have friction, so that bodies separated by a curve
// slide on it.
func (f *Fracture) HasFriction() bool {
	return f != nil && slices.ContainsFunc(f.Regions, func(r fracture.Region) bool { return r.Prescribed && r.Law.ResidualFriction > 0 })
}
