package results_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"fdem/io/results"
	"fdem/materials/bulk"
	"fdem/mesh"
	"fdem/mesh/shapes"
	"fdem/solver"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// The results folder of a bar that falls.
func ExampleOpen() {
	src := &mesh.Source{Name: "bar"}
	_, err := shapes.Rectangle(src, "bar", r2.Vec{}, r2.Vec{X: 0.1, Y: 0.02}, 0.01)
	m, built := mesh.Build(src, nil)
	if err := errors.Join(err, built); err != nil {
		fmt.Println(err)
		return
	}
	s, err := solver.New(&model.Model{
		Mesh: m, Thickness: 1, Duration: 1e-4, Safety: 0.8, ResidualLimit: 0.05, Gravity: r2.Vec{Y: -9.81},
		Materials: []bulk.Material{{Elastic: bulk.Elastic{Young: 210e9, Poisson: 0.3, Density: 7860}}},
		Bodies:    []model.Body{{Name: "bar"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	w, err := results.Open(dir, "", s, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	run := s.Run(context.Background(), solver.Observer{Row: w.Row, Frame: w.Frame})
	sum, err := w.Close("done", run)
	fmt.Println(sum.Status, sum.Elements, "triangles", err)
	// Output:
	// done 42 triangles <nil>
}
