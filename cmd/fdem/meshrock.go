package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"fdem/io/gmsh"
	"fdem/io/guard"
	"fdem/io/plan"
	"fdem/io/view"
	"fdem/io/whole"
	"fdem/mesh"
)

// meshRocks writes the geometry of rocks beside a mesh, runs gmsh to mesh it and adds
// the mesh to src. It prints the resulting sets.
func meshRocks(said io.Writer, out string, src *mesh.Source, rocks []plan.Rock, force bool) error {
	if out == "-" {
		return errors.New("joints, grains and layers need a geometry file beside the mesh: give the path of the mesh with -o")
	}
	if exists(out) && !force {
		return fmt.Errorf("%s exists: overwrite it with --force", out)
	}
	var all []gmsh.Rock
	for i := range rocks {
		all = append(all, rocks[i].Rock)
		for set := range rocks[i].Sets {
			fmt.Fprintln(said, rocks[i].Line(set))
		}
	}
	var text bytes.Buffer
	if err := gmsh.WriteGeo(&text, all); err != nil {
		return err
	}
	geo := strings.TrimSuffix(out, filepath.Ext(out)) + ".geo"
	if err := guard.Replace(geo, guard.Rock); err != nil {
		return err
	}
	if err := whole.WriteBytes(geo, text.Bytes()); err != nil {
		return &exitError{exitFailed, err}
	}
	program, err := exec.LookPath("gmsh")
	if err != nil {
		return &exitError{exitFailed, fmt.Errorf("gmsh is not installed, and it is needed to mesh joints, grains and layers: the geometry is in %s; mesh it with gmsh -2 %s", geo, geo)}
	}
	folder, err := os.MkdirTemp("", "fdem-mesh-")
	if err != nil {
		return &exitError{exitFailed, err}
	}
	defer os.RemoveAll(folder)
	made := filepath.Join(folder, "rock.msh")
	if output, err := exec.Command(program, "-2", "-format", "msh41", "-o", made, geo).CombinedOutput(); err != nil {
		return &exitError{exitFailed, fmt.Errorf("gmsh could not mesh %s: %w: %s", geo, err, lastOutputLine(output))}
	}
	rock, err := gmsh.Read(made)
	if err != nil {
		return &exitError{exitFailed, fmt.Errorf("the mesh that gmsh made from %s: %w", geo, err)}
	}
	src.Append(rock)
	return nil
}

// lastOutputLine returns the last line of a program's output that is not blank.
func lastOutputLine(output []byte) string {
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// drawNetwork draws rocks to a file, if one is named.
func drawNetwork(path string, rocks []plan.Rock, said io.Writer) error {
	switch {
	case path == "":
		return nil
	case rocks == nil:
		return errors.New("--draw draws joints, grains and layers, and the file has none")
	case filepath.Ext(path) != ".png" && filepath.Ext(path) != ".svg":
		return fmt.Errorf("--draw needs a file that ends in .png or .svg, got %s", path)
	}
	r := &rocks[0]
	n := view.Network{Title: r.Name, Region: r.Region, Sets: r.Sets}
	for set := range r.Sets {
		var lines [][2][2]float64
		for _, e := range r.Graph.Edges {
			if e.Set == int32(set) {
				a, b := r.Graph.X[e.A], r.Graph.X[e.B]
				lines = append(lines, [2][2]float64{{a.X, a.Y}, {b.X, b.Y}})
			}
		}
		n.Lines = append(n.Lines, lines)
		n.Rose = append(n.Rose, r.Graph.Orientations(view.RoseParts, func(s int32) bool { return s == int32(set) }))
	}
	if err := n.Save(path); err != nil {
		return &exitError{exitFailed, err}
	}
	fmt.Fprintln(said, path)
	return nil
}
