package view

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"fdem/io/vtk"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r2"
)

// A square that a crack cuts along its diagonal gets nodes: all frames are shown
// on the mesh of the last, and of a running simulation on that of the last when
// it was first looked at.
func TestCracksAddNodes(t *testing.T) {
	r := newRun(t, 1)
	frame := func(i int, g vtk.Grid) {
		var u []float64
		for k := range g.Points {
			u = append(u, float64(10*i+k), 0, 0)
		}
		g.Time, g.PointData = 1e-6*float64(i), []vtk.Array{{Name: "displacement", Components: 3, Float64: u}}
		g.Lines = [][2]int32{{0, g.Triangles[0][1]}} // a rigid floor
		path := fmt.Sprintf("fields/%06d.vtu", i)
		if err := r.w.WriteGrid(filepath.Join(r.dir, path), g); err != nil {
			t.Fatal(err)
		}
		if err := add(&r.fields, g.Time, path); err != nil {
			t.Fatal(err)
		}
		r.w.Reset()
	}
	shift := func(f *Folder, i int) []float32 {
		t.Helper()
		return f.values(i, Field{Name: "displacement", On: "node", pick: []int{0}, width: 3})
	}
	square := []r2.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}
	frame(0, vtk.Grid{Points: square, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}})
	put(t, filepath.Join(r.dir, "cracks.pvd"), `<VTKFile type="Collection"><Collection></Collection></VTKFile>`)
	put(t, filepath.Join(r.dir, "history.csv"), "time,kinetic,a.vx\n0,0,0\n")
	live, err := Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	if live.static == nil { // only of a run that has ended, where contacts are not known yet
		t.Fatal("no mesh of a running simulation")
	}
	// the lower triangle keeps nodes 0 and 2, the upper one gets copies
	frame(1, vtk.Grid{
		Points: []r2.Vec{square[0], square[0], square[1], square[2], square[2], square[3]}, Triangles: [][3]int32{{0, 2, 3}, {1, 4, 5}},
	})
	if err := live.Refresh(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]float32{10, 12, 14, 15}, shift(live, 1)); d != "" {
		t.Errorf("the new frame on the mesh as it was: %s", d)
	}
	put(t, filepath.Join(r.dir, "summary.json"), `{"status": "done"}`)
	generation := live.Meta().Generation
	if err := live.Refresh(); err != nil {
		t.Fatal(err)
	}
	if live.Meta().Generation == generation {
		t.Error("the page is not told of the mesh of the whole run")
	}
	if d := cmp.Diff([]float32{0, 0, 1, 2, 2, 3}, shift(live, 0)); d != "" {
		t.Errorf("the first frame on the mesh of the last: %s", d)
	}
	if d := cmp.Diff([]float32{10, 11, 12, 13, 14, 15}, shift(live, 1)); d != "" {
		t.Errorf("the last frame: %s", d)
	}
	// the cut is an outline of both sides as long as no file lists cracks
	if n := len(outline(live.static)) / 3; n != 6+1 {
		t.Errorf("%d lines of outline, want two triangles' and the floor", n)
	}
}

