package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A mesh of shapes whose lengths have units is known to be in metres: it may be large beside its
// thickness. Plain numbers may be meant in millimetres.
func TestMeshOfShapesWithUnits(t *testing.T) {
	t.Parallel()
	for to, warned := range map[string]bool{`["500 mm", "400 mm"]`: false, "[0.5, 0.4]": true} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"p.shapes.toml": "edge = \"100 mm\"\n[[rectangle]]\nname = \"plate\"\nfrom = [0, 0]\nto = " + to + "\n",
			"p.toml":        "mesh = \"p.msh\"\n[analysis]\nduration = \"1 ms\"\nthickness = \"0.5 mm\"\n[[material]]\nname = \"steel\"\nyoung = \"210 GPa\"\npoisson = 0.3\ndensity = 7860\n[[body]]\nname = \"plate\"\nmaterial = \"steel\"\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		succeed(t, "mesh", filepath.Join(dir, "p.shapes.toml"))
		_, stdout, stderr := command("check", filepath.Join(dir, "p.toml"))
		if got := strings.Contains(stdout+stderr, "mesh_unit"); got != warned {
			t.Errorf("with to = %s check says:\n%s%s", to, stdout, stderr)
		}
	}
}
