package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A run leaves the table of a rough law beside its results, and the next run
// finds it and computes the same.
func TestRunKeepsTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := filepath.Join(dir, "rough.toml")
	deck := `
[analysis]
duration = "50 us"
[[particle]]
name = "a"
radius = "10 mm"
position = [0, 0]
velocity = ["1 m/s", 0]
mass = "30 g"
[[particle]]
name = "b"
radius = "10 mm"
position = ["20.01 mm", 0]
mass = "30 g"
[[law]]
name = "rough"
model = "gw"
modulus = "115 GPa"
sigma = "7 um"
mu = 4
[[interaction]]
law = "rough"
`
	if err := os.WriteFile(model, []byte(deck), 0o644); err != nil {
		t.Fatal(err)
	}
	var before []byte
	for i := range 2 {
		if said, err := program(t, "run", model, "--force", "--quiet").CombinedOutput(); err != nil { // tables of other tests are not its own
			t.Fatalf("%v: %s", err, said)
		}
		tables, err := filepath.Glob(filepath.Join(dir, "law-tables", "rough-*.json"))
		if err != nil || len(tables) != 1 {
			t.Fatalf("tables %q, %v", tables, err)
		}
		history, err := os.ReadFile(filepath.Join(dir, "rough.out", "history.csv"))
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && !bytes.Equal(history, before) {
			t.Error("the second run computes something else")
		}
		before = history
	}
}
