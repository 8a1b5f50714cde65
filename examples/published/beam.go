package published

import (
	"errors"
	"fmt"
	"math"

	"fdem/examples/scenes"
	"fdem/io/tables"
	"fdem/io/throw"
)

// beamOnFlat presses a beam on a rough flat at its middle: 20 elements of Euler and
// Bernoulli, 21 contact nodes at their ends, with the pressure linear in between. The
// known values at the sizes of the paper were computed independently of this program,
// with 50 increments to the peak. At other sizes the result is compared with that of
// increments four times as long.
var beamOnFlat = Problem{
	Name:    "beam-on-flat",
	Title:   "beam pressed on a rough flat in its middle, at the peak load",
	Source:  "R. Kostek, J. Theor. Appl. Mech. 50(2), 2012, section 3.2",
	Sizes:   beamOnFlatSizes,
	SolveAt: solveBeam,
}

var beamOnFlatSizes = []Size{
	{"length", "of the beam", tables.Length, 0.2},
	{"width", "of the beam, out of the plane", tables.Length, 0.01},
	{"height", "of the beam", tables.Length, 0.0624},
	{"young", "Young's modulus", tables.Pressure, 2e11},
	{"load", "the greatest force", tables.Force, 1e4},
}

// bent is a beam at the peak load.
type bent struct{ deflection, middle, end float64 } // [m], [Pa], [Pa]

func beamDeck(size map[string]float64, increments int) string {
	return fmt.Sprintf(`title = "Beam on a rough flat (Kostek 2012, section 3.2)"
[analysis]
type = "static"
thickness = %[1]g
increments = %[2]d
[output]
fields_every = 0
[[material]]
name = "steel"
young = %[3]g
poisson = 0.3
density = 7860
[[beam]]
name = "beam"
material = "steel"
height = %[4]g
[[rigid]]
name = "flat"
shape = "line"
from = [%[5]g, 0]
to = [%[6]g, 0]
depth = %[7]g
[[fix]]
on = "middle"
components = ["x"]
[[load]]
on = "middle"
force = [0, %[8]g]
%[9]s
[[contact]]
contactor = "beam"
opposite = "flat"
law = "blasted steel"
contact_nodes = "ends"
`, size["width"], increments, size["young"], size["height"], -size["length"], size["length"], size["height"]/10, -size["load"], tableOne)
}

// pressBeam presses the beam in a number of increments.
func pressBeam(size map[string]float64, increments int) (b bent) {
	s := throw.Must(scenes.Start("beam-on-flat.toml", beamDeck(size, increments), scenes.BeamLine(size["length"], size["height"], 20)))
	throw.If(scenes.Finish(s, func() {}))
	c := s.Surfaces[0]
	deflection, pressure := c.PerContactNode(nil, c.Deflections()), c.PerContactNode(nil, c.Pressures())
	for i, x := range c.Positions(nil, s.Mesh.X) {
		switch {
		case x.Y > size["height"]/2:
		case math.Abs(x.X) < 1e-6*size["length"]:
			b.deflection, b.middle = deflection[i], pressure[i]
		case x.X > (0.5-1e-6)*size["length"]:
			b.end = pressure[i]
		}
	}
	if b.middle == 0 {
		throw.If(errors.New("the middle of the beam does not touch the flat"))
	}
	return b
}

func solveBeam(size map[string]float64) Outcome {
	coarse, fine := pressBeam(size, 50), pressBeam(size, 200)
	const within = 1e-3
	out := Outcome{Values: map[string]float64{"middle_deflection": fine.deflection, "middle_pressure": fine.middle, "end_pressure": fine.end}}
	row := func(of, quantity, unit string, known, computed, tolerance float64) {
		out.Rows = append(out.Rows, Row{Case: of, Quantity: quantity, Unit: unit, Known: known, Computed: computed, Tolerance: tolerance})
	}
	if isDefault(beamOnFlatSizes, size) {
		for _, of := range []struct {
			name string
			b    bent
		}{{"50 increments", coarse}, {"200 increments", fine}} {
			row(of.name, "middle_deflection", "m", 6.910e-6, of.b.deflection, within*6.910e-6)
			row(of.name, "middle_pressure", "Pa", 10.892e6, of.b.middle, within*10.892e6)
			row(of.name, "end_pressure", "Pa", 0.016e6, of.b.end, 0.0005e6) // half of the last digit
		}
		return out
	}
	const of = "50 increments against 200"
	row(of, "middle_deflection", "m", coarse.deflection, fine.deflection, within*fine.deflection)
	row(of, "middle_pressure", "Pa", coarse.middle, fine.middle, within*fine.middle)
	row(of, "end_pressure", "Pa", coarse.end, fine.end, 0)
	return out
}
