package model

import (
	"slices"

	"fdem/fem/fracture"
)

// Fracture describes how the model can break. The mesh has free numbers for the nodes that cracks
// add (mesh.WithRoom), which Pages and Edges use.
type Fracture struct {
	Regions []fracture.Region
	Joints  []bool          // per region: it is a joint, open from the start; nil for none
	Sizes   []FractureSize  // of each region
	Edges   []fracture.Edge // all edges between two triangles, as fracture.Interior gives them
	Pages   *fracture.Pages
	Leaves  []bool // per triangle: its body is to be excavated; nil for none
}

// FractureSize compares the brittleness of a region with its mesh.
type FractureSize struct {
	Where     string  // the bodies or the curve, as named in the deck
	Breakable int     // number of edges that can break
	Length    float64 // least characteristic length E G/f^2 of its materials [m]
	Zone      float64 // length of the cohesive zone at the tip of a slow crack [m]
	Edge      float64 // longest edge [m]
	Time      float64 // shortest rho c G/f^2 [s]
}

// Step returns a lower bound of the stable time step with cracks and joints, relative to that of
// the intact model, whatever breaks. edge is the least length of edges [m]. It returns 0 if the
// bound is not known or nothing can break.
func (f *Fracture) Step(edge float64) (least float64) {
	for i := range f.Regions {
		if left := f.Regions[i].Step(edge); i == 0 || left < least {
			least = left
		}
	}
	if f.Joints != nil && !slices.Contains(f.Joints, false) {
		return 0
	}
	return least
}

// Smooth tells whether some region, other than joints, has no friction between its crack faces.
func (f *Fracture) Smooth() bool {
	for i := range f.Regions {
		if law := f.Regions[i].Law; law != nil && law.Smooth() && (f.Joints == nil || !f.Joints[i]) {
			return true
		}
	}
	return false
}
