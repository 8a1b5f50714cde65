package published

import (
	"fmt"
	"math"

	"fdem/examples/scenes"
	"fdem/io/throw"
	"fdem/materials/fluid"
	"fdem/mesh"
	"fdem/solver"
)

// fluids fills cracks, drives fractures, breaks a hole and lets gas expand.
var fluids = Problem{
	Name:   "fluid",
	Title:  "fluid in cracks: a crack under pressure, when it grows, fractures ruled by toughness and by viscosity, flow, diffusion, breakdown of a hole, gas",
	Source: "cracks: Sneddon (1946), Griffith; fractures in plane strain: Khristianovic, Geertsma and de Klerk, the similarity solutions of toughness and (Adachi and Detournay 2002) of viscosity; flow: Poiseuille; breakdown: Hubbert and Willis (1957); explosives: Lee, Hornig and Kury (1968)",
	Solve:  solveFluids,
}

func solveFluids() []Row {
	var rows []Row
	for _, part := range []func() []Row{underPressure, startsToGrow, ruledByToughness, ruledByViscosity, flowing, diffusing, breakdown, gasInHole, gasDrives, expanding} {
		rows = append(rows, part()...)
	}
	return rows
}

// rockOfFluids is a deck of rock in plane strain.
func rockOfFluids(duration, analysis, more string) string {
	return fmt.Sprintf("mesh = \"rock.msh\"\n[analysis]\nduration = %q\nplane = \"strain\"\n%s\n", duration, analysis) + scenes.RockBody + more
}

// youngInPlane is E' of the rock [Pa].
const youngInPlane = 32e9

// seamOfFracture breaks at a strength [MPa], with an energy [J/m2].
func seamOfFracture(strength, energy float64) string {
	return fmt.Sprintf(`[[fracture]]
on = "seam"
tensile_strength = "%g MPa"
cohesion = "50 MPa"
friction = 0.6
energy_tension = %g
energy_shear = %[2]g
`, strength, energy)
}

// runFluid runs a deck to its end.
func runFluid(text string, src *mesh.Source, row func(s *solver.Solver)) *solver.Solver {
	s := throw.Must(scenes.Start("fluid.toml", text, src))
	throw.If(scenes.Finish(s, func() { row(s) }))
	return s
}

// mouthOf returns the greatest opening of cracks [m].
func mouthOf(s *solver.Solver) (w float64) {
	for i := range s.Cracks().Cracks() {
		ch, _ := s.Cracks().Channel(s.Cracks().Crack(i).Edge, s.X)
		w = max(w, ch.Opening[0], ch.Opening[1])
	}
	return w
}

// fluidBooks compares what a fluid was given with where it went; so much was there [m3].
func fluidBooks(what string, s *solver.Solver, began float64) []Row {
	f, e := s.FluidStates()[0], s.Energies()
	return []Row{
		{Case: what, Quantity: "fluid there or spilled, of what was put in", Unit: "1", Known: 1, Computed: (f.Held + f.Spilled) / (began + f.Injected), Tolerance: 1e-12},
		{Case: what, Quantity: "books of the fluid, of the pump's work", Unit: "1", Known: 1, Computed: (e.FluidStored + e.FluidWork + e.FluidViscous + e.FluidSteps + e.FluidEscaped) / e.FluidPumped, Tolerance: 1e-12},
		{Case: what, Quantity: "residual, of the pump's work", Unit: "1", Computed: e.Residual / e.ExternalWork, Tolerance: 1e-5},
	}
}

