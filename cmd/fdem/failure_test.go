package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fdem/io/checkpoint"
	"fdem/io/history"
	"fdem/io/vtk"
)

// A run that fails physically says what failed, where and when. It writes the bad state to be
// looked at, and names the last checkpoint, from which it would fail in the same way.
func TestPhysicsGoneWrong(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           string // what and where
	}{
		{"inverted element", "[[probe]]", "[[load]]\non = \"middle\"\nforce = [\"-3e6 N\", 0.0]\n[[probe]]", `triangle \d+ .*\(\S+, \S+\) m`},
		{"value that is no number", "[[probe]]", "[[load]]\non = \"middle\"\nforce = [\"1e35 * t\", 0.0]\n[[probe]]", `(triangle \d+ .*|no longer finite numbers, first node \d+ at )\(\S+, \S+\) m`},
		{"energy past its limit", "thickness", "residual_limit = 1e-9\nstep = \"1 ns\"\nthickness", `energy residual is \S+ of .* the limit is 1e-09; fastest is node \d+ at \(\S+, \S+\) m`},
		{"contact node too deep", `k = "1e14 Pa/m"`, `k = "1e6 Pa/m"`, `contact "right-left": a contact node at \(\S+, \S+\) m is \S+ m deep`},
		{"step that collapses", `k = "1e14 Pa/m"`, `k = "1e22 Pa/m"`, `stable step has fallen to \S+ s, .* because of contact at node \d+ at \(\S+, \S+\) m`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(small, c.old, c.new, 1)
			if c.name == "contact node too deep" {
				text = strings.Replace(strings.Replace(text, "1 m/s", "50 m/s", 1), "2 us", "40 us", 1)
			}
			dir := model(t, text, smallMesh)
			out := filepath.Join(dir, "small.out")
			status, _, stderr := command("run", filepath.Join(dir, "small.toml"), "-q")
			if status != 1 || strings.Count(stderr, "\n") != 1 {
				t.Fatalf("exit status %d: %s", status, stderr)
			}
			if !regexp.MustCompile(c.want).MatchString(stderr) || !regexp.MustCompile(`step \d+, t = \S+ s`).MatchString(stderr) {
				t.Errorf("the message is\n%s", stderr)
			}
			said := regexp.MustCompile(`the bad state is in (\S+); the last checkpoint is (\S+), t = `).FindStringSubmatch(stderr)
			if said == nil {
				t.Fatalf("the message does not say where to look:\n%s", stderr)
			}
			if f, err := vtk.Open(said[1]); err != nil {
				t.Error(err)
			} else if _, err := f.PointData("displacement"); err != nil {
				t.Error(err)
			}
			if f, err := checkpoint.Open(said[2]); err != nil || filepath.Dir(f.Path) != filepath.Join(out, "checkpoints") {
				t.Errorf("%v, %v", f, err)
			}
			var sum struct{ Status, Error string }
			data, err := os.ReadFile(filepath.Join(out, "summary.json"))
			if err == nil {
				err = json.Unmarshal(data, &sum)
			}
			if err != nil || sum.Status != "failed" || sum.Error == "" {
				t.Errorf("summary %+v, %v", sum, err)
			}
			what := regexp.MustCompile(`(step \d+, t = \S+ s.*); the bad state`).FindString(stderr)
			if again, _, message := command("resume", out, "-q"); again != 1 || !strings.Contains(message, what) {
				t.Errorf("resumed: exit status %d, %s", again, message)
			}
		})
	}
}

// A load whose expression has no value after the deck's end is named.
func TestLoadWithoutAValue(t *testing.T) {
	dir := model(t, strings.Replace(small, "[[probe]]", "[[load]]\non = \"middle\"\nforce = [\"sqrt(2.1e-6 - t)\", 0.0]\n[[probe]]", 1), smallMesh)
	status, _, stderr := command("run", filepath.Join(dir, "small.toml"), "--until", "3 us", "-q")
	if status != 1 || !regexp.MustCompile(`step \d+, t = 2\.1\d*e-06 s: load "middle": force = "sqrt\(2\.1e-6 - t\)" has no finite value at t = 2\.1\d*e-06 s: .*; the bad state is in`).MatchString(stderr) {
		t.Errorf("exit status %d: %s", status, stderr)
	}
}

