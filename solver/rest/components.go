package rest

import (
	"slices"

	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/contacts"
	models "fdem/solver/model"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// components are the connected components at the start, as if joints without strength were open.
// Joints divide a vertex into parts, and each part has an index. The index of the first part is the
// node's number; indices of other parts follow after all nodes.
type components struct {
	components mesh.Connected  // per index: the first index of its component
	node       []int32         // node of each index
	mass       []float64       // per index: mass [kg]; 0 for nodes of faces and of rigid bodies
	held       []uint8         // per index: bits of package motion
	corner     []int32         // per corner of triangles: its index; nil without joints
	beside     models.Corners  // per index: the corners of its part of a vertex on a joint
	joints     []jointEdge     // edges of joints
	holds      []bool          // per component: it is held
	moving     []bool          // per component: something moves it
	released   []restComponent // the components as free rigid bodies
	slides     []bool          // it settles, and is not in equilibrium
	converged  bool            // the remaining accelerations are known
}

// jointEdge is an edge of a joint without strength between two components.
type jointEdge struct {
	ends       [2]r2.Vec
	components [2]int32
	into       r2.Vec // direction from the first component into the second
	friction   float64
	holds      int  // index of its first support contact, -1 for none
	presses    bool // the two components press on each other there
}

// components finds the connected components. Elements, hinges, faces of beams, ties and outlines of
// rigid bodies connect nodes.
func (k *RestFinder) components() *components {
	p := &components{mass: slices.Clone(k.Mass), held: slices.Clone(k.Held)}
	for i := range k.Model.Fixes {
		if f := &k.Model.Fixes[i]; f.From == 0 {
			for _, n := range f.Nodes {
				p.held[n] |= nodes.Directions(f.X, f.Y)
			}
		}
	}
	for n := range k.X {
		p.node = append(p.node, int32(n))
	}
	if !k.Fracture.HasJoints() {
		p.components = k.Mesh.HeldTogether()
	} else {
		p.part(k)
	}
	for i := range k.rigids.List {
		for _, n := range k.rigids.List[i].Nodes {
			p.components.Join(n, k.rigids.List[i].Nodes[0])
		}
	}
	for i := range k.Model.Ties {
		for _, r := range k.Model.Ties[i].Rows {
			for _, t := range r.Terms {
				p.components.Join(r.Node, t.Node)
			}
		}
	}
	p.components.Firsts()
	if p.corner != nil {
		p.findJoints(k)
	}
	return p
}

// part gives the parts of vertices on joints their own indices.
func (p *components) part(s *RestFinder) {
	m, f := s.Mesh, s.Fracture
	at := func(t, n int32) int32 { return 3*t + int32(contacts.Corner(m.Triangles[t], n)) }
	joined, jointed := mesh.NewConnected(3*len(m.Triangles)), make([]bool, len(s.X))
	for i := range f.Edges {
		e := &f.Edges[i]
		if f.Parts(e.Region) {
			jointed[e.From], jointed[e.To] = true, true
			continue
		}
		joined.Join(at(e.A, e.From), at(e.B, e.From))
		joined.Join(at(e.A, e.To), at(e.B, e.To))
	}
	p.corner = make([]int32, 3*len(m.Triangles))
	taken := make([]bool, len(s.X)) // the first part keeps the node's own index
	for c := range p.corner {
		n := m.Triangles[c/3][c%3]
		switch first := joined.First(int32(c)); {
		case !jointed[n] || !taken[n]:
			p.corner[c], taken[n] = n, true
			if jointed[n] {
				p.mass[n] = 0
			}
		case first < int32(c):
			p.corner[c] = p.corner[first]
		default:
			p.corner[c] = int32(len(p.node))
			p.node, p.mass, p.held = append(p.node, n), append(p.mass, 0), append(p.held, p.held[n])
		}
		if jointed[n] {
			p.mass[p.corner[c]] += s.triangles.CornerMass(c / 3)
		}
	}
	p.findBeside(s, jointed)
	p.releaseSides(s)
	p.components = mesh.NewConnected(len(p.node))
	m.JoinBeside(p.components)
	for c := range p.corner {
		p.components.Join(p.corner[c], p.corner[c-c%3])
	}
}

// findBeside finds the corners of each part of a vertex on a joint.
func (p *components) findBeside(s *RestFinder, jointed []bool) {
	at := make([][]models.Corner, len(p.node))
	for c, n := range p.corner {
		if jointed[p.node[n]] {
			t := int32(c / 3)
			at[n] = append(at[n], models.Corner{Triangle: t, Fraction: s.triangles.CornerMass(c/3) / p.mass[n]})
		}
	}
	for _, corners := range at {
		p.beside.Add(corners...)
	}
}

// releaseSides releases the parts of vertices that only supports of other sides hold.
func (p *components) releaseSides(s *RestFinder) {
	sides := s.View.Analysis.Model.HeldSides()
	if sides == nil {
		return
	}
	held := make([]uint8, len(p.node))
	for c, at := range p.corner {
		held[at] |= sides[c]
	}
	for at, n := range p.node {
		if s.Mass[n] > 0 && p.beside.At(at) != nil {
			p.held[at] &= held[at]
		}
	}
}

// findJoints finds the edges of joints between two components.
func (p *components) findJoints(s *RestFinder) {
	f := s.Fracture
	for i := range f.Edges {
		e := &f.Edges[i]
		if !f.Parts(e.Region) {
			continue
		}
		connected := [2]int32{p.ofTriangle(s.Mesh, e.A), p.ofTriangle(s.Mesh, e.B)}
		if connected[0] == connected[1] {
			continue
		}
		a, b := s.X[e.From], s.X[e.To]
		d := r2.Sub(b, a)
		p.joints = append(p.joints, jointEdge{ends: [2]r2.Vec{a, b}, components: connected, into: r2.Scale(1/elementary.Norm(d), r2.Vec{X: d.Y, Y: -d.X}), friction: f.Regions[e.Region].Law.ResidualFriction})
	}
}

// supportContacts returns the support contacts of joints between components, unless both are held.
func (p *components) supportContacts(held []bool, released []restComponent) (out []supportContact) {
	for i := range p.joints {
		e := &p.joints[i]
		a, b := e.components[0], e.components[1]
		if e.holds = len(out); held[a] && held[b] {
			e.holds = -1
			continue
		}
		for _, at := range e.ends {
			out = append(out, supportContact{components: e.components, a: &released[a], b: &released[b], at: at, into: e.into, friction: e.friction, kinetic: e.friction})
		}
	}
	return out
}

// slidesAbove is the ratio of acceleration to gravity above which a component slides.
const slidesAbove = 1e-3

// restJointed marks the components that joints separate, and that are held and pressed together.
func (p *components) restJointed(resting []bool, stacks mesh.Connected) {
	still := make([]bool, len(resting))
	for at := range still {
		still[at] = p.holds != nil && !p.moving[at]
	}
	for more := true; more; { // components beside a moving component move with it
		more = false
		for i := range p.joints {
			a, b := p.joints[i].components[0], p.joints[i].components[1]
			if still[a] != still[b] {
				still[a], still[b], more = false, false, true
			}
		}
	}
	for i := range p.joints {
		for k, at := range p.joints[i].components {
			if !still[at] || !p.joints[i].presses {
				continue
			}
			resting[at] = true
			stacks.Join(at, p.joints[i].components[1-k])
		}
	}
	stacks.Firsts()
}

// press records which joints carry load by contact, from support contacts that have converged.
func (p *components) press(holds []supportContact) {
	for i := range p.joints {
		e := &p.joints[i]
		e.presses = e.holds >= 0 && max(holds[e.holds].push, holds[e.holds+1].push) > 0
	}
}

// ofEdge returns the component of a boundary edge.
func (p *components) ofEdge(m *mesh.Mesh, e *mesh.Edge) int32 {
	if e.Tri >= 0 {
		return p.ofTriangle(m, e.Tri)
	}
	return p.components[e.A]
}

// ofTriangle returns the component of a triangle.
func (p *components) ofTriangle(m *mesh.Mesh, t int32) int32 {
	if p.corner != nil {
		return p.components[p.corner[3*t]]
	}
	return p.components[m.Triangles[t][0]]
}

// of calls the function with the components of a node.
func (p *components) of(s *RestFinder, n int32, each func(component int32)) {
	each(p.components[n])
	if p.corner == nil {
		return
	}
	for at, of := range p.node[len(s.X):] {
		if of == n {
			each(p.components[len(s.X)+at])
		}
	}
}

// position returns the initial position of an index [m].
func (p *components) position(s *RestFinder, at int) r2.Vec { return s.X[p.node[at]] }
