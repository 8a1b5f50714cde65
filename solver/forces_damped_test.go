package solver

import (
	"fmt"
	"math"
	"strings"
	"testing"

	models "fdem/solver/model"
	"fdem/solver/rayleigh"
)

// The reported cost of damping is the ratio of the steps without and with it. The damping that is
// advised instead makes a run at most 1.5 times as long.
func TestDampingCost(t *testing.T) {
	for _, c := range []struct {
		damping models.Damping
		says    string // what to take
	}{
		{models.Damping{}, ""},
		{models.Damping{Stiffness: 1e-9}, ""},
		{models.Damping{Mass: 1e3}, ""},
		{models.Damping{Stiffness: 1e-6}, "damping.stiffness below "},
		{models.Damping{Mass: 1e3, Stiffness: 1e-6}, "damping.stiffness below "},
		{models.Damping{Mass: 1e9}, "damping.mass below "},
	} {
		m := plate(t)
		without := start(t, m).Limit
		m.Damping = c.damping
		s := start(t, m)
		cost := s.DampingCost()
		if c.says == "" || cost == "" {
			if c.says != cost || without/s.Limit > rayleigh.CostlyDamping {
				t.Errorf("%+v: %g s of %g s: says %q", c.damping, s.Limit, without, cost)
			}
			continue
		}
		if want := fmt.Sprintf("%.3g times shorter: %.4g s of %.4g s without", without/s.Limit, s.Limit, without); !strings.Contains(cost, want) {
			t.Errorf("%+v: says %q, want %q", c.damping, cost, want)
		}
		_, after, found := strings.Cut(cost, c.says)
		var most float64
		if _, err := fmt.Sscan(after, &most); !found || err != nil {
			t.Errorf("%+v: says %q, want %q and a number", c.damping, cost, c.says)
			continue
		}
		if m.Damping.Mass = most; c.says == "damping.stiffness below " {
			m.Damping = models.Damping{Mass: c.damping.Mass, Stiffness: most}
		}
		if times := without / start(t, m).Limit; math.Abs(times-rayleigh.CostlyDamping) > 0.05 {
			t.Errorf("%+v: the advice makes the step %.3g times shorter, want about %g", c.damping, times, rayleigh.CostlyDamping)
		}
	}
}