// underPressure opens a crack of half length 0.1 m by 2 MPa: w = 4 p a/E', V = pi p a^2/E'
// of either wing, and the rock stores p V/2. Triangles of constant strain make of N equal edges
// a crack shorter by a third of one, which opens by 1/(3N) less and has 2/(3N) less volume (the
// solver's TestUniformCrackIsThatOfItsMesh): short edges at the tip, as many in all, leave less.
func underPressure() (rows []Row) {
	const a, p = 0.1, 2e6
	const volume, mouth = math.Pi * p * a * a / youngInPlane, 4 * p * a / youngInPlane
	for _, of := range []struct {
		edges          string
		mesh           *mesh.Source
		opening, whole float64 // tolerances
		note           string
	}{
		{"20 edges, shorter towards the tip", scenes.TippedHalfPlane(a, 20, 1.1, 3), 0.02, 0.02, ""},
		{"20 equal edges", scenes.EvenHalfPlane(a, 20, 6), 0.02, 0.04, "the triangles make it shorter by a third of an edge"},
	} {
		s := runFluid(rockOfFluids("3 ms", "damping = { local = 0.3 }", scenes.HeldHalf(0, 0)+`
[[fluid]]
name = "oil"
well = "mouth"
pressure = "2 MPa"
schedule = [[0, 0], ["1.5 ms", 1]]
`), of.mesh, func(*solver.Solver) {})
		f, e := s.FluidStates()[0], s.Energies()
		what := "crack under pressure, " + of.edges
		rows = append(rows,
			Row{Case: what, Quantity: "opening in the middle", Unit: "m", Known: mouth, Computed: mouthOf(s), Tolerance: of.opening * mouth, Note: of.note},
			Row{Case: what, Quantity: "volume of a wing", Unit: "m2", Known: volume, Computed: f.InCracks, Tolerance: of.whole * volume, Note: of.note},
			Row{Case: what, Quantity: "stored by rock", Unit: "J/m", Known: p * f.InCracks / 2, Computed: e.Strain, Tolerance: 2e-3 * p * f.InCracks / 2, Note: "of the volume computed"},
		)
	}
	return rows
}

// startsToGrow pumps into a crack under 10 MPa until it grows: the greatest pressure over the
// stress is sqrt(E' G/(pi a)), a longer by 0.4 of the cohesive zone.
func startsToGrow() []Row {
	const a, strength, energy, stress, edge = 0.2, 5e6, 31.25, 10e6, 5e-3
	const zone = math.Pi / 8 * youngInPlane * energy / (strength * strength)
	greatest := 0.0
	runFluid(rockOfFluids("7 ms", "damping = { local = 0.2 }\n[output]\nhistory_every = \"20 us\"", scenes.HeldHalf(-stress, -stress)+seamOfFracture(5, energy)+`
[[fluid]]
name = "oil"
well = "mouth"
rate = "1.2e-3 m3/s"
schedule = [[0, 0], ["2 ms", 1]]
volume = "1e-6 m3"
`), scenes.HalfPlane(edge, a, a+0.05, 4), func(s *solver.Solver) { greatest = max(greatest, s.FluidStates()[0].Pressure-stress) })
	known := math.Sqrt(youngInPlane * energy / (math.Pi * (a + 0.4*zone)))
	return []Row{{Case: "crack begins to grow", Quantity: "greatest pressure over the stress", Unit: "Pa", Known: known, Computed: greatest, Tolerance: 0.04 * known, Note: fmt.Sprintf("cohesive zone of %.3g edges", zone/edge)}}
}

