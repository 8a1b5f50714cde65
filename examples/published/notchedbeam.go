package published

import (
	"fmt"
	"math"

	"fdem/examples/scenes"
	"fdem/io/tables"
	"fdem/io/throw"
	"fdem/mesh"
)

// notchedBeam bends a beam of concrete until a crack has run from its notch nearly to the
// load. The force is that of the supports.
var notchedBeam = Problem{
	Name:    "notched-beam",
	Title:   "a crack that runs slowly through a notched beam of concrete in three-point bending",
	Source:  "quadrilaterals of eight nodes with the same cohesive law in equilibrium, computed elsewhere by a program of our own",
	Sizes:   []Size{{"edge", "of the shortest triangles", tables.Length, 1e-3}, {"speed", "of the load", tables.Velocity, 16e-3}},
	SolveAt: solveNotchedBeam,
}

// notchedBeamDeck is the deck, for the duration, the speed and the ramp of the drive.
const notchedBeamDeck = `mesh = "beam.msh"
[analysis]
duration = %g
thickness = "100 mm"
damping = { mass = 50 }
[output]
history_every = "10 us"
[[material]]
name = "concrete"
young = "26.5 GPa"
poisson = 0.19
density = 2333
[[body]]
name = "beam"
material = "concrete"
[[fix]]
on = "left"
components = ["y"]
[[fix]]
on = "right"
[[drive]]
on = "load"
velocity = ["free", %g]
ramp = %g
[[fracture]]
on = "ligament"
tensile_strength = "3 MPa"
cohesion = "9 MPa"
energy_tension = 90
energy_shear = 360
[[probe]]
name = "left"
node_near = ["-1 mm", "0 mm"]
[[probe]]
name = "right"
node_near = ["1 mm", "0 mm"]
`

func solveNotchedBeam(size map[string]float64) Outcome {
	const ramp, displacement = 5e-3, 0.325e-3
	src := &mesh.Source{Name: "beam"}
	scenes.NotchedBeam(src, size["edge"], 1.5*size["edge"])
	s := throw.Must(scenes.Start("notched-beam.toml", fmt.Sprintf(notchedBeamDeck, ramp/2+displacement/size["speed"], -size["speed"], ramp), src))
	var mouth, force []float64
	throw.If(scenes.Finish(s, func() {
		f := 0.0
		for _, r := range s.MeanReactions() {
			if r.Name != "load" {
				f += r.Force.Y
			}
		}
		mouth, force = append(mouth, s.Probe(s.Probes[1]).X-s.Probe(s.Probes[0]).X), append(force, f)
	}))
	var rows []Row
	add := func(what string, known, computed float64) {
		rows = append(rows, Row{Case: what, Quantity: "force", Unit: "N", Known: known, Computed: computed, Tolerance: 0.03 * known, Note: "computed elsewhere"})
	}
	greatest := 0.0
	for at := 60e-6; at < 85e-6; at += 1e-6 {
		greatest = math.Max(greatest, scenes.ValueAt(mouth, force, at, 6e-6))
	}
	add("at most", 2163, greatest)
	for _, p := range []struct{ mouth, force float64 }{{5, 366.4}, {10, 710.5}, {20, 1268.1}, {40, 1901.2}, {80, 2148.8}, {120, 1792.4}, {200, 731.2}, {300, 308.8}} {
		at := 1e-6 * p.mouth
		add(fmt.Sprintf("mouth open by %g um", p.mouth), p.force, scenes.ValueAt(mouth, force, at, 1.5e-6+0.03*at))
	}
	return Outcome{Rows: rows, Values: map[string]float64{"greatest": greatest}}
}
