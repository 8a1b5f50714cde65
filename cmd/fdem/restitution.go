package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"fdem/io/tables"
	"fdem/materials/contact"

	"github.com/spf13/cobra"
)

func newLawRestitutionCommand() *cobra.Command {
	var set []string
	var spec, mass, format string
	c := &cobra.Command{
		Use:   "restitution NAME --set PARAMETER=VALUE ... --speeds FROM:TO:NUMBER",
		Short: "Compute the restitution of two bodies under a point law, by speed",
		Long: `Integrate one central impact for each speed of approach and write CSV to
standard output: speed [m/s], restitution [1], duration [s], max_force [N],
max_deflection [m].

--speeds gives the least and the greatest speed and the number of speeds, at
equal ratios, or a single speed. Values of --set are numbers in
SI or quantities with a unit. --mass is the effective mass m1 m2/(m1+m2). Leave it
out if the law has a parameter "mass".`,
		Example: `  fdem law restitution hunt-crossley --set "radius=10 mm,modulus=114 GPa" \
    --set restitution=0.8 --mass "0.13 kg" --speeds 0.01:10:50
  fdem law restitution kuwabara-kono --set "radius=10 mm,modulus=114 GPa" \
    --set "young=207 GPa,poisson=0.3,eta1=0.1 MPa s,eta2=0.2 MPa s" \
    --mass 0.13 --speeds "1 mm/s:10 m/s:20"`,
		Args:              exactly("NAME"),
		ValidArgsFunction: completePointLaw,
		RunE: func(c *cobra.Command, args []string) error {
			if format != "csv" {
				return fmt.Errorf("--output must be csv, got %q", format)
			}
			model, err := lookupLaw(args[0])
			if err != nil {
				return err
			}
			if model.Kind != contact.Point {
				return fmt.Errorf("law %s is a %s law and gives a pressure: name a point law, which gives a force", model.Name, model.Kind)
			}
			values, err := lawValues(model, "--set", set)
			if err != nil {
				return err
			}
			law, err := model.Build(values)
			if err != nil {
				return err
			}
			effective, err := impactMass(model, values, mass)
			if err != nil {
				return err
			}
			speeds, err := parseSpeeds(spec)
			if err != nil {
				return err
			}
			return writeRestitution(c.OutOrStdout(), law, effective, speeds)
		},
	}
	c.Flags().StringSliceVar(&set, "set", nil, "parameter and value, NAME=VALUE; may be repeated, or several with commas between")
	c.Flags().StringVar(&mass, "mass", "", "effective mass [kg], if the law does not have it")
	c.Flags().StringVar(&spec, "speeds", "", `speeds of approach, such as "0.01:10:50"`)
	c.Flags().StringVarP(&format, "output", "o", "csv", "format of the output: csv")
	demand(c, "speeds")
	return c
}

func completePointLaw(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, name := range contact.Names() {
		if model, _ := contact.Lookup(name); len(args) == 0 && model.Kind == contact.Point {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// impactMass returns the mass of the law, or else that of --mass.
func impactMass(model contact.Model, values map[string]float64, flag string) (float64, error) {
	_, own := model.Parameter("mass")
	switch {
	case own && flag != "":
		return 0, fmt.Errorf("--mass: law %s has the effective mass as its parameter \"mass\": give it by --set mass=VALUE", model.Name)
	case own:
		return values["mass"], nil
	case flag == "":
		return 0, fmt.Errorf("law %s has no effective mass: give --mass", model.Name)
	}
	m, err := tables.ParseQuantity(flag, tables.Dimension{Mass: 1})
	if err != nil {
		return 0, fmt.Errorf("--mass: %w", err)
	}
	p := contact.Parameter{Name: "--mass", Unit: "kg", OpenMin: true, Max: math.Inf(1)}
	return m, p.Check(m)
}

// parseSpeeds reads "0.01:10:50", or one speed.
func parseSpeeds(spec string) ([]float64, error) {
	parts := strings.Split(spec, ":")
	if len(parts) != 1 && len(parts) != 3 {
		return nil, fmt.Errorf("--speeds %q: expected FROM:TO:NUMBER, or one speed", spec)
	}
	number := 1
	if len(parts) == 3 {
		var err error
		if number, err = strconv.Atoi(strings.TrimSpace(parts[2])); err != nil || number < 2 || number > maxPoints {
			return nil, fmt.Errorf("--speeds %q: number of speeds must be a whole number from 2 to %d, got %q", spec, maxPoints, parts[2])
		}
		parts = parts[:2]
	}
	var ends []float64
	for _, part := range parts {
		v, err := tables.ParseQuantity(part, tables.Velocity)
		if err != nil {
			return nil, fmt.Errorf("--speeds %q: %w", spec, err)
		}
		if !(v > 0) {
			return nil, fmt.Errorf("--speeds %q: a speed must be greater than 0, got %g m/s", spec, v)
		}
		ends = append(ends, v)
	}
	speeds := make([]float64, number)
	first, last := ends[0], ends[len(ends)-1]
	for i := range speeds {
		before, after := float64(i), float64(number-1-i)
		speeds[i] = math.Pow(10, (float64(after*math.Log10(first))+float64(before*math.Log10(last)))/max(before+after, 1))
	}
	speeds[0], speeds[number-1] = first, last // exact
	return speeds, nil
}

// writeRestitution lets the bodies collide and writes the rows.
func writeRestitution(out io.Writer, law contact.Law, mass float64, speeds []float64) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "speed,restitution,duration,max_force,max_deflection")
	row := make([]byte, 0, 128)
	for _, speed := range speeds {
		c, err := contact.Impact(law, mass, speed)
		if err != nil {
			return &exitError{exitFailed, errors.Join(err, w.Flush())} // the rows so far are good
		}
		row = appendRow(row[:0], speed, c.Restitution, c.Duration, c.MaxForce, c.MaxDeflection)
		if _, err := w.Write(row); err != nil {
			return err
		}
	}
	return w.Flush()
}
