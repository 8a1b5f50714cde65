package bodies

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fdem/fem"
	"fdem/materials/bulk"
	"fdem/materials/elementary"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/quantity"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Corotational Euler-Bernoulli beams (package fem) in time, with contact on their faces. Nodes of
// beams also have rotations: Theta and Spin in addition to X and V. Beams contact other bodies with
// their faces, which are half their height away from the line between their nodes. A node of a face
// moves and rotates with a node of the beams. A force on it acts as a force and a moment on that
// beam node, so linear and angular momentum are conserved.

// Beams are Euler-Bernoulli beams, with the additional values of their nodes.
type Beams struct {
	system.Idle
	*fem.Beams
	system.View
	omega2     float64   // bound of their highest squared frequency [1/s2]
	BeamNodes  []int32   // of all beams, ascending
	Inertia    []float64 // per node of the mesh [kg m2]
	faces      []face
	clamps     []clamp
	clampState clampState
	staged     []stagedBeam
	stages     system.Stages // of these
	held       float64       // increase of the squared frequency of triangles by clamped beams [1/s2]
	sum        []float64     // per node: sums of boundNodes
	bodies     []Body
}

// face is a node of a beam's face and the beam node that carries it.
type face struct {
	node, of int32
	at       int32  // the node at the position of the beam node, the beam node itself except at a hinge
	arm      r2.Vec // from the beam node to this node at the start [m]
}

// section returns the section of a beam of material m. In plane strain a beam is a strip of a
// plate. It bends and stretches without strain along its width, so its modulus is E/(1 - nu^2).
func section(b *models.Body, m bulk.Elastic, plane bulk.Plane) fem.Section {
	if plane == bulk.PlaneStrain {
		m.Young /= 1 - float64(m.Poisson*m.Poisson)
	}
	return fem.Rectangle(m, b.Width, b.Height)
}

// NewBeams makes the beams, adds their masses to those of triangles, and gives the nodes of their bodies the
// initial velocities.
func NewBeams(of system.View, solid *Continuum) (*Beams, error) {
	m, count := of.Model, len(of.Mesh.X)
	k := &Beams{View: of, Beams: &fem.Beams{}}
	if len(m.Mesh.Beams) == 0 {
		return k, nil
	}
	k.Inertia, k.sum = make([]float64, count), make([]float64, count)
	sections := make([]fem.Section, len(m.Bodies))
	kind := make([]int32, len(m.Mesh.Beams))
	for i, mb := range m.Mesh.Bodies[:len(m.Bodies)] {
		body := &m.Bodies[i]
		for e := mb.FirstBeam; e < mb.EndBeam; e++ {
			kind[e] = int32(i)
		}
		sections[i] = section(body, m.Materials[body.Material].Elastic, m.Plane)
	}
	used := sections[kind[0]:] // the entries of triangles come before those of beams
	for e := range kind {
		kind[e] -= int32(len(sections) - len(used))
	}
	var err error
	if k.Beams, err = fem.NewBeams(m.Mesh.X, m.Mesh.Beams, m.Mesh.BeamID, kind, used); err != nil {
		return nil, err
	}
	k.makeStages()
	k.addClamps()
	k.AddMasses(k.Mass, k.Inertia)
	k.addHinges()
	k.AddRotations()
	for n, j := range k.Inertia {
		if j > 0 {
			k.BeamNodes = append(k.BeamNodes, int32(n))
			k.InverseInertias[n] = 1 / j
		}
	}
	for i, n := range m.Mesh.Faces {
		node := m.Mesh.FirstFace + int32(i)
		k.faces = append(k.faces, face{node: node, of: n, at: m.Mesh.PositionNode(n), arm: r2.Sub(m.Mesh.X[node], m.Mesh.X[n])})
	}
	for _, b := range m.Mesh.Beams {
		k.RotationLength = max(k.RotationLength, elementary.Norm(r2.Sub(m.Mesh.X[b[1]], m.Mesh.X[b[0]])))
	}
	k.omega2 = k.MaxFrequencySquared(m.Mesh.X, k.Theta)
	k.holdClamps(solid.omega2)
	k.throw()
	return k, nil
}

// NodesRead names the nodes of the beams and the nodes whose rotation clamps follow. Nodes of faces
// and hinges come after the nodes of elements.
func (k *Beams) NodesRead(each func(n int32)) bool {
	for _, b := range k.Mesh.Beams {
		for _, n := range b {
			each(n)
			each(k.Mesh.PositionNode(n))
		}
	}
	for i := range k.clamps {
		for _, n := range k.clamps[i].near {
			each(n)
		}
	}
	return true
}

func (k *Beams) Empty() bool { return len(k.Mesh.Beams) == 0 }

