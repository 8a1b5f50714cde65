package beam_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
)

// Deflection and pressure at all 21 nodes, loading and unloading from 10 kN and
// from the force whose unloading separates the middle at 20 N, against an
// independent implementation of a beam that rotates little. Here faces move
// along as the beam turns: what differs grows with the load, to 3.4e-5 of the
// greatest value at 10 kN. The other's reloading starts from a beam that hangs
// free and is left out.
func TestBeamNodeTables(t *testing.T) {
	var onset map[string]struct {
		Fmax float64 `json:"Fmax_N"`
	}
	text, err := os.ReadFile("testdata/beam_fmax.json")
	if err == nil {
		err = json.Unmarshal(text, &onset)
	}
	if err != nil {
		t.Fatal(err)
	}
	for file, peak := range map[string]float64{"beam_EB_Fmax10000.csv": 10e3, "beam_EB_Fmax1381.csv": onset["EB"].Fmax} {
		t.Run(file, func(t *testing.T) {
			known := nodeTable(t, file)
			m, err := scenes.Load("beam-on-flat.toml")
			if err != nil {
				t.Fatal(err)
			}
			factor := m.Loads[0].Schedule
			m.Loads[0].Schedule = func(t float64) float64 { return peak / 10e3 * factor(t) }
			s, err := solver.New(m)
			if err != nil {
				t.Fatal(err)
			}
			nodes := make([]int, 21)
			for i, x := range s.Surfaces[0].Positions(nil, m.Mesh.X) {
				if x.Y < 0.01 {
					nodes[int(math.Round(x.X/0.01))+10] = i
				}
			}
			most := known["load 1.0000"]
			compared := 0
			worst := 0.0
			err = scenes.Finish(s, func() {
				phase := "load"
				if s.Time > 0.3125 {
					phase = "unload"
				}
				if s.Time > 0.625 {
					return
				}
				row := fmt.Sprintf("%s %.4f", phase, factor(s.Time))
				values, ok := known[row]
				if !ok || row == "unload 0.0000" { // free
					return
				}
				compared++
				c := s.Surfaces[0]
				deflection, pressure := c.PerContactNode(nil, c.Deflections()), c.PerContactNode(nil, c.Pressures())
				for i, n := range nodes {
					d, p := deflection[n]-1e-6*values[i], pressure[n]-1e6*values[21+i]
					worst = max(worst, math.Abs(d)/(1e-6*most[10]), math.Abs(p)/(1e6*most[31]))
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d rows, off by %.2g of the greatest", compared, worst)
			if compared < 19 || !(worst < 5e-9*peak) {
				t.Errorf("%d rows of 19, off by %g of the greatest", compared, worst)
			}
		})
	}
}

// nodeTable returns 21 deflections [um] and 21 pressures [MPa] by phase and
// part of the greatest force.
func nodeTable(t *testing.T, file string) map[string][]float64 {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	most := 0.0
	for _, record := range records[1:] {
		if v, _ := strconv.ParseFloat(record[1], 64); record[0] == "load" {
			most = max(most, v)
		}
	}
	rows := map[string][]float64{}
	for _, record := range records[1:] {
		force, _ := strconv.ParseFloat(record[1], 64)
		var values []float64
		for _, field := range record[2:] {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, v)
		}
		rows[fmt.Sprintf("%s %.4f", record[0], force/most)] = values
	}
	return rows
}
