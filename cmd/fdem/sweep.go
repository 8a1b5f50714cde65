package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"fdem/io/deck"
	"fdem/io/lock"
	"fdem/io/results"
	"fdem/io/study"
	"fdem/io/whole"
	"fdem/solver"

	"github.com/spf13/cobra"
)

type sweepOptions struct {
	out, engine                 string
	jobs, one                   int
	retry, fresh, dryRun, quiet bool
	sbatch                      []string
}

func newSweepCommand() *cobra.Command {
	var o sweepOptions
	c := &cobra.Command{
		Use:   "sweep STUDY.toml",
		Short: "Run a deck many times with different values, and collect the results",
		Long: `Run a study: a base deck, the parameters to vary (a grid, a list, a Latin
hypercube; also of the mesh, by a template), and the quantities to collect from
summary.json and history.csv. docs/sweep.md describes the file.

Every case has its own folder in <STUDY>.sweep/cases, with its deck, its results and
its log. Cases run in parallel, one core each. A case that fails is
recorded, and the study goes on. A study that is started again continues where it stopped:
finished cases stay, an interrupted case continues from its checkpoint, and a case
whose deck has changed starts again; --retry also runs those that failed. At
the end, results.csv has a row for each case, and every quantity has a picture: a
curve over one parameter, a map over two.

--engine slurm runs the cases as a job array of the batch system Slurm. It
writes array.sh, submits it with sbatch, waits for it and collects. A job that is
stopped or requeued continues from its checkpoint. --dry-run shows the cases, or
the script, and runs nothing.`,
		Example: `  fdem sweep examples/restitution-study/restitution.study.toml
  fdem sweep restitution.study.toml --engine slurm --sbatch=--partition=short --sbatch=--time=30`,
		Args: exactly("STUDY.toml"),
		RunE: func(c *cobra.Command, args []string) error { return sweep(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVarP(&o.out, "output", "o", "", "the study's folder (default <STUDY>.sweep)")
	f.IntVarP(&o.jobs, "jobs", "j", 0, "number of cases that run at a time; 0 for the number of cores")
	f.BoolVar(&o.retry, "retry", false, "run the cases that failed, too")
	f.BoolVar(&o.fresh, "fresh", false, "delete earlier results and start again")
	f.StringVar(&o.engine, "engine", "local", "where the cases run: local or slurm")
	f.StringArrayVar(&o.sbatch, "sbatch", nil, "option for Slurm's sbatch, such as --sbatch=--time=30; may be repeated")
	f.BoolVar(&o.dryRun, "dry-run", false, "show the cases, or Slurm's script, and run nothing")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
	f.IntVar(&o.one, "case", 0, "run only this case and collect nothing, as a job of an array")
	return c
}

func sweep(c *cobra.Command, path string, o sweepOptions) error {
	if o.engine != "local" && o.engine != "slurm" {
		return fmt.Errorf("--engine must be local or slurm, got %q", o.engine)
	}
	if len(o.sbatch) > 0 && o.engine != "slurm" {
		return errors.New("--sbatch goes with --engine slurm")
	}
	if err := bounded("--jobs", o.jobs, 0, maxThreads); err != nil {
		return err
	}
	if o.jobs == 0 {
		o.jobs = runtime.GOMAXPROCS(0)
	}
	if o.out == "" {
		o.out = study.Stem(path) + ".sweep"
	}
	if err := usable(o.out); err != nil {
		return err
	}
	s, err := study.New(path, o.out)
	if err != nil {
		return err
	}
	if err := collectable(s); err != nil {
		return err
	}
	fdem, err := os.Executable()
	if err != nil {
		return &exitError{exitFailed, err}
	}
	if err := s.Sound(); err != nil {
		return err
	}
	if o.one != 0 {
		return sweepOne(s, fdem, o.one)
	}
	if o.dryRun {
		if o.engine == "slurm" {
			script, err := s.Script(fdem, o.sbatch, s.Open())
			if err == nil {
				_, err = io.WriteString(c.OutOrStdout(), script)
			}
			return err
		}
		return listCases(c.OutOrStdout(), s)
	}
	if o.engine == "slurm" {
		if _, err := s.Script(fdem, o.sbatch, s.Open()); err != nil {
			return err
		}
	}
	release, err := lockSweep(s, o.engine == "local")
	if err != nil {
		return &exitError{exitFailed, err}
	}
	defer release()
	if err := prepareSweep(s, o); err != nil {
		return &exitError{exitFailed, err}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	screen := newStudyScreen(c.ErrOrStderr(), o.quiet)
	if o.engine == "slurm" {
		err = s.Submit(ctx, fdem, o.sbatch, screen.update)
	} else {
		err = s.RunAll(ctx, fdem, o.jobs, screen.update)
	}
	screen.end()
	if err != nil {
		return &exitError{exitFailed, err}
	}
	return collect(c.OutOrStdout(), s, ctx.Err() != nil)
}

// collectable fails if a quantity needs a column of the history that runs of the base
// deck do not have. Cases with values that are texts, such as names of laws, may have
// other columns; if the base deck does not run by itself, the cases report it.
func collectable(s *study.Study) error {
	asks := func(q deck.StudyQuantity) bool { return q.History != "" && !q.Optional }
	texts := func(p deck.StudyParameter) bool { return len(p.Texts) > 0 }
	if !slices.ContainsFunc(s.Quantities, asks) || slices.ContainsFunc(s.Parameters, texts) {
		return nil
	}
	in, err := read(s.Deck, "")
	if err != nil {
		return nil
	}
	of, err := solver.New(in.model)
	if err != nil {
		return nil
	}
	computed, err := in.curves(of)
	if err != nil {
		return nil
	}
	names := results.Columns(of)
	for _, k := range computed.Curves {
		names = append(names, k.Name)
	}
	for i := range s.Quantities {
		if q := &s.Quantities[i]; asks(*q) && !slices.Contains(names, q.History) {
			return q.ErrorAt("history", "history.csv has no column %q: there are %s", q.History, strings.Join(names, ", "))
		}
	}
	return nil
}

// lockSweep keeps other sweeps out of the study's folder. It fails if a case that will
// run here is still running after checkpointTimeout.
func lockSweep(s *study.Study, local bool) (release func(), err error) {
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return nil, err
	}
	if release, err = lock.Folder(s.Dir); err != nil || !local {
		return release, err
	}
	began := time.Now()
	for _, c := range s.Cases {
		err := s.Free(c)
		for ; held(err) && time.Since(began) < checkpointTimeout; err = s.Free(c) {
			time.Sleep(checkpointTimeout / 200)
		}
		if err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// checkpointTimeout is the time that the cases of a killed sweep may take to write their
// checkpoints.
const checkpointTimeout = 5 * time.Second

// held tells whether another program has locked a folder.
func held(err error) bool {
	var h *lock.HeldError
	return errors.As(err, &h)
}

// prepareSweep writes the folders of the cases.
func prepareSweep(s *study.Study, o sweepOptions) error {
	if o.fresh {
		for _, c := range s.Cases {
			if err := s.Free(c); err != nil {
				return err
			}
		}
		if err := os.RemoveAll(filepath.Join(s.Dir, "cases")); err != nil {
			return err
		}
	}
	if err := s.Write(); err != nil {
		return err
	}
	if o.retry {
		for _, c := range s.Cases {
			if err := s.Remove(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// sweepOne runs one case, as a job of an array.
func sweepOne(s *study.Study, fdem string, number int) error {
	if number < 1 || number > len(s.Cases) {
		return fmt.Errorf("--case must lie between 1 and %d, got %d", len(s.Cases), number)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o, err := s.Run(ctx, fdem, s.Cases[number-1])
	switch {
	case err != nil:
		return &exitError{exitFailed, err}
	case o.Status == study.Interrupted:
		study.Requeue()
		return &exitError{exitInterrupted, fmt.Errorf("case %d was stopped: start it again", number)}
	case o.Status == study.Failed:
		return &exitError{exitFailed, fmt.Errorf("%s: %s", s.String(s.Cases[number-1]), o.Error)}
	}
	return nil
}

// listCases prints the cases and their outcomes.
func listCases(out io.Writer, s *study.Study) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "case")
	for _, p := range s.Parameters {
		fmt.Fprintf(w, "\t%s", p.Name)
		if p.Unit != "" {
			fmt.Fprintf(w, " [%s]", p.Unit)
		}
	}
	fmt.Fprintln(w, "\tstatus")
	for _, c := range s.Cases {
		fmt.Fprintf(w, "%d\t%s\t%s\n", c.Number, strings.Join(c.Texts, "\t"), c.Outcome().Status)
	}
	return w.Flush()
}

// collect writes the table and the pictures, and reports the outcome of the study.
func collect(out io.Writer, s *study.Study, interrupted bool) error {
	rows := s.Collect()
	table := filepath.Join(s.Dir, "results.csv")
	if err := whole.Write(table, func(out io.Writer) error { return s.WriteTable(out, rows) }); err != nil {
		return &exitError{exitFailed, err}
	}
	said, err := collectMore(s, rows)
	if err != nil {
		return &exitError{exitFailed, err}
	}
	count := map[string]int{}
	for _, r := range rows {
		count[r.Status]++
		if r.Status == study.Failed {
			fmt.Fprintf(out, "failed: %s: %s\n", s.String(r.Case), strings.ReplaceAll(r.Error, "\n", "; "))
		}
	}
	waiting := len(rows) - count[study.Done] - count[study.Failed]
	fmt.Fprintf(out, "%d cases: %d done, %d failed, %d to run\n%s\n", len(rows), count[study.Done], count[study.Failed], waiting, table)
	for _, line := range said {
		fmt.Fprintln(out, line)
	}
	if count[study.Done] > 0 {
		paths, err := drawStudy(s, rows)
		for _, p := range paths {
			fmt.Fprintln(out, p)
		}
		if err != nil {
			return &exitError{exitFailed, err}
		}
	}
	switch {
	case interrupted:
		return &exitError{exitInterrupted, fmt.Errorf("stopped with %d cases left: run the same command to continue", waiting)}
	case count[study.Done] == 0:
		return &exitError{exitFailed, errors.New("no case succeeded")}
	}
	return nil
}

// collectMore writes the means and standard deviations if a parameter only repeats cases,
// and the envelopes, and returns messages about them.
func collectMore(s *study.Study, rows []study.Row) (said []string, err error) {
	if s.Repeats() {
		path := filepath.Join(s.Dir, "statistics.csv")
		if err := whole.Write(path, func(out io.Writer) error { return s.WriteStatistics(out, rows) }); err != nil {
			return nil, err
		}
		said = append(append(said, path), s.Statistics(rows)...)
	}
	if len(s.Envelopes) > 0 {
		path, fitted := filepath.Join(s.Dir, "envelope.csv"), s.Fit(rows)
		if err := whole.Write(path, func(out io.Writer) error { return study.WriteEnvelopes(out, fitted) }); err != nil {
			return nil, err
		}
		said = append(said, path)
		for i := range fitted {
			said = append(said, fitted[i].String())
		}
	}
	return said, nil
}

// studyScreen shows the progress of a study: one line that is redrawn on a terminal, a
// line every ten seconds elsewhere.
type studyScreen struct {
	mu    sync.Mutex
	out   io.Writer
	live  *progressLine
	plain bool
	last  time.Time
}

func newStudyScreen(out io.Writer, quiet bool) *studyScreen {
	return &studyScreen{out: out, live: newProgressLine(out, quiet), plain: !quiet && !isTerminal(out), last: time.Now()}
}

func (t *studyScreen) update(p study.Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := fmt.Sprintf("%d of %d cases done, %d failed, %d running", p.Done, p.Of, p.Failed, p.Running)
	if p.Left > 0 {
		line += fmt.Sprintf(", %s left", howLong(p.Left, time.Second))
	}
	t.live.show("%s", line)
	if t.plain && time.Since(t.last) >= 10*time.Second {
		t.last = time.Now()
		fmt.Fprintln(t.out, line)
	}
}

func (t *studyScreen) end() { t.live.clear() }
