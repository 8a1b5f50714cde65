package random

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"fdem/io/checkpoint"
	"fdem/io/curves"
	"fdem/io/deck"
	"fdem/io/results"
	"fdem/solver"
	"fdem/solver/rayleigh"
	"fdem/solver/statics"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Row is what checks read of a row of the history.
type Row struct {
	Time     float64
	Energies system.Energies
	Relative float64 // residual over the greatest energy so far
	Motions  []system.BodyMotion
}

// Run is a run with what it wrote.
type Run struct {
	Refused error // by the reader: the model has not been run
	Failed  error // of the run
	Panic   string
	Dir     string // of its results
	Steps   int64
	Entered float64 // the greatest energy [J]
	Noise   float64 // the energy that rounding may create [J]
	Jump    float64 // greatest change of the residual in an increment of a static analysis [J]
	Least   float64 // least pressure of a contact node in any row [Pa]
	Most    float64 // greatest [Pa]
	Pulled  string  // the contact of the least pressure
	Rows    []Row
	Files   map[string][32]byte // SHA-256 of each file of the results
	States  map[int64]uint32    // checksum of the state at each checkpoint, by step
	Cracks  int                 // vertices that have opened
	Saved   []string            // the checkpoints of Way.Keep
}

// Way is a way to run a model that must not change its results.
type Way struct {
	Threads int
	Bare    bool   // writes no results
	Keep    bool   // keeps every checkpoint for a resume
	From    *Run   // the run that is resumed, nil for none
	At      string // its checkpoint
}

