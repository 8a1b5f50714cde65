package solver

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"fdem/fem/fracture"
	"fdem/materials/elementary"
	"fdem/materials/fluid"
	"fdem/mesh"
	"fdem/solver/nodes"
	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fluid fills a well and the cracks that reach it: at one pressure in all of them or, with a
// viscosity, as it flows along them.
type Fluid struct {
	Name      string
	On        string         // the well
	Well      []int32        // boundary edges of triangles
	Equation  fluid.Equation // of state; nil where Pressure is given
	Pressure  Schedule       // given [Pa]; nil for none
	Rate      Schedule       // at which it is pumped in, by its volume without pressure [m3/s]; nil for none
	Bulk      float64        // modulus of a viscous liquid [Pa]
	Viscosity float64        // of a liquid with a pressure of its own in each part of a crack [Pa s]; 0 for one pressure in all
	Density   float64        // at the start: of a viscous liquid for its Reynolds number, of others for how fast they flow out [kg/m3]
	Volume    float64        // of the well at the start [m3]; of any size where Pressure is given
	Residual  float64        // aperture of joints that are shut [m]
	Full      bool           // joints with a residual aperture are full at the start; else they are dry
	Start     float64        // pressure of a liquid with which they, and the well, are full then [Pa]
	Drain     []int32        // vertices where it leaves without pressure
	Entry     float64        // opening below which it does not enter a crack [m]
	Enters    []bool         // of each region of Fracture; nil for all
}

// fluids are fluids in wells and cracks. A fluid has one pressure, found when all other
// forces are known, with what the walls do under it in the coming step (implicit, with the
// walls' inertia), so that a stiff fluid between light walls needs no shorter step:
//
//	p = P(V*/M),  V* = V + dt B.(v + kick W (F + p B))
//
// V is the volume, B how it changes with the positions of the nodes, which is the force of
// 1 Pa, W the inverse masses, F all other forces, M the amount at the end of the step. The
// coming step is not known yet: the last one stands for it.
//
// A viscous fluid has pressures of its own in each part of a crack: see fracture_flow.go.
//
// Where cracks have come to the open air, it flows out through their opening, by its inertia
// alone (Bernoulli; a gas at its own speed of sound, see outflow). So the pressure falls over
// the time that this takes, not in a step, or walls would slam shut.
//
// Books, U(M, V) = M e(V/M): what is pumped in, mu Q dt; what walls take, (p + p')/2 dV from
// step to step; what steps lose, of mu Q dt what U does not get by it, and of what U gives as
// walls go what they do not take (U is convex, and the pressure that of the end, so that steps
// do not make energy); by how much U falls where a fluid expands freely into a room that was
// there, with the steps, and what it takes of faces that are pressed together, which have no
// room, until they part again; and what leaves with fluid that is spilled.
type fluids struct {
	idle
	view
	zone *fracture.Zone
	list []*cavity

	outside        []bool         // per vertex: on an outline
	owner          []int32        // per vertex, the number of the fluid there, from 1 on; 0 for none
	reached        []int32        // per vertex, the stamp of the search that has come to it
	stamp          int32          // of the search
	queue          []nodes.Vertex // of the search
	gradient, push []r2.Vec       // per node, of one cavity: B [m2], and its pressure's force as applied [N]; zero between
	roomy          []r2.Vec       // per node, B without faces that stay pressed together [m2]; zero between
	pressed        []int32        // nodes of these
	edges          []int32        // with fluid
	pressure       [][2]float64   // at their ends [Pa]
	waits          []bool         // whether it goes on only where they have opened
}

