package tables

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/materials/elementary"
)

// Dimension is the exponents of length, mass, time and temperature. Angles have
// no dimension.
type Dimension struct{ Length, Mass, Time, Temperature float64 }

// The dimensions in decks.
var (
	None            = Dimension{}
	Length          = Dimension{Length: 1}
	Time            = Dimension{Time: 1}
	Velocity        = Dimension{Length: 1, Time: -1}
	AngularVelocity = Dimension{Time: -1}
	Acceleration    = Dimension{Length: 1, Time: -2}
	Frequency       = Dimension{Time: -1}
	Mass            = Dimension{Mass: 1}
	Density         = Dimension{Length: -3, Mass: 1}
	Force           = Dimension{Length: 1, Mass: 1, Time: -2}
	Pressure        = Dimension{Length: -1, Mass: 1, Time: -2}
	Moment          = Dimension{Length: 2, Mass: 1, Time: -2}

	Temperature      = Dimension{Temperature: 1}
	Expansion        = Dimension{Temperature: -1}
	Conductivity     = Dimension{Length: 1, Mass: 1, Time: -3, Temperature: -1}
	HeatCapacity     = Dimension{Length: 2, Time: -2, Temperature: -1}
	HeatFlux         = Dimension{Mass: 1, Time: -3}
	HeatSource       = Dimension{Length: -1, Mass: 1, Time: -3}
	Permeability     = Dimension{Length: 2}
	HeatTransmission = Dimension{Mass: 1, Time: -3, Temperature: -1}
)

// dimensions are the dimensions with a name, with their unit in SI and an
// example.
var dimensions = []struct {
	Dimension
	name, unit, number, example string
}{
	{None, "a plain number", "1", "", ""}, {Length, "a length", "m", "10", "mm"}, {Time, "a time", "s", "5", "us"},
	{Velocity, "a velocity", "m/s", "0.5", "m/s"}, {Frequency, "a rate", "1/s", "20", "1/s"}, {Acceleration, "an acceleration", "m/s2", "9.81", "m/s2"},
	{Density, "a density", "kg/m3", "7860", "kg/m3"}, {Force, "a force", "N", "10", "kN"}, {Pressure, "a pressure", "Pa", "210", "GPa"},
	{Moment, "a moment", "J", "10", "N m"}, {Mass, "a mass", "kg", "2", "kg"}, {Dimension{Length: 3}, "a volume", "m3", "2", "m3"}, {Dimension{Length: 3, Time: -1}, "a rate of flow", "m3/s", "5e-3", "m3/s"}, {Dimension{Length: 2}, "an area", "m2", "20", "mm2"},
	{Dimension{Length: -2, Mass: 1, Time: -2}, "a stiffness", "Pa/m", "5", "GPa/mm"},
	{Viscosity, "a viscosity", "Pa s", "1", "mPa s"},
	{Temperature, "a temperature", "K", "20", "degC"}, {Expansion, "a coefficient of expansion", "1/K", "1e-5", "1/K"}, {Conductivity, "a conductivity", "W/(m K)", "3", "W/(m K)"},
	{HeatCapacity, "a heat capacity", "J/(kg K)", "800", "J/(kg K)"}, {HeatFlux, "a heat flux", "W/m2", "500", "W/m2"}, {HeatSource, "a heat source", "W/m3", "1", "kW/m3"}, {HeatTransmission, "a coefficient of convection", "W/(m2 K)", "15", "W/(m2 K)"},
	{SurfaceEnergy, "an energy per area or a force per length", "N/m", "20", "J/m2"},
}

// String returns the name of the dimension for messages, with an example if
// there is one.
func (d Dimension) String() string {
	for _, n := range dimensions {
		switch {
		case d.equals(n.Dimension) && n.example == "":
			return n.name
		case d.equals(n.Dimension):
			return fmt.Sprintf("%s such as \"%s %s\"", n.name, n.number, n.example)
		}
	}
	var parts []string
	for _, f := range []struct {
		unit string
		e    float64
	}{{"m", d.Length}, {"kg", d.Mass}, {"s", d.Time}, {"K", d.Temperature}} {
		if f.e != 0 {
			parts = append(parts, f.unit+"^"+strconv.FormatFloat(math.Round(f.e*1e9)/1e9, 'g', -1, 64))
		}
	}
	return "a quantity in " + strings.Join(parts, " ")
}

