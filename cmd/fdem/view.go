package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"fdem/benchmarks"
	"fdem/io/view"
	"fdem/io/view/preview"
	"fdem/solver"
	"fdem/solver/contacts"

	"github.com/spf13/cobra"
)

func newViewCommand() *cobra.Command {
	var port int
	var open bool
	c := &cobra.Command{
		Use:   "view DIR...|MODEL",
		Short: "Show a results folder in the browser, also during the run, or a model before it",
		Long: `Serve a page that shows a results folder: the mesh in motion, the history, the
contact pressures, deck and summary. The page follows a running simulation and
is for browsers on this machine only. Ctrl-C ends it. Of a run that goes on it also
prints an address with a token, whose page can pause, continue and stop the run, and
ask for a checkpoint.

A deck (model.toml) is shown as it is before a run: bodies by material, the quality of
the mesh, groups under the pointer, supports, drives, loads, springs, joints, contacts
and what fdem check says, each line with its place. The page follows the files as they
are edited. A mesh or a model's folder is shown so where it has no results yet.

Of several folders the first is shown, and the histories of all are drawn together;
the address ends in beside for all of them side by side.`,
		Example:           "  fdem view examples/elastic-collision/elastic-collision.out --open\n  fdem view examples/elastic-collision/elastic-collision.toml",
		Args:              someFolders,
		ValidArgsFunction: completeFolder,
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return serve(ctx, c, args, port, open)
		},
	}
	c.Flags().IntVar(&port, "port", 0, "port to listen on (default: a free one)")
	c.Flags().BoolVar(&open, "open", false, "open the page in the browser")
	return c
}

func serve(ctx context.Context, c *cobra.Command, paths []string, port int, open bool) (err error) {
	source, shown, err := sourceOf(paths)
	if err != nil {
		return err
	}
	if p, is := source.(*preview.Preview); is {
		defer func() { err = errors.Join(err, p.Close()) }()
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("--port: %w", err)
	}
	url := "http://" + l.Addr().String() + "/"
	fmt.Fprintf(c.OutOrStdout(), "%s shows %s; Ctrl-C ends it\n", url, shown)
	var control *view.Control
	if f, is := source.(*view.Folder); is && f.Meta().Live {
		control = view.NewControl(shown)
		url += "?token=" + control.Token
		fmt.Fprintf(c.OutOrStdout(), "%s can pause, continue and stop the run, too, and ask for a checkpoint\n", url)
	}
	if open {
		browse(url, func(err error) {
			fmt.Fprintf(c.ErrOrStderr(), "no browser opened (%v): open %s in one on this machine\n", err, url)
		})
	}
	reported := ""
	return view.Serve(ctx, l, source, control, func(err error) {
		if err.Error() != reported {
			reported = err.Error()
			fmt.Fprintf(c.ErrOrStderr(), "fdem: %v\n", err)
		}
	})
}

// sourceOf returns what paths show: results, or a model before its run, and its name.
func sourceOf(paths []string) (view.Source, string, error) {
	if len(paths) > 1 {
		dirs, err := findAll(paths)
		if err != nil {
			return nil, "", err
		}
		all, err := view.Together(dirs)
		return all, strings.Join(dirs, ", ") + " (side by side: add beside)", err
	}
	path := paths[0]
	dir, err := path, error(nil)
	if filepath.Ext(path) != ".toml" {
		dir, err = findResults(path)
	}
	if model, found := findModel(path); filepath.Ext(path) == ".toml" || err != nil && found == nil && exists(path) {
		p, err := previewOf(model)
		return p, model, err
	}
	if err != nil {
		return nil, "", err
	}
	f, err := view.Open(dir)
	return f, dir, err
}

// browse opens a page in the user's browser. failed is called where that is not possible,
// also later, where the command that opens it fails.
func browse(url string, failed func(error)) {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		failed(err)
		return
	}
	go func() {
		if err := cmd.Wait(); err != nil {
			failed(fmt.Errorf("%s: %w", name, err))
		}
	}()
}

// previewOf opens a model to be shown before its run.
func previewOf(path string) (*preview.Preview, error) {
	return preview.Open([]string{path}, func() (*preview.Read, error) { return readPreview(path) })
}

// readPreview reads a model as check does.
func readPreview(path string) (*preview.Read, error) {
	began := benchmarks.ProcessorTime()
	in, err := read(path, "")
	if err != nil {
		return nil, err
	}
	s, err := solver.New(in.model)
	var overlap *contacts.OverlapError
	if err != nil && !errors.As(err, &overlap) {
		return nil, in.locate(err)
	}
	computed, err := in.curves(s)
	if err != nil {
		return nil, err
	}
	var said bytes.Buffer
	writeModel(&said, in, s, computed, overlap == nil)
	r := &preview.Read{Title: orStem(in.model.Title, in.stem), Deck: in.deckPath, Solver: s}
	for _, file := range append([]string{in.deckPath, in.meshPath}, in.deck.Files...) {
		if file != "" {
			r.Files = append(r.Files, file)
		}
	}
	if overlap != nil {
		r.Said = append(r.Said, "error: "+in.locate(overlap).Error())
		r.Overlaps = true
	}
	r.Said = append(r.Said, lines(&said)...)
	if overlap == nil {
		r.Predict = func() []string { return predictedLines(in, began) }
	}
	return r, nil
}

// predictedLines returns what check predicts of a run, and what limits its steps.
func predictedLines(in *input, began float64) []string {
	var out bytes.Buffer
	s, err := solver.New(in.model) // one that has not begun
	if err != nil {
		return []string{"error: " + in.locate(err).Error()}
	}
	computed, err := in.curves(s)
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	if err := writePrediction(&out, in, s, computed, 1, began); err != nil {
		return append(lines(&out), "error: "+err.Error())
	}
	if limits := s.Profile().Limits; s.Static == nil && len(limits) > 0 {
		where := limits[0].Where
		if where != "" {
			where = ", " + where
		}
		fmt.Fprintf(&out, "the step is set by %s%s\n", limits[0].Name, where)
	}
	return lines(&out)
}

func lines(out *bytes.Buffer) []string {
	text := strings.TrimRight(out.String(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
