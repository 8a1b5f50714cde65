package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"fdem/io/report"
)

// Every template runs without a warning and keeps its energy ledger.
func TestTemplates(t *testing.T) {
	for _, name := range templateNames() {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "my "+name)
			if status, _, stderr := command("new", dir, "--template", name); status != 0 {
				t.Fatal(stderr)
			}
			if status, stdout, stderr := command("check", dir); status != 0 || strings.Contains(stdout, "warning") {
				t.Fatal(stdout, stderr)
			}
			args := []string{"run", dir, "--json"}
			switch {
			case testing.Short():
				args = append(args, "--until", "10 us")
			case name == "rockfall":
				args = append(args, "--until", "0.5 s") // the rocks slide on one another
			}
			status, stdout, stderr := command(args...)
			if status != 0 || strings.Contains(stderr, "warning") {
				t.Fatal(stderr)
			}
			var sum report.Summary
			if err := json.Unmarshal([]byte(stdout), &sum); err != nil {
				t.Fatal(err)
			}
			if sum.Energy.ResidualRelative > 0.02 {
				t.Errorf("energy residual %g", sum.Energy.ResidualRelative)
			}
			if name == "collision" && !testing.Short() && sum.Bodies[0].Velocity[0] > -0.2 {
				t.Errorf("the striker does not bounce off: %g m/s", sum.Bodies[0].Velocity[0])
			}
		})
	}
}
