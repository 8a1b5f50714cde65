package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fdem/io/results"
)

// A contact that names its bodies takes them out of that of "all". Forces act once, in any order of
// the blocks in the deck, and each contact has its own results.
func TestNamedContactsWin(t *testing.T) {
	t.Parallel()
	const head = `mesh = "stack.msh"
[analysis]
type = "static"
gravity = [0, -10]
[[material]]
name = "stone"
young = "1 GPa"
poisson = 0.2
density = 2000
[[body]]
name = "low"
material = "stone"
[[body]]
name = "middle"
material = "stone"
[[body]]
name = "high"
material = "stone"
[[rigid]]
name = "floor"
shape = "line"
from = ["-1 m", 0]
to = ["1 m", 0]
`
	const all = "[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\nfriction = 0.4\n"
	const upper = "[[contact]]\ncontactor = \"high\"\nopposite = \"middle\"\nfriction = 0.2\n"
	const lower = "[[contact]]\ncontactor = \"lid\"\nopposite = \"middle\"\nfriction = 0.3\n"
	const weight = 2000 * 10 * 0.1 * 0.1 // of a block [N]
	for _, c := range []struct {
		contacts string
		forces   map[string]float64 // of contacts, in weights of a block
		said     string
	}{
		{all, map[string]float64{"all-all": 1 + 2 + 3}, ""},
		{all + upper, map[string]float64{"all-all": 2 + 3, "high-middle": 1}, `all-all leaves its pairs that other contacts name to "high-middle"`},
		{upper + all, map[string]float64{"all-all": 2 + 3, "high-middle": 1}, `all-all leaves its pairs that other contacts name to "high-middle"`},
		{lower + all + upper, map[string]float64{"all-all": 3, "lid-middle": 2, "high-middle": 1}, `all-all leaves its pairs that other contacts name to "lid-middle", "high-middle"`},
		{all + strings.ReplaceAll(upper, `"middle"`, `"all"`), map[string]float64{"all-all": 2 + 3, "high-all": 1}, `all-all leaves its pairs that other contacts name to "high-all"`},
	} {
		dir := t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		write := func(name, text string) {
			if err := os.WriteFile(in(name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		write("stack.shapes.toml", `[[rectangle]]
name = "low"
from = [0, 0]
to = ["100 mm", "100 mm"]
edge = "20 mm"
top = "lid"
[[rectangle]]
name = "middle"
from = [0, "100 mm"]
to = ["100 mm", "200 mm"]
edge = "25 mm"
[[rectangle]]
name = "high"
from = [0, "200 mm"]
to = ["100 mm", "300 mm"]
edge = "20 mm"
`)
		write("stack.toml", strings.Replace(head, "[analysis]\n", "[analysis]\nthickness = 1\n", 1)+c.contacts)
		must := func(args ...string) string {
			t.Helper()
			status, stdout, stderr := command(args...)
			if status != 0 {
				t.Fatalf("%v: %s", args, stderr)
			}
			return stdout
		}
		must("mesh", in("stack.shapes.toml"))
		if said := must("check", in("stack.toml")); strings.Contains(said, "leaves its pairs") != (c.said != "") || !strings.Contains(said, c.said) {
			t.Errorf("%s: check does not say %q:\n%s", c.contacts, c.said, said)
		}
		must("run", in("stack.toml"), "--quiet")
		data, err := os.ReadFile(in("stack.out/summary.json"))
		if err != nil {
			t.Fatal(err)
		}
		var sum results.Summary
		if err := json.Unmarshal(data, &sum); err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, k := range sum.Contacts {
			got[k.Name] = k.PeakForce / weight
		}
		for name, want := range c.forces {
			if math.Abs(got[name]-want) > 1e-3*want {
				t.Errorf("%s: contact %s carries %.6g blocks, want %g", c.contacts, name, got[name], want)
			}
		}
		if len(got) != len(c.forces) {
			t.Errorf("%s: contacts %v", c.contacts, got)
		}
		log, err := os.ReadFile(in("stack.out/log.txt"))
		if err != nil || !strings.Contains(string(log), c.said) {
			t.Errorf("%s: the log does not say %q (%v):\n%s", c.contacts, c.said, err, log)
		}
	}
}
