package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"fdem/io/checkpoint"
	"fdem/io/lawtables"
	"fdem/io/results"
	"fdem/ranks"
	"fdem/solver"

	"github.com/spf13/cobra"
)

type runOptions struct {
	jobOptions
	deck  string
	force bool
	set   []string
}

func newRunCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run MODEL",
		Short: "Simulate a model: a Gmsh mesh with its deck beside it, or a deck",
		Long: `Simulate a model. MODEL is a Gmsh mesh, with the deck of the same name beside
it, or a deck that names its mesh. Results go to <name>.out: open fields.pvd
in ParaView, history.csv in a spreadsheet.`,
		Example:           "  fdem run examples/elastic-collision/elastic-collision.msh\n  fdem run model.toml -o results --until '50 us'\n  fdem run model.toml -o soft.out --set 'material.rock.young=20 GPa' --set analysis.safety=0.5",
		Args:              exactly("MODEL"),
		ValidArgsFunction: completeFiles("msh", "inp", "toml"),
		RunE:              func(c *cobra.Command, args []string) error { return run(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.deck, "deck", "", "the deck, if it is not beside the mesh")
	f.StringArrayVar(&o.set, "set", nil, "change a key of the deck, key=value; may be repeated")
	f.BoolVar(&o.force, "force", false, "overwrite an existing results folder")
	o.addTo(c, "results folder (default <stem>.out)", "end at this time instead of the deck's duration")
	return c
}

// jobOptions are the flags that run and resume have in common.
type jobOptions struct {
	out, untilText string
	threads        int
	json, quiet    bool
	profile        bool          // print at the end how the time was spent
	hung           time.Duration // time without a step after which ranks give up
	large          bool          // results may be larger than affordable allows
	patient        bool          // more signals do not end it at once
	tied           bool          // the run ends with the program that started it
}

// longHung is the default of --hung.
const longHung = 10 * time.Minute

// addTo gives a command the flags; output and until are the help texts of two of them.
func (o *jobOptions) addTo(c *cobra.Command, output, until string) {
	f := c.Flags()
	f.StringVarP(&o.out, "output", "o", "", output)
	f.StringVar(&o.untilText, "until", "", until)
	f.IntVar(&o.threads, "threads", 0, "number of workers, which never changes the results (default: the fastest as measured, at most the number of cores)")
	f.BoolVar(&o.json, "json", false, "print the summary as JSON on standard output")
	f.BoolVar(&o.profile, "profile", false, "print at the end how the time was spent and what limited the time step")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print nothing but errors and warnings")
	f.BoolVar(&o.large, "large", false, "allow more than 10,000 frames or 20 GB of results")
	new(profiles).addTo(c)
	f.DurationVar(&o.hung, "hung", longHung, "under mpirun: give up if no step is done for this time")
	// For a program that starts this one. It passes on signals that may have arrived
	// already, and the run must end with it.
	f.BoolVar(&o.patient, "patient", false, "finish the checkpoint even if more signals arrive")
	f.BoolVar(&o.tied, "tied", false, "stop with a checkpoint when standard input ends")
	for _, name := range []string{"patient", "tied"} {
		if err := f.MarkHidden(name); err != nil {
			panic(err)
		}
	}
}

// tablesBeside returns the folder, beside a results folder or a model, of the tables of
// laws that are slow to build. The next run finds them there.
func tablesBeside(path string) string {
	return filepath.Join(filepath.Dir(filepath.Clean(path)), "law-tables")
}

func run(c *cobra.Command, path string, o runOptions) error {
	in, dir, err := o.read(c, path)
	if err != nil {
		return err
	}
	s, err := solver.New(in.model)
	if err != nil {
		return in.locate(err)
	}
	computed, err := in.curves(s)
	if err != nil {
		return err
	}
	if err := o.allows(in, s); err != nil {
		return err
	}
	if err := in.held(s); err != nil {
		return err
	}
	j := &job{jobOptions: o.jobOptions, in: in, solver: s, dir: dir, text: in.text}
	j.chooseWorkers(o.threads)
	if ranks.Size > 1 {
		if j.deck, j.mesh, err = in.hashes(); err != nil {
			return err
		}
		if follows, err := j.follows(); follows || err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &exitError{exitFailed, err}
	}
	if err := j.lock(dir); err != nil {
		return err
	}
	defer j.release()
	if err := results.Check(dir, o.force); err != nil { // again, since another program may have taken the folder meanwhile
		return err
	}
	if err := in.outside(dir); err != nil {
		return err
	}
	if err := j.prepare(); err != nil {
		return &exitError{exitFailed, err}
	}
	if err := j.openLog(c, o.quiet, os.O_TRUNC); err != nil {
		return &exitError{exitFailed, err}
	}
	defer j.log.close()
	j.announce()
	if j.results, err = results.Open(dir, version(), s, computed); err != nil {
		return &exitError{exitFailed, err}
	}
	j.checkpoints = checkpoint.NewWriter(filepath.Join(dir, "checkpoints"), "")
	return j.simulate(c)
}

