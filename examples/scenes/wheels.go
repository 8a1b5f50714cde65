package scenes

import (
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// WheelRadius is the radius of both wheels [m], and WheelPitch the distance of their
// centres, with a gap of 50 um between them [m].
const (
	WheelRadius = 20e-3
	WheelPitch  = 2*WheelRadius + 50e-6
)

// Wheels appends two discs of 14 rings side by side, "driver" about the origin
// with a physical curve "hub", its fifth ring, and "follower" with a physical
// point "axle", its middle.
func Wheels(src *mesh.Source) {
	const rings, hub = 14, 5
	Disc(src, "driver", r2.Vec{}, WheelRadius, rings)
	first := int32(1 + 3*hub*(hub-1)) // of the nodes of the fifth ring
	var ring []int32
	for i := range int32(6*hub + 1) {
		ring = append(ring, first+i%(6*hub))
	}
	curve(src, "hub", ring)
	axle := int32(len(src.X))
	Disc(src, "follower", r2.Vec{X: WheelPitch}, WheelRadius, rings)
	src.Points = append(src.Points, axle)
	src.Groups = append(src.Groups, mesh.SourceGroup{Name: "axle", Dim: 0, Number: len(src.Groups) + 1, Elements: []int32{0}})
}
