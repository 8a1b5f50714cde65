package main

import (
	"fmt"
	"io"
	"strings"

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
