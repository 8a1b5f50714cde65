package solver_test

import (
	"context"

	"fdem/solver"
	"fdem/solver/statics"
)

func init() {
	solver.Analyse = func(s *solver.Solver, patience int, out solver.Observer) error {
		a := statics.New(s)
		if patience > 0 {
			a.Linear.Cheap, a.Linear.MaxIterations = 0, patience
		}
		return a.Run(context.Background(), out)
	}
}
