package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"fdem/io/columns"
	"fdem/io/deck"
	"fdem/io/tables"
	"fdem/materials/contact"
	"fdem/materials/fit"
)

// readColumns reads the columns for every law.
func readColumns(path string) (*columns.Table, fit.Data, error) {
	var data fit.Data
	t, err := columns.Read(path)
	if err != nil {
		return nil, data, err
	}
	if data.D, err = deck.Column(t, "deflection", tables.Length); err != nil {
		return nil, data, err
	}
	if t.Has("rate") {
		if data.Rate, err = deck.Column(t, "rate", tables.Velocity); err != nil {
			return nil, data, err
		}
	}
	histories, err := t.Texts("history")
	for i, h := range histories {
		if i > 0 && h != histories[i-1] {
			data.Starts = append(data.Starts, i)
		}
	}
	return t, data, err
}

// setParameters divides the law's parameters into those to find and those with a
// fixed value.
func setParameters(p *fit.Problem, fix, bounds []string) error {
	for _, list := range []struct {
		flag  string
		texts []string
	}{{"--fix", fix}, {"--bounds", bounds}} {
		for _, s := range list.texts {
			name, _, _ := strings.Cut(s, "=")
			if _, known := p.Model.Parameter(strings.TrimSpace(name)); !known {
				return fmt.Errorf("%s: law %s has no parameter %q: see fdem law show %s", list.flag, p.Model.Name, strings.TrimSpace(name), p.Model.Name)
			}
		}
	}
	var err error
	if p.Fixed, err = lawValues(p.Model, "--fix", fix); err != nil {
		return err
	}
	ranges := map[string]string{}
	for _, s := range bounds {
		name, text, ok := strings.Cut(s, "=")
		name = strings.TrimSpace(name)
		if _, again := ranges[name]; again || !ok {
			return fmt.Errorf("--bounds: expected NAME=FROM:TO, each name once, got %q", s)
		}
		if _, held := p.Fixed[name]; held {
			return fmt.Errorf("--bounds: %s has a fixed value by --fix: give only one of the two", name)
		}
		ranges[name] = text
	}
	for _, q := range p.Model.Parameters {
		text, asked := ranges[q.Name]
		v, held := p.Fixed[q.Name]
		switch {
		case held:
			if err := q.Check(v); err != nil {
				return fmt.Errorf("--fix: %w", err)
			}
		case asked:
			f, err := parseBounds(p.Model, q, text)
			if err != nil {
				return fmt.Errorf("--bounds: %s: %w", q.Name, err)
			}
			p.Free = append(p.Free, f)
		case q.Default != nil:
			p.Fixed[q.Name] = *q.Default
		default:
			f, ok := fit.Box(q, p.Data, powers(p.Model, q))
			if !ok {
				return fmt.Errorf("no range of %s of law %s follows from the data: give --bounds \"%s=FROM:TO %s\", or --fix it", q.Name, p.Model.Name, q.Name, q.Unit)
			}
			p.Free = append(p.Free, f)
		}
	}
	return nil
}

// exponent returns the value of a parameter that is an exponent in a unit: the
// given one, or else its default, or 1 if it is unknown.
func exponent(model contact.Model, values map[string]float64) func(string) (float64, bool) {
	return func(name string) (float64, bool) {
		if v, ok := values[name]; ok {
			return v, true
		}
		q, known := model.Parameter(name)
		if known && q.Default != nil {
			return *q.Default, true
		}
		return 1, known
	}
}

// powers returns the powers of deflection and answer in a parameter's unit. It
// is nil for a parameter without a dimension, and for one whose dimension is
// not a product of powers of those two. For a point law it is always nil, since
// a radius is independent of the size of the deflection.
func powers(model contact.Model, q contact.Parameter) func(map[string]float64) (float64, float64) {
	if q.Unit == "1" || model.Kind == contact.Point {
		return nil
	}
	dimension := func(values map[string]float64) tables.Dimension {
		d, err := tables.ParseDimension(q.Unit, exponent(model, values))
		if err != nil {
			panic(err) // a law's own unit
		}
		return d
	}
	if d := dimension(nil); math.Abs(d.Time+2*d.Mass) > 1e-9 {
		return nil
	}
	return func(values map[string]float64) (float64, float64) {
		d := dimension(values)
		return d.Length + d.Mass, d.Mass // Pa is kg/(m s2)
	}
}

// parseBounds reads "FROM:TO UNIT" or "FROM UNIT:TO UNIT".
func parseBounds(model contact.Model, q contact.Parameter, text string) (fit.Parameter, error) {
	var f fit.Parameter
	from, to, ok := strings.Cut(text, ":")
	if !ok {
		return f, fmt.Errorf("expected FROM:TO, got %q", text)
	}
	low, lowUnit, err := splitNumber(from)
	if err != nil {
		return f, err
	}
	high, unit, err := splitNumber(to)
	if err != nil {
		return f, err
	}
	if lowUnit != "" && lowUnit != unit {
		return f, fmt.Errorf("both ends must have the same unit, got %q and %q", lowUnit, unit)
	}
	scaleAt := func(values map[string]float64) (float64, error) {
		if unit == "" {
			return 1, nil
		}
		dim, err := tables.ParseDimension(q.Unit, exponent(model, values))
		if err != nil {
			return 0, err
		}
		return tables.ParseScale(unit, dim, exponent(model, values))
	}
	scale, err := scaleAt(nil)
	if err != nil {
		return f, err
	}
	if !(low < high) {
		return f, fmt.Errorf("FROM must be below TO, got %g and %g", low, high)
	}
	for _, v := range []float64{low * scale, high * scale} {
		if err := q.Check(v); err != nil && !(v == q.Min && q.OpenMin) {
			return f, err
		}
	}
	f = fit.Between(q, low, high, nil)
	if scale != 1 || q.Unit != "1" {
		f.Scale = func(values map[string]float64) float64 {
			s, err := scaleAt(values)
			if err != nil {
				return math.NaN() // no valid law has it
			}
			return s
		}
	}
	return f, nil
}

// splitNumber separates a number from its unit.
func splitNumber(text string) (float64, string, error) {
	text = strings.TrimSpace(text)
	for end := len(text); end > 0; end-- {
		if v, err := strconv.ParseFloat(text[:end], 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v, strings.TrimSpace(text[end:]), nil
		}
	}
	return 0, "", fmt.Errorf("expected a number with a unit, got %q", text)
}
