package cohesive

import (
	"math"
	"strings"
	"testing"
)

// Against the numbers of the benchmarks' table.
func TestNumbers(t *testing.T) {
	for _, v := range []struct {
		young, energy, strength float64
		length, zone            float64 // [mm]
	}{
		{32e9, 3, 5e6, 3.84, 1.508},
		{190e9, 2.213e4, 1.07e9, 3.6725, 1.4422},
		{30e9, 10, 1e6, 300, 117.8097},
		{26.5e9, 90, 3e6, 265, 104.0653},
	} {
		length := Length(v.young, v.energy, v.strength)
		near(t, "length", 1e3*length, v.length, 5e-5)
		near(t, "zone", 1e3*Zone(length), v.zone, 5e-5)
	}
	near(t, "time", Time(2500, 4000, 10, 5e6), 4e-6, 1e-20) // benchmark B2
}

// With a factor of 2 and the equilateral triangle of benchmarks' table, K is
// about 1.1 E/h, and points of two edges add twice omega^2 to a corner.
func TestStiffness(t *testing.T) {
	const young, density, side, nu = 30e9, 2500.0, 1e-3, 0.2
	omega := 2.7386 / side * math.Sqrt(young/density)
	corner := density * math.Sqrt(3) / 4 * side * side / 3
	k := Stiffness(2, omega, corner, corner, side/2)
	near(t, "stiffness", k*side/young, 1.08, 0.01)
	// Gershgorin: each of a node's two points adds K w (1/a + 1/b).
	for _, other := range []float64{corner, 0.1 * corner, 30 * corner} {
		k := Stiffness(2, omega, corner, other, side/2)
		near(t, "added", 2*k*side/2*(1/corner+1/other)/(omega*omega), 2, 1e-14)
	}
	near(t, "step", Step(2, 0), 0.57735, 5e-6)
}

// Every parameter that is wrong is named, with its rule and value.
func TestParameters(t *testing.T) {
	good := Parameters{TensileStrength: 5e6, Cohesion: 15e6, Friction: 0, EnergyTension: 20, EnergyShear: 80, Mixed: 2, Softening: "linear", Scatter: Scatter{Modulus: 8, Length: 5e-3, Seed: 1}}
	if _, err := New(good); err != nil {
		t.Errorf("good parameters: %v", err)
	}
	for _, v := range []struct {
		change func(*Parameters)
		want   string
	}{
		{func(p *Parameters) { p.TensileStrength = 0 }, "tensile_strength must be greater than 0 and finite, got 0 Pa"},
		{func(p *Parameters) { p.TensileStrength = math.NaN() }, "tensile_strength must be greater than 0 and finite, got NaN Pa"},
		{func(p *Parameters) { p.Cohesion = -1 }, "cohesion must be greater than 0 and finite, got -1 Pa"},
		{func(p *Parameters) { p.Friction = -0.1 }, "friction must be at least 0 and finite, got -0.1"},
		{func(p *Parameters) { p.EnergyTension = 0 }, "energy_tension must be greater than 0 and finite, got 0 J/m2"},
		{func(p *Parameters) { p.EnergyShear = math.Inf(1) }, "energy_shear must be greater than 0 and finite, got +Inf J/m2"},
		{func(p *Parameters) { p.Mixed = 0 }, "mixed must be greater than 0 and finite, got 0"},
		{func(p *Parameters) { p.Softening = "lineal" }, `there is no softening "lineal": it is one of bilinear, concrete, exponential, linear`},
		{func(p *Parameters) { p.Scatter.Modulus = 0.5 }, "scatter: weibull must be at least 1 and finite, got 0.5"},
		{func(p *Parameters) { p.Scatter.Length = -1 }, "scatter: length must be at least 0 and finite, got -1 m"},
	} {
		p := good
		v.change(&p)
		if _, err := New(p); err == nil || !strings.HasPrefix(err.Error(), v.want) {
			t.Errorf("got %v, want %s", err, v.want)
		}
	}
}