// newFluids makes the fluids, in the cracks of a zone and in wells.
func newFluids(s view, zone *fracture.Zone) *fluids {
	k := &fluids{view: s, zone: zone}
	if len(s.Fluids) == 0 {
		return k
	}
	n := len(s.X)
	k.outside, k.owner, k.reached = make([]bool, n), make([]int32, n), make([]int32, n)
	k.gradient, k.push, k.roomy = make([]r2.Vec, n), make([]r2.Vec, n), make([]r2.Vec, n)
	for _, e := range s.Mesh.Edges {
		k.outside[e.A], k.outside[e.B] = true, true
	}
	for i := range s.Fluids {
		f := &s.Fluids[i]
		c := &cavity{Fluid: f, number: int32(i + 1), wall: newWellWall(s.Mesh, f.Well), wellVolume: f.Volume, amount: f.Volume}
		for _, v := range c.wall.vertices {
			k.owner[v], k.outside[v] = c.number, false
		}
		if len(f.Drain) > 0 {
			c.drains = make([]bool, n)
			for _, v := range f.Drain {
				c.drains[v] = true
			}
		}
		if f.Start > 0 {
			c.amount, c.last = c.amount/c.atStart(), f.Start
		}
		if f.Viscosity > 0 && s.Fracture != nil {
			c.flow = newNetwork(c, n)
		}
		c.first = c.stored()
		k.list = append(k.list, c)
	}
	if s.Fracture != nil {
		var mouths []int32
		for _, c := range k.list {
			for _, v := range c.wall.vertices {
				if c.Entry == 0 {
					mouths = append(mouths, int32(v))
				}
			}
		}
		zone.EnableFluid(mouths)
	}
	return k
}

func (k *fluids) empty() bool { return len(k.list) == 0 }

// WellVolume returns the volume that boundary edges enclose, of a notch up to the line
// between its ends, per metre of thickness, below 0 where the body is inside [m2], and whether they
// are one chain.
func WellVolume(m *mesh.Mesh, edges []int32) (volume float64, one bool) {
	w := newWellWall(m, edges)
	return w.volume(m, m.X), w.ends <= 1
}

func (k *fluids) name() string { return "fluids" }

// follows names the walls of wells; cracks name what they open.
func (k *fluids) follows(each func(n int32)) bool {
	for _, c := range k.list {
		for _, v := range c.wall.vertices {
			for n := range k.At(v) {
				each(int32(n))
			}
		}
	}
	return true
}

func (k *fluids) balance() error {
	return errors.New("fluids run in time, a static analysis cannot have them: leave [[fluid]] out")
}

// addForces adds the pressures as last found on the walls of wells; cracks add theirs.
func (k *fluids) addForces(bool) error {
	for _, c := range k.list {
		for _, of := range [2]struct {
			at   Schedule
			what string
		}{{c.Pressure, "pressure"}, {c.Rate, "rate"}} {
			if of.at == nil {
				continue
			}
			if v := of.at(k.Time); math.IsNaN(v) || math.IsInf(v, 0) {
				return &ScheduleError{Of: fmt.Sprintf("the %s of fluid %q", of.what, c.Name), Step: k.N, Time: k.Time}
			}
		}
		c.wall.eachLink(k.Mesh, func(a, b int32) {
			g := k.onWall(a, b)
			for _, n := range [2]int32{a, b} {
				f := &k.F[n]
				f.X += float64(c.last * g.X)
				f.Y += float64(c.last * g.Y)
			}
		})
	}
	return nil
}

// onWall returns how the volume of a well changes with the position of either end of a link
// of its wall [m2].
func (k *fluids) onWall(a, b int32) r2.Vec {
	half := 0.5 * k.Thickness
	return r2.Vec{X: float64(half * (k.X[a].Y - k.X[b].Y)), Y: float64(half * (k.X[b].X - k.X[a].X))}
}

// afterForces finds the pressures, where all other forces are known.
func (k *fluids) afterForces() {
	for _, c := range k.list {
		if c.flow != nil {
			k.flow(c)
			continue
		}
		before := c.last
		wider, gone := k.updateVolumes(c)
		stored := c.stored()
		k.fill(c)
		c.steps += stored - c.stored()
		k.solve(c)
		given := float64(0.5*(before+c.last)*wider) + float64(0.5*before*gone)
		for i := range c.filled {
			f := &c.filled[i]
			given += float64(0.5 * c.last * (f.joined[0] + f.joined[1]))
			f.joined = [2]float64{}
		}
		c.given += given
		if c.Equation != nil {
			c.steps -= given
		}
	}
	k.setCrackPressures()
}

