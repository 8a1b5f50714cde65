package blasted_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
	"fdem/solver/system"
)

// blasted runs the hole for a while, with gas in cracks that open by more than entry [m].
func blasted(t *testing.T, entry float64) (*solver.Solver, system.Energies) {
	t.Helper()
	m, err := scenes.Load("blasted-hole.toml")
	if err != nil {
		t.Fatal(err)
	}
	m.Duration = 0.3e-3
	if entry > 0 {
		m.Fluids[0].Entry = entry
	}
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	return s, s.Energies()
}

// Gas that enters the cracks breaks the rock much farther than its pressure on the wall alone. It
// expands as an isentropic gas does, and the ledger holds the energy that it gives.
func TestBlastedHole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const pressure, gamma = 15e6, 1.3
	s, e := blasted(t, 0)
	alone, _ := blasted(t, 1)
	gas, _ := s.CrackTotals()
	wall, _ := alone.CrackTotals()
	f := s.FluidStates()[0]
	// p V^gamma is what it was, and the energy p V/(gamma - 1)
	const radius, sides = 0.1, 26
	stored := pressure / (gamma - 1) * 0.5 * sides * radius * radius * math.Sin(2*math.Pi/sides)
	law := pressure * math.Pow(e.FluidStored/stored, gamma/(gamma-1))
	t.Logf("%.2f m broken with gas in the cracks, %.2f m without; %.4f of the pressure of the gas law; residual %.1e of the work", gas.Broken, wall.Broken, f.Pressure/law, e.Residual/e.FluidWork)
	if gas.Broken < 5*wall.Broken || gas.Broken < 1 {
		t.Errorf("%g m are broken with gas in the cracks, %g m without", gas.Broken, wall.Broken)
	}
	if math.Abs(f.Pressure/law-1) > 2e-3 {
		t.Errorf("the gas is at %g Pa, its law says %g Pa", f.Pressure, law)
	}
	if d := stored - e.FluidStored - e.FluidWork - e.FluidSteps; math.Abs(d) > 1e-6*e.FluidWork {
		t.Errorf("%g J of the %g J that the gas has given are nowhere", d, stored-e.FluidStored)
	}
	if math.Abs(e.Residual) > 5e-3*e.FluidWork {
		t.Errorf("residual %g J of %g J", e.Residual, e.FluidWork)
	}
}
