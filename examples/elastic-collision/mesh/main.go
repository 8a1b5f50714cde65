// Command mesh writes the mesh of the elastic collision: two blocks of
// equilateral triangles, a striker and a cantilever target.
//
//	go run ./examples/elastic-collision/mesh -edge 0.5 > elastic-collision.msh
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

// Sizes in millimetres, as reconstructed (see the README beside this
// example). Widths are whole numbers of columns of triangles of 1 mm edge.
const (
	targetLength   = 66
	targetColumns  = 12
	strikerHeight  = 9
	strikerColumns = 9
	strikerLow     = 60 // lower end of the striker above the clamp
)

func main() {
	edge := flag.Float64("edge", 0.5, "edge of the triangles in mm: 1, 0.5, 0.25, ...")
	flag.Parse()
	if err := run(*edge); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(edge float64) error {
	per := int(math.Round(1 / edge)) // edges in a millimetre
	if per < 1 || math.Abs(float64(per)*edge-1) > 1e-12 {
		return fmt.Errorf("edge must be 1 mm divided by a whole number, got %g mm", edge)
	}
	h := 1e-3 / float64(per)
	src := &mesh.Source{Name: "elastic-collision.msh"}
	width := h * math.Sqrt(3) / 2
	target := block(src, 0, 0, targetColumns*per, targetLength*per, h)
	striker := block(src, -strikerColumns*float64(per)*width, strikerLow*1e-3, strikerColumns*per, strikerHeight*per, h)
	src.Groups = []mesh.SourceGroup{
		{Name: "striker", Dim: 2, Number: 1, Elements: striker.triangles},
		{Name: "target", Dim: 2, Number: 2, Elements: target.triangles},
		{Name: "clamp", Dim: 1, Number: 11, Elements: target.bottom},
	}
	return gmsh.Write(os.Stdout, src)
}

// parts are the named groups of elements of a block.
type parts struct{ triangles, bottom []int32 }

// block appends a block of equilateral triangles whose left side is straight, from (x0,
// y0) upwards. Columns of nodes are an altitude of a triangle apart. Every second column
// begins half an edge higher and is one edge shorter.
func block(src *mesh.Source, x0, y0 float64, columns, edges int, h float64) parts {
	var s parts
	var low []int32 // first node of each column
	for i := range columns + 1 {
		n, shift := edges+1, 0.0
		if i%2 == 1 {
			n, shift = edges, 0.5
		}
		low = append(low, int32(len(src.X)))
		for j := range n {
			src.AddNode(r2.Vec{X: x0 + float64(i)*h*math.Sqrt(3)/2, Y: y0 + (float64(j)+shift)*h})
		}
	}
	for i := range columns {
		long, short, flip := low[i], low[i+1], false
		if i%2 == 1 {
			long, short, flip = short, long, true
		}
		put := func(a, b, c int32) {
			if flip {
				b, c = c, b
			}
			s.triangles = append(s.triangles, src.AddTriangle(a, b, c))
		}
		for j := range int32(edges) {
			put(long+j, short+j, long+j+1)
			if j+1 < int32(edges) {
				put(short+j, short+j+1, long+j+1)
			}
		}
		s.bottom = append(s.bottom, src.AddLine(low[i], low[i+1]))
	}
	return s
}
