package diffusion

import (
	"errors"
	"fmt"
	"slices"

	"fdem/fem/fracture"
	"fdem/materials/bulk"
	"fdem/solver/bodies"
	models "fdem/solver/model"
	"fdem/solver/system"
)

// Heat is the heat in all bodies of triangles. In motion it advances explicitly, once in many
// mechanical steps; in a static analysis every increment advances it by explicit steps or implicit ones,
// whichever are cheaper, from the temperatures at its start, as often as it is tried.
type Heat struct {
	system.Idle
	field
	of        *models.Heat
	triangles *bodies.Continuum
	source    system.Source
	changed   bool // triangles do not have the free strains of the temperatures yet
	restored  bool // a state has been read, whose free strains the triangles do not have yet
	contacts  *bodies.ContactState
	fragments Fragments
	rubbed    []float64 // per contact and rule of fragments: heat of friction that bodies have been given [J]
	friction  float64   // that of all [J]

	trial     state     // at the end of the increment that is being tried
	tried     bool      // trial is at Time
	beta      []float64 // per triangle: committed free strain; nil if nothing expands
	before    []float64 // per triangle: the free strain at the commit before another time
	swelledAt float64   // time of the last commit of free strains [s]
	still     bool      // triangles know that free strains have not changed since
	push      []float64 // per triangle with a law: see fem.SwellingForce [J]; nil without
	swell     []float64 // per triangle with a law: its last change of free strain
	most      float64   // greatest free strain for which the frequencies of triangles were measured
	frequency float64   // their greatest squared frequency then [1/s2]
	start     float64   // heat at the start [J]
	excavated float64   // heat that has left with bodies [J]
	closed    closedFaces
	worked    []float64 // per triangle: plastic work of which it has got its share as heat [J/m3]; nil without
	works     []float64 // buffer of the present one
	plastic   float64   // heat of plastic work of all [J]
	cracked   []float64 // per edge of cracks and end: what has been dissipated there of which bodies have got their share [J]; nil without
	cracks    float64   // heat of cracks of all [J]
}

// NewHeat makes the heat of a model, which has none if its Heat is nil. Heat flows through the closed cracks of the zone,
// nil for none, and takes up the friction of fragments.
func NewHeat(of system.View, given *models.Heat, triangles *bodies.Continuum, contacts *bodies.ContactState, zone *fracture.Zone, fragments Fragments) (*Heat, error) {
	k := &Heat{field: field{View: of}, of: given, triangles: triangles, contacts: contacts}
	if k.of == nil {
		return k, nil
	}
	k.source = k.Ledger.Source("heat")
	own := *k.of // with a material without heat, for excavated triangles
	own.Materials = append(slices.Clone(own.Materials), models.Conduction{})
	k.of = &own
	k.reference, k.materials = k.of.Initial, k.of.Materials
	k.net.varies = newVarying(k.materials, k.reference)
	k.listBlocks()
	k.makeMaterials()
	k.OnSplit(k.inherit)
	k.rubbed = make([]float64, len(k.of.Contacts))
	if k.fragments = fragments; k.Static == nil {
		k.rubbed = append(k.rubbed, make([]float64, len(fragments.Of))...)
	}
	k.connect()
	k.begin()
	if k.of.Steady {
		if n := slices.Index(k.net.isolated(k.mayMeet), true); n >= 0 {
			x := k.Mesh.X[n]
			return nil, fmt.Errorf("steady temperatures: nothing sets the temperature of the body at (%.6g, %.6g) m: hold one by a [[temperature]] or [[convection]] on it, or leave out steady", x.X, x.Y)
		}
	}
	if triangles.Lawful() && triangles.Loses(bulk.PlasticWork) && slices.ContainsFunc(k.of.Materials, func(c models.Conduction) bool { return c.Plastic > 0 }) {
		k.worked, k.works = make([]float64, len(k.Mesh.Triangles)), make([]float64, len(k.Mesh.Triangles))
	}
	k.connectCracks(zone)
	k.mayExpand()
	return k, nil
}

// mayMeet joins the nodes of faces that exchange heat once they are in contact.
func (k *Heat) mayMeet(join func(a, b int32)) {
	for i := range k.of.Contacts {
		if k.of.Contacts[i].Resistance == 0 {
			continue
		}
		c := &k.Model.Contacts[i]
		faces := slices.Concat(c.Contactor, c.Opposite)
		for _, e := range faces {
			if k.warm(k.Mesh.Edges[e].Tri) {
				join(k.Mesh.Edges[faces[0]].A, k.Mesh.Edges[e].A)
			}
		}
	}
}

// connectCracks lets heat flow through closed cracks.
func (k *Heat) connectCracks(zone *fracture.Zone) {
	if k.Fracture != nil && k.Static == nil {
		k.closed = newClosedFaces(zone, len(k.X))
		if k.of.Cracks > 0 && zone != nil {
			k.cracked = make([]float64, 2*len(k.Fracture.Edges))
		}
		k.work.joins = func(s *state) {
			k.closed.even(s.theta, &k.net, s.given, func(b, n int32) float64 { return k.held(b, n, s.at) })
		}
	}
}

