package solver_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
	"fdem/solver/flow"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// rock is a deck of half a plane under a stress on all sides [Pa].
func rock(duration string, stress float64, more string) string {
	return fmt.Sprintf("[analysis]\nduration = %q\nplane = \"strain\"\n%s\n", duration, more) + scenes.RockBody + scenes.HeldHalf(-stress, -stress)
}

// brittleRock lets the rock break along any edge.
const brittleRock = `[[fracture]]
in = ["rock"]
tensile_strength = "5 MPa"
cohesion = "15 MPa"
friction = 0.5
energy_tension = "20 J/m2"
energy_shear = "80 J/m2"
`

// seamOf is a seam of toughness 1 MPa sqrt m that breaks.
const seamOf = `
[[fracture]]
on = "seam"
tensile_strength = "5 MPa"
cohesion = "50 MPa"
friction = 0.6
energy_tension = "31.25 J/m2"
energy_shear = "31.25 J/m2"
`

// ran runs a solver to its end.
func ran(s *solver.Solver) error {
	do := func() error { return nil }
	return s.Run(context.Background(), solver.Observer{Row: do, Frame: do, Contact: do})
}

// A fracture driven by a fluid without viscosity (toughness, Khristianovic, Geertsma and de Klerk)
// has the length and pressure of theory, whatever stress closes it, and the balances of energy and
// volume close.
func TestToughnessFracture(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const rate, ep, tough, notch, time = 1e-3, 32e9, 1e6, 0.03, 8e-3 // of both wings
	length := math.Pow(ep*rate*time/(2*math.Sqrt(math.Pi)*tough), 2./3)
	pressure := tough / math.Sqrt(math.Pi*length)
	var lengths []float64
	for _, stress := range []float64{0, 20e6} {
		s := meshed(t, rock("8 ms", stress, "")+seamOf+`
[[fluid]]
name = "water"
well = "mouth"
rate = "5e-4 m3/s"
volume = "1e-6 m3"
`, scenes.HalfPlane(5e-3, notch, 0.25, 2))
		pumped := 0.0
		if err := ran(s); err != nil {
			t.Fatal(err)
		}
		e, f := s.Energies(), s.FluidStates()[0]
		pumped = e.ExternalWork
		a := notch + e.FractureDissipated/31.25
		lengths = append(lengths, a)
		t.Logf("stress %g MPa: length %.4f of theory, net pressure %.4f; %+v; %+v", stress/1e6, a/length, (f.Pressure-stress)/pressure, f, e)
		if math.Abs(a/length-1) > 0.04 || math.Abs((f.Pressure-stress)/pressure-1) > 0.07 {
			t.Errorf("stress %g Pa: %g m and %g Pa over it, want %g and %g", stress, a, f.Pressure-stress, length, pressure)
		}
		if math.Abs(e.Residual) > 2e-4*pumped { // most of it while the cohesion is balanced
			t.Errorf("residual %g J of %g J", e.Residual, pumped)
		}
		fluidAddsUp(t, s, 1e-6, 2e-4)
		if e.FluidDissipated < 0 || e.FluidDissipated > 1e-3*pumped {
			t.Errorf("steps lose %g J of %g J", e.FluidDissipated, pumped)
		}
		if in := 1e-6 + f.Injected; math.Abs(f.InCracks+1e-6-in/(1+f.Pressure/2.2e9)) > 1e-4*in {
			t.Errorf("%g m3 in cracks, pumped in %g m3", f.InCracks, f.Injected)
		}
	}
	if slices.Max(lengths)/slices.Min(lengths) > 1.02 {
		t.Errorf("lengths %v depend on the stress", lengths)
	}
}

