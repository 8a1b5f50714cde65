package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program that gets no more memory ends with one line and exit status 1. A program with a limit
// that is high enough runs as without.
func TestLimitOfMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which runs the short tests, needs more addresses than the limit leaves")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	shapes := filepath.Join(dir, "big.shapes.toml")
	for _, c := range []struct {
		edge   string
		status int
	}{{"0.5", 0}, {"0.0008", 1}} {
		if c.status != 0 {
			withAll(t) // it takes the memory
		}
		if err := os.WriteFile(shapes, []byte("[[rectangle]]\nname = \"a\"\nfrom = [0, 0]\nto = [1, 1]\nedge = "+c.edge+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		run := exec.Command("bash", "-c", `ulimit -v 2500000; exec -a fdem "$0" mesh "$1" --force`, self, shapes)
		var said strings.Builder
		run.Stderr = &said
		err := run.Run()
		if got := run.ProcessState.ExitCode(); got != c.status {
			t.Errorf("edge %s: exit status %d, want %d, %v: %s", c.edge, got, c.status, err, said.String())
		}
		if c.status == 1 && (strings.Count(said.String(), "\n") != 1 || !strings.HasPrefix(said.String(), "fdem: out of memory: ulimit -v allows 2.6 GB")) {
			t.Errorf("edge %s: %q", c.edge, said.String())
		}
	}
}
