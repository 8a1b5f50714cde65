// Package fit calibrates contact laws (parameter identification by nonlinear
// least squares): it finds the parameters from measured load-unload-reload
// histories. First comes a Monte Carlo search of a box, as R. Kostek did for
// his law (J. Theor. Appl. Mech. 50(2), 2012, section 2), then a local
// refinement, then confidence intervals from a bootstrap. The result tells
// which parameters the data determine.
package fit

import (
	"math"

	"fdem/materials/contact"
)

// Data is a measurement, in the order in which it was made.
type Data struct {
	D      []float64 // deflection [m]
	Rate   []float64 // deflection rate [m/s]; nil for zero throughout
	Answer []float64 // pressure [Pa] of a surface law, force [N] of a point law
	Starts []int     // rows, ascending, at which another virgin contact begins; row 0 always does
}

// Largest returns the greatest deflection and the greatest answer.
func (d Data) Largest() (deflection, answer float64) {
	for i := range d.D {
		deflection, answer = max(deflection, d.D[i]), max(answer, d.Answer[i])
	}
	return deflection, answer
}

// Unloads tells whether the answer falls from its peak so far by more than a
// tenth of the greatest.
func (d Data) Unloads() bool {
	_, most := d.Largest()
	peak, starts := 0.0, d.Starts
	for i, p := range d.Answer {
		if len(starts) > 0 && starts[0] == i {
			peak, starts = 0, starts[1:]
		}
		if peak = max(peak, p); p < peak-float64(0.1*most) {
			return true
		}
	}
	return false
}

// thin keeps about most rows, with every turning point and the ends of every
// history, since they determine a law's memory.
func (d Data) thin(most int) Data {
	n := len(d.D)
	if n <= most {
		return d
	}
	keep := make([]bool, n)
	for i := range most {
		keep[i*(n-1)/(most-1)] = true
	}
	for _, i := range d.Starts {
		keep[i] = true
		if i > 0 {
			keep[i-1] = true
		}
	}
	d.turns(keep)
	var t Data
	starts := d.Starts
	for i := range n {
		if len(starts) > 0 && starts[0] == i {
			t.Starts, starts = append(t.Starts, len(t.D)), starts[1:]
		}
		if !keep[i] {
			continue
		}
		t.D, t.Answer = append(t.D, d.D[i]), append(t.Answer, d.Answer[i])
		if d.Rate != nil {
			t.Rate = append(t.Rate, d.Rate[i])
		}
	}
	return t
}

// turns marks the rows at which the deflection reverses by more than a
// hundredth of the greatest, so that noise makes no turning points.
func (d Data) turns(keep []bool) {
	largest, _ := d.Largest()
	band := 0.01 * largest
	at, up := 0, true // the extreme since the last turn
	for i, x := range d.D {
		switch {
		case up && x > d.D[at] || !up && x < d.D[at]:
			at = i
		case math.Abs(x-d.D[at]) > band:
			keep[at] = true
			at, up = i, !up
		}
	}
	keep[at] = true
}

// runner drives one contact node through the data, without allocating.
type runner struct {
	d, rate, memory  []float64
	p, dp, k, stored [1]float64
}

func newRunner(memory int) *runner {
	return &runner{d: make([]float64, 1), rate: make([]float64, 1), memory: make([]float64, memory)}
}

// run fills answer with the law's answers to the data's deflections.
func (r *runner) run(law contact.Law, data Data, answer []float64) {
	clear(r.memory)
	in := contact.Input{D: r.d, Rate: r.rate, Mem: r.memory}
	out := contact.Output{P: r.p[:], DP: r.dp[:], K: r.k[:], W: r.stored[:], Mem: r.memory}
	starts := data.Starts
	for i, d := range data.D {
		if len(starts) > 0 && starts[0] == i {
			clear(r.memory)
			starts = starts[1:]
		}
		r.d[0] = d
		if data.Rate != nil {
			r.rate[0] = data.Rate[i]
		}
		law.Eval(in, out)
		answer[i] = r.p[0]
	}
}
