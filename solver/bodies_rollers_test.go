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
			if n := resumesToTheBit(t, deck, c.shapes, 4); n < 12 {
				t.Fatalf("only %d checkpoints", n)
			}
		})
	}
}

// resumesToTheBit compares a run with those that are resumed from its checkpoints, in files, of which it
// returns the number. Without the flag -all it takes one of every few.
func resumesToTheBit(t *testing.T, deck, shapes string, few int) (checkpoints int) {
	t.Helper()
	rows, files := rowsInFiles(t, built(t, deck, shapes))
	for i, f := range files {
		if solver.LeftOut(t, i, few) {
			continue
		}
		s := built(t, deck, shapes)
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
	return len(files)
}

// A run whose joint splits nodes before its first step, while its bodies settle, resumes to the bit, also
// from its start: the fluid in the pores of those nodes is divided once.
func TestPoresOfSettledJointResume(t *testing.T) {
	deck := `
analysis = { plane = "strain", thickness = 0.125, gravity = [0.0033, -0.011], duration = "5 ms" }
output = { history_every = "0.2 ms", checkpoint_every = "1 ms" }
pores = { initial = 1058, viscosity = 1.186e-4, density = 1000 }
material = [{ name = "clay", young = "14.57 MPa", poisson = 0.3, density = 1200, permeability = 1e-12, storage = 1.279e-8, biot = 1 }]
body = [{ name = "rock", material = "clay" }, { name = "cap", material = "clay" }]
contact = [{ contactor = "all", opposite = "cap", friction = 1, overlap = "subtract" }]
fix = [{ on = "south", components = ["x", "y"] }]
joint = [{ on = "joint2", friction = 0.5, normal_stiffness = 1.244e8, shear_stiffness = 3.972e7 }]
`
	const shapes = `
edge = 0.25
join = ["rock"]
[[rectangle]]
name = "rock"
from = [0, 0]
to = [0.25, 0.25]
bottom = "south"
right = "joint1"
[[rectangle]]
name = "rock"
from = [0, 0.25]
to = [0.25, 0.5]
right = "joint1"
[[rectangle]]
name = "rock"
from = [0.25, 0]
to = [0.5, 0.25]
bottom = "south"
left = "joint1"
right = "joint2"
[[rectangle]]
name = "rock"
from = [0.25, 0.25]
to = [0.5, 0.5]
left = "joint1"
right = "joint2"
[[rectangle]]
name = "rock"
from = [0.5, 0]
to = [0.75, 0.25]
left = "joint2"
[[rectangle]]
name = "rock"
from = [0.5, 0.25]
to = [0.75, 0.5]
left = "joint2"
[[rectangle]]
name = "cap"
from = [0.2865, 0.499787425]
to = [0.6255, 0.7177874]
edge = 0.1875
`
	if n := resumesToTheBit(t, deck, shapes, 1); n < 3 {
		t.Errorf("only %d checkpoints", n)
	}
}
