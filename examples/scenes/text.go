package scenes

import (
	"context"

	"fdem/io/deck"
	"fdem/mesh"
	"fdem/solver"
)

// Start makes a solver of a deck's text that needs no mesh. name is for
// messages.
func Start(name, text string) (*solver.Solver, error) {
	d, err := deck.Parse(name, []byte(text))
	if err != nil {
		return nil, err
	}
	m, _, err := deck.Model(d, &mesh.Mesh{})
	if err != nil {
		return nil, err
	}
	return solver.New(m)
}

// Finish runs to the end and calls row for every row of the history.
func Finish(s *solver.Solver, row func()) error {
	return s.Run(context.Background(), solver.Output{
		Row:   func() error { row(); return nil },
		Frame: func() error { return nil },
	})
}
