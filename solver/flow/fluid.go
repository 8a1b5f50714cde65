package flow

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fdem/fem/fracture"
	"fdem/mesh"
	"fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/quantity"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fluids are the fluids in wells and cracks. A fluid has one pressure. It is found implicitly once
// all other forces are known, together with the motion of the walls under this pressure in the next
// step. So a stiff fluid between light walls does not need a shorter step:
//
//	p = P(V*/M),  V* = V + dt B.(v + kick W (F + p B))
//
// V is the volume and B its derivative with respect to the positions of the nodes, which is the
// force of 1 Pa. W are the inverse masses, F all other forces, and M is the amount of fluid at the
// end of the step. The length of the next step is not known yet, so the last one is used.
//
// In a viscous fluid the pressure varies along the cracks, see flow.go.
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
type Fluids struct {
	system.Idle
	system.View
	zone *fracture.Zone
	List []*cavity

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
	fills          Fills
	soak           *soaking // nil unless a fluid leaks into pores
}

// Fills tells per edge that may break, and end, whether a fluid is there; nil for no fluids in cracks.
type Fills []bool

// NewFills returns where fluids are, which the fluids of the model change.
func NewFills(s system.View, list []model.Fluid) Fills {
	if len(list) == 0 || s.Fracture == nil {
		return nil
	}
	return make(Fills, 2*len(s.Fracture.Edges))
}

// At tells whether a fluid is at an end of an edge.
func (f Fills) At(edge int32, end int) bool { return f != nil && f[2*edge+int32(end)] }

// NewFluids makes the fluids in wells and in the cracks of a zone, which may leak into pores.
func NewFluids(s system.View, list []model.Fluid, zone *fracture.Zone, fills Fills, pores Porous) *Fluids {
	k := &Fluids{View: s, zone: zone, fills: fills}
	if len(list) == 0 {
		return k
	}
	n := len(s.X)
	k.outside, k.owner, k.reached = make([]bool, n), make([]int32, n), make([]int32, n)
	k.gradient, k.push, k.roomy = make([]r2.Vec, n), make([]r2.Vec, n), make([]r2.Vec, n)
	for _, e := range s.Mesh.Edges {
		k.outside[e.A], k.outside[e.B] = true, true
	}
	for i := range list {
		f := &list[i]
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
			c.Flow = newNetwork(c, n)
		}
		c.first = c.stored()
		k.List = append(k.List, c)
	}
	if s.Fracture != nil {
		var mouths []int32
		for _, c := range k.List {
			for _, v := range c.wall.vertices {
				if c.Entry == 0 {
					mouths = append(mouths, int32(v))
				}
			}
		}
		zone.EnableFluid(mouths)
	}
	k.leakInto(pores)
	return k
}

func (k *Fluids) Empty() bool { return len(k.List) == 0 }

// WellVolume returns the volume per metre of thickness that boundary edges enclose [m2], and
// whether they are one chain. For a notch it is the volume up to the line between its ends. It is
// negative if the edges surround the body.
func WellVolume(m *mesh.Mesh, edges []int32) (volume float64, one bool) {
	w := newWellWall(m, edges)
	return w.volume(m, m.X), w.ends <= 1
}

func (k *Fluids) Name() string { return "fluids" }

// NodesRead names the nodes of the walls of wells; cracks name the nodes that they open.
func (k *Fluids) NodesRead(each func(n int32)) bool {
	for _, c := range k.List {
		for _, v := range c.wall.vertices {
			for n := range k.At(v) {
				each(int32(n))
			}
		}
	}
	return true
}

func (k *Fluids) Balance() error {
	return errors.New("fluids run in time, a static analysis cannot have them: leave [[fluid]] out")
}