// read reads the model of a run, as the flags change it, and names its results folder.
func (o *runOptions) read(c *cobra.Command, path string) (in *input, dir string, err error) {
	if err := checkThreads(o.threads); err != nil {
		return nil, "", err
	}
	if o.out != "" {
		if err := usable(o.out); err != nil {
			return nil, "", err
		}
		if err := lawtables.Read(tablesBeside(o.out)); err != nil {
			return nil, "", err
		}
	}
	if in, err = readChanged(path, o.deck, o.set); err != nil {
		return nil, "", err
	}
	if err := in.shareable(); err != nil {
		return nil, "", err
	}
	if c.Flags().Changed("until") {
		until, err := positiveTime("--until", o.untilText)
		if err != nil {
			return nil, "", err
		}
		in.deck.Until(in.model, until)
	}
	dir = cmp.Or(o.out, in.stem+".out")
	return in, dir, results.Check(dir, o.force)
}

// allows returns an error for a run that would take too many steps, or too much disk
// space or memory.
func (o *runOptions) allows(in *input, s *solver.Solver) error {
	if err := checkSteps(in, s, o.untilText != ""); err != nil {
		return err
	}
	if err := affordable(in, s, o.large); err != nil {
		return err
	}
	return fits(s)
}

// prepare writes the inputs of a run to its results folder.
func (j *job) prepare() error {
	if err := results.Prepare(j.dir); err != nil {
		return err
	}
	if err := lawtables.Write(tablesBeside(j.dir)); err != nil {
		return err
	}
	return j.keepInput()
}

// announce logs the model and the settings of the run.
func (j *job) announce() {
	in, s := j.in, j.solver
	j.log.printf("fdem %s: %s", version(), orStem(in.model.Title, in.stem))
	for _, w := range in.warned(s) {
		j.log.printf("warning: %s", w)
	}
	if s.Static != nil {
		j.log.printf("%s; static, increments of %.4g of the load up to %.4g", sizes(s), s.Static.Increment, s.Duration)
	} else {
		j.log.printf("%s; %.4g s in steps of %.4g s", sizes(s), s.Duration, s.Limit)
		if cost := s.DampingCost(); cost != "" {
			j.log.printf("%s", cost)
		}
	}
	j.announceRanks()
	for _, line := range begins(s) {
		j.log.printf("%s", line)
	}
	for i := range in.model.Contacts {
		if k := &in.model.Contacts[i]; k.Factor > 0 {
			j.log.printf("contact %s: %s", k.Name, found(k))
		}
		if to := contactRemainder(in.model.Contacts, i); to != "" {
			j.log.printf("contact %s", to)
		}
	}
}

// announceRanks logs the part of each rank.
func (j *job) announceRanks() {
	if ranks.Size > 1 {
		shares := j.solver.PredictShare(ranks.Size)
		j.log.printf("%s", &shares)
	}
}

// follows runs a rank other than the first to the end of the run, and tells whether this
// is such a rank.
func (j *job) follows() (bool, error) {
	if ranks.Size == 1 {
		return false, nil
	}
	rest := j.guardSteps() // also a rank that hangs while it reads
	err := j.sameBuild()
	rest()
	if err != nil {
		return false, err
	}
	if ranks.Rank == 0 {
		return false, nil
	}
	return true, j.follow()
}

// maxThreads bounds --threads.
const maxThreads = 1024

func checkThreads(n int) error {
	if n < 0 || n > maxThreads {
		return fmt.Errorf("--threads must lie between 1 and %d, got %d", maxThreads, n)
	}
	return nil
}

// maxSteps is the greatest number of steps of a run. A small model takes more than a year
// for them.
const maxSteps = 1e13

// checkSteps returns an error for a run of more than maxSteps steps.
func checkSteps(in *input, s *solver.Solver, asked bool) error {
	steps := (s.Duration - s.Time) / s.Limit
	if s.Static != nil || steps <= maxSteps {
		return nil
	}
	why := fmt.Sprintf("%.3g s in steps of %.3g s are %.3g steps, more than %g: give a shorter duration, or coarser or softer elements", s.Duration, s.Limit, steps, maxSteps)
	if asked {
		return errors.New("--until: " + why)
	}
	return in.deck.ErrorAt("analysis.duration", "analysis: %s", why)
}

// fits returns an error for a run that would take more memory than there is.
func fits(s *solver.Solver) error {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	need := float64(s.Bytes())
	if free, of := availableMemory(); need-float64(now.HeapSys) > free {
		return &exitError{exitFailed, fmt.Errorf("out of memory: the run needs about %s, and %s leaves %s: take a coarser mesh", amount(need), of, amount(max(0, free)+float64(now.HeapSys)))}
	}
	return nil
}

// sizes returns the numbers of elements, bodies and contacts of a model as text.
func sizes(s *solver.Solver) string {
	var parts []string
	s.Counts(func(n int, of string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, of))
		}
	})
	return strings.Join(parts, ", ")
}

func orStem(title, stem string) string {
	if title != "" {
		return title
	}
	return stem
}
