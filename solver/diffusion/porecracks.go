package diffusion

import (
	"math"
	"slices"

	"fdem/fem/fracture"
	"fdem/solver/nodes"
	"fdem/solver/quantity"
	"fdem/solver/system"
)

// Pores of bodies with cracks and joints. The fluid of the pores fills the cracks, and presses on their
// faces. So the traction of a crack's law is Terzaghi's effective one, which its strength and friction
// limit.
//
// The nodes of a vertex between which a crack has opened have one pressure, as long as its faces are
// opposite each other: the pressure is continuous across a crack. They are a pool, with the volume R of
// the cracks at the vertex, which fills from the pores:
//
//	sum of m = sum of (C p + b (V - V0)/3) + R   if p > 0,
//
// or R is partly filled and p = 0: a crack that opens faster than fluid flows to it takes the pressure
// away around it (cavitation). Below 0 a crack is empty. Faces that contact has taken over, or that
// are apart, hold no fluid: it is spilled.
type openings struct {
	zone     *fracture.Zone
	pressure []float64                      // per node: its pressure in a crack, at least 0 [Pa]
	gap      []float64                      // per edge and end: distance of the faces at the last commit [m]
	push     []float64                      // per edge and end: force on its faces then, NaN before it is open [N]
	water    []float64                      // per edge and end: fluid between them [m3]
	area     []float64                      // per edge: of an end at the last commit [m2]
	spilled  float64                        // fluid that has left cracks so far [m3]
	taken    float64                        // fluid that has come from fluids in cracks so far [m3]
	carter   []float64                      // per node: see Face
	fills    func(edge int32, end int) bool // another fluid is at an end of an edge

	split    []nodePair // since the last evaluation
	renew    bool       // nodes are others than at the last evaluation
	ends     []poolEnd
	nodeSets           // the nodes of pools
	pools    []pool    // per node that is the first of its pool
	shift    []float64 // per triangle: see fracture.Zone.EnablePores [Pa]
	reach    []float64 // per node: areas of crack faces with fluid; zero between uses [m2]
	stiff    float64   // greatest squared frequency of the fluid in a crack [1/s2]
	resumed  bool      // a state has been read
}

type nodePair struct{ of, added int32 }

// poolEnd is an end of an open edge.
type poolEnd struct {
	edge  int32
	end   int
	a, b  int32   // its nodes
	wider float64 // growth of the distance of the faces since the last commit [m]
	area  float64 // with which forces are added now [m2]
}

// pool is nodes with one pressure.
type pool struct {
	storage, content float64 // [m3/Pa], [m3]
	room, water      float64 // of cracks, and the fluid in it [m3]
	filled           float64 // of room [m3]
	block            int32   // that holds its pressure, -1 for none
	pressure         float64 // [Pa]
	inertia          float64 // squared forces of 1 Pa over masses [m4/kg]
}

// joinCracks joins the pores with the cracks of a zone.
func (k *Pores) joinCracks(zone *fracture.Zone, fills func(edge int32, end int) bool) {
	n, edges := len(k.X), len(k.Fracture.Edges)
	o := &k.openings
	o.zone, o.pressure, o.nodeSets, o.pools = zone, make([]float64, n), newNodeSets(n), make([]pool, n)
	o.gap, o.water, o.area = make([]float64, 2*edges), make([]float64, 2*edges), make([]float64, edges)
	o.push = slices.Repeat([]float64{math.NaN()}, 2*edges)
	o.fills, o.carter = fills, make([]float64, n)
	k.setCarter()
	o.reach = make([]float64, n)
	k.setCrackPressures(k.now.theta)
	o.shift = make([]float64, len(k.Mesh.Triangles))
	zone.EnablePores(k.tried, o.pressure, o.shift)
	k.shift()
	k.OnSplit(k.divide)
}