// ruledByToughness drives a fracture by a fluid without viscosity, under 10 MPa.
func ruledByToughness() []Row {
	const rate, tough, energy, stress, notch, time = 1e-3, 1e6, 31.25, 10e6, 0.03, 6e-3 // of both wings
	length := math.Pow(youngInPlane*rate*time/(2*math.Sqrt(math.Pi)*tough), 2./3)
	pressure, width := tough/math.Sqrt(math.Pi*length), 4*tough*math.Sqrt(length/math.Pi)/youngInPlane
	s := runFluid(rockOfFluids("6 ms", "", scenes.HeldHalf(-stress, -stress)+seamOfFracture(5, energy)+`
[[fluid]]
name = "water"
well = "mouth"
rate = "5e-4 m3/s"
volume = "1e-6 m3"
`), scenes.HalfPlane(5e-3, notch, 0.2, 2), func(*solver.Solver) {})
	const what = "fracture ruled by toughness"
	return append([]Row{
		{Case: what, Quantity: "half length", Unit: "m", Known: length, Computed: notch + s.Energies().FractureDissipated/energy, Tolerance: 0.04 * length, Note: fmt.Sprintf("%.0f edges; by the energy of what has broken", length/5e-3)},
		{Case: what, Quantity: "width", Unit: "m", Known: width, Computed: mouthOf(s), Tolerance: 0.03 * width},
		{Case: what, Quantity: "pressure over the stress", Unit: "Pa", Known: pressure, Computed: s.FluidStates()[0].Pressure - stress, Tolerance: 0.07 * pressure},
	}, fluidBooks(what, s, 1e-6)...)
}

// ruledByViscosity drives a fracture by water, under 30 MPa.
func ruledByViscosity() []Row {
	const rate, mu, stress, notch, time = 5e-3, 1e-3, 30e6, 0.02, 6e-3
	eps := math.Pow(12*mu/(youngInPlane*time), 1./3)
	size := math.Pow(youngInPlane*rate*rate*rate*time*time*time*time/(12*mu), 1./6)
	length, width, pressure := 0.61541*size, 1.12583*eps*size, 0.54482*eps*youngInPlane
	s := runFluid(rockOfFluids("6 ms", "", scenes.HeldHalf(-stress, -stress)+seamOfFracture(1, 1)+`
[[fluid]]
name = "water"
well = "mouth"
rate = "2.5e-3 m3/s"
volume = "1e-6 m3"
viscosity = "1 mPa s"
`), scenes.HalfPlane(5e-3, notch, 0.2, 2), func(*solver.Solver) {})
	f, e := s.FluidStates()[0], s.Energies()
	const what = "fracture ruled by viscosity"
	return append([]Row{
		{Case: what, Quantity: "half length", Unit: "m", Known: length, Computed: f.Length - 2.5e-3, Tolerance: 0.04 * length, Note: fmt.Sprintf("%.0f edges; up to the last vertex that has parted", length/5e-3)},
		{Case: what, Quantity: "width", Unit: "m", Known: width, Computed: mouthOf(s), Tolerance: 0.03 * width},
		{Case: what, Quantity: "pressure over the stress", Unit: "Pa", Known: pressure, Computed: f.Pressure - stress, Tolerance: 0.03 * pressure},
		{Case: what, Quantity: "lost by steps, of the pump's work", Unit: "1", Computed: e.FluidSteps / e.FluidPumped, Tolerance: 1e-4},
	}, fluidBooks(what, s, 1e-6)...)
}

// heldOpen is a deck of a board that water goes through.
func heldOpen(duration string, joints ...string) string {
	return "mesh = \"rock.msh\"\n" + scenes.HeldOpen(duration, "", joints...)
}

// flowing lets water through a crack 0.4 m long, and through one that divides in its middle.
func flowing() []Row {
	const w, mu, p, length = 50e-6, 1e-3, 1e6, 0.4
	through := func(joints ...string) float64 {
		s := runFluid(heldOpen("4 ms", joints...), scenes.Board(0.02, 20, 2), func(*solver.Solver) {})
		return s.FluidStates()[0].Rate
	}
	arm := func(l float64) float64 { return w * w * w / (12 * mu * l) }
	one := arm(length) * p
	at := arm(0.2) / (arm(0.2) + arm(0.2) + arm(0.04)) * p
	return []Row{
		{Case: "flow between held faces", Quantity: "rate", Unit: "m3/s", Known: one, Computed: through("seam"), Tolerance: 1e-6 * one, Note: "Poiseuille"},
		{Case: "flow that divides", Quantity: "rate", Unit: "m3/s", Known: arm(0.2) * (p - at), Computed: through("seam", "branch"), Tolerance: 1e-6 * arm(0.2) * p, Note: "arms of 0.2, 0.2 and 0.04 m"},
	}
}

