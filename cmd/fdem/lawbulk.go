package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"fdem/materials/bulk"
	"fdem/materials/contact"
)

// showBulk prints the output of fdem law show for the law of a material.
func showBulk(out io.Writer, model bulk.Model) error {
	fmt.Fprintf(out, "%s: %s\nkind: bulk, stress [Pa] from the deformation of triangles: [[material]] with law = %q beside young, poisson, density\nsource: %s\n\n", model.Name, model.Title, model.Name, model.Source)
	for line := range strings.SplitSeq(model.Formula, "\n") {
		fmt.Fprintf(out, "  %s\n", line)
	}
	fmt.Fprintln(out)
	for _, c := range model.Curves {
		fmt.Fprintf(out, "%s, pairs of [%s] and [%s]: %s\n\n", c.Name, c.X, c.Y, c.Doc)
	}
	if len(model.Parameters) == 0 {
		fmt.Fprintln(out, "no further parameters")
		return nil
	}
	return showParameters(out, contact.Model{Parameters: model.Parameters})
}

// showDerived prints the numbers that follow from the constants of a law of a material.
func showDerived(out io.Writer, model bulk.Model, set []string) error {
	law, err := bulkOf(model, set)
	if err != nil {
		return err
	}
	of, ok := law.(bulk.Derived)
	if !ok {
		return fmt.Errorf("--set: %s has no numbers to compare: fdem law curve draws it", model.Name)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, n := range of.Derived() {
		unit := n.Unit
		if unit == "1" {
			unit = ""
		}
		fmt.Fprintf(w, "%s\t%.5g\t%s\n", n.Name, n.Value, unit)
	}
	return w.Flush()
}
