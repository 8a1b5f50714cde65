package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fdem/io/checkpoint"
	"fdem/io/deck"
	"fdem/io/guard"
	"fdem/io/lawtables"
	"fdem/io/results"
	"fdem/ranks"
	"fdem/solver"
	"fdem/solver/rayleigh"

	"github.com/spf13/cobra"
)

type resumeOptions struct {
	jobOptions
	set []string
}

func newResumeCommand() *cobra.Command {
	var o resumeOptions
	c := &cobra.Command{
		Use:   "resume DIR",
		Short: "Continue a run from the newest good checkpoint in its results folder",
		Long: `Continue a run from the newest undamaged checkpoint in its results folder. The results
are the same bits as without the interruption. Rows and frames that were
written after the checkpoint are deleted first. The model is the copy in the
results folder. --until extends a finished run.

-o starts a branch in another folder, with the results up to the checkpoint, and
--set changes keys of its deck: ` + strings.Join(deck.Changeable(), ", ") + `.`,
		Example: "  fdem resume model.out\n  fdem resume model.out --until '2 ms'\n  fdem resume model.out -o slower.out --set analysis.safety=0.4 --set contact.NAME.friction=0.2\n  fdem resume model.out -o softer.out --set 'material.steel.young=70 GPa' --set 'analysis.gravity=[0, -1.62]'",
		Args:    exactly("DIR"),
		RunE:    func(c *cobra.Command, args []string) error { return resume(c, args[0], o) },
	}
	c.Flags().StringArrayVar(&o.set, "set", nil, "change a key of the branch's deck, key=value; may be repeated")
	o.addTo(c, "start a branch in this folder instead", "end at this time instead")
	return c
}

func resume(c *cobra.Command, dir string, o resumeOptions) error {
	dir, err := o.folder(dir)
	if err != nil {
		return err
	}
	j := &job{jobOptions: o.jobOptions, dir: dir, release: func() {}}
	defer func() { j.release() }()
	if o.out == "" && exists(filepath.Join(dir, "checkpoints")) && ranks.Rank == 0 {
		if err := j.lock(dir); err != nil {
			return err
		}
	}
	f, skipped, err := checkpoint.Newest(filepath.Join(dir, "checkpoints"))
	if err != nil {
		return fmt.Errorf("%s cannot be resumed: %w", dir, err)
	}
	if err := j.rebuild(dir, f, o); err != nil {
		return err
	}
	computed, err := j.in.curves(j.solver)
	if err != nil {
		return err
	}
	j.chooseWorkers(o.threads)
	if follows, err := j.follows(); follows || err != nil {
		return err
	}
	if o.out != "" {
		if err := j.branch(dir, f); err != nil {
			return notWritable(err)
		}
	}
	if j.results, err = results.Reopen(j.dir, version(), j.solver, computed, f.Results); err != nil {
		return notWritable(err)
	}
	folder := filepath.Join(j.dir, "checkpoints")
	if err := checkpoint.Clear(folder, f.Step); err != nil {
		return notWritable(err)
	}
	if err := j.openLog(c, o.quiet, os.O_APPEND); err != nil {
		return notWritable(err)
	}
	defer j.log.close()
	for _, err := range skipped {
		j.log.printf("warning: %v", err)
	}
	for _, gap := range j.results.Gaps {
		j.log.printf("warning: %s", gap)
	}
	j.log.printf("fdem %s continues from %s: step %d, t = %.6g s of %.6g s", version(), f.Path, j.solver.N, j.solver.Time, j.solver.Duration)
	j.announceRanks()
	for _, a := range o.set {
		j.log.printf("changed: %s", a)
	}
	if f.Program != version() {
		j.log.printf("warning: fdem %s wrote the checkpoint, and this version may not give the same bits", f.Program)
	}
	j.checkpoints = checkpoint.NewWriter(folder, f.Path)
	return j.simulate(c)
}

// folder returns the intended results folder, and fails if the flags do not go together.
func (o *resumeOptions) folder(dir string) (string, error) {
	if err := checkThreads(o.threads); err != nil {
		return "", err
	}
	if o.out != "" {
		if err := usable(o.out); err != nil {
			return "", err
		}
	}
	if len(o.set) > 0 && o.out == "" {
		return "", errors.New("--set goes with -o: results of a changed deck need a folder of their own")
	}
	if !exists(filepath.Join(dir, "checkpoints")) { // the model instead of its results
		if found, err := findResults(dir); err == nil {
			return found, nil
		}
	}
	return dir, nil
}

// rebuild sets the solver to the state of a checkpoint, with the model that the folder
// keeps, or as a branch changes it.
func (j *job) rebuild(dir string, f *checkpoint.File, o resumeOptions) error {
	if err := lawtables.Read(tablesBeside(dir)); err != nil {
		return err
	}
	if err := j.readKept(dir, f); err != nil {
		return err
	}
	if err := j.in.shareable(); err != nil {
		return err
	}
	j.in.deck.Until(j.in.model, f.Duration)
	if err := sameLaws(j.in, f); err != nil {
		return err
	}
	was, before := j.in, *j.in.model
	if o.out != "" {
		if err := j.change(dir, o); err != nil {
			return err
		}
	}
	if err := j.setEnd(o, f); err != nil {
		return err
	}
	var err error
	if j.solver, err = restore(j.in, f); err != nil {
		return err
	}
	j.solver.Recount(&before)
	if o.out != "" || o.untilText != "" {
		j.solver.Wake()
	}
	if o.untilText != "" || len(o.set) > 0 { // otherwise the limits of the run that is continued hold
		if err := affordable(j.in, j.solver, o.large); err != nil {
			return err
		}
	}
	if len(o.set) > 0 {
		gained, err := gain(was, j.in, f)
		if err != nil {
			return err
		}
		j.solver.Replan(gained)
	}
	return nil
}

