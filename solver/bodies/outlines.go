package bodies

import (
	"math"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/solver/system"
)

// Outlines are the boundary edges, which may come into contact. They have the depth up to
// which each edge detects contact, the neighbour search for all contacts of edges, and the
// speed at which nodes approach each other.
type Outlines struct {
	system.View
	Lines    *contactnodes.Outline
	Shallow  float64 // least Depth of the outline [m]
	Search   *boundingbox.Search
	Fastest2 float64 // square of the greatest speed of an outline node [m2/s2]
}

// NewOutlines returns the outlines of a mesh. The contacts make the search.
func NewOutlines(of system.View) *Outlines {
	k := &Outlines{View: of, Lines: contactnodes.NewOutline(of.Mesh), Shallow: math.Inf(1)}
	for _, depth := range k.Lines.Depth {
		k.Shallow = min(k.Shallow, depth)
	}
	return k
}

// ApproachSpeed bounds the speed at which two nodes of the outline approach each other
// [m/s].
func (k *Outlines) ApproachSpeed() float64 { return 2 * math.Sqrt(k.Fastest2) }

// Prediction returns the possible approach in the coming step, for the contacts.
func (k *Outlines) Prediction() contactnodes.Prediction {
	speed := k.ApproachSpeed() + float64(k.Limit*elementary.Norm(k.Motion.Gravity))
	return contactnodes.Prediction{
		Step: k.Limit, Approach: float64(1.5*k.Limit*speed) + float64(system.PositionRounding*k.Shallow),
		Energy: k.Moving, Speed: math.Sqrt(k.Fastest2),
	}
}