func (k *Beams) Name() string { return "beams" }

// throw makes the bodies of beams and sets their initial velocities.
func (k *Beams) throw() {
	for i := range k.Model.Bodies {
		of := &k.Mesh.Bodies[i]
		if of.Kind != mesh.OfBeams {
			continue
		}
		b := newBody(k.Model, i, true)
		for e := of.FirstBeam; e < of.EndBeam; e++ {
			half, inertia := k.Lumped(int(e))
			for _, n := range k.Mesh.Beams[e] {
				b.add(n, half, inertia)
			}
		}
		b.start(k.Field, k.Analysis)
		k.bodies = append(k.bodies, b)
	}
}

// ApplyForces adds the internal forces of the beams and sets their moments. With commit beams and clamps
// come and go.
func (k *Beams) ApplyForces(commit bool) error {
	k.chooseStages(commit)
	if commit {
		k.stageClamps()
	}
	clear(k.Moment)
	if err := k.AddForces(k.F, k.Moment, k.X, k.Theta); err != nil {
		return err
	}
	k.fadeClamps(commit)
	if commit {
		k.advanceStages()
	}
	return nil
}

// AfterForces transfers the forces on nodes of the faces to the beam nodes.
func (k *Beams) AfterForces() {
	for i := range k.faces {
		f := &k.faces[i]
		g, x, c := k.F[f.node], k.X[f.node], k.X[f.of]
		k.F[f.of].X += g.X
		k.F[f.of].Y += g.Y
		k.Moment[f.of] += float64((x.X-c.X)*g.Y) - float64((x.Y-c.Y)*g.X) + k.Contact.Moment[f.node]
	}
	k.sumClamps()
	k.sumHinges()
}

// MoveBy advances the rotations of the nodes by one step, and moves the faces with them.
func (k *Beams) MoveBy(kick, dt float64) {
	for _, n := range k.BeamNodes {
		if k.Clamped != nil && k.Clamped[n] > 0 { // clamped: its rotation follows other nodes
			continue
		}
		k.Spin[n] += float64(float64(kick*k.InverseInertias[n]) * k.Moment[n])
		k.Theta[n] += float64(dt * k.Spin[n])
	}
	k.Follow(dt)
}

// Follow sets the positions of hinges and nodes of the faces from the beams. It sets their
// velocities from their displacements in the last dt; at the start dt is 0, and the velocities come
// from those of the beams.
func (k *Beams) Follow(dt float64) {
	k.joinHinges()
	k.rotateClamps(dt)
	sin, cos, of := 0.0, 0.0, int32(-1)
	for i := range k.faces {
		f := &k.faces[i]
		if f.of != of { // the nodes that one beam node carries are consecutive
			of = f.of
			sin, cos = elementary.Sincos(k.Theta[of])
		}
		a, c, x := f.arm, k.X[f.of], k.X[f.node]
		r := r2.Vec{X: float64(cos*a.X) - float64(sin*a.Y), Y: float64(sin*a.X) + float64(cos*a.Y)}
		k.X[f.node] = r2.Vec{X: c.X + r.X, Y: c.Y + r.Y}
		if dt == 0 {
			v, spin := k.V[f.of], k.Spin[f.of]
			k.V[f.node] = r2.Vec{X: v.X - float64(spin*r.Y), Y: v.Y + float64(spin*r.X)}
			continue
		}
		k.V[f.node] = r2.Vec{X: (k.X[f.node].X - x.X) / dt, Y: (k.X[f.node].Y - x.Y) / dt}
	}
}

// AddEnergies adds the strain energy of the beams and the kinetic energy of their rotation.
func (k *Beams) AddEnergies(e *system.Energies) {
	e.Strain += k.StrainEnergy(k.X, k.Theta)
	for _, n := range k.BeamNodes {
		spin, moment := k.NodeSpin(nodes.Node(n)), k.Moment[n]
		e.Kinetic += float64(0.5 * k.Inertia[n] * spin * spin)
		e.Kick += float64(0.125 * k.InverseInertias[n] * moment * moment)
	}
}

func (k *Beams) Motions(out []system.BodyMotion) []system.BodyMotion {
	return meshedMotions(k.Field, k.bodies, out)
}

// Where names the beam that limits the step.
func (k *Beams) Where(by system.Cause) string {
	if by.What != "beams" {
		return ""
	}
	return k.Element("beam", k.Fastest(k.Mesh.X, k.Theta), k.Mesh.BeamID, func(b *mesh.Body) (first, end int32) { return b.FirstBeam, b.EndBeam })
}

// Advice returns how steps can get longer.
func (k *Beams) Advice(by system.Cause) string {
	if by.What != "beams" {
		return ""
	}
	return "give its material a smaller Young's modulus, or the body longer elements"
}

