package solver

import (
	"fmt"
	"strings"

	"fdem/mesh"
)

// held says which nodes of a connected piece are fixed.
type held struct {
	x, y     int   // nodes fixed in x and in y
	inX, inY int32 // the first of each
	apart    bool  // a node fixed in x is not at the height of the first, or one fixed in y not in line with it
	rotation bool  // a node that may not turn is among them
	rubs     bool  // a contact with friction has edges of the piece, or a spring or a tie holds it
	told     bool
}

// Loose names the bodies of a static analysis that supports leave free to move
// as a whole and that no contact with friction touches: contact without friction
// holds a body against itself only, and along it there may be no balance. Each
// name comes with what is free.
func (s *Solver) Loose() []string {
	root := s.pieces()
	found := map[int32]*held{} // looked up only
	at := func(n int32) *held {
		h := found[root[n]]
		if h == nil {
			h = new(held)
			found[root[n]] = h
		}
		return h
	}
	fixes := s.Fixes
	for _, d := range s.Drives {
		fixes = append(fixes[:len(fixes):len(fixes)], Fix{Nodes: d.Nodes, X: d.X, Y: d.Y, Rotation: d.Rotation})
	}
	for _, f := range fixes {
		for _, n := range f.Nodes {
			h := at(n)
			if f.X {
				if h.x == 0 {
					h.inX = n
				}
				h.apart = h.apart || s.Mesh.X[n].Y != s.Mesh.X[h.inX].Y
				h.x++
			}
			if f.Y {
				if h.y == 0 {
					h.inY = n
				}
				h.apart = h.apart || s.Mesh.X[n].X != s.Mesh.X[h.inY].X
				h.y++
			}
			h.rotation = h.rotation || f.Rotation
		}
	}
	rubs := make([]bool, len(s.Rigids))
	for _, k := range s.systems {
		if k, ok := k.(holding); ok {
			k.hold(func(n int32) { at(n).rubs = true }, func(i int32) { rubs[i] = true })
		}
	}
	for i := range s.Model.Contacts {
		c := &s.Model.Contacts[i]
		if c.Friction.Kinetic == 0 {
			continue
		}
		for _, list := range [][]int32{c.Contactor, c.Opposite} {
			for _, e := range list {
				edge := &s.Mesh.Edges[e]
				if b := &s.Mesh.Bodies[edge.Body]; b.Kind == mesh.OfOutline {
					rubs[b.Number] = true
					continue
				}
				at(carrier(s.Mesh, edge.A)).rubs = true
			}
		}
	}
	var out []string
	for i, b := range s.Model.Bodies {
		free, several := "", 0
		for _, n := range s.Mesh.Bodies[i].Nodes {
			h := at(n)
			if h.told {
				continue
			}
			h.told = true
			if h.rubs {
				continue
			}
			if way := h.free(); way != "" {
				if several++; several == 1 {
					free = way
				}
			}
		}
		switch {
		case several == 1:
			out = append(out, fmt.Sprintf("body %q (%s)", b.Name, free))
		case several > 1:
			out = append(out, fmt.Sprintf("body %q (%d pieces, the first %s)", b.Name, several, free))
		}
	}
	for i := range s.Rigids {
		r := &s.Rigids[i]
		var ways []string
		for k, way := range []string{"along x", "along y", "to turn"} {
			if r.Mass > 0 || r.Released[k] {
				ways = append(ways, way)
			}
		}
		if len(ways) > 0 && !rubs[i] {
			out = append(out, fmt.Sprintf("rigid %q (%s)", r.Name, strings.Join(ways, ", ")))
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, k := range s.systems {
		if k, ok := k.(hinged); ok {
			out = append(out, k.swings(fixes, func(n int32) bool { return at(n).rubs })...)
		}
	}
	return out
}

// free says how the piece may move as a whole; nothing where it may not.
func (h *held) free() string {
	var ways []string
	if h.x == 0 {
		ways = append(ways, "along x")
	}
	if h.y == 0 {
		ways = append(ways, "along y")
	}
	if !h.apart && !h.rotation {
		ways = append(ways, "to turn")
	}
	return strings.Join(ways, ", ")
}

// carrier returns the node that carries a node, itself where none does.
func carrier(m *mesh.Mesh, n int32) int32 {
	if k := int(n - m.FirstFace); k >= 0 && k < len(m.Faces) {
		return m.Faces[k]
	}
	return n
}

// pieces returns for every node one that stands for all that elements connect
// with it.
func (s *Solver) pieces() []int32 {
	nodes := mesh.NewConnected(len(s.Mesh.X))
	s.Mesh.Connect(nodes.Join)
	return nodes.Firsts()
}
