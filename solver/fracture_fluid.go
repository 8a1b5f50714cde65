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

// Fluid is a fluid in a well and in the cracks that reach the well. It has one pressure everywhere
// or, with a viscosity, a pressure that varies as it flows along the cracks.
type Fluid struct {
	Name      string
	On        string         // name of the well
	Well      []int32        // boundary edges of triangles
	Equation  fluid.Equation // of state; nil if Pressure is given
	Pressure  Schedule       // prescribed pressure [Pa]; nil for none
	Rate      Schedule       // rate of injection, by volume without pressure [m3/s]; nil for none
	Bulk      float64        // modulus of a viscous liquid [Pa]
	Viscosity float64        // of a liquid that flows along the cracks [Pa s]; 0 for one pressure everywhere
	Density   float64        // at the start [kg/m3]: of a viscous liquid for its Reynolds number, of others for their outflow
	Volume    float64        // of the well at the start [m3]; not used if Pressure is given
	Residual  float64        // aperture of closed joints [m]
	Full      bool           // joints with a residual aperture are full at the start; otherwise they are dry
	Start     float64        // pressure of the liquid in them and in the well at the start [Pa]
	Drain     []int32        // vertices where the fluid leaves at zero pressure
	Entry     float64        // least opening of a crack that it enters [m]
	Enters    []bool         // per region of Fracture: the fluid enters it; nil for all
}

// fluids are the fluids in wells and cracks. A fluid has one pressure. It is found implicitly once
// all other forces are known, together with the motion of the walls under this pressure in the next
// step. So a stiff fluid between light walls does not need a shorter step:
//
//	p = P(V*/M),  V* = V + dt B.(v + kick W (F + p B))
//
// V is the volume and B its derivative with respect to the positions of the nodes, which is the
// force of 1 Pa. W are the inverse masses, F all other forces, and M is the amount of fluid at the
// end of the step. The length of the next step is not known yet, so the last one is used.
//
// In a viscous fluid the pressure varies along the cracks, see fracture_flow.go.
//
// Where a crack has reached the open air, the fluid flows out through its opening. Only inertia
// limits the flow (Bernoulli; for a gas its speed of sound, see outflow). So the pressure falls
// over the time of the outflow. If it fell within one step, the walls would close too fast.
//
// The energy balance, with U(M, V) = M e(V/M), has these terms. Injection adds mu Q dt. The walls
// take (p + p')/2 dV in each step. The time steps lose the part of mu Q dt that does not enter U,
// and the part of dU that the walls do not take. U is convex and the pressure is that of the end of
// the step, so steps never add energy. The loss of steps includes the decrease of U when a fluid
// expands freely into existing volume. It also includes the work on faces that are pressed together
// and have no volume until they separate again. Spilled fluid takes its energy with it.
type fluids struct {
	idle
	view
	zone *fracture.Zone
	list []*cavity

	outside        []bool         // per vertex: on an outline
	owner          []int32        // per vertex: number of the fluid there, from 1; 0 for none
	reached        []int32        // per vertex: the stamp of the last search that reached it
	stamp          int32          // number of the present search
	queue          []nodes.Vertex // queue of the search
	gradient, push []r2.Vec       // per node, for one cavity: B [m2] and the present force of the pressure [N]; zero between uses
	roomy          []r2.Vec       // per node: B without faces that stay pressed together [m2]; zero between uses
	pressed        []int32        // nodes with values in these
	edges          []int32        // edges with fluid
	pressure       [][2]float64   // pressures at their ends [Pa]
	waits          []bool         // the fluid enters only after they have opened
}

// newFluids makes the fluids in wells and in the cracks of a zone.
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

// WellVolume returns the volume per metre of thickness that boundary edges enclose [m2], and
// whether they are one chain. For a notch it is the volume up to the line between its ends. It is
// negative if the edges surround the body.
func WellVolume(m *mesh.Mesh, edges []int32) (volume float64, one bool) {
	w := newWellWall(m, edges)
	return w.volume(m, m.X), w.ends <= 1
}

func (k *fluids) name() string { return "fluids" }

// follows names the nodes of the walls of wells; cracks name the nodes that they open.
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

// addForces adds the forces of the last pressures on the walls of wells. Cracks add the forces of
// the pressures in cracks.
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

// onWall returns the derivative of the volume of a well with respect to the position of either end
// of a link of its wall [m2].
func (k *fluids) onWall(a, b int32) r2.Vec {
	half := 0.5 * k.Thickness
	return r2.Vec{X: float64(half * (k.X[a].Y - k.X[b].Y)), Y: float64(half * (k.X[b].X - k.X[a].X))}
}

