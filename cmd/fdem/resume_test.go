package main

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fdem/io/checkpoint"
)

// Kills of each model; .ci/run asks for 50.
var kills = flag.Int("kills", 4, "how often TestKilledAndResumed kills a run")

// program is fdem as a process of its own: the test's binary under its name.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Args = append([]string{"fdem"}, args...)
	return c
}

// copyTree copies a folder.
func copyTree(t *testing.T, from string) (to string) {
	t.Helper()
	to = filepath.Join(t.TempDir(), "copy.out")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// sameResults holds two results folders against each other, byte for byte but
// for the log and the wall clock in the summary. Of the checkpoints the newest
// counts: one before it is left out where the disk is slower than the steps.
func sameResults(t *testing.T, got, want string) {
	t.Helper()
	files := func(dir string) map[string][]byte {
		out := map[string][]byte{}
		newest := list(t, dir)[0]
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, _ := filepath.Rel(dir, path)
			if name == "log.txt" || strings.HasSuffix(name, ".dropped") || filepath.Ext(path) == ".ckpt" && path != newest {
				return nil
			}
			data, err := os.ReadFile(path)
			if name == "summary.json" {
				data = regexp.MustCompile(`"(wall_seconds|element_steps_per_second|particle_steps_per_second|search_rebuilds)": .*`).ReplaceAll(data, nil)
				data = regexp.MustCompile(`(?s)"profile": .*?"step_limits": `).ReplaceAll(data, nil)                // of this process
				data = regexp.MustCompile(`(?s)("steps": \d+),\s*"where": "[^\n]*"`).ReplaceAll(data, []byte("$1")) // of one step in 127
			}
			out[name] = data
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	a, b := files(got), files(want)
	for name, data := range b {
		if other, ok := a[name]; !ok {
			t.Errorf("%s is missing", name)
		} else if !bytes.Equal(other, data) {
			t.Errorf("%s differs: %d bytes, want %d", name, len(other), len(data))
		}
	}
	for name := range a {
		if _, ok := b[name]; !ok {
			t.Errorf("%s is too many", name)
		}
	}
}

// finished runs the small model to its end, in many steps and with
// checkpoints on the way.
func finished(t *testing.T) (out string) {
	t.Helper()
	dir := model(t, strings.Replace(small, "[output]", "step = \"1 ns\"\n[output]\ncheckpoint_every = \"0.3 us\"", 1), smallMesh)
	succeed(t, "run", filepath.Join(dir, "small.msh"), "-q")
	return filepath.Join(dir, "small.out")
}

// list returns a results folder's checkpoints, the newest first.
func list(t *testing.T, out string) []string {
	t.Helper()
	paths, err := checkpoint.List(filepath.Join(out, "checkpoints"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// A run resumed from any of its checkpoints leaves the very files of a run
// that was not interrupted.
func TestResumeLeavesTheSameFiles(t *testing.T) {
	want := finished(t)
	paths := list(t, want)
	if len(paths) < 2 || len(paths) > checkpoint.Keep {
		t.Fatalf("%d checkpoints, want at most %d", len(paths), checkpoint.Keep)
	}
	for i := range paths {
		for _, threads := range []string{"1", "2"} {
			got := copyTree(t, want)
			for _, newer := range list(t, got)[:i] {
				if err := os.Remove(newer); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Remove(filepath.Join(got, "summary.json")); err != nil {
				t.Fatal(err)
			}
			if status, _, stderr := command("resume", got, "--threads", threads); status != 0 || !strings.Contains(stderr, "continues from") {
				t.Fatalf("exit status %d: %s", status, stderr)
			}
			sameResults(t, got, want)
		}
	}
}

// A finished run can be extended. Its rows continue.
func TestResumeUntil(t *testing.T) {
	out := finished(t)
	before, err := os.ReadFile(filepath.Join(out, "history.csv"))
	if err != nil {
		t.Fatal(err)
	}
	succeed(t, "resume", out, "--until", "3 us")
	after, err := os.ReadFile(filepath.Join(out, "history.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(after, before) || bytes.Count(after, []byte("\n")) != bytes.Count(before, []byte("\n"))+5 {
		t.Errorf("the history is\n%s\nwhich does not go on from\n%s", after, before)
	}
	if status, _, stderr := command("resume", out, "--until", "1 us"); status != 2 || !strings.Contains(stderr, "must not be before") {
		t.Errorf("back in time: exit status %d, %s", status, stderr)
	}
}

// A damaged checkpoint is named and the one before taken; a folder without a
// good one is refused.
func TestResumeFallsBack(t *testing.T) {
	want := finished(t)
	got := copyTree(t, want)
	paths := list(t, got)
	for i, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		status, _, stderr := command("resume", copyTree(t, got))
		if i < len(paths)-1 && (status != 0 || !strings.Contains(stderr, filepath.Base(path)+": damaged")) {
			t.Errorf("with %d damaged: exit status %d, %s", i+1, status, stderr)
		}
		if i == len(paths)-1 && (status != 2 || !strings.Contains(stderr, "all checkpoints are damaged")) {
			t.Errorf("all damaged: exit status %d, %s", status, stderr)
		}
		if i == 0 {
			back := copyTree(t, got)
			if status, _, stderr := command("resume", back, "-q"); status != 0 {
				t.Error(stderr)
			}
			sameResults(t, back, want)
		}
	}
}

// Inputs that are not those of the checkpoint are refused, and nothing changes.
func TestResumeRefusesOtherInputs(t *testing.T) {
	want := finished(t)
	for name, message := range map[string]string{"deck.toml": "with the files that it names, has changed since", "checkpoints/mesh.msh": "mesh.msh has changed since", "history.csv": "but the checkpoint was written after"} {
		got := copyTree(t, want)
		path := filepath.Join(got, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data[:len(data)/2], 0o644); err != nil {
			t.Fatal(err)
		}
		before := copyTree(t, got)
		if status, _, stderr := command("resume", got); status != 2 || !strings.Contains(stderr, message) {
			t.Errorf("%s: exit status %d, %s", name, status, stderr)
		}
		sameResults(t, got, before)
	}
	if status, _, stderr := command("resume", t.TempDir()); status != 2 || !strings.Contains(stderr, "there is no checkpoint") {
		t.Errorf("exit status %d, %s", status, stderr)
	}
}

// A history that lacks a row is not continued, and a folder or link with the name of a checkpoint
// is ignored.
func TestResumeOfMeddledFolders(t *testing.T) {
	want := finished(t)
	got := copyTree(t, want)
	path := filepath.Join(got, "history.csv")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := bytes.SplitAfter(data, []byte("\n"))
	if err := os.WriteFile(path, bytes.Join(slices.Delete(rows, 2, 3), nil), 0o644); err != nil {
		t.Fatal(err)
	}
	before := copyTree(t, got)
	if status, _, stderr := command("resume", got); status != 2 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "history.csv: ") {
		t.Errorf("a row less: exit status %d: %s", status, stderr)
	}
	sameResults(t, got, before)
	got = copyTree(t, want)
	folder := filepath.Join(got, "checkpoints")
	if err := os.Mkdir(filepath.Join(folder, checkpoint.Name(99999)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(folder, checkpoint.Name(99998))); err != nil {
		t.Log(err)
	}
	if status, _, stderr := command("resume", got, "-q"); status != 0 {
		t.Errorf("exit status %d: %s", status, stderr)
	}
}

// Particles come from a file beside the deck: the results keep it, and a
// branch takes it along.
func TestResumeNeedsNothingElse(t *testing.T) {
	const balls = `
[analysis]
duration = "1 ms"
step = "0.5 us"
gravity = [0.0, -9.81]
[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = "7860 kg/m3"
[[particle]]
name = "balls"
material = "steel"
radius = "5 mm"
file = "balls.csv"
velocity = [0.0, "-1 m/s"]
[[rigid]]
name = "floor"
shape = "line"
from = ["-50 mm", 0.0]
to = ["50 mm", 0.0]
[[law]]
name = "hertz"
model = "hertz"
modulus = "115 GPa"
[[interaction]]
law = "hertz"
`
	dir := t.TempDir()
	for name, text := range map[string]string{"balls.toml": balls, "balls.csv": "x,y\n0,0.0052\n0.02,0.0055\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	succeed(t, "run", filepath.Join(dir, "balls.toml"), "-q")
	out := filepath.Join(dir, "balls.out")
	for _, name := range []string{"balls.toml", "balls.csv"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	got := copyTree(t, out)
	if err := os.Remove(list(t, got)[0]); err != nil {
		t.Fatal(err)
	}
	succeed(t, "resume", got, "-q")
	sameResults(t, got, out)
	to := filepath.Join(dir, "branch.out")
	succeed(t, "resume", out, "-o", to, "--until", "1.1 ms", "-q")
	succeed(t, "resume", to, "-q")
}

// A folder of a run that was killed before it had written anything can be used
// again; one that holds something else cannot.
func TestFoldersOfUnbegunRuns(t *testing.T) {
	dir := model(t, small, smallMesh)
	path, out := filepath.Join(dir, "small.msh"), filepath.Join(dir, "small.out")
	for _, made := range [][]string{{".lock"}, {".lock", "fields/"}, {".lock", "fields/", "contact/", "checkpoints/", "deck.toml"}} {
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
		for _, name := range made {
			var err error
			if strings.HasSuffix(name, "/") {
				err = os.MkdirAll(filepath.Join(out, name), 0o755)
			} else if err = os.MkdirAll(out, 0o755); err == nil {
				err = os.WriteFile(filepath.Join(out, name), nil, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if status, _, stderr := command("run", path, "-q", "--force"); status != 0 {
			t.Errorf("%v: exit status %d: %s", made, status, stderr)
		}
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "deck.toml"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := command("run", path, "-o", other, "--force"); status != 2 || !strings.Contains(stderr, "is not a results folder") {
		t.Errorf("exit status %d: %s", status, stderr)
	}
}

// Killed at random moments and resumed each time, the elastic collision and a
// beam that is breaking leave the very files of an undisturbed run.
func TestKilledAndResumed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	of := func(key string) *regexp.Regexp { return regexp.MustCompile(`(?m)^` + key + ` = .*$`) }
	t.Run("collision", func(t *testing.T) {
		t.Parallel()
		const example = "../../examples/elastic-collision/elastic-collision"
		deck, err := os.ReadFile(example + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		mesh, err := os.ReadFile(example + ".msh")
		if err != nil {
			t.Fatal(err)
		}
		text := of("checkpoint_every").ReplaceAllString(string(deck), `checkpoint_every = "1 us"`)
		if *kills < 50 { // a part of it
			text = of("duration").ReplaceAllString(text, `duration = "15 us"`)
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "elastic-collision.toml")
		for name, data := range map[string][]byte{path: []byte(text), filepath.Join(dir, "elastic-collision.msh"): mesh} {
			if err := os.WriteFile(name, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		killAndResume(t, dir, path)
	})
	t.Run("cracks", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		succeed(t, "new", "--template", "fracture", filepath.Join(dir, "beam"))
		path := filepath.Join(dir, "beam", "beam.toml")
		deck, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := of("history_every").ReplaceAllString(string(deck), "history_every = \"2 us\"\ncheckpoint_every = \"2 us\"")
		text = of("duration").ReplaceAllString(text, `duration = "600 us"`) // most cracks open from 20 to 300 us
		if *kills < 50 {
			text = of("duration").ReplaceAllString(text, `duration = "150 us"`)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		killAndResume(t, dir, path)
	})
}

// killAndResume runs a deck as a whole and, in the same folder dir, killed again
// and again.
func killAndResume(t *testing.T, dir, path string) {
	t.Helper()
	want, got := filepath.Join(dir, "whole.out"), filepath.Join(dir, "killed.out")
	began := time.Now()
	if out, err := program(t, "run", path, "-o", want, "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := time.Since(began)
	rng := rand.New(rand.NewSource(1))
	args := []string{"run", path, "-o", got, "-q", "--force"}
	killed, resumed := 0, 0
	for killed < *kills {
		c := program(t, args...)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100*time.Millisecond + time.Duration(rng.Int63n(int64(3*whole)/int64(*kills))))
		_ = c.Process.Kill()
		err := c.Wait()
		var exit *exec.ExitError
		switch {
		case err == nil: // faster than the kill: once more from the start
			args = []string{"run", path, "-o", got, "-q", "--force"}
			continue
		case !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL:
			t.Fatalf("%v: %v: %s", args, err, stderr.String())
		}
		killed++
		if len(list0(got)) > 0 {
			args = []string{"resume", got, "-q"}
			resumed++
		}
	}
	if out, err := program(t, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("killed %d times, resumed %d times; a whole run takes %v", killed, resumed, whole.Round(time.Millisecond))
	sameResults(t, got, want)
}

// list0 returns the checkpoints of a folder that need not exist.
func list0(out string) []string {
	paths, _ := checkpoint.List(filepath.Join(out, "checkpoints"))
	return paths
}
