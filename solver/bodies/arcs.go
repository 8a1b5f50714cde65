package bodies

import (
	"math"

	"fdem/contactnodes"
	models "fdem/solver/model"
)

// Raise extends the search by the height of a contact's arcs over their edges.
func (k *Outlines) Raise(c *models.SurfaceContact, arcs []contactnodes.Arc) {
	highest := 0.0
	for i := range arcs {
		highest = max(highest, math.Abs(arcs[i].Height))
	}
	if highest == 0 {
		return
	}
	for _, side := range [2][]int32{c.Contactor, c.Opposite} {
		for _, i := range side {
			k.Lines.Reach[i] += 2 * highest
		}
	}
}
