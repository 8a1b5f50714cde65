package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"fdem/io/columns"
	"fdem/io/deck"
	"fdem/io/tables"
	"fdem/io/view"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/materials/contact"
)

// cohesivePrefix is the prefix of the names of softening curves in the library,
// since "linear" is also a contact law.
const cohesivePrefix = "cohesive-"

// lawNames returns the names of all laws of the library, sorted.
func lawNames() []string {
	names := append(contact.Names(), bulk.Names()...)
	for _, c := range cohesive.Curves() {
		names = append(names, cohesivePrefix+c)
	}
	slices.Sort(names)
	return names
}

// cohesiveModel returns the description of a curve's cohesive law for the
// library. build makes the law from complete values.
func cohesiveModel(curve cohesive.SofteningCurve) (model contact.Model, build func(values map[string]float64) (*cohesive.Law, error)) {
	friction, mixed := 0.6, 2.0
	positive := func(name, unit, doc string) contact.Parameter {
		return contact.Parameter{Name: name, Doc: doc, Unit: unit, OpenMin: true, Max: math.Inf(1)}
	}
	model = contact.Model{
		Name: cohesivePrefix + curve.Name, Title: curve.Title, Source: curve.Source, Formula: curve.Formula,
		Parameters: []contact.Parameter{
			positive("tensile_strength", "Pa", "tensile strength"),
			positive("cohesion", "Pa", "shear strength without pressure"),
			{Name: "friction", Doc: "coefficient of internal friction, and of friction of broken faces", Unit: "1", Max: math.Inf(1), Default: &friction},
			positive("energy_tension", "J/m2", "fracture energy in tension, G_I"),
			positive("energy_shear", "J/m2", "fracture energy in shear, G_II"),
			positive("mixed", "1", "exponent of Benzeggagh and Kenane for fracture in a mixed mode"),
		},
	}
	model.Parameters[5].Default = &mixed
	var law *cohesive.Law
	model.New = func(v map[string]float64) (_ contact.Law, err error) {
		law, err = cohesive.New(cohesive.Parameters{
			TensileStrength: v["tensile_strength"], Cohesion: v["cohesion"], Friction: v["friction"],
			EnergyTension: v["energy_tension"], EnergyShear: v["energy_shear"], Mixed: v["mixed"], Softening: curve.Name,
		})
		return nil, err
	}
	return model, func(values map[string]float64) (*cohesive.Law, error) {
		_, err := model.Build(values)
		return law, err
	}
}

// lookupCohesive returns the softening curve of a name in the library, false if
// the name is not that of one.
func lookupCohesive(name string) (cohesive.SofteningCurve, bool) {
	rest, ok := strings.CutPrefix(name, cohesivePrefix)
	if !ok {
		return cohesive.SofteningCurve{}, false
	}
	curve, err := cohesive.Lookup(rest)
	return curve, err == nil
}

// showCohesive prints the output of fdem law show for a cohesive law.
func showCohesive(out io.Writer, curve cohesive.SofteningCurve) error {
	model, _ := cohesiveModel(curve)
	fmt.Fprintf(out, "%s: %s\nkind: cohesive, traction [Pa] from the opening [m] of a crack: softening = %q\nsource: %s\n\n", model.Name, model.Title, curve.Name, model.Source)
	for line := range strings.SplitSeq(model.Formula, "\n") {
		fmt.Fprintf(out, "  %s\n", line)
	}
	fmt.Fprint(out, "  f, G: strength and energy at the ratio of the modes; the area below the curve is G\n\n")
	return showParameters(out, model)
}

// cohesiveOptions are the flags of law curve that only cohesive laws take.
type cohesiveOptions struct{ angle, pressure, stiffness string }

func (o *cohesiveOptions) given() string {
	for _, f := range []struct{ name, value string }{{"angle", o.angle}, {"pressure", o.pressure}, {"stiffness", o.stiffness}} {
		if f.value != "" {
			return "--" + f.name
		}
	}
	return ""
}

// crack is a point of a crack under a law of the library.
type crack struct {
	*cohesive.Driven
	name string
}

