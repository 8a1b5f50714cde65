package statics

import (
	"fmt"
	"math"
	"testing"
)

// A body that begins above the floor falls flat onto it, however stiff it is and however wide the
// gap; a small gap gives no warning about the ledger.
func TestGapCloses(t *testing.T) {
	for _, gap := range []float64{1e-9, 1e-6, 1e-4, 1e-3} {
		for _, friction := range []float64{0, 0.3} {
			s := built(t, fmt.Sprintf(`
analysis = { type = "static", thickness = "10 mm", gravity = [0, -10] }
material = [{ name = "steel", young = "210 GPa", poisson = 0.3, density = 7860 }]
body = [{ name = "block", material = "steel" }]
rigid = [{ name = "floor", shape = "line", from = [-1, 0], to = [1, 0] }]
contact = [{ contactor = "block", opposite = "floor", friction = %g }]
`, friction), fmt.Sprintf("[[rectangle]]\nname = \"block\"\nfrom = [0, %g]\nto = [0.02, %g]\nedge = 0.005\n", gap, gap+0.01))
			if err := toEnd(s); err != nil {
				t.Errorf("a gap of %g m: %v", gap, err)
				continue
			}
			const weight = 7860 * 10 * 0.02 * 0.01 * 0.01
			if got := s.ContactForces()[0].Normal; math.Abs(got-weight) > 1e-6*weight {
				t.Errorf("a gap of %g m: the floor carries %g N, want %g N", gap, got, weight)
			}
			if got := s.ContactForces()[0].PeakForce; got > weight*(1+1e-6) {
				t.Errorf("a gap of %g m: the floor has carried up to %g N, the weight is %g N", gap, got, weight)
			}
			small := gap < smallGap*s.Shallowest()
			if left := math.Abs(s.Energies().Residual - s.Ledger.Closed); small != (left < 0.01*s.Ledger.Entered) {
				t.Errorf("a gap of %g m: %g J of %g J are left of the ledger", gap, left, s.Ledger.Entered)
			}
		}
	}
}
