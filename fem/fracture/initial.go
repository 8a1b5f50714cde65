package fracture

import (
	"math"
	"slices"

	"fdem/fem"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Joints with their own stiffness (Region.Springs) are open from the start. Their
// vertices open as soon as possible, without a criterion, and start with the traction
// that held them. A vertex at which such a joint ends inside a body stays closed. Edges
// between bodies that separate at the start (Config.Parts) open in the same way, with any
// law.

// initialOpenings lists the vertices that are still to open.
type initialOpenings struct {
	parts []bool  // of each edge: it opens at the start with any law; nil for none
	fans  []int32 // fans with closed spokes of such joints, ascending
	limit float64 // bound of their future part of the highest squared frequency [1/s2]
}

// springsOf returns the law of a region with springs, nil for another.
func (z *Zone) springsOf(region int32) *cohesive.Springs {
	if region < 0 {
		return nil
	}
	return z.regions[region].Springs
}

// hasSprings tells whether an edge, -1 for none, has springs.
func (z *Zone) hasSprings(e int32) bool { return e >= 0 && z.springsOf(z.edges[e].Region) != nil }

// opensInitially tells whether an edge, -1 for none, opens as soon as it can.
func (z *Zone) opensInitially(e int32) bool {
	return z.hasSprings(e) || e >= 0 && z.initial.parts != nil && z.initial.parts[e]
}

// listInitial lists the vertices that will open, and bounds the effect of their springs
// on the step.
func (z *Zone) listInitial() {
	for k := range z.fans.vertex {
		if slices.ContainsFunc(z.fans.spokesOf(int32(k)), z.opensInitially) {
			z.initial.fans = append(z.initial.fans, int32(k))
			z.initial.limit = max(z.initial.limit, z.springBound(int32(k)))
		}
	}
}

// springBound returns a bound of the amount that the open springs at the vertex of fan k
// add to the highest squared frequency, see setLimit [1/s2].
func (z *Zone) springBound(k int32) (bound float64) {
	f := z.fans
	spokes := f.spokesOf(k)
	n := len(spokes)
	part := make([]int, n) // part of each triangle
	for i := 1; i < n; i++ {
		part[i] = part[i-1]
		if e := spokes[i-1]; z.hasSprings(e) {
			part[i]++
		}
	}
	last := part[n-1]
	if e := spokes[n-1]; f.closed(k) && last > 0 && !z.hasSprings(e) {
		for i := range part { // the last part continues in the first
			if part[i] == last {
				part[i] = 0
			}
		}
	}
	mass, spring := make([]float64, n+1), make([]float64, n+1)
	for i := range n {
		mass[part[i]] += f.mass[f.first[k]+int32(i)]
	}
	visit := func(do func(a, b int, s float64)) {
		for i, e := range spokes {
			if z.hasSprings(e) {
				do(part[i], part[(i+1)%n], z.springOf(e))
			}
		}
	}
	visit(func(a, b int, s float64) { spring[a] += s; spring[b] += s })
	visit(func(a, b int, s float64) {
		if a != b {
			bound = max(bound, spring[a]/mass[a]+spring[b]/mass[b])
		}
	})
	return bound
}

// springOf returns the stiffness of one point of an edge with springs [N/m].
func (z *Zone) springOf(edge int32) float64 {
	e := &z.edges[edge]
	weight := 0.5 * z.thickness * length(z.edgeVector(e))
	s, usual := z.springsOf(e.Region), 0.0
	if s.Normal == 0 || s.Shear == 0 || s.Faces != nil {
		usual = z.closedStiffness(e, weight)
	}
	return s.Greatest(usual) * weight
}

// closedStiffness is the stiffness of a point of a closed crack [Pa/m].
func (z *Zone) closedStiffness(e *Edge, weight float64) float64 {
	omega2 := max(z.omega2[e.A], z.omega2[e.B])
	return cohesive.Stiffness(z.regions[e.Region].Stiffness, math.Sqrt(omega2), z.mass[e.A], z.mass[e.B], weight)
}

// OpenSprings opens, as Open does, the vertices that can open of joints with springs
// and of edges that separate at the start. It returns how many have opened.
func (z *Zone) OpenSprings(x, v []r2.Vec, mass []float64, time float64) int {
	z.splits = z.splits[:0]
	w := &z.initial
	if time > 0 && w.parts != nil {
		w.parts = nil
		z.dropOpened()
	}
	if len(w.fans) == 0 {
		return 0
	}
	s, before := &z.scan, len(z.opened)
	z.allocate(x)
	s.x = x
	s.stamp++
	s.blocks, s.searched = s.blocks[:0], s.searched[:0]
	for _, k := range w.fans {
		if _, ok := z.nextInitial(k); ok {
			z.listBlocks(k)
			s.searched = append(s.searched, k)
		}
	}
	if len(s.blocks) == 0 {
		return 0
	}
	z.getFans(s.searched)
	of := slices.Grow(s.blocks, fem.Ahead)
	z.triangles.ComputeCornerForces(of[:len(s.blocks)+fem.Ahead], x, s.corner)
	z.triangles.ComputeStresses(of[:len(s.blocks)+fem.Ahead], x, s.stress)
	for _, k := range w.fans {
		for o, ok := z.nextInitial(k); ok; o, ok = z.nextInitial(k) {
			c := candidate{opening: o, share: 1, mixity: 1, mirror: [2]int32{none, none}, fluid: z.porePressure(z.fans.first[k])}
			c.time = time
			z.openAlong(&c, x, v, mass)
		}
	}
	z.dropOpened()
	z.mergeOrder()
	z.relocate()
	z.setLimit(mass, before)
	z.sortCracks()
	z.wake(before)
	return len(z.opened) - before
}

// dropOpened removes vertices at which no edge is left to open.
func (z *Zone) dropOpened() {
	z.initial.fans = slices.DeleteFunc(z.initial.fans, func(k int32) bool {
		return !slices.ContainsFunc(z.fans.spokesOf(k), func(e int32) bool {
			return z.opensInitially(e) && !z.openAt(e, k)
		})
	})
}

// openAt tells whether an edge is open at the vertex of fan k.
func (z *Zone) openAt(e, k int32) bool {
	q := z.crackOf[e]
	return q >= 0 && z.cracks[q].open[z.end(e, k)]
}

// nextInitial returns the next opening of the vertex of fan k along joints with
// springs: one spoke of a part of the fan, or two spokes of a whole fan.
func (z *Zone) nextInitial(k int32) (o opening, ok bool) {
	if z.excavations != nil && z.excavations[k] != 0 {
		return o, false
	}
	o = opening{fan: k, spoke: -1, second: -1}
	whole := z.fans.closed(k)
	open := z.fans.openOf(k)
	for i, e := range z.fans.spokesOf(k) {
		whole = whole && !open[i]
		switch {
		case open[i] || !z.opensInitially(e):
		case o.spoke < 0:
			o.spoke = e
		case o.second < 0:
			o.second = e
		}
	}
	if !whole {
		o.second = -1
		return o, o.spoke >= 0
	}
	return o, o.second >= 0
}

// springTractions returns the tractions on the part of an opening along one or two
// spokes, -1 for none, for a given internal force [N]: the tractions of the stress beside
// each spoke, plus the rest of the internal force spread evenly over both.
func (z *Zone) springTractions(along, side [2]int32, internal r2.Vec) (pull [2]r2.Vec) {
	whole := 0.0
	var weights [2]float64
	for i, e := range along {
		if e < 0 {
			continue
		}
		t := z.stressOn(&z.edges[e])
		if z.edges[e].A != side[i] {
			t = r2.Vec{X: -t.X, Y: -t.Y}
		}
		weights[i] = float64(0.5 * z.thickness * length(z.edgeVector(&z.edges[e])))
		whole += weights[i]
		internal.X -= float64(weights[i] * t.X)
		internal.Y -= float64(weights[i] * t.Y)
		pull[i] = t
	}
	for i := range pull {
		pull[i].X += internal.X / whole
		pull[i].Y += internal.Y / whole
	}
	return pull
}

// stressOn returns the traction on side A of an edge from the mean stress beside it [Pa].
func (z *Zone) stressOn(e *Edge) r2.Vec {
	var xx, yy, xy float64
	for _, t := range [2]int32{e.A, e.B} {
		lane := uint32(z.triangles.LaneIndex(int(t)))
		q, l := &z.scan.stress[lane/lanes], lane%lanes
		xx += float64(0.5 * q.XX[l])
		yy += float64(0.5 * q.YY[l])
		xy += float64(0.5 * q.XY[l])
		if z.pores.push != nil {
			p := float64(0.5 * z.pores.push[t])
			xx, yy = xx-p, yy-p
		}
	}
	r := z.edgeVector(e)
	l := length(r)
	n := r2.Vec{X: r.Y / l, Y: -r.X / l} // out of A
	return r2.Vec{X: float64(xx*n.X) + float64(xy*n.Y), Y: float64(xy*n.X) + float64(yy*n.Y)}
}

// charge charges the joints without a stiffness of their own with the initial stress. A closed joint
// holds its contact springs as the initial stress has compressed them, by p/K, and when it opens
// they carry what they carried. Its faces would otherwise close by p/(2 K) to balance the energy of
// springs that appear (cohesive.Point.BalanceContact), and a block between two joints would lose
// h E/(K L) of its thrust.
func (z *Zone) charge(pressures []float64) {
	z.charges = pressures
	for e, p := range pressures {
		if p > 0 && !z.hasSprings(int32(e)) {
			weight := z.areaOf(int32(e))
			z.charged += float64(2 * weight * 0.5 * p * p / z.closedStiffness(&z.edges[e], weight))
		}
	}
}

// chargeOf returns the pressure of the initial stress on an edge that is a joint, else 0 [Pa].
func (z *Zone) chargeOf(edge int32) float64 {
	if z.charges == nil {
		return 0
	}
	return z.charges[edge]
}