func (k *Heat) Name() string { return "heat" }

func (k *Heat) Empty() bool { return k.of == nil }

// listBlocks lists the blocks in the order of results.
func (k *Heat) listBlocks() {
	for i := range k.of.Held {
		b := &k.of.Held[i]
		k.blocks = append(k.blocks, block{name: b.Name, held: b.Value, nodes: b.Nodes, from: b.From})
	}
	for i := range k.of.Fluxes {
		b := &k.of.Fluxes[i]
		k.blocks = append(k.blocks, block{name: b.Name, gives: b.Value, edges: b.Edges, triangles: b.Triangles})
	}
	for i := range k.of.Convection {
		b := &k.of.Convection[i]
		k.blocks = append(k.blocks, block{name: b.Name, ambient: b.Ambient, edges: b.Edges, convects: b.Coefficient})
	}
}

// begin sets the temperatures at the start.
func (k *Heat) begin() {
	n := len(k.X)
	k.makeState()
	if k.of.InitialAt != nil {
		for i, x := range k.Mesh.X {
			k.now.theta[i] = k.of.InitialAt(x)
		}
	}
	weight := make([]float64, n)
	for _, b := range k.of.InBodies { // a node of several bodies has the mean of them
		for _, i := range k.Mesh.Bodies[b.Body].Nodes {
			weight[i]++
			k.now.theta[i] += (b.Value - k.reference - k.now.theta[i]) / weight[i]
		}
	}
	for _, i := range k.net.used {
		k.start += k.net.gain(i, 0, k.now.theta[i])
	}
	if k.Static == nil {
		for i := range k.net.used {
			n := k.net.used[i]
			if b := k.net.heldBy[n]; b >= 0 {
				to := k.held(b, n, 0)
				k.now.given[b] += k.net.gain(n, k.now.theta[n], to)
				k.now.theta[n] = to
			}
		}
	}
	k.beginRange(k)
}

// follow makes the network anew if vertices have split, and the free strains if a state has been
// read.
func (k *Heat) follow() {
	if k.stale {
		k.connect()
	}
	if k.restored && k.beta != nil {
		for t, beta := range k.beta {
			if !k.isGone(int32(t)) {
				k.swells(t, beta, beta)
			}
		}
		copy(k.before, k.beta)
		k.changed = true
	}
	k.restored = false
}

// factor returns the ratio of the time of heat to that of motion.
func (k *Heat) factor() float64 {
	if k.Static != nil {
		return 1
	}
	return k.of.TimeFactor
}

// ApplyForces gives triangles the free strains of the temperatures at Time. In motion these are at
// most a step older.
func (k *Heat) ApplyForces(commit bool) error {
	k.begins()
	k.follow()
	if k.Static != nil {
		return k.balance(k.Time, commit)
	}
	switch {
	case commit && k.changed:
		k.expand(&k.now, true)
		k.changed = false
	case commit && k.beta != nil && k.Time > k.swelledAt && !k.still:
		k.triangles.Swelled()
		k.still = true
	}
	return nil
}

// AfterForces records the work of expansion on laws, and advances the temperatures of motion, with
// contacts as they are at Time.
func (k *Heat) AfterForces() {
	k.recordPush()
	at := float64(k.Time * k.factor())
	if k.Static != nil {
		k.meet()
		k.heatByWork()
		if k.tried { // another commit at this time keeps the heat of friction
			k.trial.copyFrom(&k.now)
		}
		return
	}
	if !k.due(at, k.factor()) {
		return
	}
	k.follow()
	k.meet()
	k.heatByWork()
	k.heatByCracks()
	k.closed.find(k.net.capacity, k.X)
	before := append(k.work.before[:0], k.now.given...)
	dt := at - k.now.at
	k.now.explicit(&k.net, k, at, 1/k.net.fastest(), &k.work)
	k.work.before = before
	k.now.powers(before, dt)
	k.changed = true
}

// heatByWork gives triangles their share of the plastic work since the last time as heat, a third at each
// corner (Taylor and Quinney, 1934).
func (k *Heat) heatByWork() {
	if k.worked == nil {
		return
	}
	k.triangles.Values(bulk.PlasticWork, k.works)
	for t, w := range k.works {
		share := k.of.Materials[k.material[t]].Plastic
		if more := w - k.worked[t]; share > 0 && more != 0 {
			heat := float64(share * more * k.triangles.Volume(t))
			for _, n := range k.Mesh.Triangles[t] {
				k.now.take(&k.net, n, heat/3)
			}
			k.plastic += heat
			k.worked[t] = w
		}
	}
}

