package scenes

import (
	"math"
	"math/rand"

	"fdem/mesh"
	"fdem/mesh/shapes"

	"gonum.org/v1/gonum/spatial/r2"
)

// Spall appends a bar of 500 by 5 mm along x in n rows of cells, with two
// physical curves: "struck", its end x = 0, and "plane", across it at 440 mm.
func Spall(src *mesh.Source, n int) {
	const long, high, plane = 100, 1, 88 // in 5 mm
	first := len(src.X)
	Block(src, "bar", r2.Vec{}, 0, 5e-3*long, 5e-3*high, long*n, high*n)
	across := func(name string, column int) {
		var nodes []int32
		for j := range high*n + 1 {
			nodes = append(nodes, int32(first+j*(long*n+1)+column))
		}
		curve(src, name, nodes)
	}
	across("struck", 0)
	across("plane", plane*n)
}

// curve names the lines from node to node.
func curve(src *mesh.Source, name string, nodes []int32) {
	g := mesh.SourceGroup{Name: name, Dim: 1, Number: len(src.Groups) + 1}
	for i := range len(nodes) - 1 {
		g.Elements = append(g.Elements, int32(len(src.Lines)))
		src.Lines = append(src.Lines, [2]int32{nodes[i], nodes[i+1]})
		src.LineID = append(src.LineID, int64(len(src.Triangles)+len(src.Lines)))
	}
	src.Groups = append(src.Groups, g)
}

// BrazilianRadius is that of the disc [m], BrazilianArc half the angle of the
// arcs that load it, to the nearest of its sides [rad].
const (
	BrazilianRadius = 25e-3
	BrazilianArc    = 10 * math.Pi / 180
)

// Brazilian appends a disc about the origin: 216 sides, irregular
// triangles of their size, and two physical curves, "top" and "bottom", of 10
// degrees to both sides of the y axis.
func Brazilian(src *mesh.Source, seed int64) error {
	const sides, arc = 216, 6 // sides to either side of the axis
	var corners []r2.Vec
	for i := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		corners = append(corners, r2.Vec{X: BrazilianRadius * cos, Y: BrazilianRadius * sin})
	}
	edge := r2.Norm(r2.Sub(corners[1], corners[0]))
	first := len(src.X)
	if _, err := shapes.Polygon(src, "disc", corners, edge); err != nil {
		return err
	}
	rng := rand.New(rand.NewSource(seed))
	for i := first + sides; i < len(src.X); i++ { // rows of triangles would lead the crack
		x := &src.X[i]
		if dx, dy := 2*rng.Float64()-1, 2*rng.Float64()-1; r2.Norm(*x) < BrazilianRadius-1.5*edge {
			x.X += 0.15 * edge * dx
			x.Y += 0.15 * edge * dy
		}
	}
	for k, name := range []string{"bottom", "top"} {
		var nodes []int32
		for i := -arc; i <= arc; i++ {
			nodes = append(nodes, int32(first+sides*(3-2*k)/4+i))
		}
		curve(src, name, nodes)
	}
	return nil
}
