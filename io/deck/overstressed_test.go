package deck

import (
	"strings"
	"testing"

	"fdem/fem"
	"fdem/fem/fracture"
	"fdem/io/tables"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// A joint that is sheared and not pressed has no resistance, and neither has one whose pressure is
// only rounding.
func TestShearWithoutPressure(t *testing.T) {
	law, err := frictionLaw(0.6, 20e9, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, pressure := range []float64{0, 1e-10} {
		p := &model.InitialStress{At: fem.Stress{XX: -1e6, YY: -pressure, XY: 5e5}}
		var o overstress
		o.add(&fracture.Edge{From: 0, To: 1, A: 0, B: 1, Strength: 1}, law, true, []r2.Vec{{}, {X: 1}}, []*model.InitialStress{p, p})
		const want = "at (0.5, 0) m the shear stress is 0.5 MPa, and there is no strength against it"
		if got := o.sentence(&fracturing{Reader: &tables.Reader{Block: &jointBlock}, strengthless: true}, "bed", ""); !strings.Contains(got, want) {
			t.Errorf("under %g Pa: %q, want %q in it", pressure, got, want)
		}
	}
}