// updateVolumes follows the volumes of the well and of cracks with fluid over the last step, and
// returns by how much they have grown, and what is gone of them in it [m3]. What was between
// faces that have left each other, or that contact has got, is spilled.
func (k *fluids) updateVolumes(c *cavity) (wider, gone float64) {
	stored := c.stored()
	wider = k.updateWellVolume(c)
	whole, spilled := c.volume(), 0.0
	k.followFaces(c, func(_ int32, share, was, grown, parted float64) {
		spilled += float64((1 - share) * max(0, was))
		wider += grown
		gone += parted
	})
	if spilled > 0 && c.Equation != nil {
		now := c.storedIn(c.volume() + spilled)
		out := float64(c.amount * min(1, spilled/whole))
		c.amount -= out
		c.spilled += out
		c.steps += stored - now
		c.escaped += now - c.stored()
		return wider, gone
	}
	c.steps += stored - c.stored()
	return wider, gone
}

// followFaces follows the volumes between the faces of cracks with fluid over the last step:
// do gets, of each end with fluid, its vertex, the share of the volume it was of that is
// still there, and by how much that share and the other one have grown [m3]. It tells whether
// faces have left each other.
func (k *fluids) followFaces(c *cavity, do func(vertex int32, share, was, grown, gone float64)) (left bool) {
	kept := c.filled[:0]
	for _, f := range c.filled {
		ch, ok := k.zone.Channel(f.edge, k.X)
		share := min(1, ch.Area/f.area)
		e := &k.Fracture.Edges[f.edge]
		for end, v := range [2]int32{e.From, e.To} {
			was := f.volume[end]
			if math.IsNaN(was) {
				continue
			}
			apart := ch.Opening[end] + k.residual(c, f.edge) + f.shut[end]
			f.volume[end] = float64(ch.Area * apart)
			do(v, share, was, f.volume[end]-float64(share*was), float64((1-share)*(float64(f.area*apart)-was)))
		}
		if f.area = ch.Area; ok {
			kept = append(kept, f)
		} else {
			left = true
		}
	}
	c.filled = kept
	return left
}

// updateWellVolume follows the volume of the well.
func (k *fluids) updateWellVolume(c *cavity) (wider float64) {
	half := 0.5 * k.Last
	c.wall.eachLink(k.Mesh, func(a, b int32) { // between the middles of the ways of its ends
		va, vb := k.V[a], k.V[b]
		dx, dy := (k.X[b].X-k.X[a].X)-float64(half*(vb.X-va.X)), (k.X[b].Y-k.X[a].Y)-float64(half*(vb.Y-va.Y))
		wider += float64(0.5 * k.Thickness * k.Last * (float64(dx*(va.Y+vb.Y)) - float64(dy*(va.X+vb.X))))
	})
	c.wellVolume += wider
	return wider
}

// residual returns the aperture of the shut faces of an edge that is a joint [m].
func (k *fluids) residual(c *cavity, edge int32) float64 {
	if r := k.Fracture.Edges[edge].Region; k.Fracture.Joints != nil && k.Fracture.Joints[r] {
		return c.Residual
	}
	return 0
}

// fill lets a fluid into the open ends of cracks that it can reach: from vertex to vertex
// along edges that are open at both ends.
func (k *fluids) fill(c *cavity) {
	if k.Fracture == nil || !k.stepping {
		return
	}
	k.stamp++
	k.queue = append(k.queue[:0], c.wall.vertices...)
	for _, v := range k.queue {
		k.reached[v] = k.stamp
	}
	before := len(c.filled)
	c.outlet = 0
	for len(k.queue) > 0 {
		v := k.queue[len(k.queue)-1]
		k.queue = k.queue[:len(k.queue)-1]
		if k.outside[v] || c.drains != nil && c.drains[v] {
			k.vent(c, v)
			k.addOutflow(c, v)
		}
		for e := range k.zone.OpenEdges(int32(v)) {
			if c.Enters != nil && !c.Enters[k.Fracture.Edges[e].Region] {
				continue
			}
			k.fillEdge(c, before, e, v)
		}
	}
	slices.SortFunc(c.filled, func(p, q filled) int { return cmp.Compare(p.edge, q.edge) })
}