// A branch keeps the results so far, has its own deck, and leaves the run it
// came from alone.
func TestBranch(t *testing.T) {
	out := finished(t)
	before := copyTree(t, out)
	for _, path := range list(t, out)[:1] { // from the one before the last
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	start := list(t, out)[0]
	f, err := checkpoint.Open(start)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "branch.out")
	succeed(t, "resume", out, "-o", to, "--set", "contact.right-left.friction=0.3", "--set", "analysis.step=0.5 ns")
	deckText, err := os.ReadFile(filepath.Join(to, "deck.toml"))
	if err != nil || !strings.Contains(string(deckText), "friction = 0.3") || !strings.Contains(string(deckText), `step = "0.5 ns"`) {
		t.Errorf("%v, the deck is\n%s", err, deckText)
	}
	was, err := os.ReadFile(filepath.Join(before, "history.csv"))
	if err != nil {
		t.Fatal(err)
	}
	is, err := os.ReadFile(filepath.Join(to, "history.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if n := f.Results.History; string(is[:n]) != string(was[:n]) || string(is) == string(was) {
		t.Error("the branch's history does not differ from that of the run after the checkpoint")
	}
	if status, _, stderr := command("resume", to, "-q"); status != 0 {
		t.Errorf("the branch cannot be resumed: %s", stderr)
	}
	after, err := os.ReadFile(filepath.Join(out, "history.csv"))
	if err != nil || string(after) != string(was) {
		t.Errorf("the run's history has changed, %v", err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--set", "analysis.step=1 ns"}, "goes with -o"},
		{[]string{"-o", to}, "exists"},
		{[]string{"-o", to + "2", "--set", "law.stiff.k=1"}, "may not change"},
		{[]string{"-o", to + "2", "--set", "analysis.step=1 kg"}, "expected a time"},
		{[]string{"-o", to + "2", "--set", "contact.right-left.friction=-1"}, "must not be negative"},
		{[]string{"--threads", "-1"}, "--threads"},
	} {
		status, _, stderr := command(append([]string{"resume", out}, c.args...)...)
		if status != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit status %d, %s", c.args, status, stderr)
		}
		if _, err := os.Stat(to + "2"); err == nil {
			t.Fatalf("%v: the branch's folder was made", c.args)
		}
	}
}

// A branch of a run with light damping has it, too. It acts under weight, and without weight only
// where something slides.
func TestBranchKeepsLightDamping(t *testing.T) {
	for _, gravity := range []string{"[0, -1e5]", "[0, 0]"} {
		slow := strings.Replace(small, `"1 m/s"`, `"0.1 m/s"`, 1) // an impact would use up the energy that it may dissipate
		dir := model(t, strings.Replace(slow, "[output]", "gravity = "+gravity+"\n[output]", 1), smallMesh)
		out, to := filepath.Join(dir, "small.out"), filepath.Join(dir, "branch.out")
		succeed(t, "run", filepath.Join(dir, "small.toml"), "-q")
		for g, light := range map[string]bool{"[0, 0]": false, "[0, -1e5]": true} {
			succeed(t, "resume", out, "-o", to+g, "--set", "analysis.gravity="+g, "--set", "analysis.duration=3 us", "-q")
			h, err := history.Read(filepath.Join(to+g, "history.csv"))
			if err != nil {
				t.Fatal(err)
			}
			k := slices.Index(h.Columns, "damping_dissipated")
			if last := h.Rows[len(h.Rows)-1]; light != (last[k] > h.Rows[len(h.Rows)-3][k]) {
				t.Errorf("a run under gravity %s, gone on with under %s: damping takes %g J", gravity, g, last[k])
			}
		}
	}
}

// A branch may have another material, gravity, supports and end: the energy that the change adds to
// the state is external work, and the ledger continues.
func TestBranchWithAnotherModel(t *testing.T) {
	dir := model(t, small, smallMesh)
	out := filepath.Join(dir, "small.out")
	succeed(t, "run", filepath.Join(dir, "small.toml"), "-q")
	last := func(dir string, row int) map[string]float64 {
		h, err := history.Read(filepath.Join(dir, "history.csv"))
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]float64{"rows": float64(len(h.Rows))}
		for i, c := range h.Columns {
			values[c] = h.Rows[row][i]
		}
		return values
	}
	was := last(out, 10) // the last row, of which the branch makes its own
	total := func(row map[string]float64) float64 {
		return row["kinetic"] + row["strain"] + row["contact_stored"] + row["contact_dissipated"] + row["friction_dissipated"] + row["damping_dissipated"] - row["step_energy"]
	}
	for _, c := range []struct {
		set       string
		low, high float64 // bounds of the work that the change does
	}{
		{"material.steel.young=420 GPa", was["strain"], 2 * was["strain"]},
		{"material.steel.density=3930", -0.5 * was["kinetic"], -0.4 * was["kinetic"]},
		{"analysis.gravity=[0, -1e5]", -1e-2 * was["kinetic"], 1e-2 * was["kinetic"]},
		{"fix.clamp.components=[\"x\"]", -1e-2 * was["kinetic"], 1e-2 * was["kinetic"]},
	} {
		to := filepath.Join(dir, "branch.out")
		if status, _, stderr := command("resume", out, "-o", to, "--set", c.set, "--set", "analysis.duration=3 us"); status != 0 {
			t.Fatalf("%s: %s", c.set, stderr)
		}
		at, end := last(to, 10), last(to, 15)
		if end["time"] != 3e-6 || end["rows"] != 16 {
			t.Errorf("%s: the branch ends at %g s with %g rows", c.set, end["time"], end["rows"])
		}
		if math.Abs(at["residual"]-was["residual"]) > 1e-12*was["kinetic"] {
			t.Errorf("%s: the residual leaps from %g to %g J", c.set, was["residual"], at["residual"])
		}
		work := at["external_work"] - was["external_work"]
		if gained := total(at) - total(was); math.Abs(work-gained) > 1e-12*was["kinetic"] || work < c.low || work > c.high {
			t.Errorf("%s: the change does the work %g J, the state gains %g J, want %g to %g", c.set, work, gained, c.low, c.high)
		}
		if math.Abs(end["residual"]) > 0.05*was["kinetic"] {
			t.Errorf("%s: residual %g J of %g J", c.set, end["residual"], was["kinetic"])
		}
		if status, _, stderr := command("resume", to, "-q", "--until", "3.1 us"); status != 0 {
			t.Errorf("%s: the branch cannot be resumed: %s", c.set, stderr)
		}
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
	}
	for set, want := range map[string]string{
		"analysis.duration=1 us":         "--set analysis.duration must not be before",
		"material.steel.young=0":         "young must be positive",
		"material.brass.young=1":         `no [[material]] "brass"`,
		"fix.clamp.components=[\"z\"]":   "components must be",
		"analysis.thickness=1":           "may not change",
		"material.steel.name=\"brass\"":  "may not change",
		"analysis.duration=\"3 parsec\"": "unknown unit",
	} {
		status, _, stderr := command("resume", out, "-o", filepath.Join(dir, "b2"), "--set", set)
		if status != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit status %d, %s", set, status, stderr)
		}
		if _, err := os.Stat(filepath.Join(dir, "b2")); err == nil {
			t.Fatalf("%s: the branch's folder was made", set)
		}
	}
}

