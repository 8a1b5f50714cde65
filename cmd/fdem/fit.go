package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"fdem/io/deck"
	"fdem/io/guard"
	"fdem/io/tables"
	"fdem/io/view"
	"fdem/io/whole"
	"fdem/materials/contact"
	"fdem/materials/fit"

	"github.com/spf13/cobra"
)

type fitOptions struct {
	model, area, noise, out, name string
	fix, bounds                   []string
	samples, bootstrap, threads   int
	seed                          uint64
	force, json, quiet            bool
}

func newFitCommand() *cobra.Command {
	var o fitOptions
	c := &cobra.Command{
		Use:   "fit DATA.csv --model NAME",
		Short: "Fit a contact law to measured load-unload-reload histories",
		Long: `Fit a contact law to a measurement. DATA.csv has the columns "deflection" and
"pressure" or "force", with units in the header, "deflection [um],pressure
[MPa]", and rows in the order of measurement, which begins with a virgin
contact. Laws that depend on the rate use a column "rate". Where the text in
a column "history" changes, another virgin contact begins.

A Monte Carlo search draws samples from a box of parameters and keeps the best. These are
refined by least squares, with the law evaluated at the measured deflection. Noise may
be constant or proportional to the reading; "auto" takes the one under which the
data are likelier. --bounds gives the box, or else it follows from the data:
exponents from 0.05 to 2, and flexibilities that give 1/300 to 3 times
the greatest deflection at the greatest pressure. --bounds also limits the
refinement; the box from the data does not.

A parameter with a default keeps it unless --bounds gives a range. The unit in
--bounds may have a free parameter as exponent. The same seed gives the same
result, whatever the number of threads.

Results go to the folder <DATA>.fit: law.toml, the [[law]] block for a deck;
fit.json; data against fit as fit.png and fit.svg.`,
		Example: `  fdem fit press.csv --model kostek
  fdem fit press.csv --model kostek --fix m_e=0.5 --fix m_ep=0.5 --bounds "e_p=0.1:2 um/MPa^m_p"
  fdem fit ball.csv --model hertz --fix "radius=5 mm" --bounds "modulus=10:200 GPa"`,
		Args: exactly("DATA.csv"),
		RunE: func(c *cobra.Command, args []string) error { return runFit(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.model, "model", "", "the law: see fdem law list")
	f.StringArrayVar(&o.fix, "fix", nil, "fixed value of a parameter, NAME=VALUE; may be repeated")
	f.StringArrayVar(&o.bounds, "bounds", nil, "range of a parameter in the search, NAME=FROM:TO; may be repeated")
	f.StringVar(&o.area, "area", "", "area by which forces are divided, for a surface law, \"100 mm2\"")
	f.StringVar(&o.noise, "noise", "auto", "size of the noise: constant, proportional (to the reading) or auto")
	f.IntVar(&o.samples, "samples", 4000, "number of samples of the Monte Carlo search")
	f.IntVar(&o.bootstrap, "bootstrap", 200, "number of bootstrap replicas for the confidence intervals; 0 for none")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the random numbers")
	f.IntVar(&o.threads, "threads", 0, "number of workers, which never changes the result (default: the number of cores)")
	f.StringVar(&o.name, "name", "", "name of the [[law]] (default: that of the file)")
	f.StringVarP(&o.out, "output", "o", "", "results folder (default <DATA>.fit)")
	f.BoolVar(&o.force, "force", false, "overwrite an existing results folder")
	f.BoolVar(&o.json, "json", false, "print the result as JSON on standard output")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
	demand(c, "model")
	if err := c.RegisterFlagCompletionFunc("model", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return contact.Names(), cobra.ShellCompDirectiveNoFileComp
	}); err != nil {
		panic(err)
	}
	return c
}

// bounded returns an error for a number out of a flag's range.
func bounded(flag string, v, low, high int) error {
	if v < low || v > high {
		return fmt.Errorf("%s must lie between %d and %d, got %d", flag, low, high, v)
	}
	return nil
}

func runFit(c *cobra.Command, path string, o fitOptions) error {
	if err := errors.Join(bounded("--samples", o.samples, 1, 10_000_000), bounded("--bootstrap", o.bootstrap, 0, 100_000),
		bounded("--threads", o.threads, 0, maxThreads)); err != nil {
		return err
	}
	model, err := lookupLaw(o.model)
	if err != nil {
		return err
	}
	data, err := readMeasurement(path, model, o.area)
	if err != nil {
		return err
	}
	p := &fit.Problem{
		Model: model, Data: data, Samples: o.samples, Starts: 8,
		Bootstrap: o.bootstrap, Seed: o.seed, Threads: o.threads,
	}
	if p.Noise, err = parseNoise(o.noise); err != nil {
		return err
	}
	if o.threads == 0 {
		p.Threads = runtime.GOMAXPROCS(0)
	}
	if err := setParameters(p, o.fix, o.bounds); err != nil {
		return err
	}
	if err := p.Check(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	dir := o.out
	if dir == "" {
		dir = stem + ".fit"
	}
	if err := newFolder(dir, o.force); err != nil {
		return err
	}
	screen := newProgressLine(c.ErrOrStderr(), o.quiet)
	p.Progress = func(stage string, n, of int) { screen.show("%s: %d of %d", stage, n, of) }
	res, err := p.Run()
	screen.clear()
	if err != nil {
		return &exitError{exitFailed, fmt.Errorf("%s: %w", path, err)}
	}
	name := orStem(o.name, filepath.Base(stem))
	rep := newFitReport(p, res, path, name)
	if err := writeFit(dir, data, res, rep); err != nil {
		return &exitError{exitFailed, err}
	}
	out := c.OutOrStdout()
	if o.json {
		return writeJSON(out, rep)
	}
	rep.print(out)
	fmt.Fprintf(out, "\nin %s:\n\n%s", filepath.Join(dir, "law.toml"), rep.block(name))
	return nil
}

// parseNoise reads the kind of noise.
func parseNoise(text string) (fit.Noise, error) {
	for _, n := range []fit.Noise{fit.Either, fit.Constant, fit.Proportional} {
		if n.String() == text {
			return n, nil
		}
	}
	return 0, fmt.Errorf("--noise must be auto, constant or proportional, got %q", text)
}

// fitFiles are the files of a fit beside fit.json.
var fitFiles = []string{"law.toml", "fit.png", "fit.svg"}

// newFolder returns an error for a folder with a result, unless force allows it, and
// for a folder with other files of these names. It writes nothing.
func newFolder(dir string, force bool) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file, not a folder", dir)
	}
	is, err := guard.Is(filepath.Join(dir, "fit.json"), guard.Fit)
	switch {
	case err == nil && is && !force:
		return fmt.Errorf("%s already has results: use --force to overwrite them, or -o for another folder", dir)
	case err == nil && !is:
		return guard.Replace(filepath.Join(dir, "fit.json"), guard.Fit)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil:
		return guard.Folder(dir, fitFiles)
	}
	for _, name := range fitFiles {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("%s exists, and is not a result of fdem fit: name another folder with -o", filepath.Join(dir, name))
		}
	}
	return nil
}

