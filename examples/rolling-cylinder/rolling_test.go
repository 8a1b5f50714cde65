package rolling_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
)

// The deck rolls to the known deflection and arm: with all its increments, or up to where the
// contact is steady.
func TestRollingCylinder(t *testing.T) {
	m, err := scenes.Load("rolling-cylinder.toml")
	if err != nil {
		t.Fatal(err)
	}
	m.Duration = 0.36
	m.Static.Increment *= 2
	m.Static.Largest *= 2
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	c := s.Surfaces[0]
	sum, moment := 0.0, 0.0
	pressure := c.PerContactNode(nil, c.Pressures())
	for i, x := range c.Positions(nil, s.X) {
		sum += pressure[i]
		moment += pressure[i] * (x.X - s.RigidMotions[1].Centre.X)
	}
	if d := 0.05 - s.RigidMotions[1].Centre.Y; math.Abs(d-6.061e-6) > 1e-3*6.061e-6 {
		t.Errorf("deflection %g m, want 6.061e-6 m", d)
	}
	if arm := moment / sum; math.Abs(arm-0.0718e-3) > 2e-3*0.0718e-3 { // twice the length of increments
		t.Errorf("arm %g m, want 0.0718e-3 m", arm)
	}
}
