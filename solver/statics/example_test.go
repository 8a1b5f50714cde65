package statics_test

import (
	"context"
	"errors"
	"fmt"

	"fdem/materials/bulk"
	"fdem/mesh"
	"fdem/mesh/shapes"
	"fdem/solver"
	"fdem/solver/model"
	"fdem/solver/statics"

	"gonum.org/v1/gonum/spatial/r2"
)

// A bar that is held at both ends is drawn out by 10 micrometres: E A times that.
func ExampleRun() {
	src := &mesh.Source{Name: "bar"}
	_, err := shapes.Rectangle(src, "bar", r2.Vec{}, r2.Vec{X: 0.1, Y: 0.02}, 0.01)
	m, built := mesh.Build(src, nil)
	if err := errors.Join(err, built); err != nil {
		fmt.Println(err)
		return
	}
	ends := map[float64][]int32{}
	for i, x := range m.X {
		ends[x.X] = append(ends[x.X], int32(i))
	}
	s, err := solver.New(&model.Model{
		Mesh: m, Thickness: 0.01, Duration: 1, Safety: 0.8, ResidualLimit: 0.05, Plane: bulk.PlaneStress,
		Static:    &model.Static{Increment: 1, Largest: 1, Smallest: 0.1, Iterations: 20, Tolerance: 1e-9},
		Materials: []bulk.Material{{Elastic: bulk.Elastic{Young: 200e9, Density: 7860}}},
		Bodies:    []model.Body{{Name: "bar"}},
		Fixes:     []model.Fix{{On: "left", Name: "left", Nodes: ends[0], X: true, Y: true}},
		Drives: []model.Drive{{On: "right", Name: "right", Nodes: ends[0.1], X: true,
			Motion: [3]model.PrescribedMotion{{At: func(t float64) float64 { return 10e-6 * t }}}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	nothing := func() error { return nil }
	err = statics.Run(context.Background(), s, solver.Observer{Row: nothing, Frame: nothing})
	fmt.Printf("%.2f mJ, %v\n", 1e3*s.Energies().Strain, err) // half of 4 kN times 10 um
	// Output:
	// 20.00 mJ, <nil>
}
