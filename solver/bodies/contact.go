package bodies

import (
	"fdem/contactnodes"
	"fdem/contactnodes/volume"
)

// ContactState is the memory of the contacts of edges.
type ContactState struct {
	PeakForce []float64               // greatest normal force so far, per contact of the model, volumetric ones last [N]
	Surfaces  []*contactnodes.Contact // one per contact of the model
	Volumes   []*volume.Contact       // one per volumetric contact of the model
}

// ContactNodes returns the number of contact nodes of all surfaces.
func (k *ContactState) ContactNodes() int {
	n := 0
	for _, c := range k.Surfaces {
		n += c.ContactNodes()
	}
	return n
}
