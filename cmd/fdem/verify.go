package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"fdem/examples/published"
	"fdem/io/tables"

	"github.com/spf13/cobra"
)

func newVerifyCommand() *cobra.Command {
	var asJSON bool
	var set []string
	c := &cobra.Command{
		Use:   "verify [NAME]",
		Short: "Compute problems with known solutions and compare",
		Long: `Compute one or all of the published problems and compare with their known solutions.
The exit status is 1 if a computed value differs from the known one by more than
its tolerance. Problems:

` + problemList(),
		Example: `  fdem verify
  fdem verify dampers --json
  fdem verify rolling-cylinder --set diameter="80 mm" --set load="500 N"`,
		Args:              atMostOne("NAME"),
		ValidArgsFunction: completeOne(published.Names),
		RunE: func(c *cobra.Command, args []string) error {
			problems := published.Problems
			if len(args) == 1 {
				p, ok := published.Lookup(args[0])
				if !ok {
					return fmt.Errorf("there is no problem %q: there are %s", args[0], strings.Join(published.Names(), ", "))
				}
				problems = []published.Problem{p}
			} else if len(set) > 0 {
				return errors.New("--set needs the NAME of the problem to which the size belongs")
			}
			sizes, err := readSizes(problems[0], set)
			if err != nil {
				return err
			}
			return verify(c.OutOrStdout(), problems, sizes, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON, in SI units")
	c.Flags().StringArrayVar(&set, "set", nil, "a size of the problem, NAME=VALUE with a unit; may be repeated")
	return c
}

// readSizes reads the sizes that --set gives.
func readSizes(p published.Problem, set []string) (map[string]float64, error) {
	sizes := map[string]float64{}
	for _, text := range set {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("--set %s: expected NAME=VALUE, for instance load=500", text)
		}
		i := slices.IndexFunc(p.Sizes, func(s published.Size) bool { return s.Name == name })
		if i < 0 {
			var names []string
			for _, s := range p.Sizes {
				names = append(names, s.Name)
			}
			if names == nil {
				return nil, fmt.Errorf("--set %s: problem %q has no sizes to set", text, p.Name)
			}
			return nil, fmt.Errorf("--set %s: problem %q has no size %q: there are %s", text, p.Name, name, strings.Join(names, ", "))
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			if v, err = tables.ParseQuantity(value, p.Sizes[i].Dim); err != nil {
				return nil, fmt.Errorf("--set %s: %w", name, err)
			}
		}
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("--set %s must be positive, got %g", name, v)
		}
		sizes[name] = v
	}
	return sizes, nil
}

func problemList() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, p := range published.Problems {
		fmt.Fprintf(w, "  %s\t%s\n", p.Name, p.Title)
	}
	w.Flush()
	return strings.TrimRight(b.String(), "\n")
}

// verified is a solved problem as JSON.
type verified struct {
	Name   string          `json:"name"`
	Title  string          `json:"title"`
	Source string          `json:"source"`
	Met    bool            `json:"met"`
	Rows   []published.Row `json:"rows"`

	Sizes  map[string]float64 `json:"sizes,omitempty"`
	Values map[string]float64 `json:"values,omitempty"`
}

// verify solves the problems and writes them. After the last one it fails if a tolerance
// was exceeded.
func verify(out io.Writer, problems []published.Problem, sizes map[string]float64, asJSON bool) error {
	var solved []verified
	var missed []string
	for _, p := range problems {
		outcome, err := p.At(sizes)
		var wrong *tables.Error
		switch {
		case errors.As(err, &wrong): // sizes from which no model follows
			return fmt.Errorf("%s: %s", p.Name, wrong.Msg)
		case err != nil:
			return &exitError{exitFailed, fmt.Errorf("%s: %w", p.Name, err)}
		}
		v := verified{Name: p.Name, Title: p.Title, Source: p.Source, Met: true, Rows: outcome.Rows, Values: outcome.Values}
		for _, s := range p.Sizes {
			if v.Sizes == nil {
				v.Sizes = map[string]float64{}
			}
			v.Sizes[s.Name] = s.Default
			if at, set := sizes[s.Name]; set {
				v.Sizes[s.Name] = at
			}
		}
		for _, r := range outcome.Rows {
			v.Met = v.Met && r.Met()
		}
		if !v.Met {
			missed = append(missed, p.Name)
		}
		solved = append(solved, v)
	}
	var err error
	if asJSON {
		all := map[string]any{"problems": solved}
		if len(solved) == 1 { // the results of a single problem get the problem's name in front, too
			for name, v := range solved[0].Values {
				all[name] = v
			}
		}
		err = writeJSON(out, all)
	} else {
		for i, v := range solved {
			if i > 0 {
				fmt.Fprintln(out)
			}
			if err = writeVerified(out, v); err != nil {
				break
			}
		}
	}
	if err == nil && missed != nil {
		err = fmt.Errorf("farther from the known values than the tolerance: %s", strings.Join(missed, ", "))
	}
	if err != nil {
		return &exitError{exitFailed, err}
	}
	return nil
}

func writeVerified(out io.Writer, v verified) error {
	fmt.Fprintf(out, "%s: %s\nsource: %s\n", v.Name, v.Title, v.Source)
	for _, name := range slices.Sorted(maps.Keys(v.Sizes)) {
		fmt.Fprintf(out, "%s = %g\n", name, v.Sizes[name])
	}
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "case\tquantity\tgiven\tknown\tcomputed\toff\tverdict\tremark")
	met, shown := 0, 0
	for _, r := range v.Rows {
		given, verdict := "", "met"
		if r.Given != 0 {
			given = fmt.Sprintf("%g", r.Given)
		}
		switch {
		case !r.Met():
			verdict = "MISSED"
		case r.Tolerance == 0:
			verdict = "shown"
			shown++
		default:
			met++
		}
		quantity := r.Quantity
		if r.Unit != "1" {
			quantity += " [" + r.Unit + "]"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.6g\t%.6g\t%.1g\t%s\t%s\n", r.Case, quantity, given, r.Known, r.Computed, r.Computed-r.Known, verdict, r.Note)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%d of %d rows within their tolerance", met, len(v.Rows)-shown)
	if err == nil && shown > 0 {
		_, err = fmt.Fprintf(out, "; %d shown for comparison", shown)
	}
	if err == nil {
		_, err = fmt.Fprintln(out)
	}
	return err
}
