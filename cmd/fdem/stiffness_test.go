package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fdem/io/results"
)

// Bodies of two materials on a floor without any law: check, log and summary
// say how stiff their contact is, results know one contact, and a run that is
// resumed has the same bits.
func TestFoundStiffness(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("stack.shapes.toml", "edge = \"5 mm\"\n"+
		"[[rectangle]]\nname = \"gel\"\nfrom = [0, \"0.1 mm\"]\nto = [\"20 mm\", \"20.1 mm\"]\n"+
		"[[rectangle]]\nname = \"rock\"\nfrom = [\"5 mm\", \"20.2 mm\"]\nto = [\"15 mm\", \"30.2 mm\"]\n")
	write("stack.toml", `
[analysis]
duration = "8 ms"
thickness = "10 mm"
gravity = [0, "-9.81 m/s2"]
[output]
checkpoint_every = "2 ms"
[[material]]
name = "gel"
young = "5 MPa"
poisson = 0.4
density = 1100
[[material]]
name = "granite"
young = "50 GPa"
poisson = 0.2
density = 2700
[[body]]
name = "gel"
material = "gel"
[[body]]
name = "rock"
material = "granite"
[[rigid]]
name = "floor"
shape = "line"
from = ["-1 m", 0]
to = ["1 m", 0]
[[contact]]
contactor = "all"
opposite = "all"
friction = 0.4
`)
	must := func(args ...string) string {
		t.Helper()
		status, stdout, stderr := command(args...)
		if status != 0 {
			t.Fatalf("%v: %s", args, stderr)
		}
		return stdout
	}
	must("mesh", in("stack.shapes.toml"))
	said := must("check", in("stack.toml"))
	for _, want := range []string{
		`contact "all-all.gel-granite"`, "k = 4e+09 Pa/m (auto, from the softer side's 5e+06 Pa and the finer edges' 2.5 mm)",
		"deflection 1.25e-06 m at 5e+03 Pa, a thousandth of the softer side's modulus: 0.0005 of the finer edge; step ",
		`contact "all-all.granite-rigid"`, "k = 2e+13 Pa/m",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("check does not say %q:\n%s", want, said)
		}
	}
	must("run", in("stack.toml"), "--quiet")
	read := func(path ...string) string {
		data, err := os.ReadFile(filepath.Join(append([]string{dir}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	whole := read("stack.out", "history.csv")
	if head, _, _ := strings.Cut(whole, "\n"); !strings.HasSuffix(head, ",all-all.normal,all-all.tangential,all-all.fx,all-all.fy,floor.fx,floor.fy,floor.moment,all-all.moment") || strings.Count(head, ".normal") != 1 {
		t.Errorf("the columns are %s", head)
	}
	checkpoints, err := filepath.Glob(in("stack.out/checkpoints/*.ckpt"))
	if err != nil || len(checkpoints) < 3 {
		t.Fatalf("%d checkpoints: %v", len(checkpoints), err)
	}
	for _, path := range checkpoints[1:] {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	must("resume", in("stack.out"), "--quiet")
	if read("stack.out", "history.csv") != whole {
		t.Error("a resumed run ends otherwise")
	}
	if log := read("stack.out", "log.txt"); !strings.Contains(log, "contact all-all.gel-rigid: k = 4e+09 Pa/m (auto") {
		t.Errorf("the log does not say k:\n%s", log)
	}
	var sum results.Summary
	if err := json.Unmarshal([]byte(read("stack.out", "summary.json")), &sum); err != nil {
		t.Fatal(err)
	}
	if len(sum.Contacts) != 1 || sum.Contacts[0].Name != "all-all" || !(sum.Contacts[0].PeakForce > 0) || sum.Contacts[0].Stiffness < 1.9e13 {
		t.Errorf("contacts %+v", sum.Contacts)
	}
}