// vent notes that a fluid has come to the open air at a vertex.
func (k *fluids) vent(c *cavity, v nodes.Vertex) {
	if c.flow != nil {
		c.flow.vents = append(c.flow.vents, int32(v))
	}
	if c.warned || c.drains != nil && c.drains[v] {
		return
	}
	c.warned = true
	becomes := "it flows out from now on"
	switch {
	case c.flow != nil:
		becomes = "its pressure there is 0 from now on"
	case c.Equation == nil:
		becomes = "what flows out is not counted, its pressure is as given"
	}
	x := k.Mesh.X[v]
	k.Note("the fluid %q has come to the open air at (%.6g, %.6g) m, t = %.6g s: %s", c.Name, x.X, x.Y, k.Time, becomes)
}

// addOutflow adds the openings at a vertex to the area through which a fluid flows out.
func (k *fluids) addOutflow(c *cavity, v nodes.Vertex) {
	if c.flow != nil {
		return
	}
	for e := range k.zone.OpenEdges(int32(v)) {
		if c.Enters != nil && !c.Enters[k.Fracture.Edges[e].Region] {
			continue
		}
		if ch, ok := k.zone.Channel(e, k.X); ok {
			end := 0
			if ch.Vertices[1] == int32(v) {
				end = 1
			}
			c.outlet += float64(k.Thickness * max(leastAperture, ch.Opening[end]+k.residual(c, e)))
		}
	}
}

// fillEdge lets a fluid into an edge that is open at a vertex; the first edges of filled were
// there before, in order.
func (k *fluids) fillEdge(c *cavity, before int, edge int32, v nodes.Vertex) {
	of := &k.Fracture.Edges[edge]
	at, there := slices.BinarySearchFunc(c.filled[:before], edge, func(f filled, e int32) int { return cmp.Compare(f.edge, e) })
	if !there {
		at = before + slices.IndexFunc(c.filled[before:], func(f filled) bool { return f.edge == edge })
		there = at >= before
	}
	if there && !math.IsNaN(c.filled[at].volume[0]) && !math.IsNaN(c.filled[at].volume[1]) {
		k.goOn(c, of.From+of.To-int32(v))
		return
	}
	ch, ok := k.zone.Channel(edge, k.X)
	if !ok {
		if _, liquid := c.Equation.(fluid.Liquid); liquid || c.flow != nil {
			k.vent(c, v)
			c.outlet += float64(0.5 * k.Thickness * elementary.Norm(r2.Sub(k.Mesh.X[of.To], k.Mesh.X[of.From])))
		}
		return
	}
	end := 0
	if ch.Vertices[1] == int32(v) {
		end = 1
	}
	if !there || math.IsNaN(c.filled[at].volume[end]) {
		if k.zone.Pressure(edge)[end] == 0 && (ch.Opening[end]+k.residual(c, edge) < c.Entry || k.residual(c, edge) == 0 && k.zone.ContactPressure(edge, end, ch.Opening[end]) > k.beside(c, edge, end, v)) {
			return
		}
		if !there {
			at = len(c.filled)
			c.filled = append(c.filled, filled{edge: edge, area: ch.Area, volume: [2]float64{math.NaN(), math.NaN()}})
		}
		wide := ch.Opening[end] + k.residual(c, edge)
		c.filled[at].shut[end] = max(0, -wide)
		c.filled[at].volume[end] = float64(ch.Area * max(0, wide))
		c.filled[at].joined[end] = k.volumeGrowth(&ch, end)
		k.begin(c, edge, end, c.filled[at].volume[end])
	}
	if ch.Open[1-end] {
		k.goOn(c, ch.Vertices[1-end])
	}
}

// goOn goes on from a vertex where no fluid has come yet.
func (k *fluids) goOn(c *cavity, v int32) {
	if k.reached[v] != k.stamp && (k.owner[v] == 0 || k.owner[v] == c.number) {
		k.reached[v], k.owner[v] = k.stamp, c.number
		k.queue = append(k.queue, nodes.Vertex(v))
	}
}

