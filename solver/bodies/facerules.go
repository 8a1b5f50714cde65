package bodies

import (
	"fdem/contactnodes"
)

// MayTransfer returns the Transfer of the contacts of edges. The first call makes it.
func (k *Outlines) MayTransfer() *contactnodes.Transfer {
	if k.Lines.Transfer == nil {
		k.Lines.Transfer = contactnodes.NewTransfer(len(k.Mesh.Bodies))
	}
	return k.Lines.Transfer
}
