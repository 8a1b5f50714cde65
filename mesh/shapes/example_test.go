package shapes_test

import (
	"fmt"

	"fdem/mesh"
	"fdem/mesh/shapes"

	"gonum.org/v1/gonum/spatial/r2"
)

// A bar of steel, meshed without Gmsh.
func ExampleRectangle() {
	src := &mesh.Source{Name: "bar"}
	if _, err := shapes.Rectangle(src, "bar", r2.Vec{}, r2.Vec{X: 0.1, Y: 0.02}, 0.01); err != nil {
		fmt.Println(err)
		return
	}
	m, err := mesh.Build(src, []string{"bar"})
	fmt.Println(len(m.Triangles), "triangles in", m.Bodies[0].Name, err)
	// Output:
	// 42 triangles in bar <nil>
}
