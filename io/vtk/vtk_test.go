package vtk

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r2"
)

// content is what VTK's reader finds in a .vtu or .vtp file.
type content struct {
	Points    [][3]float64         `json:"points"`
	Cells     [][]int              `json:"cells"`
	Types     []int                `json:"types"`
	PointData map[string][]float64 `json:"point_data"`
	CellData  map[string][]float64 `json:"cell_data"`
	FieldData map[string][]float64 `json:"field_data"`
}

const python = "/usr/bin/python3" // where Debian's python3-vtk9 belongs

// hasReaders tells whether VTK's readers are installed: to import them takes a second.
var hasReaders = sync.OnceValue(func() bool {
	return exec.Command(python, "-c", "import vtkmodules.vtkIOXML, vtkmodules.vtkIOHDF").Run() == nil
})

// readers runs VTK's readers on the files and skips the test where VTK is not
// installed.
func readers(t *testing.T, paths ...string) []json.RawMessage {
	t.Helper()
	if !hasReaders() {
		t.Skip("VTK's Python readers are not installed (Debian: python3-vtk9)")
	}
	out, err := exec.Command(python, append([]string{"testdata/read.py"}, paths...)...).Output()
	if err != nil {
		t.Fatalf("VTK's readers: %v", err)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func decode(t *testing.T, raw json.RawMessage) content {
	t.Helper()
	var d content
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// square is two triangles with a field of every type; large makes it long
// enough for several compressed blocks.
func square(points int) Grid {
	g := Grid{Time: 1.25e-5}
	for i := range points {
		g.Points = append(g.Points, r2.Vec{X: float64(i), Y: math.Sin(float64(i))})
	}
	g.Triangles = [][3]int32{{0, 1, 2}, {0, 2, 3}}
	vector, id := make([]float64, 0, 3*points), make([]int64, points)
	for i := range points {
		vector = append(vector, float64(i)/3, -float64(i), 0)
		id[i] = int64(10 * i)
	}
	g.PointData = []Array{{Name: "displacement", Components: 3, Float64: vector}, {Name: "node_id", Components: 1, Int64: id}}
	g.CellData = []Array{{Name: "stress <Pa> & \"more\"", Components: 6, Float64: make([]float64, 12)}, {Name: "body_id", Components: 1, Int32: []int32{0, 7}}}
	return g
}

func TestVTKReadsWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	path := func(name string) string {
		p := filepath.Join(dir, name)
		paths = append(paths, p)
		return p
	}
	var w Writer
	raw := Writer{Uncompressed: true}
	small, large := square(4), square(30000)
	cloud := Points{Points: small.Points, PointData: small.PointData, Time: 2}
	series := Series{Path: path("all.pvd")}
	for _, err := range []error{
		w.WriteGrid(path("small.vtu"), small),
		w.WriteGrid(path("large.vtu"), large),
		raw.WriteGrid(path("raw.vtu"), small),
		w.WritePoints(path("cloud.vtp"), cloud),
		w.WritePoints(path("none.vtp"), Points{PointData: []Array{{Name: "pressure", Components: 1, Float64: []float64{}}}}),
		series.Add(0, "small.vtu"),
		series.Add(1.25e-5, "large.vtu"),
		series.Flush(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".writing-*")); len(left) > 0 {
		t.Errorf("temporary files were left behind: %v", left)
	}
	all := readers(t, paths...)
	var frames [][2]any
	if err := json.Unmarshal(all[0], &frames); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][2]any{{0.0, "small.vtu"}, {1.25e-5, "large.vtu"}}, frames); diff != "" {
		t.Errorf("the series reads differently: %s", diff)
	}
	for i, g := range []Grid{small, large, small} {
		got := decode(t, all[1+i])
		want := content{
			Cells: [][]int{{0, 1, 2}, {0, 2, 3}}, Types: []int{5, 5},
			PointData: map[string][]float64{"displacement": g.PointData[0].Float64, "node_id": floats(g.PointData[1].Int64)},
			CellData:  map[string][]float64{g.CellData[0].Name: g.CellData[0].Float64, "body_id": {0, 7}},
			FieldData: map[string][]float64{"TimeValue": {g.Time}},
		}
		for _, p := range g.Points {
			want.Points = append(want.Points, [3]float64{p.X, p.Y, 0})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s reads differently: %.2000s", paths[1+i], diff)
		}
	}
	if got := decode(t, all[4]); len(got.Points) != 4 || len(got.Cells) != 4 || got.Types[0] != 1 {
		t.Errorf("the cloud reads as %d points, %d cells", len(got.Points), len(got.Cells))
	}
	if got := decode(t, all[5]); len(got.Points) != 0 {
		t.Errorf("the empty cloud reads as %d points", len(got.Points))
	}
}

// Single precision is half as long and reads as the numbers to seven digits, by
// VTK's readers and by ours.
func TestSinglePrecision(t *testing.T) {
	dir := t.TempDir()
	g := square(40000)
	paths := []string{filepath.Join(dir, "double.vtu"), filepath.Join(dir, "single.vtu"), filepath.Join(dir, "plain.vtu")}
	var sizes []int64
	for i, w := range []*Writer{{}, {Single: true}, {Single: true, Uncompressed: true}} {
		if err := w.WriteGrid(paths[i], g); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, info.Size())
	}
	if float64(sizes[1]) > 0.6*float64(sizes[0]) {
		t.Errorf("%d bytes in single precision, %d in double", sizes[1], sizes[0])
	}
	rounded := func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = float64(float32(x))
		}
		return out
	}
	for _, path := range paths[1:] {
		got, err := readGrid(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rounded(g.PointData[0].Float64), got.PointData[0].Float64); diff != "" || got.Time != g.Time {
			t.Errorf("%s at %g s reads differently: %.500s", path, got.Time, diff)
		}
	}
	for i, raw := range readers(t, paths[1:]...) {
		if diff := cmp.Diff(rounded(g.PointData[0].Float64), decode(t, raw).PointData["displacement"]); diff != "" {
			t.Errorf("VTK reads %s differently: %.500s", paths[1+i], diff)
		}
	}
}

