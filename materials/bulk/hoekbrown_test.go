package bulk

import (
	"math"
	"testing"
)

// quality45 is the rock mass of the published cases.
func quality45(t *testing.T, more map[string]float64) *HoekBrown {
	values := map[string]float64{"intact_strength": 50e6, "mi": 10, "gsi": 45}
	for name, v := range more {
		values[name] = v
	}
	return build(t, "hoek-brown", sample{of: Elastic{Young: 5e9, Poisson: 0.25, Density: 2600}, c: Constants{Value: values}}).(*HoekBrown)
}

// Points of the envelope, by hand from the equations of Hoek, Carranza-Torres and Corkum (2002):
// compressed in y, in plane strain, at a pressure in x, and in plane stress.
func TestHoekBrownEnvelope(t *testing.T) {
	l := quality45(t, nil)
	near(t, "m", l.Peak.M, 1.40256, 1e-5)
	near(t, "s", l.Peak.S, 0.00221808, 1e-5)
	near(t, "a", l.Peak.A, 0.508086, 1e-5)
	for _, c := range [][2]float64{{0, 2241300}, {500000, 6663740}, {1e6, 9456470}, {2e6, 13800500}, {5e6, 23577800}} {
		for _, plane := range []Plane{PlaneStrain, PlaneStress} {
			if plane == PlaneStress && c[0] > 0 {
				continue // the free stress across is the least
			}
			e := [3]float64{0, -0.02, 0}
			low, high := -0.05, 0.1
			for range 200 {
				e[0] = 0.5 * (low + high)
				both := e // in the order in which a triangle has its principal strains
				if both[0] < both[1] {
					both[0], both[1] = both[1], both[0]
				}
				if stress, _, _, _ := l.back(plane, &both, 0, 0); stress[0] < -c[0] {
					low = e[0]
				} else {
					high = e[0]
				}
			}
			stress, _, _, flows := l.back(plane, &e, 0, 0)
			if !flows {
				t.Fatalf("no yield at %g Pa", c[0])
			}
			near(t, "strength", -stress[1], c[1], 2e-6)
		}
	}
	near(t, "tensile strength", l.mass(1).tension, 79072.7, 2*nearEnd)
	if t1, _, _, _ := l.back(PlaneStrain, &[3]float64{1e-3, 1e-3, 1e-3}, 0, 0); math.Abs(t1[0]-79072.7) > 20 || t1[0] != t1[2] {
		t.Errorf("pulled on all sides it carries %v Pa", t1)
	}
}

// The straight strength that fits has the area of the curved one, up to the pressure of the fit.
func TestEquivalentMohrCoulomb(t *testing.T) {
	for _, gsi := range []float64{20, 45, 80} {
		l := quality45(t, map[string]float64{"gsi": gsi})
		for _, most := range []float64{1e6, 12.5e6} {
			c, phi := l.EquivalentMohrCoulomb(most)
			y := l.mass(1)
			curved, straight := 0.0, 0.0
			from := -y.tension
			const parts = 20000
			for i := range parts {
				p := from + (most-from)*(float64(i)+0.5)/parts
				h, _ := y.strength(-p)
				curved += h
				straight += 2*c*math.Cos(phi)/(1-math.Sin(phi)) + p*((1+math.Sin(phi))/(1-math.Sin(phi))-1)
			}
			near(t, "area", straight, curved, 0.02)
		}
	}
}

// Strength falls to that of the residual rock mass, and no further.
func TestHoekBrownSoftens(t *testing.T) {
	l := quality45(t, map[string]float64{"residual_gsi": 20, "softening.energy": 100})
	residual := quality45(t, map[string]float64{"gsi": 20})
	near(t, "m", l.mass(0).m, residual.Peak.M, 1e-15)
	before := math.Inf(1)
	for _, strain := range []float64{0.01, 0.02, 0.05, 0.2} {
		stress, opens, _, _ := l.back(PlaneStrain, &[3]float64{0.3 * strain, -strain, 0}, 0, 5)
		y := l.mass(l.factor(opens * 5))
		h, _ := y.strength(stress[0])
		near(t, "difference of stresses", stress[0]-stress[1], h, 1e-9)
		if y.s >= before {
			t.Errorf("strength does not fall at a strain of %g", strain)
		}
		before = y.s
	}
}

// Constants that contradict one another are refused.
func TestHoekBrownRefused(t *testing.T) {
	m, _ := Lookup("hoek-brown")
	for _, more := range []map[string]float64{
		{"residual_gsi": 20}, {"softening.energy": 10}, {"residual_gsi": 60, "softening.energy": 10},
		{"tensile_strength": 80e3}, {"gsi": 0.6}, {"mi": 1}, {"disturbance": 2},
	} {
		values := map[string]float64{"intact_strength": 50e6, "mi": 10, "gsi": 45}
		for name, v := range more {
			values[name] = v
		}
		if _, err := m.Build(rock, Constants{Value: values}); err == nil {
			t.Errorf("%v is taken", more)
		}
	}
}
