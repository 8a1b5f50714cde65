package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fdem/io/results"
)

// Models of users that came out wrong once, whose class no other test has.

// tried writes the files of a model, makes its mesh where it has shapes, runs it and returns its results
// folder, its summary and what it says.
func tried(t *testing.T, deck, shapes string) (out string, sum results.Summary, said string) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "model.toml")
	if err := os.WriteFile(path, []byte(deck), 0o644); err != nil {
		t.Fatal(err)
	}
	if shapes != "" {
		if err := os.WriteFile(filepath.Join(dir, "model.shapes.toml"), []byte(shapes), 0o644); err != nil {
			t.Fatal(err)
		}
		succeed(t, "mesh", filepath.Join(dir, "model.shapes.toml"))
	}
	return runOf(t, path)
}

// runOf runs a deck.
func runOf(t *testing.T, path string) (out string, sum results.Summary, said string) {
	t.Helper()
	status, stdout, said := command("run", path, "--json")
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, said)
	}
	if err := json.Unmarshal([]byte(stdout), &sum); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(path, ".toml") + ".out", sum, said
}

// A rigid disc rolls on a line without loss: the dampers of a stiffness found from masses are for what
// rests. They were a rolling resistance of 2 to 3.5e-4.
func TestDiscRollsWithoutLoss(t *testing.T) {
	t.Parallel()
	for _, speed := range []float64{0.5, 2} {
		_, sum, _ := tried(t, fmt.Sprintf(`
[analysis]
duration = "0.2 s"
gravity = [0, "-9.81 m/s2"]
[output]
fields_every = 0
[[rigid]]
name = "table"
shape = "line"
from = [-10, 0]
to = [10, 0]
[[rigid]]
name = "disc"
shape = "disc"
centre = [0, "50 mm"]
radius = "50 mm"
density = 2000
velocity = [%g, 0]
angular_velocity = %g
[[contact]]
contactor = "disc"
opposite = "table"
friction = 0.5
`, speed, -20*speed), "")
		for _, b := range sum.Bodies {
			if b.Name == "disc" && !(math.Abs(b.Velocity[0]/speed-1) < 2e-5) {
				t.Errorf("%g m/s at the start, %g m/s at the end", speed, b.Velocity[0])
			}
		}
	}
}

// Rigid grains cut out of a mesh fall on a line: their corners meet edges and corners of others, and no
// contact gives energy. It dissipated -1.4 of 437 J, whatever the step.
func TestRubbleGivesNothing(t *testing.T) {
	t.Parallel()
	_, sum, _ := tried(t, `
mesh = "model.msh"
[analysis]
duration = "0.2 s"
gravity = [0, -9.81]
[output]
fields_every = 0
[[rigid]]
name = "rubble"
shape = "polygon"
on = "rock"
parted_by = "seams"
density = "2500 kg/m3"
[[rigid]]
name = "floor"
shape = "line"
from = [-3, -0.05]
to = [3, -0.05]
[[contact]]
contactor = "all"
opposite = "all"
`, `edge = "50 mm"
[[rectangle]]
name = "rock"
from = [0, 0]
to = ["0.6 m", "0.6 m"]
[[grains]]
name = "seams"
in = "rock"
size = "0.15 m"
even = 3
seed = 2
`)
	lost := sum.Energy.ContactDissipated.End
	if most := sum.Energy.ExternalWork.End; !(most > 300) || !(lost > -1e-4*most) || !(sum.Energy.ResidualRelative < 5e-4) {
		t.Errorf("contact has dissipated %g J of %g J, residual %g", lost, most, sum.Energy.ResidualRelative)
	}
}

