package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fdem/io/tables"
	"fdem/io/view"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/spatial/r2"
)

// maxStages is the greatest value of --stages.
const maxStages = 60

func newPlotCommand() *cobra.Command {
	var out, at, x string
	var ys, window []string
	o := view.Pictures{Magnify: 1}
	c := &cobra.Command{
		Use:   "plot DIR...",
		Short: "Draw a results folder as PNG and SVG",
		Long: `Draw energies, velocities, cracks, contact forces over time and over deflection,
contact pressures and the mesh of a results folder, each as PNG and SVG.
Pressures and mesh are drawn at one time. The default is the time of the greatest contact
force, else that of the greatest strain energy, or of its greatest change in bodies that are
stressed at the start. Only the frames that are drawn are read, and some hundred frames of
the contact nodes for force over deflection.

With --y it draws columns of history.csv over time or, with --x, over
another column instead. If several runs are named, one picture shows all.`,
		Example:           "  fdem plot examples/elastic-collision/elastic-collision.out --at '140 us' --magnify 60\n  fdem plot soft.out hard.out --x strain --y stress",
		Args:              someFolders,
		ValidArgsFunction: completeFolder,
		RunE: func(c *cobra.Command, args []string) error {
			if len(ys) > 0 {
				return plotOver(c, args, out, x, ys)
			}
			switch {
			case c.Flags().Changed("x"):
				return errors.New("--x goes with --y: name the columns to draw over it")
			case len(args) > 1:
				return errors.New("several runs go with --y: name the column of history.csv to draw, --x strain --y stress")
			}
			o.At = math.NaN()
			if at != "" {
				var err error
				if o.At, err = tables.ParseQuantity(at, tables.Time); err != nil {
					return fmt.Errorf("--at: %w", err)
				}
			}
			if math.IsNaN(o.Magnify) || math.IsInf(o.Magnify, 0) {
				return fmt.Errorf("--magnify must be a number, got %g", o.Magnify)
			}
			if err := readWindow(window, &o.Window); err != nil {
				return fmt.Errorf("--window: %w", err)
			}
			if o.Stages < 0 || o.Stages > maxStages {
				return fmt.Errorf("--stages must lie between 0 and %d, got %d", maxStages, o.Stages)
			}
			for _, name := range o.Charts {
				if !slices.Contains(view.ChartNames(), name) {
					return fmt.Errorf("--chart: no chart %q: there are %s", name, strings.Join(view.ChartNames(), ", "))
				}
			}
			dir, err := findResults(args[0])
			if err != nil {
				return err
			}
			f, err := view.Open(dir)
			if err != nil {
				return err
			}
			if out == "" {
				out = filepath.Join(dir, "plots")
			}
			screen, began := newProgressLine(c.ErrOrStderr(), false), time.Now()
			o.Tell = func(done, of int) {
				if time.Since(began) > time.Second {
					screen.show("reading contact nodes: %d of %d frames", done, of)
				}
			}
			paths, err := view.Draw(f, out, o)
			screen.clear()
			for _, p := range paths {
				fmt.Fprintln(c.OutOrStdout(), p)
			}
			return err
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "folder for the pictures (default DIR/plots)")
	c.Flags().StringVar(&at, "at", "", "time of the mesh and the pressures, \"140 us\"; the nearest frame is drawn")
	c.Flags().StringVar(&o.Field, "field", "", "field that colours the mesh (default von_mises)")
	c.Flags().Float64Var(&o.Magnify, "magnify", 1, "enlarge the deformation of each body, and not its motion; in a static analysis displacements")
	c.Flags().BoolVar(&o.Displacements, "displacements", false, "let --magnify enlarge displacements, motion and all")
	c.Flags().StringSliceVar(&window, "window", nil, "part of the mesh that is drawn, lower left and upper right: '-5 mm,0,5 mm,8 mm' (default all)")
	c.Flags().StringVar(&x, "x", "time", "column of history.csv along the axis of a curve")
	c.Flags().StringSliceVar(&ys, "y", nil, "columns of history.csv to draw over it")
	c.Flags().StringSliceVar(&o.Charts, "chart", nil, "draw these charts alone: "+strings.Join(view.ChartNames(), ", "))
	c.Flags().IntVar(&o.Stages, "stages", 0, "also draw the mesh at this number of times in one picture")
	return c
}

// someFolders requires one results folder or more.
func someFolders(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return exactly("DIR")(c, args)
	}
	return nil
}

// plotOver draws columns of runs over a column.
func plotOver(c *cobra.Command, args []string, out, x string, ys []string) error {
	var alone error
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "x" && f.Name != "y" && f.Name != "output" {
			alone = fmt.Errorf("--%s is for pictures of the mesh: leave it out with --y", f.Name)
		}
	})
	if alone != nil {
		return alone
	}
	folders, err := findAll(args)
	if err != nil {
		return err
	}
	if out == "" {
		out = filepath.Join(folders[0], "plots")
	}
	paths, err := view.Over(folders, out, x, ys)
	for _, p := range paths {
		fmt.Fprintln(c.OutOrStdout(), p)
	}
	return err
}

// readWindow reads the corners of a window. Without corners the window does not
// change.
func readWindow(text []string, w *[2]r2.Vec) error {
	if len(text) == 0 {
		return nil
	}
	if len(text) != 4 {
		return fmt.Errorf("needs x and y of the lower left and of the upper right corner, four lengths separated by commas, got %d", len(text))
	}
	var v [4]float64
	for i, t := range text {
		var err error
		if v[i], err = tables.ParseQuantity(strings.TrimSpace(t), tables.Length); err != nil {
			return err
		}
	}
	if *w = [2]r2.Vec{{X: v[0], Y: v[1]}, {X: v[2], Y: v[3]}}; w[0].X >= w[1].X || w[0].Y >= w[1].Y {
		return fmt.Errorf("the first corner must lie to the left of the second and below it, got (%g, %g) and (%g, %g) m", v[0], v[1], v[2], v[3])
	}
	return nil
}
