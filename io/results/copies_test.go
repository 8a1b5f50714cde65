package results

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
	"fdem/solver/model"
)

// opened begins results of an example in a folder of their own.
func opened(t *testing.T, example string) (s *solver.Solver, w *Writer, dir string) {
	t.Helper()
	m, err := scenes.Load(filepath.Join("../../examples", example))
	if err != nil {
		t.Fatal(err)
	}
	return openedOf(t, m)
}

// openedOf is opened for a model.
func openedOf(t *testing.T, m *model.Model) (s *solver.Solver, w *Writer, dir string) {
	t.Helper()
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "out")
	if err := Prepare(dir); err != nil {
		t.Fatal(err)
	}
	if w, err = Open(dir, "test", s, nil); err != nil {
		t.Fatal(err)
	}
	return s, w, dir
}

// Copies of frames follow the frames: they are listed, dropped by a resume that goes on
// before them, and taken along by a branch.
func TestCopiesFollowFrames(t *testing.T) {
	s, w, dir := opened(t, "elastic-collision/elastic-collision.toml")
	form := Form{Copy: ".vtkhdf", Fields: []string{}}
	if err := w.Row(); err != nil {
		t.Fatal(err)
	}
	frames(t, w, form, 2)
	mark, sync, err := w.Mark()
	if err != nil {
		t.Fatal(err)
	}
	if err := sync(); err != nil {
		t.Fatal(err)
	}
	frames(t, w, form, 2)
	if _, err := w.Close("done", nil); err != nil {
		t.Fatal(err)
	}
	listed(t, dir, 4)
	branch := filepath.Join(t.TempDir(), "branch")
	if err := Branch(dir, branch, mark); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{dir, branch} {
		if w, err = Reopen(in, "test", s, nil, mark); err != nil {
			t.Fatal(err)
		}
		frames(t, w, form, 1)
		if _, err := w.Close("done", nil); err != nil {
			t.Fatal(err)
		}
		listed(t, in, 3)
	}
	if err := Prepare(dir); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.series")); left != nil {
		t.Errorf("%v were left", left)
	}
}

// listed checks that there are n copies of the fields, all of which are listed.
func listed(t *testing.T, dir string, n int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "fields.vtkhdf.series"))
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Files []struct{ Name string }
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "fields", "*.vtkhdf"))
	if len(files) != n || len(list.Files) != n {
		t.Fatalf("%d copies, %d listed, want %d", len(files), len(list.Files), n)
	}
	for i, f := range list.Files {
		if filepath.Join(dir, f.Name) != files[i] {
			t.Errorf("frame %d is listed as %s", i, f.Name)
		}
	}
}

// A checkpoint puts frames on the disk that have no copy: cracks before there are any.
func TestFrameWithoutCopy(t *testing.T) {
	_, w, dir := opened(t, "spall-bar/spall-bar.toml")
	w.Shape(Form{Copy: ".vtu"})
	if err := errors.Join(w.Row(), w.Frame()); err != nil {
		t.Fatal(err)
	}
	_, sync, err := w.Mark()
	if err := errors.Join(err, w.Wait(), sync()); err != nil {
		t.Error(err)
	}
	if made, _ := filepath.Glob(filepath.Join(dir, "cracks", "*")); len(made) != 1 {
		t.Errorf("there are %v", made)
	}
	if _, err := w.Close("done", nil); err != nil {
		t.Error(err)
	}
}

// frames writes so many frames of a form.
func frames(t *testing.T, w *Writer, form Form, n int) {
	t.Helper()
	w.Shape(form)
	for range n {
		if err := w.Frame(); err != nil {
			t.Fatal(err)
		}
	}
}
