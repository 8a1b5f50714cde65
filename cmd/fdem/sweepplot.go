package main

import (
	"path/filepath"

	"fdem/io/deck"
	"fdem/io/study"
	"fdem/io/view"
)

// drawStudy draws every quantity that some case has: a map over two parameters
// that form a grid, a curve over one, a curve for each text of a list, or else
// points over each parameter. Parameters that only repeat, as seeds do, are no axes
// where another one varies, and their cases are points that no line joins. It returns
// the paths.
func drawStudy(s *study.Study, rows []study.Row) ([]string, error) {
	var numbers, texts, repeated []int // parameters that vary
	for i, p := range s.Parameters {
		switch {
		case p.Repeat && len(p.Numbers) > 1:
			repeated = append(repeated, i)
		case len(p.Texts) > 1:
			texts = append(texts, i)
		case p.Sampled || len(p.Numbers) > 1:
			numbers = append(numbers, i)
		}
	}
	if len(numbers)+len(texts) == 0 {
		numbers = repeated
	}
	axis := func(i int) view.Axis {
		p := s.Parameters[i]
		a := view.Axis{Name: p.Name, Unit: p.Unit, Logarithmic: p.Logarithmic}
		for _, r := range rows {
			a.Values = append(a.Values, r.Values[i])
		}
		return a
	}
	grid := func(p deck.StudyParameter) bool { return !p.Sampled }
	var paths []string
	save := func(name string, draw func(path string) error) error {
		for _, format := range []string{"png", "svg"} {
			path := filepath.Join(s.Dir, name+"."+format)
			if err := draw(path); err != nil {
				return err
			}
			paths = append(paths, path)
		}
		return nil
	}
	for k, q := range s.Quantities {
		y := view.Axis{Name: q.Name, Unit: q.Unit}
		some := false
		for _, r := range rows {
			y.Values = append(y.Values, r.Quantities[k])
			some = some || r.Quantities[k] == r.Quantities[k]
		}
		if !some {
			continue
		}
		if len(numbers) == 2 && len(texts)+len(repeated) == 0 && grid(s.Parameters[numbers[0]]) && grid(s.Parameters[numbers[1]]) {
			if err := save(q.Name, func(path string) error {
				return view.SaveHeatMap(path, s.Title, axis(numbers[0]), axis(numbers[1]), y)
			}); err != nil {
				return paths, err
			}
			continue
		}
		var group []string
		if len(texts) == 1 {
			for _, r := range rows {
				group = append(group, r.Texts[texts[0]])
			}
		}
		joined := len(numbers) == 1 && len(texts) <= 1 && len(repeated) == 0
		for _, i := range numbers {
			name := q.Name
			if len(numbers) > 1 {
				name += "-" + s.Parameters[i].Name
			}
			if err := save(name, func(path string) error { return view.SaveCurves(path, s.Title, axis(i), y, group, joined) }); err != nil {
				return paths, err
			}
		}
	}
	return paths, nil
}
