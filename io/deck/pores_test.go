package deck

import (
	"strings"
	"testing"
)

// What is wrong with pores is an error that names it; what is doubtful is a warning.
func TestPoresInput(t *testing.T) {
	const right = "[analysis]\ntype = \"static\"\nduration = \"1 h\"\nplane = \"strain\"\n" + `[pores]
initial = "3 MPa"
[[material]]
name = "rock"
young = "14.4 GPa"
poisson = 0.2
density = 2600
permeability = "1.9e-13 m2"
porosity = 0.19
biot = 0.79
[[body]]
name = "striker"
material = "rock"
[[body]]
name = "target"
material = "rock"
[[pore_pressure]]
on = "clamp"
value = "5 MPa"
`
	for _, c := range []struct{ from, to, wrong, doubtful string }{
		{"", "", "", ""},
		{`"1.9e-13 m2"`, `"0.19 D"`, "", ""},
		{`"1.9e-13 m2"`, `"1e-7 m/s"`, `say hydraulic_conductivity, or for this fluid permeability = "1.02e-14 m2"`, ""},
		{`"1.9e-13 m2"`, `1e-7`, "is this hydraulic_conductivity, in m/s? Then it is 1.02e-14 m2", ""},
		{`permeability = "1.9e-13 m2"`, `hydraulic_conductivity = "1e-7 m/s"`, "", ""},
		{`"1.9e-13 m2"`, `"0.19 darcy"`, `did you mean "D"?`, ""},
		{`permeability = "1.9e-13 m2"`, "", "needs permeability, 0 if nothing flows in it", ""},
		{`"1.9e-13 m2"`, `"1.9e-25 m2"`, "", "look at the units"},
		{`"1.9e-13 m2"`, `1e-9`, "", `as a speed it is hydraulic_conductivity = "1e-09 m/s", and a permeability of 1.02e-16 m2`},
		{`"1.9e-13 m2"`, `"1e-10 m2"`, "", ""},
		{"[pores]\n", "[pores]\nviscosity = 1\n", "", `"1 mPa s" or "1 Pa s"`},
		{"[pores]\n", "[pores]\nviscosity = \"1 Pa s\"\n", "", ""},
		{"biot = 0.79", "biot = 1.2", "is a share, above 0 and at most 1", ""},
		{"biot = 0.79", "biot = 0.1", "biot must not be below porosity", ""},
		{"biot = 0.79", "grain_bulk = \"7 GPa\"", "grains are stiffer than the body that they make", ""},
		{"[pores]\n", "[pores]\nbulk = \"50 GPa\"\n", "Skempton's coefficient above 1", ""},
		{"porosity = 0.19", "", "needs porosity, or storage", ""},
		{"porosity = 0.19", "porosity = 0.6", "", "seldom above 0.5"},
		{"[pores]\n", "[pores]\nbulk = 2.2\n", "", "look at the units"},
		{"[[pore_pressure]]\non = \"clamp\"\nvalue = \"5 MPa\"\n", "[[inflow]]\non = \"clamp\"\nflux = 1e-6\n", "", "no fluid can flow out of it"},
		{`plane = "strain"`, "", `[pores] needs plane = "strain"`, ""},
		{`duration = "1 h"`, "", "flow needs time", ""},
		{`duration = "1 h"`, `duration = "1 us"`, "", "hardly any fluid will flow; take a longer duration"},
		{`on = "clamp"`, `on = "clmap"`, `did you mean "clamp"?`, ""},
		{`value = "5 MPa"`, `head = "2 m"`, "gravity", ""},
	} {
		_, warnings, err := modelled(strings.Replace(right, c.from, c.to, 1))
		said := strings.Join(warnings, "\n")
		if c.doubtful != "" && !placedAs(c.doubtful).MatchString(said) {
			t.Errorf("%s: warnings %q, want %q with its line", c.to, said, c.doubtful)
		}
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: error %v, want %q", c.to, err, c.wrong)
		case c.wrong == "" && err != nil:
			t.Errorf("%s: %v", c.to, err)
		case c.wrong == "" && (!strings.Contains(said, c.doubtful) || c.doubtful == "" && strings.Contains(said, "pore")):
			t.Errorf("%s: warnings %q, want %q", c.to, said, c.doubtful)
		}
	}
}

// Fluids in cracks beside pores: what does not go together is an error, and a fluid that does not leak is
// told.
func TestFluidsBesidePores(t *testing.T) {
	const start = inWet + inPores + wet + twoBodies
	const seams = "[[joint]]\non = \"seam\"\nfriction = 0.5\n"
	const water = "[[fluid]]\nname = \"water\"\nwell = \"top\"\npressure = 1e6\nviscosity = 1e-3\n"
	const half = "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n"
	for name, c := range map[string]struct{ deck, wrong, doubtful string }{
		"leaks":         {start + half + seams + water + "leak_off = { pores = true }\n", "", ""},
		"does not leak": {start + half + seams + water, "", `the fluid "water" does not flow into the pores of the rock`},
		"Carter's law":  {start + half + seams + water + "leak_off = { carter = 1e-5 }\n", "", ""},
		"both":          {start + half + seams + water + "leak_off = { carter = 1e-5, pores = true }\n", "fluid leaks by Carter's law or into pores", ""},
		"whole rock":    {start + water + "leak_off = { pores = true }\n", "hold the pressure at the wall of the well by a [[pore_pressure]]", ""},
		"time factor":   {strings.Replace(start, inPores, inPores+"time_factor = 10\n", 1) + half + seams + water + "leak_off = { pores = true }\n", "time_factor in [pores] is 10: leave it out", ""},
		"no pores":      {inTimeDeck + steelBlock + twoBodies + half + seams + water + "leak_off = { pores = true }\n", "[pores]", ""},
		"static joint":  {strings.Replace(start, "dynamic", "static", 1) + half + seams, "", ""},
		"open joint":    {start + half + seams + "aperture = 0.01\n", "on whose faces the fluid of [pores] does not press", ""},
	} {
		warnings, err := built(c.deck)
		said := strings.Join(warnings, "\n")
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: error %v, want %q", name, err, c.wrong)
		case c.wrong == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.wrong == "" && (!strings.Contains(said, c.doubtful) || c.doubtful == "" && strings.Contains(said, "pore")):
			t.Errorf("%s: warnings %q, want %q", name, said, c.doubtful)
		}
	}
}
