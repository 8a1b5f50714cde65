package mesh_test

import (
	"fmt"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// A square of two triangles becomes a mesh with its boundary.
func ExampleBuild() {
	src := &mesh.Source{Name: "square"}
	a, b := src.AddNode(r2.Vec{}), src.AddNode(r2.Vec{X: 1})
	c, d := src.AddNode(r2.Vec{X: 1, Y: 1}), src.AddNode(r2.Vec{Y: 1})
	src.AddTriangle(a, b, c)
	src.AddTriangle(a, c, d)
	m, err := mesh.Build(src, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	q := m.Quality()
	fmt.Printf("%d triangles, %d boundary edges, edges from %.3f to %.3f m\n", len(m.Triangles), len(m.Edges), q.ShortestEdge, q.LongestEdge)
	// Output:
	// 2 triangles, 4 boundary edges, edges from 1.000 to 1.414 m
}
