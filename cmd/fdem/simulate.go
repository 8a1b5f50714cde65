package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"fdem/io/checkpoint"
	"fdem/io/deck"
	"fdem/io/lock"
	"fdem/io/results"
	"fdem/solver"
	"fdem/solver/statics"

	"github.com/spf13/cobra"
)

// job is a run with all files that it writes.
type job struct {
	jobOptions
	in          *input
	solver      *solver.Solver
	dir         string // of the results
	text        []byte // of the deck, where it is not that of the file
	deck, mesh  string // SHA-256 of the inputs
	laws        []checkpoint.Law
	results     *results.Writer
	checkpoints *checkpoint.Writer
	log         *terminal
	wanted      *watched // requests by signals
	asked       bool     // a signal requested the next checkpoint
	fresh       bool     // the folder has no checkpoint of the deck in it yet
	release     func()   // releases the folder
}

// lock keeps other programs out of a results folder until release is called.
func (j *job) lock(dir string) error {
	release, err := lock.Folder(dir)
	if err != nil {
		return &exitError{exitFailed, err}
	}
	j.release = release
	return nil
}

// Where a results folder keeps the inputs of its run.
func deckIn(dir string) string { return filepath.Join(dir, "deck.toml") }
func meshIn(dir string) string { return filepath.Join(dir, "checkpoints", "mesh.msh") }

// chooseWorkers chooses the number of workers.
func (j *job) chooseWorkers(threads int) {
	if threads > 0 {
		j.solver.SetWorkers(threads)
	} else {
		j.solver.TuneWorkers(runtime.GOMAXPROCS(0))
	}
}

// keepInput copies deck, mesh and what else the deck names into the results: viewing them and
// resuming the run needs no other files.
func (j *job) keepInput() error {
	deckText := j.text
	if deckText == nil {
		var err error
		if deckText, err = os.ReadFile(j.in.deckPath); err != nil {
			return err
		}
	}
	deckText = withoutSchema(deckText)
	if err := os.WriteFile(deckIn(j.dir), deckText, 0o644); err != nil {
		return err
	}
	all := [][]byte{deckText}
	for k, path := range j.in.deck.Files {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(j.dir, "checkpoints", deck.CopyName(k)), data, 0o644); err != nil {
			return err
		}
		all = append(all, data)
	}
	j.deck = hash(all...)
	if j.in.meshPath == "" {
		return nil
	}
	mesh, err := os.ReadFile(j.in.meshPath)
	if err != nil {
		return err
	}
	j.mesh = hash(mesh)
	return os.WriteFile(meshIn(j.dir), mesh, 0o644)
}

// withoutSchema empties the line that leads editors to a schema beside the deck: beside a copy there
// is none. Lines keep their numbers.
func withoutSchema(text []byte) []byte {
	line, rest, more := bytes.Cut(text, []byte("\n"))
	path, is := bytes.CutPrefix(line, []byte("#:schema "))
	if !is || bytes.Contains(path, []byte("://")) || filepath.IsAbs(string(bytes.TrimSpace(path))) {
		return text
	}
	if !more {
		return []byte("#")
	}
	return append([]byte("#\n"), rest...)
}

// hashes returns the hashes of the files that a run reads.
func (in *input) hashes() (deck, mesh string, err error) {
	all := [][]byte{in.text}
	for _, path := range append([]string{in.deckPath}, in.deck.Files...) {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", "", err
		}
		all = append(all, data)
	}
	if in.meshPath != "" {
		data, err := os.ReadFile(in.meshPath)
		if err != nil {
			return "", "", err
		}
		mesh = hash(data)
	}
	return hash(all...), mesh, nil
}