func (d Dimension) equals(o Dimension) bool {
	const near = 1e-9
	return math.Abs(d.Length-o.Length) < near && math.Abs(d.Mass-o.Mass) < near && math.Abs(d.Time-o.Time) < near && math.Abs(d.Temperature-o.Temperature) < near
}

// times returns the dimension of the product with o to the power e.
func (d Dimension) times(o Dimension, e float64) Dimension {
	return Dimension{d.Length + float64(e*o.Length), d.Mass + float64(e*o.Mass), d.Time + float64(e*o.Time), d.Temperature + float64(e*o.Temperature)}
}

// unit is a named unit: its value in SI and its dimension.
type unit struct {
	value float64
	dim   Dimension
}

// darcy is the unit of permeability, one cP cm2/(s atm) [m2].
const darcy = 9.869233e-13

// workRate is energy per time.
var workRate = Dimension{Length: 2, Mass: 1, Time: -3}

// Units that take a prefix, and units that do not.
var (
	prefixed = map[string]unit{
		"m": {1, Length}, "g": {1e-3, Dimension{Mass: 1}}, "s": {1, Time}, "N": {1, Force}, "Pa": {1, Pressure},
		"J": {1, Moment}, "W": {1, workRate}, "Hz": {1, Frequency}, "D": {darcy, Permeability},
	}
	plain = map[string]unit{
		"1": {1, None}, "%": {0.01, None}, "rad": {1, None}, "deg": {math.Pi / 180, None},
		"min": {60, Time}, "h": {3600, Time}, "t": {1000, Dimension{Mass: 1}}, "bar": {1e5, Pressure}, "K": {1, Temperature},
	}
	prefixes = []struct {
		name  string
		value float64
	}{{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"µ", 1e-6}, {"μ", 1e-6}, {"n", 1e-9}, {"p", 1e-12}}
)

// LookupUnit returns the unit of a name, with a prefix or without; false if there is none.
func LookupUnit(name string) (unit, bool) {
	if u, ok := plain[name]; ok {
		return u, true
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(name, p.name); ok {
			if u, ok := prefixed[rest]; ok {
				return unit{p.value * u.value, u.dim}, true
			}
		}
	}
	return unit{}, false
}

// written is ParseQuantity for a text in a deck, which must have a unit, since
// a number in quotes may be meant in any unit. 0 is the same in all units.
func written(s string, dim Dimension) (float64, error) {
	v, err := ParseQuantity(s, dim)
	if err != nil || v == 0 && !dim.equals(Temperature) || dim.equals(None) {
		return v, err
	}
	if number, unit := SplitQuantity(s); unit == "" {
		// in SI the value is that of the number without quotes; any other unit would be a guess
		return 0, fmt.Errorf("%q has no unit: write \"%s %s\", or the intended unit", s, number, dim.Unit())
	}
	return v, nil
}

// SplitQuantity separates a number from its unit.
func SplitQuantity(s string) (number, unit string) {
	s = strings.TrimSpace(s)
	end := 0
	for end < len(s) && strings.IndexByte("+-.0123456789eE_", s[end]) >= 0 {
		if (s[end] == 'e' || s[end] == 'E') && (end+1 == len(s) || strings.IndexByte("+-0123456789", s[end+1]) < 0) {
			break
		}
		end++
	}
	return s[:end], strings.TrimSpace(s[end:])
}

