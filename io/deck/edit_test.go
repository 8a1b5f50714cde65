package deck

import (
	"fmt"
	"strings"
	"testing"

	"fdem/io/tables"
)

const edited = `title = 'a "quoted" # title'   # kept
[analysis]
duration = "5 us" # how long
damping = { mass = 0.5, stiffness = 1e-9 }
[[body]]
name = "a.b"
velocity = ["1 m/s", 2.0] # x, y
[[body]]
name = "second"
velocity = [
  -3, # first
  "4 m/s",
]
[[contact]]
contactor = "a.b"
opposite = "second"
friction=0.1
[[law]]
name = "blasted steel"
e_p = "0.534 um/MPa^0.653"
`

func TestEdit(t *testing.T) {
	for _, c := range []struct{ path, old string }{
		{"title", `'a "quoted" # title'`},
		{"analysis.duration", `"5 us"`},
		{"analysis.damping.mass", "0.5"},
		{"analysis.damping.stiffness", "1e-9"},
		{`body."a.b".velocity.x`, `"1 m/s"`},
		{`body."a.b".velocity.2`, "2.0"},
		{`body."a.b".velocity`, `["1 m/s", 2.0]`},
		{"body.second.velocity.x", "-3"},
		{"body.2.velocity.y", `"4 m/s"`},
		{`contact."a.b-second".friction`, "0.1"},
		{"law.blasted steel.e_p", `"0.534 um/MPa^0.653"`},
	} {
		got := ""
		out, err := tables.Edit("d.toml", []byte(edited), []tables.Change{{Path: c.path, New: func(old string) (string, error) {
			got = old
			return "NEW", nil
		}}})
		if err != nil || got != c.old {
			t.Errorf("%s: got %s, %v, want %s", c.path, got, err, c.old)
			continue
		}
		if want := strings.Replace(edited, c.old, "NEW", 1); string(out) != want {
			t.Errorf("%s: the rest changed too:\n%s", c.path, out)
		}
	}
}

func TestEditMistakes(t *testing.T) {
	same := func(old string) (string, error) { return old, nil }
	for _, c := range []struct{ path, want string }{
		{"analysis.duratoin", `d.toml: analysis.duratoin: there is no "duratoin": did you mean "duration"?`},
		{"body.secnd.velocity.x", `did you mean "second"?`},
		{"body.second", "is a table: the path must lead to a value"},
		{"body.second.velocity.z", `"z" is no index of a list with 2 entries`},
		{"analysis..x", "a word between the dots is missing"},
		{`"title`, "a quote is not closed"},
		{"title.x", `there is no "x"`},
	} {
		_, err := tables.Edit("d.toml", []byte(edited), []tables.Change{{Path: c.path, New: same}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.path, err, c.want)
		}
	}
	_, err := tables.Edit("d.toml", []byte(edited), []tables.Change{{Path: "title", New: same}, {Path: "title", New: same}})
	if err == nil || !strings.Contains(err.Error(), "two parameters change title") {
		t.Errorf("twice the same: %v", err)
	}
	_, err = tables.Edit("d.toml", []byte(edited), []tables.Change{{Path: "analysis.duration", New: func(string) (string, error) { return "", fmt.Errorf("no") }}})
	if err == nil || err.Error() != "d.toml:3:12: analysis.duration: no" {
		t.Errorf("refused by New: %v", err)
	}
}

// A block that is the only one of its kind needs no name.
func TestAssignOnlyBlock(t *testing.T) {
	const one = "[[fracture]]\nin = [\"rock\"]\ncohesion = \"1 MPa\"\n"
	for _, c := range []struct{ text, assignment, want string }{
		{one, "fracture.cohesion=2 MPa", "[[fracture]]\nin = [\"rock\"]\ncohesion = \"2 MPa\"\n"},
		{one, "fracture.friction=0.5", "[[fracture]]\nfriction = 0.5\nin = [\"rock\"]\ncohesion = \"1 MPa\"\n"},
		{one + one, "fracture.2.cohesion=3 MPa", one + strings.Replace(one, "1 MPa", "3 MPa", 1)},
	} {
		if got, err := Assign("a.toml", []byte(c.text), []string{c.assignment}); err != nil || string(got) != c.want {
			t.Errorf("%s: %v, %q, want %q", c.assignment, err, got, c.want)
		}
	}
	if _, err := Assign("a.toml", []byte(one+one), []string{"fracture.cohesion=2 MPa"}); err == nil || !strings.Contains(err.Error(), "fracture.NAME.KEY or fracture.1.KEY") {
		t.Error(err)
	}
	if _, err := Assign("a.toml", []byte("[[material]]\nname = \"a\"\n"), []string{"material.E=2 GPa"}); err == nil || !strings.Contains(err.Error(), `has no key "E": here it is "young"`) {
		t.Error(err)
	}
}