// diffusing lets a pressure go along a crack as D = w^2 K/(12 mu) has it.
func diffusing() []Row {
	const w, mu, bulk, p, time = 50e-6, 1e-3, 2.2e9, 1e6, 40e-6
	d := w * w * bulk / (12 * mu)
	s := runFluid(heldOpen("40 us", "seam"), scenes.Board(0.01, 100, 1), func(*solver.Solver) {})
	worst := 0.0
	for i := range s.Cracks().Cracks() {
		c := s.Cracks().Crack(i)
		for end, of := range s.Cracks().Pressure(c.Edge) {
			x := s.Mesh.X[s.Cracks().Vertex(c.Nodes[end])].X
			worst = max(worst, math.Abs(of/p-math.Erfc(x/(2*math.Sqrt(d*time)))))
		}
	}
	return append([]Row{{Case: "pressure that diffuses", Quantity: "greatest difference, of the pressure at the end", Unit: "1", Computed: worst, Tolerance: 0.01, Note: fmt.Sprintf("steps of %.0f times an explicit scheme's", 0.5e-6/(6*mu*1e-4/(w*w*bulk)))}}, fluidBooks("pressure that diffuses", s, w*(1-0.005))...)
}

// breakdown pumps into a round hole under 12 and 8 MPa: its wall breaks at three times the
// lesser less the greater stress and the strength, later where no edge goes radially.
func breakdown() (rows []Row) {
	const major, minor, strength, radius = 12e6, 8e6, 5e6, 0.5
	const known = 3*minor - major + strength
	for _, of := range []struct {
		edges  string
		turned float64
	}{{"some go radially", 0}, {"none goes radially", 0.5}} {
		greatest := 0.0
		runFluid(rockOfFluids("20 ms", "damping = { local = 0.3 }\n[output]\nhistory_every = \"20 us\"", `[[initial_stress]]
stress = ["-12 MPa", "-8 MPa", 0]
release = "6 ms"
[[fix]]
on = "far"
[[fracture]]
in = ["rock"]
tensile_strength = "5 MPa"
cohesion = "20 MPa"
friction = 0.6
energy_tension = 100
energy_shear = 400
[[fluid]]
name = "water"
well = "hole"
rate = "0.6 m3/s"
schedule = [[0, 0], ["6 ms", 0], ["8 ms", 1]]
`), scenes.Hole(radius, 10, 96, 46, of.turned), func(s *solver.Solver) { greatest = max(greatest, s.FluidStates()[0].Pressure) })
		rows = append(rows, Row{Case: "breakdown of a hole", Quantity: "greatest pressure", Unit: "Pa", Known: known, Computed: greatest, Tolerance: 0.08 * known, Note: "Hubbert and Willis; ten cohesive zones in the radius; of the edges " + of.edges})
	}
	return rows
}

// gasInHole lets gas of 200 MPa go in a hole in rock that does not break: u = p R (1+nu)/E.
func gasInHole() []Row {
	const p0, gamma, r, e, nu = 200e6, 1.3, 0.05, 30e9, 0.25
	s := runFluid(rockOfFluids("4 ms", "damping = { local = 0.3 }", `[[fix]]
on = "far"
[[fluid]]
name = "gas"
well = "hole"
gas = { pressure = "200 MPa", gamma = 1.3 }
`), scenes.Hole(r, 1.5, 72, 40, 0.5), func(*solver.Solver) {})
	p := p0
	for range 50 {
		p = p0 * math.Pow(1+p*(1+nu)/e, -2*gamma)
	}
	work := p0 * math.Pi * r * r / (gamma - 1) * (1 - math.Pow(p/p0, (gamma-1)/gamma))
	return []Row{
		{Case: "gas in a hole", Quantity: "pressure at rest", Unit: "Pa", Known: p, Computed: s.FluidStates()[0].Pressure, Tolerance: 5e-3 * p},
		{Case: "gas in a hole", Quantity: "work", Unit: "J/m", Known: work, Computed: s.Ledger.Start.FluidStored - s.Energies().FluidStored, Tolerance: 0.01 * work, Note: "the wall is a polygon of 72 edges"},
	}
}

