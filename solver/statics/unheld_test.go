package statics

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fdem/solver"
)

const unheldShapes = `
[[rectangle]]
name = "block"
from = [0, 0]
to = [0.2, 0.1]
edge = 0.05
left = "left"
right = "right"
bottom = "bottom"
top = "top"
[[rectangle]]
name = "base"
from = [-0.1, -0.1]
to = [0.3, 0]
edge = 0.05
bottom = "ground"
[[rectangle]]
name = "flag"
from = [0.2, 0.1]
to = [0.3, 0.2]
edge = 0.05
top = "edge"
[[point]]
name = "corner"
body = "block"
at = [0, 0.1]
[[point]]
name = "other"
body = "block"
at = [0, 0]
`

const unheldDeck = `
[analysis]
type = "static"
increments = 4
GRAVITY
[[material]]
name = "soft"
young = "1 GPa"
poisson = 0.3
density = 2000
[[body]]
name = "block"
material = "soft"
[[body]]
name = "base"
material = "soft"
[[body]]
name = "flag"
material = "soft"
[[fix]]
on = "ground"
components = ["x", "y"]
`

// Loads that drive a body which nothing holds, or a mechanism, are an error before the analysis;
// loads in balance, and bodies that contact or springs hold once they move, are not.
func TestLoadsDriveMechanisms(t *testing.T) {
	load := func(on, force string) string { return "[[load]]\non = \"" + on + "\"\nforce = " + force + "\n" }
	fix := func(on, components string) string {
		return "[[fix]]\non = \"" + on + "\"\ncomponents = [" + components + "]\n"
	}
	const contact, rough = "[[contact]]\ncontactor = \"block\"\nopposite = \"base\"\n", "friction = 0.5\n"
	const gravity = "gravity = [0, -9.81]\n"
	held := fix("edge", `"x", "y"`)
	push, pull := load("left", `["1 kN", 0]`), load("left", `["-1 kN", 0]`)
	late := push + "schedule = [[0, 0], [0.5, 0], [1, 1]]\n"
	for _, c := range []struct {
		name, gravity, more string
		joined              bool
		says                string // "" for no error
		from                float64
	}{
		{"weight on nothing", gravity, held, false, `"block" (along x, along y, to turn)`, 0},
		{"no load", "", held, false, "", 0},
		{"loads in balance", "", held + pull + load("right", `["1 kN", 0]`), false, "", 0},
		{"pressure", "", held + "[[load]]\non = \"left\"\npressure = \"1 kPa\"\n", false, `"block"`, 0},
		{"a load that comes later", "", held + late, false, `"block"`, 0.5},
		{"rollers, no load along them", gravity, held + fix("bottom", `"y"`), false, "", 0},
		{"a pin", gravity, held + fix("corner", `"x", "y"`), false, `"block" (to turn)`, 0},
		{"it falls onto its base", gravity, held + contact, false, "", 0},
		{"it slides without friction", gravity, held + contact + push, false, `"block" (along x, along y, to turn)`, 0},
		{"friction holds it", gravity, held + contact + rough + load("left", `["10 N", 0]`), false, "", 0},
		{"lifted off its base", "", held + contact + rough + load("top", `[0, "1 kN"]`), false, `nothing presses in contact "block-base"`, 0},
		{"friction that does not suffice is no mechanism", gravity, held + contact + rough + push, false, "", 0},
		{"springs", gravity, held + "[[spring]]\non = \"top\"\nstiffness = 1e6\n", false, "", 0},
		{"a flag that hangs by a node", gravity, fix("left", `"x", "y"`), true, `mechanism, that of "flag"`, 0},
		{"a flag that hangs by a node, held", gravity, fix("left", `"x", "y"`) + held, true, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Held(solverOf(t, strings.Replace(unheldDeck, "GRAVITY\n", c.gravity, 1)+c.more, unheldShapes, c.joined))
			var unheld *solver.UnheldError
			switch {
			case c.says == "":
				noError(t, err)
			case !errors.As(err, &unheld) || !strings.Contains(err.Error(), c.says) || unheld.Time != c.from:
				t.Errorf("got %v", err)
			}
		})
	}
}

// solverOf builds a model; joined tells whether block and flag share their corner.
func solverOf(t *testing.T, text, shapes string, joined bool) *solver.Solver {
	t.Helper()
	if joined {
		shapes = "join = [\"block\", \"flag\"]\n" + shapes
	}
	return built(t, text, shapes)
}

