package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/materials/parameter"
)

// bulkSize is the size of the triangle in fdem law curve [m]. Softening depends on it.
const bulkSize = 0.01

// bulkOf returns the law of a material from the texts of --set: its elastic constants,
// parameters and tables, as in "branches=0.5:1e-3 0.2:1".
func bulkOf(model bulk.Model, set []string) (bulk.Law, error) {
	c := bulk.Constants{Value: map[string]float64{}, Curve: map[string][][2]float64{}}
	var plain []string
	for _, s := range set {
		name, text, _ := strings.Cut(s, "=")
		if i := indexCurve(model, strings.TrimSpace(name)); i < 0 {
			plain = append(plain, s)
		} else {
			pairs, err := readPairs(text)
			if err != nil {
				return nil, fmt.Errorf("--set: %s: %w", name, err)
			}
			c.Curve[model.Curves[i].Name] = pairs
		}
	}
	density := 1000.0
	all := append(parameter.List{
		{Name: "young", Unit: "Pa"}, {Name: "poisson", Unit: "1"}, {Name: "density", Unit: "kg/m3", Default: &density},
	}, model.Parameters...)
	for i := range all { // units that the reader of quantities does not have
		all[i].Unit = strings.NewReplacer("/(kg K)", "/kg").Replace(all[i].Unit)
		if u := all[i].Unit; u == "K" || u == "deg" {
			all[i].Unit = "1"
		}
	}
	values, err := lawValues(contact.Model{Parameters: all}, "--set", plain)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"young", "poisson"} {
		if _, given := values[name]; !given {
			return nil, fmt.Errorf("--set: law %s needs %s, the value at zero strain", model.Name, name)
		}
	}
	e := bulk.Elastic{Name: "set", Young: values["young"], Poisson: values["poisson"], Density: density}
	if v, given := values["density"]; given {
		e.Density = v
	}
	if err := e.Validate(); err != nil {
		return nil, fmt.Errorf("--set: %w", err)
	}
	for name, v := range values {
		if name != "young" && name != "poisson" && name != "density" {
			c.Value[name] = v
		}
	}
	return model.Build(e, c)
}

func indexCurve(model bulk.Model, name string) int {
	for i, c := range model.Curves {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// readPairs reads "x:y x:y".
func readPairs(text string) (out [][2]float64, err error) {
	for _, word := range strings.Fields(text) {
		x, y, ok := strings.Cut(word, ":")
		a, errX := strconv.ParseFloat(x, 64)
		b, errY := strconv.ParseFloat(y, 64)
		if !ok || errX != nil || errY != nil {
			return nil, fmt.Errorf("expected pairs x:y of plain numbers in SI, separated by blanks, got %q", word)
		}
		out = append(out, [2]float64{a, b})
	}
	return out, nil
}

// stretched is one triangle in plane stress, strained along x and free along y.
type stretched struct {
	law    bulk.Law
	in     bulk.Input
	out    bulk.Output
	strain float64 // logarithmic strain, along and across
	across float64
}

func newStretched(law bulk.Law) *stretched {
	one := func(v float64) []float64 { return []float64{v} }
	p := &stretched{law: law}
	p.in = bulk.Input{Plane: bulk.PlaneStress, FXX: one(1), FXY: one(0), FYX: one(0), FYY: one(1), Size: one(bulkSize), BXX: one(1), BXY: one(0), BYX: one(0), BYY: one(1)}
	p.out = bulk.Output{TXX: one(0), TYY: one(0), TXY: one(0), TZZ: one(0), Thickness: one(1), Energy: one(0)}
	for _, v := range law.Memory() {
		p.in.Mem, p.out.Mem = append(p.in.Mem, one(v.First)), append(p.out.Mem, one(v.First))
	}
	return p
}

// to strains the triangle to a logarithmic strain within a time [s].
func (p *stretched) to(strain, time float64) {
	p.in.Step, p.in.FXX[0] = time, elementary.Exp(strain)
	reach := 1e-3 + math.Abs(strain-p.strain)
	p.strain = strain
	for low, high := p.across-reach, p.across+reach; ; {
		p.across = 0.5 * (low + high)
		p.in.FYY[0] = elementary.Exp(p.across)
		p.law.Eval(&p.in, &p.out)
		if p.across == low || p.across == high {
			break
		}
		if p.out.TYY[0] > 0 {
			high = p.across
		} else {
			low = p.across
		}
	}
	p.in.Mem, p.out.Mem = p.out.Mem, p.in.Mem
	p.in.BXX[0], p.in.BYY[0] = p.in.FXX[0], p.in.FYY[0]
}

// bulkCurve is fdem law curve for the law of a material: a triangle in plane stress, in
// tension and compression along x, free across.
func bulkCurve(out io.Writer, names []string, o *curveOptions) error {
	if len(names) > 1 {
		return errors.New("name one law of a material only: several cannot be drawn together")
	}
	if o.draws() || o.file != "" {
		return errors.New("the curve of a law of a material is written as CSV along --path: leave --svg, --png and --path-csv out")
	}
	model, _ := bulk.Lookup(names[0])
	law, err := bulkOf(model, o.set)
	if err != nil {
		return err
	}
	path, err := o.path()
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprint(w, "strain,stress,kirchhoff,across,stored")
	for _, v := range law.Memory() {
		if v.Shown || v.Name == bulk.PlasticWork || v.Name == bulk.ViscousWork {
			fmt.Fprint(w, ",", v.Name)
		}
	}
	fmt.Fprintln(w)
	p := newStretched(law)
	last := 0.0
	row := make([]float64, 0, 16)
	for _, at := range path {
		time := 0.0
		if at.rate != 0 {
			time = (at.deflection - last) / at.rate
		}
		p.to(at.deflection, time)
		last = at.deflection
		j := p.in.FXX[0] * p.in.FYY[0] * p.out.Thickness[0]
		row = append(row[:0], at.deflection, p.out.TXX[0]/j, p.out.TXX[0], p.across, p.out.Energy[0])
		for i, v := range law.Memory() {
			if v.Shown || v.Name == bulk.PlasticWork || v.Name == bulk.ViscousWork {
				row = append(row, p.in.Mem[i][0])
			}
		}
		if _, err := w.Write(appendRow(nil, row...)); err != nil {
			return &exitError{exitFailed, err}
		}
	}
	if err := w.Flush(); err != nil {
		return &exitError{exitFailed, err}
	}
	return nil
}
