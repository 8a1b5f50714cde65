package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fdem/io/checkpoint"
	"fdem/io/report"
	"fdem/materials/contact"
	"fdem/solver"

	"github.com/spf13/cobra"
)

type resumeOptions struct {
	untilText   string
	threads     int
	json, quiet bool
	patient     bool
}

func newResumeCommand() *cobra.Command {
	var o resumeOptions
	c := &cobra.Command{
		Use:   "resume DIR",
		Short: "Go on with a run from the newest good checkpoint in its results folder",
		Long: `Go on with a run from the newest checkpoint in its results folder that is
whole, to the bit as if it had not been interrupted. Rows and frames that were
written after the checkpoint are dropped first. The model is the one that the
results folder keeps. --until prolongs a finished run.`,
		Example: "  fdem resume model.out\n  fdem resume model.out --until '2 ms'",
		Args:    exactly("DIR"),
		RunE:    func(c *cobra.Command, args []string) error { return resume(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.untilText, "until", "", "end at this time instead")
	f.IntVar(&o.threads, "threads", 0, "workers that share the triangles; they never change the results (default: by size, at most the cores)")
	f.BoolVar(&o.json, "json", false, "print the summary as JSON on standard output")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print nothing but errors")
	patientFlag(c, &o.patient)
	return c
}

func resume(c *cobra.Command, dir string, o resumeOptions) error {
	if err := checkThreads(o.threads); err != nil {
		return err
	}
	f, skipped, err := checkpoint.Newest(filepath.Join(dir, "checkpoints"))
	if err != nil {
		return fmt.Errorf("%s cannot be resumed: %w", dir, err)
	}
	if err := contact.ReadTables(tablesBeside(dir)); err != nil {
		return err
	}
	j := &job{dir: dir, json: o.json, patient: o.patient}
	if err := j.readKept(dir, f); err != nil {
		return err
	}
	if j.in.model.Duration, err = untilOf(o.untilText, f); err != nil {
		return err
	}
	if j.solver, err = restore(j.in, f); err != nil {
		return err
	}
	s := j.solver
	j.share(o.threads)
	if j.results, err = report.Reopen(dir, version(), s, f.Results); err != nil {
		return notWritable(err)
	}
	if err := checkpoint.Clear(filepath.Join(dir, "checkpoints"), f.Step); err != nil {
		return notWritable(err)
	}
	if err := j.openLog(c, o.quiet, os.O_APPEND); err != nil {
		return notWritable(err)
	}
	defer j.log.close()
	for _, err := range skipped {
		j.log.printf("warning: %v", err)
	}
	j.log.printf("fdem %s goes on from %s: step %d, t = %.6g s of %.6g s", version(), f.Path, s.N, s.Time, s.Duration)
	if f.Program != version() {
		j.log.printf("warning: fdem %s wrote the checkpoint; another version need not give the same bits", f.Program)
	}
	j.checkpoints = checkpoint.NewWriter(filepath.Join(dir, "checkpoints"), f.Path)
	return j.simulate(c)
}

// notWritable gives what the system refuses the status of a failed run; the
// rest is bad input.
func notWritable(err error) error {
	var refused *fs.PathError
	if errors.As(err, &refused) && !errors.Is(err, fs.ErrNotExist) {
		return &exitError{exitFailed, err}
	}
	return err
}

// readKept reads the model that a results folder keeps and holds it against a
// checkpoint.
func (j *job) readKept(dir string, f *checkpoint.File) error {
	deck, err := os.ReadFile(deckIn(dir))
	if err != nil {
		return err
	}
	if j.deck = hash(deck); j.deck != f.Deck {
		return fmt.Errorf("%s is not the deck of %s any more", deckIn(dir), f.Path)
	}
	mesh, err := os.ReadFile(meshIn(dir))
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.Mesh == "": // rigid bodies only
		j.in, err = read(deckIn(dir), "")
		return err
	case err != nil:
		return err
	}
	if j.mesh = hash(mesh); j.mesh != f.Mesh {
		return fmt.Errorf("%s is not the mesh of %s any more", meshIn(dir), f.Path)
	}
	j.in, err = read(meshIn(dir), deckIn(dir))
	return err
}

// untilOf returns where a run is to end: as it was, or as asked.
func untilOf(text string, f *checkpoint.File) (float64, error) {
	if text == "" {
		return f.Duration, nil
	}
	until, err := positiveTime("--until", text)
	if err == nil && until < f.Time {
		err = fmt.Errorf("--until must not be before %s, t = %g s, got %g s", f.Path, f.Time, until)
	}
	return until, err
}

// restore makes a solver that stands where the checkpoint was written.
func restore(in *input, f *checkpoint.File) (*solver.Solver, error) {
	s, err := solver.New(in.model)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.deckPath, err)
	}
	if laws := checkpoint.Laws(in.model); !slices.Equal(laws, f.Laws) {
		for i := range laws {
			if i < len(f.Laws) && laws[i] != f.Laws[i] {
				return nil, fmt.Errorf("%s: the law of contact %q answers differently here: resume it with the fdem that wrote it, %s, on a machine like the one that did", f.Path, laws[i].Contact, f.Program)
			}
		}
		return nil, fmt.Errorf("%s has %d contacts, the model %d", f.Path, len(f.Laws), len(laws))
	}
	if err := f.Fill(s.Parts()); err != nil {
		return nil, err
	}
	s.Restore()
	return s, nil
}