// volumeGrowth returns by how much the volume of an end of an edge has grown over the last step [m3].
func (k *fluids) volumeGrowth(ch *fracture.Channel, end int) (volume float64) {
	for i, g := range ch.Gradient(end) {
		v := k.V[ch.Nodes[i]]
		volume += float64(k.Last * (float64(g.X*v.X) + float64(g.Y*v.Y)))
	}
	return volume
}

// beside returns the pressure of a fluid as it stands at a vertex or at the far end of an edge
// there [Pa].
func (k *fluids) beside(c *cavity, edge int32, end int, v nodes.Vertex) float64 {
	if slices.Contains(c.wall.vertices, v) {
		return c.last
	}
	p := k.zone.Pressure(edge)[1-end]
	for e := range k.zone.OpenEdges(int32(v)) {
		at := 0
		if k.Fracture.Edges[e].To == int32(v) {
			at = 1
		}
		p = max(p, k.zone.Pressure(e)[at])
	}
	return p
}

// begin tells that a fluid has come into an end of an edge: it is dry, but for joints that
// are full at the start.
func (k *fluids) begin(c *cavity, edge int32, end int, volume float64) {
	joint := k.residual(c, edge) > 0
	if joint && c.Full && k.N == 0 && c.Start > 0 {
		k.zone.FillJoint(edge, end, c.Start)
	}
	switch {
	case c.flow != nil:
		c.flow.changed = true
		c.flow.full = c.Full && k.N == 0
	case joint && c.Full && k.N == 0 && c.Equation != nil:
		in, v := volume/c.atStart(), c.atStart()
		c.amount += in
		c.steps += float64(in * c.Equation.At(v).Energy) // it was there before
	}
}

// addGradients touches all nodes that a fluid presses on, and returns its volume, of which the
// coming step makes another one [m3]. Faces that stay pressed together have no room, and take
// none in by giving further; what parts them in that step is counted from where they are.
func (k *fluids) addGradients(c *cavity) (volume float64) {
	k.pressed, volume = k.pressed[:0], c.wellVolume
	c.wall.eachLink(k.Mesh, func(a, b int32) {
		g := k.onWall(a, b)
		k.addGradient(a, g, c.last, true)
		k.addGradient(b, g, c.last, true)
	})
	for _, f := range c.filled {
		ch, ok := k.zone.Channel(f.edge, k.X)
		if !ok {
			continue
		}
		applied := k.zone.Pressure(f.edge)
		for end, v := range f.volume {
			if math.IsNaN(v) {
				continue
			}
			room := v >= 0 || v+k.volumeGrowth(&ch, end) > 0
			if room {
				volume += v
			}
			for i, g := range ch.Gradient(end) {
				k.addGradient(ch.Nodes[i], g, applied[end], room)
			}
		}
	}
	return volume
}

// oneStepEnergy returns what the pressures as they are make of nodes at rest in a time [J].
func (k *fluids) oneStepEnergy(time float64) (sum float64) {
	for _, c := range k.list {
		k.addGradients(c)
		for _, n := range k.pressed {
			f, w := k.push[n], k.Inverse(n)
			sum += float64(0.5 * time * time * (float64(w.X*f.X*f.X) + float64(w.Y*f.Y*f.Y)))
			k.gradient[n], k.push[n], k.roomy[n] = r2.Vec{}, r2.Vec{}, r2.Vec{}
		}
	}
	return sum
}

// solve finds the pressure of a fluid, and puts it in place of the one before.
func (k *fluids) solve(c *cavity) {
	volume, beta := k.ahead(k.addGradients(c))
	stored, escaped := c.stored(), c.escaped
	c.find(k.Time, k.Last, volume, beta)
	c.steps += stored - c.stored() - (c.escaped - escaped)
	for _, n := range k.pressed {
		g, p := k.gradient[n], k.push[n]
		f := &k.F[n]
		f.X += float64(c.last*g.X) - p.X
		f.Y += float64(c.last*g.Y) - p.Y
		k.gradient[n], k.push[n], k.roomy[n] = r2.Vec{}, r2.Vec{}, r2.Vec{}
	}
}

