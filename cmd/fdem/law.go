package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/contact"

	"github.com/spf13/cobra"
)

func newLawCommand() *cobra.Command {
	law := &cobra.Command{
		Use:     "law",
		Short:   "The library of contact laws, cohesive laws and laws of materials",
		Example: "  fdem law list\n  fdem law show kostek\n  fdem law curve linear --set k='5 GPa/mm' --path 0:1um:10,0",
		Args:    subcommands,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	law.AddCommand(newLawListCommand(), newLawShowCommand(), newLawCurveCommand(), newLawRestitutionCommand())
	return law
}

func newLawListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the laws: name, kind, title",
		Long: `List the laws: name, kind and title. A surface law gives a pressure [Pa],
for [[contact]]; a point law with a force [N] between two bodies that meet at a
point; a cohesive law with the traction [Pa] between the faces of a crack; a bulk
law, for [[material]], with the stress [Pa] within a body.`,
		Example: "  fdem law list",
		Args:    nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, name := range lawNames() {
				if curve, ok := lookupCohesive(name); ok {
					fmt.Fprintf(w, "%s\tcohesive\t%s\n", name, curve.Title)
					continue
				}
				if model, ok := bulk.Lookup(name); ok {
					fmt.Fprintf(w, "%s\tbulk\t%s\n", name, model.Title)
					continue
				}
				model, _ := contact.Lookup(name)
				fmt.Fprintf(w, "%s\t%s\t%s\n", name, model.Kind, model.Title)
			}
			return w.Flush()
		},
	}
}

func newLawShowCommand() *cobra.Command {
	var set []string
	command := &cobra.Command{
		Use:   "show NAME",
		Short: "Show the formula, the source and the parameters of a law",
		Long: `Show the formula, the source and the parameters of a law. With --set, a law of a
material that has numbers to compare, as hoek-brown has, shows those of these parameters.`,
		Example:           "  fdem law show kostek\n  fdem law show hoek-brown --set 'young=5 GPa,poisson=0.25,intact_strength=50 MPa,mi=10,gsi=45'",
		Args:              exactly("NAME"),
		ValidArgsFunction: completeLaw,
		RunE: func(c *cobra.Command, args []string) error {
			if curve, ok := lookupCohesive(args[0]); ok {
				return showCohesive(c.OutOrStdout(), curve)
			}
			if model, ok := bulk.Lookup(args[0]); ok {
				if len(set) > 0 {
					return showDerived(c.OutOrStdout(), model, set)
				}
				return showBulk(c.OutOrStdout(), model)
			}
			if len(set) > 0 {
				return fmt.Errorf("--set is for laws of a material that have numbers to compare; %s has none: fdem law curve draws it", args[0])
			}
			model, err := lookupLaw(args[0])
			if err != nil {
				return err
			}
			return showLaw(c.OutOrStdout(), model)
		},
	}
	command.Flags().StringSliceVar(&set, "set", nil, "parameters of a law of a material: NAME=VALUE, with units")
	return command
}

func showLaw(out io.Writer, model contact.Model) error {
	answer := "pressure [Pa] from the deflection [m]"
	if model.Kind == contact.Point {
		answer = "force [N] from the deflection [m]"
	}
	fmt.Fprintf(out, "%s: %s\nkind: %s, %s\nsource: %s\n\n", model.Name, model.Title, model.Kind, answer, model.Source)
	for line := range strings.SplitSeq(model.Formula, "\n") {
		fmt.Fprintf(out, "  %s\n", line)
	}
	fmt.Fprintln(out)
	return showParameters(out, model)
}

func showParameters(out io.Writer, model contact.Model) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "parameter\tSI unit\trange\tdefault\tmeaning")
	for _, p := range model.Parameters {
		fallback := "none"
		switch {
		case p.Else != "":
			fallback = p.Else
		case p.Default != nil:
			fallback = strconv.FormatFloat(*p.Default, 'g', -1, 64)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", p.Name, p.Unit, p.Range(), fallback, p.Doc)
	}
	return w.Flush()
}

var completeLaw = completeOne(lawNames)

// lookupLaw returns the contact law of that name.
func lookupLaw(name string) (contact.Model, error) {
	model, ok := contact.Lookup(name)
	if _, isCohesive := lookupCohesive(name); isCohesive {
		return contact.Model{}, fmt.Errorf("%s is a cohesive law, between the faces of a crack: name a contact law", name)
	}
	if _, isBulk := bulk.Lookup(name); isBulk {
		return contact.Model{}, fmt.Errorf("%s is a law of a material, within a body: name a contact law", name)
	}
	if !ok {
		return contact.Model{}, fmt.Errorf("there is no law %q: there are %s", name, strings.Join(lawNames(), ", "))
	}
	return model, nil
}

// lawValues reads the "NAME=VALUE" texts of a flag into SI values. A unit may have another
// parameter as exponent, so plain numbers are read first.
func lawValues(model contact.Model, flag string, set []string) (map[string]float64, error) {
	texts := make(map[string]string, len(set))
	for _, s := range set {
		name, text, ok := strings.Cut(s, "=")
		name = strings.TrimSpace(name)
		if !ok {
			return nil, fmt.Errorf("%s: expected NAME=VALUE, got %q", flag, s)
		}
		if _, again := texts[name]; again {
			return nil, fmt.Errorf("%s: %s is given twice", flag, name)
		}
		texts[name] = text
	}
	values := make(map[string]float64, len(texts))
	for name := range texts {
		values[name] = 0 // so that Build can name unknown ones
	}
	for _, plain := range []bool{true, false} {
		for _, p := range model.Parameters {
			text, given := texts[p.Name]
			if !given || (p.Unit == "1") != plain {
				continue
			}
			missing := ""
			dim, err := tables.ParseDimension(p.Unit, func(name string) (float64, bool) {
				v, ok := values[name]
				if other, known := model.Parameter(name); !ok && known && other.Default != nil {
					return *other.Default, true
				}
				if !ok {
					missing = name
				}
				return v, ok
			})
			if missing != "" {
				return nil, fmt.Errorf("%s: the unit of %s, %s, needs %s as well", flag, p.Name, p.Unit, missing)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", flag, p.Name, err)
			}
			if values[p.Name], err = tables.ParseQuantity(text, dim); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", flag, p.Name, err)
			}
		}
	}
	return values, nil
}
