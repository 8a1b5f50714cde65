package gmsh_test

import (
	"bytes"
	"fmt"

	"fdem/io/gmsh"
	"fdem/mesh"
	"fdem/mesh/shapes"

	"gonum.org/v1/gonum/spatial/r2"
)

// A mesh as a .msh file, and back.
func ExampleWrite() {
	src := &mesh.Source{Name: "bar"}
	if _, err := shapes.Rectangle(src, "bar", r2.Vec{}, r2.Vec{X: 2, Y: 1}, 1); err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := gmsh.Write(&file, src); err != nil {
		fmt.Println(err)
		return
	}
	back, err := gmsh.Parse("bar.msh", file.Bytes())
	fmt.Println(len(back.Triangles) == len(src.Triangles), back.Groups[0].Name, err)
	// Output:
	// true bar <nil>
}