// change reads the deck of a branch.
func (j *job) change(dir string, o resumeOptions) error {
	if err := results.Check(o.out, false); err != nil {
		return err
	}
	text, err := guard.Read(dir, "deck.toml", guard.Text)
	if err != nil {
		return err
	}
	if text, err = deck.Set(deckIn(dir), text, o.set); err != nil {
		return err
	}
	in := j.in
	if j.in, err = readWith(cmp.Or(in.meshPath, in.deckPath), deckOf(in), func(path string) (*deck.Deck, error) {
		return deck.ParseCopy(path, text, filepath.Join(dir, "checkpoints"))
	}); err != nil {
		return err
	}
	j.text, j.dir, j.fresh = text, o.out, true
	return nil
}

// deckOf returns the path of the deck, unless the deck is the model argument itself.
func deckOf(in *input) string {
	if in.meshPath == "" {
		return ""
	}
	return in.deckPath
}

// branch fills the new folder with the inputs and the results so far.
func (j *job) branch(dir string, f *checkpoint.File) error {
	if err := os.MkdirAll(j.dir, 0o755); err != nil {
		return err
	}
	if err := j.lock(j.dir); err != nil {
		return err
	}
	if err := results.Check(j.dir, false); err != nil {
		return err
	}
	if err := results.Branch(dir, j.dir, f.Results); err != nil {
		return err
	}
	return j.keepInput()
}

// notWritable gives an error of the system the status of a failed run. Other errors are
// bad input.
func notWritable(err error) error {
	var refused *fs.PathError
	if errors.As(err, &refused) && !errors.Is(err, fs.ErrNotExist) {
		return &exitError{exitFailed, err}
	}
	return err
}

// readKept reads the model that a results folder keeps and compares it with a checkpoint.
func (j *job) readKept(dir string, f *checkpoint.File) error {
	folder := filepath.Join(dir, "checkpoints")
	var all [][]byte
	for name := "deck.toml"; ; name = "checkpoints/" + deck.CopyName(len(all)-1) {
		data, err := guard.Read(dir, name, guard.Large)
		if errors.Is(err, fs.ErrNotExist) && len(all) > 0 {
			break
		} else if err != nil {
			return err
		}
		all = append(all, data)
	}
	if j.deck = hash(all...); j.deck != f.Deck {
		return fmt.Errorf("%s, with the files that it names, has changed since %s", deckIn(dir), f.Path)
	}
	kept := func(path string) (*deck.Deck, error) { return deck.ReadCopy(path, folder) }
	var err error
	if f.Mesh == "" { // no meshed body
		j.in, err = readWith(deckIn(dir), "", kept)
		return err
	}
	mesh, err := guard.Read(dir, "checkpoints/mesh.msh", guard.Large)
	if err != nil {
		return err
	}
	if j.mesh = hash(mesh); j.mesh != f.Mesh {
		return fmt.Errorf("%s has changed since %s", meshIn(dir), f.Path)
	}
	j.in, err = readWith(meshIn(dir), deckIn(dir), kept)
	return err
}

// untilOf returns the end of a run [s]: the present one, or the given one.
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

// setEnd sets the end of the run [s]: the given one, else that of the branch's deck, else
// the present one.
func (j *job) setEnd(o resumeOptions, f *checkpoint.File) error {
	if given := slices.ContainsFunc(o.set, func(a string) bool {
		key, _, _ := strings.Cut(a, "=")
		return strings.TrimSpace(key) == "analysis.duration"
	}); given && o.untilText == "" {
		if d := j.in.model.Duration; d < f.Time {
			return fmt.Errorf("--set analysis.duration must not be before %s, t = %g s, got %g s", f.Path, f.Time, d)
		}
		return nil
	}
	until, err := untilOf(o.untilText, f)
	if err == nil {
		j.in.deck.Until(j.in.model, until)
	}
	return err
}

// gain returns the energy [J] that a change of model puts into the state of a
// checkpoint.
func gain(was, is *input, f *checkpoint.File) (float64, error) {
	var residual [2]float64
	for i, in := range []*input{was, is} {
		s, err := restore(in, f)
		if err == nil {
			residual[i], err = s.StandingResidual()
		}
		if err != nil {
			return 0, err
		}
	}
	return residual[1] - residual[0], nil
}

// sameLaws fails if the laws of a model give other values than those with which the
// checkpoint was written.
func sameLaws(in *input, f *checkpoint.File) error {
	if laws := checkpoint.Laws(in.model); !slices.Equal(laws, f.Laws) {
		for i := range laws {
			if i < len(f.Laws) && laws[i] != f.Laws[i] {
				return fmt.Errorf("%s: the law of %q gives other values here: resume it with the fdem that wrote it, %s, on a machine of the same kind", f.Path, laws[i].Contact, f.Program)
			}
		}
		return fmt.Errorf("%s has %d laws, the model %d: resume it with the fdem that wrote it, %s", f.Path, len(f.Laws), len(laws), f.Program)
	}
	return nil
}

// restore makes a solver in the state of the checkpoint. Light damping stays as at the
// start of the run, whatever has been changed since.
func restore(in *input, f *checkpoint.File) (*solver.Solver, error) {
	rayleigh.KeepDamping(in.model, f.Has)
	s, err := solver.New(in.model)
	if err != nil {
		return nil, in.locate(err)
	}
	if err := f.Fill(s.Parts()); err != nil {
		if f.Program != version() {
			err = fmt.Errorf("%w; fdem %s wrote it, this is %s", err, f.Program, version())
		}
		return nil, err
	}
	if err := s.Restore(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return s, nil
}