// ParseQuantity reads a number with a unit, such as "0.302 um/MPa^0.462", and
// returns it in SI. A number alone is in SI. It fails for an unknown unit and
// for a dimension other than dim.
func ParseQuantity(s string, dim Dimension) (float64, error) {
	number, rest := SplitQuantity(s)
	v, err := strconv.ParseFloat(number, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && math.IsInf(v, 0):
		return 0, fmt.Errorf("%q is too large a number", s)
	case err != nil || math.IsInf(v, 0) || math.IsNaN(v):
		return 0, fmt.Errorf("expected %s, got %q", dim, strings.TrimSpace(s))
	case rest == "":
		return v, nil
	case len(rest) > 1 && rest[0] == ',' && rest[1] >= '0' && rest[1] <= '9':
		return 0, fmt.Errorf("expected %s, got %q: write a decimal point instead of a comma", dim, s)
	case rest != "1" && rest[0] >= '0' && rest[0] <= '9' && !strings.HasPrefix(strings.ReplaceAll(rest, " ", ""), "1/"):
		return 0, fmt.Errorf("expected %s, got %q, which has two numbers", dim, strings.TrimSpace(s))
	}
	if IsCelsius(rest) {
		if !dim.equals(Temperature) {
			return 0, fmt.Errorf("expected %s, got %q, a temperature", dim, strings.TrimSpace(s))
		}
		return v + 273.15, nil
	}
	scale, got, err := ParseUnit(rest, nil)
	if err != nil {
		return 0, err
	}
	if !got.equals(dim) {
		return 0, fmt.Errorf("expected %s, got %q, %s", dim, strings.TrimSpace(s), got)
	}
	v = InUnit(v, scale)
	if math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is too large a number", s)
	}
	return v, nil
}

// IsCelsius tells whether a unit is that of temperatures in degrees Celsius.
func IsCelsius(unit string) bool { return unit == "degC" || unit == "°C" }

// isAngle tells whether a quantity is in radians or degrees.
func isAngle(s string) bool {
	_, unit := SplitQuantity(s)
	return unit == "deg" || unit == "rad"
}

// InUnit returns v units of a scale in SI. It divides by 1e6, which is exact,
// instead of multiplying by 1e-6.
func InUnit(v, scale float64) float64 {
	if whole := math.Round(1 / scale); scale < 1 && math.Abs(float64(whole*scale)-1) < 1e-14 {
		return v / whole
	}
	return v * scale
}

// ParseDimension returns the dimension of an SI unit such as "m/Pa^m_p";
// exponent gives the value of an exponent that is a name.
func ParseDimension(s string, exponent func(name string) (float64, bool)) (Dimension, error) {
	_, d, err := ParseUnit(s, exponent)
	return d, err
}

// ParseScale returns the value in SI of a unit such as "um/MPa^m_p"; exponent
// gives the value of an exponent that is a name. It fails for a dimension other
// than dim.
func ParseScale(s string, dim Dimension, exponent func(name string) (float64, bool)) (float64, error) {
	scale, got, err := ParseUnit(s, exponent)
	if err != nil {
		return 0, err
	}
	if !got.equals(dim) {
		return 0, fmt.Errorf("expected %s, got the unit %q, %s", dim, s, got)
	}
	return scale, nil
}

// superscripts maps superscripts to the usual characters.
var superscripts = strings.NewReplacer("⁻", "-", "¹", "1", "²", "2", "³", "3", "⁴", "4", "\u00a0", " ", "\u202f", " ")

// unitSuggestion suggests a unit for an unknown one, such as one with wrong
// capitals or with another name.
func unitSuggestion(name string) string {
	switch {
	case IsCelsius(name):
		return ": a difference of temperatures is in K, also in a compound unit"
	case name == "degF" || name == "°F" || name == "F":
		return ": write temperatures in degC or K; what is per degree Fahrenheit is 1.8 times as much per K"
	}
	if u := map[string]string{
		"sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "usec": "us", "meter": "m", "metre": "m", "meters": "m", "metres": "m",
		"micron": "um", "microns": "um", "degree": "deg", "degrees": "deg", "°": "deg", "hour": "h", "hr": "h", "newton": "N", "kph": "km/h", "l": "1e-3 m3",
		"darcy": "D", "darcies": "D", "millidarcy": "mD", "md": "mD", "microdarcy": "uD", "nanodarcy": "nD",
	}[strings.ToLower(name)]; u != "" {
		return fmt.Sprintf(": did you mean %q?", u)
	}
	if si := map[string]string{
		"in": "25.4 mm", "inch": "25.4 mm", "ft": "0.3048 m", "mil": "25.4 um", "psi": "6894.757 Pa", "ksi": "6.894757 MPa", "lb": "0.45359237 kg",
		"lbf": "4.4482216 N", "kgf": "9.80665 N", "mph": "0.44704 m/s", "rpm": "0.10471976 rad/s", "atm": "101325 Pa", "dyn": "1e-5 N",
	}[strings.ToLower(name)]; si != "" {
		return fmt.Sprintf(": 1 %s is %q", name, si)
	}
	var same []string
	for _, p := range prefixes {
		for _, u := range slices.Sorted(maps.Keys(prefixed)) {
			if strings.EqualFold(p.name+u, name) {
				same = append(same, p.name+u)
			}
		}
	}
	for _, u := range slices.Sorted(maps.Keys(plain)) {
		if strings.EqualFold(u, name) {
			same = append(same, u)
		}
	}
	if same != nil {
		return ": did you mean " + Quoted(same) + "?"
	}
	return ""
}

