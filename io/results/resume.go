package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fdem/io/checkpoint"
	"fdem/io/curves"
	"fdem/io/guard"
	"fdem/io/history"
	"fdem/io/vtk"
	"fdem/solver"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Mark returns the present length of the results, for a checkpoint, and a
// function that brings them to the disk, which may be called while further
// results are written.
func (r *Writer) Mark() (checkpoint.Mark, func() error, error) {
	if err := r.Wait(); err != nil { // the counted frames are complete
		return checkpoint.Mark{}, nil, err
	}
	fields, contacts := r.counts()
	m := checkpoint.Mark{History: r.history.Size(), Frames: fields}
	if r.solver.OwnContactInterval {
		m.Contacts = contacts
	}
	if r.motions != nil {
		for _, entry := range system.OfLedger {
			m.Start = append(m.Start, *entry.Value(&r.start))
		}
	}
	for _, b := range r.motions {
		m.Motions = append(m.Motions, b.Mass, b.Centre.X, b.Centre.Y, b.Velocity.X, b.Velocity.Y, b.AngularVelocity, b.Momentum.X, b.Momentum.Y)
	}
	for _, l := range r.solver.Profile().Limits {
		m.Limits = append(m.Limits, checkpoint.Limit{Reason: l.Name, Steps: l.Steps})
	}
	slices.Sort(r.written)
	files := slices.Compact(r.written) // each once
	copies := r.copies
	r.written, r.copies = nil, nil
	sync := func() error {
		for _, path := range files {
			pieces, err := vtk.Pieces(path)
			for _, name := range pieces {
				err = errors.Join(err, syncFile(filepath.Join(filepath.Dir(path), filepath.FromSlash(name))))
			}
			if err = errors.Join(err, syncFile(path)); err != nil {
				return err
			}
		}
		for _, path := range copies {
			if err := syncFile(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return r.history.Sync()
	}
	return m, sync, r.history.Flush()
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// recall sets the first row from that stored by Mark.
func (r *Writer) recall(m checkpoint.Mark, s *solver.Solver) error {
	for _, l := range m.Limits {
		s.RecallLimit(l.Reason, l.Steps)
	}
	if len(m.Start) == 0 {
		return nil
	}
	const motion = 8
	bodies := s.Motions()
	if len(m.Start) != len(system.OfLedger) || len(m.Motions) != motion*len(bodies) {
		return fmt.Errorf("the checkpoint's first row belongs to another model")
	}
	for i, entry := range system.OfLedger {
		*entry.Value(&r.start) = m.Start[i]
	}
	r.motions = make([]system.BodyMotion, len(bodies))
	for i := range r.motions {
		v := m.Motions[motion*i:]
		r.motions[i] = system.BodyMotion{
			Name: bodies[i].Name, Mass: v[0], Centre: r2.Vec{X: v[1], Y: v[2]}, Velocity: r2.Vec{X: v[3], Y: v[4]},
			AngularVelocity: v[5], Momentum: r2.Vec{X: v[6], Y: v[7]},
		}
	}
	return nil
}

// Reopen continues the results in dir from a checkpoint. Later rows and frames
// are removed.
func Reopen(dir, version string, s *solver.Solver, curves *curves.Set, m checkpoint.Mark) (*Writer, error) {
	if err := CheckFolder(dir); err != nil {
		return nil, err
	}
	r := prepare(dir, version, s, curves)
	if err := r.recall(m, s); err != nil {
		return nil, err
	}
	var err error
	if r.history, err = history.Continue(filepath.Join(dir, "history.csv"), r.header(), m.History); err != nil {
		return nil, err
	}
	if err = r.cut(m); err != nil {
		return nil, errors.Join(err, r.history.Close())
	}
	return r, nil
}

// cut removes the frames after those of a checkpoint.
func (r *Writer) cut(m checkpoint.Mark) error {
	for _, of := range r.series {
		var err error
		if of.count = m.Frames; of.ownInterval && r.solver.OwnContactInterval {
			of.count = m.Contacts
		}
		if of.Series, err = vtk.Continue(of.Path, of.count); err != nil {
			return err
		}
		r.findGaps(of)
		if err := os.MkdirAll(of.folder, 0o755); err != nil {
			return err
		}
		if err := drop(of.folder, of.count); err != nil {
			return err
		}
	}
	return checkpoint.Sweep(r.dir)
}

// findGaps finds frames of a series that are listed but not in the folder.
func (r *Writer) findGaps(of *series) {
	var missing []string
	for _, f := range of.Frames() {
		name := filepath.FromSlash(f.File)
		gone := !exists(filepath.Join(r.dir, name))
		if pieces, err := vtk.Pieces(filepath.Join(r.dir, name)); !gone {
			gone = err != nil || slices.ContainsFunc(pieces, func(p string) bool {
				return !exists(filepath.Join(r.dir, filepath.Dir(name), filepath.FromSlash(p)))
			})
		}
		if gone {
			missing = append(missing, f.File)
		}
	}
	if len(missing) > 0 {
		r.Gaps = append(r.Gaps, fmt.Sprintf("%d of the %d frames in %s are missing, the first of them %s", len(missing), of.count, of.Path, missing[0]))
	}
}

// drop removes frames from n on, and unfinished files.
func drop(dir string, n int) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	first := frameName(n)
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		frame := ext == ".vtp" || ext == ".pvtu" || slices.Contains(copied, ext) || e.IsDir() && ext == ""
		if frame && len(e.Name())-len(ext) >= len(first) && e.Name() >= first {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return checkpoint.Sweep(dir)
}

// Branch copies the results in dir up to a checkpoint to the new folder to.
func Branch(dir, to string, m checkpoint.Mark) error {
	if err := Prepare(to); err != nil {
		return err
	}
	copyFile := func(name string) error {
		data, err := guard.Read(dir, filepath.ToSlash(name), guard.Large)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o644)
	}
	if err := copyFile("history.csv"); err != nil {
		return err
	}
	for _, k := range kinds {
		needed := k == &fieldFrames
		if _, err := os.Stat(filepath.Join(dir, k.name)); !needed && errors.Is(err, fs.ErrNotExist) {
			continue // a model without it
		}
		if err := os.MkdirAll(filepath.Join(to, k.name), 0o755); err != nil {
			return err
		}
		frames := m.Frames
		if k.ownInterval && m.Contacts > 0 {
			frames = m.Contacts
		}
		for i := range frames {
			name := filepath.Join(k.name, frameName(i)+k.ext)
			var err error
			if large := filepath.Join(k.name, frameName(i)+".pvtu"); needed && exists(filepath.Join(dir, large)) {
				name, err = large, copyPieces(to, large, copyFile)
			} else {
				err = copyFile(name)
			}
			if !needed && errors.Is(err, fs.ErrNotExist) {
				break // an empty folder
			}
			if err != nil {
				return err
			}
			if err := copyCopies(name, copyFile); err != nil {
				return err
			}
		}
		err := copyFile(k.name + ".pvd")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// copyPieces copies a frame in pieces.
func copyPieces(to, frame string, copyFile func(name string) error) error {
	if err := copyFile(frame); err != nil {
		return err
	}
	pieces, err := vtk.Pieces(filepath.Join(to, frame))
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(to, strings.TrimSuffix(frame, filepath.Ext(frame))), 0o755); err != nil {
		return err
	}
	for _, piece := range pieces {
		if err := copyFile(filepath.Join(filepath.Dir(frame), filepath.FromSlash(piece))); err != nil {
			return err
		}
	}
	return nil
}

// copyCopies copies the existing copies of a frame. The resumed run lists them anew.
func copyCopies(frame string, copyFile func(name string) error) error {
	for _, ext := range copied {
		if other := vtk.CopyOf(frame, ext); other != "" {
			if err := copyFile(other); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
