package deck

import (
	"regexp"
	"strings"
	"testing"
)

// placedAs matches a line that has a text behind a file and the line and column in it.
func placedAs(text string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[^:\n]*:\d+:\d+: .*` + regexp.QuoteMeta(text))
}

// What is wrong with heat is an error that names it; what is doubtful is a warning.
func TestHeatInput(t *testing.T) {
	const right = inStaticDeck + `
[heat]
initial = "20 degC"
[[material]]
name = "rock"
young = 1e9
poisson = 0.2
density = 2600
conductivity = "3 W/(m K)"
heat_capacity = "800 J/(kg K)"
expansion = "1e-5 1/K"
[[body]]
name = "striker"
material = "rock"
[[body]]
name = "target"
material = "rock"
[[temperature]]
on = "clamp"
value = "120 degC"
`
	for _, c := range []struct{ from, to, wrong, doubtful string }{
		{"", "", "", ""},
		{`"3 W/(m K)"`, `"-3 W/(m K)"`, "conductivity must be positive", ""},
		{`heat_capacity = "800 J/(kg K)"`, "", "conductivity without heat_capacity", ""},
		{`"3 W/(m K)"`, `[["20 degC", 3], ["500 degC", "1.5 W/(m K)"]]`, "", ""},
		{`"3 W/(m K)"`, `[["20 degC", 3], ["10 degC", 2]]`, "the temperatures of conductivity must increase, got 283.15 K after 293.15 K", ""},
		{`"3 W/(m K)"`, `[["20 degC", 3], ["30 degC"]]`, "conductivity by temperature is a list of [temperature, value]", ""},
		{`"3 W/(m K)"`, `[["20 degC", 3], ["30 degC", -1]]`, "conductivity must be positive", ""},
		{`"3 W/(m K)"`, `[["-300 degC", 3], ["30 degC", 1]]`, "must not be below absolute zero", ""},
		{`"3 W/(m K)"`, `[[20, 3], [500, 2]]`, "", "the temperatures of conductivity begin at 20 K, -253.15 degC"},
		{`"800 J/(kg K)"`, `[["20 degC", 800], ["500 degC", "1100 J/(kg K)"]]`, "", ""},
		{`"800 J/(kg K)"`, `[300, 800]`, "heat_capacity by temperature is a list", ""},
		{`"1e-5 1/K"`, `[["20 degC", "1e-5 1/K"], ["500 degC", 1.5e-2]]`, "", "of most solids it is between 1e-6 and 3e-5 1/K"},
		{`on = "clamp"`, `on = "clmap"`, `did you mean "clamp"?`, ""},
		{`"120 degC"`, `"-400 degC"`, "below absolute zero", ""},
		{`"1e-5 1/K"`, `"1e-5 degC"`, "expected a coefficient of expansion", ""},
		{`"1e-5 1/K"`, `"1e-2 1/K"`, "", "of most solids it is between 1e-6 and 3e-5 1/K"},
		{`"1e-5 1/K"`, "1e-5", "", "expansion = 1e-05 has no unit: it is linear and in 1/K"},
		{`"1e-5 1/K"`, "10", `of parts in a million write "10 um/(m K)"`, ""},
		{`"1e-5 1/K"`, `"1e-5 1/F"`, "1.8 times as much per K", ""},
		{`"1e-5 1/K"`, "\"1e-5 1/K\"\nstress_free = 293", "", "stress_free has 293 K, 19.85 degC, beside temperatures in degC"},
		{`initial = "20 degC"`, "initial = 20", "", `initial is 20 K, -253.15 degC: with a unit, "20 degC"`},
		{`initial = "20 degC"`, "initial = 293", "", ""},
		{`initial = "20 degC"`, `initial = "20 K"`, "", `initial is 20 K, -253.15 degC: is it "20 degC"?`},
		{`value = "120 degC"`, "value = 120", "", `value has 120 K, -153.15 degC, beside temperatures in degC`},
		{`value = "120 degC"`, "value = 400", "", `write "400 K" or "400 degC"`},
		{`value = "120 degC"`, `value = [["0 h", "20 degC"], ["1 h", 400]]`, "", `value has 400 K, 126.85 degC`},
		{`value = "120 degC"`, `value = [[0, 20], ["1 h", 120]]`, "", `value has 20 K`},
		{`value = "120 degC"`, `value = "20 + t"`, "", `value is 20 K`},
		{`value = "120 degC"`, `value = "293 + t"`, "", ""},
		{"[[temperature]]\non = \"clamp\"\nvalue = \"120 degC\"\n", "", "", "changes no temperature"},
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
		case c.wrong == "" && (!strings.Contains(said, c.doubtful) || c.doubtful == "" && (strings.Contains(said, "expansion") || strings.Contains(said, "initial"))):
			t.Errorf("%s: warnings %q, want %q", c.to, said, c.doubtful)
		}
	}
	flows := strings.NewReplacer("[[temperature]]\non = \"clamp\"\nvalue = \"120 degC\"\n", "", `heat_capacity = "800 J/(kg K)"`, "heat_capacity = \"800 J/(kg K)\"\nlaw = \"j2\"\nyield_stress = 3e8", `expansion = "1e-5 1/K"`, "").Replace(right)
	if _, warnings, err := modelled(flows); err != nil || strings.Contains(strings.Join(warnings, "\n"), "changes no temperature") {
		t.Errorf("plastic work alone gives heat: %v, %q", err, warnings)
	}
	sealed := strings.NewReplacer("[[temperature]]", "[[heat_flux]]", "value = \"120 degC\"", "flux = 100", `"3 W/(m K)"`, "3e5").Replace(right)
	if _, warnings, err := modelled(sealed); err != nil || !strings.Contains(strings.Join(warnings, "\n"), "nothing takes heat away from it") {
		t.Errorf("a sealed body that is heated: %v, %q", err, warnings)
	}
}
