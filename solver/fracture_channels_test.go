package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/examples/scenes"

	"gonum.org/v1/gonum/spatial/r2"
)

// Flow between held faces is that of Poiseuille, and divides where three cracks meet.
func TestPoiseuille(t *testing.T) {
	const w, mu, dp, length = 50e-6, 1e-3, 1e6, 0.4
	want := w * w * w * dp / (12 * mu * length)
	s := meshed(t, scenes.HeldOpen("4 ms", "", "seam"), scenes.Board(0.02, 20, 2))
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	f, e := s.FluidStates()[0], s.Energies()
	if math.Abs(f.Rate/want-1) > 1e-6 {
		t.Errorf("%.9g m3/s, want %.9g", f.Rate, want)
	}
	fluidAddsUp(t, s, w*(length-0.01), 1e-12)
	if e.FluidWork > 1e-9*e.FluidPumped || math.Abs((f.Spilled-w*0.01)/f.Injected-1) > 0.05 {
		t.Errorf("work %g J, %g m3 of %g m3 come out", e.FluidWork, f.Spilled, f.Injected)
	}
	// arms of 0.2, 0.2 and 0.04 m from the middle of the seam
	s = meshed(t, scenes.HeldOpen("4 ms", "", "seam", "branch"), scenes.Board(0.02, 20, 2))
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	conductance := func(l float64) float64 { return w * w * w / (12 * mu * l) }
	at := conductance(0.2) / (conductance(0.2) + conductance(0.2) + conductance(0.04)) * dp
	want = conductance(0.2) * (dp - at)
	if f := s.FluidStates()[0]; math.Abs(f.Rate/want-1) > 1e-6 {
		t.Errorf("at a junction %.9g m3/s, want %.9g", f.Rate, want)
	}
	out := 0.0
	for i := range s.Cracks().Cracks() {
		if c := s.Cracks().Crack(i); s.Mesh.X[c.Nodes[0]].Y > 0.01 || s.Mesh.X[c.Nodes[1]].Y > 0.01 {
			out = math.Abs(s.Kinds.Fluids.In(c.Edge).Flow)
		}
	}
	if want := conductance(0.04) * at; math.Abs(out/want-1) > 1e-6 {
		t.Errorf("%.9g m3/s through the branch, want %.9g", out, want)
	}
}

// Between held faces whose distance decreases evenly along the crack, from 50 to 20 um, the flow is
// that of a taper: 2 w1^2 w2^2/(w1 + w2) stands for w^3.
func TestTaper(t *testing.T) {
	const w1, w2, mu, dp, length = 50e-6, 20e-6, 1e-5, 1e6, 0.4
	want := 2 * w1 * w1 * w2 * w2 / (w1 + w2) * dp / (12 * mu * length)
	s := meshed(t, strings.NewReplacer("50 um", "20 um", "1 mPa s", "0.01 mPa s").Replace(scenes.HeldOpen("4 ms", "", "seam")), scenes.Board(0.04, 10, 2))
	if err := s.Step(0, nil); err != nil { // joints open
		t.Fatal(err)
	}
	s.ResidualLimit = math.Inf(1) // nothing moves the faces
	moved := map[int32]bool{}
	for i := range s.Cracks().Cracks() {
		nodes := s.Cracks().Crack(i).Nodes
		across := r2.Sub(s.X[nodes[1]], s.X[nodes[0]])
		for _, n := range nodes[2:] {
			if !moved[n] {
				moved[n] = true
				s.X[n] = r2.Add(s.X[n], r2.Scale((w1-w2)*(1-s.X[n].X/length)/r2.Norm(across), r2.Vec{X: across.Y, Y: -across.X}))
			}
		}
	}
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	if f := s.FluidStates()[0]; math.Abs(f.Rate/want-1) > 1e-6 {
		t.Errorf("%.9g m3/s, want %.9g", f.Rate, want)
	}
}

