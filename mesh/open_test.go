package mesh

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// cross is a patch of 4 by 4 cells with a cut across it, another that ends at its middle
// and crosses the first, lines on its bottom and a point where cuts meet.
func cross() (src *Source, lines []int32) {
	src = patch(4, 4, nil)
	at := func(i, j int32) int32 { return 5*j + i }
	for i := range int32(4) {
		lines = append(lines, src.AddLine(at(i, 2), at(i+1, 2)))
	}
	for j := range int32(3) {
		lines = append(lines, src.AddLine(at(2, j), at(2, j+1)))
	}
	bottom := src.AddLine(at(1, 0), at(2, 0))
	side := src.AddLine(at(2, 0), at(3, 0))
	src.Points = append(src.Points, at(2, 2))
	src.Groups = append(src.Groups,
		SourceGroup{Name: "cuts", Dim: 1, Number: 2, Elements: slices.Clone(lines)},
		SourceGroup{Name: "bottom", Dim: 1, Number: 3, Elements: []int32{bottom, side}},
		SourceGroup{Name: "middle", Dim: 0, Number: 4, Elements: []int32{0}})
	return src, lines
}

// Cuts that cross, meet an outline and end take just the area of their aperture, and
// groups have both sides.
func TestOpen(t *testing.T) {
	src, lines := cross()
	const width = 0.01
	n, err := src.Open(lines, width)
	if err != nil || n != 7 {
		t.Fatalf("%d lines cut, %v", n, err)
	}
	m, err := Build(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	area := 0.0
	for _, tri := range m.Triangles {
		area += 0.5 * doubleArea(m.X[tri[0]], m.X[tri[1]], m.X[tri[2]])
	}
	// 4 of the level cut, 2 of the other below and half a cell of the one above, where it
	// narrows, but for the crossing, which is in all.
	if want := 16 - width*(4+2+0.5) + width*width*3/4; math.Abs(area-want) > 1e-12 {
		t.Errorf("%.15g of area is left, want %.15g", area, want)
	}
	groups := map[string]*Group{}
	for i := range m.Groups {
		groups[m.Groups[i].Name] = &m.Groups[i]
	}
	if g := groups["cuts"]; len(g.Edges) != 14 || len(g.Lines) != 14 {
		t.Errorf("the cuts have %d boundary edges and %d lines, want 14", len(g.Edges), len(g.Lines))
	}
	if g := groups["bottom"]; len(g.Edges) != 2 || len(g.Nodes) != 4 {
		t.Errorf("the bottom has %d edges and %d nodes, want 2 and 4", len(g.Edges), len(g.Nodes))
	}
	if g := groups["middle"]; len(g.Nodes) != 4 {
		t.Errorf("the middle is %d nodes, want 4", len(g.Nodes))
	} else {
		for _, k := range g.Nodes {
			if d := r2.Sub(m.X[k], r2.Vec{X: 2, Y: 2}); math.Abs(math.Abs(d.X)-width/2) > 1e-15 || math.Abs(math.Abs(d.Y)-width/2) > 1e-15 {
				t.Errorf("a corner of the crossing is at %v", m.X[k])
			}
		}
	}
	if m.Components != 3 { // the upper half is connected at the cut's end
		t.Errorf("%d components, want 3", m.Components)
	}
}

// Cuts that are not possible are reported. Lines on an outline are no cuts.
func TestOpenRefuses(t *testing.T) {
	src, lines := cross()
	if _, err := src.Open(lines, 1.2); err == nil || !strings.Contains(err.Error(), "leave too little of the triangle at") {
		t.Errorf("error %v", err)
	}
	src, _ = cross()
	if n, err := src.Open([]int32{7, 8}, 0.01); n != 0 || err != nil {
		t.Errorf("%d lines of the outline are cut, %v", n, err)
	}
}
