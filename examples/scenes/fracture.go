package scenes

import (
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Spall appends a bar of 500 by 5 mm along x in n rows of cells, with two
// physical curves: "struck", its end x = 0, and "plane", across it at 440 mm.
func Spall(src *mesh.Source, n int) {
	const long, high, plane = 100, 1, 88 // in 5 mm
	first := len(src.X)
	Block(src, "bar", r2.Vec{}, 0, 5e-3*long, 5e-3*high, long*n, high*n)
	across := func(name string, column int) {
		g := mesh.SourceGroup{Name: name, Dim: 1, Number: len(src.Groups) + 1}
		for j := range high * n {
			a := first + j*(long*n+1) + column
			g.Elements = append(g.Elements, int32(len(src.Lines)))
			src.Lines = append(src.Lines, [2]int32{int32(a), int32(a + long*n + 1)})
			src.LineID = append(src.LineID, int64(len(src.Triangles)+len(src.Lines)))
		}
		src.Groups = append(src.Groups, g)
	}
	across("struck", 0)
	across("plane", plane*n)
}
