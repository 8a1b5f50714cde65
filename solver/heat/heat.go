package heat

import (
	"errors"
	"fmt"
	"math"

	"fdem/materials/bulk"
	"fdem/solver/bodies"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Bodies is the heat in all bodies of triangles. In motion it advances explicitly, once in many
// mechanical steps; in a static analysis every increment advances it by implicit steps, from the
// temperatures at its start, as often as it is tried.
type Bodies struct {
	system.Idle
	system.View
	of        *models.Heat
	triangles *bodies.Continuum
	source    system.Source
	material  []int32 // per triangle, of Heat.Materials
	net       network
	work      work
	changed   bool // triangles do not have the free strains of the temperatures yet
	stale     bool // a vertex has split since the network was made
	restored  bool // a state has been read, whose free strains the triangles do not have yet
	blocks    []block
	reference float64 // initial temperature, above which theta is [K]
	fastest   float64 // see network.fastest, without contacts [1/s]
	contacts  *bodies.ContactState
	points    []meeting // see meet
	rubbed    []float64 // per contact: heat of friction that bodies have been given [J]
	friction  float64   // that of all [J]

	now       state     // at the last committed evaluation
	trial     state     // at the end of the increment that is being tried
	tried     bool      // trial is at Time
	beta      []float64 // per triangle: committed free strain; nil if nothing expands
	push      []float64 // per triangle with a law: see fem.SwellingForce [J]; nil without
	swell     []float64 // per triangle with a law: its last change of free strain
	most      float64   // greatest free strain for which the frequencies of triangles were measured
	frequency float64   // their greatest squared frequency then [1/s2]
	start     float64   // heat at the start [J]
}

// block is one block of the deck that gives heat.
type block struct {
	name     string
	ambient  models.Schedule
	gives    models.Schedule
	held     func(t float64, x r2.Vec) float64
	on       int // index in its list of the model
	convects float64
}

// New makes the heat of a model, which has none if its Heat is nil.
func New(of system.View, triangles *bodies.Continuum, contacts *bodies.ContactState) (*Bodies, error) {
	k := &Bodies{View: of, of: of.Model.Heat, triangles: triangles, contacts: contacts}
	if k.of == nil {
		return k, nil
	}
	k.source = k.Ledger.Source("heat")
	k.reference = k.of.Initial
	k.listBlocks()
	k.makeMaterials()
	k.OnSplit(k.split)
	k.rubbed = make([]float64, len(k.of.Contacts))
	k.connect()
	k.begin()
	if k.of.Steady {
		if n := k.net.isolated(); n >= 0 {
			x := k.Mesh.X[n]
			return nil, fmt.Errorf("steady temperatures: nothing sets the temperature of the body at (%.6g, %.6g) m: hold one by a [[temperature]] or [[convection]] on it, or leave out steady", x.X, x.Y)
		}
	}
	return k, k.mayExpand()
}

func (k *Bodies) Name() string { return "heat" }

func (k *Bodies) Empty() bool { return k.of == nil }

// listBlocks lists the blocks in the order of results.
func (k *Bodies) listBlocks() {
	for i := range k.of.Held {
		k.blocks = append(k.blocks, block{name: k.of.Held[i].Name, held: k.of.Held[i].Value, on: i})
	}
	for i := range k.of.Fluxes {
		k.blocks = append(k.blocks, block{name: k.of.Fluxes[i].Name, gives: k.of.Fluxes[i].Value, on: i})
	}
	for i := range k.of.Convection {
		c := &k.of.Convection[i]
		k.blocks = append(k.blocks, block{name: c.Name, ambient: c.Ambient, on: i, convects: c.Coefficient})
	}
}

// makeMaterials finds the material of each triangle.
func (k *Bodies) makeMaterials() {
	k.material = make([]int32, len(k.Mesh.Triangles))
	for i := range k.Model.Bodies {
		b := &k.Mesh.Bodies[i]
		for t := b.First; t < b.End; t++ {
			k.material[t] = k.Model.Bodies[i].Material
		}
	}
}

// connect makes the network of the present triangles and edges.
func (k *Bodies) connect() {
	m := k.Mesh
	k.net.conduct(m, k.material, k.of.Materials, k.Thickness)
	k.net.outside, k.net.inputs = k.net.outside[:0], k.net.inputs[:0]
	k.net.heldBy = make([]int32, len(m.X))
	for i := range k.net.heldBy {
		k.net.heldBy[i] = -1
	}
	for i := range k.blocks {
		b := &k.blocks[i]
		switch {
		case b.held != nil:
			for _, n := range k.Field.Nodes(&k.of.Held[b.on].Nodes) {
				if k.net.capacityAt(n) {
					k.net.heldBy[n] = int32(i)
				}
			}
		case b.gives != nil:
			of := &k.of.Fluxes[b.on]
			k.eachEnd(of.Edges, func(n int32, area float64) { k.net.inputs = append(k.net.inputs, input{n, int32(i), area}) })
			for _, t := range of.Triangles {
				third := k.triangleVolume(t) / 3
				for _, n := range m.Triangles[t] {
					k.net.inputs = append(k.net.inputs, input{n, int32(i), third})
				}
			}
		default:
			k.eachEnd(k.of.Convection[b.on].Edges, func(n int32, area float64) {
				k.net.outside = append(k.net.outside, exchange{n, int32(i), b.convects * area})
				k.net.joined[n] = true
			})
		}
	}
	k.fastest = k.net.fastest()
	k.stale, k.work.matrix = false, nil
	if len(k.work.next) != len(m.X) {
		k.work.next = make([]float64, len(m.X))
	}
}

// capacityAt tells whether a node has triangles.
func (k *network) capacityAt(n int32) bool { return int(n) < len(k.has) && k.has[n] }

// eachEnd calls the function with the nodes of edges and half of the area of each edge there.
func (k *Bodies) eachEnd(edges []int32, do func(n int32, area float64)) {
	for _, i := range edges {
		e := &k.Mesh.Edges[i]
		d := r2.Sub(k.Mesh.X[e.B], k.Mesh.X[e.A])
		half := 0.5 * k.Thickness * math.Sqrt(float64(d.X*d.X)+float64(d.Y*d.Y))
		do(e.A, half)
		do(e.B, half)
	}
}

// triangleVolume returns the volume of a triangle at the start [m3].
func (k *Bodies) triangleVolume(t int32) float64 {
	n, x := k.Mesh.Triangles[t], k.Mesh.X
	u, v := r2.Sub(x[n[1]], x[n[0]]), r2.Sub(x[n[2]], x[n[0]])
	return 0.5 * k.Thickness * (float64(u.X*v.Y) - float64(u.Y*v.X))
}

// begin sets the temperatures at the start.
func (k *Bodies) begin() {
	n := len(k.X)
	k.now = state{theta: make([]float64, n), rate: make([]float64, n), given: make([]float64, len(k.blocks)), power: make([]float64, len(k.blocks))}
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
	for i := range k.net.capacity {
		k.start += float64(k.net.capacity[i] * k.now.theta[i])
	}
	if k.Static == nil {
		for i := range k.net.used {
			n := k.net.used[i]
			if b := k.net.heldBy[n]; b >= 0 {
				to := k.held(b, n, 0)
				k.now.given[b] += float64(k.net.capacity[n] * (to - k.now.theta[n]))
				k.now.theta[n] = to
			}
		}
	}
	for _, n := range k.net.used {
		k.now.low, k.now.high = k.now.theta[n], k.now.theta[n]
		break
	}
	k.now.widen(&k.net, k, 0)
}

// ambient, gives and held are the values of the blocks.

func (k *Bodies) ambient(b int32, at float64) float64 { return k.blocks[b].ambient(at) - k.reference }

func (k *Bodies) gives(b int32, at float64) float64 { return k.blocks[b].gives(at) }

func (k *Bodies) held(b, n int32, at float64) float64 {
	return k.blocks[b].held(at, k.Mesh.X[k.VertexOf(nodes.Node(n))]) - k.reference
}

// split gives a node that has been split off another its temperature.
func (k *Bodies) split(of, added nodes.Node) {
	if k.stale = true; k.Stepping || k.N == 0 { // otherwise a state is being restored, which has them
		k.now.theta[added], k.now.rate[added] = k.now.theta[of], k.now.rate[of]
	}
}

// follow makes the network anew if vertices have split, and the free strains if a state has been
// read.
func (k *Bodies) follow() {
	if k.stale {
		k.connect()
	}
	if k.restored && k.beta != nil {
		for t, beta := range k.beta {
			k.swells(t, beta)
		}
		k.changed = true
	}
	k.restored = false
}

// factor returns the ratio of the time of heat to that of motion.
func (k *Bodies) factor() float64 {
	if k.Static != nil {
		return 1
	}
	return k.of.TimeFactor
}

// every is the least number of steps of heat in a run of motion, so that schedules have their
// course.
const every = 1000

// due tells whether a step of heat is due in motion, at a time of heat.
func (k *Bodies) due(at float64) bool {
	if at <= k.now.at {
		return false
	}
	end := float64(k.Duration * k.factor())
	return at-k.now.at >= float64(min(1/k.fastest, end/every)*(1-1e-9)) || k.Time >= float64(k.Duration*(1-1e-12))
}

// ApplyForces gives triangles the free strains of the temperatures at Time. In motion these are at
// most a step older.
func (k *Bodies) ApplyForces(commit bool) error {
	k.follow()
	if k.Static != nil {
		return k.balance(k.Time, commit)
	}
	if commit && k.changed {
		k.expand(&k.now, true)
		k.changed = false
	}
	return nil
}

// AfterForces records the work of expansion on laws, and advances the temperatures of motion, with
// contacts as they are at Time.
func (k *Bodies) AfterForces() {
	k.recordPush()
	at := float64(k.Time * k.factor())
	if k.Static != nil {
		k.meet()
		if k.tried { // another commit at this time keeps the heat of friction
			k.trial.copyFrom(&k.now)
		}
		return
	}
	if !k.due(at) {
		return
	}
	k.follow()
	k.meet()
	before := append(k.work.before[:0], k.now.given...)
	dt := at - k.now.at
	k.now.explicit(&k.net, k, at, 1/k.net.fastest(), &k.work)
	k.work.before = before
	k.now.powers(before, dt)
	k.changed = true
}

// powers sets the mean heat per time of the blocks since they had given what before says, a time dt ago;
// 0 if that is none.
func (s *state) powers(before []float64, dt float64) {
	for b := range before {
		s.power[b] = 0
		if dt > 0 {
			s.power[b] = (s.given[b] - before[b]) / dt
		}
	}
}

// balance is ApplyForces in a static analysis.
func (k *Bodies) balance(at float64, commit bool) error {
	if !k.tried || k.trial.at != at {
		k.trial.copyFrom(&k.now)
		if at > k.now.at || k.of.Steady {
			able := true
			if k.of.Steady {
				able = k.trial.steady(&k.net, k, at, &k.work, k.Mesh.X)
			} else {
				able = k.trial.implicit(&k.net, k, at, &k.work, k.Mesh.X)
			}
			if at > k.now.at { // else after a resume
				k.trial.powers(k.now.given, at-k.now.at)
			}
			if !able {
				return errors.New("heat: the matrix of conductances has no factor: conductivities and heat capacities are too far apart, or the mesh is too distorted")
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
	return k.finite()
}

// finite returns an error for temperatures that are no numbers.
func (k *Bodies) finite() error {
	for _, n := range k.net.used {
		if t := k.now.theta[n]; math.IsNaN(t) || math.IsInf(t, 0) {
			return fmt.Errorf("heat: the temperature of node %d is no longer a number", k.Mesh.NodeID[n])
		}
	}
	return nil
}

func (k *Bodies) Balance() error { return nil }

func (k *Bodies) StateParts() []system.Part {
	s := &k.now
	parts := []system.Part{
		{Name: "heat.temperature", Values: s.theta}, {Name: "heat.rate", Values: s.rate}, {Name: "heat.given", Values: s.given}, {Name: "heat.power", Values: s.power},
		{Name: "heat.time", Values: &s.at}, {Name: "heat.step", Values: &s.step}, {Name: "heat.low", Values: &s.low}, {Name: "heat.high", Values: &s.high},
		{Name: "heat.most", Values: &k.most}, {Name: "heat.frequency", Values: &k.frequency},
	}
	if k.push != nil {
		parts = append(parts, system.Part{Name: "heat.push", Values: k.push})
	}
	if k.beta != nil {
		parts = append(parts, system.Part{Name: "heat.strain", Values: k.beta})
	}
	if len(k.rubbed) > 0 {
		parts = append(parts, system.Part{Name: "heat.rubbed", Values: k.rubbed}, system.Part{Name: "heat.friction", Values: &k.friction})
	}
	return parts
}

// Recompute tells that a state has been read. The next evaluation follows it, when all vertices have
// been split again.
func (k *Bodies) Recompute() error {
	k.stale, k.restored, k.tried = true, true, false
	return nil
}

// Temperature returns the temperature of a node at Time [K].
func (k *Bodies) Temperature(n int32) float64 { return k.reference + k.now.theta[n] }

// Known tells whether the model has temperatures.
func (k *Bodies) Known() bool { return k.of != nil }

// inPlaneStrain tells whether bodies cannot strain out of the plane.
func (k *Bodies) inPlaneStrain() bool { return k.Plane == bulk.PlaneStrain }
