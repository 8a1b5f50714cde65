package deck

import (
	"strings"
	"testing"
)

// The limits of a result are in the unit of what they are values of, and have something
// between them.
func TestLimitsOfResults(t *testing.T) {
	for name, c := range map[string]struct{ keys, want string }{
		"another unit":          {"take = \"at\"\nfrom = \"5 kg\"", `from must have the dimension of time, whose unit is s, got "5 kg"`},
		"another unit of curve": {"take = \"slope\"\nover = \"way\"\nfrom = \"1 mm\"\nto = \"2 s\"", `to must have the dimension of way, whose unit is m, got "2 s"`},
		"backwards":             {"take = \"slope\"\nfrom = \"60 %\"\nto = \"40 %\"", "begins at 60 % of the peak and ends at 40 % of the peak"},
		"nothing between":       {"take = \"mean\"\nfrom = 1\nto = 1", "so that it is empty"},
		"its own unit":          {"take = \"slope\"\nover = \"way\"\nfrom = \"1 mm\"\nto = \"2 mm\"", ""},
		"plain numbers":         {"take = \"slope\"\nfrom = 1e-3\nto = \"2e-3\"", ""},
		"of what rises":         {"take = \"count\"\nfrom = \"2 J\"", ""},
		"no unit known":         {"take = \"slope\"\nover = \"bare\"\nfrom = \"1 mm\"", ""},
	} {
		d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+twoBodies+"[[curve]]\nname = \"way\"\nunit = \"m\"\nvalue = \"time\"\n[[curve]]\nname = \"bare\"\nvalue = \"time\"\n[[result]]\nname = \"r\"\nof = \"kinetic\"\n"+c.keys+"\n"))
		if err == nil {
			_, err = d.Curves([]string{"time", "kinetic"}, nil)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// A unit that is not of SI is refused where nothing can have turned the value into it, and
// limits with a unit are values in the unit of their column.
func TestUnitsOfCurves(t *testing.T) {
	for name, c := range map[string]struct{ keys, want string }{
		"curve":            {"[[curve]]\nname = \"a\"\nunit = \"kJ\"\nvalue = \"kinetic\"", "the value is in SI"},
		"divided":          {"[[curve]]\nname = \"a\"\nunit = \"kJ\"\nvalue = \"kinetic/1e3\"", ""},
		"of another":       {"[[curve]]\nname = \"a\"\nunit = \"kJ\"\nvalue = \"kinetic/1e3\"\n[[curve]]\nname = \"b\"\nunit = \"kJ\"\nvalue = \"-a\"", ""},
		"result":           {"[[result]]\nname = \"a\"\nunit = \"kJ\"\nof = \"kinetic\"\ntake = \"max\"", "the value is in SI"},
		"result of a plot": {"[[curve]]\nname = \"b\"\nunit = \"J\"\nvalue = \"kinetic\"\n[[result]]\nname = \"a\"\nunit = \"mJ\"\nof = \"b\"\ntake = \"max\"", "the value is in SI"},
		"slope":            {"[[curve]]\nname = \"b\"\nvalue = \"kinetic/time\"\n[[result]]\nname = \"a\"\nunit = \"kW\"\nof = \"kinetic\"\nover = \"b\"\ntake = \"slope\"", "the value is in SI"},
		"slope of another": {"[[curve]]\nname = \"b\"\nvalue = \"2*kinetic\"\n[[result]]\nname = \"a\"\nunit = \"kW\"\nof = \"kinetic\"\nover = \"b\"\ntake = \"slope\"", ""},
		"count":            {"[[result]]\nname = \"a\"\nof = \"kinetic\"\ntake = \"count\"\nfrom = 1", ""},
	} {
		d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+twoBodies+c.keys+"\n"))
		if err == nil {
			_, err = d.Curves([]string{"time", "kinetic"}, nil)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+twoBodies+"[[curve]]\nname = \"a\"\nunit = \"kJ\"\nvalue = \"kinetic/1e3\"\n[[result]]\nname = \"r\"\nof = \"time\"\nover = \"a\"\ntake = \"at\"\nfrom = \"2 J\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	set, err := d.Curves([]string{"time", "kinetic"}, nil)
	if err != nil || set.Results[0].From.Value != 2e-3 {
		t.Errorf("%v, %v, want from 0.002 kJ", set, err)
	}
}
