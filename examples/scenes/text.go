package scenes

import (
	"context"
	"math"

	"fdem/io/deck"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/statics"
)

// Start makes a solver of a deck's text, on a mesh if it needs one. name is for messages.
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

// Open makes a solver of an example's deck.
func Open(path string) (*solver.Solver, error) {
	m, err := Load(path)
	if err != nil {
		return nil, err
	}
	return solver.New(m)
}

// BlastedSteel is the rough surface of R. Kostek, J. Theor. Appl. Mech. 50(2), 2012,
// table 1.
func BlastedSteel() *contact.Kostek {
	si := func(um, exponent float64) float64 { return um * 1e-6 / math.Pow(1e6, exponent) } // from um/MPa^exponent
	k, err := contact.NewKostek(contact.Kostek{Ep: si(0.534, 0.653), Mp: 0.653, Ee: si(1.148, 0.462), Me: 0.462, El: si(0.302, 0.462), Eu: si(0.523, 0.462), Mep: 0.462})
	if err != nil {
		panic(err) // the constants of this function
	}
	return k
}

// Finish runs to the end and calls row for every row of the history.
func Finish(s *solver.Solver, row func()) error {
	return statics.Run(context.Background(), s, solver.Observer{
		Row:   func() error { row(); return nil },
		Frame: func() error { return nil },
	})
}

// Residuals returns the residual of the energy so far, over the greatest energy held or
// moved, and the part of it that comes from steps. The rest is energy that cracks
// released.
func Residuals(s *solver.Solver) (whole, steps float64) {
	e := s.Energies()
	whole = s.Relative(e)
	e.Residual = e.OfSteps()
	return whole, s.Relative(e)
}

// ValueAt returns y at the position at of x, on the straight line through all points
// within half of it, NaN for fewer than two points: the mean of a curve that oscillates.
func ValueAt(x, y []float64, at, half float64) float64 {
	var n, mx, my, xx, xy float64
	for i := range x {
		if d := x[i] - at; math.Abs(d) <= half {
			n, mx, my, xx, xy = n+1, mx+d, my+y[i], xx+float64(d*d), xy+float64(d*y[i])
		}
	}
	slope := (xy - float64(mx*my)/n) / (xx - float64(mx*mx)/n)
	return (my - float64(slope*mx)) / n
}
