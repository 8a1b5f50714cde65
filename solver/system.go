package solver

import (
	"fdem/boundingbox"
	"fdem/solver/system"
)

// breaking has the systems of bodies that break or are excavated, and the contact of the surfaces
// that this exposes.
type breaking struct {
	shared *workers
	system.View
	cracks      *cracks
	crackFaces  *crackFaces
	excavations *excavations
}

// Interfaces of some systems only. Each is used in one place.
type (

	// adapting systems follow bodies that separate. They are told of triangles around a vertex that
	// has opened and of a body that was excavated. They return the energy that they would store in
	// an open edge if it were closed [J].
	adapting interface {
		Adapt(triangles []int32)
		Excavate(body int32)
		Closed(edge int32) float64
		Velocities(box boundingbox.Box) boundingbox.Box // with the velocities of these systems at the start [m/s]
	}
)
