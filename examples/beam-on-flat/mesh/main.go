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

	"fdem/io/gmsh"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
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
	src, err := Source(*cell*1e-3, *elements)
	if err == nil {
		err = gmsh.Write(os.Stdout, src)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// Source returns the mesh of triangles in cells of a width [m], of beam
// elements where that is 0.
func Source(cell float64, elements int) (*mesh.Source, error) {
	if cell == 0 {
		if elements < 2 || elements%2 != 0 {
			return nil, fmt.Errorf("the number of elements must be even, got %d", elements)
		}
		return beams(elements), nil
	}
	n := math.Round(length / cell)
	if !(n >= 4) || math.Mod(n, 2) != 0 || math.Abs(n*cell-length) > 1e-9 {
		return nil, fmt.Errorf("the width of a cell must be 200 mm divided by an even number, got %g mm", 1e3*cell)
	}
	return triangles(int(n), max(1, int(math.Round(height/cell)))), nil
}

func beams(n int) *mesh.Source {
	src := &mesh.Source{Name: "beam-on-flat.msh"}
	all := mesh.SourceGroup{Name: "beam", Dim: 1, Number: 1}
	for i := range n + 1 {
		src.X = append(src.X, r2.Vec{X: length * (float64(i)/float64(n) - 0.5), Y: height / 2})
		src.NodeID = append(src.NodeID, int64(i)+1)
		if i > 0 {
			all.Elements = append(all.Elements, int32(i)-1)
			src.Lines = append(src.Lines, [2]int32{int32(i) - 1, int32(i)})
			src.LineID = append(src.LineID, int64(i))
		}
	}
	src.Points = []int32{int32(n / 2)}
	src.Groups = []mesh.SourceGroup{{Name: "middle", Dim: 0, Number: 2, Elements: []int32{0}}, all}
	return src
}

func triangles(nx, ny int) *mesh.Source {
	src := &mesh.Source{Name: "triangles.msh"}
	body := mesh.SourceGroup{Name: "beam", Dim: 2, Number: 1}
	bottom := mesh.SourceGroup{Name: "bottom", Dim: 1, Number: 2}
	middle := mesh.SourceGroup{Name: "middle", Dim: 1, Number: 3}
	at := func(i, j int) int32 { return int32(j*(nx+1) + i) }
	for j := range ny + 1 {
		for i := range nx + 1 {
			src.X = append(src.X, r2.Vec{X: length * (float64(i)/float64(nx) - 0.5), Y: height * float64(j) / float64(ny)})
			src.NodeID = append(src.NodeID, int64(len(src.X)))
		}
	}
	line := func(g *mesh.SourceGroup, a, b int32) {
		g.Elements = append(g.Elements, int32(len(src.Lines)))
		src.Lines = append(src.Lines, [2]int32{a, b})
		src.LineID = append(src.LineID, int64(len(src.Lines)))
	}
	for j := range ny {
		for i := range nx {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			pair := [2][3]int32{{a, b, c}, {a, c, d}}
			if (i < nx/2) == (j%2 == 0) { // mirrored about the middle
				pair = [2][3]int32{{a, b, d}, {b, c, d}}
			}
			for _, t := range pair {
				body.Elements = append(body.Elements, int32(len(src.Triangles)))
				src.Triangles = append(src.Triangles, t)
				src.TriID = append(src.TriID, int64(len(src.Triangles)))
			}
			if j == 0 {
				line(&bottom, a, b)
			}
		}
		line(&middle, at(nx/2, j), at(nx/2, j+1))
	}
	src.Groups = []mesh.SourceGroup{body, bottom, middle}
	return src
}
