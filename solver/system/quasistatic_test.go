package system

import (
	"testing"
)

// Kinetic energy is compared with the change of strain energy, for in rock under initial stress
// most of the strain energy exists from the start.
func TestQuasiStaticComparesChanges(t *testing.T) {
	for _, c := range []struct {
		name                   string
		first, strain, kinetic float64
		want                   float64
	}{
		{"a load", 0, 10, 1, 0.1},
		{"rock that is excavated at once", 1e6, 1e6 - 40, 10, 0.25},
		{"rock at rest", 1e6, 1e6, 1e-3, 1e-3},
	} {
		var k QuasiStatic
		k.AddRow(0, &Energies{Strain: c.first})
		k.AddRow(1, &Energies{Strain: c.strain, Kinetic: c.kinetic})
		if got := k.Ratio(); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}
