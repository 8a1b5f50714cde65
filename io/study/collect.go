package study

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/io/deck"
	"fdem/io/expression"
	"fdem/io/guard"
	"fdem/io/history"
)

// compile compiles the expressions of quantities, nil for quantities without one. Each
// may use the parameters that are numbers, and the quantities before it.
func (s *Study) compile() error {
	for i := range s.Parameters {
		if p := &s.Parameters[i]; len(p.Texts) == 0 {
			s.numbers = append(s.numbers, i)
			s.names = append(s.names, p.Name)
		}
	}
	for i := range s.Quantities {
		q := &s.Quantities[i]
		var e *expression.Expression
		if q.Expression != "" {
			var err error
			if e, err = expression.Compile(q.Expression, s.names); err != nil {
				return q.ErrorAt("expression", "expression %q: %v", q.Expression, err)
			}
		}
		s.programs = append(s.programs, e)
		s.names = append(s.names, q.Name)
	}
	return nil
}

// Row is a case with its collected quantities, NaN for missing ones.
type Row struct {
	Case
	Outcome
	Quantities []float64
}

// Collect reads the results of all cases. A case that is done but lacks a
// quantity is failed in the table, with the reason.
func (s *Study) Collect() []Row {
	rows := make([]Row, len(s.Cases))
	for i, c := range s.Cases {
		r := Row{Case: c, Outcome: c.Outcome(), Quantities: make([]float64, len(s.Quantities))}
		for k := range r.Quantities {
			r.Quantities[k] = math.NaN()
		}
		if r.Status == Done {
			if err := s.collect(c, r.Quantities); err != nil {
				r.Status, r.Error = Failed, err.Error()
			}
		}
		rows[i] = r
	}
	return rows
}

// collect fills the quantities of one case.
func (s *Study) collect(c Case, out []float64) error {
	var summary any
	data, err := guard.Read(c.dir, "out/summary.json", guard.Text)
	if err == nil {
		err = json.Unmarshal(data, &summary)
	}
	if err != nil {
		return err
	}
	var past history.Table
	if slices.ContainsFunc(s.Quantities, func(q deck.StudyQuantity) bool { return q.History != "" }) {
		path, err := guard.Path(c.dir, "out/history.csv", guard.Large)
		if err != nil {
			return err
		}
		if past, err = history.Read(path); err != nil {
			return err
		}
	}
	args := make([]float64, 0, len(s.names))
	for _, i := range s.numbers {
		args = append(args, c.Values[i])
	}
	var failures error
	for k, q := range s.Quantities {
		var v float64
		var err error
		switch {
		case q.Summary != "":
			v, err = lookUp(summary, q.Summary)
		case q.History != "":
			v, err = take(past, q)
		default:
			v = s.programs[k].Value(args)
		}
		if err != nil && q.Optional {
			v, err = math.NaN(), nil
		}
		if err != nil {
			failures = errors.Join(failures, fmt.Errorf("%s: %w", q.Name, err))
			v = math.NaN()
		}
		out[k] = v
		args = append(args, v)
	}
	return failures
}

// lookUp follows a path through the summary: keys, names of the things in a
// list or their numbers from 1, x and y of a pair.
func lookUp(at any, path string) (float64, error) {
	words, err := deck.SplitPath(path)
	if err != nil {
		return 0, err
	}
	for _, word := range words {
		var next any
		var found bool
		switch v := at.(type) {
		case map[string]any:
			next, found = v[word]
		case []any:
			k := slices.IndexFunc(v, func(e any) bool {
				t, ok := e.(map[string]any)
				return ok && t["name"] == word
			})
			if n, err := strconv.Atoi(word); k < 0 && err == nil {
				k = n - 1
			}
			if k < 0 && len(v) == 2 {
				k = slices.Index([]string{"x", "y"}, word)
			}
			if found = k >= 0 && k < len(v); found {
				next = v[k]
			}
		}
		if !found {
			return 0, fmt.Errorf("summary.json has no %q of the path %s", word, path)
		}
		at = next
	}
	v, ok := at.(float64)
	if !ok {
		return 0, fmt.Errorf("%s of summary.json is not a number", path)
	}
	return v, nil
}

// take returns one number of a column of the history.
func take(t history.Table, q deck.StudyQuantity) (float64, error) {
	v, ok := t.Column(q.History)
	if !ok {
		return 0, fmt.Errorf("history.csv has no column %q: there are %s", q.History, strings.Join(t.Columns, ", "))
	}
	if len(v) == 0 {
		return 0, errors.New("history.csv has no rows")
	}
	switch q.Take {
	case "first":
		return v[0], nil
	case "min":
		return slices.Min(v), nil
	case "max":
		return slices.Max(v), nil
	}
	time, ok := t.Column("time")
	if !ok {
		return 0, errors.New("history.csv has no column \"time\"")
	}
	switch q.Take {
	case "mean":
		return mean(time, v), nil
	case "at":
		return at(time, v, q.At)
	}
	return v[len(v)-1], nil
}

// mean averages over time by the trapezoidal rule.
func mean(time, v []float64) float64 {
	sum, span := 0.0, time[len(time)-1]-time[0]
	if !(span > 0) {
		return v[0]
	}
	for i := 1; i < len(v); i++ {
		sum += float64(0.5 * (v[i] + v[i-1]) * (time[i] - time[i-1]))
	}
	return sum / span
}

// at interpolates.
func at(time, v []float64, t float64) (float64, error) {
	last := len(time) - 1
	if t < time[0] || t > time[last]*(1+1e-9) {
		return 0, fmt.Errorf("the history is from %g s to %g s and does not have %g s", time[0], time[last], t)
	}
	i, _ := slices.BinarySearch(time, t)
	if i = min(i, last); i == 0 || time[i] == t {
		return v[i], nil
	}
	part := (t - time[i-1]) / (time[i] - time[i-1])
	return v[i-1] + float64(part*(v[i]-v[i-1])), nil
}

// WriteTable writes one row a case: number, parameters, quantities, status,
// seconds of the run, error. A unit is in the header after the name.
func (s *Study) WriteTable(out io.Writer, rows []Row) error {
	buffered := bufio.NewWriter(out)
	w := csv.NewWriter(buffered)
	header := []string{"case"}
	for _, p := range s.Parameters {
		header = append(header, titled(p.Name, p.Unit))
	}
	for _, q := range s.Quantities {
		header = append(header, titled(q.Name, q.Unit))
	}
	if err := w.Write(history.Cells(append(header, "status", "seconds", "error"))); err != nil {
		return err
	}
	for _, r := range rows {
		record := append([]string{strconv.Itoa(r.Number)}, r.Texts...)
		for _, v := range r.Quantities {
			text := ""
			if !math.IsNaN(v) {
				text = strconv.FormatFloat(v, 'g', -1, 64)
			}
			record = append(record, text)
		}
		record = append(record, r.Status, strconv.FormatFloat(r.Seconds, 'f', 2, 64), strings.ReplaceAll(r.Error, "\n", "; "))
		if err := w.Write(history.Cells(record)); err != nil {
			return err
		}
	}
	w.Flush()
	return errors.Join(w.Error(), buffered.Flush())
}
