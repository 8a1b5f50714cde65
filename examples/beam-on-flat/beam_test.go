package beam_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
)

// The middle and the end of the beam at the peak, while unloading and
// reloading: the numbers of the paper's problem, and its picture.
func TestBeamOnFlat(t *testing.T) {
	m, err := scenes.Load("beam-on-flat.toml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	middle, end := -1, -1
	for i, x := range s.Surfaces[0].Positions(nil, m.Mesh.X) {
		switch {
		case x.Y > 0.01:
		case math.Abs(x.X) < 1e-9:
			middle = i
		case x.X > 0.0999:
			end = i
		}
	}
	const peak, bottom = 0.3125, 0.625
	var atPeak, afterPeak, lifted, endMost, endLater float64
	err = scenes.Finish(s, func() {
		c := s.Surfaces[0]
		deflection, pressure := c.PerContactNode(nil, c.Deflections()), c.PerContactNode(nil, c.Pressures())
		force := 10e3 * m.Loads[0].Schedule(s.Time)
		switch {
		case s.Time <= peak:
			endMost = max(endMost, pressure[end])
			if s.Time == peak {
				atPeak, afterPeak = deflection[middle], pressure[end]
				if math.Abs(deflection[middle]-6.910e-6) > 6.91e-9 || math.Abs(pressure[middle]-10.892e6) > 10.892e3 || math.Abs(pressure[end]-0.016e6) > 500 {
					t.Errorf("at the peak: %g m, %g Pa in the middle, %g Pa at the end", deflection[middle], pressure[middle], pressure[end])
				}
			}
		case s.Time < bottom:
			endLater = max(endLater, pressure[end])
			if pressure[middle] == 0 && lifted == 0 {
				lifted = force
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if !(endMost > 10*afterPeak) || !(endLater > 2*afterPeak) {
		t.Errorf("the ends carry up to %g Pa, %g Pa at the peak, %g Pa while unloading: they should be released and load again", endMost, afterPeak, endLater)
	}
	if !(lifted > 200 && lifted < 600) {
		t.Errorf("the middle lifts off at %g N", lifted)
	}
	c := s.Surfaces[0]
	if d := c.PerContactNode(nil, c.Deflections())[middle]; !(d > atPeak) {
		t.Errorf("12 kN press the middle by %g m, 10 kN by %g m", d, atPeak)
	}
	t.Logf("the ends carry up to %.4g MPa while loading, %.4g MPa at the peak, up to %.4g MPa while unloading; the middle lifts off at %.0f N", 1e-6*endMost, 1e-6*afterPeak, 1e-6*endLater, lifted)
}

// The same beam of triangles, computed in time with damping, comes to rest in the state that static
// analysis finds.
func TestTrianglesRestInBalance(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	rest := func(deck string, duration float64) (deflection, pressure float64) {
		m, err := scenes.Load(deck)
		if err != nil {
			t.Fatal(err)
		}
		m.Duration = duration
		s, err := solver.New(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := scenes.Finish(s, func() {}); err != nil {
			t.Fatal(err)
		}
		c := s.Surfaces[0]
		deflections, pressures := c.PerContactNode(nil, c.Deflections()), c.PerContactNode(nil, c.Pressures())
		for i, x := range c.Positions(nil, m.Mesh.X) {
			if math.Abs(x.X) < 0.6e-3 {
				deflection, pressure = deflections[i], pressures[i]
			}
		}
		if math.Abs(c.Normal-10e3) > 10 {
			t.Errorf("%s: the flat carries %g N", deck, c.Normal)
		}
		return deflection, pressure
	}
	d, p := rest("triangles.toml", 0.3125)
	dt, pt := rest("triangles-dynamic.toml", 2.7e-3)
	if math.Abs(dt/d-1) > 0.01 || math.Abs(pt/p-1) > 0.01 {
		t.Errorf("in time %g m, %g Pa, in balance %g m, %g Pa", dt, pt, d, p)
	}
	t.Logf("in time %.5g um, %.5g MPa, in balance %.5g um, %.5g MPa", 1e6*dt, 1e-6*pt, 1e6*d, 1e-6*p)
}