// A bar of a perfectly plastic metal under tension bears yield stress times section. The error says
// so; that of an elastic bar that folds does not.
func TestPlasticCollapse(t *testing.T) {
	const deck = `
[analysis]
type = "static"
increments = 10
plane = "stress"
thickness = 0.01
[[material]]
name = "metal"
young = "200 GPa"
poisson = 0.3
density = 7800
LAW
[[body]]
name = "bar"
material = "metal"
[[fix]]
on = "left"
components = ["x"]
[[fix]]
on = "corner"
components = ["x", "y"]
[[load]]
on = "right"
force = FORCE
`
	const shapes = `
[[rectangle]]
name = "bar"
from = [0, 0]
to = [0.2, 0.1]
edge = 0.05
left = "left"
right = "right"
[[point]]
name = "corner"
body = "bar"
at = [0, 0]
`
	const yields = "law = \"j2\"\nyield_stress = \"200 MPa\"\n"
	for _, c := range []struct {
		name, law, force string
		collapses        bool
	}{
		{"perfectly plastic", yields, `["300 kN", 0]`, true},
		{"hardening", yields + "hardening = \"20 GPa\"\n", `["300 kN", 0]`, false},
		{"elastic, folded", "", `[0, "-300 MN"]`, false},
	} {
		s := built(t, strings.NewReplacer("LAW\n", c.law, "FORCE", c.force).Replace(deck), shapes)
		err := toEnd(s)
		var failed *solver.NotConvergedError
		if errors.As(err, &failed) != (c.name != "hardening") {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := failed != nil && slices.Equal(failed.Collapsed, []string{"bar"}); got != c.collapses {
			t.Errorf("%s: collapse %v: %v", c.name, got, err)
		}
		if !c.collapses {
			continue
		}
		limit, bore := 200e6*0.1*0.01, 300e3*s.Time
		t.Logf("bore %.5f of yield stress times section", bore/limit)
		if !(bore > 0.995*limit && bore <= 1.0001*limit) || !strings.Contains(err.Error(), `N of the load on "right"`) {
			t.Errorf("%s: bore %g N of %g N: %v", c.name, bore, limit, err)
		}
	}
}

// A bar of the default law that is compressed by 3 % is told to be softer than Hooke's law by what
// its forces say; one compressed by 2 %, and one of another law, are not.
func TestCompressionSoftens(t *testing.T) {
	press := func(strain float64, law string) *solver.Solver {
		s := built(t, fmt.Sprintf(`
[analysis]
type = "static"
increments = 2
plane = "stress"
[[material]]
name = "soft"
young = "1 GPa"
poisson = 0.3
density = 2000
%s
[[body]]
name = "bar"
material = "soft"
[[fix]]
on = "left"
components = ["x"]
[[fix]]
on = "corner"
components = ["y"]
[[drive]]
on = "right"
displacement = ["%g mm", "free"]
`, law, -100*strain), `
[[rectangle]]
name = "bar"
from = [0, 0]
to = [0.1, 0.05]
edge = 0.05
left = "left"
right = "right"
[[point]]
name = "corner"
body = "bar"
at = [0, 0]
`)
		noError(t, toEnd(s))
		return s
	}
	force := func(s *solver.Solver) float64 {
		for _, r := range s.Reactions() {
			if r.Name == "right" {
				return r.Force.X
			}
		}
		t.Fatal("there is no reaction of the drive")
		return 0
	}
	s := press(0.03, "")
	if says := s.Softened(); !strings.HasPrefix(says, `warning: body "bar" was compressed by up to 3 % `) || !strings.Contains(says, "by 8.9 % along a bar") {
		t.Errorf("3 %%: %q", says)
	}
	const small = 1e-4
	tangent := (force(press(0.03+small, "")) - force(s)) / (small * 1e9 * 0.05)
	if want := (3*0.97*0.97 - 1) / 2; math.Abs(math.Abs(tangent)-want) > 1e-3 {
		t.Errorf("the tangent is %.5f of Young's modulus, want %.5f", tangent, want)
	}
	for _, other := range []*solver.Solver{press(0.02, ""), press(0.03, "law = \"j2\"\nyield_stress = 1e13\n")} {
		if says := other.Softened(); says != "" {
			t.Errorf("says %q", says)
		}
	}
}
