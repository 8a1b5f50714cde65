package fracture

import (
	"math"
	"slices"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// NodeSplit is a node that a crack has added.
type NodeSplit struct {
	Node, Of   int32
	Mass, Left float64 // masses of the new node, and of the node from which it was split, after the split [kg]
}

// NodeSplits returns the nodes that the last Open has added, in their order, with the nodes from
// which they were split.
func (z *Zone) NodeSplits() []NodeSplit { return z.splits }

// softeningStart is the least ratio of the traction to the strength at which a point softens. A
// crack may leave one spoke of a chord nearly without traction. Without this limit the fracture
// energy of its point would be spread over a very large opening.
const softeningStart = 0.05

// balanceRate is the rate at which work of the bodies balances the first energy of springs under
// compression, relative to the highest angular frequency of their triangles. At constant pressure
// that takes about ten steps. At a higher rate the closing faces excite their neighbours: a block
// under a lateral pressure of 20 MPa carries 5 % less than without at 0.3, 1.3 % less at 0.15 and
// 0.1, and 0.2 % less at 0.03. At a lower rate more energy is unbalanced during an impact.
const balanceRate = 0.15

// open opens a vertex along a candidate, and along its mirror image if it has one.
func (z *Zone) open(c *candidate, x, v []r2.Vec, mass []float64) {
	z.openAlong(c, x, v, mass)
	if c.mirror[0] != none {
		o := *c
		o.spoke, o.second, o.mirror[0] = c.mirror[0], -1, none
		z.openAlong(&o, x, v, mass)
	}
}

// openAlong opens a vertex along a candidate and starts its points. The internal force
// of the parts, R = (m_P/m) f - f_P, becomes the traction R/((l1 + l2)/2) of both points.
// So the parts keep the acceleration of the whole, to rounding.
func (z *Zone) openAlong(c *candidate, x, v []r2.Vec, mass []float64) {
	s := &z.scan
	k := c.fan
	first, count, total := z.splitFan(k, c.spoke, c.second)
	f := z.fans
	from := f.first[k]
	n := int(f.first[k+1] - from)
	at := &s.fan
	z.forcesAt(k, at)
	var all, own r2.Vec
	var m, mp float64
	for d := range total {
		j := (first + d) % n
		all = sum(all, at.force[j])
		m += at.mass[j]
		if d < count {
			own = sum(own, at.force[j])
			mp += at.mass[j]
		}
	}
	internal := internalForce(all, own, mp/m)
	old, added := z.divide(k, first, count, total)
	x[added], v[added] = x[old], v[old]
	z.setMasses(k, old, added, mass)
	z.opened = append(z.opened, c.opening)

	weight := 0.0
	for _, e := range [2]int32{c.spoke, c.second} {
		if e >= 0 {
			weight += z.cracks[z.insert(e, c.time)].weight
			z.triangles.Unpair(z.edges[e].A, z.edges[e].B, x)
		}
	}
	z.smoothEdges(c)
	even := r2.Vec{X: internal.X / weight, Y: internal.Y / weight}
	pull := [2]r2.Vec{even, even} // on the part, at its spokes
	switch {
	case c.second >= 0 && c.mirror[0] != none:
		pull = z.branchTractions(c, at, all, m)
	case c.second >= 0 && c.fluid > 0:
		pull = z.fluidTractions(c, internal, weight)
	}
	// The part lies before the last spoke of its triangles and behind the one before them.
	last := f.tri[from+int32((first+count-1)%n)]
	side := [2]int32{last, last} // the triangle of the part at each spoke
	if c.second >= 0 {
		side[0] = z.triangleOf(k, first)
	}
	if z.hasSprings(c.spoke) {
		pull = z.springTractions([2]int32{c.spoke, c.second}, side, internal)
	}
	for i, e := range [2]int32{c.spoke, c.second} {
		if e < 0 {
			continue
		}
		q := z.crackOf[e]
		z.locate(q)
		t := pull[i]
		if z.edges[e].A != side[i] {
			t = r2.Vec{X: -t.X, Y: -t.Y}
		}
		z.startPoint(q, z.end(e, k), t, c.fluid, c, x)
	}
}

// fluidTractions returns the tractions on the part of a candidate along its two spokes when a fluid
// enters between them. The effective internal force is distributed evenly, and the pressure acts
// normal to each spoke. An even distribution of the total force would shear spokes that meet at an
// angle under a hydrostatic stress.
func (z *Zone) fluidTractions(c *candidate, internal r2.Vec, weight float64) (pull [2]r2.Vec) {
	a, b := z.areaOf(c.spoke), z.areaOf(c.second)
	internal = z.addFluidForce(c, c.spoke, c.second, a, b, internal)
	even := r2.Vec{X: internal.X / weight, Y: internal.Y / weight}
	return z.addFluidPressure(c, [2]r2.Vec{even, even})
}

// addFluidPressure adds the pressure of the fluid of a candidate to tractions on its part [Pa].
func (z *Zone) addFluidPressure(c *candidate, pull [2]r2.Vec) [2]r2.Vec {
	for i, n := range [2]r2.Vec{z.across(c.fan, c.spoke), z.across(c.fan, c.second)} {
		out := c.fluid
		if i == 0 {
			out = -out
		}
		pull[i].X -= float64(out * n.X)
		pull[i].Y -= float64(out * n.Y)
	}
	return pull
}

// addFluidForce returns the effective internal force of a part between two spokes whose points
// have the areas a and b [m2]: the internal force plus the force of the candidate's fluid [N].
func (z *Zone) addFluidForce(c *candidate, first, second int32, a, b float64, internal r2.Vec) r2.Vec {
	p, q := z.across(c.fan, first), z.across(c.fan, second)
	return r2.Vec{X: internal.X + float64(c.fluid*(float64(b*q.X)-float64(a*p.X))), Y: internal.Y + float64(c.fluid*(float64(b*q.Y)-float64(a*p.Y)))}
}

// across returns the unit normal of a spoke of fan k, out of the triangle before the spoke.
func (z *Zone) across(k, spoke int32) r2.Vec {
	ray := z.ray(k, z.fans.first[k]+int32(slices.Index(z.fans.spokesOf(k), spoke)))
	l := length(ray)
	return r2.Vec{X: -ray.Y / l, Y: ray.X / l}
}

// areaOf returns the area of each of the two points of an edge [m2].
func (z *Zone) areaOf(edge int32) float64 {
	return float64(0.5 * z.thickness * length(z.edgeVector(&z.edges[edge])))
}

// branchTractions returns the tractions on the part of a candidate along its two spokes, if the
// vertex then also opens along a third spoke. Equilibrium of three parts leaves one traction free.
// The tractions chosen have the least sum of squares over the spokes, like even tractions along two
// spokes.
//
//	   \ A /      R_A = (w + a) p - w q, R_B = (w + b) q - w p,
//	 w  \/ a      w, a, b areas of points: p = t_a on A, q = t_b on B,
//	-----<   C     p - q = t_w on A
//	    /\ b
//	   / B \
func (z *Zone) branchTractions(c *candidate, at *fan, all r2.Vec, m float64) [2]r2.Vec {
	spokes := z.fans.spokesOf(c.fan)
	n, common := len(spokes), slices.Index(spokes, c.spoke)
	position := func(e int32) int { return (slices.Index(spokes, e) - common + n) % n } // behind the common one
	own, other := position(c.second), position(c.mirror[0])
	internal := func(first, end int) r2.Vec { // of the triangles behind the common spoke from first on
		var f r2.Vec
		mp := 0.0
		for d := first; d < end; d++ {
			j := (common + 1 + d) % n
			f = sum(f, at.force[j])
			mp += at.mass[j]
		}
		return internalForce(all, f, mp/m)
	}
	ra, rb := internal(0, min(own, other)), internal(max(own, other), n)
	at0, atA, atB := c.spoke, spokes[(common+min(own, other))%n], spokes[(common+max(own, other))%n]
	w, wa, wb := z.areaOf(at0), z.areaOf(atA), z.areaOf(atB)
	if c.fluid > 0 {
		ra, rb = z.addFluidForce(c, at0, atA, w, wa, ra), z.addFluidForce(c, atB, at0, wb, w, rb)
	}
	a, b := w+wa, w+wb
	det := float64(a*b) - float64(w*w)
	p := r2.Vec{X: (float64(b*ra.X) + float64(w*rb.X)) / det, Y: (float64(b*ra.Y) + float64(w*rb.Y)) / det}
	q := r2.Vec{X: (float64(a*rb.X) + float64(w*ra.X)) / det, Y: (float64(a*rb.Y) + float64(w*ra.Y)) / det}
	tw := r2.Vec{X: p.X - q.X, Y: p.Y - q.Y}
	pull := [2]r2.Vec{tw, p}
	if own > other { // the part is A and C
		pull[1] = r2.Vec{X: -q.X, Y: -q.Y}
	}
	if c.fluid > 0 {
		pull = z.addFluidPressure(c, pull)
	}
	return pull
}

// triangleOf returns the triangle at a position of fan k.
func (z *Zone) triangleOf(k int32, at int) int32 { return z.fans.tri[z.fans.first[k]+int32(at)] }

// forcesAt sets the forces [N] and masses [kg] of the triangles of fan k, with the forces of
// open cracks.
func (z *Zone) forcesAt(k int32, at *fan) {
	s, f := &z.scan, z.fans
	from, end := f.first[k], f.first[k+1]
	indices := f.laneIndex[from:end]
	n := len(indices)
	at.force, at.mass = slices.Grow(at.force[:0], n)[:n], f.mass[from:end:end]
	force, corner := at.force[:n], f.corner[from:end][:n]
	if f.cracked[k] {
		z.addCracks(from, indices, corner, force)
	} else {
		for i, lane := range indices {
			p, l := &s.corner[uint32(lane)/lanes][corner[i]], uint32(lane)%lanes
			force[i] = r2.Vec{X: p[0][l], Y: p[1][l]}
		}
	}
	if z.pores.push != nil {
		z.addPorePush(k, force)
	}
	if f.mixed != nil && f.mixed[k] {
		z.support(k, at)
	}
}

// addCracks sets the forces of the triangles of a fan with cracks; its triangles begin at index
// from. They are the force of the triangle, of the crack along the spoke before it, and of the
// crack along its own spoke. For the first triangle the last two are in the opposite order, because
// the spoke before it is the last spoke.
func (z *Zone) addCracks(from int32, indices []int32, corner []uint8, force []r2.Vec) {
	f, s := z.fans, &z.scan
	n := int32(len(indices))
	open, far, face, spoke := f.open[from : from+n][:n], f.farOpen[from : from+n][:n], f.face[from : from+n][:n], f.spoke[from : from+n][:n]
	var before r2.Vec // of the crack before
	cracked := false
	for i, lane := range indices {
		p, l := &s.corner[uint32(lane)/lanes][corner[i]], uint32(lane)%lanes
		all := r2.Vec{X: p[0][l], Y: p[1][l]}
		if cracked {
			all = sum(all, before)
		}
		if cracked = open[i] || far[i]; cracked {
			a := face[i] & 3
			q, lane := z.at(z.crackOf[spoke[i]])
			own, other := &q.force[a], &q.force[a^2]
			all = sum(all, r2.Vec{X: own[0][lane], Y: own[1][lane]})
			before = r2.Vec{X: other[0][lane], Y: other[1][lane]}
		}
		force[i] = all
	}
	if cracked {
		force[0] = sum(force[0], before)
	}
}

// splitFan returns the triangles of fan k that an opening along its spokes separates from the rest:
// count triangles from index first on. Before the opening these and the rest, total triangles from
// first on, share one node.
func (z *Zone) splitFan(k, spoke, second int32) (first, count, total int) {
	s := z.fans.spokesOf(k)
	n := len(s)
	if second >= 0 {
		i, j := slices.Index(s, spoke), slices.Index(s, second)
		return (i + 1) % n, (j - i + n) % n, n
	}
	for i := 0; i < n; i += total {
		first, total = z.run(k, i)
		for d := range total - 1 {
			if s[(first+d)%n] == spoke {
				return first, d + 1, total
			}
		}
	}
	panic("fracture: a spoke is not round its vertex")
}

// divide moves a part of a fan to a new node. It returns the old node and the new one. The side
// that has the triangle of lowest number keeps the old node.
func (z *Zone) divide(k int32, first, count, total int) (old, added int32) {
	f := z.fans
	from := f.first[k]
	n := f.first[k+1] - from
	lowest, inPart := int32(0), false
	for d := range total {
		if t := f.tri[from+int32(first+d)%n]; d == 0 || t < lowest {
			lowest, inPart = t, d < count
		}
	}
	at := from + int32(first)%n
	old = z.nodes[f.tri[at]][f.corner[at]]
	added = z.pages.add(f.vertex[k])
	for d := range total {
		if (d < count) == inPart {
			continue
		}
		i := from + int32(first+d)%n
		z.nodes[f.tri[i]][f.corner[i]] = added
		z.triangles.SetCorner(int(f.tri[i]), int(f.corner[i]), added)
	}
	z.vertexOf[added] = f.vertex[k]
	z.next[added], z.next[f.vertex[k]] = z.next[f.vertex[k]], added
	return old, added
}

// setMasses sets the masses of an old node of fan k and of the node split from it [kg].
func (z *Zone) setMasses(k, old, added int32, mass []float64) {
	mass[old], mass[added] = z.massOf(k, old), z.massOf(k, added)
	z.splits = append(z.splits, NodeSplit{Node: added, Of: old, Mass: mass[added], Left: mass[old]})
}

// massOf returns the mass of a node at fan k [kg]. It adds triangles in the order of
// Triangles.Masses.
func (z *Zone) massOf(k, node int32) float64 {
	f := z.fans
	s := z.scan.order[:0]
	for i := f.first[k]; i < f.first[k+1]; i++ {
		if t := f.tri[i]; z.nodes[t][f.corner[i]] == node {
			s = append(s, t)
		}
	}
	slices.Sort(s)
	z.scan.order = s
	m := 0.0
	for _, t := range s {
		m += z.mass[t]
	}
	return m
}

// startPoint starts the point of crack q at one end with the traction on side A and a fluid
// pressure [Pa]. Detached faces, such as faces that have rotated about this end, start without
// traction: nothing computes their forces again.
func (z *Zone) startPoint(q int32, end int, traction r2.Vec, pressure float64, c *candidate, x []r2.Vec) {
	k := &z.cracks[q]
	e := &z.edges[k.edge]
	r := &z.regions[k.region]
	if k.detached {
		traction, pressure = r2.Vec{}, 0
	}
	k.open[end] = true
	p, b := z.pointOf(q, end)
	var mem [cohesive.Memories]float64
	z.openSpoke(c.fan, k.edge, [2]int32{e.To, e.From}[end])
	z.setForce(q, end, sum(z.forceOn(q, end), r2.Vec{X: float64(k.weight * traction.X), Y: float64(k.weight * traction.Y)}))
	z.setForce(q, 2+end, sum(z.forceOn(q, 2+end), r2.Vec{X: float64(-k.weight * traction.X), Y: float64(-k.weight * traction.Y)}))
	n, t, _ := k.frame(x)
	ma, mb := z.mass[e.A], z.mass[e.B]
	omega2 := max(z.omega2[e.A], z.omega2[e.B])
	p.mixity = c.mixity
	if r.Bedding != nil && !k.open[1-end] {
		at := c.plane
		if at == (r2.Vec{}) { // an edge that separates at the start represents its own plane
			at = z.normalOf(k.edge, none, c.fan)
		}
		k.law = cohesive.LawIndex(r.Bedding.CosineSquared(at.X, at.Y))
	}
	law := z.lawOf(k)
	start := cohesive.Start{
		Normal: float64(traction.X*n.X) + float64(traction.Y*n.Y) + pressure,
		Shear:  float64(traction.X*t.X) + float64(traction.Y*t.Y),
		// from the masses of its own two corners: a part of a fan has at most two faces, so at most
		// two points
		Stiffness: cohesive.Stiffness(r.Stiffness, math.Sqrt(omega2), ma, mb, k.weight),
		Energy:    c.share * e.Energy * law.Energy.Energy(c.mixity),
		Onset:     softeningStart * law.Onset(c.mixity),
		Rate:      balanceRate * math.Sqrt(omega2),
		Charge:    z.chargeOf(k.edge),
	}
	if r.Springs != nil {
		*b = r.Springs.Open(start.Normal, start.Shear, start.Stiffness, mem[:])
		if c.time > 0 { // otherwise it exists from the start, as the strain of the rock does
			mem[cohesive.Unbalanced] = r.Springs.InitialEnergy(b)
		}
	} else {
		*b = law.Open(start, mem[:])
	}
	p.breaks = z.breaksAt(k.region, b)
	z.setMemory(q, end, &mem)
	if pressure > 0 {
		z.fluid.pressure[q][end] = pressure
	}
	z.updateQuad(q)
}

// lawOf returns the law of a crack. Where strength depends on direction, it is the law of the
// plane along which the crack opened first.
func (z *Zone) lawOf(c *crack) *cohesive.Law {
	if r := &z.regions[c.region]; r.laws != nil {
		return r.laws[c.law]
	}
	return z.regions[c.region].Law
}

// breaksAt returns the kappa at which a point of a region is broken [m].
func (z *Zone) breaksAt(region int32, b *cohesive.Point) float64 {
	if s := z.springsOf(region); s != nil {
		return s.Broken()
	}
	return z.regions[region].Law.Broken(b)
}

// relocate updates the nodes of the cracks beside new nodes.
func (z *Zone) relocate() {
	for _, b := range z.splits {
		k := z.fans.of[z.vertexOf[b.Node]]
		for _, s := range z.fans.spokesOf(k) {
			if s >= 0 && z.crackOf[s] >= 0 {
				z.locate(z.crackOf[s])
			}
		}
	}
}

// setLimit bounds the amount that cohesion adds to the highest squared frequency. For springs
// between nodes a and b the bound is s_a/m_a + s_b/m_b, with the mass m and the sum s of the
// stiffnesses at a node (the bound of a weighted Laplacian). Springs connect nodes of one vertex,
// so each vertex has its own bound. setLimit updates the bounds of the openings from number from
// on.
func (z *Zone) setLimit(mass []float64, from int) {
	if z.springs == nil {
		z.springs, z.bound = make([]float64, z.pages.Nodes), make([]float64, len(z.fans.vertex))
	}
	fallen := false
	for i := range z.opened[from:] {
		k := z.opened[from+i].fan
		old := z.bound[k]
		z.bound[k] = z.boundOf(k, mass)
		z.raiseLimit(k)
		fallen = fallen || old == z.limit && z.bound[k] < old
	}
	if !fallen {
		return
	}
	z.limit = 0
	for i := range z.opened {
		z.raiseLimit(z.opened[i].fan)
	}
}

// raiseLimit makes the limit at least the bound of fan k.
func (z *Zone) raiseLimit(k int32) {
	if z.bound[k] > z.limit {
		z.limit, z.tightest = z.bound[k], k
	}
}

// Tightest returns the vertex whose cracks have the greatest bound. It returns -1 if there are no
// cracks or if joints with springs that are still closed have a greater bound.
func (z *Zone) Tightest() int32 {
	if z.limit == 0 || z.initial.limit > z.limit {
		return -1
	}
	return z.fans.vertex[z.tightest]
}

// boundOf returns the bound of the points at the vertex of fan k [1/s2].
func (z *Zone) boundOf(k int32, mass []float64) (bound float64) {
	order := z.scan.order[:0] // the cracks there, by their edges
	for i, s := range z.fans.spokesOf(k) {
		if z.fans.openOf(k)[i] {
			order = append(order, s)
		}
	}
	slices.Sort(order)
	z.scan.order = order
	visit := func(do func(a, b int32, s float64)) {
		for _, e := range order {
			q, end := z.crackOf[e], z.end(e, k)
			c := &z.cracks[q]
			do(c.node[end], c.node[2+end], float64(z.stiffest(q, end)*c.weight))
		}
	}
	visit(func(a, b int32, _ float64) { z.springs[a], z.springs[b] = 0, 0 })
	visit(func(a, b int32, s float64) { z.springs[a] += s; z.springs[b] += s })
	visit(func(a, b int32, _ float64) { bound = max(bound, z.springs[a]/mass[a]+z.springs[b]/mass[b]) })
	return bound
}

// stiffest returns the greatest stiffness of a point of crack q [Pa/m].
func (z *Zone) stiffest(q int32, end int) float64 {
	b := &z.constants[2*int(q)+end]
	if s := z.regions[z.cracks[q].region].Springs; s != nil {
		return s.Stiffest(b)
	}
	return b.Stiffness
}

// FrequencySquared returns a bound of the amount that the cracks add to the triangles' highest
// squared angular frequency [1/s2]. Two opposite points that carry a load and have moved by s on an
// edge of length l rotate each other with the arm s. The rotation of the frame makes the stiffness
// of the pair 1 + (s/l)^2 times its own. Points without a load have no stiffness. Sliding faces are
// detached at s = l/2 if they broke before l/4, otherwise l/4 after they broke, see transfer.go.
func (z *Zone) FrequencySquared() float64 { return max(z.limit, z.initial.limit) * (1 + z.arm) }
