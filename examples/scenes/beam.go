package scenes

import (
	"fmt"
	"os"
	"regexp"
	"strconv"

	"fdem/io/deck"
	"fdem/mesh"
	"fdem/solver"

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
		b := addNode(src, r2.Vec{X: Span * float64(i) / float64(n)})
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

// Struck is the model of a beam-impact deck with a beam of n elements and so
// many contact nodes on one, in place of the deck's own.
func Struck(path string, n, nodes int) (*solver.Model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	own := regexp.MustCompile(`(?m)^nodes_per_element = \d+`)
	d, err := deck.Parse(path, own.ReplaceAll(text, fmt.Appendf(nil, "nodes_per_element = %d", nodes)))
	if err != nil {
		return nil, err
	}
	src := &mesh.Source{Name: strconv.Itoa(n) + " elements"}
	Strike(src, n)
	built, err := mesh.Build(src, d.BodyNames(), d.BeamNames()...)
	if err != nil {
		return nil, err
	}
	m, _, err := deck.Model(d, built)
	return m, err
}
