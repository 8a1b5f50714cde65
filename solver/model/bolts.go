package model

import "fdem/fem/bolt"

// Bolt is a rock bolt or a cable: a bar that is bonded to the rock at points along a line.
// Stiffness, strength and forces are those of all bolts within the thickness.
type Bolt struct {
	Name      string // unique
	Law       bolt.Law
	Points    []End      // in triangles, from the head on
	Hosts     []int32    // the triangle of each point
	Along     []float64  // distance of each point from the head at the start [m]
	Bonded    []float64  // length of bar that is bonded at each point [m]
	Confined  float64    // strength of the bond per length for each pressure across the bolt [N/m/Pa]
	Crossings []Crossing // of edges between triangles, in their order from the head; nil for a bolt without dowel action
	Each      float64    // number of bolts in the thickness
	Free      float64    // length from the head without bond [m]
	EdgeAlong float64    // size of the triangles along it [m]
	When
}

// Crossing is where a bolt runs from one triangle into the next.
type Crossing struct {
	Faces   [2]End // the same point in both
	Segment int    // the segment between the bolt's points that bridges it
}