func hash(files ...[]byte) string {
	sum := sha256.New()
	for _, data := range files {
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// openLog shows messages on standard error and keeps log.txt, and listens for
// signals; how is os.O_TRUNC or os.O_APPEND.
func (j *job) openLog(c *cobra.Command, quiet bool, how int) error {
	var err error
	if j.log, err = newTerminal(c.ErrOrStderr(), quiet, j.dir, how); err != nil {
		return err
	}
	j.log.step, j.log.time = j.solver.N, j.solver.Time
	j.solver.Note = j.log.printf
	j.wanted = watch(j.log, j.patient, j.tied) // requests are received from here on
	j.wanted.follow(j.log, j.dir)
	return nil
}

// outputError is a failure to write, not one of the computation.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

func output(f func() error) func() error {
	return func() error {
		if err := f(); err != nil {
			return &outputError{err}
		}
		return nil
	}
}

// simulate runs to the end, or until a signal, and closes the results.
func (j *job) simulate(c *cobra.Command) error {
	s := j.solver
	j.laws = checkpoint.Laws(j.in.model)
	j.checkpoints.Compress = j.in.deck.Compress
	j.results.Shape(form(j.in))
	defer j.wanted.stop()
	defer j.guardSteps()()
	failure := statics.Run(j.wanted.ctx, s, solver.Observer{
		Row: output(j.results.Row), Frame: output(j.results.Frame), Contact: output(j.results.Contact), Tick: func() { j.log.progress(s) },
		Checkpoint: func(needed bool) error { return output(func() error { return j.checkpoint(needed) })() },
		Asked:      func() bool { j.wanted.rest(); j.asked = j.wanted.asked(); return j.asked || j.fresh },
	})
	j.log.clear()
	interrupted := errors.Is(failure, context.Canceled)
	if err := j.checkpoints.Wait(); err != nil && (failure == nil || interrupted) {
		failure, interrupted = &outputError{err}, false
	}
	if failure != nil && !interrupted {
		return j.fail(failure)
	}
	status := "done"
	if interrupted {
		status = "interrupted"
	}
	sum, err := j.results.Close(status, failure)
	if err != nil {
		return j.fail(&outputError{err})
	}
	if j.profile {
		j.log.profile(s)
	}
	j.log.summary(sum, s, j.dir)
	if j.json {
		if err := writeJSON(c.OutOrStdout(), sum); err != nil {
			return err
		}
	}
	if interrupted {
		return &exitError{exitInterrupted, fmt.Errorf("stopped at t = %.6g s of %.6g s; continue with fdem resume %s", s.Time, s.Duration, j.dir)}
	}
	return nil
}

// checkpoint writes a checkpoint. It writes none if the last one is still being written
// and the next one will do.
func (j *job) checkpoint(needed bool) error {
	if err := j.sameState(); err != nil {
		return err
	}
	ready, err := j.checkpoints.Ready(needed)
	if err != nil || !ready {
		return err
	}
	mark, sync, err := j.results.Mark()
	if err != nil {
		return err
	}
	s := j.solver
	j.fresh = false
	h := checkpoint.Header{
		Program: version(), Title: s.Title, Step: s.N, Time: s.Time, Duration: s.Duration,
		Deck: j.deck, Mesh: j.mesh, Laws: j.laws, Results: mark,
	}
	if err := j.checkpoints.Write(h, s.Parts(), sync); err != nil {
		return err
	}
	if j.asked {
		j.asked = false
		if err := j.checkpoints.Wait(); err != nil {
			return err
		}
		j.log.printf("requested checkpoint: %s, t = %.6g s", j.checkpoints.Last(), s.Time)
	}
	return nil
}

// fail closes the results of a run that failed, with a frame of the bad state, unless
// writing has failed.
func (j *job) fail(failure error) error {
	var writing *outputError
	var unsettled *solver.NotConvergedError
	var tail string
	var lost error // of the last row
	switch {
	case errors.As(failure, &writing):
	case errors.As(failure, &unsettled): // both frames are written
		tail = "; the bad state is in " + j.results.LastFrame() + ", the last state in equilibrium in the frame before"
	default:
		lost = j.results.Row()
		err := j.results.Frame()
		if s := j.solver; s.OwnContactInterval {
			err = errors.Join(err, j.results.Contact())
		}
		if err = errors.Join(err, j.results.Wait()); err == nil {
			tail = "; the bad state is in " + j.results.LastFrame()
		}
	}
	if _, err := j.results.Close("failed", failure); writing == nil && cmp.Or(lost, err) != nil {
		tail += fmt.Sprintf("; the results are incomplete: %v", cmp.Or(lost, err))
	}
	if last := j.checkpoints.Last(); last != "" {
		if f, err := checkpoint.Open(last); err == nil {
			tail += fmt.Sprintf("; the last checkpoint is %s, t = %.6g s", last, f.Time)
		}
	}
	j.log.printf("failed: %v%s", failure, tail)
	if writing != nil {
		return &exitError{exitFailed, fmt.Errorf("the results in %s cannot be written: %s%s", j.dir, strings.ReplaceAll(failure.Error(), "\n", "; "), tail)}
	}
	return &exitError{exitFailed, fmt.Errorf("%s: %w%s", j.in.deckPath, failure, tail)}
}
