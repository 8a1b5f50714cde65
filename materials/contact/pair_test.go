package contact

import (
	"math"
	"testing"
)

// Of like bodies E* is E/(2 (1-nu^2)) and Mindlin's ratio 2 (1-nu)/(2-nu);
// beside a rigid one E* doubles and the ratio stays. Masses meet as by half.
func TestPairs(t *testing.T) {
	steel := Elastic{207e9, 0.3}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"E*", EffectiveModulus(steel, steel), 207e9 / (2 * (1 - 0.09))},
		{"E* beside a rigid body", EffectiveModulus(Elastic{}, steel), 207e9 / (1 - 0.09)},
		{"E* of rigid bodies", EffectiveModulus(Elastic{}, Elastic{}), 0},
		{"ratio", MindlinRatio(steel, steel), 2 * 0.7 / 1.7},
		{"ratio beside a rigid body", MindlinRatio(steel, Elastic{}), 2 * 0.7 / 1.7},
		{"ratio of rigid bodies", MindlinRatio(Elastic{}, Elastic{}), 0},
		{"mass", EffectiveMass(3, 3), 1.5},
		{"mass on one that is held", EffectiveMass(3, 0), 3},
		{"mass of both held", EffectiveMass(0, 0), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-14*c.want {
			t.Errorf("%s is %g, want %g", c.what, c.got, c.want)
		}
	}
}
