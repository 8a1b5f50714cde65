package results

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fdem/examples/cases"
	"fdem/examples/scenes"
	"fdem/io/deck"
	"fdem/io/plan"
	"fdem/solver"
	"fdem/solver/model"
	"fdem/solver/statics"
)

// dug is a model whose body is under stress until it is excavated between two frames.
func dug(t *testing.T) *model.Model {
	t.Helper()
	d, err := deck.Parse("model.toml", []byte(`
analysis = { duration = "1 ms", plane = "strain" }
material = [{ name = "stone", young = "20 GPa", poisson = 0.25, density = 2600 }]
body = [{ name = "rock", material = "stone" }, { name = "dug", material = "stone" }]
contact = [{ contactor = "rock", opposite = "dug" }]
initial_stress = [{ stress = ["-1 MPa", "-1 MPa", 0] }]
fix = [{ on = "wall" }, { on = "end" }]
excavate = [{ in = ["dug"], time = "5 us", ramp = "10 us" }]
`))
	if err != nil {
		t.Fatal(err)
	}
	src, err := plan.ParseShapes("model.shapes.toml", []byte(`
rectangle = [{ name = "rock", from = [0, 0], to = [1, 1], edge = 0.25, left = "wall" }, { name = "dug", from = [1, 0], to = [2, 1], edge = 0.25, right = "end" }]
`))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Build(src)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// beside are models whose frames have, together, all that frames can have.
var beside = []string{
	"examples/elastic-collision/elastic-collision.toml", "examples/disc-in-hollow/hollow.toml", "examples/hopper/hopper.toml",
	"examples/beam-on-flat/beam-on-flat.toml", "examples/spall-bar/spall-bar.toml", "examples/rockfall-breaking/rockfall-breaking.toml",
	"examples/blasted-hole/blasted-hole.toml", "examples/tunnel/dug-breaks.toml", "examples/friction-drive/friction-drive.toml",
	"testdata/everyday/beam_on_springs/model.toml", "testdata/everyday/oedometer/model.toml",
}

// What a frame is written from is a copy, or never changes: frames are the same bytes whether the
// steps wait for them or are driven on before they are written.
func TestFramesBesideSteps(t *testing.T) {
	paths := beside
	if cases.All() {
		for _, of := range []string{"examples/*/*.toml", "testdata/everyday/*/model.toml"} {
			found, _ := filepath.Glob("../../" + of)
			for _, path := range found {
				path, _ = filepath.Rel("../..", path)
				paths = append(paths, path)
			}
		}
		slices.Sort(paths)
		paths = slices.Compact(paths)
	}
	t.Run("dug", func(t *testing.T) { compareBeside(t, func() *model.Model { return dug(t) }) })
	for _, path := range paths {
		t.Run(strings.TrimSuffix(path, ".toml"), func(t *testing.T) {
			compareBeside(t, func() *model.Model {
				m, err := scenes.Load("../../" + path)
				if err != nil {
					t.Skip(err) // a file of shapes, or a model whose mesh is made when it is run
				}
				return m
			})
		})
	}
}

// compareBeside compares the frames of a model that are written at once with those written after
// further steps.
func compareBeside(t *testing.T, load func() *model.Model) {
	held, driven := framesOf(t, load(), true), framesOf(t, load(), false)
	if !slices.Equal(slices.Sorted(maps.Keys(held)), slices.Sorted(maps.Keys(driven))) {
		t.Fatalf("%d and %d files", len(held), len(driven))
	}
	for name, data := range held {
		if !bytes.Equal(data, driven[name]) {
			t.Errorf("%s differs if it is written after further steps", name)
		}
	}
}

// framesOf runs a few steps with frames. A frame is written at once if the steps are held up, and
// otherwise when the next one is due. It returns the files.
func framesOf(t *testing.T, m *model.Model, heldUp bool) map[string][]byte {
	t.Helper()
	const every, most = 7, 5 // steps between frames, number of frames
	m.HistoryEvery, m.FieldsEvery, m.ContactEvery = 1e-300, 1e-300, 1e-300
	s, w, dir := openedOf(t, m)
	s.SetWorkers(1)
	ctx, stop := context.WithCancel(t.Context())
	write := func() error {
		for _, do := range w.jobs {
			if err := do(); err != nil {
				return err
			}
		}
		w.jobs = nil
		return nil
	}
	steps, frames := 0, 0
	frame := func() error {
		if steps++; steps%every != 1 && s.Static == nil || frames == most {
			return nil
		}
		if err := write(); err != nil {
			return err
		}
		for _, of := range w.series {
			w.frame(of)
		}
		if frames++; frames == most {
			stop()
		}
		if heldUp {
			return write()
		}
		return nil
	}
	err := statics.Run(ctx, s, solver.Observer{Row: w.Row, Frame: frame, Contact: func() error { return nil }})
	if err != nil && frames < most {
		t.Fatal(err)
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Close("done", nil); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "summary.json" {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		files[name], err = os.ReadFile(path)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}