// addGradient adds to how a volume changes with the position of a node [m2], on which a pressure
// acts [Pa], whether there is room or not.
func (k *fluids) addGradient(n int32, g r2.Vec, applied float64, room bool) {
	if k.gradient[n] == (r2.Vec{}) && k.push[n] == (r2.Vec{}) {
		k.pressed = append(k.pressed, n)
	}
	k.gradient[n].X += g.X
	k.gradient[n].Y += g.Y
	if room {
		k.roomy[n].X += g.X
		k.roomy[n].Y += g.Y
	}
	k.push[n].X += float64(applied * g.X)
	k.push[n].Y += float64(applied * g.Y)
}

// ahead returns what becomes of a volume in a step without the pressure in it [m3], and by
// how much more for each Pa, of the nodes touched [m3/Pa]. Local damping, which comes after,
// changes the forces as they stand by what is known, and a change of the pressure by a share
// between 1 less and 1 more alpha: the greater counts, or the pressure would overshoot.
func (k *fluids) ahead(volume float64) (free, beta float64) {
	alpha := k.Model.Damping.Local
	most := 1 + alpha
	for _, n := range k.pressed {
		g, r, p, f, v, w := k.gradient[n], k.roomy[n], k.push[n], k.Force(nodes.Node(n)), k.V[n], k.Inverse(n)
		x, y := f.X+against(alpha, f.X, v.X)-float64(most*p.X), f.Y+against(alpha, f.Y, v.Y)-float64(most*p.Y)
		to := r2.Vec{X: v.X + float64(k.Last*w.X*x), Y: v.Y + float64(k.Last*w.Y*y)}
		volume += float64(k.Last * (float64(r.X*to.X) + float64(r.Y*to.Y)))
		beta += float64(most * k.Last * k.Last * (float64(w.X*g.X*r.X) + float64(w.Y*g.Y*r.Y)))
	}
	return volume, beta
}

// setCrackPressures tells the cracks the pressures in them.
func (k *fluids) setCrackPressures() {
	if k.Fracture == nil {
		return
	}
	k.edges, k.pressure, k.waits = k.edges[:0], k.pressure[:0], k.waits[:0]
	for _, c := range k.list {
		for _, v := range c.wall.vertices {
			k.zone.SetWellPressure(int32(v), c.last)
		}
		for _, f := range c.filled {
			at, there := slices.BinarySearch(k.edges, f.edge)
			if !there {
				k.edges, k.pressure, k.waits = slices.Insert(k.edges, at, f.edge), slices.Insert(k.pressure, at, [2]float64{}), slices.Insert(k.waits, at, c.Entry > 0)
			}
			for end, v := range f.volume {
				if !math.IsNaN(v) {
					k.pressure[at][end] = k.pressureAt(c, f.edge, end)
				}
			}
		}
	}
	k.zone.SetFluid(k.edges, k.pressure, k.waits)
}

// pressureAt returns the pressure of a fluid at an end of an edge [Pa].
func (k *fluids) pressureAt(c *cavity, edge int32, end int) float64 {
	if c.flow == nil {
		return c.last
	}
	e := &k.Fracture.Edges[edge]
	return c.flow.pressure[c.flow.cellOf[[2]int32{e.From, e.To}[end]]]
}

// move pumps.
func (k *fluids) move(_, dt float64) {
	for _, c := range k.list {
		if c.flow != nil {
			c.flow.run(c, dt)
			continue
		}
		if c.Rate == nil {
			continue
		}
		in := max(float64(dt*c.pumping), -c.amount)
		stored, pumped := c.stored(), float64(c.mu*in)
		c.amount += in
		c.injected += in
		c.pumped += pumped
		c.steps += pumped - (c.stored() - stored)
	}
}