// A fluid with an entry opening enters only where the faces are that far apart, also at a tip. The
// crack ahead stays dry.
func TestFluidWaitsForEntry(t *testing.T) {
	const entry = 4e-6
	s := meshed(t, "[analysis]\nduration = \"0.3 ms\"\nplane = \"strain\"\n"+scenes.RockBody+brittleRock+`[[fluid]]
name = "gas"
well = "hole"
gas = { pressure = "20 MPa", gamma = 1.3 }
entry = "4 um"
`, scenes.Hole(0.05, 0.4, 24, 12, 0.5))
	had, came := map[[2]int32]bool{}, 0
	for s.Time < s.Duration {
		noError(t, s.Step(0, nil))
		for i := range s.Cracks().Cracks() {
			edge := s.Cracks().Crack(i).Edge
			ch, _ := s.Cracks().Channel(edge, s.X)
			for end, p := range s.Cracks().Pressure(edge) {
				at := [2]int32{edge, int32(end)}
				if p > 0 && !had[at] {
					if had[at], came = true, came+1; ch.Opening[end] < 0.9*entry {
						t.Fatalf("t = %g s: the gas is in an end that is open by %g m", s.Time, ch.Opening[end])
					}
				}
			}
		}
	}
	if came < 10 || came >= 2*s.Cracks().Cracks() {
		t.Errorf("gas has come into %d ends of %d edges", came, s.Cracks().Cracks())
	}
}

// Gas in a hole breaks a ring into the water that holds it from outside: two wells, whose fluids do
// not mix. The work of the gas is in its balance, the energy that the water takes is work, and any
// number of workers gives the same bits.
func TestTwoWells(t *testing.T) {
	const gas, gamma, water = 20e6, 1.3, 3e6
	var first []r2.Vec
	for _, workers := range []int{1, 3} {
		s := meshed(t, fmt.Sprintf(`
[analysis]
duration = "0.3 ms"
safety = 0.4
plane = "strain"
`+scenes.RockBody+brittleRock+`[[fluid]]
name = "gas"
well = "hole"
gas = { pressure = %g, gamma = %g }
[[fluid]]
name = "water"
well = "far"
pressure = %g
`, gas, gamma, water), scenes.Hole(0.05, 0.3, 24, 8, 0.5))
		s.SetWorkers(workers)
		began := s.Energies().FluidStored
		if err := ran(s); err != nil {
			t.Fatal(err)
		}
		e, f := s.Energies(), s.FluidStates()
		t.Logf("gas in %.2f m of cracks at %.4g MPa, water in %.2f m; residual %.1e J", f[0].Length, 1e-6*f[0].Pressure, f[1].Length, e.Residual)
		if off := began + e.FluidPumped - e.FluidStored - e.FluidWork - e.FluidSteps - e.FluidEscaped; math.Abs(off) > 1e-12*began {
			t.Errorf("%g J of %g J are nowhere", off, began)
		}
		if given := began - e.FluidStored; math.Abs(e.Residual) > 1e-4*given || given < 0.01*began {
			t.Errorf("residual %g J of %g J that the gas has given", e.Residual, given)
		}
		if law := gas * math.Pow(e.FluidStored/began, gamma/(gamma-1)); math.Abs(f[0].Pressure/law-1) > 5e-3 || f[1].Pressure != water {
			t.Errorf("gas at %g Pa, its law says %g Pa; water at %g Pa", f[0].Pressure, law, f[1].Pressure)
		}
		if f[0].Length < 1 || f[1].Length < 1 {
			t.Errorf("gas is in %g m of cracks, water in %g m", f[0].Length, f[1].Length)
		}
		if first == nil {
			first = slices.Clone(s.X)
		} else if !slices.Equal(first, s.X) {
			t.Error("another number of workers moves other bits")
		}
	}
}

