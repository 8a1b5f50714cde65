package published

import (
	"fmt"
	"math"
	"strings"

	"fdem/examples/published/spall"
	"fdem/examples/scenes"
	"fdem/io/throw"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// cracks runs bodies that break: a wave on a plane across a bar, a disc that splits, a
// block that slips along an inclined plane, and a slow crack in a double cantilever beam.
var cracks = Problem{
	Name:   "cracks",
	Title:  "bodies that break: spall of a bar, a disc that splits, slip on inclined planes, a double cantilever beam",
	Source: "spall: method of characteristics, examples/published/spall; disc: Hondros (1959); slip: Mohr and Coulomb, closed form; double cantilever beam: quadrilaterals of eight nodes, computed elsewhere by a program of our own, and beam theory, P = sqrt(G b^2 E H^3/12)/sqrt(d sqrt(3 E H^3/G)/4)",
	Solve:  solveCracks,
}

func solveCracks() []Row {
	var rows []Row
	for _, part := range []func() []Row{spalls, splitting, slips, cantilever} {
		rows = append(rows, part()...)
	}
	return rows
}

// runDeck runs a deck on a mesh and calls each after every step.
func runDeck(text string, src *mesh.Source, each func(s *solver.Solver) (on bool)) {
	s := throw.Must(scenes.Start("fracture.toml", text, src))
	for on := true; on; {
		throw.If(s.Step(0, func(dt float64) (bool, error) {
			on = dt > 0 && each(s)
			return on, nil
		}))
	}
}

// spalls breaks a bar on a plane 60 mm from its free end by pulses of 40 us.
func spalls() (rows []Row) {
	const pressure = "t < 40e-6 ? %ge6 * sin(pi*t/40e-6)^2 : 0"
	for _, peak := range []float64{8, 10} {
		src := &mesh.Source{Name: "bar"}
		scenes.Spall(src, 4)
		text := fmt.Sprintf(`mesh = "bar.msh"
[analysis]
duration = "170 us"
thickness = 1
[[material]]
name = "rock"
young = "40 GPa"
poisson = 0
density = 2500
[[body]]
name = "bar"
material = "rock"
[[load]]
on = "struck"
pressure = "%s"
[[fracture]]
on = "plane"
tensile_strength = "5 MPa"
cohesion = "15 MPa"
energy_tension = 10
energy_shear = 10
`, fmt.Sprintf(pressure, peak))
		exact := throw.Must(spall.Bar{
			Young: 40e9, Density: 2500, Length: 0.5, Distance: 0.06, Strength: 5e6, Energy: 10, Softening: "linear",
			Pressure: spall.Sine(1e6*peak, 40e-6),
		}.Solve(170e-6, 4000))
		opens, breaks, lost := math.Inf(1), 0.0, 0.0
		runDeck(text, src, func(s *solver.Solver) bool {
			k := s.Cracks()
			for i := range k.Cracks() {
				c := k.Crack(i)
				opens = math.Min(opens, c.InsertedAt)
				if c.BrokenAt > breaks { // it may not be broken yet
					breaks = c.BrokenAt
				}
			}
			lost = k.Energies().Fracture / 5e-3
			return true
		})
		what := fmt.Sprintf("spall, %g MPa", peak)
		rows = append(rows,
			Row{Case: what, Quantity: "opens", Unit: "s", Known: exact.Begins, Computed: opens, Tolerance: 0.2e-6, Note: "edges of 1.25 mm"},
			Row{Case: what, Quantity: "broken", Unit: "s", Known: exact.Breaks, Computed: breaks, Tolerance: 0.3e-6},
			Row{Case: what, Quantity: "dissipated", Unit: "J/m2", Known: 10, Computed: lost, Tolerance: 0.05},
			Row{Case: what, Quantity: "dissipated", Unit: "J/m2", Known: 10, Computed: 30 * concreteArea, Note: "Y-Geo's formulas: the area of their curve"},
		)
	}
	return rows
}

// splitting presses a disc between two arcs until it begins to crack: 2p/pi (sin 2a - a)
// is the strength (Hondros 1959).
func splitting() []Row {
	src := &mesh.Source{Name: "disc"}
	throw.If(scenes.Brazilian(src, 1))
	const pressure = "50e6 * (t/500e-6)^2" // begins smoothly
	begins := 0.0
	runDeck(strings.ReplaceAll(`mesh = "disc.msh"
[analysis]
duration = "522 us"
thickness = 1
[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.2
density = 2500
[[body]]
name = "disc"
material = "rock"
[[load]]
on = "top"
pressure = "PRESSURE"
[[load]]
on = "bottom"
pressure = "PRESSURE"
[[fracture]]
in = ["disc"]
tensile_strength = "5 MPa"
cohesion = "30 MPa"
friction = 0.7
energy_tension = 10
energy_shear = 100
`, "PRESSURE", pressure), src, func(s *solver.Solver) bool {
		if s.Cracks().Cracks() > 0 {
			begins = 50e6 * (s.Time / 500e-6) * (s.Time / 500e-6)
		}
		return begins == 0
	})
	a := scenes.BrazilianArc
	want := 5e6 * math.Pi / (2 * (math.Sin(2*a) - a))
	return []Row{{
		Case: "Brazilian disc", Quantity: "pressure that cracks it", Unit: "Pa", Known: want, Computed: begins, Tolerance: 0.03 * want,
		Note: "Hondros (1959), arcs of 20 degrees",
	}}
}

// slips presses blocks until they slip along a plane at the angle beta to the load.
func slips() (rows []Row) {
	const w, cohesion = 20e-3, 1e6
	friction := math.Tan(math.Pi / 6)
	for _, beta := range []float64{35, 45, 60, 75} {
		angle := beta * math.Pi / 180
		want := 2 * cohesion / ((1 - friction/math.Tan(angle)) * math.Sin(2*angle))
		src := &mesh.Source{Name: "block"}
		scenes.Inclined(src, w, 60e-3+1.5*w*math.Tan(angle), math.Tan(angle))
		text := strings.NewReplacer("PEAK", fmt.Sprint(1.1*want), "MU", fmt.Sprint(friction), "C", fmt.Sprint(cohesion)).Replace(`mesh = "block.msh"
[analysis]
duration = "4 ms"
thickness = 1
[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.2
density = 2500
[[body]]
name = "block"
material = "rock"
[[load]]
on = "top"
pressure = "PEAK*t/4e-3"
[[load]]
on = "bottom"
pressure = "PEAK*t/4e-3"
[[fracture]]
on = "fault"
tensile_strength = C
cohesion = C
friction = MU
energy_tension = 2
energy_shear = 2
`)
		slipped := 0.0
		runDeck(text, src, func(s *solver.Solver) bool {
			if s.Cracks().Cracks() > 0 {
				slipped = 1.1 * want * s.Time / 4e-3
			}
			return slipped == 0
		})
		rows = append(rows, Row{
			Case: fmt.Sprintf("slip, %g degrees", beta), Quantity: "axial stress", Unit: "Pa", Known: want, Computed: slipped, Tolerance: 0.01 * want,
			Note: "2 c/((1 - tan phi/tan beta) sin 2 beta)",
		})
	}
	return rows
}

// cantilever drives a crack through a double cantilever beam. The force is the work of
// the drives over the opening, as the mean over a tenth of a millimetre.
func cantilever() []Row {
	src := &mesh.Source{Name: "arms"}
	scenes.Cantilever(src)
	var opening, work []float64
	upper := int32(-1)
	runDeck(`mesh = "arms.msh"
[analysis]
duration = "9.5 ms"
thickness = "1 mm"
damping = { mass = 200 }
[[material]]
name = "polymer"
young = "2.7 GPa"
poisson = 0.35
density = 1180
[[body]]
name = "arms"
material = "polymer"
[[drive]]
on = "upper"
velocity = ["free", "0.1 m/s"]
ramp = "3 ms"
[[drive]]
on = "lower"
velocity = ["free", "-0.1 m/s"]
ramp = "3 ms"
[[fracture]]
on = "middle"
tensile_strength = "10 MPa"
cohesion = "30 MPa"
energy_tension = 140
energy_shear = 140
`, src, func(s *solver.Solver) bool {
		if upper < 0 {
			for i, x := range s.Mesh.X {
				if s.Mesh.NodeID[i] != 0 && r2.Norm(r2.Sub(x, r2.Vec{Y: 5e-3})) < 1e-9 {
					upper = int32(i)
				}
			}
		}
		if s.N%50 == 0 {
			e := s.Energies()
			opening, work = append(opening, 2*(s.X[upper].Y-5e-3)), append(work, e.ExternalWork-e.DampingDissipated)
		}
		return true
	})
	at := func(d float64) float64 {
		for i := 1; i < len(opening); i++ {
			if opening[i] >= d {
				return work[i-1] + (work[i]-work[i-1])*(d-opening[i-1])/(opening[i]-opening[i-1])
			}
		}
		return math.NaN()
	}
	return cantileverRows(func(d float64) float64 {
		const half = 0.05e-3 // [m]
		return (at(d+half) - at(d-half)) / (2 * half)
	})
}

// cantileverRows compares the force at each opening [m] with values computed elsewhere
// and, if the crack grows, with beam theory.
func cantileverRows(force func(opening float64) float64) (rows []Row) {
	for _, p := range []struct{ opening, force float64 }{{0.5, 3.3010}, {0.7, 4.4670}, {0.8, 4.5621}, {1.0, 4.0758}, {1.25, 3.6447}, {1.5, 3.3364}} {
		const energy, young, cube = 140.0, 2.7e9, 1e-6 // cube: of the arms' height [m3]
		d := 1e-3 * p.opening
		r := Row{
			Case: fmt.Sprintf("double cantilever, %g mm", p.opening), Quantity: "force", Unit: "N",
			Known: p.force, Computed: force(d), Tolerance: 0.03 * p.force, Note: "computed elsewhere",
		}
		rows = append(rows, r)
		if p.opening >= 0.8 { // it grows
			r.Known = math.Sqrt(energy*young*cube/12) * 1e-3 / math.Sqrt(d*math.Sqrt(3*young*cube/energy)/4)
			r.Tolerance, r.Note = 0.03*r.Known, "theory of beams"
			rows = append(rows, r)
			r.Known, r.Tolerance = r.Known*math.Pow(3*concreteArea, 0.75), 0
			r.Note = "the same with the energy that Y-Geo's formulas dissipate for this G, 15.9 % more"
			rows = append(rows, r)
		}
	}
	return rows
}
