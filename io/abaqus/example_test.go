package abaqus_test

import (
	"fmt"

	"fdem/io/abaqus"
)

// A part of one triangle from an input file.
func ExampleParse() {
	text := "*Part, name=plate\n*Node\n1, 0, 0\n2, 1, 0\n3, 0, 1\n*Element, type=CPS3, elset=plate\n1, 1, 2, 3\n*End Part\n"
	src, err := abaqus.Parse("plate.inp", []byte(text), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(src.X), "nodes,", len(src.Triangles), "triangle")
	// Output:
	// 3 nodes, 1 triangle
}
