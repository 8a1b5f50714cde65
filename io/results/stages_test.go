package results

import (
	"math"
	"testing"

	"fdem/io/deck"
	"fdem/solver"
	"fdem/solver/statics"
)

// The summary has, for each stage that has begun, the row of the history at its end.
func TestStagesInSummary(t *testing.T) {
	d, err := deck.Parse("model.toml", []byte(`
analysis = { type = "static", plane = "strain", increments = 4 }
material = [{ name = "stone", young = "20 GPa", poisson = 0.25, density = 2600 }]
body = [{ name = "rock", material = "stone" }, { name = "tunnel", material = "stone" }]
initial_stress = [{ stress = ["-5 MPa", "-10 MPa", 0] }]
fix = [{ on = "far" }]
probe = [{ name = "crown", node_near = [0, 2], quantity = "displacement" }]
stage = [{ name = "half", excavate = "tunnel", relaxation = 0.5 }, { name = "all", excavate = "tunnel" }, { name = "rest", lasts = 0.5 }]
`))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Load("../../examples/tunnel/dug.msh")
	if err != nil {
		t.Fatal(err)
	}
	s, w, _ := openedOf(t, m)
	if err := statics.Run(t.Context(), s, solver.Observer{Row: w.Row, Frame: func() error { return nil }, Contact: func() error { return nil }}); err != nil {
		t.Fatal(err)
	}
	sum, err := w.Close("done", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []StageSummary{{Name: "half", Time: 0.25}, {Name: "all", Time: 0.5}, {Name: "rest", Time: 1}}
	relaxed := []float64{0.5, 1, 1}
	if len(sum.Stages) != len(want) {
		t.Fatalf("%d stages, want %d", len(sum.Stages), len(want))
	}
	for i, got := range sum.Stages {
		v := got.Values
		if got.Name != want[i].Name || math.Abs(got.Time-want[i].Time) > 1e-12 || math.Abs(v["tunnel.relaxation"]-relaxed[i]) > 1e-12 || v["time"] != got.Time {
			t.Errorf("stage %+v, want %+v, relaxed by %g", got, want[i], relaxed[i])
		}
		if y := v["crown.y"]; math.Abs(y/-1.535e-3-relaxed[i]) > 2e-3 {
			t.Errorf("at the end of %q the crown has moved by %g m, want %g", got.Name, y, -1.535e-3*relaxed[i])
		}
	}
}