// afterForces finds the pressures once all other forces are known.
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

// updateVolumes updates the volumes of the well and of cracks with fluid after a step. It returns
// their growth and the volume that was lost in the step [m3]. Fluid is spilled between faces that
// became detached, or whose contact was transferred.
func (k *fluids) updateVolumes(c *cavity) (wider, gone float64) {
	stored := c.stored()
	wider = k.updateWellVolume(c)
	whole, spilled := c.volume(), 0.0
	k.followFaces(c, func(_ int32, share, was, grown, separated float64) {
		spilled += float64((1 - share) * max(0, was))
		wider += grown
		gone += separated
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

// followFaces updates the volumes between the faces of cracks with fluid after a step. For each end
// with fluid it calls do with the vertex, the share of the old volume that remains, the old volume,
// and the growth of the remaining share and of the lost share [m3]. It tells whether faces became
// detached.
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
			separation := ch.Opening[end] + k.residual(c, f.edge) + f.shut[end]
			f.volume[end] = float64(ch.Area * separation)
			do(v, share, was, f.volume[end]-float64(share*was), float64((1-share)*(float64(f.area*separation)-was)))
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

// updateWellVolume updates the volume of the well after a step and returns its growth [m3].
func (k *fluids) updateWellVolume(c *cavity) (wider float64) {
	half := 0.5 * k.Last
	c.wall.eachLink(k.Mesh, func(a, b int32) { // the line between the midpoints of the displacements of its ends
		va, vb := k.V[a], k.V[b]
		dx, dy := (k.X[b].X-k.X[a].X)-float64(half*(vb.X-va.X)), (k.X[b].Y-k.X[a].Y)-float64(half*(vb.Y-va.Y))
		wider += float64(0.5 * k.Thickness * k.Last * (float64(dx*(va.Y+vb.Y)) - float64(dy*(va.X+vb.X))))
	})
	c.wellVolume += wider
	return wider
}

// residual returns the residual aperture of an edge that is a joint [m], 0 for other edges.
func (k *fluids) residual(c *cavity, edge int32) float64 {
	if r := k.Fracture.Edges[edge].Region; k.Fracture.Joints != nil && k.Fracture.Joints[r] {
		return c.Residual
	}
	return 0
}

// fill adds to a fluid the open ends of cracks that it can reach, from vertex to vertex along edges
// that are open at both ends.
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

// vent records that a fluid has reached the open air at a vertex.
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

// fillEdge adds an edge that is open at a vertex to a fluid. The first entries of filled, up to
// before, were there before this search, in order.
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

// goOn continues the search at a vertex, if no other fluid has reached it.
func (k *fluids) goOn(c *cavity, v int32) {
	if k.reached[v] != k.stamp && (k.owner[v] == 0 || k.owner[v] == c.number) {
		k.reached[v], k.owner[v] = k.stamp, c.number
		k.queue = append(k.queue, nodes.Vertex(v))
	}
}

// volumeGrowth returns the growth of the volume of an end of an edge over the last step [m3].
func (k *fluids) volumeGrowth(ch *fracture.Channel, end int) (volume float64) {
	for i, g := range ch.Gradient(end) {
		v := k.V[ch.Nodes[i]]
		volume += float64(k.Last * (float64(g.X*v.X) + float64(g.Y*v.Y)))
	}
	return volume
}

// beside returns the greatest pressure of a fluid at a vertex or at the far end of an edge there
// [Pa].
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

// begin starts a fluid in an end of an edge. The end is dry, except in joints that are full at the
// start.
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
		c.steps += float64(in * c.Equation.At(v).Energy) // the fluid exists from the start
	}
}

// addGradients sets B of all nodes on which a fluid presses, and returns its present volume [m3].
// Faces that stay pressed together have no volume, and get none from further compression. If they
// separate in the next step, their volume is measured from their present position.
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

// oneStepEnergy returns the kinetic energy that the present pressures give to nodes at rest within
// a time [J].
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

// solve finds the new pressure of a fluid and replaces the forces of the old one.
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

// addGradient adds g to the derivative of the volume with respect to the position of node n [m2],
// and adds the force of the applied pressure [Pa]. room tells whether there is volume between the
// faces.
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

// ahead returns the volume after the next step without pressure [m3], and its increase per pressure
// [m3/Pa]. Local damping acts later. Its effect on the known forces is known. It multiplies the
// effect of a change of pressure by a factor between 1 - alpha and 1 + alpha. The greater factor is
// used, so that the pressure does not overshoot.
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

// setCrackPressures sets the pressures in the cracks of the zone.
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

// move injects fluid.
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

// restore fills the cracks that have fluid in the state.
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