// divide gives a node that has been split off another its pressure.
func (k *Pores) divide(of, added nodes.Node) {
	o := &k.openings
	o.renew, k.stale = true, true
	if k.Stepping || k.N == 0 && !o.resumed { // otherwise a state is being restored
		k.now.theta[added], o.pressure[added] = k.now.theta[of], o.pressure[of]
		o.split = append(o.split, nodePair{int32(of), int32(added)})
		if len(k.warmth) > 0 {
			k.warmth[added] = k.warmth[of]
		}
	}
}

// MoveBy divides the fluid of nodes that have been split, so that a state has it.
func (k *Pores) MoveBy(_, _ float64) { k.renewNodes() }

// renewNodes finds the storages of nodes after cracks have opened, and divides the fluid of those that
// have been split. A new node takes what it holds at its pressure.
func (k *Pores) renewNodes() {
	o := &k.openings
	if o.resumed && o.zone != nil {
		defer k.resumePressures()
	}
	o.resumed = false
	if !o.renew {
		return
	}
	o.renew = false
	k.hold()
	k.storage = append(k.storage[:0], k.net.capacity...)
	for i, x := range k.Mesh.X {
		k.gravity[i] = k.head(x)
	}
	k.listWet()
	clear(k.strain)
	for i := range k.wet {
		k.wet[i].addStrain(k.strain, k.was[k.wet[i].at])
	}
	k.addWarmth(k.warmth)
	if o.zone != nil {
		k.setCarter()
	}
	for i, p := range o.split {
		m, from := float64(k.storage[p.added]*k.now.theta[p.added])+k.strain[p.added], p.of
		for j := i - 1; j >= 0; j-- { // the node that had the fluid
			if o.split[j].added == from {
				from = o.split[j].of
			}
		}
		k.amount[p.added] = m
		k.amount[from] -= m
	}
	o.split = o.split[:0]
}

// resumePressures sets the pressures in open edges that they had when a state was written.
func (k *Pores) resumePressures() {
	o := &k.openings
	k.setCrackPressures(k.now.theta)
	o.zone.EachOpen(func(edge int32) {
		ch, faces := o.zone.Channel(edge, k.X)
		for end, open := range ch.Open {
			if open && (faces || o.area[edge] > 0) && !o.fills(edge, end) {
				o.zone.SetPorePressure(edge, end, o.zone.PorePressure(edge, end))
			}
		}
	})
}

// setCarter sets the coefficients of leak-off of the present nodes.
func (k *Pores) setCarter() {
	for t, n := range k.Mesh.Triangles {
		m := k.material[t]
		if k.of.Biot[m] == 0 {
			continue
		}
		c := &k.materials[m]
		along := math.Sqrt(max(0, float64(c.XX*c.YY)-float64(c.XY*c.XY)))
		carter := along / math.Sqrt(float64(math.Pi*k.of.Diffusivity(m, &k.Materials[m].Elastic)))
		if along == 0 {
			carter = 0
		}
		for _, i := range n {
			k.openings.carter[i] = carter
		}
	}
}

// Face returns the storage of a node beside another fluid [m3/Pa], 0 if its pressure is held or it has no
// pores, its pressure [Pa], and its coefficient of leak-off, k/(mu sqrt(pi c)) [m/(Pa s^0.5)].
func (k *Pores) Face(n int32) (storage, pressure, carter float64) {
	if k.net.heldBy[n] >= 0 || int(n) >= len(k.storage) {
		return 0, 0, 0
	}
	return k.storage[n], k.value(n), k.openings.carter[n]
}

// Take gives a node a volume of fluid from outside, by volume without pressure [m3].
func (k *Pores) Take(n int32, volume float64) {
	k.amount[n] += volume
	k.openings.taken += volume
}

// gather finds the pools of the present cracks. With commit it follows the motion of their faces since the
// last commit.
func (k *Pores) gather(commit bool) {
	o := &k.openings
	o.clear()
	o.ends = o.ends[:0]
	o.zone.EachOpen(func(edge int32) {
		ch, faces := o.zone.Channel(edge, k.X)
		for end, open := range ch.Open {
			a, b := ch.Nodes[end], ch.Nodes[2+end]
			if !open || k.storage[a] == 0 && k.storage[b] == 0 {
				continue
			}
			e := poolEnd{edge: edge, end: end, a: a, b: b}
			if commit {
				o.follow(&e, &ch, faces)
			}
			if !faces || o.fills(edge, end) {
				continue
			}
			o.join(a, b)
			o.ends = append(o.ends, e)
		}
	})
	slices.Sort(o.touched)
}

