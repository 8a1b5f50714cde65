package vtk_test

import (
	"fmt"
	"os"
	"path/filepath"

	"fdem/io/vtk"

	"gonum.org/v1/gonum/spatial/r2"
)

// A frame is written for ParaView and read again.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "000000.vtu")
	var w vtk.Writer
	grid := vtk.Grid{Points: []r2.Vec{{}, {X: 1}, {Y: 1}}, Triangles: [][3]int32{{0, 1, 2}}, CellData: []vtk.Array{{Name: "von_mises", Components: 1, Float64: []float64{3e6}}}}
	if err := w.WriteGrid(path, grid); err != nil {
		fmt.Println(err)
		return
	}
	f, err := vtk.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	stress, err := f.CellData("von_mises")
	fmt.Println(f.Points, f.Cells, stress.Float64, err)
	// Output:
	// 3 1 [3e+06] <nil>
}
