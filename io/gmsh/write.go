package gmsh

import (
	"bufio"
	"fmt"
	"io"

	"fdem/mesh"
)

// inMetres stands in the comments of a mesh whose positions are known to be in metres.
const inMetres = "positions in metres"

// Write writes src as .msh 2.2 in text. As in Gmsh, an element in several
// groups is written once for each. A comment says it where positions are known to be in metres.
func Write(w io.Writer, src *mesh.Source) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n")
	if src.InMetres {
		fmt.Fprintf(b, "$Comments\n%s\n$EndComments\n", inMetres)
	}
	if len(src.Groups) > 0 {
		fmt.Fprintf(b, "$PhysicalNames\n%d\n", len(src.Groups))
		for _, g := range src.Groups {
			fmt.Fprintf(b, "%d %d \"%s\"\n", g.Dim, g.Number, g.Name)
		}
		fmt.Fprintf(b, "$EndPhysicalNames\n")
	}
	fmt.Fprintf(b, "$Nodes\n%d\n", len(src.X))
	for i, x := range src.X {
		fmt.Fprintf(b, "%d %.17g %.17g 0\n", src.NodeID[i], x.X, x.Y)
	}
	fmt.Fprintf(b, "$EndNodes\n$Elements\n")
	groups := [3][][]int{make([][]int, len(src.Points)), make([][]int, len(src.Lines)), make([][]int, len(src.Triangles))}
	for _, g := range src.Groups {
		for _, e := range g.Elements {
			groups[g.Dim][e] = append(groups[g.Dim][e], g.Number)
		}
	}
	total := 0
	for _, dim := range groups {
		for e := range dim {
			if len(dim[e]) == 0 {
				dim[e] = []int{0}
			}
			total += len(dim[e])
		}
	}
	fmt.Fprintf(b, "%d\n", total)
	id := 0
	put := func(kind int, groups []int, nodes ...int32) {
		for _, g := range groups {
			id++
			fmt.Fprintf(b, "%d %d 2 %d %d", id, kind, g, max(g, 1))
			for _, n := range nodes {
				fmt.Fprintf(b, " %d", src.NodeID[n])
			}
			fmt.Fprintln(b)
		}
	}
	for i, n := range src.Points {
		put(15, groups[0][i], n)
	}
	for i, n := range src.Lines {
		put(1, groups[1][i], n[:]...)
	}
	for i, n := range src.Triangles {
		put(2, groups[2][i], n[:]...)
	}
	fmt.Fprintf(b, "$EndElements\n")
	return b.Flush()
}