// A drain in the middle of a crack takes the fluid that reaches it, as an end of the crack at the
// open air does.
func TestDrain(t *testing.T) {
	const w, mu, dp = 50e-6, 1e-3, 1e6
	s := meshed(t, strings.Replace(scenes.HeldOpen("2 ms", "", "seam"), "at_start", "drain = [\"branch\"]\nat_start", 1), scenes.Board(0.02, 20, 2))
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	want := w * w * w * dp / (12 * mu * 0.2)
	if f := s.FluidStates()[0]; math.Abs(f.Rate/want-1) > 1e-6 || !(f.Spilled > 0) {
		t.Errorf("%g m3/s to the drain, want %g; %g m3 are out", f.Rate, want, f.Spilled)
	}
	fluidAddsUp(t, s, w*(0.4-0.01), 1e-12)
}

// A joint that is full at the stress that shuts it, and the well with it, stays at that
// pressure, whether the liquid has one pressure or flows.
func TestJointFullAtPressure(t *testing.T) {
	for _, viscosity := range []string{"viscosity = \"1 mPa s\"", ""} {
		s := meshed(t, rock("0.5 ms", 3e6, "")+`
[[fluid]]
name = "water"
well = "mouth"
rate = 0
volume = "1e-6 m3"
residual = "50 um"
at_start = "3 MPa"
`+viscosity, scenes.HalfPlane(0.02, 0.2, 0.3, 1))
		if err := ran(s); err != nil {
			t.Fatal(err)
		}
		f, e := s.FluidStates()[0], s.Energies()
		began := (1e-6 + 50e-6*0.19) * (1 + 3e6/2.2e9) // half an edge at the tip has not opened
		if math.Abs(f.Pressure/3e6-1) > 1e-6 || math.Abs(f.Held/began-1) > 1e-12 || e.Kinetic > 1e-9*e.FluidStored {
			t.Errorf("%q: %g m3 at %.9g Pa, want %g; kinetic energy %g J", viscosity, f.Held, f.Pressure, began, e.Kinetic)
		}
	}
}

// Local damping changes the motion of walls under a pressure. A prediction without it would
// overshoot in every step in a joint full of fluid, and the energy would grow without limit.
func TestJointFullUnderLocalDamping(t *testing.T) {
	s := meshed(t, `[analysis]
duration = "1 ms"
plane = "strain"
damping = { local = 0.5 }
`+scenes.RockBody+scenes.HeldHalf(-6e6, -10e6)+`normal_stiffness = "1000 GPa/m"
[[fluid]]
name = "water"
well = "mouth"
rate = "2e-4 m3/s"
volume = "1e-5 m3"
residual = "10 um"
viscosity = "0.1 mPa s"
at_start = "3 MPa"
`, scenes.HalfPlane(0.04, 0.8, 0.8, 1.2))
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	if e := s.Energies(); math.Abs(e.Residual) > 0.05*e.ExternalWork {
		t.Errorf("residual %g J of %g J pumped in, in steps %g J", e.Residual, e.ExternalWork, e.FluidSteps)
	}
}

// Flow that is no longer laminar is reported once, with its Reynolds number: that of the flow
// through a metre over the kinematic viscosity.
func TestTurbulentFlowIsNoted(t *testing.T) {
	for _, of := range []struct {
		viscosity float64 // [Pa s]
		notes     int
	}{{1e-3, 0}, {1e-5, 1}} {
		s := meshed(t, strings.Replace(scenes.HeldOpen("1 ms", "", "seam"), "1 mPa s", fmt.Sprint(1e3*of.viscosity, " mPa s"), 1), scenes.Board(0.02, 20, 2))
		notes := 0
		s.Note = func(format string, args ...any) {
			if strings.Contains(fmt.Sprintf(format, args...), "Reynolds") {
				notes++
			}
		}
		noError(t, ran(s))
		f := s.FluidStates()[0]
		if re := 1000 * f.Rate / of.viscosity; notes != of.notes || math.Abs(f.Reynolds/re-1) > 1e-3 {
			t.Errorf("viscosity %g Pa s: %d notes, a Reynolds number of %g, want %d and %g", of.viscosity, notes, f.Reynolds, of.notes, re)
		}
	}
}
