package jointnetwork_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
	"fdem/solver/statics"
)

// A block with the 331 joints of running bond under pressure is sheared by its top: its load is
// what its through-going planes carry together, friction times the pressure, and it dissipates this
// load times the slip.
func TestJointNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	m, err := scenes.Load("joint-network.toml")
	if err != nil {
		t.Fatal(err)
	}
	m.HistoryEvery = 0.3e-3
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, g := range s.Mesh.Groups {
		if g.Name == "joints" {
			lines = len(g.Lines)
		}
	}
	if n := s.Fracture.Sizes[0].Breakable; n != lines || lines < 331 {
		t.Errorf("%d edges part by joints, want the %d elements of the curves, and no edge from one curve to another", n, lines)
	}
	const resistance = 0.4 * 1e6 * 2.4
	var heat, at []float64
	var force float64
	row := func() error {
		if s.Time > 37e-3 {
			e := s.Energies()
			heat, at = append(heat, e.FrictionDissipated), append(at, s.Time)
			force = 0
			for _, r := range s.Reactions() {
				if r.Name == "push" {
					force = r.Force.X
				}
			}
			if math.Abs(force-resistance) > 5e-3*resistance {
				t.Errorf("it carries %g N at %g s, want %g", force, s.Time, resistance)
			}
		}
		return nil
	}
	nothing := func() error { return nil }
	if err := statics.Run(context.Background(), s, solver.Observer{Row: row, Frame: nothing, Contact: nothing}); err != nil {
		t.Fatal(err)
	}
	n := len(heat) - 1
	if n < 5 {
		t.Fatalf("%d rows", n)
	}
	displacement := 0.1 * (at[n] - at[0])
	if got := heat[n] - heat[0]; math.Abs(got-resistance*displacement) > 1e-2*resistance*displacement {
		t.Errorf("it dissipates %g J over %g m, want %g", got, displacement, resistance*displacement)
	}
	_, fragments := s.CrackTotals()
	if fragments != 125 {
		t.Errorf("%d blocks, want 125", fragments)
	}
	if r := s.Relative(s.Energies()); r > 1e-4 {
		t.Errorf("the ledger is off by %g", r)
	}
	if says := s.TooFast(); strings.Contains(says, "kinetic") {
		t.Errorf("says %q", says)
	}
	t.Logf("%d steps: carries %g N, want %g; heat %g J of %g J; residual %g", s.N, force, resistance, heat[n]-heat[0], resistance*displacement, s.Relative(s.Energies()))
}