// The two faces of a crack are drawn from the frame on in which it opened, by what
// the cracks' frames say of it, in whatever order these list cracks.
func TestCracksHaveFaces(t *testing.T) {
	r := newRun(t, 1)
	cracks, err := vtk.Continue(filepath.Join(r.dir, "cracks.pvd"), 0)
	if err != nil {
		t.Fatal(err)
	}
	p := []r2.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: 2}}
	whole := vtk.Grid{Points: p, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}, {1, 4, 2}}}
	one := vtk.Grid{Points: []r2.Vec{p[0], p[0], p[1], p[2], p[2], p[3], p[4]}, Triangles: [][3]int32{{0, 2, 3}, {1, 4, 5}, {2, 6, 3}}}
	both := vtk.Grid{Points: []r2.Vec{p[0], p[0], p[1], p[1], p[2], p[2], p[2], p[3], p[4]}, Triangles: [][3]int32{{0, 2, 4}, {1, 5, 7}, {3, 8, 6}}}
	for i, frame := range []struct {
		grid      vtk.Grid
		positions []r2.Vec
		mode      []float64
	}{
		{whole, nil, []float64{}},
		{one, []r2.Vec{p[0], p[2]}, []float64{0.25}},
		{both, []r2.Vec{p[2], p[1], p[0], p[2]}, []float64{1, 0.5}},
	} {
		time := 1e-6 * float64(i)
		frame.grid.Time = time
		frame.grid.PointData = []vtk.Array{{Name: "displacement", Components: 3, Float64: make([]float64, 3*len(frame.grid.Points))}}
		fields, lines := fmt.Sprintf("fields/%06d.vtu", i), fmt.Sprintf("cracks-%06d.vtp", i)
		if err := r.w.WriteGrid(filepath.Join(r.dir, fields), frame.grid); err != nil {
			t.Fatal(err)
		}
		if err := add(&r.fields, time, fields); err != nil {
			t.Fatal(err)
		}
		r.w.Reset()
		data := vtk.Lines{Points: frame.positions, Time: time, CellData: []vtk.Array{{Name: "mode", Components: 1, Float64: frame.mode}}}
		if err := r.w.WriteLines(filepath.Join(r.dir, lines), data); err != nil {
			t.Fatal(err)
		}
		if err := add(&cracks, time, lines); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(r.dir, "history.csv"), "time,kinetic,a.vx\n0,0,0\n")
	put(t, filepath.Join(r.dir, "summary.json"), `{"status": "done"}`)
	f, err := Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	// the last frame lists the edge from 1 to 2 first: nodes 2 and 4 of the first
	// triangle and 3 and 6 of the third; then the one from 0 to 2
	want := []face{{2, 4, 0}, {6, 3, 0}, {4, 0, 0}, {1, 5, 0}}
	if d := cmp.Diff(want, f.static.cracks, cmp.AllowUnexported(face{})); d != "" {
		t.Errorf("the faces: %s", d)
	}
	if n := len(outline(f.static)) / 3; n != 9-4 {
		t.Errorf("%d lines of outline, want three triangles' without the faces of the cracks", n)
	}
	for i, want := range [][]float32{{notInserted, notInserted}, {notInserted, 0.25}, {1, 0.5}} {
		got := f.crackValues(i, "mode")
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("the modes of frame %d: %s", i, d)
		}
	}
	if m := f.Meta(); len(m.Cracks) == 0 || m.Cracks[0].Name != "mode" {
		t.Errorf("cracks can be coloured by %v", m.Cracks)
	}
}

// The page of a run that has ended counts its events by magnitude.
func TestMagnitudesOfEvents(t *testing.T) {
	r := finished(t, 2, 1)
	put(t, filepath.Join(r.dir, clustersName), "time,magnitude\n"+strings.Repeat("0,-3\n", 20)+strings.Repeat("1,-2.9\n", 5)+"1,NaN\n2,-2.6\n")
	f, err := Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	m := f.Meta().Magnitudes
	if m == nil || len(m.M) != 5 || m.Own[0] != 20 || m.Own[2] != 0 || m.AtLeast[0] != 26 || m.AtLeast[1] != 6 {
		t.Fatalf("got %+v", m)
	}
	// b = log10 e/(mean M - (Mc - 0.05)), of 26 events with the mean -3 + (5*0.1 + 0.4)/26
	if want := math.Log10E / (0.9/26 + 0.05); m.Law == nil || math.Abs(m.Law.B-want) > 1e-9 || math.Abs(m.Law.Completeness+3) > 1e-12 {
		t.Errorf("got the law %+v, want b = %g", m.Law, want)
	}
	put(t, filepath.Join(r.dir, clustersName), "time,magnitude\n0,-3\n")
	if f, err = Open(r.dir); err != nil || f.Meta().Magnitudes != nil {
		t.Errorf("one event: %v, %v", f.Meta().Magnitudes, err)
	}
}
