// Two steel discs collide: a model, its run and its results without a deck.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fdem/io/history"
	"fdem/io/results"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/mesh/shapes"
	"fdem/solver"
	"fdem/solver/model"
	"gonum.org/v1/gonum/spatial/r2"
)

func main() {
	if err := collide(filepath.Join(os.TempDir(), "discs.out")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// collide runs the model and writes its results into dir.
func collide(dir string) error {
	src := &mesh.Source{Name: "discs"}
	_, err := shapes.Disc(src, "left", r2.Vec{X: -10.01e-3}, 10e-3, 2e-3) // [m]
	_, other := shapes.Disc(src, "right", r2.Vec{X: 10.01e-3}, 10e-3, 2e-3)
	m, built := mesh.Build(src, []string{"left", "right"})
	if err := errors.Join(err, other, built); err != nil {
		return err
	}
	steel := bulk.Elastic{Young: 210e9, Poisson: 0.3, Density: 7860}
	s, err := solver.New(&model.Model{
		Mesh: m, Thickness: 10e-3, Duration: 60e-6, HistoryEvery: 1e-6, FieldsEvery: 5e-6, Safety: 0.8, ResidualLimit: 0.05,
		Materials: []bulk.Material{{Elastic: steel}},
		Bodies:    []model.Body{{Name: "left", Velocity: r2.Vec{X: 2}}, {Name: "right"}},
		Contacts: []model.SurfaceContact{{
			Name: "blow", Contactor: m.Bodies[0].Edges(), Opposite: m.Bodies[1].Edges(), TwoSided: true,
			Law: contact.Linear{K: 1e15}, LawName: "linear", NodesPerElement: 5,
		}},
	})
	w, opened := results.Open(dir, "", s, nil) // makes the folder
	if err := errors.Join(err, opened); err != nil {
		return err
	}
	run := s.Run(context.Background(), solver.Observer{Row: w.Row, Frame: w.Frame})
	summary, closed := w.Close("done", run)
	v, read := history.Columns(filepath.Join(dir, "history.csv"), []string{"left.vx", "right.vx"})
	if err := errors.Join(run, closed, read); err != nil {
		return err
	}
	fmt.Printf("%d steps; left %.2f m/s, right %.2f m/s\n", summary.Steps, v[0][len(v[0])-1], v[1][len(v[1])-1])
	return nil
}