func (k *Beams) Set() (of fem.Ends, elements int) { return k.Beams, len(k.Mesh.Beams) }

func (k *Beams) EachCount(each func(n int, of string)) { each(len(k.Mesh.Beams), "beam elements") }

func (k *Beams) Bytes() int { return 2600 * len(k.Mesh.Beams) }

func (k *Beams) Describe(out []system.Description) []system.Description {
	m := k.Mesh
	for i := range k.bodies {
		b := &k.bodies[i]
		of := &m.Bodies[b.Number]
		out = append(out, system.Description{Kind: "beam", Name: b.Name, Made: fmt.Sprintf("%d elements, %d nodes, %.6g mm long, %.4g mm wide and %.4g mm high, %.6g kg of %s%s",
			of.EndBeam-of.FirstBeam, len(of.Nodes), 1e3*m.Length(of), 1e3*b.Width, 1e3*b.Height, b.Total, k.Materials[b.Material].Name, k.joints(of)+k.notSlender(b, of)), Velocity: "velocity"})
	}
	return out
}

// joints describes how a body of beams is connected to others.
func (k *Beams) joints(of *mesh.Body) (text string) {
	m := k.Mesh
	solid := make([]bool, len(m.X))
	for _, t := range m.Triangles {
		solid[t[0]], solid[t[1]], solid[t[2]] = true, true, true
	}
	clamps, hinges, pins := 0, 0, 0
	for _, n := range m.PositionNodes(of) {
		switch {
		case k.Clamped != nil && k.Clamped[n] > 0:
			clamps++
		case solid[n]:
			hinges++
		}
		if slices.ContainsFunc(m.Hinges, func(h mesh.Hinge) bool { return h.Of == n }) {
			pins++
		}
	}
	for _, j := range []struct {
		n    int
		what string
	}{{clamps, "clamped to bodies"}, {hinges, "hinged to bodies"}, {pins, "with hinges between beams"}} {
		if j.n > 0 {
			text += fmt.Sprintf(", %s at %d nodes", j.what, j.n)
		}
	}
	return strings.ReplaceAll(text, "at 1 nodes", "at 1 node")
}

// Shear increases the deflection of a beam between two clamps by 12 EI/(k G A L^2) relative to
// bending, with k = 5/6 and Poisson's ratio 0.3 (Timoshenko). Beams shorter than this many heights
// get a note about it.
const (
	slender  = 10
	shearing = 3.1 // increase times (length/height)^2
)

// notSlender describes the effect of shear on the shortest part of a body of beams, "" if the body
// is slender.
func (k *Beams) notSlender(b *Body, of *mesh.Body) string {
	m := k.Mesh
	components := mesh.NewConnected(len(m.X))
	for _, n := range m.Beams[of.FirstBeam:of.EndBeam] {
		components.Join(n[0], n[1])
	}
	length := make([]float64, len(m.X))
	for _, n := range m.Beams[of.FirstBeam:of.EndBeam] {
		length[components.First(n[0])] += elementary.Norm(r2.Sub(m.X[n[1]], m.X[n[0]]))
	}
	shortest := math.Inf(1)
	for _, l := range length {
		if l > 0 {
			shortest = min(shortest, l)
		}
	}
	if shortest >= slender*b.Height {
		return ""
	}
	return fmt.Sprintf("; %.3g heights long: shear, which Euler and Bernoulli leave out, would add up to %.2g %% to its bending", shortest/b.Height, 100*shearing*b.Height*b.Height/(shortest*shortest))
}

// mobility returns the greatest speed that a unit impulse gives to a node of a
// face [1/kg].
func (k *Beams) mobility(f *face) float64 {
	w, a := k.Inverse(f.at), f.arm
	return max(w.X, w.Y) + float64(k.InverseInertia(nodes.Vertex(f.of))*(float64(a.X*a.X)+float64(a.Y*a.Y)))
}

// AddMobility sets the mobility of the nodes of the faces.
func (k *Beams) AddMobility(mobility []float64) {
	for i := range k.faces {
		f := &k.faces[i]
		mobility[f.node] = k.mobility(f)
	}
}

func (k *Beams) Bound(b *system.Bounds) {
	b.Elements.Of += k.held // increase of the frequency by clamped beams at nodes that triangles share
	b.Elements.Raise(k.omega2, system.Cause{What: "beams"})
	stiffness, at := k.greatestFrequency(false)
	b.Stiffness.Raise(stiffness, system.Cause{What: AtNode, At: at})
	damping, at := k.greatestFrequency(true)
	b.Damping.Raise(damping, system.Cause{What: AtNode, At: at})
}

