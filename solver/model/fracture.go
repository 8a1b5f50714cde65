package model

import (
	"math"
	"slices"

	"fdem/fem/fracture"
	"fdem/solver/nodes"
)

// Fracture describes how the model can break. The mesh has free numbers for the nodes that cracks
// add (mesh.WithRoom), which Pages and Edges use.
type Fracture struct {
	Regions []fracture.Region
	Joints  []bool          // per region: it is a joint, open from the start; nil for none
	Sizes   []FractureSize  // of each region
	Edges   []fracture.Edge // all edges between two triangles, as fracture.Interior gives them
	Pages   *fracture.Pages
	Leaves  []bool // per triangle: its body is to be excavated; nil for none
}

// FractureSize compares the brittleness of a region with its mesh.
type FractureSize struct {
	Where     string  // the bodies or the curve, as named in the deck
	Breakable int     // number of edges that can break
	Length    float64 // least characteristic length E G/f^2 of its materials [m]
	Zone      float64 // length of the cohesive zone at the tip of a slow crack [m]
	Edge      float64 // longest edge [m]
	Time      float64 // shortest rho c G/f^2 [s]
}

// Step returns a lower bound of the stable time step with cracks and joints, relative to that of
// the intact model, whatever breaks. edge is the least length of edges [m]. It returns 0 if the
// bound is not known or nothing can break.
func (f *Fracture) Step(edge float64) (least float64) {
	for i := range f.Regions {
		if left := f.Regions[i].Step(edge); i == 0 || left < least {
			least = left
		}
	}
	if f.Joints != nil && !slices.Contains(f.Joints, false) {
		return 0
	}
	return least
}

// Smooth tells whether some region, other than joints, has no friction between its crack faces.
func (f *Fracture) Smooth() bool {
	for i := range f.Regions {
		if law := f.Regions[i].Law; law != nil && law.Smooth() && (f.Joints == nil || !f.Joints[i]) {
			return true
		}
	}
	return false
}

// HasFriction tells whether joints and seams have friction, so that bodies separated by a curve
// slide on it.
func (f *Fracture) HasFriction() bool {
	return f != nil && slices.ContainsFunc(f.Regions, func(r fracture.Region) bool { return r.Prescribed && r.Law.ResidualFriction > 0 })
}

// Permeable adds the joints that a fluid can enter while they are closed.
func (m *Model) Permeable(parts []bool) []bool {
	for i := range m.Fluids {
		f := &m.Fluids[i]
		for j := range m.Fracture.Edges {
			r := m.Fracture.Edges[j].Region
			if !(f.Residual > 0) || r < 0 || m.Fracture.Joints == nil || !m.Fracture.Joints[r] || f.Enters != nil && !f.Enters[r] {
				continue
			}
			if parts == nil {
				parts = make([]bool, len(m.Fracture.Edges))
			}
			parts[j] = true
		}
	}
	return parts
}

// Impedance returns the impedances of longitudinal and shear waves in a material [Pa s/m].
func (p *Model) Impedance(material int32) (pressure, shear float64) {
	of := &p.Materials[material]
	m := of.Moduli(p.Plane)
	return math.Sqrt(of.Density * m.C11), math.Sqrt(of.Density * m.G)
}

// BreakingEdges returns all interior edges if bodies can break, otherwise those between excavated
// bodies and their neighbours.
func (m *Model) BreakingEdges() []fracture.Edge {
	if m.Fracture != nil {
		return m.Fracture.Edges
	}
	if len(m.Excavations) == 0 {
		return nil
	}
	body, leaves := m.Mesh.BodyOf(), m.ExcavationTimes()
	return slices.DeleteFunc(fracture.Interior(m.Mesh.Triangles), func(e fracture.Edge) bool {
		a, b := body[e.A], body[e.B]
		return a == b || leaves[a] == leaves[b]
	})
}

// ExcavationTimes returns for each body of the mesh the time at which it is excavated [s], +Inf if
// it is not.
func (m *Model) ExcavationTimes() []float64 {
	out := slices.Repeat([]float64{math.Inf(1)}, len(m.Mesh.Bodies))
	for _, x := range m.Excavations {
		out[x.Body] = x.At
	}
	return out
}

// Dilates tells whether a joint has dilation.
func (f *Fracture) Dilates() bool {
	return f != nil && slices.ContainsFunc(f.Regions, func(r fracture.Region) bool { return r.Springs != nil && r.Springs.Dilation > 0 })
}

// BreaksBy returns for each body a region by which it breaks, plus 1; 0 if it cannot break.
func (m *Model) BreaksBy() []int32 {
	breaks := make([]int32, len(m.Mesh.Bodies))
	if m.Fracture == nil {
		return breaks
	}
	body := m.Mesh.BodyOf()
	for i := range m.Fracture.Edges {
		if e := &m.Fracture.Edges[i]; e.Region >= 0 {
			breaks[body[e.A]], breaks[body[e.B]] = e.Region+1, e.Region+1
		}
	}
	return breaks
}

// HeldSides returns, for each corner of the triangles, how fixes and drives hold that part of its
// vertex, apart from fixes that come or go; nil if each of them holds all of its vertices.
func (m *Model) HeldSides() []uint8 {
	divided := func(c *Corners) bool { return c.First != nil }
	if !slices.ContainsFunc(m.Fixes, func(f Fix) bool { return !f.Staged() && divided(&f.Corners) }) && !slices.ContainsFunc(m.Drives, func(d Drive) bool { return divided(&d.Corners) }) {
		return nil
	}
	held := make([]uint8, 3*len(m.Mesh.Triangles))
	hold := func(of []int32, at *Corners, x, y bool) {
		bits := nodes.Directions(x, y)
		EachCorner(m.Mesh.Triangles, len(m.Mesh.X), of, at, func(t int32, c int) { held[3*t+int32(c)] |= bits })
	}
	for i := range m.Fixes {
		f := &m.Fixes[i]
		if f.Staged() {
			continue
		}
		hold(f.Nodes, &f.Corners, f.X, f.Y)
	}
	for i := range m.Drives {
		d := &m.Drives[i]
		hold(d.Nodes, &d.Corners, d.X, d.Y)
	}
	return held
}

// EachCorner calls do with the corners of triangles at vertices in a list, of a number of vertices.
// Where the list names corners at a vertex these are all.
func EachCorner(triangles [][3]int32, count int, of []int32, at *Corners, do func(t int32, c int)) {
	index := slices.Repeat([]int32{-1}, count)
	for i, n := range of {
		index[n] = int32(i)
	}
	for t, ns := range triangles {
		for c, n := range ns {
			i := index[n]
			if i < 0 {
				continue
			}
			corners := at.At(int(i))
			if len(corners) == 0 || slices.ContainsFunc(corners, func(c Corner) bool { return c.Triangle == int32(t) }) {
				do(int32(t), c)
			}
		}
	}
}

// Stage is a stage of construction, in results.
type Stage struct {
	Name string
	End  float64 // [s]
}

// Excavation removes a body of triangles at a given time. Its forces on the nodes that it shares
// with other bodies fade within a ramp.
type Excavation struct {
	Name string
	Body int32
	At   float64  // time of the excavation [s]
	Fade Schedule // factor of its former forces on its neighbours, as a function of the time since, from 1 to 0
}

// Parts tells whether the edges of a region belong to a joint without strength. The region is -1
// for none.
func (f *Fracture) Parts(region int32) bool {
	return f != nil && region >= 0 && f.Joints != nil && f.Joints[region]
}

// HasJoints tells whether there are joints without strength.
func (f *Fracture) HasJoints() bool { return f != nil && slices.Contains(f.Joints, true) }