// ParseUnit reads units joined by blanks, "*" and "/"; a slash divides by the
// one unit after it, or by those in parentheses. Exponents follow "^" or the name
// itself ("m3").
func ParseUnit(s string, exponent func(string) (float64, bool)) (scale float64, dim Dimension, err error) {
	scale = 1
	sign := 1.0
	for rest := superscripts.Replace(s); ; {
		rest = strings.TrimLeft(rest, " *·")
		if rest == "" {
			return scale, dim, nil
		}
		if rest[0] == '/' {
			sign, rest = -1, strings.TrimLeft(rest[1:], " ")
		}
		if inner, after, ok := parentheses(rest); ok {
			u, d, err := ParseUnit(inner, exponent)
			if err != nil {
				return 0, dim, err
			}
			scale *= elementary.Pow(u, sign)
			dim, sign, rest = dim.times(d, sign), 1, after
			continue
		}
		var name string
		name, rest = untilAny(rest, " */·^")
		power := 1.0
		if p, ok := strings.CutPrefix(rest, "^"); ok {
			word, after := untilAny(p, " */·")
			word, rest = strings.Trim(word, "()"), after
			if power, err = strconv.ParseFloat(word, 64); err != nil {
				found := false
				if exponent != nil {
					power, found = exponent(word)
				}
				if !found {
					return 0, dim, fmt.Errorf("unit %q: exponent %q is not a number", s, word)
				}
			}
		} else if digits := len(strings.TrimRight(name, "0123456789")); digits > 0 && digits < len(name) {
			if minus := strings.TrimSuffix(name[:digits], "-"); minus != name[:digits] {
				digits--
			}
			if power, err = strconv.ParseFloat(name[digits:], 64); err != nil {
				return 0, dim, fmt.Errorf("unit %q: exponent %q is not a number", s, name[digits:])
			}
			name = name[:digits]
		}
		u, ok := LookupUnit(name)
		if !ok {
			return 0, dim, fmt.Errorf("unknown unit %q in %q%s", name, s, unitSuggestion(name))
		}
		if math.IsNaN(power) || math.Abs(power) > 100 {
			return 0, dim, fmt.Errorf("unit %q: exponent %g is out of range", s, power)
		}
		power *= sign
		scale *= elementary.Pow(u.value, power)
		dim = dim.times(u.dim, power)
		sign = 1
	}
}

// untilAny divides a text before the first of some letters.
func untilAny(s, letters string) (before, rest string) {
	end := strings.IndexAny(s, letters)
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:]
}

// parentheses divides a text that begins with units in parentheses.
func parentheses(s string) (inner, rest string, ok bool) {
	if !strings.HasPrefix(s, "(") {
		return "", s, false
	}
	return strings.Cut(s[1:], ")")
}

// Unit returns the dimension's SI unit, "1" if there is none.
func (d Dimension) Unit() string {
	for _, n := range dimensions {
		if d.equals(n.Dimension) {
			return n.unit
		}
	}
	if d.equals(Dimension{Mass: 1, Time: -2}) {
		return "N/m"
	}
	var above, below []string
	for _, f := range []struct {
		unit string
		e    float64
	}{{"kg", d.Mass}, {"m", d.Length}, {"s", d.Time}, {"K", d.Temperature}} {
		power := func(e float64) string {
			if e == 1 {
				return f.unit
			}
			return f.unit + strconv.FormatFloat(e, 'g', -1, 64)
		}
		if f.e > 0 {
			above = append(above, power(f.e))
		} else if f.e < 0 {
			below = append(below, power(-f.e))
		}
	}
	out := strings.Join(above, " ")
	if out == "" {
		out = "1"
	}
	if below != nil {
		out += "/" + strings.Join(below, "/")
	}
	return out
}
