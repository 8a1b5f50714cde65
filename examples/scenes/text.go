package scenes

import (
	"context"

	"fdem/io/deck"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/statics"
)

// Start makes a solver of a deck's text, on a mesh where it needs one. name is
// for messages.
func Start(name, text string, src *mesh.Source) (*solver.Solver, error) {
	d, err := deck.Parse(name, []byte(text))
	if err != nil {
		return nil, err
	}
	m, _, err := d.Build(src)
	if err != nil {
		return nil, err
	}
	return solver.New(m)
}

// Finish runs to the end and calls row for every row of the history.
func Finish(s *solver.Solver, row func()) error {
	return statics.Run(context.Background(), s, solver.Output{
		Row:   func() error { row(); return nil },
		Frame: func() error { return nil },
	})
}
