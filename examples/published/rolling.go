package published

import (
	"fmt"
	"math"

	"fdem/examples/scenes"
	"fdem/io/tables"
	"fdem/io/throw"
	"fdem/materials/contact"
	"fdem/solver"
)

// rolling lets a rigid cylinder roll over a flat of rough steel with memory. In front of
// the axis the flat is loaded for the first time. Behind the axis it unloads from the
// pressure that it had under the axis. So the resultant is in front of the axis, at an
// arm, and resists rolling. A residual deflection remains.
//
// The known values are that steady state by quadrature of the law along the parabola
// under the cylinder, independently of the solver.
var rolling = Problem{
	Name:    "rolling-cylinder",
	Title:   "rigid cylinder that rolls over a rough flat with memory",
	Source:  "R. Kostek, J. Theor. Appl. Mech. 50(2), 2012, section 3.1",
	Sizes:   rollingSizes,
	SolveAt: solveRolling,
}

var rollingSizes = []Size{
	{"diameter", "of the cylinder", tables.Length, 0.1},
	{"length", "of the cylinder", tables.Length, 0.1},
	{"load", "the force on it", tables.Force, 611.7},
}

// roll is a rolling cylinder in steady state.
type roll struct {
	deflection float64 // the greatest [m]
	arm        float64 // of the resultant in front of the axis [m]
	peak       float64 // pressure [Pa]
	residual   float64 // deflection that stays [m]
	front      float64 // where contact begins, from the axis [m]
}

// Table 1 of the paper.
const tableOne = `
[[law]]
name = "blasted steel"
model = "kostek"
e_p = "0.534 um/MPa^0.653"
m_p = 0.653
e_e = "1.148 um/MPa^0.462"
m_e = 0.462
e_l = "0.302 um/MPa^0.462"
e_u = "0.523 um/MPa^0.462"
m_ep = 0.462
`

// steadyRoll integrates the law along the parabola under a cylinder of radius r and
// length l that carries a load.
func steadyRoll(r, l, load float64) roll {
	k := scenes.BlastedSteel()
	const parts = 4000
	at := func(d float64) (out roll, force float64) {
		out = roll{deflection: d, front: math.Sqrt(2 * r * d)}
		virgin, pressed := contact.NewNode(k), contact.NewNode(k)
		out.peak = pressed.Move(d, 0).P
		out.residual = pressed.Memory[1]
		sum, moment := 0.0, 0.0
		for i := range parts { // both sides at once, by the middle of each part
			x := out.front * (float64(i) + 0.5) / parts
			under := d - x*x/(2*r)
			ahead, behind := virgin.Try(under, 0).P, pressed.Try(under, 0).P
			sum += ahead + behind
			moment += (ahead - behind) * x
		}
		out.arm = moment / sum
		return out, sum * out.front / parts * l
	}
	low, high := 0.0, 1e-6
	for _, f := at(high); f < load; _, f = at(high) {
		high *= 2
	}
	for range 60 {
		d := 0.5 * (low + high)
		if _, f := at(d); f < load {
			low = d
		} else {
			high = d
		}
	}
	out, _ := at(high)
	return out
}

// rollingDeck returns the deck of the problem: pressed at the start, rolled forth and
// back with increments of a hundredth of the front of the contact. front is the length of
// that [m], fine the number of contact nodes on it.
func rollingDeck(r, l, load, front float64, fine int) string {
	distance := 6 * front
	edges := 20
	return fmt.Sprintf(`title = "Rigid cylinder on a rough flat (Kostek 2012, section 3.1)"
[analysis]
type = "static"
thickness = %[2]g
increments = 1250
[output]
fields_every = 0
[[rigid]]
name = "flat"
shape = "line"
from = [%[5]g, 0]
to = [%[6]g, 0]
edges = %[7]d
depth = %[8]g
[[rigid]]
name = "cylinder"
shape = "disc"
centre = [0, %[1]g]
radius = %[1]g
depth = %[8]g
motion = ["%[9]g * (min(max(t - 0.04, 0)/0.48, 1) - max(t - 0.52, 0)/0.48)", "free", 0]
[[load]]
on = "cylinder"
force = [0, %[3]g]
schedule = [[0, 0], [0.04, 1]]
%[4]s
[[contact]]
contactor = "flat"
opposite = "cylinder"
law = "blasted steel"
nodes_per_element = %[10]d
`, r, l, -load, tableOne, -2*front, distance+2*front, edges, front, distance, max(1, 10*fine/edges))
}

