package vtk

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r2"
)

// VTK's readers find the same data in a copy as in the file, for any content.
func TestCopiesReadAsTheFiles(t *testing.T) {
	grid := square(12000) // several blocks
	grid.Lines = [][2]int32{{3, 4}}
	grid.CellData[0].Float64 = make([]float64, 18)
	grid.CellData[0].Float64[17] = math.Pi
	grid.CellData[1].Int32 = []int32{0, 7, -1}
	grid.PointData = append(grid.PointData, Vectors("normal", func(k int) r2.Vec { return r2.Vec{X: 1 / float64(k+1)} }))
	cloud := Points{Points: grid.Points[:5], PointData: []Array{{Name: "pressure", Components: 1, Float64: []float64{1, 2, 3, 4, 5}}}, Time: 2}
	lines := Lines{Points: grid.Points[:4], CellData: []Array{{Name: "opening", Components: 1, Float64: []float64{0.5, -1e30}}}, Time: 3}
	for _, ext := range []string{".vtu", ".vtkhdf"} {
		dir := t.TempDir()
		var paths []string
		for _, w := range []*Writer{{Copy: ext}, {Copy: ext, Single: true, Uncompressed: true}} {
			at := func(name string) string {
				if w.Single {
					name = "single-" + name
				}
				if to := CopyOf(name, ext); to != "" {
					paths = append(paths, filepath.Join(dir, name), filepath.Join(dir, to))
				}
				return filepath.Join(dir, name)
			}
			for range 2 { // the second time with what is kept
				if err := errors.Join(w.WriteGrid(at("grid.vtu"), grid), w.WritePoints(at("points.vtp"), cloud), w.WriteLines(at("lines.vtp"), lines)); err != nil {
					t.Fatal(err)
				}
			}
		}
		all := readers(t, paths...)
		for i := 0; i < len(all); i += 2 {
			if diff := cmp.Diff(decode(t, all[i]), decode(t, all[i+1])); diff != "" {
				t.Errorf("%s reads differently from %s: %.1000s", paths[i+1], paths[i], diff)
			}
		}
	}
}

// Copies are as long as predicted, those in XML about.
func TestSizeOfCopies(t *testing.T) {
	dir, grid := t.TempDir(), square(1000)
	cloud := Points{Points: grid.Points}
	for _, ext := range []string{".vtu", ".vtkhdf"} {
		w, path := Writer{Copy: ext, Uncompressed: true}, filepath.Join(dir, "frame")
		of := func(name string) int {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			return int(info.Size())
		}
		g, err := w.GridSize(grid)
		p, more := w.PointsSize(cloud)
		if err := errors.Join(err, more, w.WriteGrid(path+".vtu", grid)); err != nil {
			t.Fatal(err)
		}
		want := of(path + ".vtu")
		if ext == ".vtkhdf" {
			want += of(path + ext)
		}
		if d := g - want; d < -200 || d > 200 {
			t.Errorf("%s of a grid: %d bytes predicted, %d written", ext, g, want)
		}
		if err := w.WritePoints(path+".vtp", cloud); err != nil {
			t.Fatal(err)
		}
		if want = of(path+".vtp") + of(path+ext); float64(p) < 0.9*float64(want) || float64(p) > 1.1*float64(want) {
			t.Errorf("%s of points: %d bytes predicted, %d written", ext, p, want)
		}
	}
}

// An empty copy can be read, and an array of the wrong length is refused before anything is
// written.
func TestCopiesOfNothingAndOfWhatIsWrong(t *testing.T) {
	dir, w := t.TempDir(), Writer{Copy: ".vtkhdf"}
	path := filepath.Join(dir, "none.vtp")
	if err := w.WriteLines(path, Lines{CellData: []Array{{Name: "opening", Components: 1}}}); err != nil {
		t.Fatal(err)
	}
	bad := Lines{Points: make([]r2.Vec, 2), CellData: []Array{{Name: "opening", Components: 1}}}
	if err := w.WriteLines(filepath.Join(dir, "bad.vtp"), bad); err == nil || !strings.Contains(err.Error(), `array "opening" has 0 values, want 1`) {
		t.Errorf("got %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "bad*")); left != nil {
		t.Errorf("%v were written", left)
	}
	if got := decode(t, readers(t, filepath.Join(dir, "none.vtkhdf"))[0]); len(got.Points) != 0 || len(got.Cells) != 0 {
		t.Errorf("nothing reads as %v", got)
	}
}

// meshio fails on a file without cells: there is none, and the series does not list it.
func TestNoCopyWithoutCells(t *testing.T) {
	dir, w := t.TempDir(), Writer{Copy: ".vtu"}
	s := Series{Path: filepath.Join(dir, "cracks.pvd"), Copy: w.Copy}
	for i, l := range []Lines{{}, {Points: make([]r2.Vec, 2)}} {
		name := []string{"none.vtp", "some.vtp"}[i]
		if err := errors.Join(w.WriteLines(filepath.Join(dir, name), l), s.Add(float64(i), name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(SeriesOf(s.Path, w.Copy)[0])
	if err != nil || strings.Contains(string(list), "none") || !strings.Contains(string(list), "some.vtu") {
		t.Errorf("%v, %s", err, list)
	}
	if _, err := os.Stat(filepath.Join(dir, "none.vtu")); err == nil {
		t.Error("a copy without cells was written")
	}
}