// info tells what a checkpoint holds and which a folder has.
func TestInfoOfCheckpoints(t *testing.T) {
	out := finished(t)
	path := list(t, out)[0]
	if status, stdout, stderr := command("info", path); status != 0 || !strings.Contains(stdout, "step 2000, t = 2e-06 s") || !strings.Contains(stdout, "positions") || !strings.Contains(stdout, "checksum good") {
		t.Errorf("exit status %d: %s%s", status, stdout, stderr)
	}
	if status, stdout, _ := command("info", out); status != 0 || !strings.Contains(stdout, filepath.Base(path)) {
		t.Errorf("exit status %d: %s", status, stdout)
	}
	if err := os.Remove(filepath.Join(out, "summary.json")); err != nil {
		t.Fatal(err)
	}
	if status, stdout, _ := command("info", out); status != 0 || !strings.Contains(stdout, "has not ended") {
		t.Errorf("without a summary: exit status %d: %s", status, stdout)
	}
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := command("info", path); status != 2 || !strings.Contains(stderr, "damaged") {
		t.Errorf("cut: exit status %d: %s", status, stderr)
	}
}

// A static analysis that finds no balance writes the bad state and the last balance to be looked
// at, and keeps the checkpoint before the increment.
func TestNoBalance(t *testing.T) {
	for force, reason := range map[string]string{"3e7 N": "(the iterations ran out|triangle .*)", "abs(1000*t - round(1000*t)) > 1e-6 ? 1e300 : 0": "forces are no longer finite numbers"} { // between the instants at which the reader looks
		text := "[analysis]\ntype = \"static\"\nincrements = 30\nthickness = \"10 mm\"\n" + small[strings.Index(small, "[[material]]"):strings.Index(small, "[[law]]")]
		text = strings.Replace(text, "velocity = [\"1 m/s\", 0.0]\n", "", 1) + "[[fix]]\non = \"middle\"\ncomponents = [\"x\", \"y\"]\n[[load]]\non = \"right\"\nforce = [\"" + force + "\", 0.0]\n"
		dir := model(t, text, smallMesh)
		out := filepath.Join(dir, "small.out")
		status, _, stderr := command("run", filepath.Join(dir, "small.toml"), "-q")
		said := regexp.MustCompile(`no balance after t = \S+ s: .* \(` + reason + `\)(?:; furthest from it: node \d+ at \(\S+, \S+\) m.*|); the bad state is in (\S+), the last state in equilibrium in the frame before; the last checkpoint is (\S+), t = (\S+) s\n$`).FindStringSubmatch(stderr)
		if status != 1 || said == nil {
			t.Fatalf("exit status %d: %s", status, stderr)
		}
		if !strings.Contains(stderr, "; furthest from it: node ") && !strings.Contains(stderr, "is turned inside out") { // a triangle says where
			t.Errorf("nothing says where: %s", stderr)
		}
		said = said[len(said)-4:] // behind what the reason may hold
		bad, err := vtk.Open(said[1])
		if err != nil {
			t.Fatal(err)
		}
		frames, err := vtk.ReadSeries(filepath.Join(out, "fields.pvd"))
		if err != nil || len(frames) < 2 || filepath.Base(frames[len(frames)-1].File) != filepath.Base(said[1]) {
			t.Fatalf("frames %v, %v", frames, err)
		}
		balance, err := vtk.Open(filepath.Join(out, frames[len(frames)-2].File))
		if err != nil {
			t.Fatal(err)
		}
		a, err := bad.PointData("displacement")
		if err != nil {
			t.Error(err)
		}
		b, err := balance.PointData("displacement")
		moved := !reflect.DeepEqual(a.Float64, b.Float64) // not where the forces failed at once
		if err != nil || moved != (force == "3e7 N") || frames[len(frames)-1].Time <= frames[len(frames)-2].Time {
			t.Errorf("the bad state is the last balance: %v", err)
		}
		f, err := checkpoint.Open(said[2])
		if err != nil {
			t.Fatal(err)
		}
		if at := frames[len(frames)-2].Time; f.Time != at || said[3] != fmt.Sprintf("%.6g", at) {
			t.Errorf("the checkpoint is of t = %g s, the last balance of %g s", f.Time, at)
		}
		if again, _, message := command("resume", out, "-q"); again != 1 || !strings.Contains(message, "no balance after t = "+fmt.Sprintf("%.6g", f.Time)+" s") {
			t.Errorf("resumed: exit status %d, %s", again, message)
		}
	}
}