// A meshed block that overlaps a floor moves apart alike with one contact node an edge and with two. With
// one the run stopped as unstable.
func TestOverlapWithOneContactNode(t *testing.T) {
	t.Parallel()
	var moved [2]float64
	for i := range moved {
		_, sum, _ := tried(t, fmt.Sprintf(`
mesh = "model.msh"
[analysis]
duration = "2 ms"
thickness = "10 mm"
[output]
fields_every = 0
[[material]]
name = "clay"
young = "10 MPa"
poisson = 0.3
density = "2000 kg/m3"
[[body]]
name = "rock"
material = "clay"
[[rigid]]
name = "hollow"
shape = "hollow"
centre = [0, 0]
radius = "0.1 m"
[[law]]
name = "penalty"
model = "linear"
k = "0.1 GPa/mm"
[[contact]]
contactor = "rock"
opposite = "all"
nodes_per_element = %d
law = "penalty"
overlap = "allow"
overlap_ramp = "1 ms"
`, 1+i), `
[[polygon]]
name = "rock"
corners = [["-60 mm", "-80.2 mm"], ["60 mm", "-80.2 mm"], ["60 mm", "-40 mm"], ["-60 mm", "-40 mm"]]
edge = "20 mm"
`)
		moved[i] = sum.Energy.ExternalWork.End
		if !(sum.Energy.ResidualRelative < 1e-3) {
			t.Errorf("%d contact nodes: residual %g", 1+i, sum.Energy.ResidualRelative)
		}
	}
	if !(moved[0] > 0) || !(math.Abs(moved[0]/moved[1]-1) < 0.1) {
		t.Errorf("the overlap gives %g J with one node, %g J with two", moved[0], moved[1])
	}
}

// Bodies that are pressed apart break, and their contact is transferred to fragments that overlap: the
// energy that comes so is named, with the part of the residual that the last line has.
func TestTransferOfOverlapIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/trials/transfer-of-overlap")); err != nil {
		t.Fatal(err)
	}
	_, sum, said := runOf(t, filepath.Join(dir, "model.toml"))
	of := sum.Energy.TransferWork.End
	if told := fmt.Sprintf("%.2g %% of the greatest energy", 100*sum.Energy.ResidualRelative); !(of > 0.05*sum.Energy.Kinetic.Start) || !(strings.Contains(said, "handover_work") && strings.Contains(said, told)) {
		t.Errorf("%g J come by transfer, residual %g: %s", of, sum.Energy.ResidualRelative, said)
	}
}

// A run that is resumed takes the steps of one that is not, where cracks have no friction and nothing
// damps, and its summary has the energies at the start of the run: those of joints that a stress has
// charged were lost, and a flag that a resume cleared made steps shorter.
func TestResumedRunsKnowTheirStart(t *testing.T) {
	t.Parallel()
	charged := t.TempDir()
	if err := os.CopyFS(charged, os.DirFS("testdata/trials/charged-joint")); err != nil {
		t.Fatal(err)
	}
	whole, want, _ := runOf(t, filepath.Join(charged, "model.toml"))
	for _, of := range []struct {
		out  string
		want results.Summary
	}{{whole, want}, frictionless(t)} {
		history, err := os.ReadFile(filepath.Join(of.out, "history.csv"))
		if err != nil {
			t.Fatal(err)
		}
		paths := list(t, of.out)
		for _, path := range paths[:len(paths)-2] { // the newest first
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		status, stdout, said := command("resume", of.out, "--json")
		var got results.Summary
		if err := json.Unmarshal([]byte(stdout), &got); status != 0 || err != nil {
			t.Fatalf("exit status %d, %v: %s", status, err, said)
		}
		again, err := os.ReadFile(filepath.Join(of.out, "history.csv"))
		if err != nil || string(again) != string(history) || got.Steps != of.want.Steps {
			t.Errorf("%s: %v, %d steps for %d, or another history", of.out, err, got.Steps, of.want.Steps)
		}
		if g, w := got.Energy, of.want.Energy; !reflect.DeepEqual(g, w) {
			t.Errorf("energies of the resumed run are %+v, of the other %+v", g, w)
		}
	}
}

// frictionless is a run in which a body breaks whose cracks have no friction, and its summary.
func frictionless(t *testing.T) (of struct {
	out  string
	want results.Summary
}) {
	of.out, of.want, _ = tried(t, `
mesh = "model.msh"
[analysis]
duration = "4 ms"
[output]
checkpoint_every = "1 ms"
[[material]]
name = "stone"
young = "1 GPa"
poisson = 0.25
density = 2000
[[body]]
name = "low"
material = "stone"
[[body]]
name = "cap"
material = "stone"
velocity = [0, "-2 m/s"]
[[fix]]
on = "foot"
[[contact]]
contactor = "cap"
opposite = "low"
[[fracture]]
in = ["low"]
tensile_strength = "0.3 MPa"
cohesion = "0.6 MPa"
energy_tension = "20 J/m2"
energy_shear = "60 J/m2"
`, `edge = "0.25 m"
seed = 1
[[rectangle]]
name = "low"
from = [0, 0]
to = ["2 m", "1 m"]
bottom = "foot"
[[rectangle]]
name = "cap"
from = ["0.5 m", "1 m"]
to = ["1.5 m", "2 m"]
`)
	return of
}
