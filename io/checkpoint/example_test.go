package checkpoint_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"fdem/io/checkpoint"
	"fdem/materials/bulk"
	"fdem/mesh"
	"fdem/mesh/shapes"
	"fdem/solver"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// A bar falls, its state is kept, and a second solver goes on from there.
func ExampleWriter() {
	bar := func() *solver.Solver {
		src := &mesh.Source{Name: "bar"}
		_, err := shapes.Rectangle(src, "bar", r2.Vec{}, r2.Vec{X: 0.1, Y: 0.02}, 0.01)
		m, built := mesh.Build(src, nil)
		if err := errors.Join(err, built); err != nil {
			panic(err)
		}
		s, err := solver.New(&model.Model{
			Mesh: m, Thickness: 1, Duration: 1e-4, Safety: 0.8, ResidualLimit: 0.05, Gravity: r2.Vec{Y: -9.81},
			Materials: []bulk.Material{{Elastic: bulk.Elastic{Young: 210e9, Poisson: 0.3, Density: 7860}}},
			Bodies:    []model.Body{{Name: "bar"}},
		})
		if err != nil {
			panic(err)
		}
		return s
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	first, nothing := bar(), func() error { return nil }
	run := first.Run(context.Background(), solver.Observer{Row: nothing, Frame: nothing})
	w := checkpoint.NewWriter(dir, "")
	_, err = w.Ready(true)
	wrote := w.Write(checkpoint.Header{Title: "bar", Step: first.N, Time: first.Time}, first.Parts(), nothing)
	if err := errors.Join(run, err, wrote, w.Wait()); err != nil {
		fmt.Println(err)
		return
	}

	f, _, err := checkpoint.Newest(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	second := bar()
	filled := f.Fill(second.Parts())
	restored := second.Restore()
	fmt.Println(f.Title, second.N == first.N, second.Time == first.Time, errors.Join(filled, restored))
	// Output:
	// bar true true <nil>
}
