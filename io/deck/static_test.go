package deck

import (
	"errors"
	"strings"
	"testing"

	"fdem/io/tables"

	"gonum.org/v1/gonum/spatial/r2"
)

const staticDeck = `[analysis]
type = "static"
increments = 10
largest_increment = "20 %"
[[rigid]]
name = "flat"
shape = "line"
from = ["0 mm", "0 mm"]
to = ["10 mm", "0 mm"]
[[rigid]]
name = "roller"
shape = "disc"
centre = ["5 mm", "1 mm"]
radius = "1 mm"
motion = ["5e-3 + 1e-3*t", "free", 0]
[[load]]
on = "roller"
force = [0, "-5 N"]
schedule = [[0, 0], ["30 %", 1]]
[[law]]
name = "hard"
model = "linear"
k = "1e12 Pa/m"
[[contact]]
contactor = "flat"
opposite = "roller"
law = "hard"
`

func TestStaticDeck(t *testing.T) {
	m, warnings, err := unmeshed("s.toml", staticDeck)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	s := m.Static
	if s == nil || m.Duration != 1 || s.Increment != 0.1 || s.Largest != 0.2 || len(s.Breaks) != 2 || s.Breaks[0] != 0.3 {
		t.Errorf("%+v", s)
	}
	if m.Rigids[1].Released != [3]bool{false, true, false} {
		t.Errorf("%+v", m.Rigids[1])
	}
	if c, _ := m.Rigids[1].Motion(0.5); c != (r2.Vec{X: 5.5e-3, Y: 1e-3}) {
		t.Errorf("motion %v", c)
	}
	if len(m.Loads) != 1 || len(m.Loads[0].Nodes) == 0 || m.Loads[0].Force.Y != -5 || m.Loads[0].Schedule(0.15) != 0.5 {
		t.Errorf("%+v", m.Loads)
	}
}

func TestStaticMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, at, want string }{
		{`type = "static"`, "type = \"dynamic\"\nduration = 1", "4:14", `increments goes with type = "static"`},
		{"increments = 10\n", "safety = 0.5\n", "3:10", `safety goes with type = "dynamic"`},
		{"increments = 10", "increments = 0", "3:14", "between 1 and"},
		{`"20 %"`, `"1 %"`, "4:21", "must not be below the first increment"},
		{"[[rigid]]", "[output]\nhistory_every = 1\n[[rigid]]", "6:17", "a row of history.csv for every increment"},
		{`motion = ["5e-3 + 1e-3*t", "free", 0]`, "mass = 1\nvelocity = [1, 0]", "16:12", "no inertia"},
		{`law = "hard"`, "law = \"hard\"\nfriction = 0.1\nfriction_speed = 1", "28:12", "regularised friction follows the slip speed"},
		{`law = "hard"`, "law = \"hard\"\noverlap = \"subtract\"", "28:11", "goes with type"},
	} {
		_, _, err := unmeshed("s.toml", swap(t, staticDeck, c.old, c.new))
		var e *tables.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "s.toml:"+c.at+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got\n%v\nwant %s: ... %s", c.new, c.old, err, c.at, c.want)
		}
	}
}