// gasDrives lets gas of 4 MPa drive a crack until its toughness is more than what is left of the
// pressure: p = K/sqrt(pi a), p (V + 2 pi p a^2/E')^gamma = p0 V^gamma with V for both wings.
func gasDrives() []Row {
	const p0, gamma, room, tough, energy, notch = 4e6, 1.3, 2e-5, 1e6, 31.25, 0.1
	s := runFluid(rockOfFluids("10 ms", "damping = { local = 0.5 }", scenes.HeldHalf(0, 0)+seamOfFracture(3, energy)+`
[[fluid]]
name = "gas"
well = "mouth"
gas = { pressure = "4 MPa", gamma = 1.3 }
volume = "1e-5 m3"
`), scenes.HalfPlane(12.5e-3, notch, 0.9, 6), func(*solver.Solver) {})
	at := func(a float64) (p, left float64) {
		p = tough / math.Sqrt(math.Pi*a)
		return p, p0*math.Pow(room/(room+2*math.Pi*p*a*a/youngInPlane), gamma) - p
	}
	short, long := notch, 0.9
	for range 60 {
		a := 0.5 * (short + long)
		if _, left := at(a); left > 0 {
			short = a
		} else {
			long = a
		}
	}
	pressure, _ := at(short)
	volume := 2 * math.Pi * pressure * short * short / youngInPlane
	work := p0 * room / (gamma - 1) * (1 - math.Pow(room/(room+volume), gamma-1))
	e := s.Energies()
	const what = "gas drives a crack until it rests"
	return []Row{
		{Case: what, Quantity: "half length", Unit: "m", Known: short, Computed: notch + e.FractureDissipated/energy, Tolerance: 0.08 * short, Note: fmt.Sprintf("%.0f edges; by the energy of what has broken", short/12.5e-3)},
		{Case: what, Quantity: "pressure", Unit: "Pa", Known: pressure, Computed: s.FluidStates()[0].Pressure, Tolerance: 0.05 * pressure},
		{Case: what, Quantity: "work of the gas on both wings", Unit: "J/m", Known: work, Computed: 2 * e.FluidWork, Tolerance: 0.03 * work},
		{Case: what, Quantity: "energy left, of the work", Unit: "1", Computed: e.Residual / e.FluidWork, Tolerance: 1e-4, Note: "local damping takes what the slow growth of theory does not have"},
	}
}

// expanding compares equations of state with tables computed elsewhere.
func expanding() []Row {
	gas, jwl := fluid.Gas{Pressure: 200e6, Gamma: 1.3}, fluid.JWL{A: 49.46e9, B: 1.891e9, C: 0.558e9, R1: 3.907, R2: 1.118, Omega: 0.333}
	row := func(of string, given float64, quantity, unit string, known, computed float64) Row {
		return Row{Case: of, Given: given, Quantity: quantity, Unit: unit, Known: known, Computed: computed, Tolerance: 1e-12 * known, Note: "given: volume over that at the start"}
	}
	return []Row{
		row("gas expands", 2, "pressure", "Pa", 81225239.63562354, gas.At(2).Pressure),
		row("gas expands", 8, "pressure", "Pa", 13397168.281703664, gas.At(8).Pressure),
		row("explosive expands", 2, "pressure", "Pa", 443597265.24594516, jwl.At(2).Pressure),
		row("explosive expands", 10, "pressure", "Pa", 25946332.626516595, jwl.At(10).Pressure),
		row("explosive expands", 7, "work", "J/m3", 1605899624.657166, jwl.At(1).Energy-jwl.At(7).Energy),
	}
}
