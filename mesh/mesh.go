// Package mesh has finite-element meshes of triangles and beams: nodes,
// elements, bodies, named groups, and the boundary edges for contact. Nodes are
// numbered by reverse Cuthill-McKee. A Mesh never changes once built.
package mesh

import "gonum.org/v1/gonum/spatial/r2"

// Source is a mesh as read from a file, in any order. Triangles may be
// clockwise or listed twice, and nodes may be unused. Readers fill it, and
// Build makes a Mesh from it. Node numbers in Points, Lines and Triangles are
// indices into X.
type Source struct {
	Name      string     // file name, for messages
	X         []r2.Vec   // node positions [m]
	NodeID    []int64    // the file's number of each node
	Points    []int32    // 0-D elements: one node each
	Lines     [][2]int32 // 1-D elements
	LineID    []int64    // the file's number of each line
	Triangles [][3]int32 // 2-D elements
	TriID     []int64    // the file's number of each triangle
	Groups    []SourceGroup
	Aliases   []Alias  // other names of groups
	Warnings  []string // defects corrected by the reader, one sentence each
	InMetres  bool     // the file says that its positions are in metres
}

// AddNode adds a node with the next number and returns its index.
func (s *Source) AddNode(x r2.Vec) int32 {
	s.X = append(s.X, x)
	s.NodeID = append(s.NodeID, int64(len(s.X)))
	return int32(len(s.X) - 1)
}

// AddLine adds a line with the next number and returns its index.
func (s *Source) AddLine(a, b int32) int32 {
	s.Lines = append(s.Lines, [2]int32{a, b})
	s.LineID = append(s.LineID, int64(len(s.Lines)))
	return int32(len(s.Lines) - 1)
}

// AddTriangle adds a triangle with the next number and returns its index.
func (s *Source) AddTriangle(a, b, c int32) int32 {
	s.Triangles = append(s.Triangles, [3]int32{a, b, c})
	s.TriID = append(s.TriID, int64(len(s.Triangles)))
	return int32(len(s.Triangles) - 1)
}

// SourceGroup is a named set of elements of one dimension.
type SourceGroup struct {
	Name     string  // physical name; the decimal number if the file has no name
	Dim      int     // 0, 1 or 2
	Number   int     // physical number
	Elements []int32 // indices into Points, Lines or Triangles, depending on Dim; ascending, no duplicates
}

// Mesh is the mesh of a simulation. Nodes and triangles are numbered for
// locality: body after body, within a body by reverse Cuthill-McKee, and
// triangles by their lowest node. Results have the file's numbers (NodeID,
// TriID).
type Mesh struct {
	X          []r2.Vec   // reference positions [m], one per node
	NodeID     []int32    // the file's number of each node
	Triangles  [][3]int32 // corner nodes, anticlockwise
	TriID      []int32    // the file's number of each triangle
	Pairs      []bool     // per triangle: it is a pair with the next one; nil for none, see WithPairs
	Beams      [][2]int32 // end nodes of each beam element
	BeamID     []int32    // the file's number of each beam element
	Bodies     []Body     // in the order given to Build, triangles before beams, with consecutive ranges of elements; then the outlines of With
	Hinges     []Hinge    // nodes of beams at the position of another node, with consecutive ascending numbers
	FirstFace  int32      // the first node of the beams' faces
	Faces      []int32    // the beam node that carries node FirstFace + i
	Components int        // connected components of all bodies
	Edges      []Edge     // boundary edges, body after body, loop after loop
	Groups     []Group    // every group of the source that still has a node
	Warnings   []string   // of the source and of Build
	InMetres   bool       // the source says that positions are in metres
	Turned     int        // number of triangles of the source that were clockwise
}

// Kind is the kind of a body's elements.
type Kind uint8

// The kinds of bodies.
const (
	OfTriangles Kind = iota
	OfBeams
	OfOutline // an outline of With, without elements
)

// Body is a named 2-D group: the triangles [First, End) and the boundary edges
// [FirstEdge, EndEdge); or a named 1-D group: the beams [FirstBeam, EndBeam)
// and the edges of their faces. Bodies in a conforming mesh share nodes. An
// outline of With has no elements.
type Body struct {
	Name               string
	Kind               Kind
	Number             int32 // of an outline, among the outlines
	First, End         int32
	FirstBeam, EndBeam int32
	FirstEdge, EndEdge int32
	Nodes              []int32 // every node of its elements or outline, ascending; not those of a beam's faces
	Depth              float64 // of an outline or a beam: depth of the solid under the edges [m]
}

// Edge is a boundary edge from node A to node B with its body on the left, so
// that the outward normal is (dy, -dx)/length.
type Edge struct {
	A, B       int32
	Tri        int32   // the only triangle that has it, -1 for an edge of an outline or a beam
	Body       int32   // index in Bodies
	Component  int32   // the connected component of its body, numbered over all bodies
	Prev, Next int32   // the boundary edges that end at A and start at B, through the fan of triangles around that node; -1 at the ends of an open outline
	Radius     float64 // radius of the arc that the edge represents [m]: 0 for none, negative if the body is outside the circle
}

// Group is a named set of nodes and elements: a physical point, curve or
// surface.
type Group struct {
	Name  string
	Dim   int
	Nodes []int32    // ascending
	Lines [][2]int32 // elements of a curve whose nodes are in the mesh, in the source's order
	Edges []int32    // boundary edges of triangles lying on a 1-D group, ascending; nil otherwise
}
