package deck

import (
	"strings"
	"testing"
)

// What an [[excavate]] says is looked up in the mesh; what cannot be is refused in its
// place.
func TestExcavateIsChecked(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies
	const dig = "[[excavate]]\nin = [\"target\"]\nramp = 0.5\n"
	for name, c := range map[string]struct{ deck, want string }{
		"nothing":      {start + "[[excavate]]\nramp = 1", "in is missing"},
		"none":         {start + "[[excavate]]\nin = []\nramp = 1", "must name something"},
		"no ramp":      {start + "[[excavate]]\nin = [\"target\"]", "ramp is missing"},
		"at once":      {start + "[[excavate]]\nin = [\"target\"]\nramp = 0", "ramp must be positive"},
		"before":       {start + dig + "time = -1", "time must not be negative"},
		"no such body": {start + "[[excavate]]\nin = [\"targt\"]\nramp = 1", `no body "targt" of triangles: did you mean "target"?`},
		"twice":        {start + dig + dig, "dug away already"},
		"all":          {start + "[[excavate]]\nin = [\"target\", \"striker\"]\nramp = 1", "one at least must stay"},
		"static":       {inStaticDeck + steelBlock + twoBodies + dig, "[[initial_stress]]"},
		"what breaks":  {start + dig + "[[fracture]]\nin = [\"target\"]\n" + brittle, "what is dug away does not break before"},
		"what meets":   {start + dig + firm + "[[contact]]\ncontactor = \"target\"\nopposite = \"striker\"\nlaw = \"firm\"\n", `meets others in the contact`},
		"what absorbs": {start + dig + "[[absorb]]\non = \"top\"\n", "lets waves out"},
		"gravity":      {strings.Replace(start, "duration = ", "gravity = [0, -9]\ngravity_schedule = \"t\"\nduration = ", 1) + dig, "gravity_schedule"},
		"weight on it": {start + dig + "[[load]]\non = \"target\"\nacceleration = [1, 0]\n", "bears a load"},
		"held":         {start + dig + "[[fix]]\non = \"target\"\n", `"target" is fixed as a whole`},
		"driven":       {start + dig + "[[drive]]\non = \"target\"\nvelocity = [1, 0]\n", `"target" is driven as a whole`},
		"a spring":     {start + dig + "[[spring]]\non = \"top\"\nto_at = [9, 9]\nstiffness = 1\n", `the spring "top" ends in what is dug away`},
		"a load on it": {start + dig + "[[load]]\non = \"top\"\npressure = 1\n", "bears a load"},
	} {
		if _, err := made(c.deck); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		} else if !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: the error has no place: %v", name, err)
		}
	}
	if _, err := made(start + dig + "[[fix]]\non = \"top\"\n"); err != nil {
		t.Errorf("digging at a curve that is held: %v", err)
	}
	if _, err := made(start + dig + "[[fracture]]\nin = [\"striker\"]\n" + brittle); err != nil {
		t.Errorf("digging beside what breaks: %v", err)
	}
}