// heatByCracks gives both sides of cracks their share of what has been dissipated there since the last time, half
// each.
func (k *Heat) heatByCracks() {
	if k.cracked == nil {
		return
	}
	k.closed.zone.EachDissipation(func(edge int32, end int, nodes [2]int32, dissipated float64) {
		at := 2*edge + int32(end)
		more := dissipated - k.cracked[at]
		if more == 0 || k.net.capacity[nodes[0]] == 0 || k.net.capacity[nodes[1]] == 0 {
			return
		}
		heat := float64(k.of.Cracks * more)
		for _, n := range nodes {
			k.now.take(&k.net, n, 0.5*heat)
		}
		k.cracks += heat
		k.cracked[at] = dissipated
	})
}

// balance is ApplyForces in a static analysis.
func (k *Heat) balance(at float64, commit bool) error {
	if !k.tried || k.trial.at != at {
		k.trial.copyFrom(&k.now)
		if at > k.now.at || k.of.Steady {
			able := true
			if k.of.Steady {
				able = k.trial.steady(&k.net, k, at, &k.work, k.Mesh.X)
			} else {
				able = k.trial.advance(&k.net, k, at, &k.work, k.Mesh.X)
			}
			if at > k.now.at { // else after a resume
				k.trial.powers(k.now.given, at-k.now.at)
			}
			if !able {
				return errors.New("heat: the matrix of conductances has no factor: conductivities and heat capacities are too far apart or depend on the temperature too steeply, or the mesh is too distorted")
			}
		}
		k.tried = true
		k.expand(&k.trial, false)
	}
	if !commit {
		return nil
	}
	k.expand(&k.trial, true)
	k.now.copyFrom(&k.trial)
	return k.finite("temperature")
}

func (k *Heat) Balance() error { return nil }

// begins lets blocks begin whose time has come. In a static analysis this is at the end of an increment.
func (k *Heat) begins() {
	at := k.Time
	if k.Static != nil {
		at = k.now.at
	}
	for i := range k.blocks {
		if from := k.blocks[i].from; from > k.started && from <= at {
			k.started, k.stale, k.tried = at, true, false
			k.now.step = 0
			return
		}
	}
}

// Excavate takes excavated triangles out of the field, with the heat that they hold above the initial
// temperature of the model.
func (k *Heat) Excavate(gone []bool) {
	if k.of == nil {
		return
	}
	for t, is := range gone {
		if !is || k.isGone(int32(t)) {
			continue
		}
		if k.Stepping { // otherwise a state is being restored, which has lost it
			for _, n := range k.Mesh.Triangles[t] {
				k.excavated += k.net.contains(&k.materials[k.material[t]], k.triangleVolume(int32(t)), k.now.theta[n]) / 3
			}
		}
		k.material[t] = int32(len(k.Materials))
		if k.swell != nil {
			k.swell[t], k.push[t] = 0, 0
		}
	}
	k.stale, k.tried = true, false
}

func (k *Heat) StateParts() []system.Part {
	s := &k.now
	parts := []system.Part{
		{Name: "heat.temperature", Values: s.theta}, {Name: "heat.rate", Values: s.rate}, {Name: "heat.given", Values: s.given}, {Name: "heat.power", Values: s.power},
		{Name: "heat.time", Values: &s.at}, {Name: "heat.step", Values: &s.step}, {Name: "heat.low", Values: &s.low}, {Name: "heat.high", Values: &s.high},
		{Name: "heat.started", Values: &k.started}, {Name: "heat.excavated", Values: &k.excavated},
		{Name: "heat.most", Values: &k.most}, {Name: "heat.frequency", Values: &k.frequency},
	}
	if k.push != nil {
		parts = append(parts, system.Part{Name: "heat.push", Values: k.push})
	}
	if k.beta != nil {
		parts = append(parts, system.Part{Name: "heat.strain", Values: k.beta})
	}
	if k.worked != nil {
		parts = append(parts, system.Part{Name: "heat.worked", Values: k.worked}, system.Part{Name: "heat.plastic", Values: &k.plastic})
	}
	if k.cracked != nil {
		parts = append(parts, system.Part{Name: "heat.cracked", Values: k.cracked}, system.Part{Name: "heat.cracks", Values: &k.cracks})
	}
	if len(k.rubbed) > 0 {
		parts = append(parts, system.Part{Name: "heat.rubbed", Values: k.rubbed}, system.Part{Name: "heat.friction", Values: &k.friction})
	}
	return parts
}

// Recompute tells that a state has been read. The next evaluation follows it, when all vertices have
// been split again.
func (k *Heat) Recompute() error {
	k.stale, k.restored, k.tried = true, true, false
	return nil
}

// Temperature returns the temperature of a node at Time [K].
func (k *Heat) Temperature(n int32) float64 { return k.reference + k.now.theta[n] }

// Known tells whether the model has temperatures.
func (k *Heat) Known() bool { return k.of != nil }

// inPlaneStrain tells whether bodies cannot strain out of the plane.
func (k *Heat) inPlaneStrain() bool { return k.Plane == bulk.PlaneStrain }
