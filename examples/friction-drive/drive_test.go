package drive_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
	"fdem/solver/constraints"
)

// The wheel that is pressed against a driven one slips first, with the friction of Coulomb on the
// axle, and then rolls with it; the forces on its axle and on the hub are the normal force between
// the rims.
func TestFrictionDrive(t *testing.T) {
	m, err := scenes.Load("friction-drive.toml")
	if err != nil {
		t.Fatal(err)
	}
	m.Duration, m.HistoryEvery = 30e-3, 50e-6
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var slipping, rolling, rows, impulse, given, before, difference float64
	if err := scenes.Finish(s, func() {
		var hub, axle constraints.Reaction
		for _, r := range s.MeanReactions() {
			if r.Name == "hub" {
				hub = r
			} else {
				axle = r
			}
		}
		c := s.MeanForces()[0]
		if since := s.Time - before; since > 0 {
			impulse += hub.Moment * since
		}
		before = s.Time
		if s.Time > 1.9e-3 && s.Time < 2.2e-3 && c.Normal > 1 {
			slipping = c.Tangential / c.Normal
		}
		if s.Time > 15e-3 {
			rolling += s.Motions()[1].AngularVelocity
			given += impulse // swings by a quarter about its mean, as the wheel does on its elastic rim
			difference = math.Max(difference, math.Abs(hub.Force.X+axle.Force.X)/c.Normal)
			rows++
		}
	}); err != nil {
		t.Fatal(err)
	}
	rolling, given = rolling/rows, given/rows
	follower := s.Motions()[1].Mass
	want := 0.5 * follower * scenes.WheelRadius * scenes.WheelRadius * 50
	e := s.Energies()
	t.Logf("slips at %.4f, rolls at %.2f rad/s, angular impulse %.4g of %.4g Nms, hub and axle differ by %.2g, residual %.1e", slipping, rolling, given, want, difference, s.Relative(e))
	if math.Abs(slipping-0.3) > 1e-3 {
		t.Errorf("slips with a friction of %g", slipping)
	}
	if math.Abs(rolling+50) > 1.5 {
		t.Errorf("rolls at %g rad/s", rolling)
	}
	if math.Abs(given-want) > 0.03*want {
		t.Errorf("the hub gives %g Nms on the mean, want %g", given, want)
	}
	if difference > 0.15 {
		t.Errorf("hub and axle differ by %g of what the rims press", difference)
	}
	if s.Relative(e) > 1e-5 {
		t.Errorf("residual %g", s.Relative(e))
	}
}
