package mesh

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// A beam contacts others with its faces, at half its height on both sides of
// the line between its nodes. The outline around a body of beams passes each
// beam twice, once on each side, always with the beam on its left:
//
//	 .<---------.<---------.          . nodes of the faces
//	 |                     ^
//	 o----------o----------o          o nodes of the beams
//	 v                     |
//	 .--------->.--------->.
//
// If beams meet at an angle, the faces meet on the bisector. Each node of the
// faces is carried by a node of the beams: it moves and rotates with it.

// maxTurn is the greatest angle between beams at which their faces can meet at
// the corner [rad].
const maxTurn = 2 * math.Pi / 3

// halfEdge is one of the two directions along a beam, with the face on its right.
type halfEdge struct {
	from, to int32  // nodes of the beam
	beam     int32  // element
	d        r2.Vec // direction
	angle    float64
	a, b     int32 // nodes of its face
	next     int32 // the half-edge whose face follows
}

// FaceError reports beams whose faces cannot meet.
type FaceError struct{ Body, Reason string }

func (e *FaceError) Error() string { return fmt.Sprintf("beam %q: %s", e.Body, e.Reason) }

// WithFaces returns m with the faces of its bodies of beams. The nodes and
// edges of the faces come after its own, and the new nodes get numbers after
// the greatest of the file's. height is the heights of the bodies of beams in
// their order [m]. It fails with a *FaceError if faces cannot meet: if beams
// turn too sharply, or are too short for their height at a corner.
func (m *Mesh) WithFaces(height []float64) (*Mesh, error) {
	w := *m
	w.X, w.NodeID = slices.Clone(m.X), slices.Clone(m.NodeID)
	w.Bodies, w.Edges = slices.Clone(m.Bodies), slices.Clone(m.Edges)
	w.FirstFace, w.Faces = int32(len(w.X)), nil
	component := w.beamComponents()
	k := 0
	for i := range w.Bodies {
		b := &w.Bodies[i]
		if b.Kind != OfBeams {
			continue
		}
		b.Depth = 0.5 * height[k]
		if err := w.addFaces(i, component); err != nil {
			return nil, err
		}
		k++
	}
	id := slices.Max(append([]int32{0}, m.NodeID...))
	for range w.Faces {
		id++
		w.NodeID = append(w.NodeID, id)
	}
	return &w, nil
}

// addFaces makes the faces of a body of beams; its Depth is half its height.
func (m *Mesh) addFaces(body int, component []int32) error {
	b := &m.Bodies[body]
	halfEdges := m.halfEdges(b)
	from := make([]int32, len(halfEdges)) // half-edges sorted by their first node, anticlockwise
	for i := range from {
		from[i] = int32(i)
	}
	slices.SortFunc(from, func(p, q int32) int {
		return cmp.Or(cmp.Compare(halfEdges[p].from, halfEdges[q].from), cmp.Compare(halfEdges[p].angle, halfEdges[q].angle), cmp.Compare(p, q))
	})
	for lo := 0; lo < len(from); {
		hi := lo
		for hi < len(from) && halfEdges[from[hi]].from == halfEdges[from[lo]].from {
			hi++
		}
		for i := lo; i < hi; i++ { // the corner between two half-edges around the node
			next := from[lo+(i+1-lo)%(hi-lo)]
			if reason := m.corner(&halfEdges[from[i]^1], &halfEdges[next], next, b.Depth); reason != "" {
				return &FaceError{b.Name, reason}
			}
		}
		lo = hi
	}
	for i := range halfEdges {
		h := &halfEdges[i]
		if along := elementary.Dot(r2.Sub(m.X[h.b], m.X[h.a]), h.d); !(along > 0) {
			return &FaceError{b.Name, fmt.Sprintf("element %d is too short for a height of %g m where it meets its neighbours at an angle: their faces would cross", m.BeamID[h.beam], 2*b.Depth)}
		}
	}
	b.FirstEdge = int32(len(m.Edges))
	m.follow(halfEdges, int32(body), component)
	b.EndEdge = int32(len(m.Edges))
	return nil
}

