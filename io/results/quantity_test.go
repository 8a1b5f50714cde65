package results

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"fdem/examples/scenes"
	"fdem/io/history"
	"fdem/io/vtk"
	"fdem/materials/bulk"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/quantity"
)

// Whatever a frame or the history holds stands in the table of quantities, and
// whatever the table promises for frames is written by one model or another.
func TestTableOfQuantities(t *testing.T) {
	seen := map[string]bool{}
	for _, model := range []string{"beam-impact/beam-impact.toml", "elastic-collision/elastic-collision.toml", "disc-in-hollow/felt.toml", "disc-in-hollow/hollow.toml", "clearance-joint/clearance-joint.toml", "spall-bar/spall-bar.toml", "tunnel/dug.toml"} {
		m, err := scenes.Load(filepath.Join("../../examples", model))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(model, "elastic-collision") { // temperature and pore pressure of nodes, and their fluxes
			m.Heat = &models.Heat{Initial: 300, TimeFactor: 1, Materials: make([]models.Conduction, len(m.Materials))}
			m.Pores = &models.Pores{TimeFactor: 1, Materials: make([]models.Conduction, len(m.Materials)), Biot: make([]float64, len(m.Materials))}
		}
		if strings.HasPrefix(model, "beam-impact") { // beams that wait
			for i := range m.Bodies {
				if m.Mesh.Bodies[i].Kind == mesh.OfBeams {
					m.Bodies[i].From = 0.5 * m.Duration
				}
			}
		}
		if strings.HasPrefix(model, "spall-bar") { // plastic strain and temperature
			cook, _ := bulk.Lookup("johnson-cook")
			if m.Materials[0].Law, err = cook.Build(m.Materials[0].Elastic, bulk.Constants{Value: map[string]float64{"a": 1e9, "melting": 1800, "heat_capacity": 450}}); err != nil {
				t.Fatal(err)
			}
		}
		_, w, dir := openedOf(t, m)
		if err := w.Row(); err != nil {
			t.Fatal(err)
		}
		if err := w.Frame(); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Close("done", nil); err != nil {
			t.Fatal(err)
		}
		for folder, on := range map[string][2]quantity.Where{
			"fields": {quantity.Node, quantity.Cell}, "contact": {quantity.ContactNode}, "particles": {quantity.Particle}, "overlaps": {quantity.Overlap},
		} {
			files, _ := filepath.Glob(filepath.Join(dir, folder, "*.vt?"))
			for _, path := range files {
				f, err := vtk.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				for k, arrays := range [2][]vtk.Declared{f.PointArrays(), f.CellArrays()} {
					for _, a := range arrays {
						if strings.HasSuffix(a.Name, "_id") || a.Name == "place" { // numbers, no quantities
							continue
						}
						if quantity.Of(on[k], a.Name) == nil {
							t.Errorf("%s: %s holds %q, which the table does not have", model, folder, a.Name)
						}
						seen[on[k].String()+a.Name] = true
					}
				}
			}
		}
		h, err := history.Read(filepath.Join(dir, "history.csv"))
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range quantity.Read(h.Columns) {
			name := h.Columns[i]
			if c.Plot == quantity.Others || c.Plot == "" && name != "time" {
				t.Errorf("%s: the table does not tell what the column %q is", model, name)
			}
			if c.Unit == "" && c.On != quantity.Probe && name != "fragments" && c.Plot != quantity.Breakages && c.Plot != quantity.Relaxations { // which are counted, or shares
				t.Errorf("%s: the column %q has no unit", model, name)
			}
		}
	}
	for _, q := range quantity.All {
		switch q.On {
		case quantity.Node, quantity.Cell, quantity.ContactNode, quantity.Particle, quantity.Overlap:
			if !seen[q.On.String()+q.Name] {
				t.Errorf("no frame holds %s of the table's %v", q.Name, q.On)
			}
		}
	}
}

// The summary of a run that has gone wrong is written, whatever the energies of
// cracks have become.
func TestSummaryHoldsNoNaN(t *testing.T) {
	nan := &Span{math.NaN(), math.Inf(1)}
	sum := Summary{Energy: Energy{CohesiveStored: nan, FractureDissipated: nan, InsertionWork: nan}}
	dir := t.TempDir()
	if err := sum.write(dir); err != nil {
		t.Fatal(err)
	}
	if *nan != (Span{}) {
		t.Errorf("the summary holds %v", *nan)
	}
}
