package study

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"fdem/io/curves"
	"fdem/io/deck"
	"fdem/io/history"
)

// Repeats tells whether a parameter only repeats cases, as a seed does.
func (s *Study) Repeats() bool {
	for _, p := range s.Parameters {
		if p.Repeat {
			return true
		}
	}
	return false
}

// WriteStatistics writes one row for every combination of the parameters that do not
// repeat: the number of cases with a value, and for every quantity the mean, the
// standard deviation of a sample, the least and the greatest value.
func (s *Study) WriteStatistics(out io.Writer, rows []Row) error {
	var kept []int
	header := []string{}
	for i, p := range s.Parameters {
		if !p.Repeat {
			kept = append(kept, i)
			header = append(header, titled(p.Name, p.Unit))
		}
	}
	header = append(header, "cases")
	for _, q := range s.Quantities {
		for _, what := range []string{"mean", "deviation", "least", "greatest"} {
			header = append(header, titled(q.Name+" "+what, q.Unit))
		}
	}
	w := csv.NewWriter(out)
	if err := w.Write(history.Cells(header)); err != nil {
		return err
	}
	for _, group := range s.samples(rows) {
		var record []string
		for _, i := range kept {
			record = append(record, group[0].Texts[i])
		}
		record = append(record, strconv.Itoa(done(group)))
		for k := range s.Quantities {
			record = append(record, spreadOf(group, k).texts()...)
		}
		if err := w.Write(history.Cells(record)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// Statistics returns the mean and standard deviation of every quantity in
// words, a line for each quantity and combination of the parameters that do not
// repeat.
func (s *Study) Statistics(rows []Row) (lines []string) {
	for _, group := range s.samples(rows) {
		where := ""
		for i, p := range s.Parameters {
			if !p.Repeat && (p.Sampled || len(p.Texts) > 1 || len(p.Numbers) > 1) {
				where += strings.TrimSpace(p.Name+" "+group[0].Texts[i]+" "+p.Unit) + ": "
			}
		}
		for k, q := range s.Quantities {
			f, unit := spreadOf(group, k), ""
			if q.Unit != "" {
				unit = " " + q.Unit
			}
			switch {
			case f.count < 2:
			case f.least == f.greatest:
				lines = append(lines, fmt.Sprintf("%s%s: %.4g%s in all %d cases", where, q.Name, f.mean, unit, f.count))
			default:
				lines = append(lines, fmt.Sprintf("%s%s: mean %.4g%s, standard deviation %.2g%s, from %.4g to %.4g%s in %d cases",
					where, q.Name, f.mean, unit, f.deviation, unit, f.least, f.greatest, unit, f.count))
			}
		}
	}
	return lines
}

// samples returns the rows, grouped by the parameters that do not repeat.
func (s *Study) samples(rows []Row) (groups [][]Row) {
	number := map[string]int{} // looked up, never iterated
	for _, r := range rows {
		var texts []string
		for i, p := range s.Parameters {
			if !p.Repeat {
				texts = append(texts, r.Texts[i])
			}
		}
		name := strings.Join(texts, "\x00")
		n, ok := number[name]
		if !ok {
			n = len(groups)
			number[name], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], r)
	}
	return groups
}

// done returns the number of cases that are done.
func done(group []Row) (n int) {
	for _, r := range group {
		if r.Status == Done {
			n++
		}
	}
	return n
}

// spread is the statistics of a sample.
type spread struct {
	count                            int
	mean, deviation, least, greatest float64
}

// spreadOf returns the statistics of a quantity over the cases that have it.
func spreadOf(group []Row, quantity int) (f spread) {
	var v []float64
	for _, r := range group {
		if x := r.Quantities[quantity]; !math.IsNaN(x) {
			v = append(v, x)
		}
	}
	if f.count = len(v); f.count == 0 {
		return f
	}
	f.least, f.greatest = v[0], v[0]
	for _, x := range v {
		f.mean += x / float64(len(v))
		f.least, f.greatest = min(f.least, x), max(f.greatest, x)
	}
	square := 0.0
	for _, x := range v {
		square += float64((x - f.mean) * (x - f.mean))
	}
	f.deviation = math.Sqrt(square / float64(max(len(v)-1, 1)))
	return f
}

// texts returns the mean, standard deviation, least and greatest value as texts for a
// table, empty if there are too few values.
func (f spread) texts() []string {
	if f.count == 0 {
		return make([]string, 4)
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	deviation := ""
	if f.count > 1 {
		deviation = number(f.deviation)
	}
	return []string{number(f.mean), deviation, number(f.least), number(f.greatest)}
}

func titled(name, unit string) string {
	if unit != "" {
		return name + " [" + unit + "]"
	}
	return name
}

// Envelope is Mohr and Coulomb's line through the strengths of a study.
type Envelope struct {
	Name     string
	Cohesion float64 // [Pa]
	Angle    float64 // of friction [degrees]
	Cases    int
	Residual float64 // root mean square of the differences in strength [Pa]
	Err      error   // reason why there is no line
}

// String returns the line in words.
func (e *Envelope) String() string {
	if e.Err != nil {
		return fmt.Sprintf("envelope %s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("envelope %s: cohesion %.4g MPa, friction angle %.4g degrees, of %d cases that differ from it by %.2g MPa (root mean square)", e.Name, e.Cohesion/1e6, e.Angle, e.Cases, e.Residual/1e6)
}

// Fit fits the envelopes of the study by least squares over the cases that have both
// values. A strength in compression s1 over the confining pressure s3 is
// s1 = 2 c sqrt(k) + k s3 with k = (1 + sin phi) / (1 - sin phi); a strength in shear over
// the normal stress is c + s tan phi.
func (s *Study) Fit(rows []Row) (out []Envelope) {
	for _, e := range s.Envelopes {
		x, y := s.column(rows, e.Over), s.column(rows, e.Strength)
		var px, py []float64
		for i := range rows {
			if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
				px, py = append(px, x[i]), append(py, y[i])
			}
		}
		out = append(out, fit(e, px, py))
	}
	return out
}

// column returns the values of a parameter or quantity in SI, NaN for missing ones.
func (s *Study) column(rows []Row, name string) []float64 {
	out := make([]float64, len(rows))
	for i := range out {
		out[i] = math.NaN()
	}
	si := func(v float64, unit string) float64 {
		if v, err := convert(v, unit, ""); err == nil {
			return v
		}
		return math.NaN() // the study's reader has checked the unit
	}
	for k, p := range s.Parameters {
		for i := range rows {
			if p.Name == name {
				out[i] = si(rows[i].Values[k], p.Unit)
			}
		}
	}
	for k, q := range s.Quantities {
		for i := range rows {
			if q.Name == name {
				out[i] = si(rows[i].Quantities[k], q.Unit)
			}
		}
	}
	return out
}

// fit fits one envelope to its points [Pa].
func fit(e deck.StudyEnvelope, x, y []float64) Envelope {
	out := Envelope{Name: e.Name, Cases: len(x)}
	slope, at0, ok := curves.Line(x, y)
	if !ok {
		out.Err = fmt.Errorf("a line needs at least two cases with a strength, at two values of %s; there are %d", e.Over, len(x))
		return out
	}
	for i := range x {
		d := y[i] - at0 - float64(slope*x[i])
		out.Residual += float64(d*d) / float64(len(x))
	}
	out.Residual = math.Sqrt(out.Residual)
	const degree = math.Pi / 180
	switch {
	case e.Shear:
		out.Cohesion, out.Angle = at0, math.Atan2(slope, 1)/degree
	case slope < 1:
		out.Err = fmt.Errorf("strength grows by only %.4g times the pressure, and with friction it grows by more than the pressure", slope)
	default: // sin phi = (k-1)/(k+1), cos phi = 2 sqrt(k)/(k+1)
		root := math.Sqrt(slope)
		out.Cohesion, out.Angle = 0.5*at0/root, math.Atan2(slope-1, float64(2*root))/degree
	}
	return out
}

// WriteEnvelopes writes one row for every envelope.
func WriteEnvelopes(out io.Writer, envelopes []Envelope) error {
	w := csv.NewWriter(out)
	if err := w.Write([]string{"name", "cohesion [Pa]", "friction angle [deg]", "cases", "residual [Pa]", "error"}); err != nil {
		return err
	}
	for _, e := range envelopes {
		record := []string{e.Name, "", "", strconv.Itoa(e.Cases), "", ""}
		if e.Err != nil {
			record[5] = e.Err.Error()
		} else {
			number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
			record[1], record[2], record[4] = number(e.Cohesion), number(e.Angle), number(e.Residual)
		}
		if err := w.Write(history.Cells(record)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}
