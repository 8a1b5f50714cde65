package results

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"fdem/io/vtk"
)

// framesIn lists the fields of a folder, without what pieces they are in.
func framesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	frames, err := vtk.ReadSeries(filepath.Join(dir, "fields.pvd"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		names = append(names, filepath.Join(dir, f.File))
	}
	return names
}

// Large fields are in pieces that read as one file, are synced, dropped by a resume that goes
// on before them, and taken along by a branch.
func TestFieldsInPieces(t *testing.T) {
	s, w, dir := opened(t, "elastic-collision/elastic-collision.toml")
	form := Form{Piece: len(s.Mesh.Triangles) / 4, Copy: ".vtu"}
	if err := w.Row(); err != nil {
		t.Fatal(err)
	}
	frames(t, w, form, 2)
	mark, sync, err := w.Mark()
	if err = errors.Join(err, sync()); err != nil {
		t.Fatal(err)
	}
	frames(t, w, form, 2)
	if _, err := w.Close("done", nil); err != nil {
		t.Fatal(err)
	}
	branch := filepath.Join(t.TempDir(), "branch")
	if err := Branch(dir, branch, mark); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{dir, branch} {
		if w, err = Reopen(in, "test", s, nil, mark); err != nil {
			t.Fatal(err)
		}
		if entries, err := os.ReadDir(filepath.Join(in, "fields")); err != nil || len(entries) != 3*2 {
			t.Errorf("%v, %v: want a list, its pieces and a whole copy of two frames", entries, err)
		}
		frames(t, w, form, 1)
		if _, err := w.Close("done", nil); err != nil {
			t.Fatal(err)
		}
		names := framesIn(t, in)
		if len(names) != 3 {
			t.Fatalf("%d frames", len(names))
		}
		for _, name := range names {
			pieces, err := vtk.Pieces(name)
			if err != nil || len(pieces) < 4 {
				t.Fatalf("%s: %v, %v", name, pieces, err)
			}
			sameFields(t, name, vtk.CopyOf(name, ".vtu"))
		}
	}
}

// sameFields fails where a frame reads otherwise than another.
func sameFields(t *testing.T, path, other string) {
	t.Helper()
	var all [2]map[string]any
	for i, path := range []string{path, other} {
		f, err := vtk.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = map[string]any{}
		all[i]["positions"], err = f.Positions()
		triangles, lines, more := f.Elements()
		all[i]["triangles"], all[i]["lines"], err = triangles, lines, errors.Join(err, more)
		for _, a := range f.PointArrays() {
			all[i]["point "+a.Name], more = f.PointData(a.Name)
			err = errors.Join(err, more)
		}
		for _, a := range f.CellArrays() {
			all[i]["cell "+a.Name], more = f.CellData(a.Name)
			err = errors.Join(err, more)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(all[0], all[1]) {
		t.Errorf("%s and %s differ", path, other)
	}
}
