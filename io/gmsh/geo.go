package gmsh

import (
	"bufio"
	"fmt"
	"io"

	"fdem/mesh/network"

	"gonum.org/v1/gonum/spatial/r2"
)

// Rock is a convex region with a network in it, for WriteGeo: what stays one body, or
// falls into layers, each a region whose sides are edges of the graph.
type Rock struct {
	Graph  *network.Graph
	Sets   []string // names of the curves of the sets, "" for none
	Sides  []string // of the curves of the sides of the region, "" for none
	Layers []Layer
	Edge   float64 // size of the elements [m]
}

// Layer is a body and the region that it fills.
type Layer struct {
	Name   string
	Region network.Region
}

// WriteGeo writes rocks as a geometry of Gmsh, of which gmsh -2 makes a mesh that has
// every edge of the networks: bodies are physical surfaces, sets and sides physical curves.
func WriteGeo(out io.Writer, rocks []Rock) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "// made by fdem mesh; gmsh -2 makes a mesh of it")
	point, line, surface := 1, 1, 1
	curves, surfaces := map[string][]int{}, map[string][]int{}
	var names, bodies []string
	for _, r := range rocks {
		g := r.Graph
		fmt.Fprintf(w, "edge%d = %.12g;\n", point, r.Edge)
		for i, x := range g.X {
			fmt.Fprintf(w, "Point(%d) = {%.17g, %.17g, 0, edge%d};\n", point+i, x.X, x.Y, point)
		}
		at := map[[2]int32]int{}
		for i, e := range g.Edges {
			fmt.Fprintf(w, "Line(%d) = {%d, %d};\n", line+i, point+int(e.A), point+int(e.B))
			at[[2]int32{e.A, e.B}], at[[2]int32{e.B, e.A}] = line+i, -(line + i)
			name := ""
			if e.Set >= 0 {
				name = r.Sets[e.Set]
			} else if k := int(-1 - e.Set); k < len(r.Sides) {
				name = r.Sides[k]
			}
			if name != "" {
				if curves[name] == nil {
					names = append(names, name)
				}
				curves[name] = append(curves[name], line+i)
			}
		}
		for _, l := range r.Layers {
			region := g.Snap(l.Region)
			if len(region) < 3 {
				continue // thinner than the graph can tell
			}
			loop := g.Loop(region)
			on := map[int]bool{}
			fmt.Fprintf(w, "Line Loop(%d) = {", surface)
			for k, v := range loop {
				e := at[[2]int32{v, loop[(k+1)%len(loop)]}]
				if e == 0 {
					return fmt.Errorf("body %q: its outline is not whole at (%.6g, %.6g) m", l.Name, g.X[v].X, g.X[v].Y)
				}
				on[max(e, -e)] = true
				fmt.Fprintf(w, "%s%d", map[bool]string{true: ", "}[k > 0], e)
			}
			fmt.Fprintf(w, "};\nPlane Surface(%d) = {%d};\n", surface, surface)
			var inside []int
			for i, e := range g.Edges {
				middle := r2.Scale(0.5, r2.Add(g.X[e.A], g.X[e.B]))
				if !on[line+i] && region.Holds(middle) {
					inside = append(inside, line+i)
				}
			}
			if len(inside) > 0 {
				fmt.Fprintf(w, "Line{")
				list(w, inside)
				fmt.Fprintf(w, "} In Surface{%d};\n", surface)
			}
			if surfaces[l.Name] == nil {
				bodies = append(bodies, l.Name)
			}
			surfaces[l.Name] = append(surfaces[l.Name], surface)
			surface++
		}
		point, line = point+len(g.X), line+len(g.Edges)
	}
	for _, name := range names {
		fmt.Fprintf(w, "Physical Curve(%q) = {", name)
		list(w, curves[name])
		fmt.Fprintln(w, "};")
	}
	for _, name := range bodies {
		fmt.Fprintf(w, "Physical Surface(%q) = {", name)
		list(w, surfaces[name])
		fmt.Fprintln(w, "};")
	}
	return w.Flush()
}

// list writes numbers with commas between, some on a line.
func list(w io.Writer, numbers []int) {
	for i, n := range numbers {
		switch {
		case i == 0:
		case i%20 == 0:
			fmt.Fprint(w, ",\n  ")
		default:
			fmt.Fprint(w, ", ")
		}
		fmt.Fprint(w, n)
	}
}
