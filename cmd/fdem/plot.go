package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"fdem/io/deck"
	"fdem/io/view"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/spatial/r2"
)

// maxStages bounds --stages.
const maxStages = 60

func newPlotCommand() *cobra.Command {
	var out, at string
	var window []string
	o := view.Pictures{Magnify: 1}
	c := &cobra.Command{
		Use:   "plot DIR",
		Short: "Draw a results folder as PNG and SVG",
		Long: `Draw energies, velocities, cracks, contact forces over time and over deflection,
contact pressures and the mesh of a results folder, each as PNG and SVG.
Pressures and mesh are drawn at one time, by default that of the greatest contact
force, or else of the greatest strain energy, or change of that in bodies that are
stressed at the start. Only frames that are drawn are read, and some hundreds of
the contact nodes for force over deflection.`,
		Example:           "  fdem plot examples/elastic-collision/elastic-collision.out --at '140 us' --magnify 60",
		Args:              exactly("DIR"),
		ValidArgsFunction: completeFolder,
		RunE: func(c *cobra.Command, args []string) error {
			o.At = math.NaN()
			if at != "" {
				var err error
				if o.At, err = deck.ParseQuantity(at, deck.Time); err != nil {
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
	c.Flags().StringVar(&at, "at", "", "time of the mesh and the pressures, \"140 us\": the nearest frame")
	c.Flags().StringVar(&o.Field, "field", "", "what colours the mesh (default von_mises)")
	c.Flags().Float64Var(&o.Magnify, "magnify", 1, "enlarge displacements")
	c.Flags().StringSliceVar(&window, "window", nil, "part of the mesh that is drawn, lower left and upper right: '-5 mm,0,5 mm,8 mm' (default all)")
	c.Flags().IntVar(&o.Stages, "stages", 0, "also draw the mesh at so many times in one picture")
	return c
}

// readWindow reads the corners of a window; nothing leaves it as it is.
func readWindow(text []string, w *[2]r2.Vec) error {
	if len(text) == 0 {
		return nil
	}
	if len(text) != 4 {
		return fmt.Errorf("wants x and y of the lower left and of the upper right corner, four lengths with commas between, got %d", len(text))
	}
	var v [4]float64
	for i, t := range text {
		var err error
		if v[i], err = deck.ParseQuantity(strings.TrimSpace(t), deck.Length); err != nil {
			return err
		}
	}
	if *w = [2]r2.Vec{{X: v[0], Y: v[1]}, {X: v[2], Y: v[3]}}; w[0].X >= w[1].X || w[0].Y >= w[1].Y {
		return fmt.Errorf("the first corner must lie left of the second and below it, got (%g, %g) and (%g, %g) m", v[0], v[1], v[2], v[3])
	}
	return nil
}
