package solver_test

import (
	"math"
	"slices"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// fluidAddsUp checks the balance of the fluids, and compares the residual of the run with a share
// of the pumped energy. start is the volume of fluid at the start [m3].
func fluidAddsUp(t *testing.T, s *solver.Solver, began, share float64) {
	t.Helper()
	e := s.Energies()
	if off := e.FluidPumped - e.FluidStored - e.FluidWork - e.FluidViscous - e.FluidSteps - e.FluidEscaped; math.Abs(off) > 1e-12*e.FluidPumped {
		t.Errorf("the balance of the fluid is off by %g J of %g J", off, e.FluidPumped)
	}
	for _, f := range s.FluidStates() {
		if off := f.Held + f.Spilled + f.Leaked - f.Injected - began; math.Abs(off) > 1e-12*(began+f.Injected) {
			t.Errorf("%q: %g m3 of %g m3 is missing", f.Name, -off, began+f.Injected)
		}
	}
	if math.Abs(e.Residual) > share*e.FluidPumped {
		t.Errorf("residual %g J of %g J", e.Residual, e.FluidPumped)
	}
}

// Fluids of little and of much viscosity are pumped into a hole in a coarse mesh that breaks along
// any edge, to many times the stress on it: no cell has a negative volume, the balances of volume
// and energy close, and any number of workers gives the same bits.
func TestViscousFluidInFreeMesh(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		viscosity, rate string
		workers         []int
	}{{"1 mPa s", "0.1 m3/s", []int{1}}, {"0.1 Pa s", "0.02 m3/s", []int{1, 2, 3, 8}}} {
		var first []r2.Vec
		for _, workers := range of.workers {
			s := meshed(t, coarse(of.viscosity, of.rate), scenes.Hole(0.05, 1, 12, 12, 0.5))
			s.SetWorkers(workers)
			if err := ran(s); err != nil {
				t.Fatal(err)
			}
			f, e := s.FluidStates()[0], s.Energies()
			t.Logf("%s: %d cracks, %g m with fluid, %g Pa; %+v", of.viscosity, s.Cracks().Cracks(), f.Length, f.Pressure, e)
			if s.Cracks().Cracks() < 10 || f.Length < 0.02 || f.Pressure < 8e6 {
				t.Errorf("%d cracks with %g m of fluid at %g Pa", s.Cracks().Cracks(), f.Length, f.Pressure)
			}
			for _, p := range s.Parts() {
				if p.Name == "fluid.0.amounts" && slices.Min(*p.Values.(*[]float64)) < -1e-12*f.Injected {
					t.Errorf("a cell holds %g m3", slices.Min(*p.Values.(*[]float64)))
				}
			}
			if math.Abs(e.FluidSteps) > 0.05*e.FluidPumped {
				t.Errorf("steps lose %g J of %g J", e.FluidSteps, e.FluidPumped)
			}
			fluidAddsUp(t, s, 6*0.05*0.05*math.Sin(math.Pi/6), 2e-3)
			if first == nil {
				first = slices.Clone(s.X)
			} else if !slices.Equal(first, s.X) {
				t.Errorf("%d workers move other bits", workers)
			}
		}
	}
}

// coarse is a deck of stressed rock round a hole into which a fluid is pumped.
func coarse(viscosity, rate string) string {
	return `
[analysis]
duration = "8 ms"
plane = "strain"
` + scenes.RockBody + `[[initial_stress]]
stress = ["-8 MPa", "-4 MPa", 0]
[[fix]]
on = "far"
[[fracture]]
in = ["rock"]
tensile_strength = "2.5 MPa"
cohesion = "10 MPa"
friction = 0.6
energy_tension = "100 J/m2"
energy_shear = "400 J/m2"
[[fluid]]
name = "gel"
well = "hole"
rate = "` + rate + `"
schedule = [[0, 0], ["1 ms", 1]]
viscosity = "` + viscosity + `"
`
}
