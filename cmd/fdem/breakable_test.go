//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// tellingOfBreaking are the models that TestEverydayCanBreak tries without -luck: rigid bodies on
// springs, friction, spheres and a wave.
var tellingOfBreaking = []string{"bar_wall_steel", "car_settles", "grain_thrown", "roll_meshed_disc"}

// otherwiseBreaking gives the reason for models whose answer differs with bodies that can break.
var otherwiseBreaking = map[string]string{
	"discs_in_box": "a run with cracks is none in which nothing takes energy: its steps are not the shorter ones of such runs, and 1e-3 of the energy goes or comes in a million of them",
}

// Bodies that can break, but do not, move as bodies that cannot: every everyday model has its
// answers with a strength that is never reached.
func TestEverydayCanBreak(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(everyday, "*", "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := filepath.Base(filepath.Dir(path))
		if !*luck && !slices.Contains(tellingOfBreaking, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, e := unpacked(t, filepath.Dir(path))
			deck := filepath.Join(dir, "model.toml")
			if !canBreak(t, deck) {
				t.Skip("nothing that can break")
			}
			if reason := otherwiseBreaking[name]; reason != "" {
				t.Skip(reason)
			}
			_, wrong := e.answers(t, deck, filepath.Join(dir, "out"), 10*e.Limit, 1)
			for _, w := range wrong {
				t.Error(w)
			}
		})
	}
}

// canBreak lets the bodies of a deck break that are meshed, at a strength that nothing reaches;
// false where there are none, where bodies break already, or where the program refuses what goes with them.
func canBreak(t *testing.T, deck string) bool {
	t.Helper()
	text, err := os.ReadFile(deck)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Analysis struct{ Type string }
		Body     []map[string]any
		Fracture []map[string]any
	}
	if err := toml.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range read.Body {
		names = append(names, fmt.Sprintf("%q", b["name"]))
	}
	if len(names) == 0 || read.Analysis.Type == "static" || len(read.Fracture) > 0 {
		return false
	}
	text = fmt.Appendf(text, "\n[[fracture]]\nin = [%s]\ntensile_strength = \"100 GPa\"\ncohesion = \"1000 GPa\"\nfriction = 0.7\nenergy_tension = 1e12\nenergy_shear = 1e13\n", strings.Join(names, ", "))
	if err := os.WriteFile(deck, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	status := execute([]string{"check", deck}, &said, &said)
	refused := status == exitUsage && (strings.Contains(said.String(), "can break") || strings.Contains(said.String(), "breaks"))
	if status != exitDone && !refused {
		t.Error(said.String())
	}
	return !refused
}
