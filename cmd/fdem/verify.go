package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"fdem/examples/published"

	"github.com/spf13/cobra"
)

func newVerifyCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify [NAME]",
		Short: "Compute problems with known answers and compare",
		Long: `Compute published problems and compare with what is known of them, one or all.
The exit status is 1 where a computed value is further from the known one than
its tolerance. Problems:

` + problemList(),
		Example: `  fdem verify
  fdem verify dampers --json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%s takes one NAME or none, got %d: see %s --help", c.CommandPath(), len(args), c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return published.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			problems := published.Problems
			if len(args) == 1 {
				p, ok := published.Lookup(args[0])
				if !ok {
					return fmt.Errorf("there is no problem %q: there are %s", args[0], strings.Join(published.Names(), ", "))
				}
				problems = []published.Problem{p}
			}
			return verify(c.OutOrStdout(), problems, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON, in SI units")
	return c
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
}

// verify solves the problems and writes them; it fails after the last where
// one is missed.
func verify(out io.Writer, problems []published.Problem, asJSON bool) error {
	var solved []verified
	var missed []string
	for _, p := range problems {
		rows, err := p.Solve()
		if err != nil {
			return &exitError{exitFailed, fmt.Errorf("%s: %w", p.Name, err)}
		}
		v := verified{p.Name, p.Title, p.Source, true, rows}
		for _, r := range rows {
			v.Met = v.Met && r.Met()
		}
		if !v.Met {
			missed = append(missed, p.Name)
		}
		solved = append(solved, v)
	}
	var err error
	if asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		err = e.Encode(map[string][]verified{"problems": solved})
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
		err = fmt.Errorf("further from the known values than allowed: %s", strings.Join(missed, ", "))
	}
	if err != nil {
		return &exitError{exitFailed, err}
	}
	return nil
}

func writeVerified(out io.Writer, v verified) error {
	fmt.Fprintf(out, "%s: %s\nsource: %s\n\n", v.Name, v.Title, v.Source)
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
