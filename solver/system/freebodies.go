package system

import (
	"slices"

	"fdem/materials/elementary"
)

// CollectContact fills r with the generalised contact forces, with no other forces, on the nodes of
// outlines. It returns the sum of the magnitudes of the contact forces [N].
func (f *Freedoms) CollectContact(outline []int32, r []float64) (sum float64) {
	clear(r)
	for _, n := range slices.Sorted(slices.Values(outline)) {
		g := f.View.Contact.At(n).F
		f.addForce(r, n, g)
		sum += elementary.Norm(g)
	}
	return 0.5 * sum
}
