package scenes

import (
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Span is the length of the beam that a ball strikes [m].
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
		e := int32(len(src.Lines))
		src.Lines = append(src.Lines, [2]int32{b - 1, b})
		src.LineID = append(src.LineID, int64(e)+1)
		groups[2].Elements = append(groups[2].Elements, e)
		if i == n/2 || i == n/2+1 {
			groups[3].Elements = append(groups[3].Elements, e)
		}
	}
	src.Groups = append(src.Groups, groups...)
}
