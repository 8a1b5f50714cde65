package plan_test

import (
	"fmt"

	"fdem/io/plan"
)

// The mesh of a .shapes.toml file.
func ExampleParseShapes() {
	src, err := plan.ParseShapes("block.shapes.toml", []byte("edge = \"5 mm\"\n[[rectangle]]\nname = \"block\"\nfrom = [0, 0]\nto = [\"20 mm\", \"40 mm\"]\nbottom = \"bottom\"\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range src.Groups {
		fmt.Println(g.Name, g.Dim)
	}
	// Output:
	// block 2
	// bottom 1
}
