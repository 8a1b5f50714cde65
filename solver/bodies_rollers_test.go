package solver_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fdem/io/checkpoint"
	"fdem/solver"
)

// filed is a file that holds a run at a moment, and how many rows the run had then.
type filed struct {
	path string
	step int64
	rows int
}

// rowsInFiles runs a solver to its end. It returns the ledger and the motions of its rows, and
// its checkpoints, which it writes to a folder of their own.
func rowsInFiles(t *testing.T, s *solver.Solver) (rows [][]byte, files []filed) {
	t.Helper()
	dir := t.TempDir()
	err := s.Run(context.Background(), solver.Observer{
		Row: func() error {
			row, err := binary.Append(nil, binary.LittleEndian, s.Energies())
			rows = append(rows, fmt.Append(row, s.RigidMotions, s.MeanForces()))
			return err
		},
		Frame: func() error { return nil }, Contact: func() error { return nil },
		Checkpoint: func(bool) error {
			own := filepath.Join(dir, fmt.Sprint(len(files)))
			if err := os.Mkdir(own, 0o755); err != nil {
				return err
			}
			w := checkpoint.NewWriter(own, "")
			if err := w.Write(checkpoint.Header{Step: s.N, Time: s.Time}, s.Parts(), func() error { return nil }); err != nil {
				return err
			}
			if err := w.Wait(); err != nil {
				return err
			}
			files = append(files, filed{w.Last(), s.N, len(rows)})
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, files
}

// Rigid bodies that rest, roll, tip and fall continue from files to the bit. The load of a body
// without its contact forces determines the damper of the contact at rest, also in the first step.
func TestRigidBodiesResumeFromFiles(t *testing.T) {
	t.Parallel()
	disc := func(name string, x, y, r float64) string {
		return fmt.Sprintf("[[rigid]]\nname = %q\nshape = \"disc\"\ncentre = [%g, %g]\nradius = %g\ndensity = 7860\n", name, x, y, r)
	}
	pushed := func(on string, force float64) string {
		return fmt.Sprintf("[[load]]\non = %q\nforce = [%g, 0]\n", on, force)
	}
	rollers := onFloor + disc("left", 0.05, 0.01, 0.01) + disc("right", 0.15, 0.01, 0.01)
	for _, c := range []struct{ name, bodies, shapes string }{
		{"a rigid plank on rollers", rollers + rigidBox("plank", 0.1, 0.03, 0.2, 0.02, 0.4) + pushed("plank", 0.5), ""},
		{"a rubber plank on rollers", rollers + soft + "[[body]]\nname = \"plank\"\nmaterial = \"gel\"\n" + pushed("plank", 0.5),
			"[[rectangle]]\nname = \"plank\"\nfrom = [0, 0.02]\nto = [0.2, 0.04]\nedge = 0.02\n"},
		{"discs", onFloor + disc("rolls", 0, 0.01, 0.01) + disc("falls", 0.03, 0.0102, 0.01) + disc("lies", 0.0501, 0.01, 0.01) + pushed("rolls", 5), ""},
		{"boxes", onFloor + rigidBox("lies", 0, 0.025, 0.1, 0.05, 1) + rigidBox("slides", 0.005, 0.075, 0.1, 0.05, 1) + rigidBox("falls", 0.2, 0.0502, 0.05, 0.1, 1) + pushed("slides", 6), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			mesh := ""
			if c.shapes != "" {
				mesh = "mesh = \"model.msh\"\n"
			}
			deck := mesh + "[analysis]\nduration = 0.01\nthickness = 0.01\ngravity = [0, -9.81]\ndamping = { stiffness = \"0.1 ms\" }\n" +
				"[output]\nhistory_every = 2e-4\ncheckpoint_every = 8.3e-4\n" + c.bodies +
				"[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\nfriction = 0.4\n"
			rows, files := rowsInFiles(t, built(t, deck, c.shapes))
			if len(files) < 12 {
				t.Fatalf("only %d checkpoints", len(files))
			}
			for i, f := range files {
				if solver.LeftOut(t, i, 4) {
					continue
				}
				s := built(t, deck, c.shapes)
				s.SetWorkers(1 + i/4%2)
				from, err := checkpoint.Open(f.path)
				noError(t, err)
				noError(t, from.Fill(s.Parts()))
				noError(t, s.Restore())
				again, _ := rowsInFiles(t, s)
				if len(again) != len(rows)-f.rows {
					t.Fatalf("from step %d: %d rows, not %d", f.step, len(again), len(rows)-f.rows)
				}
				for k, row := range again {
					if !bytes.Equal(row, rows[f.rows+k]) {
						t.Errorf("from step %d: row %d is another one", f.step, k)
						break
					}
				}
			}
		})
	}
}
