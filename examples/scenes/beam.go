package scenes

import (
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Span is the length of the beam that a ball hits [m].
const Span = 0.1535

// Strike appends the beam in n elements, n even, from the origin along x: the
// curves beam and struck, its two elements in the middle, and the points left
// and right at its ends.
func Strike(src *mesh.Source, n int) {
	groups := []mesh.SourceGroup{{Name: "left", Dim: 0, Number: 1}, {Name: "right", Dim: 0, Number: 2}, {Name: "beam", Dim: 1, Number: 3}, {Name: "struck", Dim: 1, Number: 4}}
	for i := range n + 1 {
		b := src.AddNode(r2.Vec{X: Span * float64(i) / float64(n)})
		if i == 0 || i == n {
			groups[i/n].Elements = []int32{int32(len(src.Points))}
			src.Points = append(src.Points, b)
		}
		if i == 0 {
			continue
		}
		e := src.AddLine(b-1, b)
		groups[2].Elements = append(groups[2].Elements, e)
		if i == n/2 || i == n/2+1 {
			groups[3].Elements = append(groups[3].Elements, e)
		}
	}
	src.Groups = append(src.Groups, groups...)
}

// Height and length of the portal frame [m].
const (
	PortalHeight = 3
	PortalSpan   = 4
)

// Portal appends a portal frame of beams of 0.25 m, the curves columns and
// girder, whose feet stand on two blocks of 0.8 by 0.5 m, the body foundations.
// Points are feet and corners; the curve ground is the underside of the blocks.
func Portal(src *mesh.Source) {
	const edge = 0.25
	groups := []mesh.SourceGroup{{Name: "feet", Dim: 0, Number: 1}, {Name: "corners", Dim: 0, Number: 2},
		{Name: "columns", Dim: 1, Number: 3}, {Name: "girder", Dim: 1, Number: 4}, {Name: "ground", Dim: 1, Number: 5}}
	point := func(n int32, g int) {
		groups[g].Elements = append(groups[g].Elements, int32(len(src.Points)))
		src.Points = append(src.Points, n)
	}
	line := func(a, b int32, g int) {
		groups[g].Elements = append(groups[g].Elements, src.AddLine(a, b))
	}
	const nx, ny = 16, 10
	first := len(src.Triangles)
	var feet [2]int32
	for i, x := range [2]float64{0, PortalSpan} {
		base := int32(len(src.X))
		Block(src, "", r2.Vec{X: x - 0.4, Y: -0.5}, 0, 0.8, 0.5, nx, ny)
		src.Groups = nil // both are one body
		feet[i] = base + ny*(nx+1) + nx/2
		for k := range int32(nx) {
			line(base+k, base+k+1, 4)
		}
	}
	chain := func(from int32, to r2.Vec, n int, end int32, g int) int32 {
		start, last := src.X[from], from
		for i := 1; i <= n; i++ {
			next := end
			if i < n || end < 0 {
				next = src.AddNode(r2.Add(start, r2.Scale(float64(i)/float64(n), r2.Sub(to, start))))
			}
			line(last, next, g)
			last = next
		}
		return last
	}
	left := chain(feet[0], r2.Vec{Y: PortalHeight}, PortalHeight/edge, -1, 2)
	right := chain(feet[1], r2.Vec{X: PortalSpan, Y: PortalHeight}, PortalHeight/edge, -1, 2)
	chain(left, r2.Vec{X: PortalSpan, Y: PortalHeight}, PortalSpan/edge, right, 3)
	point(feet[0], 0)
	point(feet[1], 0)
	point(left, 1)
	point(right, 1)
	Group(src, "foundations", first)
	src.Groups[0].Number = 6
	src.Groups = append(src.Groups, groups...)
}
