package scenes

import (
	"math"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// BeamLine is a beam on a flat at y = 0 in n elements, an even number, with the
// point "middle".
func BeamLine(length, height float64, n int) *mesh.Source {
	src := &mesh.Source{Name: "beam-on-flat.msh"}
	all := mesh.SourceGroup{Name: "beam", Dim: 1, Number: 1}
	for i := range n + 1 {
		src.AddNode(r2.Vec{X: length * (float64(i)/float64(n) - 0.5), Y: height / 2})
		if i > 0 {
			all.Elements = append(all.Elements, src.AddLine(int32(i)-1, int32(i)))
		}
	}
	src.Points = []int32{int32(n / 2)}
	src.Groups = []mesh.SourceGroup{{Name: "middle", Dim: 0, Number: 2, Elements: []int32{0}}, all}
	return src
}

// BeamTriangles is the same beam in nx by ny cells of two triangles, mirrored
// about the curve "middle", with its side on the flat, "bottom", and a twentieth
// of its length opposite, "press".
func BeamTriangles(length, height float64, nx, ny int) *mesh.Source {
	src := &mesh.Source{Name: "triangles.msh"}
	body := mesh.SourceGroup{Name: "beam", Dim: 2, Number: 1}
	bottom := mesh.SourceGroup{Name: "bottom", Dim: 1, Number: 2}
	middle := mesh.SourceGroup{Name: "middle", Dim: 1, Number: 3}
	top := mesh.SourceGroup{Name: "press", Dim: 1, Number: 4}
	at := func(i, j int) int32 { return int32(j*(nx+1) + i) }
	for j := range ny + 1 {
		for i := range nx + 1 {
			src.AddNode(r2.Vec{X: length * (float64(i)/float64(nx) - 0.5), Y: height * float64(j) / float64(ny)})
		}
	}
	line := func(g *mesh.SourceGroup, a, b int32) {
		g.Elements = append(g.Elements, src.AddLine(a, b))
	}
	for j := range ny {
		for i := range nx {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			pair := [2][3]int32{{a, b, c}, {a, c, d}}
			if (i < nx/2) == (j%2 == 0) { // mirrored about the middle
				pair = [2][3]int32{{a, b, d}, {b, c, d}}
			}
			for _, t := range pair {
				body.Elements = append(body.Elements, src.AddTriangle(t[0], t[1], t[2]))
			}
			if j == 0 {
				line(&bottom, a, b)
			}
			if j == ny-1 && 2*math.Abs(src.X[c].X+src.X[d].X) < 0.1*length {
				line(&top, d, c)
			}
		}
		line(&middle, at(nx/2, j), at(nx/2, j+1))
	}
	src.Groups = []mesh.SourceGroup{body, bottom, middle, top}
	return src
}