// rollThereAndBack computes the first pass, over its last third, and the second one,
// backwards over the same track, over its middle third.
func rollThereAndBack(text string, r, distance float64) (first, second roll) {
	s := throw.Must(scenes.Start("rolling-cylinder.toml", text, nil))
	var rows [2]float64
	throw.If(scenes.Finish(s, func() {
		c, pose := s.Surfaces[0], s.RigidMotions[1]
		if s.Time <= 0.52 { // until the cylinder turns back
			first.residual = trackLeft(s, distance/2, distance*2/3)
		}
		k := 0
		switch {
		case s.Time > 0.36 && s.Time <= 0.52:
		case s.Time > 0.68 && s.Time <= 0.84:
			k = 1
		default:
			return
		}
		to := [2]*roll{&first, &second}[k]
		sum, moment, peak := 0.0, 0.0, 0.0
		pressure := c.PerContactNode(nil, c.Pressures())
		for i, x := range c.Positions(nil, s.X) {
			p := pressure[i]
			sum += p
			moment += p * (x.X - pose.Centre.X)
			peak = max(peak, p)
		}
		rows[k]++
		to.deflection += r - pose.Centre.Y
		to.arm += math.Abs(moment / sum)
		to.peak += peak
	}))
	for k, to := range [2]*roll{&first, &second} {
		to.deflection /= rows[k]
		to.arm /= rows[k]
		to.peak /= rows[k]
	}
	return first, second
}

// trackLeft returns the mean residual deflection between two points.
func trackLeft(s *solver.Solver, from, to float64) float64 {
	c := s.Surfaces[0]
	left := c.PerContactNode(nil, c.MemoryValues("plastic_deflection"))
	sum, n := 0.0, 0.0
	for i, x := range c.Positions(nil, s.X) {
		if x.X > from && x.X < to {
			sum += left[i]
			n++
		}
	}
	return sum / n
}

// frontNodes is the number of contact nodes on the front of the contact in the problem.
const frontNodes = 400

func solveRolling(size map[string]float64) Outcome {
	r, l, load := size["diameter"]/2, size["length"], size["load"]
	known := steadyRoll(r, l, load)
	if known.deflection > 0.01*r {
		throw.If(fmt.Errorf("the load is too great: it presses the cylinder %g m deep, and the parabola stands for a circle of radius %g m", known.deflection, r))
	}
	first, second := rollThereAndBack(rollingDeck(r, l, load, known.front, frontNodes), r, 6*known.front)
	const within = 1e-3
	name := fmt.Sprintf("%d nodes on the front", frontNodes)
	row := func(quantity, unit string, known, computed float64) Row {
		return Row{Case: name, Quantity: quantity, Unit: unit, Known: known, Computed: computed, Tolerance: within * known, Note: "quadrature of the steady state"}
	}
	out := Outcome{
		Rows: []Row{
			row("d_max", "m", known.deflection, first.deflection),
			row("arm", "m", known.arm, first.arm),
			row("peak_pressure", "Pa", known.peak, first.peak),
			row("residual", "m", known.residual, first.residual),
		},
		Values: map[string]float64{
			"d_max": first.deflection, "arm": first.arm, "peak_pressure": first.peak, "residual": first.residual,
			"second_pass_arm": second.arm, "second_pass_d_max": second.deflection,
		},
	}
	if isDefault(rollingSizes, size) {
		const paper = "printed in the paper"
		out.Rows = append(out.Rows,
			Row{Case: paper, Quantity: "d_max", Unit: "m", Known: 6.07e-6, Computed: first.deflection, Note: "for comparison: 0.15 % above the quadrature"},
			Row{Case: paper, Quantity: "arm", Unit: "m", Known: 0.072e-3, Computed: first.arm, Tolerance: 0.5e-6, Note: "half of the last digit"})
	}
	out.Rows = append(out.Rows, Row{Case: "second pass over the track", Quantity: "arm", Unit: "m", Known: first.arm, Computed: second.arm, Note: "for comparison: the first pass"})
	return out
}
