package deck

import (
	"strings"
	"testing"
)

// The names of a [[fluid]] are looked up in the mesh. Wrong values are refused at their position.
func TestFluidIsChecked(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies
	const well = "[[fluid]]\nname = \"water\"\nwell = \"top\"\nvolume = 1\n"
	const pumped = well + "rate = 1\n"
	for name, c := range map[string]struct{ deck, want string }{
		"no name":       {start + "[[fluid]]\nwell = \"top\"\nrate = 1", "name is missing"},
		"no well":       {start + "[[fluid]]\nname = \"water\"\nrate = 1", "well is missing"},
		"no drive":      {start + well, "needs a rate, a pressure, a gas or jwl"},
		"no such well":  {start + strings.Replace(pumped, "\"top\"", "\"tpo\"", 1), `did you mean "top"?`},
		"well of two":   {start + strings.Replace(pumped, "\"top\"", "[\"top\", \"seam\"]", 1), `"seam" has no boundary edge`},
		"well twice":    {start + strings.Replace(pumped, "\"top\"", "[\"top\", \"top\"]", 1), `names "top" twice`},
		"well of 3":     {start + strings.Replace(pumped, "\"top\"", "3", 1), "well must be a name in quotes or a list of names, got 3"},
		"inside":        {start + strings.Replace(pumped, "\"top\"", "\"seam\"", 1), "no boundary edge"},
		"flat":          {start + strings.Replace(pumped, "volume = 1\n", "", 1), "encloses no volume"},
		"rate backward": {start + well + "rate = -1\n", "rate must not be negative"},
		"unit":          {start + well + "rate = \"1 m/s\"\n", "rate"},
		"both":          {start + strings.Replace(pumped, "volume = 1\n", "", 1) + "pressure = 1\n", "rate does not go with pressure"},
		"gas pumped":    {start + pumped + "gas = { pressure = 1 }\n", "gas"},
		"gas of none":   {start + well + "gas = { gamma = 1.3 }\n", `no key "pressure"`},
		"gamma":         {start + well + "gas = { pressure = 1, gamma = 1 }\n", "gamma must be greater than 1"},
		"jwl of half":   {start + well + "jwl = { a = 1, b = 1, c = 1, r1 = 4 }\n", `no key "r2"`},
		"static":        {inStaticDeck + steelBlock + twoBodies + pumped, "static"},
		"twice":         {start + pumped + strings.Replace(pumped, "water", "oil", 1), `already the well of fluid "water"`},
		"one name":      {start + pumped + pumped, "already"},
		"a load on it":  {start + pumped + "[[load]]\non = \"top\"\npressure = 1\n", "has a load on"},
		"driven":        {start + pumped + "[[drive]]\non = \"top\"\nvelocity = [0, 1]\n", "is driven on"},
		"absorbing":     {start + pumped + "[[absorb]]\non = \"top\"\n", "has the absorbing edge"},
		"no crack":      {start + pumped + "cracks = [\"striker\"]\n", `no [[fracture]] or [[joint]] is in or on "striker"`},
		"hard liquid":   {start + pumped + "bulk = \"inf\"\n", `bulk = "inf" goes with viscosity`},
		"excavated":     {start + pumped + "[[excavate]]\nin = [\"target\"]\nramp = 1\n", "excavated"},
	} {
		if _, err := made(c.deck); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		} else if !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: the error has no position: %v", name, err)
		}
	}
	for _, more := range []string{"rate = \"2 m3/s\"\ncracks = \"striker\"\n", "rate = 1\nviscosity = 1e-3\nbulk = \"inf\"\n", "pressure = 1e6\nschedule = \"t\"\n", "gas = { pressure = \"3 bar\" }\n", "jwl = { a = 1, b = 1, c = 1, r1 = 4, r2 = 1, omega = 0.3 }\n"} {
		block := well
		if strings.HasPrefix(more, "pressure") {
			block = strings.Replace(well, "volume = 1\n", "", 1)
		}
		if _, err := made(start + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\n" + block + more); err != nil {
			t.Errorf("%s: %v", more, err)
		}
	}
}
