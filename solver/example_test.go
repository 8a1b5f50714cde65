package solver_test

import (
	"context"
	"errors"
	"fmt"

	"fdem/materials/bulk"
	"fdem/mesh"
	"fdem/mesh/shapes"
	"fdem/solver"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// A bar falls for a tenth of a millisecond.
func ExampleNew() {
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
	nothing := func() error { return nil }
	err = s.Run(context.Background(), solver.Observer{Row: nothing, Frame: nothing})
	fmt.Printf("%.3f mm/s after %.0f us, %v\n", 1e3*s.Motions()[0].Velocity.Y, 1e6*s.Time, err)
	// Output:
	// -0.981 mm/s after 100 us, <nil>
}
