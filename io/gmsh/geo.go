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
	w := &geo{Writer: bufio.NewWriter(out), point: 1, line: 1, surface: 1}
	fmt.Fprintln(w, "// made by fdem mesh; gmsh -2 makes a mesh of it")
	for i := range rocks {
		r := &rocks[i]
		at := w.graph(r)
		for _, l := range r.Layers {
			region := r.Graph.Snap(l.Region)
			if len(region) < 3 {
				continue // thinner than the graph can tell
			}
			if err := w.fill(r.Graph, l.Name, region, at); err != nil {
				return err
			}
		}
		w.line += len(r.Graph.Edges)
	}
	w.curves.write(w, "Curve")
	w.surfaces.write(w, "Surface")
	return w.Flush()
}

// geo is a geometry that is being written: the next numbers, and what has names.
type geo struct {
	*bufio.Writer
	point, line, surface int
	curves, surfaces     named
}

// named is numbers under names, in the order in which the names have come.
type named struct {
	names   []string
	numbers map[string][]int
}

func (n *named) add(name string, number int) {
	if n.numbers == nil {
		n.numbers = map[string][]int{}
	}
	if n.numbers[name] == nil {
		n.names = append(n.names, name)
	}
	n.numbers[name] = append(n.numbers[name], number)
}

func (n *named) write(w *geo, kind string) {
	for _, name := range n.names {
		fmt.Fprintf(w, "Physical %s(%q) = {", kind, name)
		list(w, n.numbers[name])
		fmt.Fprintln(w, "};")
	}
}

// graph writes points and lines of a rock, and returns the line from one node of the
// graph to another, negative the other way.
func (w *geo) graph(r *Rock) map[[2]int32]int {
	g := r.Graph
	fmt.Fprintf(w, "edge%d = %.12g;\n", w.point, r.Edge)
	for i, x := range g.X {
		fmt.Fprintf(w, "Point(%d) = {%.17g, %.17g, 0, edge%d};\n", w.point+i, x.X, x.Y, w.point)
	}
	at := map[[2]int32]int{}
	for i, e := range g.Edges {
		line := w.line + i
		fmt.Fprintf(w, "Line(%d) = {%d, %d};\n", line, w.point+int(e.A), w.point+int(e.B))
		at[[2]int32{e.A, e.B}], at[[2]int32{e.B, e.A}] = line, -line
		name := ""
		if e.Set >= 0 {
			name = r.Sets[e.Set]
		} else if k := int(-1 - e.Set); k < len(r.Sides) {
			name = r.Sides[k]
		}
		if name != "" {
			w.curves.add(name, line)
		}
	}
	w.point += len(g.X)
	return at
}

// fill writes the surface of a region, and the lines that lie in it.
func (w *geo) fill(g *network.Graph, body string, region network.Region, at map[[2]int32]int) error {
	loop := g.Loop(region)
	on := map[int]bool{}
	fmt.Fprintf(w, "Line Loop(%d) = {", w.surface)
	for k, v := range loop {
		e := at[[2]int32{v, loop[(k+1)%len(loop)]}]
		if e == 0 {
			return fmt.Errorf("body %q: its outline is not whole at (%.6g, %.6g) m", body, g.X[v].X, g.X[v].Y)
		}
		on[max(e, -e)] = true
		fmt.Fprintf(w, "%s%d", map[bool]string{true: ", "}[k > 0], e)
	}
	fmt.Fprintf(w, "};\nPlane Surface(%d) = {%d};\n", w.surface, w.surface)
	var inside []int
	for i, e := range g.Edges {
		middle := r2.Scale(0.5, r2.Add(g.X[e.A], g.X[e.B]))
		if !on[w.line+i] && region.Holds(middle) {
			inside = append(inside, w.line+i)
		}
	}
	if len(inside) > 0 {
		fmt.Fprintf(w, "Line{")
		list(w, inside)
		fmt.Fprintf(w, "} In Surface{%d};\n", w.surface)
	}
	w.surfaces.add(body, w.surface)
	w.surface++
	return nil
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
