package published

import (
	"fmt"
	"math"

	"fdem/examples/scenes"
	"fdem/io/throw"
	"fdem/mesh"
)

// fragments breaks bodies into fragments: a block that is crushed, with and without
// pressure on its sides, and rings that burst.
var fragments = Problem{
	Name:   "fragments",
	Title:  "bodies that break to fragments: strength of a block under pressure, sizes of the fragments of expanding rings",
	Source: "strength: Mohr and Coulomb, 2 c r + r^2 p with r = sqrt(1 + mu^2) + mu, closed form; fragments: a bar in one dimension by the method of characteristics, planes 0.3 mm apart, computed elsewhere by a program of our own",
	Solve:  func() []Row { return append(crushed(), rings()...) },
}

// crushed presses a block of rock without friction at its ends, as the example
// uniaxial-compression does.
func crushed() (rows []Row) {
	const cohesion, friction = 17.5e6, 0.70021
	root := math.Sqrt(1+float64(friction*friction)) + friction
	for _, c := range []struct{ sides, duration float64 }{{0, 2.44e-3}, {10e6, 3.25e-3}} { // [Pa], [s]: until it has broken
		src := &mesh.Source{Name: "block"}
		throw.If(scenes.Compression(src, 1.25e-3, 1))
		s := throw.Must(scenes.Start("compression.toml", fmt.Sprintf(`mesh = "block.msh"
[analysis]
duration = %[2]g
thickness = 1
damping = { local = 0.05 }
[output]
history_every = "2 us"
[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.25
density = 2600
[[body]]
name = "rock"
material = "rock"
[[initial_stress]]
stress = [-%[1]g, -%[1]g, 0]
[[load]]
on = "left"
pressure = %[1]g
[[load]]
on = "right"
pressure = %[1]g
[[fix]]
on = "bottom"
components = ["y"]
[[drive]]
on = "top"
velocity = ["free", "-50 mm/s"]
ramp = "0.2 ms"
[[fracture]]
in = ["rock"]
tensile_strength = "5 MPa"
cohesion = %[3]g
friction = %[4]g
energy_tension = 20
energy_shear = 100
`, c.sides, c.duration, cohesion, friction), src))
		greatest := 0.0
		throw.If(scenes.Finish(s, func() {
			for _, r := range s.MeanReactions() {
				if r.Name == "bottom" {
					greatest = math.Max(greatest, r.Force.Y/25e-3)
				}
			}
		}))
		known := float64(2*cohesion*root) + float64(root*root*c.sides)
		rows = append(rows, Row{
			Case: fmt.Sprintf("block, %g MPa on its sides", 1e-6*c.sides), Quantity: "strength", Unit: "Pa", Known: known, Computed: greatest,
			Tolerance: 0.05 * known, Note: "edges of 1.25 mm at random",
		})
	}
	return rows
}

// rings lets rings burst at three rates, as the example expanding-ring does.
func rings() (rows []Row) {
	for _, c := range []struct {
		rate, known, tolerance float64 // over c f^3/(E^2 G) and E G/f^2
		note                   string
	}{
		{1, 0.747, 0, "0.87 in one dimension with planes 1 mm apart, and beside open cracks places stay shut: see the example expanding-ring"},
		{3, 0.454, 0.15 * 0.454, ""},
		{10, 0.204, 0.15 * 0.204, ""},
	} {
		src := &mesh.Source{Name: "ring"}
		scenes.Ring(src, 0.8e-3, 1e-3)
		s := throw.Must(scenes.Start("ring.toml", fmt.Sprintf(`mesh = "ring.msh"
[analysis]
duration = "50 us"
thickness = 1
[[material]]
name = "brittle"
young = "40 GPa"
poisson = 0.2
density = 2500
[[body]]
name = "ring"
material = "brittle"
expansion_rate = %g
[[fracture]]
in = ["ring"]
tensile_strength = "5 MPa"
cohesion = "15 MPa"
energy_tension = 18.75
energy_shear = 75
scatter = { weibull = 400, seed = 1 }
`, 50.0/3*c.rate), src))
		throw.If(scenes.Finish(s, func() {}))
		_, fragments := s.CrackTotals()
		rows = append(rows, Row{
			Case: fmt.Sprintf("ring, %g c f^3/(E^2 G)", c.rate), Quantity: "mean size over E G/f^2", Unit: "1", Given: c.rate, Known: c.known,
			Computed: 2 * math.Pi * 0.215 / 30e-3 / float64(fragments), Tolerance: c.tolerance, Note: c.note,
		})
	}
	return rows
}
