package published

import (
	"fmt"
	"math"

	"fdem/examples/scenes"
	"fdem/io/tables"
	"fdem/io/throw"
	"fdem/mesh"
)

// branchingPlate pulls a plate with a cut so strongly that its crack runs fast and
// branches.
var branchingPlate = Problem{
	Name:    "branching-plate",
	Title:   "a fast crack in a plate that is pulled by 1 MPa: when it starts, how fast it is, that it becomes two",
	Source:  "start: L. B. Freund's stress intensity under a suddenly applied traction, closed form, computed elsewhere; c_R: speed of Rayleigh waves, its equation",
	Sizes:   []Size{{"edge", "of the triangles; 0.3 mm makes 103,000", tables.Length, 0.5e-3}},
	SolveAt: solveBranching,
}

// branchingDeck is a plate of glass on a mesh of that name.
const branchingDeck = `mesh = "plate.msh"
[analysis]
duration = "50 us"
plane = "strain"
thickness = 1
[output]
history_every = "0.5 us"
[[material]]
name = "glass"
young = "32 GPa"
poisson = 0.2
density = 2450
[[body]]
name = "plate"
material = "glass"
[[load]]
on = "upper"
pressure = "-1 MPa"
[[load]]
on = "lower"
pressure = "-1 MPa"
[[fracture]]
in = ["plate"]
tensile_strength = "5 MPa"
cohesion = "15 MPa"
friction = 0.6
energy_tension = 3
energy_shear = 12
`

func solveBranching(size map[string]float64) Outcome {
	const brittle, rayleigh = 10.75e-6, 2125.2
	src := &mesh.Source{Name: "plate"}
	throw.If(scenes.Branching(src, size["edge"], 1))
	s := throw.Must(scenes.Start("branching-plate.toml", branchingDeck, src))
	throw.If(scenes.Finish(s, func() {}))
	k := s.Cracks()
	starts := math.Inf(1)
	var up, down float64 // greatest distance from the middle, above and below [m]
	for i := range k.Cracks() {
		c := k.Crack(i)
		if math.IsNaN(c.BrokenAt) {
			continue
		}
		e := k.Event(&c)
		starts = math.Min(starts, e.Time)
		up, down = math.Max(up, e.Position.Y), math.Max(down, -e.Position.Y)
	}
	row := func(what, unit string, known, computed, tolerance float64, note string) Row {
		return Row{Case: fmt.Sprintf("edges of %g mm", 1e3*size["edge"]), Quantity: what, Unit: unit, Known: known, Computed: computed, Tolerance: tolerance, Note: note}
	}
	return Outcome{Rows: []Row{
		row("crack starts", "s", brittle, starts, 2.25e-6, "Freund, without a cohesive zone, which delays it; its first edge is broken"),
		row("fastest tip below c_R", "m/s", rayleigh/2, k.TipSpeed(0), rayleigh/2, "half of c_R = 2125.2 m/s, +- as much: no crack in tension reaches that"),
		row("upper branch", "m", down, up, 0, "how far from the middle it comes, beside the lower one; on a mesh twice as fine, or of another seed, they are others"),
	}}
}
