package model_test

import (
	"errors"
	"fmt"

	"fdem/materials/bulk"
	"fdem/mesh"
	"fdem/mesh/shapes"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// A model is plain data in SI units: a bar of 20 mm times 10 mm, whose left edge is held.
func ExampleModel() {
	src := &mesh.Source{Name: "bar"}
	_, err := shapes.Rectangle(src, "bar", r2.Vec{}, r2.Vec{X: 20e-3, Y: 10e-3}, 5e-3)
	m, built := mesh.Build(src, nil)
	if err := errors.Join(err, built); err != nil {
		fmt.Println(err)
		return
	}
	var left []int32
	for i, x := range m.X {
		if x.X == 0 {
			left = append(left, int32(i))
		}
	}
	bar := &model.Model{
		Mesh: m, Thickness: 10e-3, Duration: 1e-3, Safety: 0.8, ResidualLimit: 0.05,
		Materials: []bulk.Material{{Elastic: bulk.Elastic{Young: 210e9, Poisson: 0.3, Density: 7860}}},
		Bodies:    []model.Body{{Name: "bar"}},
		Fixes:     []model.Fix{{On: "left", Name: "left", Nodes: left, X: true, Y: true}},
	}
	fmt.Println(len(bar.Fixes[0].Nodes), "of", len(m.X), "nodes are held")
	// Output:
	// 3 of 16 nodes are held
}
