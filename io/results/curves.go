package results

import (
	"encoding/json"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"fdem/io/curves"
	"fdem/io/history"
	"fdem/materials/elementary"
	"fdem/solver"
	"fdem/solver/quantity"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Columns returns the names of the columns of the history of s, without curves.
func Columns(s *solver.Solver) (out []string) {
	s.Row(new(system.Energies), func(c quantity.Column, _ float64) { out = append(out, c.Name()) })
	return out
}

// Constants are the further names in expressions of curves, in SI: pi, the thickness
// of the model, and the width, height, area and mass of each meshed body at the
// start.
func Constants(s *solver.Solver) map[string]float64 {
	out := map[string]float64{"thickness": s.Thickness}
	motions := s.Motions()
	for i := range s.Model.Bodies {
		b := s.Mesh.Bodies[i]
		if len(b.Nodes) == 0 {
			continue
		}
		low, high := s.Mesh.X[b.Nodes[0]], s.Mesh.X[b.Nodes[0]]
		for _, n := range b.Nodes {
			x := s.Mesh.X[n]
			low.X, low.Y = min(low.X, x.X), min(low.Y, x.Y)
			high.X, high.Y = max(high.X, x.X), max(high.Y, x.Y)
		}
		name := s.Model.Bodies[i].Name
		out[name+".width"], out[name+".height"] = high.X-low.X, high.Y-low.Y
		out[name+".mass"] = motions[i].Mass
		area := 0.0
		for _, t := range s.Mesh.Triangles[b.First:b.End] {
			x := s.Mesh.X[t[0]]
			area += float64(0.5 * elementary.Cross(r2.Sub(s.Mesh.X[t[1]], x), r2.Sub(s.Mesh.X[t[2]], x)))
		}
		out[name+".area"] = area
	}
	return out
}

// read computes the results of the deck from the written history.
func (r *Writer) read() ([]curves.Number, error) {
	if r.curves == nil || len(r.curves.Results) == 0 {
		return nil, nil
	}
	names := r.curves.Needs()
	read, err := history.Columns(filepath.Join(r.dir, "history.csv"), names)
	if err != nil {
		return nil, err
	}
	columns := map[string][]float64{}
	for i, name := range names {
		columns[name] = read[i]
	}
	return r.curves.Read(columns), nil
}

// stages reads the ends of the stages so far from the written history.
func (r *Writer) stages() (out []StageSummary, err error) {
	stages := r.solver.Model.Stages
	if len(stages) == 0 {
		return nil, nil
	}
	path := filepath.Join(r.dir, "history.csv")
	names, err := history.Header(path)
	if err != nil {
		return nil, err
	}
	columns, err := history.Columns(path, names)
	if err != nil || len(columns[0]) == 0 {
		return nil, err
	}
	time, begins := columns[slices.Index(names, "time")], 0.0
	for _, s := range stages {
		row := 0
		for row+1 < len(time) && time[row+1] <= s.End*(1+1e-9) {
			row++
		}
		if time[row] <= begins {
			break // it has not begun
		}
		begins = s.End
		of := StageSummary{Name: s.Name, Time: time[row], Values: map[string]float64{}}
		for i, name := range names {
			if v := columns[i][row]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				of.Values[name] = v
			}
		}
		out = append(out, of)
	}
	return out, nil
}

// numbers are the results of a deck in its order: in the summary an object of those that
// have a value.
type numbers []curves.Number

// UnmarshalJSON implements json.Unmarshaler. Numbers are in the order of their names.
func (n *numbers) UnmarshalJSON(data []byte) error {
	var values map[string]float64
	if err := json.Unmarshal(data, &values); err != nil {
		return err
	}
	*n = nil
	for _, name := range slices.Sorted(maps.Keys(values)) {
		*n = append(*n, curves.Number{Name: name, Value: values[name]})
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (n numbers) MarshalJSON() ([]byte, error) {
	values := map[string]float64{} // written in the order of the names
	for _, r := range n {
		if r.Err == nil {
			values[r.Name] = r.Value
		}
	}
	return json.Marshal(values)
}