// Gas that is released at once in a hole strikes its wall: step_energy tells what leapfrog holds
// between its steps then, dt^2/8 F^2/m of each node, much as the force begins and less later. Apart
// from that the energy balance closes, and so does that of the gas.
func TestGasReleasedAtOnce(t *testing.T) {
	s := meshed(t, "[analysis]\nduration = \"0.1 ms\"\nplane = \"strain\"\n"+scenes.RockBody+`[[fluid]]
name = "gas"
well = "hole"
gas = { pressure = "10 MPa", gamma = 1.3 }
`, scenes.Hole(0.05, 0.6, 24, 16, 0.3))
	began, first, most := s.Energies().FluidStored, 0.0, 0.0
	for s.Time < s.Duration {
		if err := s.Step(0, func(dt float64) (bool, error) {
			if s.N == 0 {
				s.Last = dt
				first = leapfrogs(s)
				s.Last = 0
				return true, nil
			}
			e, of := s.Energies(), leapfrogs(s)-first
			most = max(most, math.Abs(e.StepEnergy))
			if math.Abs(e.Residual) > 2e-3*first || math.Abs(e.StepEnergy-of) > 1e-9*first {
				t.Errorf("step %d: the residual is %g J, between steps %g J, leapfrog's %g J", s.N, e.Residual, e.StepEnergy, of)
			}
			return true, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if given := began - s.Energies().FluidStored; given < 50 || most < 1e-3*given {
		t.Errorf("%g J given, between steps %g J", given, most)
	}
}

// leapfrogs returns dt^2/8 F^2/m of each node [J].
func leapfrogs(s *solver.Solver) (over float64) {
	for i := range s.Mass {
		f, w := s.Force(nodes.Node(i)), s.Inverse(int32(i))
		over += 0.125 * s.Last * s.Last * (w.X*f.X*f.X + w.Y*f.Y*f.Y)
	}
	return over
}

// Steps that get shorter at random, as contact elsewhere causes, change the flow by less than a
// thousandth. They fall to 0.4 to 0.9 of their length now and then, and grow again. With longer
// edges the crack grows by long edges, and a body without damping vibrates so much that any other
// step, even a shorter constant one, changes the pressure at a given time by some thousandths.
// There the means over the later half are the same within a thousandth.
func TestFluidWithFallingSteps(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const pumped, slowly, flows, gas = "rate = \"5e-4 m3/s\"\nvolume = \"1e-6 m3\"\n", "damping = { local = 0.05 }", "viscosity = \"1 mPa s\"\n", "gas = { pressure = \"60 MPa\", gamma = 1.3 }\nvolume = \"1e-5 m3\"\n"
	for i, of := range []struct {
		edge, notch   float64 // [m]
		keys, damping string
	}{
		{5e-3, 0.03, pumped, ""}, {5e-3, 0.03, pumped + flows, ""},
		{0.01, 0.06, pumped, slowly}, {0.02, 0.06, pumped, slowly},
		{0.02, 0.06, "rate = \"2e-3 m3/s\"\nvolume = \"1e-6 m3\"\n" + flows, slowly}, {0.02, 0.06, gas, slowly},
		{0.01, 0.06, pumped, ""}, {0.01, 0.06, pumped + flows, ""},
	} {
		if of.edge < 0.02 && solver.LeftOut(t, 2*i+1, 2) { // fine ones
			continue
		}
		rings := of.edge > 5e-3 && of.damping == ""
		run := func(falls bool) (e system.Energies, f flow.FluidState, steps int) {
			s := meshed(t, rock("4 ms", 10e6, of.damping)+seamOf+"[[fluid]]\nname = \"water\"\nwell = \"mouth\"\n"+of.keys, scenes.HalfPlane(of.edge, of.notch, of.notch+0.22, 2))
			draw := rand.New(rand.NewPCG(1, 2))
			for s.Time < s.Duration {
				if falls && draw.IntN(150) == 0 {
					s.Limit *= 0.4 + 0.5*draw.Float64()
					s.Planned = 0
				}
				if err := s.Step(0, nil); err != nil {
					t.Fatal(err)
				}
				if rings && s.Time > 0.5*s.Duration {
					share, now := s.Last/(0.5*s.Duration), s.FluidStates()[0]
					f.Pressure += share * now.Pressure
					f.InCracks += share * now.InCracks
					e.FluidWork += share * s.Energies().FluidWork
					e.FractureDissipated += share * s.Energies().FractureDissipated
				}
			}
			if rings {
				return e, f, int(s.N)
			}
			return s.Energies(), s.FluidStates()[0], int(s.N)
		}
		e, f, steps := run(false)
		falling, now, more := run(true)
		t.Logf("edges of %g m, %q: %d steps, falling %d; the falls change fracture energy by %.1e, pressure by %.1e, work by %.1e", of.edge, of.keys, steps, more,
			falling.FractureDissipated/e.FractureDissipated-1, now.Pressure/f.Pressure-1, falling.FluidWork/e.FluidWork-1)
		if more < steps*11/10 {
			t.Errorf("%d steps where none falls, %d where they do: too few fall", steps, more)
		}
		all := [][2]float64{{now.Pressure, f.Pressure}, {falling.FluidWork, e.FluidWork}, {now.InCracks, f.InCracks}, {falling.FractureDissipated, e.FractureDissipated}}
		if rings {
			all = all[:3]
		}
		for _, v := range all {
			if !(math.Abs(v[0]/v[1]-1) <= 1e-3) {
				t.Errorf("edges of %g m, %q: steps that fall make %g of %g", of.edge, of.keys, v[0], v[1])
			}
		}
	}
}

// A fluid that a crack has brought to the open air flows out through the opening there, a liquid by
// Bernoulli, a gas at its speed of sound. So the pressure falls to the stress that shuts the crack,
// and with it, and no energy is lost: if the pressure fell in one step the crack would shut with an
// impact.
func TestFluidFlowsOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const stress, density = 10e6, 1000.0
	for _, of := range []struct {
		keys string
		psi  float64 // of mass per area and time, over the root of density and pressure
		room float64 // of the well [m3]
	}{
		{"rate = \"2e-3 m3/s\"\nvolume = \"1e-6 m3\"\nschedule = [[0, 1], [\"1.6 ms\", 1], [\"1.6 ms\", 0]]\n", math.Sqrt2, 1e-6},
		{"gas = { pressure = \"20 MPa\", gamma = 1.4 }\nvolume = \"10e-6 m3\"\ndensity = 1000\n", 0.6847, 10e-6},
	} {
		s := meshed(t, fmt.Sprintf(`
[analysis]
duration = "3 ms"
plane = "strain"
%s[[initial_stress]]
stress = [%[2]g, %[2]g, 0]
[[load]]
on = "far"
pressure = %[3]g
[[fix]]
on = "axis"
components = ["x"]
[[joint]]
on = "notch"
friction = 0.6
%s[[fluid]]
name = "water"
well = "mouth"
%s`, scenes.RockBody, -stress, stress, seamOf, of.keys), scenes.HalfPlane(0.01, 0.03, 0.15, 0.15))
		out, given := 0.0, 0.0
		began := s.Energies().FluidStored
		for s.Time < s.Duration {
			if err := s.Step(0, nil); err != nil {
				t.Fatal(err)
			}
			f, e := s.FluidStates()[0], s.Energies()
			if given = max(given, began+e.FluidPumped-e.FluidStored); f.Spilled > 0 {
				specific := (of.room + f.InCracks) / f.Held
				out += s.Last * of.psi * outlet(s) * math.Sqrt(f.Pressure/(density*specific))
			}
		}
		f, e := s.FluidStates()[0], s.Energies()
		t.Logf("%.3g m3 of %.3g are out, %.3g by theory; at %.4g MPa; residual %.1e of what the fluid has given", f.Spilled, f.Spilled+f.Held, out, 1e-6*f.Pressure, e.Residual/given)
		if f.Spilled < 1e-7 || math.Abs(out/f.Spilled-1) > 0.02 {
			t.Errorf("%g m3 have flown out, by theory %g m3", f.Spilled, out)
		}
		if f.Pressure < 0.95*stress || f.Pressure > 1.2*stress {
			t.Errorf("%g Pa in a crack under %g Pa that shuts", f.Pressure, float64(stress))
		}
		if math.Abs(e.Residual) > 3e-3*given || e.FluidEscaped < 0 {
			t.Errorf("residual %g J of %g J", e.Residual, given)
		}
		if off := began + e.FluidPumped - e.FluidStored - e.FluidWork - e.FluidSteps - e.FluidEscaped; math.Abs(off) > 1e-12*given {
			t.Errorf("%g J of %g J are nowhere", off, given)
		}
	}
}

// If a joint without an aperture of its own shuts again, its faces overlap by the penetration of
// contact. This is no volume of fluid: the fluid there has the volume zero, never less, and the
// pump gets out what it has put in.
func TestJointShutsAgain(t *testing.T) {
	const stress, area = 10e6, 0.19 // half an edge at the tip has not parted
	for _, of := range []string{
		"pressure = \"14 MPa\"\nschedule = [[0, 0], [\"0.5 ms\", 1], [\"1 ms\", 0.3], [\"1.4 ms\", 1], [\"2 ms\", 0.3]]\n",
		"rate = \"4e-2 m3/s\"\nvolume = \"1e-4 m3\"\nschedule = [[0, 0], [\"0.2 ms\", 1], [\"0.5 ms\", 1], [\"0.7 ms\", -1], [\"1.094 ms\", -1], [\"1.094 ms\", 0]]\n",
	} {
		s := meshed(t, rock("2 ms", stress, "damping = { local = 0.3 }")+"[[fluid]]\nname = \"water\"\nwell = \"mouth\"\n"+of, scenes.HalfPlane(0.02, 0.2, 0.3, 1))
		least, most := math.Inf(1), 0.0
		for s.Time < s.Duration {
			if err := s.Step(0, nil); err != nil {
				t.Fatal(err)
			}
			in := s.FluidStates()[0].InCracks
			least, most = min(least, in), max(most, in)
		}
		f, e := s.FluidStates()[0], s.Energies()
		t.Logf("%g to %g m3 in the joint, now %g at %.4g MPa, pumped in %g; %+v", least, most, f.InCracks, 1e-6*f.Pressure, f.Injected, e)
		if least < 0 || most < 1e-5*area || f.InCracks > 1e-3*most {
			t.Errorf("%q: from %g to %g m3 in a joint that shuts again, now %g", of, least, most, f.InCracks)
		}
		if p := 2.2e9 * f.Injected / 1e-4; f.Injected > 0 && math.Abs(f.Pressure/p-1) > 0.05 {
			t.Errorf("%g m3 left in a well make %g Pa, want %g", f.Injected, f.Pressure, p)
		}
		if math.Abs(e.Residual) > 2e-3*e.FluidPumped {
			t.Errorf("%q: residual %g J of %g J", of, e.Residual, e.FluidPumped)
		}
	}
}

// Nothing more is pumped out of a well than it holds, and what is pumped in again fills it.
func TestFluidPumpedOut(t *testing.T) {
	for _, viscosity := range []string{"", "viscosity = \"1 mPa s\"\n"} {
		s := meshed(t, rock("0.3 ms", 0, "")+`
[[fluid]]
name = "water"
well = "mouth"
rate = "1e-3 m3/s"
volume = "1e-5 m3"
schedule = [[0, 0], ["50 us", 1], ["60 us", -200], ["0.2 ms", -200], ["0.2 ms", 1]]
`+viscosity, scenes.HalfPlane(0.02, 0.06, 0.06, 0.3))
		least := math.Inf(1)
		for s.Time < s.Duration {
			if err := s.Step(0, nil); err != nil {
				t.Fatal(err)
			}
			least = min(least, s.FluidStates()[0].Held)
		}
		f := s.FluidStates()[0]
		if least < 0 || least > 1e-9 {
			t.Errorf("%q: at the least %g m3 are there", viscosity, least)
		}
		if in := f.Held - 1e-5 - f.Injected; math.Abs(in) > 1e-15 || f.Held < 0.9e-7 {
			t.Errorf("%q: holds %g m3, pumped in %g m3", viscosity, f.Held, f.Injected)
		}
	}
}

// outlet returns the openings of cracks at the outline at x = 0.15 m, of 1 m of thickness [m2].
func outlet(s *solver.Solver) (area float64) {
	for i := range s.Cracks().Cracks() {
		ch, ok := s.Cracks().Channel(s.Cracks().Crack(i).Edge, s.X)
		for end, v := range ch.Vertices {
			if ok && ch.Open[end] && s.Mesh.X[v].X > 0.15-1e-9 {
				area += max(0, ch.Opening[end])
			}
		}
	}
	return area
}

// A free body that its fluid breaks keeps momentum and angular momentum and its energy, by
// any number of workers.
func TestFluidBreaksFreeBody(t *testing.T) {
	var first []r2.Vec
	for _, workers := range []int{1, 3} {
		s := meshed(t, `
[analysis]
duration = "100 us"
safety = 0.4
plane = "strain"
`+scenes.RockBody+`velocity = ["3 m/s", "-2 m/s"]
`+brittleRock+`[[fluid]]
name = "oil"
well = "hole"
pressure = "20 MPa"
schedule = [[0, 0], ["50 us", 1]]
`, scenes.Hole(0.02, 0.1, 24, 10, 0.5))
		s.SetWorkers(workers)
		conserved := func() (p r2.Vec, l float64) {
			v := make([]r2.Vec, len(s.X))
			s.Velocities(v)
			for i, m := range s.Mass {
				p = r2.Add(p, r2.Scale(m, v[i]))
				l += m * r2.Cross(s.X[i], v[i])
			}
			return p, l
		}
		p0, l0 := conserved()
		if err := ran(s); err != nil {
			t.Fatal(err)
		}
		p, l := conserved()
		e, f := s.Energies(), s.FluidStates()[0]
		given := e.ExternalWork
		t.Logf("%d cracks with %g m of fluid, %g J given; %+v", s.Cracks().Cracks(), f.Length, given, e)
		if f.Length < 0.05 || given < 100 {
			t.Errorf("the oil is in %g m of cracks and has given %g J", f.Length, given)
		}
		if r2.Norm(r2.Sub(p, p0)) > 1e-10*r2.Norm(p0) || math.Abs(l-l0) > 1e-10*r2.Norm(p0) {
			t.Errorf("momentum from %v to %v, angular momentum from %g to %g", p0, p, l0, l)
		}
		if math.Abs(e.OfSteps()) > 1e-4*given || e.InsertionWork > 1e-4*given {
			t.Errorf("residual of steps %g J, of cracks %g J, of %g J", e.OfSteps(), e.InsertionWork, given)
		}
		if first == nil {
			first = slices.Clone(s.X)
		} else if !slices.Equal(first, s.X) {
			t.Error("another number of workers moves other bits")
		}
	}
}

// A run of a step or two at a pump, whose energy is that of the first step's half kick, is not
// taken for an unstable one.
func TestPumpForOneStep(t *testing.T) {
	for _, duration := range []string{"0.5 us", "1 us", "4 us"} {
		for _, more := range []string{"", "viscosity = \"1 mPa s\"\n"} {
			s := meshed(t, "[analysis]\nduration = \""+duration+"\"\nplane = \"strain\"\n"+scenes.RockBody+`[[fix]]
on = "far"
[[fluid]]
name = "water"
well = "hole"
rate = "0.05 m3/s"
`+more, scenes.Hole(0.1, 0.5, 24, 12, 0))
			if err := ran(s); err != nil {
				t.Errorf("%s, %q: %v", duration, more, err)
			}
			if f := s.FluidStates()[0]; !(f.Pressure > 0) {
				t.Errorf("%s, %q: %+v", duration, more, f)
			}
		}
	}
}
