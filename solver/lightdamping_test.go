package solver

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// Light damping, which nobody has asked for, takes at most a hundredth of the energy of a
// throw, whatever the speed and the friction.
func TestLightDampingIsLight(t *testing.T) {
	for _, speed := range []float64{0.5, 5, 20} {
		for _, friction := range []float64{0.05, 0.6} {
			m := thrown(t, speed, friction)
			s := start(t, m)
			most := 0.0
			run(t, s, func() {
				if e := s.Energies(); s.Time > 0 {
					most = max(most, e.DampingDissipated/s.Ledger.Entered)
				}
			})
			if s.damping == nil || !s.damping.light {
				t.Fatal("no light damping")
			}
			t.Logf("%g m/s, friction %g: light damping took %.2g of the energy", speed, friction, most)
			if most > 0.01 || s.LightDampingTook() == "" && most > 2*lightToldFrom {
				t.Errorf("%g m/s, friction %g: light damping took %g of the energy", speed, friction, most)
			}
		}
	}
}

// thrown is two blocks with weight that collide at a corner, nobody says anything of damping.
func thrown(t *testing.T, speed, friction float64) *Model {
	m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), friction)
	for i := range m.Bodies {
		v := &m.Bodies[i].Velocity
		*v = r2.Scale(speed/2, *v)
	}
	m.Bodies[1].AngularVelocity = 0
	m.Gravity, m.Damping = r2.Vec{Y: -9.81}, Damping{Light: true}
	m.Duration = 1e-4 / speed * 4
	m.HistoryEvery = m.Duration / 50
	return m
}
