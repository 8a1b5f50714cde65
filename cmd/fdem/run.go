package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"fdem/io/report"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/solver"

	"github.com/spf13/cobra"
)

type runOptions struct {
	deck, out   string
	untilText   string
	force       bool
	threads     int
	json, quiet bool
}

func newRunCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run MODEL",
		Short: "Simulate a model: a Gmsh mesh with its deck beside it, or a deck",
		Long: `Simulate a model. MODEL is a Gmsh mesh, with the deck of the same stem beside
it, or a deck that names its mesh. Results go to <stem>.out: open fields.pvd
in ParaView, history.csv in anything.`,
		Example:           "  fdem run examples/elastic-collision/elastic-collision.msh\n  fdem run model.toml -o results --until '50 us'",
		Args:              exactly("MODEL"),
		ValidArgsFunction: completeFiles("msh", "toml"),
		RunE:              func(c *cobra.Command, args []string) error { return run(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.deck, "deck", "", "the deck, where it is not beside the mesh")
	f.StringVarP(&o.out, "output", "o", "", "results folder (default <stem>.out)")
	f.StringVar(&o.untilText, "until", "", "end at this time instead of the deck's duration")
	f.IntVar(&o.threads, "threads", 0, "workers that share each step; they never change the results (default: what measures fastest, at most the cores)")
	f.BoolVar(&o.force, "force", false, "overwrite an existing results folder")
	f.BoolVar(&o.json, "json", false, "print the summary as JSON on standard output")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print nothing but errors")
	return c
}

// tablesBeside names the folder, beside a results folder or a model, of the
// tables of laws that are dear to build: the next run finds them there.
func tablesBeside(path string) string {
	return filepath.Join(filepath.Dir(filepath.Clean(path)), "law-tables")
}

// maxThreads bounds --threads.
const maxThreads = 1024

func run(c *cobra.Command, path string, o runOptions) error {
	if o.threads < 0 || o.threads > maxThreads {
		return fmt.Errorf("--threads must lie between 1 and %d, got %d", maxThreads, o.threads)
	}
	if o.out != "" {
		if err := contact.ReadTables(tablesBeside(o.out)); err != nil {
			return err
		}
	}
	in, err := read(path, o.deck)
	if err != nil {
		return err
	}
	if o.untilText != "" {
		if in.model.Duration, err = positiveTime("--until", o.untilText); err != nil {
			return err
		}
	}
	dir := o.out
	if dir == "" {
		dir = in.stem + ".out"
	}
	if err := report.Check(dir, o.force); err != nil {
		return err
	}
	s, err := solver.New(in.model)
	if err != nil {
		return fmt.Errorf("%s: %w", in.deckPath, err)
	}
	if o.threads > 0 {
		s.Share(o.threads)
	} else {
		s.Tune(runtime.GOMAXPROCS(0))
	}
	deckText, err := os.ReadFile(in.deckPath)
	if err != nil {
		return err
	}
	if err := report.Prepare(dir); err != nil {
		return &exitError{exitFailed, err}
	}
	if err := contact.WriteTables(tablesBeside(dir)); err != nil {
		return &exitError{exitFailed, err}
	}
	if err := os.WriteFile(filepath.Join(dir, "deck.toml"), deckText, 0o644); err != nil { // for those who look at the results
		return &exitError{exitFailed, err}
	}
	screen := c.ErrOrStderr()
	if o.quiet {
		screen = io.Discard
	}
	log, err := newTerminal(screen, dir)
	if err != nil {
		return &exitError{exitFailed, err}
	}
	defer log.close()
	s.Note = log.printf
	log.printf("fdem %s: %s", version(), orStem(in.model.Title, in.stem))
	for _, w := range in.warnings {
		log.printf("warning: %s", w)
	}
	log.printf("%s, %d nodes, %d contact nodes%s; %.4g s in steps of %.4g s", elements(s.Mesh), len(s.Mesh.X)-len(s.Mesh.Faces), s.ContactNodes(), counted(len(s.Particles.X)), s.Duration, s.Limit)
	results, err := report.Open(dir, version(), s)
	if err != nil {
		return &exitError{exitFailed, err}
	}
	ctx, stop := signals(log)
	defer stop()
	failure := s.Run(ctx, solver.Output{Row: results.Row, Frame: results.Frame, Tick: func() { log.progress(s) }})
	log.clear()
	status := "done"
	switch {
	case errors.Is(failure, context.Canceled):
		status = "interrupted"
	case failure != nil:
		status = "failed"
		// the bad state, for looking at; the failure is what matters
		_ = results.Row()
		_ = results.Frame()
	}
	sum, err := results.Close(status, failure)
	switch {
	case status == "failed":
		log.printf("failed: %v", failure)
		return &exitError{exitFailed, fmt.Errorf("%s: %w; the state is in %s", in.deckPath, failure, dir)}
	case err != nil:
		return &exitError{exitFailed, err}
	}
	log.summary(sum, dir)
	if o.json {
		enc := json.NewEncoder(c.OutOrStdout())
		enc.SetIndent("", "  ")
		if err := enc.Encode(sum); err != nil {
			return &exitError{exitFailed, err}
		}
	}
	if status == "interrupted" {
		return &exitError{exitInterrupted, fmt.Errorf("stopped at t = %.6g s of %.6g s; this version cannot resume a run", s.Time, s.Duration)}
	}
	return nil
}

// signals ends the returned context at the first Ctrl-C or SIGTERM, and the
// program at the second.
func signals(log *terminal) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		s, ok := <-ch
		if !ok {
			return
		}
		log.printf("%v: finishing the step; once more to leave at once", s)
		cancel()
		if s, ok = <-ch; ok {
			if n, isNumber := s.(syscall.Signal); isNumber {
				os.Exit(128 + int(n))
			}
			os.Exit(exitFailed)
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		close(ch)
		cancel()
	}
}

// counted names a number of particles where there are any.
func counted(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d particles", n)
}

// elements says how many elements of which kind a mesh has.
func elements(m *mesh.Mesh) string {
	switch {
	case len(m.Beams) == 0:
		return fmt.Sprintf("%d triangles", len(m.Triangles))
	case len(m.Triangles) == 0:
		return fmt.Sprintf("%d beam elements", len(m.Beams))
	}
	return fmt.Sprintf("%d triangles, %d beam elements", len(m.Triangles), len(m.Beams))
}

func orStem(title, stem string) string {
	if title != "" {
		return title
	}
	return stem
}
