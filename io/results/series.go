package results

import (
	"path/filepath"

	"fdem/io/vtk"
	"fdem/solver"
)

// kind is a kind of frames: a folder of files and the collection beside it.
type kind struct {
	name        string // of the folder, and of the .pvd
	ext         string // of its files, except large fields
	ownInterval bool   // frames may come at an interval of their own
	has         func(s *solver.Solver) bool
	// collect copies the changing data, and returns a function that writes a
	// frame of the copy to a path, while the run goes on: it must read nothing
	// that changes.
	collect func(r *Writer) (write func(path string) error)
	size    func(r *Writer) (int, error) // of a frame [bytes]
}

// copied lists the extensions of copies of frames.
var copied = []string{".vtu", ".vtkhdf"}

// lists returns the names of the files that list its frames, and the copies of
// these files.
func (k *kind) lists() []string {
	pvd := k.name + ".pvd"
	all := []string{pvd}
	for _, ext := range copied {
		all = append(all, vtk.SeriesOf(pvd, ext)...)
	}
	return all
}

// kinds lists all kinds of frames, in the order in which they are written. init
// fills it, since functions that collect frames use kinds, too.
var kinds []*kind

func init() {
	kinds = []*kind{&fieldFrames, &particleFrames, &overlapFrames, &pointFrames, &thrustFrames, &crackFrames, &springFrames, &boltFrames, &contactFrames, &fragmentContactFrames}
}

// series is the frames of a kind that a model has.
type series struct {
	*kind
	vtk.Series
	ext    string // of its files
	folder string
	count  int // of frames so far
}

// begun returns the series of a model's kinds in dir.
func begun(dir string, s *solver.Solver) (all []*series) {
	for _, k := range kinds {
		if k.has(s) {
			all = append(all, &series{kind: k, ext: k.ext, Series: vtk.Series{Path: filepath.Join(dir, k.name+".pvd")}, folder: filepath.Join(dir, k.name)})
		}
	}
	return all
}

// frame collects the next frame of a series. It is written in the background.
func (r *Writer) frame(of *series) {
	name := frameName(of.count) + of.ext
	of.count++
	path, time := filepath.Join(of.folder, name), r.solver.Time
	write := of.collect(r)
	r.written = append(r.written, path, of.Path)
	if of.Copy != "" {
		r.written, r.copies = append(r.written, vtk.SeriesOf(of.Path, of.Copy)...), append(r.copies, vtk.CopyOf(path, of.Copy))
	}
	r.jobs = append(r.jobs, func() error {
		if err := write(path); err != nil {
			return err
		}
		return of.Add(time, of.name+"/"+name)
	})
}

// points returns a function that writes points.
func (r *Writer) points(p vtk.Points) func(path string) error {
	return func(path string) error { return r.vtk.WritePoints(path, p) }
}

// counts returns the number of frames of the fields and of the contact nodes.
func (r *Writer) counts() (fields, contacts int) {
	for _, of := range r.series {
		if of.ownInterval {
			contacts = of.count
		} else {
			fields = of.count
		}
	}
	return fields, contacts
}
