package published

import (
	"fmt"

	threeballs "fdem/examples/three-balls"
	"fdem/io/throw"
)

// threeBalls runs the paper's two cases in the solver with both of its memories, and also
// integrates the law alone by the paper's method. When compression resumes, the force
// jumps of the basic memory make the last digits depend on the integrator. There the
// solver is compared with an event-driven integration, and the paper's method with the
// paper.
var threeBalls = Problem{
	Name:   "three-balls",
	Title:  "speeds of three elastoplastic balls in a row after repeated impacts",
	Source: "M. Warzecha, R. Grzejda, An improved approach..., Tables 1 and 2 (captions exchanged back)",
	Solve:  solveThreeBalls,
}

func solveThreeBalls() []Row {
	var out []Row
	for _, c := range []struct {
		name, deck, memory string
		value              float64
		paper, engine      [3]float64 // [m/s]
		note               string
	}{
		{"Table 1, (1.5, 1, 0) m/s", threeballs.Second, "basic", 0, [3]float64{0.21764, 0.94188, 1.34048}, [3]float64{0.21764, 0.94188, 1.34048}, "published"},
		{"Table 1, (1.5, 1, 0) m/s", threeballs.Second, "enhanced", 2, [3]float64{0.21764, 0.92441, 1.35795}, [3]float64{0.21764, 0.92441, 1.35795}, "published"},
		{"Table 2, (3, 1, 0) m/s", threeballs.Resumed, "basic", 0, [3]float64{0.29413, 1.29691, 2.40896}, [3]float64{0.294090, 1.296972, 2.408938}, "event-driven limit; the paper's below"},
		{"Table 2, (3, 1, 0) m/s", threeballs.Resumed, "enhanced", 2, [3]float64{0.32373, 1.25946, 2.41681}, [3]float64{0.32373, 1.25946, 2.41681}, "published"},
	} {
		v := throw.Must(threeballs.Run(c.deck, c.memory))
		own := throw.Must(threeballs.Integrate(c.deck, c.value, threeballs.PaperStep))
		for i := range v {
			published := "published"
			if i == 0 {
				published = "published momentum" // the paper prints the second and the third
			}
			note := c.note
			if note == "published" {
				note = published
			}
			quantity := fmt.Sprintf("speed of ball %d, %s", i+1, c.memory)
			out = append(out,
				Row{Case: c.name, Quantity: quantity, Unit: "m/s", Known: c.engine[i], Computed: v[i], Tolerance: 1.1e-5, Note: note},
				Row{Case: c.name, Quantity: quantity + ", paper's method", Unit: "m/s", Known: c.paper[i], Computed: own[i], Tolerance: 1.1e-5, Note: published})
		}
	}
	return out
}