// follow follows the motion of the faces at an end.
func (o *openings) follow(e *poolEnd, ch *fracture.Channel, faces bool) {
	i := e.index()
	if o.fills(e.edge, e.end) {
		o.spill(i, 1)
		o.push[i], o.gap[i] = math.NaN(), ch.Opening[e.end]
		return
	}
	if math.IsNaN(o.push[i]) { // it has opened in the last step
		if o.area[e.edge] == 0 {
			o.area[e.edge] = ch.Area
		}
		o.push[i] = float64(ch.Area * o.zone.Pressure(e.edge)[e.end])
	}
	e.wider = ch.Opening[e.end] - o.gap[i]
	o.gap[i] = ch.Opening[e.end]
	if !faces {
		o.zone.SetPorePressure(e.edge, e.end, 0)
	}
}

// index is the place of an end in arrays of edges and ends.
func (e *poolEnd) index() int32 { return 2*e.edge + int32(e.end) }

// room is the volume between the faces at an end, at the last commit [m3].
func (o *openings) room(e *poolEnd) float64 {
	return float64(o.area[e.edge] * max(0, o.gap[e.index()]))
}

// settle sets the values of the nodes of pools, with the amounts and strains of nodes, at a time of flow.
func (k *Pores) settle(theta []float64, at float64) {
	o := &k.openings
	for _, n := range o.touched {
		r := o.first(n)
		p := &o.pools[r]
		if n == r {
			*p = pool{block: -1}
		}
		p.storage += k.storage[n]
		p.content += k.amount[n] - k.strain[n]
		if b := k.net.heldBy[n]; b >= 0 {
			p.block = b
		}
	}
	for i := range o.ends {
		e := &o.ends[i]
		p := &o.pools[o.first(e.a)]
		p.room += o.room(e)
		p.water += o.water[e.index()]
	}
	for _, n := range o.touched {
		r := o.first(n)
		p := &o.pools[r]
		if n == r {
			k.fillPool(p, r, at)
		}
		theta[n] = p.pressure - k.gravity[n]
	}
}

// fillPool finds the pressure of a pool, at node n.
func (k *Pores) fillPool(p *pool, n int32, at float64) {
	all := p.content + p.water + float64(p.storage*k.gravity[n]) // with that at no pressure
	switch {
	case p.block >= 0:
		p.pressure = k.held(p.block, n, at) + k.gravity[n]
		switch {
		case p.pressure > 0:
			p.filled = p.room
		case p.pressure == 0:
			p.filled = min(p.room, p.water)
		}
	case all < 0:
		p.pressure = all / p.storage
	case all <= p.room:
		p.filled = all
	default:
		p.pressure, p.filled = (all-p.room)/p.storage, p.room
	}
}

// fillCracks finds the values of nodes beside cracks, and makes their fluid press on the faces.
func (k *Pores) fillCracks(theta []float64, at float64, commit bool) {
	k.gather(commit)
	k.settle(theta, at)
	if !commit {
		return
	}
	k.keepPools(theta)
	k.setCrackPressures(theta)
	k.pressCracks()
	k.setStiff()
}