// halfEdges returns both half-edges of every beam of a body: half-edge 2i and its reverse,
// 2i + 1.
func (m *Mesh) halfEdges(b *Body) []halfEdge {
	var out []halfEdge
	for e := b.FirstBeam; e < b.EndBeam; e++ {
		n := m.Beams[e]
		for range 2 {
			d := elementary.Unit(r2.Sub(m.X[n[1]], m.X[n[0]]))
			out = append(out, halfEdge{from: n[0], to: n[1], beam: e, d: d, angle: elementary.Atan2(d.Y, d.X)})
			n[0], n[1] = n[1], n[0]
		}
	}
	return out
}

// corner makes the node or nodes between a face and the next one: two at the end of a
// beam, where the outline reverses, else one. It returns the reason if this is not
// possible.
func (m *Mesh) corner(comes, goes *halfEdge, next int32, half float64) string {
	right := func(d r2.Vec) r2.Vec { return r2.Vec{X: d.Y, Y: -d.X} }
	comes.next = next
	if comes.beam == goes.beam {
		comes.b = m.addFaceNode(goes.from, right(comes.d), half)
		goes.a = m.addFaceNode(goes.from, right(goes.d), half)
		return ""
	}
	cos := elementary.Dot(comes.d, goes.d)
	if cos < elementary.Cos(maxTurn)-1e-9 {
		return fmt.Sprintf("elements %d and %d turn by %.0f degrees where they meet: their faces can meet up to %.0f",
			m.BeamID[comes.beam], m.BeamID[goes.beam], elementary.Acos(max(cos, -1))*180/math.Pi, maxTurn*180/math.Pi)
	}
	comes.b = m.addFaceNode(goes.from, right(r2.Add(comes.d, goes.d)), half/(1+cos))
	goes.a = comes.b
	return ""
}

// addFaceNode adds a node of the faces, at s times off from the node of the
// beams that carries it.
func (m *Mesh) addFaceNode(of int32, off r2.Vec, s float64) int32 {
	m.X = append(m.X, r2.Vec{X: m.X[of].X + float64(s*off.X), Y: m.X[of].Y + float64(s*off.Y)})
	m.Faces = append(m.Faces, of)
	return int32(len(m.X)) - 1
}

// follow adds the edges of the faces in the order of the outline.
func (m *Mesh) follow(halfEdges []halfEdge, body int32, component []int32) {
	done := make([]bool, len(halfEdges))
	for i := range halfEdges {
		if done[i] {
			continue
		}
		first := int32(len(m.Edges))
		add := func(a, b, of int32) {
			n := int32(len(m.Edges))
			m.Edges = append(m.Edges, Edge{A: a, B: b, Tri: -1, Body: body, Component: component[of], Prev: n - 1, Next: n + 1})
		}
		for k := int32(i); !done[k]; k = halfEdges[k].next {
			h := &halfEdges[k]
			done[k] = true
			add(h.a, h.b, h.from)
			if next := &halfEdges[h.next]; next.a != h.b { // the end of a beam
				add(h.b, next.a, h.to)
			}
		}
		last := int32(len(m.Edges)) - 1
		m.Edges[first].Prev, m.Edges[last].Next = last, first
	}
}

// beamComponents returns the connected component of each node of a beam, and counts new
// components. Beams that share a node are in one component, together with the triangles
// that share a node with them. So joined parts are not in contact with each other.
func (m *Mesh) beamComponents() []int32 {
	nodes := NewConnected(len(m.X))
	for _, b := range m.Beams {
		nodes.Join(b[0], b[1])
	}
	for _, h := range m.Hinges {
		nodes.Join(h.Node, h.Of)
	}
	component := make([]int32, len(m.X))
	for i := range component {
		component[i] = -1
	}
	components := m.Components
	m.Components = 0
	for t, p := range m.componentOf() {
		for _, n := range m.Triangles[t] {
			if r := nodes.First(n); component[r] < 0 {
				component[r] = p
			}
		}
	}
	m.Components = components
	for _, b := range m.Beams {
		if r := nodes.First(b[0]); component[r] < 0 {
			component[r] = int32(m.Components)
			m.Components++
		}
	}
	for _, b := range m.Beams {
		for _, n := range b {
			component[n] = component[nodes.First(n)]
		}
	}
	return component
}
