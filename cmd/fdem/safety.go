package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fdem/fem"
	"fdem/io/results"
	"fdem/io/safety"
	"fdem/io/view"
	"fdem/io/whole"
	"fdem/solver"

	"github.com/spf13/cobra"
)

type safetyOptions struct {
	out          string
	limits       safety.Limits
	keep         []string
	force, quiet bool
	json         bool
}

func newSafetyCommand() *cobra.Command {
	var o safetyOptions
	c := &cobra.Command{
		Use:   "safety MODEL",
		Short: "Find the factor of safety of a model, by reduction of its strengths",
		Long: `Find the factor by which all strengths of a model can be divided before it
fails: cohesion, tan(friction angle) and tensile strength of materials, yield stress
of j2, friction, cohesion and tensile strength of joints and breakable edges, friction
of contacts. A dilation angle stays as it is while friction allows it. --keep leaves
materials, joints or contacts as they are.

The model is run with one factor after the other, by bisection. In a static
analysis it fails if there is no balance. In time it fails if it has not come
to rest by the end of its duration: give until = "rest" in [analysis].

<MODEL>.safety has the last run that stands, in standing, the first one that fails, in
failing, with the mechanism as a picture, all tries in tries.csv, and the result in
safety.json. docs/safety.md has examples.`,
		Example:           "  fdem safety slope.toml\n  fdem safety slope.toml --keep lining --tolerance 0.002\n  fdem view slope.safety/failing --open",
		Args:              exactly("MODEL"),
		ValidArgsFunction: completeFiles("msh", "inp", "toml"),
		RunE:              func(c *cobra.Command, args []string) error { return findSafety(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVarP(&o.out, "output", "o", "", "folder of the results (default <MODEL>.safety)")
	f.Float64Var(&o.limits.Least, "from", 0.1, "least factor to try")
	f.Float64Var(&o.limits.Greatest, "to", 10, "greatest factor to try")
	f.Float64Var(&o.limits.Tolerance, "tolerance", 0.01, "the factor is found to this part of it")
	f.StringArrayVar(&o.keep, "keep", nil, "leave what has this name, or all of a kind such as contact, as it is; may be repeated")
	f.BoolVar(&o.force, "force", false, "overwrite the results of an earlier search")
	f.BoolVar(&o.json, "json", false, "print safety.json on standard output")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print nothing but the result")
	return c
}

// safetySearch is a search under way.
type safetySearch struct {
	safetyOptions
	model     string
	static    bool
	reduction *safety.Reduction
	tell      func(format string, args ...any)
	tries     []safetyTry
}

// safetyTry is a row of tries.csv.
type safetyTry struct {
	Factor  float64 `json:"factor"`
	Stands  bool    `json:"stands"`
	Why     string  `json:"why"`
	Seconds float64 `json:"seconds"`
}

// safetyFound is safety.json.
type safetyFound struct {
	Factor  float64     `json:"factor"` // the middle of the next two
	Stands  float64     `json:"stands"` // greatest factor that stands
	Fails   float64     `json:"fails"`  // least factor that fails
	Of      []string    `json:"of"`     // what was reduced
	Tries   []safetyTry `json:"tries"`
	Picture string      `json:"picture,omitempty"` // of the mechanism
}

func findSafety(c *cobra.Command, path string, o safetyOptions) error {
	if err := o.limits.Check(); err != nil {
		return err
	}
	in, err := read(path, "")
	if err != nil {
		return err
	}
	a := &safetySearch{safetyOptions: o, model: path, static: in.model.Static != nil, tell: func(string, ...any) {}}
	if !o.quiet {
		a.tell = func(format string, args ...any) { fmt.Fprintf(c.ErrOrStderr(), format+"\n", args...) }
	}
	text, err := os.ReadFile(in.deckPath)
	if err != nil {
		return err
	}
	if a.reduction, err = safety.New(in.deckPath, text, o.keep); err != nil {
		return err
	}
	if !a.static && in.model.UntilRest == nil {
		return fmt.Errorf("%s: a search for the factor of safety in time needs until = \"rest\" in [analysis], with a duration within which what stands comes to rest", in.deckPath)
	}
	if a.out == "" {
		a.out = in.stem + ".safety"
	}
	if err := a.makeFolder(); err != nil {
		return err
	}
	a.tell("reduced: %s", a.reduction)
	bracket, err := safety.Search(o.limits, a.stands)
	if err != nil {
		if len(a.tries) > 0 && !a.tries[len(a.tries)-1].Stands {
			err = fmt.Errorf("%w: %s", err, a.tries[len(a.tries)-1].Why)
		}
		var of *exitError
		if !errors.As(err, &of) && len(a.tries) > 0 {
			err = &exitError{exitFailed, fmt.Errorf("%s: %w", in.deckPath, err)}
		}
		return err
	}
	return a.finish(c.OutOrStdout(), bracket)
}

// makeFolder makes the folder of the results, or empties it.
func (a *safetySearch) makeFolder() error {
	if err := usable(a.out); err != nil {
		return err
	}
	entries, err := os.ReadDir(a.out)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case len(entries) > 0 && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == triesName }):
		return fmt.Errorf("%s exists and is not of fdem safety: name another with -o", a.out)
	case len(entries) > 0 && !a.force:
		return fmt.Errorf("%s exists: give --force to overwrite it, or name another with -o", a.out)
	}
	for _, name := range []string{"trial", "standing", "failing"} {
		dir := filepath.Join(a.out, name)
		if err := results.Check(dir, true); err != nil {
			return err
		}
		if err := os.RemoveAll(dir); err != nil {
			return &exitError{exitFailed, err}
		}
	}
	if err := os.MkdirAll(a.out, 0o755); err != nil {
		return &exitError{exitFailed, err}
	}
	return a.writeTries()
}

