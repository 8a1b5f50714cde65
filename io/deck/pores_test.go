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
		{`permeability = "1.9e-13 m2"`, "", "needs permeability, 0 if nothing flows in it", ""},
		{`"1.9e-13 m2"`, `"1.9e-25 m2"`, "", "look at the units"},
		{"biot = 0.79", "biot = 1.2", "is a share, above 0 and at most 1", ""},
		{"biot = 0.79", "biot = 0.1", "biot must not be below porosity", ""},
		{"biot = 0.79", "grain_bulk = \"7 GPa\"", "grains are stiffer than the body that they make", ""},
		{"[pores]\n", "[pores]\nbulk = \"50 GPa\"\n", "Skempton's coefficient above 1", ""},
		{"porosity = 0.19", "", "needs porosity, or storage", ""},
		{"porosity = 0.19", "porosity = 0.6", "", "seldom above 0.5"},
		{`plane = "strain"`, "", `[pores] needs plane = "strain"`, ""},
		{`duration = "1 h"`, "", "flow needs time", ""},
		{`duration = "1 h"`, `duration = "1 us"`, "", "hardly any fluid will flow; take a longer duration"},
		{`on = "clamp"`, `on = "clmap"`, `did you mean "clamp"?`, ""},
		{`value = "5 MPa"`, `head = "2 m"`, "gravity", ""},
	} {
		_, warnings, err := modelled(strings.Replace(right, c.from, c.to, 1))
		said := strings.Join(warnings, "\n")
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
