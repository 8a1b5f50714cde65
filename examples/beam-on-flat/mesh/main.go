// Command mesh writes the meshes of the beam on a flat: 20 beam elements, or
// the same beam in triangles.
//
//	go run ./examples/beam-on-flat/mesh > beam-on-flat.msh
//	go run ./examples/beam-on-flat/mesh -cell 5 > triangles.msh
package main

import (
	"flag"
	"fmt"
	"math"
	"os"

	"fdem/examples/scenes"
	"fdem/io/gmsh"
	"fdem/mesh"
)

// Sizes of the paper [m]. The flat is at y = 0.
const (
	length = 0.2
	height = 0.0624
)

func main() {
	cell := flag.Float64("cell", 0, "width of the cells of two triangles in mm, 200 divided by an even number; 0 for beams")
	elements := flag.Int("elements", 20, "number of beam elements, even")
	flag.Parse()
	src, err := source(*cell*1e-3, *elements)
	if err == nil {
		err = gmsh.Write(os.Stdout, src)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// source returns the mesh of triangles in cells of a width [m], or of beam elements for a
// width of 0.
func source(cell float64, elements int) (*mesh.Source, error) {
	if cell == 0 {
		if elements < 2 || elements%2 != 0 {
			return nil, fmt.Errorf("the number of elements must be even, got %d", elements)
		}
		return scenes.BeamLine(length, height, elements), nil
	}
	n := math.Round(length / cell)
	if !(n >= 4) || math.Mod(n, 2) != 0 || math.Abs(n*cell-length) > 1e-9 {
		return nil, fmt.Errorf("the width of a cell must be 200 mm divided by an even number, got %g mm", 1e3*cell)
	}
	return scenes.BeamTriangles(length, height, int(n), max(1, int(math.Round(height/cell)))), nil
}