// greatestFrequency returns the greatest value over the nodes of the beams of a sum: over a node
// and the nodes of its faces, the contact's stiffness divided by the mass that it moves. This
// bounds the squared frequency [1/s2]. With damping it returns the same for the contact's damping
// [1/s]. It also returns the node.
func (k *Beams) greatestFrequency(damping bool) (greatest float64, at int32) {
	of := func(n int32) float64 {
		on := k.Contact.At(n)
		if damping {
			return on.Damping
		}
		return on.Stiffness
	}
	for _, n := range k.BeamNodes {
		n = k.Mesh.PositionNode(n)
		k.sum[n] = float64(of(n) * max(k.Inverse(n).X, k.Inverse(n).Y))
	}
	for i := range k.faces {
		f := &k.faces[i]
		k.sum[f.at] += float64(of(f.node) * k.mobility(f))
	}
	for _, n := range k.BeamNodes {
		if n = k.Mesh.PositionNode(n); k.sum[n] > greatest {
			greatest, at = k.sum[n], n
		}
	}
	return greatest, at
}

func (k *Beams) Freedoms(f *system.Freedoms) {
	k.freeHinges(f)
	k.freeClamps(f)
	for _, c := range k.faces {
		m := f.Moves[c.of]
		f.Moves[c.node], f.Of[c.node] = [3]int32{m[0], m[1], f.Rotation[c.of]}, c.of
	}
}

func (k *Beams) Displace(*system.Freedoms, *system.Positions, func(int32) float64) { k.Follow(1) }

func (k *Beams) Prescribe(*system.Freedoms) bool {
	k.Follow(1)
	return false
}

func (k *Beams) AddStiffness(p *fem.Pattern, value []float64) {
	p.AddBeams(value, k.Beams, k.X, k.Theta)
}

var (
	ofLeast    = quantity.Must(quantity.Body, "axial_force_min")
	ofGreatest = quantity.Must(quantity.Body, "axial_force_max")
	ofBending  = quantity.Must(quantity.Body, "bending_moment_max")
	ofUse      = quantity.Must(quantity.Body, "utilisation")
)

// extremes are the greatest forces of a body of beams.
type extremes struct {
	least, greatest, bending, utilisation float64
}

// eachExtremes calls the function with every body of beams and its greatest forces at Time.
func (k *Beams) eachExtremes(do func(b *Body, x extremes)) {
	forces := make([]fem.BeamForces, len(k.Mesh.Beams))
	k.ForcesNow(forces)
	for i := range k.bodies {
		b := &k.bodies[i]
		of, m := &k.Mesh.Bodies[b.Number], &k.Model.Bodies[b.Number]
		x := extremes{least: math.Inf(1), greatest: math.Inf(-1)}
		for _, f := range forces[of.FirstBeam:of.EndBeam] {
			x.least, x.greatest = min(x.least, f.N), max(x.greatest, f.N)
			x.bending = max(x.bending, math.Abs(f.MA), math.Abs(f.MB))
			x.utilisation = max(x.utilisation, f.Utilisation(m.Width, m.Height, m.Strength))
		}
		do(b, x)
	}
}

// Columns calls the function with the columns of a row of the history: the least and the greatest axial force [N],
// positive in tension, and the greatest size of a moment at the ends of beams [Nm] in each body of beams at Time;
// with a strength, also the greatest stress over it.
func (k *Beams) Columns(each func(c quantity.Column, v float64)) {
	k.eachExtremes(func(b *Body, x extremes) {
		each(quantity.Column{Quantity: ofLeast, Owner: b.Name}, x.least)
		each(quantity.Column{Quantity: ofGreatest, Owner: b.Name}, x.greatest)
		each(quantity.Column{Quantity: ofBending, Owner: b.Name}, x.bending)
		if k.Model.Bodies[b.Number].Strength[0] > 0 {
			each(quantity.Column{Quantity: ofUse, Owner: b.Name}, x.utilisation)
		}
	})
}

// Overloaded returns a line about the bodies of beams whose fibres are beyond their strength at Time, "" for none.
func (k *Beams) Overloaded() string {
	var out []string
	k.eachExtremes(func(b *Body, x extremes) {
		if x.utilisation > 1 {
			out = append(out, fmt.Sprintf("%q to %.3g times", b.Name, x.utilisation))
		}
	})
	if out == nil {
		return ""
	}
	return "beams are loaded beyond their strength at the end: " + strings.Join(out, ", ") + ". They are elastic, and nothing breaks"
}

// ForcesNow fills out, one value per beam, with the forces at Time.
func (k *Beams) ForcesNow(out []fem.BeamForces) {
	if !k.Empty() {
		k.Beams.Forces(k.X, k.Theta, out)
	}
}
