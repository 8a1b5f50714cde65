package diffusion_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"testing"

	"fdem/examples/cases"
	"fdem/examples/scenes"
	"fdem/mesh"
	"fdem/solver"
)

var whole = flag.Bool("whole", false, "TestFractureRuledByLeakOff has half the edge as well")

// onSource is a mesh as it is.
type onSource struct{ of *mesh.Source }

func (s onSource) source() *mesh.Source { return s.of }

// A fracture that leak-off rules grows as the square root of time: what is pumped, Q, goes through the faces
// of a half length a, by Carter's coefficient C = k p/(mu sqrt(pi c)), a = Q sqrt(t)/(2 pi C). Nine tenths of
// it leak here; p is the pressure at the mouth. With half the edge, and so half the step, the length is nearer.
func TestFractureRuledByLeakOff(t *testing.T) {
	cases.WithAll(t)
	coarse := ruled(t, 5e-3)
	if cases.LeftOut(t, 1, 2, *whole) {
		return
	}
	fine := ruled(t, 2.5e-3)
	t.Logf("greatest error of the half length %.3g %%, with half the edge %.3g %%", 100*coarse, 100*fine)
	if !(fine < 0.8*coarse) {
		t.Errorf("greatest error of the half length %.3g %%, with half the edge %.3g %%", 100*coarse, 100*fine)
	}
}

// ruled checks such a fracture with edges h, and returns the greatest error of its half length.
func ruled(t *testing.T, h float64) (worst float64) {
	t.Helper()
	const storage, unit, pumped = 1e-9, 5.8e-11, 5e-3 // [1/Pa], C per pressure [m/(Pa s^0.5)], Q into both wings [m2/s]
	s := built(t, onSource{scenes.HalfPlane(h, 0.02, 0.3, 3)}, fmt.Sprintf(`[analysis]
duration = "6 ms"
plane = "strain"
[pores]
[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.25
density = "2600 kg/m3"
permeability = %g
storage = %g
biot = 0.19
[[body]]
name = "rock"
material = "rock"
%s
[[fracture]]
on = "seam"
tensile_strength = "1 MPa"
cohesion = "50 MPa"
friction = 0.6
energy_tension = 1
energy_shear = 1
[[fluid]]
name = "water"
well = "mouth"
rate = "2.5e-3 m3/s"
volume = "1e-6 m3"
viscosity = "0.02 mPa s"
leak_off = { pores = true }
`, unit*unit*math.Pi/storage*1e-3, storage, scenes.HeldHalf(-10e6, -10e6)))
	s.HistoryEvery = 1e-3
	nothing := func() error { return nil }
	var first, last [2]float64
	row := func() error {
		if s.Time < 2e-3 {
			return nil
		}
		long := column(s, "water.length")
		last = [2]float64{s.Time, long}
		if first[0] == 0 {
			first = last
		}
		if want := pumped * math.Sqrt(s.Time) / (2 * math.Pi * unit * column(s, "water.pressure")); s.Time > 2.9e-3 {
			within(t, fmt.Sprintf("half length after %.3g ms", 1e3*s.Time), long, want, 0.12*want)
			worst = max(worst, math.Abs(long/want-1))
		}
		return nil
	}
	if err := s.Run(context.Background(), solver.Observer{Row: row, Frame: nothing, Contact: nothing}); err != nil {
		t.Fatal(err)
	}
	within(t, "power of time", math.Log(last[1]/first[1])/math.Log(last[0]/first[0]), 0.5, 0.08)
	leaked := column(s, "water.leaked")
	within(t, "of what is pumped leaks", leaked/column(s, "water.injected"), 0.9, 0.03)
	within(t, "what leaks is in the pores", column(s, "pore_mass_in"), 1000*leaked, 1e-12*1000*leaked)
	within(t, "mass residual", column(s, "pore_mass_residual"), 0, 1e-12*1000*leaked)
	e := s.Energies()
	within(t, "energy residual, of the work of the pump", e.Residual/e.FluidPumped, 0, 1e-4)
	return worst
}
