package cradle_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/materials/contact"
	"fdem/solver"
)

func run(t *testing.T, law contact.Law) *solver.Solver {
	t.Helper()
	m, err := scenes.Load("newtons-cradle.toml")
	if err != nil {
		t.Fatal(err)
	}
	if law != nil {
		m.Contacts[0].Law, m.Duration = law, 2e-3 // slower balls take longer
	}
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	return s
}

// momentum sums over the balls, relative to the first one's at the start.
func momentum(s *solver.Solver) float64 {
	p := 0.0
	for _, m := range s.Motions() {
		p += m.Momentum.X
	}
	return p / s.Motions()[0].Mass
}

// The last ball leaves with nearly all of the speed of the first, and momentum
// is kept to round-off.
func TestLastBallLeaves(t *testing.T) {
	s := run(t, nil)
	last := s.Motions()[4].Velocity.X
	e := s.Energies()
	t.Logf("the last ball leaves at %.5f m/s; momentum changed by %.2g; residual %.2g", last, momentum(s)-1, s.Relative(e))
	if last < 0.9 {
		t.Errorf("the last ball leaves at %g m/s", last)
	}
	if math.Abs(momentum(s)-1) > 1e-11 {
		t.Errorf("momentum changed by %g of its start", momentum(s)-1)
	}
	if s.Relative(e) > 1e-3 || math.Abs(e.ContactDissipated) > 1e-6*s.Ledger.Entered {
		t.Errorf("residual %g, dissipated %g J", s.Relative(e), e.ContactDissipated)
	}
}

// With rough surfaces as much energy is lost as the ledger records.
func TestRoughBallsLose(t *testing.T) {
	model, _ := contact.Lookup("kostek")
	si := func(um, exponent float64) float64 { return um * 1e-6 / math.Pow(1e6, exponent) }
	law, err := model.Build(map[string]float64{
		"e_p": si(0.534, 0.653), "m_p": 0.653, "e_e": si(1.148, 0.462), "m_e": 0.462,
		"e_l": si(0.302, 0.462), "e_u": si(0.523, 0.462), "m_ep": 0.462,
	})
	if err != nil {
		t.Fatal(err)
	}
	s := run(t, law)
	e := s.Energies()
	lost := s.Ledger.Start.Kinetic - e.Kinetic - e.Strain - e.ContactStored
	t.Logf("the last ball leaves at %.5f m/s; %.4g J of %.4g J lost, %.4g J in the ledger", s.Motions()[4].Velocity.X, lost, s.Ledger.Start.Kinetic, e.ContactDissipated)
	if math.Abs(momentum(s)-1) > 1e-11 {
		t.Errorf("momentum changed by %g of its start", momentum(s)-1)
	}
	if !(e.ContactDissipated > 0.01*s.Ledger.Start.Kinetic) || math.Abs(lost-e.ContactDissipated) > 1e-3*s.Ledger.Start.Kinetic {
		t.Errorf("%g J lost, %g J in the ledger", lost, e.ContactDissipated)
	}
}
