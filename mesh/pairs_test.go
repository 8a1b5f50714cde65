package mesh

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// Pairs share an edge, have even positions in their body, and leave few triangles single. Edges
// still name their triangles.
func TestWithPairs(t *testing.T) {
	src := &Source{Name: "strip"}
	const nx, ny = 13, 7
	for j := range ny + 1 {
		for i := range nx + 1 {
			src.AddNode(r2.Vec{X: float64(i), Y: float64(j)})
		}
	}
	var left, right []int32
	for j := range ny {
		for i := range nx {
			a := int32(j*(nx+1) + i)
			b, c, d := a+1, a+nx+2, a+nx+1
			cell := []int32{src.AddTriangle(a, b, c), src.AddTriangle(a, c, d)}
			if i == 3 && j == 3 { // one less, so that not all find a partner
				cell = cell[:1]
			}
			if i < 5 {
				left = append(left, cell...)
			} else {
				right = append(right, cell...)
			}
		}
	}
	src.Groups = []SourceGroup{{Name: "left", Dim: 2, Number: 1, Elements: left}, {Name: "right", Dim: 2, Number: 2, Elements: right}}
	m, err := Build(src, []string{"left", "right"})
	if err != nil {
		t.Fatal(err)
	}
	if m.WithPairs([]bool{false, false}) != m {
		t.Error("a mesh without pairs is another one")
	}
	p := m.WithPairs([]bool{true, false})
	if slices.Contains(p.Pairs[p.Bodies[1].First:], true) {
		t.Error("a body is in pairs that was not asked for")
	}
	single := 0
	b := p.Bodies[0]
	for i := b.First; i < b.End; i++ {
		switch {
		case p.Pairs[i]:
			shared := 0
			for _, n := range p.Triangles[i] {
				if slices.Contains(p.Triangles[i+1][:], n) {
					shared++
				}
			}
			if shared != 2 || (i-b.First)%2 != 0 || p.Pairs[i+1] {
				t.Errorf("triangles %d and %d are no pair", i, i+1)
			}
		case i == b.First || !p.Pairs[i-1]:
			single++
		}
	}
	if single != 1 {
		t.Errorf("%d triangles of %d are alone, want 1", single, b.End-b.First)
	}
	ids := func(m *Mesh) []int32 { return slices.Sorted(slices.Values(m.TriID[b.First:b.End])) }
	if !slices.Equal(ids(p), ids(m)) || slices.Equal(p.TriID, m.TriID) {
		t.Error("triangles are lost, or stand as they were")
	}
	for i, e := range p.Edges {
		if n := p.Triangles[e.Tri]; !slices.Contains(n[:], e.A) || !slices.Contains(n[:], e.B) || p.TriID[e.Tri] != m.TriID[m.Edges[i].Tri] {
			t.Errorf("edge %d has lost its triangle", i)
		}
	}
}

// Triangles of one kind are consecutive in their body, in their former order. Edges and numbers are
// changed accordingly.
func TestWithRuns(t *testing.T) {
	src := &Source{Name: "strip"}
	for i := range 201 {
		src.AddNode(r2.Vec{X: float64(i)})
		src.AddNode(r2.Vec{X: float64(i), Y: 1})
	}
	var left, right []int32
	for i := range int32(200) {
		cell := []int32{src.AddTriangle(2*i, 2*i+2, 2*i+3), src.AddTriangle(2*i, 2*i+3, 2*i+1)}
		if i < 80 {
			left = append(left, cell...)
		} else {
			right = append(right, cell...)
		}
	}
	src.Groups = []SourceGroup{{Name: "left", Dim: 2, Number: 1, Elements: left}, {Name: "right", Dim: 2, Number: 2, Elements: right}}
	m, err := Build(src, []string{"left", "right"})
	if err != nil {
		t.Fatal(err)
	}
	kind := make([]int32, len(m.Triangles))
	for k := range kind {
		kind[k] = int32(k*7919%64) - 32
	}
	out, changes := m.WithRuns(kind), 0
	of := map[int32]int32{} // by its number, of each triangle
	for k, id := range m.TriID {
		of[id] = int32(k)
	}
	for _, b := range out.Bodies {
		for k := b.First; k < b.End; k++ {
			was := of[out.TriID[k]]
			if was < b.First || was >= b.End || m.Triangles[was] != out.Triangles[k] {
				t.Fatalf("triangle %d was %d: another body, or other corners", k, was)
			}
			if k > b.First {
				before := of[out.TriID[k-1]]
				if kind[was] != kind[before] {
					changes++
				} else if was < before {
					t.Errorf("triangle %d stands before %d, of the same kind", k, k-1)
				}
			}
		}
	}
	if changes != 2*63 {
		t.Errorf("64 kinds in two bodies change %d times", changes)
	}
	for i, e := range out.Edges {
		if out.TriID[e.Tri] != m.TriID[m.Edges[i].Tri] {
			t.Errorf("edge %d has another triangle", i)
		}
	}
}
