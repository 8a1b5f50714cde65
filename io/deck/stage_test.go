package deck

import (
	"math"
	"strings"
	"testing"
)

// Stages divide the run, and tell blocks when they come and go and how excavated bodies relax.
func TestStages(t *testing.T) {
	const stages = `
[[stage]]
name = "heading"
lasts = 0.4
excavate = "target"
relaxation = "40 %"
[[stage]]
name = "anchors"
install = ["anchor", "clamp"]
[[stage]]
name = "rest"
excavate = "target"
remove = "anchor"
ramp = 0.1
`
	const supports = "[[spring]]\nname = \"anchor\"\non = \"clamp\"\nto_at = [9, 9]\nstiffness = 1\n[[fix]]\non = \"clamp\"\n"
	d, err := Parse("deck.toml", []byte(inStaticDeck+steelBlock+twoBodies+supports+stages))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Build(squares())
	if err != nil {
		t.Fatal(err)
	}
	if s, f := m.Springs[0].When, m.Fixes[0].When; s.From != 0.4 || math.Abs(s.Until-1.2) > 1e-12 || math.Abs(s.Fade(0.05)-0.5) > 1e-12 || f.From != 0.4 || f.Until != 0 {
		t.Errorf("spring %+v, fix %+v", s, f)
	}
	for at, want := range map[float64]float64{0: 1, 0.2: 0.8, 0.4: 0.6, 1.2: 0.6, 1.25: 0.3, 1.3: 0, 2: 0} {
		if got := m.Excavations[0].Fade(at); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %g %g of the forces are left, want %g", at, got, want)
		}
	}
	if len(m.Stages) != 3 || m.Stages[0].End != 0.4 || m.Stages[2].End != 2 {
		t.Errorf("stages %+v", m.Stages)
	}
	for _, b := range []float64{0.4, 1.2, 1.3} {
		if !contains(m.Static.Breaks, b) {
			t.Errorf("no increment ends at %g: %v", b, m.Static.Breaks)
		}
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"no such support":   {`"anchor", "clamp"`, `"ankor"`, `no beam, bolt, spring, tie, fix, load or clamp "ankor": did you mean "anchor"`},
		"no such body":      {`excavate = "target"`, `excavate = "targt"`, `no body "targt" of triangles`},
		"relaxed less":      {`"40 %"`, "1", "have faded in a stage before"},
		"of nothing":        {"excavate = \"target\"\nrelaxation", "relaxation", "relaxation goes with excavate"},
		"no time left":      {"lasts = 0.4", "lasts = 2", "leave nothing for the others"},
		"a long ramp":       {"ramp = 0.1", "ramp = 0.9", "ramp must not exceed that"},
		"one name":          {`name = "rest"`, `name = "anchors"`, "there is a stage of this name already"},
		"removed at once":   {`remove = "anchor"`, `remove = "other"`, `no beam, bolt, spring, tie, fix, load or clamp "other"`},
		"never there":       {"excavate = \"target\"\nrelaxation = \"40 %\"", `remove = "anchor"`, "both remove it"},
		"its own time":      {"to_at = [9, 9]", "to_at = [9, 9]\ntime = 0.3", `the stage "anchors" installs it: leave time out`},
		"its own end":       {"to_at = [9, 9]", "to_at = [9, 9]\nuntil = 0.9", `the stage "rest" removes it: leave until out`},
		"another excavates": {stages, stages + "[[excavate]]\nin = \"target\"\n", "excavated by another block already"},
	} {
		text := inStaticDeck + steelBlock + twoBodies + supports + stages
		if !strings.Contains(text, c.old) {
			t.Fatalf("%s: nothing to replace", name)
		}
		if _, err := made(strings.Replace(text, c.old, c.new, 1)); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func contains(of []float64, v float64) bool {
	for _, x := range of {
		if math.Abs(x-v) < 1e-12 {
			return true
		}
	}
	return false
}
