package flow

import (
	"math"

	"fdem/materials/elementary"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Flow of a viscous liquid through a network of cracks, laminar between plates that are nearly
// parallel (lubrication, the cubic law). Where open edges meet, at a vertex that has split, there
// is a cell with one pressure. The well is a cell too. An edge that is open at both ends is a
// channel between two cells:
//
//	(V*_i + beta_i p_i) (1 + p_i/K) + dt sum_j T_ij (p_i - p_j) = M_i + dt Q_i,  p_i >= 0
//	V*_i = V_i + dt B_i.(v + dt W F),  beta_i = dt^2 B_i.W B_i
//	T_ij = 2 w_i^2 w_j^2/(w_i + w_j)/(12 mu L)
//
// V are the volumes, B their derivatives by the positions of the nodes, W the inverse masses, F all
// other forces, M the amounts by volume without pressure, w the apertures and L the lengths of the
// smooth crack that the edges represent (fracture.Channel). T is exact for an aperture that is
// linear along the edge. Because of the walls' inertia beta the step of the rock is stable for any
// stiffness of the fluid. The pressure of a vertex acts on its own nodes, so beta is diagonal
// except for the rotation of frames. A cell that does not fill its volume has no pressure. Amounts
// change by the fluxes of the solution, so that no fluid is lost.
//
// The content of a cell, (V* + beta p) (1 + p/K), is zero where the walls would make it negative:
// no cell has a negative amount. Faces that are pressed together (contact yields by some tens of um
// in coarse meshes) have no volume when fluid arrives; any later separation is volume to be filled.
// So V counts from the least opening under pressure. Otherwise fluid that is not there would do
// work on the faces, without limit.
//
// The edge at a tip has almost no resistance to flow towards the tip, so that a new vertex there
// has the pressure of its neighbour. Otherwise the toughness would seem greater by 2 s sqrt(h/pi)
// under a stress s. Flow back from the tip follows the cubic law, so that the fluid keeps the faces
// open.
//
// The energy balance, each term with a sum of its own; U(M, V) = M e(V/M) with the V of the
// pressure:
//
//	pumped mu Q dt = d stored + viscous flux (mu_i - mu_j) dt + walls (p + p')/2 dV + steps
//
// steps: U is convex and the pressure that of the end of the step, so a step loses M (e - mu' + p'
// v) >= 0. The term also has the difference between p' dV of the amount and the work on the walls.

// leastAperture is the least aperture in the conductance [m], as between faces in contact.
const leastAperture = 1e-7

// pinched is the least ratio of the aperture at one end of a channel to that at the other end, if
// another edge at the first end is as wide. A ratio of one half is the aperture in the middle of a
// channel that is closed at one end; the middle divides the volumes of the two ends. Where edges
// meet, stress or a loose fragment may close one edge at a point while other edges there stay open.
// With the aperture at that point alone no fluid would reach the open volume beyond it, or separate
// the faces that are in contact.
const pinched = 0.5

// tipConductance is the conductance of an edge at a tip, divided by the inertial compliance of the
// walls there.
const tipConductance = 100

// maxIterations is the limit of Newton iterations. In the later half the conductances at tips are
// fixed.
const maxIterations = 60

// leastGive is the compliance of a cell without volume, divided by the inertial compliance of the
// walls of a cell with volume. It gives every cell a defined pressure.
const leastGive = 1e-6

// shutBy is the closure of faces with fluid up to which the reference of volumes does not change
// [m].
const shutBy = 1e-7

// compressed returns, for a liquid at a pressure, the stored energy of a unit amount [J/m3], the
// chemical potential [J/m3] and the specific volume.
func (c *cavity) compressed(p float64) (energy, potential, volume float64) {
	if math.IsInf(c.Bulk, 1) {
		return 0, p, 1
	}
	x := p / c.Bulk
	l := elementary.Log1p(x)
	volume = 1 / (1 + x)
	return float64(c.Bulk * (l - float64(x*volume))), float64(c.Bulk * l), volume
}

// flow finds the new pressures of a viscous fluid and replaces the forces of the old ones.
func (k *Fluids) flow(c *cavity) {
	n := c.Flow
	k.follow(c)
	n.vents = n.vents[:0]
	k.fill(c)
	if n.changed {
		k.arrange(c)
	}
	n.faces = n.faces[:0]
	for _, f := range c.Filled {
		ch, _ := k.zone.Channel(f.edge, k.X)
		n.faces = append(n.faces, ch)
	}
	n.findTips()
	n.vent(c)
	k.predict(c)
	k.updateConductances(c)
	k.find(c)
	k.setPressures(c)
	n.recordVolumes(c)
}

// predict computes the volumes that cells would have after the next step without pressure, and
// their increase per pressure.
func (k *Fluids) predict(c *cavity) {
	n := c.Flow
	for i := range n.vertices {
		k.pressed = k.pressed[:0]
		volume := 0.0
		if i == 0 {
			volume = c.wellVolume
			c.wall.eachLink(k.Mesh, func(a, b int32) {
				g := k.onWall(a, b)
				k.addGradient(a, g, n.pressure[0], true)
				k.addGradient(b, g, n.pressure[0], true)
			})
		}
		k.resetReference(c, i)
		for _, at := range n.ends[n.from[i]:n.from[i+1]] {
			f, end := &c.Filled[at.filled], int(at.end)
			volume += f.Volume[end]
			ch := &n.faces[at.filled]
			applied := k.zone.Pressure(f.edge)[end]
			for j, g := range ch.Gradient(end) {
				k.addGradient(ch.Nodes[j], g, applied, true)
			}
		}
		n.free[i], n.beta[i] = k.ahead(volume)
		for _, j := range k.pressed {
			k.gradient[j], k.push[j], k.roomy[j] = r2.Vec{}, r2.Vec{}, r2.Vec{}
		}
		n.source[i] = 0
	}
	n.source[0] = c.pump(k.Time, k.Last, n.amount[0])
	if c.Soaks {
		k.findSoaking(c, k.Last)
	} else {
		k.findLeaks(c, k.Time, k.Time+k.Last)
	}
}

// updateConductances computes the conductances of the channels from their apertures.
func (k *Fluids) updateConductances(c *cavity) {
	n := c.Flow
	n.findWidest()
	for i := range n.channels {
		ch := &n.channels[i]
		of := &n.faces[ch.Filled]
		r := k.residual(c, of.Edge)
		a, b := max(max(of.Aperture[0], 0)+r, leastAperture), max(max(of.Aperture[1], 0)+r, leastAperture)
		a, b = max(a, min(float64(pinched*b), n.widest[ch.a])), max(b, min(float64(pinched*a), n.widest[ch.b]))
		t := conductance(a, b, of.Length, c.Viscosity) * k.Thickness
		for end, cell := range [2]int32{ch.a, ch.b} {
			if ch.into[end] = t; n.tips[cell] && k.Last > 0 { // at the start of a run nothing flows yet
				ch.into[end] = max(t, tipConductance*n.beta[cell]/k.Last)
			}
		}
	}
}

// findWidest finds the greatest aperture of the edges at each vertex with fluid [m].
func (n *network) findWidest() {
	clear(n.widest)
	for i := range n.faces {
		f := &n.faces[i]
		for end, v := range f.Vertices {
			if cell := n.cellOf[v]; f.Open[end] && cell > 0 {
				n.widest[cell] = max(n.widest[cell], f.Aperture[end])
			}
		}
	}
}

// conductance returns the flow through a channel for a pressure difference of 1 Pa and a thickness
// of 1 m [m2/(Pa s)]. The aperture varies linearly from a to b [m]; the length is in m, the
// viscosity in Pa s.
func conductance(a, b, length, viscosity float64) float64 {
	return float64(2*a*a*b*b) / (a + b) / (12 * viscosity * length)
}

// find solves for the pressures by Newton's method, and updates in each iteration which cells are
// full.
func (k *Fluids) find(c *cavity) {
	n, dt := c.Flow, k.Last
	copy(n.before, n.pressure)
	p := n.pressure
	for i := range p {
		n.filled[i] = p[i] > 0 || i == 0
	}
	fixed := func(i int) bool { return n.vented[i] || i == 0 && c.Pressure != nil }
	if c.Pressure != nil {
		p[0] = max(0, c.Pressure(k.Time))
	}
	for i := range p {
		if n.vented[i] {
			p[i] = 0
		}
	}
	settled := false
	for turn := 0; turn < maxIterations && !settled; turn++ {
		n.assemble(c, dt, turn < maxIterations/2, fixed)
		next := n.graph.Solve(n.diagonal, n.right)
		change, scale := 0.0, 1.0
		for i := range p {
			change, scale = max(change, math.Abs(next[i]-p[i])), max(scale, math.Abs(next[i]))
			p[i] = next[i]
		}
		settled = n.activate(dt, fixed) && change <= 1e-11*scale
	}
	if !settled && !n.warned {
		n.warned = true
		k.Note("the pressures of the fluid %q have not settled in %d turns at t = %.6g s: they are as in the last", c.Name, maxIterations, k.Time)
	}
	for i := range n.channels {
		ch := &n.channels[i]
		ch.flux = float64(ch.t * (p[ch.a] - p[ch.b]))
	}
	k.warnTurbulent(c)
	n.Rate = n.source[0]
	if c.Pressure != nil {
		n.Rate = 0
		for i := range n.channels {
			switch ch := &n.channels[i]; int32(0) {
			case ch.a:
				n.Rate += ch.flux
			case ch.b:
				n.Rate -= ch.flux
			}
		}
	}
	c.last = p[0]
	if c.Soaks {
		k.soak.settle(n, p)
	}
}

// Laminar is the greatest Reynolds number of laminar flow between plates: the flow per metre of
// thickness over the kinematic viscosity.
const Laminar = 2000

// reynolds returns the greatest Reynolds number of the flow, and its channel.
func (n *network) reynolds(c *cavity, thickness float64) (most float64, at int) {
	for i := range n.channels {
		if flux := math.Abs(n.channels[i].flux); flux > most {
			most, at = flux, i
		}
	}
	return float64(c.Density*most) / (thickness * c.Viscosity), at
}

// warnTurbulent warns once if the flow is turbulent in the mean over some hundred steps. The mean
// ignores the few fast steps in which a new vertex fills.
func (k *Fluids) warnTurbulent(c *cavity) {
	n := c.Flow
	if n.turbulent {
		return
	}
	re, at := n.reynolds(c, k.Thickness)
	n.flows += float64(0.01 * (re - n.flows))
	if n.turbulent = n.flows > Laminar; n.turbulent {
		x := k.Mesh.X[n.faces[n.channels[at].Filled].Vertices[0]]
		k.Note("the fluid %q flows with a Reynolds number of %.3g at (%.6g, %.6g) m, t = %.6g s: above some %d flow is turbulent, and needs more pressure than the cubic law says", c.Name, re, x.X, x.Y, k.Time, Laminar)
	}
}

// assemble makes the linear system of a Newton iteration. The content of a cell is the fluid in its
// volume. It is zero if the walls leave no volume, and never negative. With turns the flow
// direction of each channel is found anew. The direction determines its conductance.
func (n *network) assemble(c *cavity, dt float64, turns bool, fixed func(int) bool) {
	p := n.pressure
	for i := range p {
		if fixed(i) || !n.filled[i] {
			n.diagonal[i], n.right[i] = 1, p[i]
			continue
		}
		v, x := n.free[i], p[i]/c.Bulk
		n.diagonal[i], n.right[i] = float64(leastGive*n.beta[i])+1e-30+n.soaks[i], n.amount[i]+float64(dt*n.source[i])-n.leak[i]
		if v+float64(n.beta[i]*p[i]) > 0 {
			n.diagonal[i] += v/c.Bulk + float64(n.beta[i]*(1+2*x))
			n.right[i] += float64(n.beta[i]*p[i]*x) - v
		}
	}
	n.graph.Clear()
	for i := range n.channels {
		ch := &n.channels[i]
		if turns {
			if ch.t = ch.into[0]; p[ch.a] > p[ch.b] {
				ch.t = ch.into[1]
			}
		}
		t := float64(dt * ch.t)
		solved := func(i int32) bool { return n.filled[i] && !fixed(int(i)) }
		a, b := solved(ch.a), solved(ch.b)
		if a {
			n.diagonal[ch.a] += t
		}
		if b {
			n.diagonal[ch.b] += t
		}
		switch {
		case a && b:
			n.graph.Add(i, -t)
		case a:
			n.right[ch.a] += float64(t * p[ch.b])
		case b:
			n.right[ch.b] += float64(t * p[ch.a])
		}
	}
}

// activate marks full cells with a negative pressure as not full. It marks cells as full that get
// more fluid than their volume. It returns true if nothing has changed.
func (n *network) activate(dt float64, fixed func(int) bool) (same bool) {
	p, in := n.pressure, n.diagonal
	for i := range p {
		in[i] = float64(dt*n.source[i]) - n.leak[i] - float64(n.soaks[i]*max(0, p[i]))
	}
	for i := range n.channels {
		ch := &n.channels[i]
		f := float64(dt * ch.t * (max(0, p[ch.a]) - max(0, p[ch.b])))
		in[ch.a] -= f
		in[ch.b] += f
	}
	same = true
	for i := range p {
		switch {
		case fixed(i):
		case n.filled[i] && p[i] < 0:
			p[i], n.filled[i], same = 0, false, false
		case !n.filled[i] && n.amount[i]+in[i] > max(0, n.free[i]):
			n.filled[i], same = true, false
		}
	}
	return same
}

// setPressures replaces the applied forces by those of the new pressures.
func (k *Fluids) setPressures(c *cavity) {
	n := c.Flow
	add := func(node int32, g r2.Vec, p float64) {
		f := &k.F[node]
		f.X += float64(p * g.X)
		f.Y += float64(p * g.Y)
	}
	c.wall.eachLink(k.Mesh, func(a, b int32) {
		g, p := k.onWall(a, b), n.pressure[0]-n.before[0]
		add(a, g, p)
		add(b, g, p)
	})
	for i := range c.Filled {
		f, ch := &c.Filled[i], &n.faces[i]
		applied := k.zone.Pressure(f.edge)
		for end, v := range f.Volume {
			if math.IsNaN(v) {
				continue
			}
			p := n.pressure[n.cellOf[ch.Vertices[end]]] - applied[end]
			for j, g := range ch.Gradient(end) {
				add(ch.Nodes[j], g, p)
			}
		}
	}
}

// recordVolumes adds the work on the walls in the last step to the energy balance.
func (n *network) recordVolumes(c *cavity) {
	for i, wider := range n.wider {
		n.give(c, int32(i), float64(0.5*(n.before[i]+n.pressure[i])*wider))
	}
	for i := range c.Filled {
		f := &c.Filled[i]
		for end, v := range n.faces[i].Vertices {
			cell := n.cellOf[v]
			if f.joined[end] != 0 {
				n.give(c, cell, float64(0.5*n.pressure[cell]*f.joined[end]))
			}
		}
		f.joined = [2]float64{}
	}
}

// give records work of a cell on walls [J].
func (n *network) give(c *cavity, cell int32, work float64) {
	n.given += work
	if cell == 0 && c.Pressure != nil { // work of the reservoir
		c.pumped += work
		return
	}
	n.steps -= work
}

// run moves the fluid by the fluxes of the solution, and takes out what leaks in the step.
func (n *network) run(c *cavity, dt float64) {
	in, potential := n.right, n.diagonal
	for i, p := range n.pressure {
		_, potential[i], _ = c.compressed(p)
	}
	clear(in)
	in[0] = float64(dt * n.Rate)
	for i := range n.channels {
		ch := &n.channels[i]
		flux := float64(dt * ch.flux)
		in[ch.a] -= flux
		in[ch.b] += flux
		n.viscous += float64(flux * (potential[ch.a] - potential[ch.b]))
	}
	pumped := float64(dt * n.Rate)
	c.injected += pumped
	c.pumped += float64(potential[0] * pumped)
	for i := range n.amount {
		switch {
		case n.vented[i]:
			if c.Soaks { // what comes from pores leaves, too
				in[i] -= n.leak[i]
				c.leaked += n.leak[i]
			}
			c.spilled += in[i]
			continue
		case i == 0 && c.Pressure != nil: // the reservoir gives what leaks
			c.injected += n.leak[0]
			c.pumped += float64(potential[0] * n.leak[0])
			n.escaped += float64(potential[0] * n.leak[0])
			c.leaked += n.leak[0]
			continue
		}
		out := min(n.leak[i], max(0, n.amount[i]+in[i]))
		n.leak[i] = out
		in[i] -= out
		n.escaped += float64(potential[i] * out)
		c.leaked += out
		was, _, _ := c.compressed(n.before[i])
		e, _, v := c.compressed(n.pressure[i])
		n.steps += float64(n.amount[i]*(was-e)) + float64(n.pressure[i]*v*in[i])
		n.amount[i] += in[i]
	}
}

// stored returns the stored energy of the liquid after forces have been computed [J].
func (n *network) stored(c *cavity) (energy float64) {
	for i, m := range n.amount {
		if i == 0 && c.Pressure != nil {
			continue
		}
		e, _, _ := c.compressed(n.before[i])
		energy += float64(m * e)
	}
	return energy
}

// energies adds the energies of a viscous fluid.
func (n *network) energies(c *cavity, e *system.Energies) {
	e.FluidStored += n.stored(c)
	e.FluidPumped += c.pumped
	e.FluidWork += n.given
	e.FluidViscous += n.viscous
	e.FluidSteps += n.steps
	e.FluidEscaped += n.escaped
	e.FluidDissipated += n.viscous + n.steps + n.escaped
	e.ExternalWork += c.pumped
}

// CrackFluid is the state of the fluid in an edge.
type CrackFluid struct {
	Aperture   float64 // mean of both ends, with the residual aperture of a joint [m]
	Flow       float64 // from From to To [m3/s]
	Saturation float64 // fraction of the volume that is filled, mean of both ends
}
