package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"fdem/io/gmsh"
	"fdem/io/guard"
	"fdem/io/plan"
	"fdem/io/whole"
	"fdem/mesh"

	"github.com/spf13/cobra"
)

// shapesSuffix is the end of the names of shapes files.
const shapesSuffix = ".shapes.toml"

func newMeshCommand() *cobra.Command {
	var out, drawn string
	var force bool
	c := &cobra.Command{
		Use:   "mesh SHAPES",
		Short: "Make a mesh of rectangles, discs, convex polygons and lines",
		Long: `Make a mesh in Gmsh's format from the shapes in a TOML file: [[rectangle]] with
from and to, [[disc]] with centre and radius, [[polygon]] with corners (convex,
anticlockwise), [[line]] with from and to. Each has a name and an
edge, the length of its triangles' edges; shapes of one name are one body. Sides get
names, for supports and loads, by bottom, right, top and left of a rectangle,
rim of a disc, sides of a polygon, start and end of a line; lines
whose ends have the same name and position are joined there. Other shapes that touch
are separate, unless join = ["left", "right"] at the top names their bodies.
These share nodes where they touch, along
whole sides of the same length, and sides with a name become curves inside, where a
[[fracture]] may be. [[point]] with name, body and at names one node, which is
moved to the position at, such as the axle of a wheel: with [[fix]] on it the body can turn.
seed = 1, at the top or in a shape, moves the nodes inside at random by up to a
fifth of the edge, since cracks follow triangles in rows.
fdem new writes such files as examples; use Gmsh for any other shape.

A rectangle or a polygon may have [[joints]] (sets by orientation, length and
intensity), [[traces]] from a table, a map or a DXF, Voronoi [[grains]], [[layers]] and
[[hole]]s, each with in, the shape, and name, that of its curve. These are written as a
geometry, .geo beside the mesh, which gmsh meshes: gmsh must be installed.`,
		Example: `  fdem mesh first.shapes.toml
  fdem mesh first.shapes.toml -o fine.msh --force
  fdem mesh first.shapes.toml -o - | less`,
		Args:              exactly("SHAPES"),
		ValidArgsFunction: completeFiles("toml"),
		RunE:              func(c *cobra.Command, args []string) error { return meshShapes(c, args[0], out, drawn, force) },
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the mesh, - for standard output (default: SHAPES with .msh for "+shapesSuffix+")")
	c.Flags().StringVar(&drawn, "draw", "", "draw joints, grains and layers with their orientations to this file, .png or .svg")
	c.Flags().BoolVar(&force, "force", false, "overwrite an existing mesh")
	return c
}

// meshShapes makes the mesh of the shapes in the file at path, beside it if out is
// empty. It draws their joints if drawn names a file.
func meshShapes(c *cobra.Command, path, out, drawn string, force bool) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	src, rocks, err := plan.ParseRocks(path, data)
	if err != nil {
		return err
	}
	src.InMetres = givesUnits(string(data))
	for _, w := range src.Warnings {
		fmt.Fprintf(c.ErrOrStderr(), "warning: %s\n", w)
	}
	if out == "" {
		stem, ok := strings.CutSuffix(path, shapesSuffix)
		if !ok {
			return fmt.Errorf("%s does not end in %s: give the path of the mesh with -o", path, shapesSuffix)
		}
		out = stem + ".msh"
	}
	if err := drawNetwork(drawn, rocks, c.OutOrStdout()); err != nil {
		return err
	}
	if rocks != nil {
		if err := meshRocks(c.OutOrStdout(), out, src, rocks, force); err != nil {
			return err
		}
	}
	if out == "-" {
		return gmsh.Write(c.OutOrStdout(), src)
	}
	if err := writeMesh(out, src, force); err != nil {
		return err
	}
	built, err := mesh.Build(src, nil)
	if err != nil { // lines only
		fmt.Fprintf(c.OutOrStdout(), "%s: %d lines\n", out, len(src.Lines))
		return nil
	}
	q := built.Quality()
	fmt.Fprintf(c.OutOrStdout(), "%s: %d nodes, %d triangles, quality at least %.2f, %.3f on average\n", out, len(src.X), len(src.Triangles), q.Worst, q.Mean)
	return nil
}

var (
	lengthKey = regexp.MustCompile(`^\s*(edge|from|to|centre|radius|corners|at)\s*=(.*)`)
	quotation = regexp.MustCompile(`"[^"]*"`)
)

// givesUnits tells whether shapes have all their lengths with units: plain numbers may be meant in
// millimetres, of which a run then warns.
func givesUnits(shapes string) bool {
	some := false
	for line := range strings.Lines(shapes) {
		line, _, _ = strings.Cut(line, "#")
		m := lengthKey.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		plain := quotation.ReplaceAllString(m[2], "")
		if strings.ContainsAny(plain, "123456789") {
			return false
		}
		some = some || plain != m[2]
	}
	return some
}

// writeMesh writes a mesh. A file of that name must not exist unless forced.
func writeMesh(path string, src *mesh.Source, force bool) error {
	var b bytes.Buffer
	if err := gmsh.Write(&b, src); err != nil {
		return err
	}
	is, err := guard.Is(path, guard.Mesh)
	switch {
	case err == nil && !is:
		return guard.Replace(path, guard.Mesh)
	case err == nil && !force:
		return fmt.Errorf("%s exists: overwrite it with --force", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := whole.WriteBytes(path, b.Bytes()); err != nil {
		return &exitError{exitFailed, err}
	}
	return nil
}
