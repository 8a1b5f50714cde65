package gmsh

import (
	"bufio"
	"fmt"
	"io"

	"fdem/mesh/network"

	"gonum.org/v1/gonum/spatial/r2"
)

// Rock is a convex region with a network in it, for WriteGeo: faces, whose edges are edges
// of the graph, and the body of each.
type Rock struct {
	Graph  *network.Graph
	Sets   []string // names of the curves of the sets, "" for none
	Sides  []string // of the curves of the sides of the region, "" for none
	Faces  []network.Face
	Bodies []string // by face
	Edge   float64  // size of the elements [m]
}

// WriteGeo writes rocks as a geometry of Gmsh. The mesh by gmsh -2 has every edge of the
// networks. Bodies are physical surfaces; sets and sides are physical curves.
func WriteGeo(out io.Writer, rocks []Rock) error {
	w := &geo{Writer: bufio.NewWriter(out), point: 1, line: 1, loop: 1, surface: 1}
	fmt.Fprintln(w, "// made by fdem mesh; gmsh -2 makes a mesh from it")
	for i := range rocks {
		r := &rocks[i]
		at := w.graph(r)
		for k := range r.Faces {
			w.fill(r.Graph, r.Bodies[k], &r.Faces[k], at)
		}
		w.line += len(r.Graph.Edges)
	}
	w.curves.write(w, "Curve")
	w.surfaces.write(w, "Surface")
	return w.Flush()
}

// geo is a geometry during writing: the next numbers, and the named entities.
type geo struct {
	*bufio.Writer
	point, line, loop, surface int
	curves, surfaces           named
}

// named is lists of numbers under names, in the order in which the names were
// added.
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

// fill writes the surface of a body, with the edges inside.
func (w *geo) fill(g *network.Graph, body string, face *network.Face, at map[[2]int32]int) {
	on := map[int]bool{}
	loops := append([][]int32{face.Outer}, face.Inner...)
	first := w.loop
	for _, loop := range loops {
		lines := make([]int, len(loop))
		for k, v := range loop {
			lines[k] = at[[2]int32{v, loop[(k+1)%len(loop)]}]
			on[max(lines[k], -lines[k])] = true
		}
		fmt.Fprintf(w, "Line Loop(%d) = {", w.loop)
		list(w, lines)
		fmt.Fprintln(w, "};")
		w.loop++
	}
	numbers := make([]int, len(loops))
	for k := range numbers {
		numbers[k] = first + k
	}
	fmt.Fprintf(w, "Plane Surface(%d) = {", w.surface)
	list(w, numbers)
	fmt.Fprintln(w, "};")
	var inside []int
	for i, e := range g.Edges {
		if !on[w.line+i] && g.Holds(face, r2.Scale(0.5, r2.Add(g.X[e.A], g.X[e.B]))) {
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
