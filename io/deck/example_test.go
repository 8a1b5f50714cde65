package deck_test

import (
	"fmt"

	"fdem/io/deck"
	"fdem/mesh"
	"fdem/mesh/shapes"

	"gonum.org/v1/gonum/spatial/r2"
)

// A deck and a mesh become a model.
func ExampleParse() {
	d, err := deck.Parse("bar.toml", []byte("[analysis]\nduration = \"1 ms\"\n[[material]]\nname = \"steel\"\nyoung = \"210 GPa\"\npoisson = 0.3\ndensity = \"7860 kg/m3\"\n[[body]]\nname = \"bar\"\nmaterial = \"steel\"\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	src := &mesh.Source{Name: "bar"}
	_, err = shapes.Rectangle(src, "bar", r2.Vec{}, r2.Vec{X: 2, Y: 1}, 0.5)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, warnings, err := d.Build(src)
	fmt.Println(m.Bodies[0].Name, m.Materials[0].Young, m.Duration, len(warnings), err)
	// Output:
	// bar 2.1e+11 0.001 0 <nil>
}
