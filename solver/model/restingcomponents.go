package model

import (
	"slices"
)

// Parts tells whether the edges of a region belong to a joint without strength. The region is -1
// for none.
func (f *Fracture) Parts(region int32) bool {
	return f != nil && region >= 0 && f.Joints != nil && f.Joints[region]
}

// HasJoints tells whether there are joints without strength.
func (f *Fracture) HasJoints() bool { return f != nil && slices.Contains(f.Joints, true) }

// springs returns the smaller stiffness of a joint [Pa/m], 0 for a joint as stiff as the rock.
func (f *Fracture) springs(region int32) float64 {
	s := f.Regions[region].Springs
	switch {
	case s == nil:
		return 0
	case s.Normal == 0 || s.Shear == 0:
		return max(s.Normal, s.Shear)
	}
	return min(s.Normal, s.Shear)
}
