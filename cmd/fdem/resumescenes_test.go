package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// resumedModels are decks whose runs depended on what a checkpoint did not hold, each with what was
// lost. checkpoint_every leaves two checkpoints before the end.
var resumedModels = []struct{ name, deck, shapes string }{
	{"cracks without friction shorten the steps, in a deck without a damping key", `
mesh = "small.msh"
analysis = { duration = "4 ms" }
output = { checkpoint_every = "1.7 ms" }
material = [{ name = "stone", young = "1 GPa", poisson = 0.25, density = 2000 }]
body = [{ name = "low", material = "stone" }, { name = "cap", material = "stone", velocity = [0, "-2 m/s"] }]
fix = [{ on = "foot" }]
contact = [{ contactor = "cap", opposite = "low" }]
fracture = [{ in = ["low"], tensile_strength = "0.3 MPa", cohesion = "0.6 MPa", energy_tension = "20 J/m2", energy_shear = "60 J/m2" }]
`, `
edge = "0.25 m"
seed = 1
rectangle = [{ name = "low", from = [0, 0], to = [2, 1], bottom = "foot" }, { name = "cap", from = [0.5, 1], to = [1.5, 2] }]
`},
	{"a joint holds energy at the start", `
mesh = "small.msh"
analysis = { duration = "2 ms", plane = "strain" }
output = { checkpoint_every = "0.9 ms" }
material = [{ name = "stone", young = "1 GPa", poisson = 0.25, density = 2000 }]
body = [{ name = "left", material = "stone" }, { name = "right", material = "stone", velocity = [0, "0.1 m/s"] }]
fix = [{ on = "foot" }]
joint = [{ on = "seam", friction = 0.6, normal_stiffness = "50 GPa/m", shear_stiffness = "20 GPa/m" }]
initial_stress = [{ stress = ["-1 MPa", "-1 MPa", 0] }]
`, `
edge = "0.25 m"
join = ["left", "right"]
rectangle = [{ name = "left", from = [0, 0], to = [1, 1], bottom = "foot", right = "seam" }, { name = "right", from = [1, 0], to = [2, 1] }]
`},
	{"excavated cells have flowed, and their contact no longer limits the step", `
mesh = "small.msh"
analysis = { duration = "4 ms", plane = "strain", gravity = [0, -9.81] }
output = { checkpoint_every = "1.5 ms" }
material = [{ name = "metal", young = "1 GPa", poisson = 0.25, density = 2600, law = "johnson-cook", a = "0.1 MPa", heat_capacity = 400, melting = 1300 }]
body = [{ name = "left", material = "metal", velocity = [1.0, 0.2] }, { name = "right", material = "metal" }]
fix = [{ on = "wall" }, { on = "end" }]
contact = [{ contactor = "left", opposite = "right" }]
excavate = [{ in = ["right"], time = "1.2 ms", ramp = "0.5 ms" }]
`, `
edge = "0.2 m"
rectangle = [{ name = "left", from = [0, 0], to = [2, 1], left = "wall" }, { name = "right", from = [2, 0], to = [3, 1], right = "end" }]
`},
}

// Whatever decides a step, or is shown, is in a checkpoint: a run resumed from any leaves the very
// files of a run that was not interrupted.
func TestResumedModelsLeaveTheSameFiles(t *testing.T) {
	for _, c := range resumedModels {
		t.Run(c.name, func(t *testing.T) {
			dir := model(t, c.deck, "")
			shapes := filepath.Join(dir, "small.shapes.toml")
			if err := os.WriteFile(shapes, []byte(c.shapes), 0o644); err != nil {
				t.Fatal(err)
			}
			succeed(t, "mesh", shapes, "--force")
			succeed(t, "run", filepath.Join(dir, "small.toml"), "-q")
			want := filepath.Join(dir, "small.out")
			paths := list(t, want)
			if len(paths) < 2 {
				t.Fatalf("%d checkpoints", len(paths))
			}
			for i := range paths {
				got := copyTree(t, want)
				for _, newer := range list(t, got)[:i] {
					if err := os.Remove(newer); err != nil {
						t.Fatal(err)
					}
				}
				succeed(t, "resume", got, "-q")
				sameResults(t, got, want)
			}
		})
	}
}

// Frames before the checkpoint that are no longer there are told, and the run goes on.
func TestResumeTellsOfMissingFrames(t *testing.T) {
	out := finished(t)
	if err := os.Remove(filepath.Join(out, "fields", "000000.vtu")); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := command("resume", out)
	if want := "1 of the 2 frames in " + filepath.Join(out, "fields.pvd") + " are missing, the first of them fields/000000.vtu"; status != 0 || !strings.Contains(stderr, want) {
		t.Errorf("exit status %d, want %q in\n%s", status, want, stderr)
	}
}
