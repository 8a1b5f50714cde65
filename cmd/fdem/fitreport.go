package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"fdem/io/tables"
	"fdem/materials/contact"
	"fdem/materials/fit"
)

// fitReport is fit.json.
type fitReport struct {
	Name      string         `json:"name"` // of the [[law]]
	Model     string         `json:"model"`
	File      string         `json:"file"`
	Rows      int            `json:"rows"`
	Histories int            `json:"histories"`
	Unloads   bool           `json:"unloads"` // the data have unloading
	Noise     string         `json:"noise"`
	RMS       float64        `json:"rms"`          // of measured less fitted, in Unit
	Relative  float64        `json:"rms_relative"` // relative to the greatest reading, or to each reading for proportional noise
	Unit      string         `json:"unit"`
	Largest   [2]float64     `json:"largest"` // deflection [m] and answer [Unit]
	Starts    int            `json:"starts"`
	Agree     int            `json:"agree"` // number of starts that ended at the same minimum
	Seed      uint64         `json:"seed"`
	Replicas  int            `json:"replicas"`
	Fitted    []fitParameter `json:"parameters"`
	answer    string         // "pressure" or "force"
	model     contact.Model
}

// fitParameter is a parameter of the law in the unit in which it is shown.
type fitParameter struct {
	Name       string      `json:"name"`
	Value      float64     `json:"value"`
	Unit       string      `json:"unit"`
	SI         float64     `json:"si"`
	Held       bool        `json:"held"`
	Interval   *[2]float64 `json:"interval_95,omitempty"` // in Unit
	Error      *float64    `json:"relative_error,omitempty"`
	Determined bool        `json:"determined"`
	Idle       bool        `json:"idle"` // the data do not depend on it
}

// shown returns a unit for a parameter and its value in SI: a flexibility has a
// unit of um and MPa, all else is in SI.
func shown(q contact.Parameter, values map[string]float64) (unit string, scale float64) {
	if name, ok := strings.CutPrefix(q.Unit, "m/Pa^"); ok {
		return "um/MPa^" + name, 1e-6 * math.Pow(1e6, -values[name])
	}
	return q.Unit, 1
}

func newFitReport(p *fit.Problem, res *fit.Result, file, name string) *fitReport {
	d, a := p.Data.Largest()
	rep := &fitReport{
		Name: name, Model: p.Model.Name, File: file, Rows: len(p.Data.D), Histories: 1 + len(p.Data.Starts),
		Unloads: p.Data.Unloads(), Noise: res.Noise.String(), RMS: res.RMS, Relative: res.Weighted,
		Unit: "Pa", Largest: [2]float64{d, a}, Starts: res.Starts, Agree: res.Agree, Seed: p.Seed,
		Replicas: len(res.ReplicaValues), answer: "pressure", model: p.Model,
	}
	if p.Model.Kind == contact.Point {
		rep.Unit, rep.answer = "N", "force"
	}
	for _, q := range p.Model.Parameters {
		unit, scale := shown(q, res.Values)
		f := fitParameter{Name: q.Name, Unit: unit, SI: res.Values[q.Name], Value: res.Values[q.Name] / scale, Held: true, Determined: true}
		for _, e := range res.Estimates {
			if e.Name != q.Name {
				continue
			}
			f.Held, f.Determined, f.Idle = false, e.Determined, e.Idle
			if !math.IsInf(e.Error, 0) {
				f.Error = &e.Error
			}
			if e.Determined && len(res.ReplicaValues) > 1 {
				var v []float64
				for _, r := range res.ReplicaValues {
					_, scale := shown(q, r)
					v = append(v, r[q.Name]/scale)
				}
				low, high := fit.Interval(v, 0.95)
				f.Interval = &[2]float64{low, high}
			}
		}
		rep.Fitted = append(rep.Fitted, f)
	}
	return rep
}

// print writes the report as text.
func (rep *fitReport) print(out io.Writer) {
	histories := "1 history"
	if rep.Histories > 1 {
		histories = fmt.Sprintf("%d histories", rep.Histories)
	}
	fmt.Fprintf(out, "%s fitted to %s: %d rows in %s, deflection to %.4g m, %s to %.4g %s\n", rep.Model, rep.File, rep.Rows, histories, rep.Largest[0], rep.answer, rep.Largest[1], rep.Unit)
	of := "the greatest " + rep.answer
	if rep.Noise == fit.Proportional.String() {
		of = "the reading"
	}
	fmt.Fprintf(out, "RMS error %.4g %s; %.3g %% of %s, noise %s\n", rep.RMS, rep.Unit, 100*rep.Relative, of, rep.Noise)
	fmt.Fprintf(out, "%d of %d starts ended at this minimum; seed %d, %d bootstrap replicas\n\n", rep.Agree, rep.Starts, rep.Seed, rep.Replicas)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "parameter\tvalue\tunit\t95 % interval")
	for _, p := range rep.Fitted {
		fmt.Fprintf(w, "%s\t%.5g\t%s\t%s\n", p.Name, p.Value, p.Unit, p.interval())
	}
	w.Flush()
	for _, line := range rep.warnings() {
		fmt.Fprintf(out, "\n%s\n", line)
	}
}

// interval returns the confidence interval as text.
func (p *fitParameter) interval() string {
	switch {
	case p.Held:
		return "held"
	case !p.Determined:
		return "not determined"
	case p.Interval == nil:
		return fmt.Sprintf("+-%.2g %% (standard error)", 100**p.Error)
	}
	return fmt.Sprintf("%.5g to %.5g", p.Interval[0], p.Interval[1])
}

// warnings returns texts about parameters that the data cannot determine, with
// the reason.
func (rep *fitReport) warnings() []string {
	var idle, mixed, lines []string
	for _, p := range rep.Fitted {
		if p.Idle {
			idle = append(idle, p.Name)
		} else if !p.Determined {
			mixed = append(mixed, p.Name)
		}
	}
	if len(idle) > 0 {
		lines = append(lines, fmt.Sprintf("these data cannot determine %s: the fit does not depend on it", strings.Join(idle, ", ")))
	}
	if len(mixed) > 0 {
		lines = append(lines, fmt.Sprintf("these data determine %s only together, since the others can compensate a change of one: fix some with --fix", strings.Join(mixed, ", ")))
	}
	if len(lines) > 0 && !rep.Unloads && len(rep.model.Parameters) > 1 {
		lines = append(lines, "the data have no unloading: measure a load-unload-reload history")
	}
	return lines
}

// block is the [[law]] for a deck.
func (rep *fitReport) block(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[[law]]                # fitted to %s, RMS error %.3g %% (%s noise)\nname = %s\nmodel = %q\n",
		strings.ReplaceAll(rep.File, "\n", " "), 100*rep.Relative, rep.Noise, tables.Quote(name), rep.Model)
	digits := func(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }
	for _, p := range rep.Fitted {
		value := digits(p.Value)
		if unit, of, ok := strings.Cut(p.Unit, "^"); ok {
			for _, q := range rep.Fitted { // the digits in the block
				if q.Name == of {
					value = fmt.Sprintf("%q", value+" "+unit+"^"+digits(q.Value))
				}
			}
		} else if p.Unit != "1" {
			value = fmt.Sprintf("%q", value+" "+p.Unit)
		}
		warning := ""
		if !p.Determined {
			warning = "  # not determined by the data"
		}
		fmt.Fprintf(&b, "%s = %s%s\n", p.Name, value, warning)
	}
	return b.String()
}