func floats(v []int64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

func TestArrayOfWrongLengthIsRefused(t *testing.T) {
	g := square(4)
	g.PointData[0].Float64 = g.PointData[0].Float64[:5]
	path := filepath.Join(t.TempDir(), "bad.vtu")
	var w Writer
	if err := w.WriteGrid(path, g); err == nil || !strings.Contains(err.Error(), `array "displacement" has 5 values, want 4 of 3 components`) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was written")
	}
}

func BenchmarkWriteGrid(b *testing.B) {
	g := Grid{}
	for j := range 317 {
		for i := range 317 {
			g.Points = append(g.Points, r2.Vec{X: float64(i), Y: float64(j)})
		}
	}
	n := len(g.Points)
	vector := make([]float64, 3*n)
	for i := range vector {
		vector[i] = math.Sin(float64(i) * 1e-3)
	}
	g.PointData = []Array{{Name: "displacement", Components: 3, Float64: vector}, {Name: "velocity", Components: 3, Float64: vector}}
	for i := range 200000 {
		k := int32(i % (n - 318))
		g.Triangles = append(g.Triangles, [3]int32{k, k + 1, k + 317})
	}
	g.CellData = []Array{{Name: "von_mises", Components: 1, Float64: make([]float64, len(g.Triangles))}}
	path := filepath.Join(b.TempDir(), "grid.vtu")
	var w Writer
	for b.Loop() {
		if err := w.WriteGrid(path, g); err != nil {
			b.Fatal(err)
		}
	}
}

// A writer that has written other files before writes the same bytes as a new one, although it
// keeps the data that are constant. A resumed run writes the same bytes, too.
func TestWhatIsKeptChangesNothing(t *testing.T) {
	for _, plain := range []bool{false, true} {
		dir := t.TempDir()
		used := Writer{Uncompressed: plain}
		g := square(40_000)
		g.PointData[1].Constant, g.CellData[1].Constant = true, true
		changing := g.PointData[0].Float64
		points := Points{Points: g.Points[:100], Constant: true}
		for k := range 4 {
			for i := range changing {
				changing[i] = math.Cos(float64(k * i))
				if k == 2 && i%5 > 0 {
					changing[i] = 0 // packed another way
				}
			}
			points.PointData = []Array{{Name: "pressure", Components: 1, Float64: changing[:100]}}
			var files [2][2][]byte
			for i, w := range []*Writer{&used, {Uncompressed: plain}} {
				grid, cloud := filepath.Join(dir, "grid.vtu"), filepath.Join(dir, "cloud.vtp")
				if err := errors.Join(w.WriteGrid(grid, g), w.WritePoints(cloud, points)); err != nil {
					t.Fatal(err)
				}
				for k, path := range []string{grid, cloud} {
					data, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					files[i][k] = data
				}
			}
			for i := range 2 {
				if !bytes.Equal(files[0][i], files[1][i]) {
					t.Errorf("uncompressed %v, file %d of frame %d differs from a new writer's", plain, i, k)
				}
			}
			got, err := readGrid(filepath.Join(dir, "grid.vtu"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := difference(g.PointData[0], got.PointData[0]); diff != "" || got.PointData[1].Int64[7] != 70 {
				t.Errorf("uncompressed %v, frame %d: %.500s", plain, k, diff)
			}
		}
	}
}

// Fill is asked for every value once, in order, and what it sets is read back
// across the blocks of a file.
func TestFill(t *testing.T) {
	for _, plain := range []bool{false, true} {
		w := Writer{Uncompressed: plain}
		g := square(40_000)
		n, asked := len(g.Points), 0
		at := func(k int) r2.Vec { return r2.Vec{X: math.Sqrt(float64(k)), Y: -float64(k)} }
		g.PointData = []Array{Vectors("velocity", at), {Name: "order", Components: 1, Fill: func(first, end int, out []float64) {
			if first != asked || len(out) != end-first {
				t.Errorf("asked for [%d, %d) of %d values after %d", first, end, len(out), asked)
			}
			for i := range out {
				out[i] = float64(first + i)
			}
			asked = end
		}}}
		path := filepath.Join(t.TempDir(), "grid.vtu")
		if err := w.WriteGrid(path, g); err != nil {
			t.Fatal(err)
		}
		if asked != n {
			t.Errorf("asked for %d of %d values", asked, n)
		}
		got, err := readGrid(path)
		if err != nil {
			t.Fatal(err)
		}
		for k := range n {
			v, order := got.PointData[0].Float64[3*k:3*k+3], got.PointData[1].Float64[k]
			if want := at(k); v[0] != want.X || v[1] != want.Y || v[2] != 0 || order != float64(k) {
				t.Fatalf("uncompressed %v, point %d: %v and %g", plain, k, v, order)
			}
		}
	}
}
