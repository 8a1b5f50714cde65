package mesh

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// A beam meets others with its faces, half its height to either side of the
// line between its nodes. The outline around a body of beams passes each beam
// twice, once on either side, always with the beam on its left:
//
//	 .<---------.<---------.          . nodes of the faces
//	 |                     ^
//	 o----------o----------o          o nodes of the beams
//	 v                     |
//	 .--------->.--------->.
//
// Where beams meet at an angle the faces meet on the bisector. A node of the
// faces is carried by the node of the beams it was made for: it turns with it.

// sharpestTurn is the turn between beams, in radians, up to which their faces can
// meet at the corner.
const sharpestTurn = 2 * math.Pi / 3

// way is one of the two ways along a beam, with the face on its right.
type way struct {
	from, to int32  // nodes of the beam
	beam     int32  // element
	d        r2.Vec // direction
	angle    float64
	a, b     int32 // nodes of its face
	next     int32 // the way whose face follows
}

// FaceError reports beams whose faces cannot meet.
type FaceError struct{ Body, Reason string }

func (e *FaceError) Error() string { return fmt.Sprintf("beam %q: %s", e.Body, e.Reason) }

// WithFaces returns m and, after its own nodes and edges, those of the faces of
// its bodies of beams, whose heights are given in their order [m]. The new
// nodes get numbers after the greatest of the file's. It fails with a
// *FaceError where faces cannot meet: beams that turn too sharply, or are too
// short for their height at a corner.
func (m *Mesh) WithFaces(height []float64) (*Mesh, error) {
	w := *m
	w.X, w.NodeID = slices.Clone(m.X), slices.Clone(m.NodeID)
	w.Bodies, w.Edges = slices.Clone(m.Bodies), slices.Clone(m.Edges)
	w.FirstFace, w.Faces = int32(len(w.X)), nil
	piece := w.beamPieces()
	k := 0
	for i := range w.Bodies {
		b := &w.Bodies[i]
		if b.Kind != OfBeams {
			continue
		}
		b.Depth = 0.5 * height[k]
		if err := w.addFaces(i, piece); err != nil {
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
func (m *Mesh) addFaces(body int, piece []int32) error {
	b := &m.Bodies[body]
	ways := m.ways(b)
	from := make([]int32, len(ways)) // ways by the node they leave, anticlockwise
	for i := range from {
		from[i] = int32(i)
	}
	slices.SortFunc(from, func(p, q int32) int {
		return cmp.Or(cmp.Compare(ways[p].from, ways[q].from), cmp.Compare(ways[p].angle, ways[q].angle), cmp.Compare(p, q))
	})
	for lo := 0; lo < len(from); {
		hi := lo
		for hi < len(from) && ways[from[hi]].from == ways[from[lo]].from {
			hi++
		}
		for i := lo; i < hi; i++ { // the corner between two ways around the node
			next := from[lo+(i+1-lo)%(hi-lo)]
			if reason := m.corner(&ways[from[i]^1], &ways[next], next, b.Depth); reason != "" {
				return &FaceError{b.Name, reason}
			}
		}
		lo = hi
	}
	for i := range ways {
		h := &ways[i]
		if along := elementary.Dot(r2.Sub(m.X[h.b], m.X[h.a]), h.d); !(along > 0) {
			return &FaceError{b.Name, fmt.Sprintf("element %d is too short for a height of %g m where it meets its neighbours at an angle: their faces would cross", m.BeamID[h.beam], 2*b.Depth)}
		}
	}
	b.FirstEdge = int32(len(m.Edges))
	m.follow(ways, int32(body), piece)
	b.EndEdge = int32(len(m.Edges))
	return nil
}

// ways returns both ways along every beam of a body: way 2i and its reverse,
// 2i + 1.
func (m *Mesh) ways(b *Body) []way {
	var out []way
	for e := b.FirstBeam; e < b.EndBeam; e++ {
		n := m.Beams[e]
		for range 2 {
			d := elementary.Unit(r2.Sub(m.X[n[1]], m.X[n[0]]))
			out = append(out, way{from: n[0], to: n[1], beam: e, d: d, angle: elementary.Atan2(d.Y, d.X)})
			n[0], n[1] = n[1], n[0]
		}
	}
	return out
}

// corner makes the node or nodes between the face that comes and the face that
// goes; at the end of a beam, where it goes back the way it came, two. It
// returns why it cannot.
func (m *Mesh) corner(comes, goes *way, next int32, half float64) string {
	right := func(d r2.Vec) r2.Vec { return r2.Vec{X: d.Y, Y: -d.X} }
	comes.next = next
	if comes.beam == goes.beam {
		comes.b = m.addFaceNode(goes.from, right(comes.d), half)
		goes.a = m.addFaceNode(goes.from, right(goes.d), half)
		return ""
	}
	cos := elementary.Dot(comes.d, goes.d)
	if cos < elementary.Cos(sharpestTurn)-1e-9 {
		return fmt.Sprintf("elements %d and %d turn by %.0f degrees where they meet: their faces can meet up to %.0f",
			m.BeamID[comes.beam], m.BeamID[goes.beam], elementary.Acos(max(cos, -1))*180/math.Pi, sharpestTurn*180/math.Pi)
	}
	comes.b = m.addFaceNode(goes.from, right(r2.Add(comes.d, goes.d)), half/(1+cos))
	goes.a = comes.b
	return ""
}

// addFaceNode adds a node of the faces, s times off from the node of the beams
// that carries it.
func (m *Mesh) addFaceNode(of int32, off r2.Vec, s float64) int32 {
	m.X = append(m.X, r2.Vec{X: m.X[of].X + float64(s*off.X), Y: m.X[of].Y + float64(s*off.Y)})
	m.Faces = append(m.Faces, of)
	return int32(len(m.X)) - 1
}

// follow adds the edges of the faces in the order in which they follow one
// another.
func (m *Mesh) follow(ways []way, body int32, piece []int32) {
	done := make([]bool, len(ways))
	for i := range ways {
		if done[i] {
			continue
		}
		first := int32(len(m.Edges))
		add := func(a, b, of int32) {
			n := int32(len(m.Edges))
			m.Edges = append(m.Edges, Edge{A: a, B: b, Tri: -1, Body: body, Piece: piece[of], Prev: n - 1, Next: n + 1})
		}
		for k := int32(i); !done[k]; k = ways[k].next {
			h := &ways[k]
			done[k] = true
			add(h.a, h.b, h.from)
			if next := &ways[h.next]; next.a != h.b { // the end of a beam
				add(h.b, next.a, h.to)
			}
		}
		last := int32(len(m.Edges)) - 1
		m.Edges[first].Prev, m.Edges[last].Next = last, first
	}
}

// beamPieces returns the connected piece of each node of a beam and counts new
// pieces. Beams that share a node are one piece, and one with the triangles
// that they share a node with, so that what is joined does not touch.
func (m *Mesh) beamPieces() []int32 {
	nodes := NewConnected(len(m.X))
	for _, b := range m.Beams {
		nodes.Join(b[0], b[1])
	}
	for _, h := range m.Hinges {
		nodes.Join(h.Node, h.Of)
	}
	piece := make([]int32, len(m.X))
	for i := range piece {
		piece[i] = -1
	}
	pieces := m.Pieces
	m.Pieces = 0
	for t, p := range m.pieceOf() {
		for _, n := range m.Triangles[t] {
			if r := nodes.First(n); piece[r] < 0 {
				piece[r] = p
			}
		}
	}
	m.Pieces = pieces
	for _, b := range m.Beams {
		if r := nodes.First(b[0]); piece[r] < 0 {
			piece[r] = int32(m.Pieces)
			m.Pieces++
		}
	}
	for _, b := range m.Beams {
		for _, n := range b {
			piece[n] = piece[nodes.First(n)]
		}
	}
	return piece
}