// AfterForces finds the contacts for the next step, and records the work of the fluid on the faces of cracks, by the areas with which forces are
// added now. Fluid is spilled from areas that contact has taken over.
func (k *Pores) AfterForces() {
	k.meet()
	o := &k.openings
	if o.zone == nil {
		return
	}
	work := 0.0
	for i := range o.ends {
		e := &o.ends[i]
		ch, _ := o.zone.Channel(e.edge, k.X)
		at := e.index()
		e.area = ch.Area
		now := float64(ch.Area * o.zone.Pressure(e.edge)[e.end])
		work += float64(0.5 * (o.push[at] + now) * e.wider)
		o.push[at] = now
		if was := o.area[e.edge]; ch.Area < was {
			o.spill(at, 1-ch.Area/was)
		}
	}
	for i := range o.ends {
		o.area[o.ends[i].edge] = o.ends[i].area // both ends of an edge have used that before
	}
	if k.N > 0 {
		k.Ledger.Record(k.source, work)
	}
}

// spill takes a part of the fluid out of an end.
func (o *openings) spill(end int32, part float64) {
	lost := float64(o.water[end] * part)
	o.water[end] -= lost
	o.spilled += lost
}

// keepPools divides the fluid of pools by their pressures.
func (k *Pores) keepPools(theta []float64) {
	o := &k.openings
	for _, n := range o.touched {
		m := float64(k.storage[n]*theta[n]) + k.strain[n]
		p := &o.pools[o.first(n)]
		if p.block >= 0 {
			k.now.given[p.block] += m - k.amount[n]
		}
		k.amount[n] = m
	}
	for i := range o.ends {
		e := &o.ends[i]
		p := &o.pools[o.first(e.a)]
		w := 0.0
		if p.room > 0 {
			w = float64(p.filled * o.room(e) / p.room)
		}
		at := e.index()
		if p.block >= 0 {
			k.now.given[p.block] += w - o.water[at]
		}
		o.water[at] = w
	}
}

// setCrackPressures sets the pressures that nodes have in cracks.
func (k *Pores) setCrackPressures(theta []float64) {
	for _, n := range k.net.used {
		if k.storage[n] > 0 {
			k.openings.pressure[n] = max(0, theta[n]+k.gravity[n])
		}
	}
}

// pressCracks sets the pressures in open edges.
func (k *Pores) pressCracks() {
	o := &k.openings
	for i := range o.ends {
		e := &o.ends[i]
		o.zone.SetPorePressure(e.edge, e.end, o.zone.PorePressure(e.edge, e.end))
	}
}

// shift finds how much closer to their strength triangles are at most than the stress of their laws says.
func (k *Pores) shift() {
	p, by := k.openings.pressure, k.openings.shift
	for i := range k.wet {
		w := &k.wet[i]
		by[w.at] = max(p[w.nodes[0]], p[w.nodes[1]], p[w.nodes[2]]) - k.tried[w.at]
	}
}

// value returns the pore pressure of a node at the last commit [Pa].
func (k *Pores) value(n int32) float64 { return k.now.theta[n] + k.gravity[n] }

// setStiff bounds the squared frequency with which the fluid of a pool can move the faces of its cracks:
// the pressure falls by B.u/C if these move by u, B the derivative of the volume, so it is at most the
// sum of B.B/(m C) over the nodes.
func (k *Pores) setStiff() {
	o := &k.openings
	o.stiff = 0
	for i := range o.ends {
		e := &o.ends[i]
		o.reach[e.a] += o.area[e.edge]
		o.reach[e.b] += o.area[e.edge]
	}
	for _, n := range o.touched {
		p := &o.pools[o.first(n)]
		p.inertia += float64(o.reach[n]*o.reach[n]) / k.Mass[n]
		o.reach[n] = 0
		o.stiff = max(o.stiff, p.inertia/p.storage)
	}
}

// crackParts are the state of the fluid in cracks.
func (k *Pores) crackParts() []system.Part {
	o := &k.openings
	return []system.Part{
		{Name: "pores.gap", Values: o.gap}, {Name: "pores.faces", Values: o.push}, {Name: "pores.water", Values: o.water}, {Name: "pores.area", Values: o.area},
		{Name: "pores.spilled", Values: &o.spilled}, {Name: "pores.taken", Values: &o.taken}, {Name: "pores.stiff", Values: &o.stiff},
	}
}

var ofFluidSpilled = quantity.Must(quantity.Run, "pore_mass_spilled")
