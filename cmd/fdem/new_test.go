package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fdem/io/results"
)

// Every template runs without a warning and keeps its energy ledger.
func TestTemplates(t *testing.T) {
	rehearseLess(t)
	for _, name := range templateNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "my "+name)
			succeed(t, "new", dir, "--template", name)
			if laboratory()[name] != nil && !slices.Contains(longTests, name) && !testing.Short() {
				return // TestLaboratory checks it, and runs it whole
			}
			if status, stdout, stderr := command("check", dir); status != 0 || strings.Contains(stdout, "warning") {
				t.Fatal(stdout, stderr)
			}
			if laboratory()[name] != nil || name == "slope" || name == "bumper" {
				return // TestLaboratory or TestSlopeAndBumper runs it whole: what it reads is not there before
			}
			args := []string{"run", dir, "--json"}
			part := map[string]float64{"collision": 1, "beam": 0.25, "rockfall": 0.2, "rolling": 0.15, "particles": 0.2, "fracture": 0.1, "frame": 0.3, "crushing": 0.2, "tunnel": 1, "bolted-tunnel": 1, "lined-tunnel": 1, "anchored-wall": 1, "fracturing": 0.65, "blasting": 1, "heated-wall": 0.3, "thermal-shock": 0.3, "borehole": 1, "settlement": 0.01, "wall": 0.05, "arch": 0.25, "dominoes": 0.5}[name]
			if testing.Short() && name != "arch" || part == 0 { // an arch holds and moves next to no energy at first
				part = 0.02
			}
			in, err := read(dir, "")
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, "--until", fmt.Sprintf("%g s", part*in.model.Duration))
			status, stdout, stderr := command(args...)
			if status != 0 || strings.Contains(stderr, "warning") {
				t.Fatal(stderr)
			}
			var sum results.Summary
			if err := json.Unmarshal([]byte(stdout), &sum); err != nil {
				t.Fatal(err)
			}
			if sum.Energy.ResidualRelative > 0.02 {
				t.Errorf("energy residual %g", sum.Energy.ResidualRelative)
			}
			if slices.Contains([]string{"fracture", "fracturing", "blasting", "thermal-shock", "borehole"}, name) && !testing.Short() && (sum.Cracks == nil || sum.Cracks.BrokenEdges == 0) {
				t.Error("nothing breaks")
			}
			if name == "crushing" && !testing.Short() && (sum.Cracks == nil || sum.Cracks.Fragments < 2) {
				t.Error("there are no fragments")
			}
			if name == "collision" && !testing.Short() && sum.Bodies[0].Velocity[0] > -0.2 {
				t.Errorf("the striker does not bounce off: %g m/s", sum.Bodies[0].Velocity[0])
			}
		})
	}
}

// A study that collects a column which no history has fails before anything runs.
func TestStudyNeedsItsColumns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rods")
	succeed(t, "new", dir, "--template", "collision")
	file := filepath.Join(dir, "speeds.study.toml")
	text := "deck = \"rods.toml\"\n[[parameter]]\nname = \"e\"\nunit = \"GPa\"\nvalues = [200, 210]\nset = [\"material.1.young\"]\n[[collect]]\nname = \"most\"\nhistory = \"strian\"\ntake = \"max\"\n"
	for history, want := range map[string]int{"strian": 2, "strain": 0} {
		if err := os.WriteFile(file, []byte(strings.Replace(text, "strian", history, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		status, _, stderr := command("sweep", file, "--dry-run")
		if status != want || want == 2 && !strings.Contains(stderr, `speeds.study.toml:9:11: collect "most": history.csv has no column "strian"`) {
			t.Errorf("%s: status %d, want %d: %s", history, status, want, stderr)
		}
	}
}
