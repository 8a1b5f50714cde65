package cracks

import (
	"cmp"
	"slices"

	"fdem/contactnodes/motion"
	"fdem/fem"
	"fdem/materials/elementary"
	"fdem/solver/bodies"
	"fdem/solver/constraints"
	"fdem/solver/contacts"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/quantity"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// excavations remove bodies, as in the excavation of a tunnel. From its time on a body carries no
// load and has no weight. The nodes that it shares with others get its former forces instead, which
// fade. At that instant the acceleration of these nodes does not change. For a force F on a node of
// mass m, the remaining mass m' needs the force m'/m F. The fading force is the difference between
// that and the forces of the other bodies.
//
// The energy of the body and the work of the fading forces are in one column of the ledger.
type excavations struct {
	system.Idle
	system.View
	triangles     *bodies.Continuum
	contacts      *contacts.Contacts
	drives        *constraints.Drives
	breaking      *Breaking
	onExcavated   func() // tells the run that a body has been excavated
	list          []excavation
	removedEnergy float64 // energy of the excavated bodies minus the work of the fading forces [J]

	// For the step of an excavation: nodes on which contacts of the excavated bodies acted, and
	// these forces, x and y [N].
	met         []int32
	carriedLoad []float64
}

// excavation is an Excavation with its nodes.
type excavation struct {
	*models.Excavation
	nodes []int32
	mass  []float64 // mass of the body at each of them [kg]
	begun float64   // 1 from the excavation on
	push  []r2.Vec  // former force of the body on each node [N]
	force []r2.Vec  // the fading force at Time [N]
}

// newExcavations makes the excavations. left tells the run that a body has been excavated.
func newExcavations(of system.View, t *bodies.Continuum, c *contacts.Contacts, d *constraints.Drives, breaking *Breaking, left func()) *excavations {
	k := &excavations{View: of, triangles: t, contacts: c, drives: d, breaking: breaking, onExcavated: left}
	for i := range k.Excavations {
		x := excavation{Excavation: &k.Excavations[i]}
		of := &k.Mesh.Bodies[x.Body]
		index := map[int32]int{} // looked up, never iterated
		for _, n := range of.Nodes {
			index[n] = len(x.nodes)
			x.nodes = append(x.nodes, n)
		}
		x.mass, x.push, x.force = make([]float64, len(x.nodes)), make([]r2.Vec, len(x.nodes)), make([]r2.Vec, len(x.nodes))
		for t := of.First; t < of.End; t++ {
			third := k.triangles.CornerMass(int(t))
			for _, n := range k.Mesh.Triangles[t] {
				x.mass[index[n]] += third
			}
		}
		k.list = append(k.list, x)
	}
	slices.SortStableFunc(k.list, func(p, q excavation) int { return cmp.Compare(p.At, q.At) }) // in the order of excavation: masses are updated by differences
	if len(k.list)*len(c.Surfaces) > 0 {
		c.Outlines.MayTransfer()
	}
	return k
}

func (k *excavations) Empty() bool { return len(k.list) == 0 }

func (k *excavations) Name() string { return "excavations" }

// NodesRead names the nodes that excavated bodies share with others, and the nodes of triangles that
// they expose. At an excavation afterForces gets all nodes.
func (k *excavations) NodesRead(each func(n int32)) bool {
	for i := range k.list {
		if x := &k.list[i]; x.begun != 0 {
			k.readBeside(x, i, each)
		}
	}
	return true
}

// readBeside is follows for one body.
func (k *excavations) readBeside(x *excavation, i int, each func(n int32)) {
	for _, n := range x.nodes {
		if k.Mass[n] > 0 {
			each(n)
		}
	}
	k.breaking.Faces.readWalls(i, each)
}

// ApplyForces adds the fading forces of excavated bodies and records their work.
func (k *excavations) ApplyForces(commit bool) error {
	for i := range k.list {
		x := &k.list[i]
		if x.begun == 0 {
			continue
		}
		fade := x.Fade(k.Time - x.At)
		power := 0.0
		for j, n := range x.nodes {
			if x.push[j] == (r2.Vec{}) || k.Mass[n] == 0 { // only the removed body had the node, or the other body has been excavated too
				continue
			}
			f := r2.Vec{X: float64(fade * x.push[j].X), Y: float64(fade * x.push[j].Y)}
			v := k.StepVelocity(nodes.Vertex(n))
			k.AddForce(nodes.Vertex(n), f)
			if commit {
				was := x.force[j]
				power += float64(v.X*(was.X+f.X)) + float64(v.Y*(was.Y+f.Y))
				x.force[j] = f
			}
		}
		if commit {
			k.removedEnergy -= float64(0.5 * k.Last * power)
		}
	}
	if commit {
		power := 0.0 // power in the second half of their last step
		for j, n := range k.met {
			power += float64(k.V[n].X*k.carriedLoad[2*j]) + float64(k.V[n].Y*k.carriedLoad[2*j+1])
		}
		k.met, k.carriedLoad = k.met[:0], k.carriedLoad[:0]
		k.removedEnergy -= float64(0.5 * k.Last * power)
	}
	return nil
}

// AfterForces excavates the bodies whose time has come, once all forces are known.
func (k *excavations) AfterForces() {
	for i := range k.list {
		switch x := &k.list[i]; {
		case x.begun != 0 || !k.Stepping || k.Time < x.At:
		case k.Static != nil:
			k.removeInBalance(x)
		default:
			k.breaking.exchange.GetAllNodes()
			k.endContacts(x)
			k.removeBody(x)
		}
	}
}

// endContacts ends all contacts of a body at once, so that bodies on it fall.
func (k *excavations) endContacts(x *excavation) {
	met, force, stored, err := k.contacts.ReleaseBody(x.Body)
	if err != nil {
		return // the next step reports the error
	}
	k.removedEnergy += stored
	index := make(map[int32]int, len(x.nodes)) // looked up, never iterated
	for j, n := range x.nodes {
		index[n] = j
	}
	for i, n := range met {
		f := force[i]
		if j, own := index[n]; own {
			x.push[j] = f
			continue
		}
		k.met, k.carriedLoad = append(k.met, n), append(k.carriedLoad, f.X, f.Y)
	}
}

// removeBody removes a body.
func (k *excavations) removeBody(x *excavation) {
	own := k.forcesOf(x)
	alpha, weight := k.Model.Damping.Mass, 0.0
	for j, n := range x.nodes {
		part, m := x.mass[j], k.Mass[n]
		v, f, b := k.NodeVelocity(nodes.Node(n)), k.Force(nodes.Node(n)), own[n]
		all := f
		v = k.drives.Undriven(n, v) // a drive has given the node its energy, and takes it back
		k.removedEnergy += float64(0.5 * part * (float64(v.X*v.X) + float64(v.Y*v.Y)))
		displacement := r2.Vec{X: k.X[n].X - k.Mesh.X[n].X, Y: k.X[n].Y - k.Mesh.X[n].Y}
		weight += float64(part * (float64(k.Motion.Gravity.X*displacement.X) + float64(k.Motion.Gravity.Y*displacement.Y)))
		rest := k.remainingMass(n, part)
		if k.Motion.Damping != nil { // work of the last half step
			d := k.Motion.Damping[n]
			k.Ledger.Damping -= float64(0.5 * k.Last * (1 - rest/m) * (float64(d.X*k.V[n].X) + float64(d.Y*k.V[n].Y)))
		}
		if rest == 0 {
			k.drives.FinishNode(n)
			x.push[j] = r2.Vec{}
			continue
		}
		drag := alpha * part
		b.X += float64(part*k.Motion.Gravity.X) - float64(drag*k.V[n].X)
		b.Y += float64(part*k.Motion.Gravity.Y) - float64(drag*k.V[n].Y)
		scale := r2.Vec{X: rest / m, Y: rest / m}
		if k.Inverse(n).X == 0 { // the support carries the former force
			scale.X = 1
		}
		if k.Inverse(n).Y == 0 {
			scale.Y = 1
		}
		f = r2.Vec{X: float64(scale.X * f.X), Y: float64(scale.Y * f.Y)}
		met := r2.Vec{X: float64(scale.X * x.push[j].X), Y: float64(scale.Y * x.push[j].Y)}
		if met != (r2.Vec{}) {
			k.met, k.carriedLoad = append(k.met, n), append(k.carriedLoad, met.X, met.Y)
		}
		x.push[j] = r2.Vec{X: f.X - met.X - (all.X - x.push[j].X - b.X), Y: f.Y - met.Y - (all.Y - x.push[j].Y - b.Y)}
		k.F[n] = r2.Vec{X: f.X - float64(rest*k.Motion.Gravity.X), Y: f.Y - float64(rest*k.Motion.Gravity.Y)}
		if k.Motion.Damping != nil {
			d := &k.Motion.Damping[n]
			*d = r2.Vec{X: float64(rest / m * d.X), Y: float64(rest / m * d.Y)}
			k.F[n] = r2.Vec{X: k.F[n].X - d.X, Y: k.F[n].Y - d.Y}
		}
	}
	copy(x.force, x.push)
	k.Ledger.Loads += weight // of the removed mass; the other work of weight follows from the remaining masses
	k.takeEnergy(x)
}

// forcesOf returns the forces of the triangles of a body on its nodes [N]. They are looked up, never
// iterated.
func (k *excavations) forcesOf(x *excavation) map[int32]r2.Vec {
	of, own := &k.Mesh.Bodies[x.Body], make(map[int32]r2.Vec, len(x.nodes))
	for t := of.First; t < of.End; t++ {
		f := k.triangles.CornerForces(int(t), k.X)
		if p := k.triangles.PorePressure; p != nil {
			k.addPush(&f, k.Mesh.Triangles[t], p[t])
		}
		for c, n := range k.Mesh.Triangles[t] {
			own[n] = r2.Vec{X: own[n].X + f[c].X, Y: own[n].Y + f[c].Y}
		}
	}
	return own
}

// addPush adds the forces of a pressure in a triangle to those of its corners.
func (k *excavations) addPush(f *[3]r2.Vec, n [3]int32, pressure float64) {
	half := float64(0.5 * k.Thickness * pressure)
	for c := range f {
		f[c] = r2.Add(f[c], fem.PushOnCorner(half, k.X[n[(c+1)%3]], k.X[n[(c+2)%3]]))
	}
}

// takeEnergy removes a body from the model, and its energy from the ledger.
func (k *excavations) takeEnergy(x *excavation) {
	before := k.triangles.Energies(k.X)
	k.updateModel(x)
	after := k.triangles.Energies(k.X)
	k.removedEnergy += before[0] - after[0]
	k.triangles.Gone += before[1] - after[1]
	k.triangles.Flowed += before[2] - after[2]
}

// removeInBalance removes a body from a static analysis, at the end of an increment. What its triangles
// and its weight did goes on as forces and fades, so that balance is as it was.
func (k *excavations) removeInBalance(x *excavation) {
	own, g := k.forcesOf(x), r2.Scale(k.ShareOfWeight(k.IsStressed(x.Body), k.Time), k.Model.Gravity)
	for j, n := range x.nodes {
		x.push[j] = elementary.Along(own[n], g, x.mass[j])
	}
	copy(x.force, x.push)
	k.takeEnergy(x)
}

// Stop holds the nodes that excavated bodies leave without mass.
func (k *excavations) Stop(f *system.Freedoms) {
	for i := range k.list {
		if x := &k.list[i]; x.begun != 0 {
			for _, n := range x.nodes {
				gone := k.Mass[n] == 0
				f.Stop(n, gone, gone, gone)
			}
		}
	}
}

// remainingMass returns the mass of a node after the removal of a part [kg], 0 if the rest is only
// rounding.
func (k *excavations) remainingMass(n int32, part float64) float64 {
	const rounding = 1e-9
	if rest := k.Mass[n] - part; rest > rounding*part {
		return rest
	}
	return 0
}

// updateModel removes the body from the model.
func (k *excavations) updateModel(x *excavation) {
	of := &k.Mesh.Bodies[x.Body]
	k.triangles.Remove(int(of.First), int(of.End))
	for j, n := range x.nodes {
		rest := k.remainingMass(n, x.mass[j])
		k.Mass[n] = rest
		if rest == 0 {
			k.Held[n], k.V[n], k.F[n] = motion.HeldX|motion.HeldY, r2.Vec{}, r2.Vec{}
			if k.Motion.Damping != nil {
				k.Motion.Damping[n] = r2.Vec{}
			}
		}
	}
	for j := range k.triangles.MeshedBodies {
		if b := &k.triangles.MeshedBodies[j]; b.Number == int(x.Body) {
			b.Nodes, b.Mass, b.Total = nil, nil, 0
		}
	}
	x.begun = 1
	k.breaking.cracks.excavate(of)
	k.breaking.adapting.Excavate(x.Body)
	k.contacts.EndContacts(x.Body)
	k.onExcavated()
	k.breaking.exchange.Follow(func(each func(n int32)) {
		k.readBeside(x, slices.IndexFunc(k.list, func(o excavation) bool { return o.Excavation == x.Excavation }), each)
	})
}

func (k *excavations) AddEnergies(e *system.Energies) { e.Excavated += k.removedEnergy }

var ofRelaxation = quantity.Must(quantity.Body, "relaxation")

// columns calls the function with the share of the forces of each excavated body that has faded.
func (k *excavations) columns(each func(c quantity.Column, v float64)) {
	for i := range k.list {
		x, share := &k.list[i], 0.0
		if x.begun != 0 {
			share = 1 - x.Fade(k.Time-x.At)
		}
		each(quantity.Column{Quantity: ofRelaxation, Owner: x.Name}, share)
	}
}

func (k *excavations) StateParts() []system.Part {
	parts := []system.Part{{Name: "excavated", Values: &k.removedEnergy}, {Name: "excavated.met", Values: &k.met}, {Name: "excavated.borne", Values: &k.carriedLoad}}
	for i := range k.list {
		x := &k.list[i]
		parts = append(parts, system.Part{Name: "excavated.begun." + x.Name, Values: &x.begun}, system.Part{Name: "excavated.push." + x.Name, Values: x.push}, system.Part{Name: "excavated.force." + x.Name, Values: x.force})
	}
	return parts
}

// Recompute removes the bodies that are excavated in the state.
func (k *excavations) Recompute() error {
	for i := range k.list {
		if x := &k.list[i]; x.begun != 0 {
			k.updateModel(x)
		}
	}
	return nil
}

// isExcavated tells whether a body has been excavated.
func (k *excavations) isExcavated(body int32) bool {
	return slices.ContainsFunc(k.list, func(x excavation) bool { return x.Body == body && x.begun != 0 })
}

// Excavated tells for every triangle whether it has been excavated; nil for a model without
// excavations.
func (k *Breaking) Excavated() []bool {
	var out []bool
	for i := range k.excavations.list {
		if out == nil {
			out = make([]bool, len(k.Mesh.Triangles))
		}
		x := &k.excavations.list[i]
		for t := k.Mesh.Bodies[x.Body].First; t < k.Mesh.Bodies[x.Body].End; t++ {
			out[t] = x.begun != 0
		}
	}
	return out
}
