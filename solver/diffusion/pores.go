package diffusion

import (
	"fmt"
	"math"
	"slices"

	"fdem/fem"
	"fdem/fem/fracture"
	"fdem/materials/bulk"
	"fdem/solver/bodies"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Pores is the fluid in the pores of all bodies of triangles (Biot, J. Appl. Phys. 12, 1941). A node
// has the volume of fluid, at the density without pressure,
//
//	m = C p + sum over triangles b (V - V0)/3,  C = sum over triangles V0/(3M),
//
// which flows along the links of the network and through blocks alone. The pressure follows from it
// and from the volumes of triangles V, and acts on the nodes of a triangle by b p dV/dx, with the mean
// of its corners: the stress is that of the material, which is Biot's effective one, less b p.
//
// In motion m flows in explicit steps, and the pressure follows the volumes in every step of motion.
// In a static analysis an increment is a step of the backward difference formula of second order, and
// balance and pressures are found in turn, see Repeat.
type Pores struct {
	system.Idle
	field
	of        *models.Pores
	heat      *Heat
	triangles *bodies.Continuum
	contacts  *bodies.ContactState
	met       []float64 // per link of contacts: its nodes and its conductance
	seams     []seam
	source    system.Source
	gravity   []float64 // per node: pressure at the start above the reference, constant with its flow balanced [Pa]
	storage   []float64 // per node [m3/Pa]
	volume    []float64 // per triangle: at the start [m3]
	wet       []wet     // triangles with pores that press
	frequency float64   // greatest squared frequency of triangles whose fluid cannot flow away [1/s2]

	amount    []float64 // per node: fluid at the last committed evaluation, beyond that without pressure and strain [m3]
	excavated float64   // fluid that has left with bodies [m3]
	pace      float64   // see field.fastest, when fluid last flowed [1/s]
	begun     float64   // all of it at the start [m3]
	push      []float64 // per triangle: b p at the last committed evaluation [Pa]
	was       []float64 // per triangle: volume then [m3]
	tried     []float64 // per triangle: b p of the last evaluation [Pa]
	strain    []float64 // per node: the part of the volumes of triangles in m [m3]
	present   []float64 // per triangle with pores: its volume when strain was last measured [m3]
	warmth    []float64 // per node: temperature at the last commit, see addWarmth [K]; nil if it does not matter
	staged
	openings openings
	seamPush []r2.Vec // per seam and node: force at the last committed evaluation [N]
	seamAt   []r2.Vec // position then [m]
}

// wet is a triangle with pores whose Biot coefficient b is not zero.
type wet struct {
	nodes  [3]int32
	at     int32 // its number
	biot   float64
	volume float64 // at the start [m3]
}

// NewPores makes the pores of a model, which has none if its Pores is nil. They are joined with the cracks of a zone.
// fills tells whether another fluid is at an end of an edge.
func NewPores(of system.View, given *models.Pores, triangles *bodies.Continuum, contacts *bodies.ContactState, heat *Heat, zone *fracture.Zone, fills func(edge int32, end int) bool) *Pores {
	k := &Pores{field: field{View: of}, of: given, triangles: triangles, contacts: contacts, heat: heat}
	if k.of == nil {
		return k
	}
	k.source = k.Ledger.Source("pores")
	own := *k.of // with a material without pores, for excavated triangles
	own.Materials, own.Biot = append(slices.Clone(own.Materials), models.Conduction{}), append(slices.Clone(own.Biot), 0)
	k.of, k.materials = &own, own.Materials
	for i := range k.Materials {
		shear := k.Materials[i].Young / (2 * (1 + k.Materials[i].Poisson))
		k.smoothing = append(k.smoothing, float64(k.of.Biot[i]*k.of.Biot[i])/float64(2*shear))
	}
	k.smoothing = append(k.smoothing, 0)
	for i := range k.of.Held {
		b := &k.of.Held[i]
		k.blocks = append(k.blocks, block{name: b.Name, held: b.Value, nodes: b.Nodes, from: b.From})
	}
	for i := range k.of.Inflows {
		b := &k.of.Inflows[i]
		k.blocks = append(k.blocks, block{name: b.Name, gives: b.Value, edges: b.Edges, triangles: b.Triangles})
	}
	for i := range k.of.Seepage {
		b := &k.of.Seepage[i]
		k.blocks = append(k.blocks, block{name: b.Name, edges: b.Edges, seeps: true, from: b.From})
	}
	k.makeMaterials()
	k.connect()
	k.storage = append(k.storage, k.net.capacity...)
	k.openSeepage()
	k.begin()
	if k.Fracture != nil {
		k.joinCracks(zone, fills)
	}
	k.joinSeams()
	return k
}

func (k *Pores) Name() string { return "pores" }

func (k *Pores) Empty() bool { return k.of == nil }

// Known tells whether the model has pores.
func (k *Pores) Known() bool { return k.of != nil }

// head is the pressure at a position of fluid at rest, by gravity [Pa].
func (k *Pores) head(x r2.Vec) float64 {
	g := k.Model.Gravity
	return k.of.Density * (float64(g.X*x.X) + float64(g.Y*x.Y))
}

// held returns the value of a block at a node: its pressure less that of fluid at rest.
func (k *Pores) held(b, n int32, at float64) float64 { return k.field.held(b, n, at) - k.gravity[n] }

// ambient is the value at a node of a seepage face, whose pressure is zero.
func (k *Pores) ambient(_, n int32, _ float64) float64 { return -k.gravity[n] }

// begin sets the pressures at the start.
func (k *Pores) begin() {
	n, all := len(k.X), len(k.Mesh.Triangles)
	k.makeState()
	k.gravity, k.amount, k.strain = make([]float64, n), make([]float64, n), make([]float64, n)
	k.volume, k.push, k.was, k.tried = make([]float64, all), make([]float64, all), make([]float64, all), make([]float64, all)
	k.present = make([]float64, all)
	for i := range k.Mesh.X {
		k.gravity[i] = k.head(k.Mesh.X[i])
	}
	for _, i := range k.net.used {
		k.now.theta[i] = k.of.Pressure(k.Mesh.X[i]) - k.gravity[i]
	}
	for t := range k.volume {
		k.volume[t] = k.triangleVolume(int32(t))
		k.push[t] = k.mean(int32(t), k.now.theta)
	}
	k.listWet()
	k.triangles.PorePressure = k.tried
	copy(k.was, k.volume)
	copy(k.present, k.volume)
	k.keepWarmth()
	k.addWarmth(k.warmth)
	if k.Static == nil {
		k.pace = k.fastest
		k.frequency = k.undrainedFrequency()
		for _, n := range k.net.used {
			k.amount[n] = float64(k.storage[n]*k.now.theta[n]) + k.strain[n]
		}
	} else {
		k.beginStages()
	}
	for _, m := range k.amount {
		k.begun += m
	}
	k.beginRange(k)
}

// undrainedFrequency bounds the squared frequencies of triangles whose fluid cannot flow away. The energy of
// pressures that nodes share is at most that of each triangle with its own: b^2 M more bulk modulus.
func (k *Pores) undrainedFrequency() float64 {
	firm := make([]float64, len(k.volume))
	for i := range k.wet {
		w := &k.wet[i]
		firm[w.at] = float64(w.biot*w.biot) / k.materials[k.material[w.at]].Capacity
	}
	return k.triangles.FrequencySquaredFirmer(k.Mesh.X, firm)
}

// listWet lists the triangles whose pores press.
func (k *Pores) listWet() {
	k.wet = k.wet[:0]
	for t, n := range k.Mesh.Triangles {
		if b := k.of.Biot[k.material[t]]; b != 0 {
			k.wet = append(k.wet, wet{nodes: n, at: int32(t), biot: b, volume: k.volume[t]})
		}
	}
}

// planar returns lambda + G of a triangle, its modulus for equal strains in the plane [Pa].
func (k *Pores) planar(t int32) float64 {
	e := k.elastic(t)
	return e.Young / float64(2*(1+e.Poisson)*(1-float64(2*e.Poisson)))
}

// elastic returns the elastic constants of a triangle.
func (k *field) elastic(t int32) *bulk.Elastic {
	if own := k.Spread; own != nil && own.Of[t] >= 0 {
		return &own.Materials[own.Of[t]].Elastic
	}
	return &k.Materials[k.material[t]].Elastic
}

// mean returns b times the mean pressure of the corners of a triangle [Pa].
func (k *Pores) mean(t int32, theta []float64) float64 {
	b, n := k.of.Biot[k.material[t]], k.Mesh.Triangles[t]
	if b == 0 {
		return 0
	}
	return b * ((theta[n[0]] + k.gravity[n[0]]) + (theta[n[1]] + k.gravity[n[1]]) + (theta[n[2]] + k.gravity[n[2]])) / 3
}

// measure sets strain, by the present volumes of triangles.
func (k *Pores) measure() {
	x, strain, present, half := k.X, k.strain, k.present, 0.5*k.Thickness
	clear(strain)
	for i := range k.wet {
		w := &k.wet[i]
		a, b, c := x[w.nodes[0]], x[w.nodes[1]], x[w.nodes[2]]
		v := float64(half * (float64((b.X-a.X)*(c.Y-a.Y)) - float64((b.Y-a.Y)*(c.X-a.X))))
		present[w.at] = v
		w.addStrain(strain, v)
	}
	k.addWarmth(k.temperatures())
}

// addStrain adds the part of the volume of a triangle in m to strain.
func (w *wet) addStrain(strain []float64, volume float64) {
	third := w.biot * (volume - w.volume) / 3
	strain[w.nodes[0]] += third
	strain[w.nodes[1]] += third
	strain[w.nodes[2]] += third
}

// press adds the forces of pressures on nodes. With commit it records their work since the last commit, by
// the volumes last measured.
func (k *Pores) press(theta []float64, commit bool) {
	x, f, g, half := k.X, k.F, k.gravity, 0.5*k.Thickness
	theta, tried := theta[:len(g)], k.tried
	work := 0.0
	for i := range k.wet {
		w := &k.wet[i]
		l, m, n := w.nodes[0], w.nodes[1], w.nodes[2]
		p := w.biot * ((theta[l] + g[l]) + (theta[m] + g[m]) + (theta[n] + g[n])) / 3
		tried[w.at] = p
		if commit {
			v := k.present[w.at]
			work += float64(0.5 * (p + k.push[w.at]) * (v - k.was[w.at]))
			k.push[w.at], k.was[w.at] = p, v
		}
		if p == 0 {
			continue
		}
		h, a, b, c := float64(p*half), x[l], x[m], x[n]
		u, v, q := fem.PushOnCorner(h, b, c), fem.PushOnCorner(h, c, a), fem.PushOnCorner(h, a, b)
		f[l].X, f[l].Y = f[l].X+u.X, f[l].Y+u.Y
		f[m].X, f[m].Y = f[m].X+v.X, f[m].Y+v.Y
		f[n].X, f[n].Y = f[n].X+q.X, f[n].Y+q.Y
	}
	work += k.pressSeams(theta, commit)
	if commit && k.N > 0 {
		k.Ledger.Record(k.source, work)
	}
}

// addPush adds the forces of b times a pressure in a triangle of some nodes to those of all nodes.
func (k *Pores) addPush(to []r2.Vec, n *[3]int32, p float64) {
	half := float64(p * (0.5 * k.Thickness))
	for c, i := range n {
		f := fem.PushOnCorner(half, k.X[n[(c+1)%3]], k.X[n[(c+2)%3]])
		to[i].X += f.X
		to[i].Y += f.Y
	}
}

// ApplyForces adds the forces of the pressures at Time. In motion these follow from the fluid and the
// positions.
func (k *Pores) ApplyForces(commit bool) error {
	if k.Static != nil {
		return k.balance(k.Time, commit)
	}
	k.begins(k.Time)
	k.renewNodes()
	at := float64(k.Time * k.of.TimeFactor)
	if commit && k.due(at, k.of.TimeFactor) {
		k.advance(at)
	}
	k.measure()
	theta := k.work.next[:len(k.now.theta)]
	for _, n := range k.net.used {
		switch b := k.net.heldBy[n]; {
		case b >= 0:
			theta[n] = k.held(b, n, at)
			if commit {
				m := float64(k.storage[n]*theta[n]) + k.strain[n]
				k.now.given[b] += m - k.amount[n]
				k.amount[n] = m
			}
		case k.storage[n] > 0:
			theta[n] = (k.amount[n] - k.strain[n]) / k.storage[n]
		default: // of excavated triangles alone: it keeps its own
			theta[n] = k.now.theta[n]
		}
	}
	if k.openings.zone != nil {
		k.fillCracks(theta, at, commit)
	}
	k.press(theta, commit)
	if commit {
		copy(k.now.theta, theta)
		k.keepWarmth()
		if k.openings.zone != nil {
			k.shift()
		}
		return k.finite("pore pressure")
	}
	return nil
}

// advance lets the fluid flow up to a time of its own, by the pressures at the last evaluation.
func (k *Pores) advance(at float64) {
	s := &k.now
	if k.stale {
		k.connect()
	}
	k.pace = k.fastest
	k.rejoin()
	if k.openings.zone != nil {
		k.gather(false)
	}
	before := append(k.work.before[:0], s.given...)
	from, dt := s.at, at-s.at
	next := k.work.next[:len(s.theta)]
	k.work.start(&k.net, next)
	count := max(1, math.Ceil(dt*k.fastest))
	if len(k.net.bridges) > 0 {
		count = max(count, math.Ceil(dt*k.net.fastest()))
	}
	copy(next, s.theta)
	for i := range int(count) {
		clear(k.work.heat)
		s.flow(&k.net, k, next, k.work.heat, dt/count, from+float64(float64(i+1)*(dt/count)))
		for _, n := range k.net.used {
			if b := k.net.heldBy[n]; b >= 0 { // its pressure stays
				s.given[b] -= k.work.heat[n]
				continue
			}
			if k.storage[n] > 0 {
				k.amount[n] += k.work.heat[n]
				next[n] += k.work.heat[n] / k.storage[n]
			}
		}
		if len(k.openings.touched) > 0 {
			k.settle(next, at)
		}
	}
	s.at = at
	k.work.before = before
	s.powers(before, dt)
}

// finite returns an error for values that are no numbers.
func (k *field) finite(what string) error {
	for _, n := range k.net.used {
		if t := k.now.theta[n]; math.IsNaN(t) || math.IsInf(t, 0) {
			return fmt.Errorf("the %s of node %d is no longer a number", what, k.Mesh.NodeID[n])
		}
	}
	return nil
}

// Bound adds the frequencies of triangles whose fluid cannot flow away.
func (k *Pores) Bound(b *system.Bounds) {
	b.Elements.Raise(k.frequency+k.openings.stiff, system.Cause{What: bodies.OfTriangles})
}

func (k *Pores) StateParts() []system.Part {
	s := &k.now
	parts := []system.Part{
		{Name: "pores.pressure", Values: s.theta}, {Name: "pores.given", Values: s.given}, {Name: "pores.power", Values: s.power}, {Name: "pores.time", Values: &s.at},
		{Name: "pores.low", Values: &s.low}, {Name: "pores.high", Values: &s.high},
		{Name: "pores.excavated", Values: &k.excavated}, {Name: "pores.started", Values: &k.started}, {Name: "pores.pace", Values: &k.pace}, {Name: "pores.amount", Values: k.amount}, {Name: "pores.push", Values: k.push}, {Name: "pores.volume", Values: k.was},
	}
	if k.Static != nil {
		parts = append(parts, k.stageParts()...)
	}
	if k.openings.zone != nil {
		parts = append(parts, k.crackParts()...)
	}
	if len(k.warmth) > 0 {
		parts = append(parts, system.Part{Name: "pores.warmth", Values: k.warmth})
	}
	if len(k.of.Contacts) > 0 || len(k.seams) > 0 {
		parts = append(parts, system.Part{Name: "pores.met", Values: &k.met})
	}
	if len(k.seams) > 0 {
		parts = append(parts, system.Part{Name: "pores.seams", Values: k.seamPush}, system.Part{Name: "pores.sides", Values: k.seamAt})
	}
	return parts
}

// Recompute tells that a state has been read.
func (k *Pores) Recompute() error {
	k.begunAt = math.NaN()
	k.rebuild()
	if k.Static == nil {
		k.fastest, k.openings.resumed = k.pace, true
	}
	return nil
}

// begins lets blocks begin whose time has come.
func (k *Pores) begins(at float64) {
	for i := range k.blocks {
		if from := k.blocks[i].from; from > k.started && from <= at {
			k.started = at
			k.rebuild()
			return
		}
	}
}

// Excavate takes excavated triangles out of the field, with the fluid that they hold.
func (k *Pores) Excavate(gone []bool) {
	if k.of == nil {
		return
	}
	for t, is := range gone {
		if !is || k.isGone(int32(t)) {
			continue
		}
		if k.Stepping { // otherwise a state is being restored, which has lost it
			k.takeOut(int32(t))
		}
		k.material[t], k.push[t], k.tried[t] = int32(len(k.Materials)), 0, 0
		if k.openings.shift != nil {
			k.openings.shift[t] = 0
		}
	}
	k.rebuild()
}

// takeOut takes the fluid of a triangle out of its nodes.
func (k *Pores) takeOut(t int32) {
	m, n := k.material[t], k.Mesh.Triangles[t]
	for j, c := range n {
		v := float64(k.materials[m].Capacity*k.volume[t]*k.now.theta[c])/3 + float64(k.of.Biot[m]*(k.was[t]-k.volume[t]))/3
		if len(k.warmth) > 0 {
			v -= float64(k.expansion(t) * k.warmth[c])
		}
		k.amount[c] -= v
		k.excavated += v
		if k.Static != nil {
			next := n[(j+1)%3]
			q := float64(k.smoothing[m] * k.volume[t] / 36 * (k.now.theta[c] - k.now.theta[next]))
			k.amount[c] -= q
			k.amount[next] += q
		}
	}
}

// rebuild finds the network anew. In a static analysis the next increment is a first one.
func (k *Pores) rebuild() {
	k.stale, k.openings.renew = true, true
	k.listWet()
	if k.Static == nil {
		return
	}
	k.openings.renew = false
	k.connect()
	k.storage = append(k.storage[:0], k.net.capacity...)
	k.openSeepage()
	k.addYields()
	k.begunAt = math.NaN()
	if k.Stepping { // otherwise a state is being restored
		k.now.step = 0
	}
}
