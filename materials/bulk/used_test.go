package bulk

import (
	"math"
	"testing"

	"fdem/materials/elementary"
)

// A stress on the yield surface uses all of the strength, half of a deviator at the same pressure
// half of it; without a law no strength is used.
func TestStrengthUsed(t *testing.T) {
	e := Elastic{Young: 10e9, Poisson: 0.25, Density: 2500}
	const c, phi = 2e6, math.Pi / 6
	material := func(name string, values map[string]float64) Material {
		t.Helper()
		law, _ := Lookup(name)
		l, err := law.New(e, Constants{Value: values})
		if err != nil {
			t.Fatal(err)
		}
		return Material{Elastic: e, Law: l}
	}
	if (Material{Elastic: e}).Strength() != nil {
		t.Error("an elastic material has a strength")
	}
	soil := map[string]float64{"cohesion": c, "friction_angle": 30, "dilation_angle": 0, "tensile_strength": 1e6}
	mohr := material("mohr-coulomb", soil).Strength()
	sin, cos := elementary.Sincos(phi)
	low := (-3e6*(1+sin) - 2*c*cos) / (1 - sin) // where the greatest principal stress is -3 MPa
	metal := material("j2", map[string]float64{"yield_stress": 300e6, "hardening": 0}).Strength()
	rock := material("hoek-brown", map[string]float64{"intact_strength": 100e6, "mi": 10, "gsi": 60, "disturbance": 0, "dilation_angle": 0}).Strength()
	mass := massOf(10, 60, 0)
	at := -100e6 * elementary.Pow(mass.S, mass.A) // uniaxial strength
	for _, k := range []struct {
		name           string
		of             *Strength
		xx, yy, zz, xy float64
		want           float64
	}{
		{"von Mises, pulled", metal, 300e6, 0, 0, 0, 1},
		{"von Mises, sheared", metal, 0, 0, 0, 150e6 / math.Sqrt(3), 0.5},
		{"von Mises, pressed from all sides", metal, -1e9, -1e9, -1e9, 0, 0},
		{"Mohr and Coulomb", mohr, -3e6, low, -3e6, 0, 1},
		{"Mohr and Coulomb, turned", mohr, 0.5 * (-3e6 + low), 0.5 * (-3e6 + low), -3e6, 0.5 * (-3e6 - low), 1},
		{"Mohr and Coulomb, half of the deviator", mohr, 0.5*(-3e6+low) + 0.25*(-3e6-low), 0.5*(-3e6+low) - 0.25*(-3e6-low), 0.5 * (-3e6 + low), 0, 0.5},
		{"tension", mohr, 0.25e6, 0.25e6, 0.25e6, 0, 0.25},
		{"Hoek and Brown, pressed", rock, 0, at, 0, 0, 1},
	} {
		if got := k.of.Used(k.xx, k.yy, k.zz, k.xy); math.Abs(got-k.want) > 1e-9 {
			t.Errorf("%s: %g of the strength is used, want %g", k.name, got, k.want)
		}
	}
	cone := material("drucker-prager", soil).Strength()
	if got := cone.Used(-3e6, -3e6, -3e6, cone.Cone+3e6*cone.Eta); math.Abs(got-1) > 1e-9 {
		t.Errorf("Drucker and Prager: %g of the strength is used, want 1", got)
	}
}
