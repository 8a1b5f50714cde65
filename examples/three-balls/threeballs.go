// Package threeballs has the decks of three collinear steel balls, M. Warzecha and R.
// Grzejda, Tables 1 and 2: the second hits the third, and the first follows them.
package threeballs

import (
	_ "embed"
	"strings"

	"fdem/examples/scenes"
)

// The decks, with the paper's enhanced memory. The captions of its tables are exchanged,
// as momentum shows.
var (
	//go:embed three-balls-resumed.toml
	Resumed string // Table 2: compression resumes during restitution
	//go:embed three-balls-second.toml
	Second string // Table 1: a second impact of the same pair
)

// Run simulates a deck with one of the memories "basic", "enhanced" and
// "curve" and returns the speeds of the balls after all impacts [m/s].
func Run(deck, memory string) (v [3]float64, err error) {
	s, err := scenes.Start("three-balls.toml", strings.Replace(deck, `memory = "enhanced"`, `memory = "`+memory+`"`, 1), nil)
	if err != nil {
		return v, err
	}
	if err := scenes.Finish(s, func() {}); err != nil {
		return v, err
	}
	for i, m := range s.Motions() {
		v[i] = m.Velocity.X
	}
	return v, nil
}

// Path simulates a deck with a memory. It returns, row by row, the overlap of the second
// and the third ball, which meet twice [um], and the force between them [N].
func Path(deck, memory string) (path [2][]float64, err error) {
	text := strings.Replace(deck, `memory = "enhanced"`, `memory = "`+memory+`"`, 1)
	s, err := scenes.Start("three-balls.toml", strings.Replace(text, "[output]", "[output]\nhistory_every = \"0.2 us\"", 1), nil)
	if err != nil {
		return path, err
	}
	balls := s.Spheres()
	err = scenes.Finish(s, func() {
		overlap := 2*radius - (balls.X[2].X - balls.X[1].X)
		force := balls.F[2].X // the third ball has one neighbour
		if overlap > -2e-6 {
			path[0], path[1] = append(path[0], 1e6*overlap), append(path[1], force)
		}
	})
	return path, err
}
