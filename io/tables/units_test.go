package tables

import (
	"math"
	"strings"
	"testing"
)

func TestParseQuantity(t *testing.T) {
	for _, c := range []struct {
		text string
		dim  Dimension
		want float64
	}{
		{"210 GPa", Pressure, 210e9},
		{"0.5 mm", Length, 5e-4},
		{"7860 kg/m3", Density, 7860},
		{"7.86 g/cm^3", Density, 7860},
		{"385 us", Time, 385e-6},
		{"385 µs", Time, 385e-6},
		{"1e-3", Length, 1e-3},
		{"-2.5e3 N", Force, -2500},
		{"10kN", Force, 1e4},
		{"9.81 m/s2", Acceleration, 9.81},
		{"9.81 m s^-2", Acceleration, 9.81},
		{"1 m/s/s", Acceleration, 1},
		{"20 1/s", Frequency, 20},
		{"20 Hz", Frequency, 20},
		{"180 deg", None, math.Pi},
		{"5 %", None, 0.05},
		{"2 h", Time, 7200},
		{"0.302 um/MPa^0.462", Dimension{1 + 0.462, -0.462, 0.924, 0}, 0.302e-6 / math.Pow(1e6, 0.462)},
		{"5 GPa/mm", Dimension{-2, 1, -2, 0}, 5e12},
		{"3 W/(m K)", Conductivity, 3},
		{"800 J/kg/K", HeatCapacity, 800},
		{"0.8 kJ / (kg*K)", HeatCapacity, 800},
		{"20 degC", Temperature, 293.15},
		{"-5.5 °C", Temperature, 267.65},
		{"300 K", Temperature, 300},
		{"1e-5 1/K", Expansion, 1e-5},
		{"3 N*m", Dimension{2, 1, -2, 0}, 3},
		{"3 N m", Dimension{2, 1, -2, 0}, 3},
	} {
		got, err := ParseQuantity(c.text, c.dim)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if math.Abs(got-c.want) > 1e-12*math.Abs(c.want) {
			t.Errorf("%s is %g, want %g", c.text, got, c.want)
		}
	}
}

// Decimal prefixes are exact to the bit.
func TestPrefixesAreExact(t *testing.T) {
	for text, want := range map[string]float64{"20 us": 2e-5, "385 us": 3.85e-4, "0.3 mm": 3e-4, "7 ns": 7e-9, "210 GPa": 2.1e11} {
		dim := Time
		switch {
		case strings.HasSuffix(text, "Pa"):
			dim = Pressure
		case strings.HasSuffix(text, "mm"):
			dim = Length
		}
		if got, err := ParseQuantity(text, dim); err != nil || got != want {
			t.Errorf("%s is %v (%v), want exactly %v", text, got, err, want)
		}
	}
}

func TestWrongQuantities(t *testing.T) {
	for _, c := range []struct {
		text string
		dim  Dimension
		want string
	}{
		{"210 kg", Pressure, `expected a pressure such as "210 GPa", got "210 kg", a mass`},
		{"210 GPa", Length, `expected a length such as "10 mm"`},
		{"5 parsec", Length, `unknown unit "parsec"`},
		{"five mm", Length, `expected a length`},
		{"", Length, "expected a length"},
		{"1e-5 1/degC", Expansion, "a difference of temperatures is in K"},
		{"20 degC", Length, "a temperature"},
		{"3 W/(m K", Conductivity, "unknown unit"},
		{"1 um/MPa^0.4", Dimension{1.462, -0.462, 0.924, 0}, "expected a quantity in"},
		{"1 m^x", Length, `exponent "x" is not a number`},
		{"1 m^1e9", Length, "exponent 1e+09 is out of range"},
		{"1e999 m", Length, "\"1e999 m\" is too large a number"},
		{"1e308 km", Length, "too large"},
		{"nan m", Length, "expected a length"},
		{"1 /", Length, `unknown unit ""`},
	} {
		if got, err := ParseQuantity(c.text, c.dim); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q gives %g and error %v, want %s", c.text, got, err, c.want)
		}
	}
}

// A unit's exponent may be another parameter of the law.
func TestParseDimension(t *testing.T) {
	d, err := ParseDimension("m/Pa^m_p", func(name string) (float64, bool) { return 0.653, name == "m_p" })
	if want := (Dimension{1 + 0.653, -0.653, 1.306, 0}); err != nil || !d.equals(want) {
		t.Errorf("got %v, %v, want %v", d, err, want)
	}
	if _, err := ParseDimension("m/Pa^m_q", func(string) (float64, bool) { return 0, false }); err == nil {
		t.Error("an unknown exponent was taken")
	}
}

func FuzzParseQuantity(f *testing.F) {
	for _, s := range []string{"210 GPa", "0.302 um/MPa^0.462", "1/s", "-1e-3 m^-2*kg2", "5 %", "1 m s^-2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := ParseQuantity(s, Length); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			t.Errorf("%q gives %g", s, v)
		}
	})
}

// Laws write their units with exponents that are other parameters.
func FuzzParseDimension(f *testing.F) {
	for _, s := range []string{"m/Pa^m_p", "1", "Pa*s/m", "N/m^1.5", "kg m2", "m^-2^3", "((m", "m/", "^", "Pa^1e308"} {
		f.Add(s, 0.5)
	}
	f.Fuzz(func(t *testing.T, s string, exponent float64) {
		value := func(name string) (float64, bool) { return exponent, name == "m_p" }
		if _, err := ParseDimension(s, value); err != nil && err.Error() == "" {
			t.Error("an error without a message")
		}
	})
}

func TestUnit(t *testing.T) {
	for d, want := range map[Dimension]string{
		None: "1", Length: "m", Density: "kg/m3", Frequency: "1/s", Acceleration: "m/s2", {Length: -2, Mass: 1, Time: -2}: "Pa/m", {Length: 2, Mass: 1}: "kg m2", Velocity: "m/s",
	} {
		if got := d.Unit(); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
