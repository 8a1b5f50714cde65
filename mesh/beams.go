package mesh

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// lineOwners returns the body of each line, -1 for none. The beams are 1-D
// groups whose bodies are numbered from first. It fails for a name that is not
// a 1-D group, for a line in two beams, and for a line without length.
func lineOwners(src *Source, beams []string, first int) ([]int32, error) {
	owner := make([]int32, len(src.Lines))
	for i := range owner {
		owner[i] = -1
	}
	for i, name := range beams {
		g, err := src.group(name, 1)
		if err != nil {
			return nil, err
		}
		for _, l := range g.Elements {
			if o := owner[l]; o >= 0 {
				return nil, fmt.Errorf("line %d is in beam %q and in beam %q: an element belongs to one body", src.LineID[l], beams[int(o)-first], name)
			}
			n := src.Lines[l]
			if !(square(src.X[n[0]], src.X[n[1]]) > 0) {
				return nil, fmt.Errorf("line %d of beam %q has no length", src.LineID[l], name)
			}
			owner[l] = int32(first + i)
		}
	}
	return owner, nil
}

// Length returns the length of a body's beams [m].
func (m *Mesh) Length(b *Body) float64 {
	length := 0.0
	for _, n := range m.Beams[b.FirstBeam:b.EndBeam] {
		length += math.Sqrt(square(m.X[n[0]], m.X[n[1]]))
	}
	return length
}

// addBeams adds the beams body after body, within a body in the order of their
// lowest node.
func (m *Mesh) addBeams(src *Source, owner, number []int32, names []string) {
	first := int32(len(m.Bodies))
	for i, name := range names {
		var list []int32 // the body's lines
		for l, o := range owner {
			if o == first+int32(i) {
				list = append(list, int32(l))
			}
		}
		low := func(l int32) int32 { return min(number[src.Lines[l][0]], number[src.Lines[l][1]]) }
		slices.SortFunc(list, func(p, q int32) int { return cmp.Or(cmp.Compare(low(p), low(q)), cmp.Compare(p, q)) })
		triangles := int32(len(m.Triangles))
		b := Body{Name: name, Kind: OfBeams, First: triangles, End: triangles, FirstBeam: int32(len(m.Beams))}
		for _, l := range list {
			n := [2]int32{number[src.Lines[l][0]], number[src.Lines[l][1]]}
			m.Beams, m.BeamID = append(m.Beams, n), append(m.BeamID, int32(src.LineID[l]))
			b.Nodes = append(b.Nodes, n[:]...)
		}
		b.EndBeam = int32(len(m.Beams))
		slices.Sort(b.Nodes)
		b.Nodes = slices.Compact(b.Nodes)
		m.Bodies = append(m.Bodies, b)
	}
}

// Connect calls the function with pairs of nodes joined by elements, enough to
// connect all nodes of a component.
func (m *Mesh) Connect(join func(a, b int32)) {
	for _, t := range m.Triangles {
		join(t[0], t[1])
		join(t[0], t[2])
	}
	for _, b := range m.Beams {
		join(b[0], b[1])
	}
	for _, h := range m.Hinges {
		join(h.Node, h.Of)
	}
}

// renumberLines replaces the beams' node numbers by new ones, in a copy.
func (m *Mesh) renumberLines(position []int32) {
	m.Beams = slices.Clone(m.Beams)
	for i, b := range m.Beams {
		m.Beams[i] = [2]int32{position[b[0]], position[b[1]]}
	}
}

// HeldTogether returns the connected sets of nodes: by elements, by hinges, and
// by faces with the nodes that carry them.
func (m *Mesh) HeldTogether() Connected {
	c := NewConnected(len(m.X))
	for _, t := range m.Triangles {
		c.Join(t[0], t[1])
		c.Join(t[0], t[2])
	}
	m.JoinBeside(c)
	return c
}

// JoinBeside joins the nodes that are connected by other means than triangles.
func (m *Mesh) JoinBeside(c Connected) {
	for _, b := range m.Beams {
		c.Join(b[0], b[1])
	}
	for _, h := range m.Hinges {
		c.Join(h.Node, h.Of)
	}
	for i, n := range m.Faces {
		c.Join(n, m.FirstFace+int32(i))
	}
}