func (k *fluids) energies(e *Energies) {
	for _, c := range k.list {
		if c.flow != nil {
			c.flow.energies(c, e)
			continue
		}
		e.FluidWork += c.given
		if c.Equation == nil {
			e.FluidPumped += c.given
			e.ExternalWork += c.given
			continue
		}
		e.FluidStored += c.stored()
		e.FluidPumped += c.pumped
		e.FluidDissipated += c.steps + c.escaped
		e.FluidSteps += c.steps
		e.FluidEscaped += c.escaped
		e.ExternalWork += c.pumped
	}
}

func (k *fluids) parts() (parts []Part) {
	for i, c := range k.list {
		s := &c.state
		s.edges, s.areas, s.volumes, s.shut = nil, nil, nil, nil
		for _, f := range c.filled {
			s.edges, s.areas, s.volumes = append(s.edges, f.edge), append(s.areas, f.area), append(s.volumes, f.volume[0], f.volume[1])
			s.shut = append(s.shut, f.shut[0], f.shut[1])
		}
		of := fmt.Sprintf("fluid.%d.", i)
		parts = append(parts,
			Part{of + "amount", &c.amount}, Part{of + "room", &c.wellVolume}, Part{of + "pressure", &c.last},
			Part{of + "injected", &c.injected}, Part{of + "spilled", &c.spilled}, Part{of + "pumped", &c.pumped}, Part{of + "given", &c.given},
			Part{of + "escaped", &c.escaped}, Part{of + "loss", &c.steps}, Part{of + "edges", &s.edges}, Part{of + "areas", &s.areas}, Part{of + "volumes", &s.volumes}, Part{of + "shut", &s.shut},
		)
		if n := c.flow; n != nil {
			parts = append(parts,
				Part{of + "vertices", &n.vertices}, Part{of + "amounts", &n.amount}, Part{of + "pressures", &n.pressure},
				Part{of + "viscous", &n.viscous}, Part{of + "steps", &n.steps}, Part{of + "work", &n.given}, Part{of + "lost", &n.escaped},
			)
		}
	}
	return parts
}

// restore fills the cracks that the state says are filled.
func (k *fluids) restore() error {
	for _, c := range k.list {
		s := &c.state
		if len(s.areas) != len(s.edges) || len(s.volumes) != 2*len(s.edges) || len(s.shut) != 2*len(s.edges) {
			return fmt.Errorf("fluid %q: edges and their volumes differ in number", c.Name)
		}
		c.filled = c.filled[:0]
		for i, e := range s.edges {
			if k.Fracture == nil || e < 0 || int(e) >= len(k.Fracture.Edges) || !k.zone.IsOpen(e) {
				return fmt.Errorf("fluid %q is in edge %d, which is not open", c.Name, e)
			}
			f := filled{edge: e, area: s.areas[i], volume: [2]float64{s.volumes[2*i], s.volumes[2*i+1]}, shut: [2]float64{s.shut[2*i], s.shut[2*i+1]}}
			for end, v := range [2]int32{k.Fracture.Edges[e].From, k.Fracture.Edges[e].To} {
				if !math.IsNaN(f.volume[end]) {
					k.owner[v] = c.number
				}
			}
			c.filled = append(c.filled, f)
		}
		if err := k.restoreFlow(c); err != nil {
			return err
		}
	}
	k.setCrackPressures()
	return nil
}

// ofFluid lists the columns of fluids in the history.
var ofFluid = []struct {
	of    *quantity.Quantity
	value func(f *FluidState) float64
}{
	{quantity.Must(quantity.Fluid, "pressure"), func(f *FluidState) float64 { return f.Pressure }},
	{quantity.Must(quantity.Fluid, "rate"), func(f *FluidState) float64 { return f.Rate }},
	{quantity.Must(quantity.Fluid, "injected"), func(f *FluidState) float64 { return f.Injected }},
	{quantity.Must(quantity.Fluid, "in_cracks"), func(f *FluidState) float64 { return f.InCracks }},
	{quantity.Must(quantity.Fluid, "length"), func(f *FluidState) float64 { return f.Length }},
	{quantity.Must(quantity.Fluid, "spilled"), func(f *FluidState) float64 { return f.Spilled }},
	{quantity.Must(quantity.Fluid, "reynolds"), func(f *FluidState) float64 { return f.Reynolds }},
}