// writeFit writes block, numbers and pictures.
func writeFit(dir string, data fit.Data, res *fit.Result, rep *fitReport) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	numbers, err := json.MarshalIndent(rep, "", "  ")
	if err != nil {
		return err
	}
	picture := view.Fitted{
		Title: fmt.Sprintf("%s: %s", rep.Model, rep.File), Answer: rep.answer, Unit: rep.Unit,
		Deflection: data.D, Measured: data.Answer, Law: res.Answer, Starts: data.Starts,
	}
	for _, format := range []string{"png", "svg"} {
		if err := picture.Save(filepath.Join(dir, "fit."+format)); err != nil {
			return err
		}
	}
	return errors.Join(
		whole.WriteBytes(filepath.Join(dir, "law.toml"), []byte(rep.block(rep.Name))),
		whole.WriteBytes(filepath.Join(dir, "fit.json"), append(numbers, '\n')),
	)
}

// progressLine is a line that is redrawn on a terminal. Elsewhere nothing is
// written.
type progressLine struct {
	out   io.Writer
	drawn bool
}

func newProgressLine(out io.Writer, quiet bool) *progressLine {
	if quiet || !isTerminal(out) {
		out = io.Discard
	}
	return &progressLine{out: out}
}

func (l *progressLine) show(format string, args ...any) {
	fmt.Fprintf(l.out, "\r"+format+"\x1b[K", args...)
	l.drawn = true
}

func (l *progressLine) clear() {
	if l.drawn {
		fmt.Fprint(l.out, "\r\x1b[K")
	}
}

// readMeasurement reads the columns of a measurement. area is that of --area.
func readMeasurement(path string, model contact.Model, area string) (fit.Data, error) {
	var data fit.Data
	t, data, err := readColumns(path)
	if err != nil {
		return data, err
	}
	column, dim, scale := "pressure", tables.Pressure, 1.0
	switch {
	case model.Kind == contact.Point:
		column, dim = "force", tables.Force
	case t.Has("force") && !t.Has("pressure"):
		if area == "" {
			return data, fmt.Errorf("%s has forces, and law %s gives a pressure: give the area of contact with --area", path, model.Name)
		}
		column, dim = "force", tables.Force
	}
	if area != "" {
		if model.Kind == contact.Point || column == "pressure" {
			return data, fmt.Errorf("--area goes with a surface law and a column \"force\"")
		}
		a, err := tables.ParseQuantity(area, tables.Dimension{Length: 2})
		if err != nil {
			return data, fmt.Errorf("--area: %w", err)
		}
		if !(a > 0) {
			return data, fmt.Errorf("--area must be positive, got %g m2", a)
		}
		scale = a
	}
	if data.Answer, err = deck.Column(t, column, dim); err != nil {
		return data, err
	}
	for i := range data.Answer {
		data.Answer[i] /= scale
	}
	return data, nil
}