const triesName = "tries.csv"

// writeTries writes the tries so far.
func (a *safetySearch) writeTries() error {
	err := whole.Write(filepath.Join(a.out, triesName), func(out io.Writer) error {
		w := csv.NewWriter(out)
		rows := [][]string{{"factor", "stands", "seconds", "why"}}
		for _, t := range a.tries {
			rows = append(rows, []string{strconv.FormatFloat(t.Factor, 'g', -1, 64), strconv.FormatBool(t.Stands), fmt.Sprintf("%.3g", t.Seconds), t.Why})
		}
		return w.WriteAll(rows)
	})
	if err != nil {
		return &exitError{exitFailed, err}
	}
	return nil
}

// stands runs the model with its strengths divided by a factor, and tells whether it stands.
func (a *safetySearch) stands(factor float64) (bool, error) {
	trial, began := filepath.Join(a.out, "trial"), time.Now()
	if err := os.RemoveAll(trial); err != nil {
		return false, &exitError{exitFailed, err}
	}
	args := []string{a.model, "-o", trial, "--quiet"}
	for _, s := range a.reduction.At(factor) {
		args = append(args, "--set", s)
	}
	c := newRunCommand()
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	t := safetyTry{Factor: factor, Stands: true}
	switch err := c.Execute(); {
	case err == nil && a.static:
		t.Why = "in balance"
	case err == nil:
		var sum struct {
			AtRest float64 `json:"at_rest"`
		}
		data, err := os.ReadFile(filepath.Join(trial, "summary.json"))
		if err == nil {
			err = json.Unmarshal(data, &sum)
		}
		if err != nil {
			return false, &exitError{exitFailed, err}
		}
		if sum.AtRest > 0 {
			t.Why = fmt.Sprintf("at rest at t = %.4g s", sum.AtRest)
		} else {
			t.Stands, t.Why = false, "still moving at the end"
		}
	case fails(err):
		t.Stands, t.Why = false, oneLine(err)
	default:
		return false, err
	}
	t.Seconds = time.Since(began).Seconds()
	a.tries = append(a.tries, t)
	a.tell("%-8g %s", factor, map[bool]string{true: "stands: ", false: "fails: "}[t.Stands]+firstPart(t.Why))
	if err := a.writeTries(); err != nil {
		return false, err
	}
	kept := filepath.Join(a.out, map[bool]string{true: "standing", false: "failing"}[t.Stands])
	if err := os.RemoveAll(kept); err != nil {
		return false, &exitError{exitFailed, err}
	}
	if err := os.Rename(trial, kept); err != nil && !errors.Is(err, fs.ErrNotExist) { // a model that nothing holds fails before it has results
		return false, &exitError{exitFailed, err}
	}
	return t.Stands, nil
}

// fails tells whether a run failed because the model does, not because of its input or of a disk.
func fails(err error) bool {
	var unbalanced *solver.NotConvergedError
	var unheld *solver.UnheldError
	var unstable *solver.UnstableError
	var infinite *solver.NonFiniteError
	var collapsed *solver.CollapseError
	var inverted *fem.InversionError
	return errors.As(err, &unbalanced) || errors.As(err, &unheld) || errors.As(err, &unstable) || errors.As(err, &infinite) || errors.As(err, &collapsed) || errors.As(err, &inverted)
}

// oneLine returns an error as one line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// firstPart returns the first part of a reason.
func firstPart(why string) string {
	if first, _, more := strings.Cut(why, ": no balance"); more {
		why = strings.TrimPrefix(why, first+": ")
	}
	first, _, _ := strings.Cut(why, "; ")
	return first
}

// finish draws the mechanism and writes the result.
func (a *safetySearch) finish(out io.Writer, b safety.Bracket) error {
	found := safetyFound{Factor: b.Factor(), Stands: b.Stands, Fails: b.Fails, Of: a.reduction.Of, Tries: a.tries}
	var err error
	if found.Picture, err = a.draw(); err != nil {
		a.tell("the mechanism cannot be drawn: %s", oneLine(err))
	}
	data, err := json.MarshalIndent(found, "", "  ")
	if err == nil {
		err = whole.WriteBytes(filepath.Join(a.out, "safety.json"), append(data, '\n'))
	}
	if err != nil {
		return &exitError{exitFailed, err}
	}
	if a.json {
		_, err := fmt.Fprintf(out, "%s\n", data)
		return err
	}
	fmt.Fprintf(out, "factor of safety %.4g: stands with %g, fails with %g\n", found.Factor, b.Stands, b.Fails)
	fmt.Fprintf(out, "%s\n", filepath.Join(a.out, "safety.json"))
	if found.Picture != "" {
		fmt.Fprintf(out, "%s\n", found.Picture)
	}
	return nil
}

// draw draws how the model fails: the displacements at the end of the failing run.
func (a *safetySearch) draw() (string, error) {
	dir := filepath.Join(a.out, "failing")
	f, err := view.Open(dir)
	if err != nil {
		return "", err
	}
	last := math.NaN()
	if times := f.Meta().Times; len(times) > 0 {
		last = times[len(times)-1]
	}
	paths, err := view.Draw(f, filepath.Join(dir, "plots"), view.Pictures{At: last, Field: "displacement", Magnify: 1})
	if err != nil {
		return "", err
	}
	for _, p := range paths {
		if strings.HasSuffix(p, "mesh.png") {
			return p, nil
		}
	}
	return "", nil
}
