package particles

import (
	"slices"

	"fdem/boundingbox"
	"fdem/contactnodes/spheres"
	"fdem/fem/fracture"
	"fdem/mesh"
	"fdem/solver/contacts"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// sphereCracks are the edges of bodies that break or are exposed by excavation, as spheres contact
// them. Each edge between triangles that may separate has two faces and a closed crack (package
// spheres). They are inactive until the edge separates. If nothing can separate, all slices are
// nil.
type sphereCracks struct {
	edges        []fracture.Edge // edges that may separate
	index        []int32         // per node of the mesh: its index in the outline, -1 for none
	first        []int32         // per edge that may separate: its first face, followed by its second face and the closed crack; -1 for none
	between      []int32         // per edge of the outline: the edge that may separate, -1 for none
	side         [][2]int32      // per edge of the outline: its triangle, and the corner where it begins; -1 where there is none
	face         [][3]int32      // per triangle and corner: the edge of the outline that begins there, -1 for none
	across       [][3]int32      // per triangle and corner: three times the triangle on the other side, and its corner; -1 for none
	closedEnergy []float64       // per edge that may separate: the energy that spheres would store in its closed crack [J]
	withEnergy   []int32         // the edges whose closedEnergy is not 0
	body         []int32         // of each triangle
}

// addBreaking adds to the outline the edges at which bodies may break that spheres contact. index
// is the index of each node of the mesh in the outline, number is that of each edge.
func (k *sphereOutline) addBreaking(s system.View, c *spheres.Config, ease []float64, index, number []int32) {
	m := s.Mesh
	edges, body := s.Model.BreakingEdges(), m.BodyOf()
	first := s.Model.ContactsWhereBreaking(edges, body)
	if first == nil {
		return
	}
	k.edges, k.first, k.body, k.index, k.closedEnergy = edges, first, body, index, make([]float64, len(edges))
	for n := range s.X {
		if index[n] < 0 {
			index[n] = int32(len(k.nodes))
			k.nodes, k.hostNode = append(k.nodes, int32(n)), append(k.hostNode, int32(n))
			c.Outline.X, c.Outline.Mobility = append(c.Outline.X, s.X[n]), append(c.Outline.Mobility, ease[n])
		}
	}
	k.face = make([][3]int32, len(m.Triangles))
	for t := range k.face {
		k.face[t] = [3]int32{-1, -1, -1}
	}
	k.across = slices.Clone(k.face)
	for _, e := range fracture.Interior(m.Triangles) {
		a, b := contacts.Corner(m.Triangles[e.A], e.From), contacts.Corner(m.Triangles[e.B], e.To)
		k.across[e.A][a], k.across[e.B][b] = 3*e.B+int32(b), 3*e.A+int32(a)
	}
	for i, e := range m.Edges {
		if number[i] >= 0 {
			k.put(m, e.Tri, e.A, -1)
		}
	}
	for j := range edges {
		if first[j] >= 0 {
			first[j] = int32(len(c.Outline.Edges))
			k.addFacesAndCrack(m, c, int32(j), s.Model.Particles.BodyKind)
		}
	}
}

// put adds the next edge of the outline: the side of triangle t that begins at node from. between
// is the edge that may separate there. t and between are -1 for none.
func (k *sphereOutline) put(m *mesh.Mesh, t, from, between int32) {
	side := [2]int32{-1, 0}
	if t >= 0 {
		of := contacts.Corner(m.Triangles[t], from)
		side, k.face[t][of] = [2]int32{t, int32(of)}, int32(len(k.side))
	}
	k.side, k.between = append(k.side, side), append(k.between, between)
}

// addFacesAndCrack adds the two faces and the closed crack of edge j that may separate. They are
// inactive.
func (k *sphereOutline) addFacesAndCrack(m *mesh.Mesh, c *spheres.Config, j int32, kinds []int32) {
	e := &k.edges[j]
	for i, t := range [3]int32{e.A, e.B, -1} {
		from, to, of := e.From, e.To, t
		switch i {
		case 1:
			from, to = to, from
		case 2:
			if of = e.A; kinds[k.body[of]] < 0 {
				of = e.B
			}
		}
		kind := kinds[k.body[of]]
		c.Outline.Edges = append(c.Outline.Edges, spheres.OutlineEdge{
			A: k.index[from], B: k.index[to], Prev: -1, Next: -1, Asleep: true, ClosedCrack: i == 2, ClosedPart: 1,
			Kind: max(kind, 0), Component: componentOf(m, k.body[of]),
		})
		if kind < 0 { // spheres pass through the body
			t = -1
		}
		k.put(m, t, from, j)
	}
}

// componentOf returns the first connected component of a body.
func componentOf(m *mesh.Mesh, body int32) int32 {
	if b := &m.Bodies[body]; b.FirstEdge < b.EndEdge {
		return m.Edges[b.FirstEdge].Component
	}
	return 0
}

// separated tells whether an edge that may separate has done so: its crack has opened, or the body
// on one side has been excavated.
func (k *Balls) separated(j int32) bool {
	of := &k.outline.edges[j]
	return k.breaking.IsOpen(j) || k.excavated(of.A) || k.excavated(of.B)
}

// excavated tells whether the body of a triangle has been excavated.
func (k *Balls) excavated(t int32) bool { return k.breaking.IsExcavated(k.outline.body[t]) }

// Adapt updates the faces of triangles whose nodes have changed or whose cracks have opened. It
// gives the faces their nodes, activates those that have separated, and links the outline along
// them anew.
func (k *Balls) Adapt(triangles []int32) {
	o := &k.outline
	if o.face == nil {
		return
	}
	edges := k.Outline.Edges
	each := func(do func(e int32)) {
		for _, t := range triangles {
			for _, e := range o.face[t] {
				if e >= 0 {
					do(e)
				}
			}
		}
	}
	look := func(e int32) {
		if o.side[e][0] < 0 {
			return
		}
		t := &k.view.Mesh.Triangles[o.side[e][0]]
		a, b := o.index[t[o.side[e][1]]], o.index[t[(o.side[e][1]+1)%3]]
		asleep := edges[e].Asleep && (o.between[e] < 0 || !k.separated(o.between[e])) || k.excavated(o.side[e][0])
		if edges[e].A != a || edges[e].B != b || edges[e].Asleep != asleep {
			k.Change(e, a, b, [2]r2.Vec{k.view.X[o.nodes[a]], k.view.X[o.nodes[b]]}, asleep)
		}
	}
	each(func(e int32) {
		j := o.between[e]
		if j < 0 {
			look(e)
			return
		}
		f := o.first[j]
		look(f)
		look(f + 1)
		asleep := edges[f].Asleep || edges[f+1].Asleep
		if crack := &edges[f+2]; crack.A != edges[f].A || crack.B != edges[f].B || crack.Asleep != asleep {
			k.Change(f+2, edges[f].A, edges[f].B, [2]r2.Vec{k.view.X[o.nodes[edges[f].A]], k.view.X[o.nodes[edges[f].B]]}, asleep)
		}
	})
	each(func(e int32) {
		of := &edges[e]
		if of.Asleep {
			return
		}
		if of.Prev = k.turn(e, 2); of.Prev >= 0 {
			edges[of.Prev].Next = e
		}
		if of.Next = k.turn(e, 1); of.Next >= 0 {
			edges[of.Next].Prev = e
		}
		for _, n := range [2]int32{of.A, of.B} {
			v := k.view.Inverse(o.nodes[n])
			k.Outline.Mobility[n] = max(v.X, v.Y)
			o.mobility[of.Kind] = max(o.mobility[of.Kind], v.X, v.Y)
		}
	})
}

// turn returns the edge of the outline that begins where edge e ends. With sense 2 it returns the
// edge that ends where e begins. It goes through the triangles around that node; -1 for none.
func (k *Balls) turn(e, sense int32) int32 {
	o := &k.outline
	t, c := o.side[e][0], o.side[e][1]
	for {
		c = (c + sense) % 3
		if next := o.face[t][c]; next >= 0 && !k.Outline.Edges[next].Asleep {
			return next
		}
		side := o.across[t][c]
		if side < 0 || side == 3*o.side[e][0]+o.side[e][1] {
			return -1
		}
		t, c = side/3, side%3
	}
}

// Excavate deactivates the edges of an excavated body and activates the edges that it exposes.
func (k *Balls) Excavate(body int32) {
	o := &k.outline
	var round []int32
	for t, b := range o.body {
		if b == body {
			round = append(round, int32(t))
		}
	}
	for j := range o.edges {
		if e := &o.edges[j]; o.body[e.A] == body || o.body[e.B] == body {
			round = append(round, e.A, e.B)
		}
	}
	k.Adapt(round)
}

// close gives the cracks the closure that spheres cause.
func (k *Balls) close() {
	o, z := &k.outline, k.breaking.Zone()
	if o.face == nil {
		return
	}
	for _, edge := range z.Changed() {
		if f := o.first[edge]; f >= 0 {
			part, _ := z.ContactShare(edge)
			k.Outline.Edges[f+2].ClosedPart = 1 - part
		}
	}
}

// sumClosedCracks adds up the energy that spheres would store in each closed crack.
func (k *Balls) sumClosedCracks() {
	o := &k.outline
	for _, crack := range o.withEnergy {
		o.closedEnergy[crack] = 0
	}
	o.withEnergy = o.withEnergy[:0]
	for _, e := range k.ClosedCracks {
		j := o.between[e.Edge]
		o.withEnergy = append(o.withEnergy, j)
		o.closedEnergy[j] += e.Energy
	}
}

// Velocities returns a box of velocities that also contains those of the spheres at the start.
func (k *Balls) Velocities(box boundingbox.Box) boundingbox.Box {
	for _, v := range k.given.V {
		box = box.With(v)
	}
	return box
}

// Closed returns the energy that spheres would store in the closed crack of an edge that may
// separate [J].
func (k *Balls) Closed(edge int32) float64 {
	if k.outline.closedEnergy == nil {
		return 0
	}
	return k.outline.closedEnergy[edge]
}
