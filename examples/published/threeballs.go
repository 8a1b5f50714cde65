package published

import (
	"fmt"

	threeballs "fdem/examples/three-balls"
)

// threeBalls runs the paper's two cases in the engine with both of its
// memories, and integrates the law alone beside it: the basic memory's jumps of
// force leave the last digits of its second case to the integrator.
var threeBalls = Problem{
	Name:   "three-balls",
	Title:  "speeds of three elastoplastic balls in a row after repeated impacts",
	Source: "M. Warzecha, R. Grzejda, An improved approach..., Tables 1 and 2 (captions exchanged back)",
	Solve:  solveThreeBalls,
}

func solveThreeBalls() ([]Row, error) {
	var out []Row
	for _, c := range []struct {
		name, deck, memory string
		value              float64
		known              [3]float64 // [m/s]
		tolerance          float64    // of the engine
		note               string
	}{
		{"Table 1, (1.5, 1, 0) m/s", threeballs.Second, "basic", 0, [3]float64{0.21763, 0.94188, 1.34048}, 1e-5, "published"},
		{"Table 1, (1.5, 1, 0) m/s", threeballs.Second, "enhanced", 2, [3]float64{0.21763, 0.92441, 1.35795}, 1e-5, "published"},
		{"Table 2, (3, 1, 0) m/s", threeballs.Resumed, "basic", 0, [3]float64{0.29412, 1.29691, 2.40896}, 1e-4, "published; event-driven 0.29409, 1.29697, 2.40894"},
		{"Table 2, (3, 1, 0) m/s", threeballs.Resumed, "enhanced", 2, [3]float64{0.32374, 1.25946, 2.41681}, 1e-5, "published"},
	} {
		v, err := threeballs.Run(c.deck, c.memory)
		if err != nil {
			return nil, err
		}
		own, err := threeballs.Integrate(c.deck, c.value, 2e-8)
		if err != nil {
			return nil, err
		}
		for i, known := range c.known {
			note := c.note
			if i == 0 {
				note = "by momentum of the " + note // the paper prints the second and the third
			}
			quantity := fmt.Sprintf("speed of ball %d, %s", i+1, c.memory)
			out = append(out,
				Row{Case: c.name, Quantity: quantity, Unit: "m/s", Known: known, Computed: v[i], Tolerance: 1.1 * c.tolerance, Note: note},
				Row{Case: c.name, Quantity: quantity + ", law alone", Unit: "m/s", Known: known, Computed: own[i], Tolerance: 1.1e-5, Note: note})
		}
	}
	return out, nil
}