// Start runs a model and writes its results to a folder, which must not exist.
func Start(m *Model, dir string, w Way) (run *Run) {
	run = &Run{Dir: dir, States: map[int64]uint32{}, Files: map[string][32]byte{}}
	defer func() {
		if r := recover(); r != nil {
			run.Panic = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	d, s, file, err := open(m, w.At)
	if err != nil {
		run.Refused = err
		return run
	}
	computed, err := d.Curves(results.Columns(s), results.Constants(s))
	if err != nil {
		run.Refused = err
		return run
	}
	s.SetWorkers(max(1, w.Threads))
	if w.Bare {
		run.Failed = statics.Run(context.Background(), s, solver.Observer{Row: func() error { run.row(s); return nil }, Frame: func() error { return nil }, Contact: func() error { return nil }})
		run.finish(s)
		return run
	}
	r, err := begin(dir, s, computed, w, file)
	if err != nil {
		run.Failed = err
		return run
	}
	r.Shape(results.Form{Fields: d.Fields, Single: d.Single, Plain: true, Copy: d.Copy})
	status := "done"
	if run.Failed = statics.Run(context.Background(), s, run.observe(s, r, w)); run.Failed != nil {
		status = "failed"
	}
	sum, err := r.Close(status, run.Failed)
	run.finish(s)
	if err = errors.Join(err, run.sums(sum)); err != nil {
		run.Failed = errors.Join(run.Failed, err)
	}
	return run
}

// finish keeps what is known at the end.
func (run *Run) finish(s *solver.Solver) {
	run.Steps, run.Noise, run.Jump = s.N, s.Noise(), s.Ledger.Jump
	if z := s.Cracks(); z != nil {
		run.Cracks = z.Openings()
	}
}

// row keeps what checks need of the present state.
func (run *Run) row(s *solver.Solver) {
	e := s.Energies()
	run.Rows = append(run.Rows, Row{s.Time, e, s.Relative(e), s.Motions()})
	run.Entered = max(run.Entered, math.Abs(e.Kinetic)+math.Abs(e.Strain), math.Abs(e.ExternalWork))
	run.press(s)
}

// open makes the solver of a model, in the state of a checkpoint unless that is "".
func open(m *Model, at string) (*deck.Deck, *solver.Solver, *checkpoint.File, error) {
	src, err := m.Source()
	if err != nil {
		return nil, nil, nil, err
	}
	d, err := deck.Parse("model.toml", []byte(m.DeckText()))
	if err != nil {
		return nil, nil, nil, err
	}
	built, _, err := d.Build(src)
	if err != nil {
		return nil, nil, nil, err
	}
	var f *checkpoint.File
	if at != "" {
		if f, err = checkpoint.Open(at); err != nil {
			return nil, nil, nil, err
		}
		rayleigh.KeepDamping(built, f.Has)
	}
	s, err := solver.New(built)
	if err != nil {
		return nil, nil, nil, d.Locate(err)
	}
	if f != nil {
		if err := f.Fill(s.Parts()); err != nil {
			return nil, nil, nil, err
		}
		if err := s.Restore(); err != nil {
			return nil, nil, nil, err
		}
		s.Recount(built)
	}
	return d, s, f, nil
}

// begin opens the results, those of the run that is resumed in a copy of its folder.
func begin(dir string, s *solver.Solver, computed *curves.Set, w Way, f *checkpoint.File) (*results.Writer, error) {
	if w.From == nil {
		if err := results.Prepare(dir); err != nil {
			return nil, err
		}
		return results.Open(dir, "random", s, computed)
	}
	if err := os.CopyFS(dir, os.DirFS(w.From.Dir)); err != nil {
		return nil, err
	}
	return results.Reopen(dir, "random", s, computed, f.Results)
}

// observe keeps what checks need of the run, and writes its results.
func (run *Run) observe(s *solver.Solver, r *results.Writer, w Way) solver.Observer {
	row := func() error { run.row(s); return r.Row() }
	return solver.Observer{Row: row, Frame: r.Frame, Contact: r.Contact, Checkpoint: func(bool) error {
		run.States[s.N] = checkpoint.Sum(s.Parts())
		if !w.Keep {
			return nil
		}
		mark, sync, err := r.Mark()
		if err != nil {
			return err
		}
		folder := fmt.Sprintf("%s.saved.%d", run.Dir, len(run.Saved))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		c := checkpoint.NewWriter(folder, "")
		h := checkpoint.Header{Program: "random", Step: s.N, Time: s.Time, Duration: s.Duration, Results: mark}
		if err := c.Write(h, s.Parts(), sync); err != nil {
			return err
		}
		run.Saved = append(run.Saved, c.Last())
		return c.Wait()
	}}
}

// press notes the least and the greatest pressure of the contact nodes.
func (run *Run) press(s *solver.Solver) {
	take := func(p float64, where string) {
		if p < run.Least {
			run.Least, run.Pulled = p, where
		}
		run.Most = max(run.Most, p)
	}
	for _, c := range s.Surfaces {
		for _, p := range c.Pressures() {
			take(p, "contact of surfaces")
		}
	}
	if s.Transfers() {
		nodes := s.FragmentContacts()
		for i := range nodes {
			take(nodes[i].Pressure, "contact of fragments")
		}
	}
}

// sums takes the checksums of the files, of the summary without what a clock or the machine
// says.
func (run *Run) sums(sum results.Summary) error {
	sum.WallSeconds, sum.ElementStepsPerSecond, sum.ParticleStepsPerSecond, sum.Kernel, sum.SearchRebuilds = 0, 0, 0, "", 0
	sum.Profile = results.Profile{}
	for i := range sum.StepLimits {
		sum.StepLimits[i].Where = "" // of the steps since the resume
	}
	if run.Failed != nil {
		sum.Error = run.Failed.Error()
	}
	text, err := json.MarshalIndent(sum, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(run.Dir, "summary.json"), text, 0o644); err != nil {
		return err
	}
	return fs.WalkDir(os.DirFS(run.Dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, "checkpoints") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(run.Dir, path))
		run.Files[path] = sha256.Sum256(data)
		return err
	})
}

// angular returns the angular momentum of all bodies about the origin, and what it would be if the
// greatest energy of the run moved them all one way past it.
func (run *Run) angular(row int) (sum, scale float64) {
	far := 0.0
	for i := range run.Rows[row].Motions {
		b := &run.Rows[row].Motions[i]
		sum += b.AngularMomentum + r2.Cross(b.Centre, b.Momentum)
		far = max(far, r2.Norm(b.Centre))
	}
	_, p := run.momentum(row)
	return sum, far * p
}

// momentum returns the momentum of all bodies, and what it would be if the greatest energy of
// the run moved them all one way.
func (run *Run) momentum(row int) (sum r2.Vec, scale float64) {
	mass := 0.0
	for i := range run.Rows[row].Motions {
		b := &run.Rows[row].Motions[i]
		sum, mass = r2.Add(sum, b.Momentum), mass+b.Mass
	}
	return sum, math.Sqrt(2 * mass * run.Entered)
}
