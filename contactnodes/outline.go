// Package contactnodes is penalty contact, node to segment. Contact elements are
// boundary edges with contact nodes. Each contact node finds its penetration into
// another body by a closest-point query, evaluates a contact law for the pressure,
// adds Coulomb friction, and distributes the force to the end nodes of the two
// edges.
package contactnodes

import (
	"math"
	"slices"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Outline is the boundary of all bodies, for the narrow phase.
type Outline struct {
	Edges []mesh.Edge
	// Depth is per edge the greatest depth below it at which a contact node
	// belongs to it [m]. It is half the smallest altitude of the triangles around
	// its two ends, or for a rigid body the body's own value. Down to this depth
	// the inside of the body is solid.
	Depth     []float64
	Reach     []float64 // per edge: the greatest distance from it that matters for contact [m]
	Nodes     []int32   // the nodes of all edges, ascending
	Bends     []bool    // per edge: beam nodes with rotations carry its ends, so it bends between them
	LookAhead float64   // greatest distance of two edges at which a contact point is predicted [m]; less than every Depth
	Transfer  *Transfer // transfer to fragment contact; nil if nothing can break

	sizes   []size    // per edge
	corners []corners // per edge
}

// lookAheadShare is LookAhead divided by the least Depth of all edges.
const lookAheadShare = 0.3

// ExtendDepth increases the Depth of edge i to at least depth [m].
func (o *Outline) ExtendDepth(i int32, depth float64) {
	if more := depth - o.Depth[i]; more > 0 {
		o.Depth[i] += more
		o.Reach[i] += more
		o.setCorners(i)
	}
}

// NewOutline makes the outline of m in its reference position.
func NewOutline(m *mesh.Mesh) *Outline {
	altitude := make([]float64, len(m.X))
	for i := range altitude {
		altitude[i] = math.Inf(1)
	}
	for _, t := range m.Triangles {
		a, b, c := m.X[t[0]], m.X[t[1]], m.X[t[2]]
		longest := max(distance(a, b), distance(b, c), distance(c, a))
		h := math.Abs(elementary.Cross(sub(b, a), sub(c, a))) / longest
		for _, n := range t {
			altitude[n] = min(altitude[n], h)
		}
	}
	o := &Outline{Edges: m.Edges, Depth: make([]float64, len(m.Edges)), Reach: make([]float64, len(m.Edges)), Bends: make([]bool, len(m.Edges))}
	on := make([]bool, len(m.X))
	for i, e := range m.Edges {
		o.Depth[i] = 0.5 * min(altitude[e.A], altitude[e.B])
		if e.Tri < 0 {
			o.Depth[i] = m.Bodies[e.Body].Depth
		}
		o.Reach[i] = o.Depth[i] + sagitta(e.Radius, distance(m.X[e.A], m.X[e.B]))
		on[e.A], on[e.B] = true, true
		a, b := masterNode(m, e.A), masterNode(m, e.B)
		o.Bends[i] = a >= 0 && b >= 0 && a != b
	}
	o.sizes = newSizes(m)
	o.corners = make([]corners, len(m.Edges))
	for i := range m.Edges {
		o.setCorners(int32(i))
	}
	if len(o.Depth) > 0 {
		o.LookAhead = lookAheadShare * slices.Min(o.Depth)
	}
	for n, yes := range on {
		if yes {
			o.Nodes = append(o.Nodes, int32(n))
		}
	}
	return o
}

// Add adds a node that a crack has split from a node of the outline.
func (o *Outline) Add(n int32) {
	if i, known := slices.BinarySearch(o.Nodes, n); !known {
		o.Nodes = slices.Insert(o.Nodes, i, n)
	}
}

// masterNode returns the node of a beam that carries node n of its faces, -1 for
// other nodes.
func masterNode(m *mesh.Mesh, n int32) int32 {
	if k := int(n - m.FirstFace); k >= 0 && k < len(m.Faces) {
		return m.Faces[k]
	}
	return -1
}

// sagitta returns the height of an arc over its chord [m]; 0 for radius 0.
func sagitta(radius, chord float64) float64 {
	r := math.Abs(radius)
	return r - centreDistance(r, chord)
}

// centreDistance returns the distance of a circle's centre from a chord [m].
func centreDistance(radius, chord float64) float64 {
	return math.Sqrt(max(0, float64(radius*radius)-float64(0.25*chord*chord)))
}

// within returns a position along an edge, or the nearer end of the edge if the
// position is beyond it.
func within(s float64) float64 {
	if s < 0 {
		return 0
	} else if s > 1 {
		return 1
	}
	return s
}

// Plane geometry. Products and sums are separate, so that every machine rounds in
// the same way.

func sub(a, b r2.Vec) r2.Vec { return r2.Vec{X: a.X - b.X, Y: a.Y - b.Y} }

func scale(f float64, a r2.Vec) r2.Vec { return r2.Vec{X: float64(f * a.X), Y: float64(f * a.Y)} }

// square returns the squared length of a vector.
func square(a r2.Vec) float64 { return elementary.Dot(a, a) }

func distance(a, b r2.Vec) float64 {
	d := sub(a, b)
	return math.Sqrt(elementary.Dot(d, d))
}

// direction returns the unit vector from a to b.
func direction(a, b r2.Vec) r2.Vec {
	d := sub(b, a)
	l := math.Sqrt(elementary.Dot(d, d))
	return r2.Vec{X: d.X / l, Y: d.Y / l}
}

// between returns a + u (b - a).
func between(a, b r2.Vec, u float64) r2.Vec {
	return r2.Vec{X: a.X + float64(u*(b.X-a.X)), Y: a.Y + float64(u*(b.Y-a.Y))}
}

// Gap returns a lower bound of the distance of the segment from a to b from the region
// of a boundary edge, at node positions x [m]. The segment cannot enter the region
// before its nodes or those of the edge have moved by half of that.
func (o *Outline) Gap(edge int32, a, b r2.Vec, x []r2.Vec) float64 {
	gap, weight := o.gapByLines(edge, a, b, 0, 0, x)
	return 2 * gap / (1 + weight)
}

// Under is a boundary edge in its present position, for points that may be below it.
type Under struct{ target }

// Under returns a boundary edge at node positions x. Points up to ahead in front of it
// count [m].
func (o *Outline) Under(edge int32, x []r2.Vec, ahead float64) (u Under) {
	u.lookAhead = ahead
	u.setEdge(o, edge, x)
	return u
}

// At returns the depth of a position q below the edge [m] and the unit vector inwards
// there. It also returns the nearest position along the edge, 0 at A and 1 at B, and
// the distance of q from there along that vector [m]. A negative depth is a distance
// in front of the edge. A depth of 0 means neither.
func (u *Under) At(q r2.Vec) (depth float64, inward r2.Vec, position, arm float64) {
	m := u.pointAt(q)
	return m.deflection, m.inward, m.position, m.depthAt
}
