package deck

import (
	"strings"
	"testing"
)

// Values change where they stand, keys that are missing are added, comments
// stay; nothing else moves.
func TestSet(t *testing.T) {
	const text = `[analysis]
duration = "1 ms" # long
safety = 0.8# tight
damping = { mass = 1.0, stiffness = 0.0 }

[[contact]]
contactor = "a"
opposite = "b"
friction = 0.1

[[contact]]
name = "c.d"
friction = [
  0.1, # a list over lines
]

[[material]]
name = "my steel"
young = "210 GPa"

[[fix]]
on = "left end"

[[load]]
on = "tip"
force = [1.0, 2.0] # N
`
	for _, c := range []struct{ assignment, old, new string }{
		{"analysis.safety=0.4", "safety = 0.8#", "safety = 0.4#"},
		{"analysis.step = 1 ns", "[analysis]\n", "[analysis]\nstep = \"1 ns\"\n"},
		{"analysis.damping={ mass = 2.0 }", "{ mass = 1.0, stiffness = 0.0 }", "{ mass = 2.0 }"},
		{"analysis.damping.mass=2.0", "mass = 1.0", "mass = 2.0"}, // a key of a table that may change
		{"analysis.impulses.tolerance=1e-4", "force = [1.0, 2.0] # N\n", "force = [1.0, 2.0] # N\n\n[analysis.impulses]\ntolerance = 1e-4\n"},
		{"analysis.duration=2 ms", `"1 ms" # long`, `"2 ms" # long`},
		{"analysis.gravity=[0, \"-5 m/s2\"]", "[analysis]\n", "[analysis]\ngravity = [0, \"-5 m/s2\"]\n"},
		{"material.my steel.young=70 GPa", `"210 GPa"`, `"70 GPa"`},
		{"fix.left end.components=[\"x\"]", "on = \"left end\"", "components = [\"x\"]\non = \"left end\""},
		{"contact.a-b.friction=0.2", "friction = 0.1\n", "friction = 0.2\n"},
		{"contact.c.d.friction=0.3", "[\n  0.1, # a list over lines\n]", "0.3"},
		{"contact.c.d.friction_speed=1 mm/s", "name = \"c.d\"", "friction_speed = \"1 mm/s\"\nname = \"c.d\""},
		{"load.tip.force=[\"1 kN\", 0.0]", "[1.0, 2.0]", "[\"1 kN\", 0.0]"},
		{"output.fields_every=1 us", "force = [1.0, 2.0] # N\n", "force = [1.0, 2.0] # N\n\n[output]\nfields_every = \"1 us\"\n"},
	} {
		got, err := Set("a.toml", []byte(text), []string{c.assignment})
		if err != nil {
			t.Errorf("%s: %v", c.assignment, err)
			continue
		}
		want := strings.Replace(text, c.old, c.new, 1)
		if strings.HasPrefix(c.assignment, "fix.") {
			want = strings.Replace(text, "[[fix]]\non", "[[fix]]\ncomponents = [\"x\"]\non", 1)
		}
		if c.assignment == "contact.c.d.friction_speed=1 mm/s" {
			want = strings.Replace(text, "[[contact]]\nname", "[[contact]]\nfriction_speed = \"1 mm/s\"\nname", 1)
		}
		if string(got) != want {
			t.Errorf("%s gives\n%s", c.assignment, got)
		}
	}
	for assignment, message := range map[string]string{
		"analysis.safety":           "key=value",
		"analysis.plane=strain":     "may not change",
		"material.steel.young=1":    "no [[material]] \"steel\"",
		"body.a.velocity=[0, 0]":    "may not change",
		"analysis.x.safety=1":       "may not change",
		"contact.nobody.friction=1": "no [[contact]] \"nobody\"",
		"=":                         "may not change",
	} {
		if _, err := Set("a.toml", []byte(text), []string{assignment}); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v", assignment, err)
		}
	}
	if _, err := Set("a.toml", []byte("analysis = { duration = 1 }\n"), []string{"analysis.safety=0.4"}); err == nil || !strings.Contains(err.Error(), "as a table") {
		t.Errorf("inline table: %v", err)
	}
}