// A run that ends with more than 1 % of its energy made or lost says so in its
// last lines and in the log, with what to do; one that keeps it does not.
func TestOpenLedgerWarns(t *testing.T) {
	bodies := small[strings.Index(small, "[[material]]"):strings.Index(small, "[[law]]")]
	static := "[analysis]\ntype = \"static\"\nthickness = \"10 mm\"\n" + strings.Replace(bodies, "velocity = [\"1 m/s\", 0.0]\n", "", 1) +
		"[[fix]]\non = \"middle\"\ncomponents = [\"x\", \"y\"]\n[[load]]\non = \"right\"\nforce = [\"1 kN\", 0.0]\n"
	moving := "[analysis]\nduration = \"2 us\"\nresidual_limit = 10\nthickness = \"10 mm\"\n" + bodies + "[[fix]]\non = \"middle\"\ncomponents = [\"x\", \"y\"]\n" +
		"[[law]]\nname = \"soft\"\nmodel = \"linear\"\nk = 1e6\n[[contact]]\ncontactor = \"right\"\nopposite = \"left\"\nlaw = \"soft\"\n" // elastic: the swing of leapfrog counts
	for _, c := range []struct{ name, text, advice string }{
		{"kept", static, ""},
		{"let go again", strings.Replace(static, "thickness", "increments = 2\nthickness", 1) + "schedule = [[0, 0], [0.5, 1], [1, 0]]\n", ""},
		{"automatic step", strings.Replace(moving, "thickness", "safety = 1\nthickness", 1), "take a smaller safety than 1;"},
		{"fixed step", strings.Replace(moving, "thickness", "step = \"50 ns\"\nthickness", 1), "take a smaller step;"},
	} {
		dir := model(t, c.text, smallMesh)
		status, _, stderr := command("run", filepath.Join(dir, "small.toml"))
		if status != 0 {
			t.Fatalf("%s: exit status %d: %s", c.name, status, stderr)
		}
		var sum struct {
			Energy struct {
				Residual float64 `json:"residual_relative"`
			}
		}
		data, err := os.ReadFile(filepath.Join(dir, "small.out", "summary.json"))
		if err == nil {
			err = json.Unmarshal(data, &sum)
		}
		if err != nil {
			t.Fatal(err)
		}
		log, err := os.ReadFile(filepath.Join(dir, "small.out", "log.txt"))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: residual %g", c.name, sum.Energy.Residual)
		want := fmt.Sprintf("warning: the energy residual is %.2g %% of ", 100*sum.Energy.Residual)
		for _, text := range []string{stderr, string(log)} {
			lines := strings.Split(strings.TrimSpace(text), "\n")
			last := lines[len(lines)-2]
			if says := strings.Contains(last, want) && strings.Contains(last, c.advice); says != (c.advice != "") || says != (sum.Energy.Residual > 0.01) {
				t.Errorf("%s: residual %g, and the last lines are\n%s\n%s", c.name, sum.Energy.Residual, last, lines[len(lines)-1])
			}
		}
	}
}

// A body that comes through the back of a rigid line, which nothing has touched before, is
// reported, with a frame of it.
func TestFromBehind(t *testing.T) {
	dir := model(t, `
[analysis]
duration = "2 ms"
[[rigid]]
name = "box"
shape = "box"
centre = [0, -0.151]
width = 0.1
height = 0.1
mass = 1
velocity = [0, 1]
[[rigid]]
name = "floor"
shape = "line"
from = [-1, 0]
to = [1, 0]
depth = 0.1
[[contact]]
contactor = "box"
opposite = "floor"
law = "penalty"
[[law]]
name = "penalty"
model = "linear"
k = 1e10
`, smallMesh)
	status, _, stderr := command("run", filepath.Join(dir, "small.toml"), "-q")
	if status != exitFailed || !strings.Contains(stderr, "has not touched before, so it came from behind") || !strings.Contains(stderr, "the bad state is in") {
		t.Errorf("exit status %d: %s", status, stderr)
	}
}
