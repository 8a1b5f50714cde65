package results

import (
	"bytes"
	"encoding/csv"
	"strconv"

	"fdem/io/history"
	"fdem/solver"
	"fdem/solver/cracks"
	"fdem/solver/quantity"
)

// fragmentsName is the file of the fragments at the last frame.
const fragmentsName = "fragments.csv"

// ofFragments lists its columns after the fragment's number and its body.
var ofFragments = []struct {
	of    *quantity.Quantity
	value func(f *cracks.Fragment) float64
}{
	{quantity.Must(quantity.Fragment, "mass"), func(f *cracks.Fragment) float64 { return f.Mass }},
	{quantity.Must(quantity.Fragment, "area"), func(f *cracks.Fragment) float64 { return f.Area }},
	{quantity.Must(quantity.Fragment, "perimeter"), func(f *cracks.Fragment) float64 { return f.Perimeter }},
	{quantity.Must(quantity.Fragment, "x"), func(f *cracks.Fragment) float64 { return f.Centre.X }},
	{quantity.Must(quantity.Fragment, "y"), func(f *cracks.Fragment) float64 { return f.Centre.Y }},
	{quantity.Must(quantity.Fragment, "vx"), func(f *cracks.Fragment) float64 { return f.Velocity.X }},
	{quantity.Must(quantity.Fragment, "vy"), func(f *cracks.Fragment) float64 { return f.Velocity.Y }},
	{quantity.Must(quantity.Fragment, "spin"), func(f *cracks.Fragment) float64 { return f.Spin }},
}

// fragmentList writes the present fragments, in the order of their numbers in
// the fields.
func fragmentList(s *solver.Solver) []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out) // which never fails on a buffer
	row := []string{"time", "fragment", "body"}
	for _, q := range ofFragments {
		row = append(row, q.of.Name)
	}
	_ = w.Write(row)
	write := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for i, f := range s.FragmentList() {
		row = append(row[:0], write(s.Time), strconv.Itoa(i), history.Cell(s.Mesh.Bodies[f.Body].Name))
		for _, q := range ofFragments {
			row = append(row, write(q.value(&f)))
		}
		_ = w.Write(row)
	}
	w.Flush()
	return out.Bytes()
}
