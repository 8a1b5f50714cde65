package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fdem/io/checkpoint"
	"fdem/io/deck"
	"fdem/io/guard"
	"fdem/io/results"
	"fdem/mesh"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/spatial/r2"
)

func newInfoCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:               "info FILE",
		Short:             "Print the contents of a mesh, a checkpoint or a results folder",
		Example:           "  fdem info examples/elastic-collision/elastic-collision.msh\n  fdem info examples/elastic-collision/elastic-collision.out",
		Args:              exactly("FILE"),
		ValidArgsFunction: completeFiles("msh", "inp", "out"),
		RunE: func(c *cobra.Command, args []string) error {
			if dir, err := findResults(args[0]); err == nil && !isMesh(args[0]) {
				args[0] = dir
			}
			stat, err := os.Stat(args[0])
			switch {
			case err != nil:
				return err
			case stat.IsDir():
				return infoResults(legible{c.OutOrStdout()}, args[0], asJSON)
			case !stat.Mode().IsRegular():
				return fmt.Errorf("%s is not a file", args[0])
			case filepath.Ext(args[0]) == ".ckpt":
				return infoCheckpoint(legible{c.OutOrStdout()}, args[0], asJSON)
			case isMesh(args[0]):
				return infoMesh(legible{c.OutOrStdout()}, args[0], asJSON)
			}
			return fmt.Errorf("%s: expected a mesh (.msh, .inp), a checkpoint (.ckpt) or a results folder", args[0])
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON on standard output")
	return c
}

func infoMesh(out io.Writer, path string, asJSON bool) error {
	src, err := deck.ReadMesh(path)
	if err != nil {
		return err
	}
	if asJSON {
		return meshJSON(out, path, src)
	}
	fmt.Fprintf(out, "%s: %d nodes, %d points, %d lines, %d triangles\n", path, len(src.X), len(src.Points), len(src.Lines), len(src.Triangles))
	for _, w := range src.Warnings {
		fmt.Fprintf(out, "warning: %s\n", w)
	}
	kinds := [3]string{"points", "curve", "surface"}
	for _, g := range src.Groups {
		fmt.Fprintf(out, "%s %q (%d): %d elements%s\n", kinds[g.Dim], g.Name, g.Number, len(g.Elements), lengthOf(src, &g))
	}
	for _, a := range src.Aliases {
		if len(a.Of) > 1 {
			fmt.Fprintf(out, "%q is ambiguous: a deck names one of %s\n", a.Name, strings.Join(a.Of, ", "))
		}
	}
	if len(src.Triangles) == 0 {
		return nil
	}
	m, err := mesh.Build(src, nil)
	if err != nil {
		return err
	}
	for _, w := range m.Warnings[len(src.Warnings):] {
		fmt.Fprintf(out, "warning: %s\n", w)
	}
	for _, b := range m.Bodies {
		lo, hi := b.Extent(m)
		fmt.Fprintf(out, "body %q: %d triangles, %d boundary edges, x from %.6g to %.6g m, y from %.6g to %.6g m\n",
			b.Name, b.End-b.First, b.EndEdge-b.FirstEdge, lo.X, hi.X, lo.Y, hi.Y)
	}
	q := m.Quality()
	fmt.Fprintf(out, "quality: worst %.3f (triangle %d), mean %.3f; edges from %.4g to %.4g m\n", q.Worst, q.WorstTriangle, q.Mean, q.ShortestEdge, q.LongestEdge)
	return nil
}

// lengthOf returns the length of a curve, which may become a beam, as text.
func lengthOf(src *mesh.Source, g *mesh.SourceGroup) string {
	if g.Dim != 1 {
		return ""
	}
	length := 0.0
	for _, e := range g.Elements {
		n := src.Lines[e]
		length += r2.Norm(r2.Sub(src.X[n[1]], src.X[n[0]]))
	}
	return fmt.Sprintf(", %.6g m long", length)
}

func infoResults(out io.Writer, dir string, asJSON bool) error {
	data, err := guard.Read(dir, "summary.json", guard.Text)
	if errors.Is(err, fs.ErrNotExist) {
		if paths, listErr := checkpoint.List(filepath.Join(dir, "checkpoints")); listErr == nil && len(paths) > 0 {
			fmt.Fprintf(out, "%s: a run that has not ended; if it was killed, continue it with fdem resume %s\n", dir, dir)
			return infoCheckpoints(out, dir)
		}
	}
	if err != nil {
		return fmt.Errorf("%s is not a results folder of a finished run: %w", dir, err)
	}
	var sum results.Summary
	if err := json.Unmarshal(data, &sum); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, "summary.json"), err)
	}
	if asJSON {
		return resultsJSON(out, dir, data)
	}
	fmt.Fprintf(out, "%s: %s, %s\n", dir, sum.Title, sum.Status)
	fmt.Fprintf(out, "fdem %s; %d elements, %d nodes, %d contact nodes; %d steps to %g s in %.3g s\n", sum.Version, sum.Elements, sum.Nodes, sum.ContactNodes, sum.Steps, sum.Time, sum.WallSeconds)
	for _, b := range sum.Bodies {
		fmt.Fprintf(out, "body %q: velocity (%.6g, %.6g) m/s, %.6g rad/s\n", b.Name, b.Velocity[0], b.Velocity[1], b.AngularVelocity)
	}
	for _, k := range sum.Contacts {
		if k.Peaks == nil { // by impulses
			fmt.Fprintf(out, "contact %q: peak impulse %.4g N s, penetration up to %.3g m, dissipated %.4g J\n", k.Name, k.PeakImpulse, k.Penetration, k.Dissipated)
			continue
		}
		fmt.Fprintf(out, "contact %q: peak pressure %.4g Pa, peak force %.4g N, dissipated %.4g J\n", k.Name, k.PeakPressure, k.PeakForce, k.Dissipated)
	}
	patterns := []string{"fields/*.vtu", "contact/*.vtp"}
	if sum.Cracks != nil {
		fmt.Fprintln(out, cracked(sum.Cracks))
		patterns = append(patterns, "cracks/*.vtp")
	}
	for i := range sum.Fluids {
		fmt.Fprintln(out, filled(&sum.Fluids[i]))
	}
	fmt.Fprintf(out, "energy residual %.3g of the greatest energy held or moved\n", sum.Energy.ResidualRelative)
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		if large, _ := filepath.Glob(filepath.Join(dir, "fields/*.pvtu")); pattern == patterns[0] && len(large) > 0 {
			files, pattern = large, "fields/*.pvtu"
		}
		fmt.Fprintf(out, "%d files %s\n", len(files), pattern)
	}
	return infoCheckpoints(out, dir)
}
