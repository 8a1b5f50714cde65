package solver

import (
	"math"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/solver/system"
)

// outlines are the boundary edges, which may come into contact. They have the depth up to
// which each edge detects contact, the neighbour search for all contacts of edges, and the
// speed at which nodes approach each other.
type outlines struct {
	system.View
	outline  *contactnodes.Outline
	shallow  float64 // least Depth of the outline [m]
	search   *boundingbox.Search
	fastest2 float64 // square of the greatest speed of an outline node [m2/s2]
}

// newOutlines returns the outlines of a mesh. The contacts make the search.
func newOutlines(of system.View) *outlines {
	k := &outlines{View: of, outline: contactnodes.NewOutline(of.Mesh), shallow: math.Inf(1)}
	for _, depth := range k.outline.Depth {
		k.shallow = min(k.shallow, depth)
	}
	return k
}

// approachSpeed bounds the speed at which two nodes of the outline approach each other
// [m/s].
func (k *outlines) approachSpeed() float64 { return 2 * math.Sqrt(k.fastest2) }

// prediction returns the possible approach in the coming step, for the contacts.
func (k *outlines) prediction() contactnodes.Prediction {
	speed := k.approachSpeed() + float64(k.Limit*elementary.Norm(k.Motion.Gravity))
	return contactnodes.Prediction{
		Step: k.Limit, Approach: float64(1.5*k.Limit*speed) + float64(system.PositionRounding*k.shallow),
		Energy: k.Moving, Speed: math.Sqrt(k.fastest2),
	}
}
