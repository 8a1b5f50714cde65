package fracture_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
)

// Half way through, length and pressure of the fracture are those of theory for growth governed by
// toughness, and the energy balance closes.
func TestHydraulicFracture(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	m, err := scenes.Load("hydraulic-fracture.toml")
	if err != nil {
		t.Fatal(err)
	}
	m.Duration = 6e-3
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	const rate, ep, tough, stress, energy, cut = 1e-3, 32e9, 1e6, 10e6, 31.25, 0.03
	length := math.Pow(ep*rate*m.Duration/(2*math.Sqrt(math.Pi)*tough), 2./3)
	pressure := tough / math.Sqrt(math.Pi*length)
	e, f := s.Energies(), s.FluidStates()[0]
	a, p := cut+e.FractureDissipated/energy, f.Pressure-stress
	t.Logf("half length %.4f of theory, pressure %.4f, residual %.1e of the pump's work", a/length, p/pressure, e.Residual/e.ExternalWork)
	if math.Abs(a/length-1) > 0.05 || math.Abs(p/pressure-1) > 0.05 {
		t.Errorf("half length %g m and pressure %g Pa, want %g and %g", a, p, length, pressure)
	}
	if math.Abs(e.Residual) > 2e-5*e.ExternalWork {
		t.Errorf("residual %g J of %g J", e.Residual, e.ExternalWork)
	}
}