// ApplyForces adds the forces of the last pressures on the walls of wells. Cracks add the forces of
// the pressures in cracks.
func (k *Fluids) ApplyForces(bool) error {
	for _, c := range k.List {
		for _, of := range [2]struct {
			at   model.Schedule
			what string
		}{{c.Pressure, "pressure"}, {c.Rate, "rate"}} {
			if of.at == nil {
				continue
			}
			if v := of.at(k.Time); math.IsNaN(v) || math.IsInf(v, 0) {
				return &system.ScheduleError{Of: fmt.Sprintf("the %s of fluid %q", of.what, c.Name), Step: k.N, Time: k.Time}
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
func (k *Fluids) onWall(a, b int32) r2.Vec {
	half := 0.5 * k.Thickness
	return r2.Vec{X: float64(half * (k.X[a].Y - k.X[b].Y)), Y: float64(half * (k.X[b].X - k.X[a].X))}
}

// AfterForces finds the pressures once all other forces are known.
func (k *Fluids) AfterForces() {
	for _, c := range k.List {
		if c.Flow != nil {
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
		for i := range c.Filled {
			f := &c.Filled[i]
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
func (k *Fluids) updateVolumes(c *cavity) (wider, gone float64) {
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
// and the growth of the remaining share and of the lost share by motion [m3]. Area that contact
// gives back fills without work. It tells whether faces became detached.
func (k *Fluids) followFaces(c *cavity, do func(vertex int32, share, was, grown, gone float64)) (left bool) {
	kept := c.Filled[:0]
	for _, f := range c.Filled {
		ch, ok := k.zone.Channel(f.edge, k.X)
		share := min(1, ch.Area/f.Area)
		e := &k.Fracture.Edges[f.edge]
		for end, v := range [2]int32{e.From, e.To} {
			was := f.Volume[end]
			if math.IsNaN(was) {
				continue
			}
			separation := ch.Opening[end] + k.residual(c, f.edge) + f.shut[end]
			f.Volume[end] = float64(ch.Area * separation)
			moved := float64(f.Area*separation) - was
			if more := ch.Area - f.Area; more > 0 { // comes back from contact and fills; pressed only from now on
				f.joined[end] += float64(more / f.Area * moved)
				do(v, share, was, moved, 0)
				continue
			}
			do(v, share, was, f.Volume[end]-float64(share*was), float64((1-share)*moved))
		}
		if f.Area = ch.Area; ok {
			kept = append(kept, f)
		} else {
			left = true
		}
	}
	c.Filled = kept
	return left
}

// updateWellVolume updates the volume of the well after a step and returns its growth [m3].
func (k *Fluids) updateWellVolume(c *cavity) (wider float64) {
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
func (k *Fluids) residual(c *cavity, edge int32) float64 {
	if r := k.Fracture.Edges[edge].Region; k.Fracture.Joints != nil && k.Fracture.Joints[r] {
		return c.Residual
	}
	return 0
}

// addGradients sets B of all nodes on which a fluid presses, and returns its present volume [m3].
// Faces that stay pressed together have no volume, and get none from further compression. If they
// separate in the next step, their volume is measured from their present position.
func (k *Fluids) addGradients(c *cavity) (volume float64) {
	k.pressed, volume = k.pressed[:0], c.wellVolume
	c.wall.eachLink(k.Mesh, func(a, b int32) {
		g := k.onWall(a, b)
		k.addGradient(a, g, c.last, true)
		k.addGradient(b, g, c.last, true)
	})
	for _, f := range c.Filled {
		ch, ok := k.zone.Channel(f.edge, k.X)
		if !ok {
			continue
		}
		applied := k.zone.Pressure(f.edge)
		for end, v := range f.Volume {
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

// OneStepEnergy returns the kinetic energy that the present pressures give to nodes at rest within
// a time [J].
func (k *Fluids) OneStepEnergy(time float64) (sum float64) {
	for _, c := range k.List {
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
func (k *Fluids) solve(c *cavity) {
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
func (k *Fluids) addGradient(n int32, g r2.Vec, applied float64, room bool) {
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
func (k *Fluids) ahead(volume float64) (free, beta float64) {
	alpha := k.Model.Damping.Local
	most := 1 + alpha
	for _, n := range k.pressed {
		g, r, p, f, v, w := k.gradient[n], k.roomy[n], k.push[n], k.Force(nodes.Node(n)), k.V[n], k.Inverse(n)
		x, y := f.X+system.Against(alpha, f.X, v.X)-float64(most*p.X), f.Y+system.Against(alpha, f.Y, v.Y)-float64(most*p.Y)
		to := r2.Vec{X: v.X + float64(k.Last*w.X*x), Y: v.Y + float64(k.Last*w.Y*y)}
		volume += float64(k.Last * (float64(r.X*to.X) + float64(r.Y*to.Y)))
		beta += float64(most * k.Last * k.Last * (float64(w.X*g.X*r.X) + float64(w.Y*g.Y*r.Y)))
	}
	return volume, beta
}

// setCrackPressures sets the pressures in the cracks of the zone.
func (k *Fluids) setCrackPressures() {
	if k.Fracture == nil {
		return
	}
	for _, e := range k.edges {
		k.fills[2*e], k.fills[2*e+1] = false, false
	}
	k.edges, k.pressure, k.waits = k.edges[:0], k.pressure[:0], k.waits[:0]
	for _, c := range k.List {
		for _, v := range c.wall.vertices {
			k.zone.SetWellPressure(int32(v), c.last)
		}
		for _, f := range c.Filled {
			at, there := slices.BinarySearch(k.edges, f.edge)
			if !there {
				k.edges, k.pressure, k.waits = slices.Insert(k.edges, at, f.edge), slices.Insert(k.pressure, at, [2]float64{}), slices.Insert(k.waits, at, c.Entry > 0)
			}
			for end, v := range f.Volume {
				if !math.IsNaN(v) {
					k.pressure[at][end], k.fills[2*f.edge+int32(end)] = k.pressureAt(c, f.edge, end), true
				}
			}
		}
	}
	k.zone.SetFluid(k.edges, k.pressure, k.waits)
}

// pressureAt returns the pressure of a fluid at an end of an edge [Pa].
func (k *Fluids) pressureAt(c *cavity, edge int32, end int) float64 {
	if c.Flow == nil {
		return c.last
	}
	e := &k.Fracture.Edges[edge]
	return c.Flow.pressure[c.Flow.cellOf[[2]int32{e.From, e.To}[end]]]
}

// MoveBy injects fluid, and lets it leak.
func (k *Fluids) MoveBy(_, dt float64) {
	for _, c := range k.List {
		if c.Flow != nil {
			if c.Soaks {
				k.soakFor(c, dt)
			} else {
				k.findLeaks(c, k.Time, k.Time+dt)
			}
			c.Flow.run(c, dt)
			k.take(c)
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

func (k *Fluids) AddEnergies(e *system.Energies) {
	for _, c := range k.List {
		if c.Flow != nil {
			c.Flow.energies(c, e)
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

func (k *Fluids) StateParts() (parts []system.Part) {
	for i, c := range k.List {
		s := &c.state
		s.edges, s.areas, s.volumes, s.shut, s.since = nil, nil, nil, nil, nil
		for _, f := range c.Filled {
			s.edges, s.areas, s.volumes = append(s.edges, f.edge), append(s.areas, f.Area), append(s.volumes, f.Volume[0], f.Volume[1])
			s.shut, s.since = append(s.shut, f.shut[0], f.shut[1]), append(s.since, f.since[0], f.since[1])
		}
		of := fmt.Sprintf("fluid.%d.", i)
		parts = append(parts,
			system.Part{Name: of + "amount", Values: &c.amount}, system.Part{Name: of + "room", Values: &c.wellVolume}, system.Part{Name: of + "pressure", Values: &c.last},
			system.Part{Name: of + "injected", Values: &c.injected}, system.Part{Name: of + "spilled", Values: &c.spilled}, system.Part{Name: of + "pumped", Values: &c.pumped}, system.Part{Name: of + "given", Values: &c.given},
			system.Part{Name: of + "escaped", Values: &c.escaped}, system.Part{Name: of + "loss", Values: &c.steps}, system.Part{Name: of + "edges", Values: &s.edges}, system.Part{Name: of + "areas", Values: &s.areas}, system.Part{Name: of + "volumes", Values: &s.volumes}, system.Part{Name: of + "shut", Values: &s.shut},
		)
		if c.leaks() || c.Soaks {
			parts = append(parts, system.Part{Name: of + "leaked", Values: &c.leaked}, system.Part{Name: of + "since", Values: &s.since})
		}
		if n := c.Flow; n != nil {
			parts = append(parts,
				system.Part{Name: of + "vertices", Values: &n.vertices}, system.Part{Name: of + "amounts", Values: &n.amount}, system.Part{Name: of + "pressures", Values: &n.pressure},
				system.Part{Name: of + "viscous", Values: &n.viscous}, system.Part{Name: of + "steps", Values: &n.steps}, system.Part{Name: of + "work", Values: &n.given}, system.Part{Name: of + "lost", Values: &n.escaped},
			)
		}
	}
	if k.soak != nil {
		parts = append(parts, system.Part{Name: "fluid.wetted", Values: k.soak.wetted}, system.Part{Name: "fluid.dry", Values: k.soak.dry})
	}
	return parts
}

// Recompute fills the cracks that have fluid in the state.
func (k *Fluids) Recompute() error {
	for _, c := range k.List {
		s := &c.state
		if len(s.areas) != len(s.edges) || len(s.volumes) != 2*len(s.edges) || len(s.shut) != 2*len(s.edges) {
			return fmt.Errorf("fluid %q: edges and their volumes differ in number", c.Name)
		}
		c.Filled = c.Filled[:0]
		for i, e := range s.edges {
			if k.Fracture == nil || e < 0 || int(e) >= len(k.Fracture.Edges) || !k.zone.IsOpen(e) {
				return fmt.Errorf("fluid %q is in edge %d, which is not open", c.Name, e)
			}
			f := filled{edge: e, Area: s.areas[i], Volume: [2]float64{s.volumes[2*i], s.volumes[2*i+1]}, shut: [2]float64{s.shut[2*i], s.shut[2*i+1]}}
			if len(s.since) == 2*len(s.edges) {
				f.since = [2]float64{s.since[2*i], s.since[2*i+1]}
			}
			for end, v := range [2]int32{k.Fracture.Edges[e].From, k.Fracture.Edges[e].To} {
				if !math.IsNaN(f.Volume[end]) {
					k.owner[v] = c.number
				}
			}
			c.Filled = append(c.Filled, f)
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
	{quantity.Must(quantity.Fluid, "leaked"), func(f *FluidState) float64 { return f.Leaked }},
	{quantity.Must(quantity.Fluid, "reynolds"), func(f *FluidState) float64 { return f.Reynolds }},
}