// cracks opens a point of each law at its strength. It also returns the
// direction of the path: cosine along the opening, sine along the slip.
func (o *cohesiveOptions) cracks(names, set []string) (points []crack, cos, sin float64, err error) {
	angle, pressure, stiffness := 0.0, 0.0, 0.0
	for _, f := range []struct {
		name, text string
		dim        tables.Dimension
		to         *float64
		most       float64
	}{
		{"angle", o.angle, tables.None, &angle, math.Pi / 2},
		{"pressure", o.pressure, tables.Pressure, &pressure, math.MaxFloat64},
		{"stiffness", o.stiffness, tables.Dimension{Length: -2, Mass: 1, Time: -2}, &stiffness, math.MaxFloat64},
	} {
		if f.text == "" {
			continue
		}
		v, err := tables.ParseQuantity(f.text, f.dim)
		if err == nil && !(v >= 0 && v <= f.most) {
			err = errors.New("must not be negative")
			if f.name == "angle" {
				err = errors.New(`must be from 0, tension, to "90 deg", shear`)
			}
		}
		if err != nil {
			return nil, 0, 0, fmt.Errorf("--%s %q: %w", f.name, f.text, err)
		}
		*f.to = v
	}
	sin, cos = math.Sincos(angle)
	if pressure > 0 {
		if o.angle != "" {
			return nil, 0, 0, errors.New("--pressure is for shear at a constant pressure: --angle does not go with it")
		}
		sin, cos = 1, 0
	}
	for _, name := range names {
		curve, _ := lookupCohesive(name)
		model, build := cohesiveModel(curve)
		values, err := lawValues(model, "--set", set)
		if err != nil {
			return nil, 0, 0, err
		}
		law, err := build(values)
		if err != nil {
			return nil, 0, 0, err
		}
		mixity := sin * sin
		size, energy := law.Onset(mixity), law.Energy.Energy(mixity)
		start := cohesive.Start{Normal: size * cos, Shear: size * sin, Energy: energy, Stiffness: stiffness}
		if stiffness == 0 {
			start.Stiffness = 100 * size * size / energy
		}
		if pressure > 0 {
			start.Normal, start.Shear = -pressure, law.Strength.Cohesion+law.Friction*pressure
		}
		points = append(points, crack{law.Drive(start), name})
	}
	return points, cos, sin, nil
}

// crackPath returns openings and slips of the path [m].
func (o *curveOptions) crackPath(cos, sin float64) (openings, slips []float64, err error) {
	if o.file != "" {
		t, err := columns.Read(o.file)
		if err != nil {
			return nil, nil, err
		}
		if openings, err = deck.Column(t, "opening", tables.Length); err != nil {
			return nil, nil, err
		}
		slips = make([]float64, len(openings))
		if t.Has("slip") {
			slips, err = deck.Column(t, "slip", tables.Length)
		}
		return openings, slips, err
	}
	path, err := parsePath(o.spec)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range path {
		openings, slips = append(openings, cos*p.deflection), append(slips, sin*p.deflection)
	}
	return openings, slips, nil
}

// cohesiveCurve is fdem law curve for cohesive laws.
func cohesiveCurve(out io.Writer, names []string, o *curveOptions) error {
	if o.speed != "" {
		return errors.New("--speed is for contact laws: cohesive laws do not depend on a rate here")
	}
	points, cos, sin, err := o.cohesive.cracks(names, o.set)
	if err != nil {
		return err
	}
	openings, slips, err := o.crackPath(cos, sin)
	if err != nil {
		return err
	}
	if o.draws() {
		return o.save(out, drawCracks(points, openings, slips, sin > cos))
	}
	w := bufio.NewWriter(out)
	if len(points) > 1 {
		fmt.Fprint(w, "law,")
	}
	fmt.Fprintln(w, "opening,slip,normal,shear,stored,dissipated,rubbed,damage")
	row := make([]byte, 0, 256)
	for _, c := range points {
		for i := range openings {
			c.To(openings[i], slips[i])
			row = row[:0]
			if len(points) > 1 {
				row = append(append(row, c.name...), ',')
			}
			row = appendRow(row, openings[i], slips[i], c.Normal, c.Shear, c.Stored, c.Dissipated, c.FrictionWork, c.Damage)
			if _, err := w.Write(row); err != nil {
				return &exitError{exitFailed, err}
			}
		}
	}
	if err := w.Flush(); err != nil {
		return &exitError{exitFailed, err}
	}
	return nil
}

// drawCracks draws traction over opening, or shear over slip: loading in full lines,
// unloading dashed.
func drawCracks(points []crack, openings, slips []float64, shear bool) *view.Diagram {
	d := &view.Diagram{Title: "Cohesive laws"}
	if len(points) == 1 {
		d.Title = "Cohesive law " + points[0].name
	}
	along := openings
	d.X, d.Y = "opening", "normal traction"
	if shear {
		along, d.X, d.Y = slips, "slip", "shear traction"
	}
	top, far := 0.0, 0.0
	for _, c := range points {
		leg := legs{Curve: view.Curve{Name: c.name}}
		for i, x := range along {
			c.To(openings[i], slips[i])
			y := c.Normal
			if shear {
				y = c.Shear
			}
			leg.add(x, y)
			top, far = max(top, math.Abs(y)), max(far, math.Abs(x))
		}
		d.Curves = append(append(d.Curves, leg.done...), leg.Curve)
	}
	scaleAxes(d, far, top, pressures)
	return d
}
