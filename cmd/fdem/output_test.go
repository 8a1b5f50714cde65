package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fdem/io/history"
	"fdem/io/vtk"
)

// weight returns how many bytes the frames and the history of a results folder
// have.
func weight(t *testing.T, dir string) float64 {
	t.Helper()
	sum := 0.0
	for _, pattern := range []string{"fields/*", "contact/*", "cracks/*", "fragment_contact/*", "springs/*", "particles/*", "history.csv"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			info, err := os.Stat(p)
			if err != nil {
				t.Fatal(err)
			}
			sum += float64(info.Size())
		}
	}
	return sum
}

// count returns the number of files of a pattern.
func count(t *testing.T, pattern ...string) int {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil {
		t.Fatal(err)
	}
	return len(paths)
}

// [output] chooses fields, their precision and how often contact nodes are
// written; a run that is stopped and resumed writes the same.
func TestOutputIsChosen(t *testing.T) {
	text := strings.NewReplacer("[output]", "step = \"10 ns\"\n[output]", `fields_every = "1 us"`, "fields_every = \"0.5 us\"\ncontact_every = \"0.1 us\"\nfields = [\"velocity\", \"von_mises\"]\nprecision = \"single\"\ncheckpoint_every = \"0.7 us\"").Replace(small)
	dir := model(t, text, smallMesh)
	path, out := filepath.Join(dir, "small.toml"), filepath.Join(dir, "small.out")
	succeed(t, "run", path, "-q")
	if fields, contact := count(t, out, "fields", "*.vtu"), count(t, out, "contact", "*.vtp"); fields != 5 || contact != 21 {
		t.Errorf("%d frames and %d of contact nodes, want 5 and 21", fields, contact)
	}
	frame := filepath.Join(out, "fields", "000003.vtu")
	f, _ := openFrame(t, frame)
	said, arrays := "", append(f.PointArrays(), f.CellArrays()...)
	for _, a := range arrays {
		said += a.Name + " " + a.Type + ", "
	}
	if said != "displacement Float32, velocity Float32, node_id Int64, von_mises Float32, body_id Int32, material_id Int32, element_id Int64, " {
		t.Errorf("a frame holds %s", said)
	}
	// the same numbers as in double precision, to seven digits
	double := filepath.Join(dir, "double.out")
	if err := os.WriteFile(path, []byte(strings.Replace(text, `precision = "single"`, "", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	succeed(t, "run", path, "-o", double, "-q")
	other, _ := openFrame(t, filepath.Join(double, "fields", "000003.vtu"))
	for _, a := range arrays {
		want := array(t, other, a.Name).Float64
		for i, v := range array(t, f, a.Name).Float64 {
			if float32(v) != float32(want[i]) {
				t.Errorf("%s %d is %g, want %g", a.Name, i, v, want[i])
			}
		}
	}
	// from every checkpoint on
	succeed(t, "resume", double, "-o", filepath.Join(dir, "branch.out"), "--until", "3 us", "-q")
	whole := filepath.Join(dir, "whole.out")
	succeed(t, "run", path, "-o", whole, "--until", "3 us", "-q")
	branch, err := vtk.ReadSeries(filepath.Join(dir, "branch.out", "contact.pvd"))
	if err != nil {
		t.Fatal(err)
	}
	straight, err := vtk.ReadSeries(filepath.Join(whole, "contact.pvd"))
	if err != nil {
		t.Fatal(err)
	}
	if len(branch) != 31 || len(straight) != 31 {
		t.Fatalf("%d frames of contact nodes in a branch, %d without", len(branch), len(straight))
	}
	for i := range branch {
		if math.Abs(branch[i].Time-straight[i].Time) > 1e-8 || branch[i].File != straight[i].File {
			t.Errorf("frame %d is %+v in a branch, %+v without", i, branch[i], straight[i])
		}
	}
	for _, bad := range []struct{ key, says string }{
		{`fields = ["stres"]`, `did you mean "stress"?`}, {`fields = "stres"`, `did you mean "stress"?`}, {`fields = 3`, "must be a name in quotes or a list of names"}, {`precision = "half"`, `one of "double", "single"`},
		{`contact_every = "-1 us"`, "must not be negative"}, {`large = 1`, "true or false"},
	} {
		if err := os.WriteFile(path, []byte(strings.Replace(small, `fields_every = "1 us"`, bad.key, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := command("check", path); status != 2 || !strings.Contains(stderr, bad.says) || !strings.Contains(stderr, "small.toml:8:") {
			t.Errorf("%s: exit status %d, %s", bad.key, status, stderr)
		}
	}
}

// Default intervals of output follow a new end, which is given for the run or later when it is
// resumed.
func TestIntervalsFollowTheEnd(t *testing.T) {
	text := strings.Replace(small, "[output]\nhistory_every = \"0.2 us\"\nfields_every = \"1 us\"\n", "step = \"1 ns\"\n", 1)
	dir := model(t, text, smallMesh)
	path, out := filepath.Join(dir, "small.toml"), filepath.Join(dir, "small.out")
	succeed(t, "run", path, "--until", "20 us", "-q")
	rows := func() []float64 {
		table, err := history.Read(filepath.Join(out, "history.csv"))
		if err != nil {
			t.Fatal(err)
		}
		times, _ := table.Column("time")
		return times
	}
	if frames, n := count(t, out, "fields", "*.vtu"), len(rows()); frames != 101 || n != 1001 {
		t.Errorf("%d frames and %d rows to ten times the duration, want 101 and 1001", frames, n)
	}
	succeed(t, "resume", out, "--until", "40 us", "-q")
	times := rows()
	if n := count(t, out, "fields", "*.vtu"); n != 151 || len(times) != 1501 {
		t.Errorf("%d frames and %d rows after going on to twice the end, want 151 and 1501", n, len(times))
	}
	for i := 1; i < len(times); i++ {
		want := 20e-9
		if i > 1000 {
			want = 40e-9
		}
		if math.Abs(times[i]-times[i-1]-want) > 2e-9 {
			t.Fatalf("row %d is at %g s, the one before at %g s, want %g s between", i, times[i], times[i-1], want)
		}
	}
}

// A run that would write far too much is refused before it writes anything, and the message says
// what to do. Check predicts this, and the sizes that are written.
func TestOutputIsPredicted(t *testing.T) {
	t.Parallel()
	fine := strings.NewReplacer("[output]", "step = \"10 ns\"\n[output]", `fields_every = "1 us"`, "fields_every = \"20 ns\"").Replace(small)
	dir := model(t, fine, smallMesh)
	path, out := filepath.Join(dir, "small.toml"), filepath.Join(dir, "small.out")
	_, stdout, stderr := command("check", path)
	said := regexp.MustCompile(`output: (\d+) frames of .*, (\d+) of contact nodes of .*, (\d+) rows of history; together about ([\d.]+) kB`).FindStringSubmatch(stdout)
	if said == nil {
		t.Fatal(stdout + stderr)
	}
	succeed(t, "run", path, "-q")
	table, err := history.Read(filepath.Join(out, "history.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{count(t, out, "fields", "*.vtu"), count(t, out, "contact", "*.vtp"), len(table.Rows)} {
		if said[i+1] != strconv.Itoa(want) {
			t.Errorf("check says %q, the run wrote %d", said[0], want)
		}
	}
	reported, err := strconv.ParseFloat(said[4], 64)
	if got := weight(t, out) / 1000; err != nil || reported < 0.75*got || reported > 1.25*got {
		t.Errorf("check says %q, the run wrote %.0f kB", said[0], got)
	}

	for text, says := range map[string]string{
		`fields_every = "1 ns"`:                             "fields_every (it is 1e-09 s, at least 2.1e-08 s is enough)",
		"fields_every = 0\ncontact_every = \"1 ns\"":        "contact_every (it is 1e-09 s, at least 2.1e-08 s is enough)",
		"fields_every = \"1 us\"\ncontact_every = \"1 ns\"": "--large",
	} {
		long := strings.NewReplacer(`duration = "2 us"`, "duration = \"200 us\"\nstep = \"1 ns\"", `fields_every = "1 us"`, text).Replace(small)
		if err := os.WriteFile(path, []byte(long), 0o644); err != nil {
			t.Fatal(err)
		}
		refused := filepath.Join(dir, "refused.out")
		if status, _, stderr := command("run", path, "-o", refused); status != 2 || !strings.Contains(stderr, says) || !strings.Contains(stderr, "large = true") {
			t.Errorf("%s: exit status %d, %s", text, status, stderr)
		}
		if _, err := os.Stat(refused); err == nil {
			t.Errorf("%s: the refused run left %s", text, refused)
		}
		if status, stdout, _ := command("check", path); status != 0 || !strings.Contains(stdout, "warning: ") || !strings.Contains(stdout, "--large") {
			t.Errorf("%s: check says %s", text, stdout)
		}
	}
	long := strings.NewReplacer(`duration = "2 us"`, "duration = \"200 us\"\nstep = \"1 ns\"", `fields_every = "1 us"`, "fields_every = \"1 ns\"\nlarge = true").Replace(small)
	if err := os.WriteFile(path, []byte(long), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stdout, _ := command("check", path); strings.Contains(stdout, "--large") {
		t.Errorf("what is allowed is warned of: %s", stdout)
	}
	if status, _, stderr := command("resume", out, "--until", "1 ms", "-q"); status != 2 || !strings.Contains(stderr, "5e+04 frames") {
		t.Errorf("a run that was to go on for long: exit status %d, %s", status, stderr)
	}
}

func TestAmount(t *testing.T) {
	for bytes, want := range map[float64]string{0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 12345: "12 kB", 999960: "1.0 MB", 123e6: "123 MB", 20e9: "20 GB", 4.4e13: "44 TB"} {
		if got := amount(bytes); got != want {
			t.Errorf("%g bytes: %q, want %q", bytes, got, want)
		}
	}
}
