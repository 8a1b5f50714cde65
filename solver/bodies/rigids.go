package bodies

import (
	"fmt"
	"iter"
	"math"

	"fdem/contactnodes/motion"
	"fdem/materials/elementary"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Rigids are the rigid bodies. They are in contact through the nodes of their outlines. The contact
// forces on these nodes add up to a force and a moment. Leapfrog advances the centre and the angle,
// and the nodes follow. The velocities of the nodes are those of their displacements, for friction
// and the energy balance.
type Rigids struct {
	system.Idle
	system.View
	*ContactState
	*system.RigidState
	outlines    *Outlines
	Clear       *Clearances
	List        []rigid
	bodies      []motion.Body
	Pull        []float64       // per boundary edge: at the first edge of a body, the force on the body without contact [N]
	FirstStep   float64         // longest step for the first contacts of free bodies, unless straight [s]
	Straight    bool            // all contacts are between straight edges of rigid bodies
	Relaxes     bool            // bodies settle before the first step: steps need only be stable
	sources     []system.Source // per rigid body, of the work of its drive
	before      []float64       // of contact by impulses: angles at the start of the last step [rad]; nil for other contact
	pressed     []float64       // of contact by impulses: forces and moments in the last step, three per body
	ofNode      []int32         // likewise: the body of a node
	ofComponent []int32         // per connected component of the mesh: the rigid body, -1 for none
}

// rigid is a Rigid with its nodes.
type rigid struct {
	*models.Rigid
	*system.RigidMotion
	pull           *r2.Vec // force on it without contact, if it is free [N]
	Body           *mesh.Body
	Nodes          []int32
	arm            []r2.Vec        // from the centre to each node at the start [m]
	Far            float64         // greatest length of the arms [m]
	Inverse        float64         // 1/mass, 0 unless free [1/kg]
	InverseInertia float64         // 1/moment of inertia, 0 unless free [1/(kg m2)]
	PointForce     r2.Vec          // force that does not act on nodes [N]
	PointMoment    float64         // moment of that force about the centre [N m]
	firstStep      float64         // the longest step for its first contact [s]
	Couple         float64         // moment that acts on the body as a whole [N m]
	support        system.Reaction // reaction of its support or drive
	stiffness      [6]float64      // of contact, see contactnodes.PairStiffness.On
	damping        [6]float64      // damping of contact, likewise
}

// NewRigids makes the rigid bodies.
func NewRigids(f system.View, state *system.RigidState, contacts *ContactState, of *Outlines) *Rigids {
	k := &Rigids{View: f, RigidState: state, ContactState: contacts, outlines: of, FirstStep: math.Inf(1), ofComponent: make([]int32, f.Mesh.Components)}
	k.Clear = newClearances(f, of, k)
	k.RigidMotions, k.RigidPulls = make([]system.RigidMotion, len(k.Rigids)), make([]r2.Vec, len(k.Rigids))
	for i := range k.Mesh.Bodies {
		b := &k.Mesh.Bodies[i]
		if b.Kind != mesh.OfOutline {
			continue
		}
		k.sources = append(k.sources, k.Ledger.Source(fmt.Sprintf("rigid body %d", len(k.sources))))
		r := rigid{Rigid: &k.Rigids[b.Number], RigidMotion: &k.RigidMotions[b.Number], pull: &k.RigidPulls[b.Number], Body: b, Nodes: b.Nodes}
		for _, n := range r.Nodes {
			a := r2.Sub(k.Mesh.X[n], r.Rigid.Centre)
			r.arm, r.Far = append(r.arm, a), max(r.Far, elementary.Norm(a))
		}
		r.RigidMotion.Centre = r.Rigid.Centre
		if r.Mass > 0 {
			r.Inverse, r.InverseInertia = 1/r.Mass, 1/r.Inertia
		}
		if k.Static == nil {
			r.RigidMotion.Velocity, r.Spin = r.Rigid.Velocity, r.AngularVelocity
		}
		for j, n := range r.Nodes {
			a := r.arm[j]
			k.V[n] = r2.Vec{X: r.RigidMotion.Velocity.X - float64(r.Spin*a.Y), Y: r.RigidMotion.Velocity.Y + float64(r.Spin*a.X)}
		}
		r.support.Name = k.ReactionName(r.Name)
		k.ofComponent[k.Mesh.Edges[b.FirstEdge].Component] = int32(len(k.List))
		k.List = append(k.List, r)
	}
	return k
}

// mobility returns the greatest speed that a unit impulse gives to node k of
// the body [1/kg].
func (r *rigid) mobility(k int) float64 {
	a := r.arm[k]
	return r.Inverse + float64(r.InverseInertia*(float64(a.X*a.X)+float64(a.Y*a.Y)))
}

// ByImpulses leaves the motion of the bodies to contact by impulses. before has their angles at the start of
// the last step [rad], pressed the forces and moments of contact in it, three per body. Velocities are then those
// at Time.
func (k *Rigids) ByImpulses(before, pressed []float64) {
	k.before, k.pressed = before, pressed
	k.ofNode = make([]int32, len(k.X))
	for i := range k.List {
		for _, n := range k.List[i].Nodes {
			k.ofNode[n] = int32(i)
		}
	}
}

// Of returns the rigid body of a node of an outline.
func (k *Rigids) Of(node int32) int32 { return k.ofNode[node] }

// ProbedRigid is a rigid body that a probe observes: a particle as a disc, with contact by impulses.
type ProbedRigid struct {
	K *Rigids
	N int32
}

// Displacement returns the displacement of the centre [m].
func (p ProbedRigid) Displacement() r2.Vec {
	return r2.Sub(p.SpherePosition(), p.K.List[p.N].Rigid.Centre)
}

// SphereVelocity returns the velocity of the centre [m/s].
func (p ProbedRigid) SphereVelocity() r2.Vec { return p.K.List[p.N].RigidMotion.Velocity }

// SpherePosition returns the position of the centre [m].
func (p ProbedRigid) SpherePosition() r2.Vec { return p.K.List[p.N].RigidMotion.Centre }

// ContactForce returns the mean force of contact in the last step [N].
func (p ProbedRigid) ContactForce() r2.Vec {
	return r2.Vec{X: p.K.pressed[3*p.N], Y: p.K.pressed[3*p.N+1]}
}

// Rotation returns the angle [rad] and its rate [rad/s].
func (p ProbedRigid) Rotation() r2.Vec {
	m := p.K.List[p.N].RigidMotion
	return r2.Vec{X: m.Angle, Y: m.Spin}
}

// RecordDrive adds work of the drive of a body [J].
func (k *Rigids) RecordDrive(body int, work float64) { k.Ledger.Record(k.sources[body], work) }

// behind returns twice the time by which velocities are behind positions [s].
func (k *Rigids) behind() float64 {
	if k.before != nil {
		return 0
	}
	return k.Last
}

// StepSpin returns the mean spin of a body in the last step [rad/s].
func (k *Rigids) StepSpin(body int32) float64 {
	if m := k.List[body].RigidMotion; k.before != nil && k.Last > 0 {
		return (m.Angle - k.before[body]) / k.Last
	}
	return k.List[body].RigidMotion.Spin
}

func (k *Rigids) Name() string { return "rigid bodies" }

func (k *Rigids) NodesRead(func(n int32)) bool { return true }

// AddMobility sets the mobility of the nodes of the outlines.
func (k *Rigids) AddMobility(mobility []float64) {
	for i := range k.List {
		r := &k.List[i]
		for j, n := range r.Nodes {
			mobility[n] = r.mobility(j)
		}
	}
}

// ApplyForces sets the moments to zero. Other kinds add to them.
func (k *Rigids) ApplyForces(bool) error {
	for i := range k.List {
		k.List[i].Couple = 0
	}
	return nil
}

// resultant sums the forces on the nodes [N] and their moments about the
// centre [N m], and adds those of spheres and the weight.
func (r *rigid) resultant(of *Rigids) (f r2.Vec, moment float64) {
	for _, n := range r.Nodes {
		g, x, t := of.F[n], of.X[n], of.Listed.At(n)
		t[0] += g.X
		t[1] += g.Y
		t[2] += float64((x.X-r.RigidMotion.Centre.X)*g.Y) - float64((x.Y-r.RigidMotion.Centre.Y)*g.X)
	}
	sum := of.Listed.Sum()
	f.X = r.PointForce.X + sum[0] + float64(r.Mass*of.Motion.Gravity.X)
	f.Y = r.PointForce.Y + sum[1] + float64(r.Mass*of.Motion.Gravity.Y)
	moment = r.PointMoment + r.Couple + sum[2]
	return f, moment
}

// AfterForces finds the resultants and adds the drives' work in the last step to the ledger.
func (k *Rigids) AfterForces() {
	for i := range k.List {
		r := &k.List[i]
		p := r.RigidMotion
		f, moment := r.resultant(k)
		if r.Motion != nil {
			work := float64((p.Force.X+f.X)*p.Velocity.X) + float64((p.Force.Y+f.Y)*p.Velocity.Y) + float64((p.Moment+moment)*p.Spin)
			k.Ledger.Record(k.sources[i], -float64(0.5*k.Last*work))
		}
		p.Force, p.Moment = f, moment
		k.keepExternalLoad(r)
	}
}

// keepExternalLoad stores the force on a body without contact forces.
func (k *Rigids) keepExternalLoad(r *rigid) {
	if len(k.Pull) == 0 || r.Inverse == 0 {
		return
	}
	*r.pull = r2.Sub(r.RigidMotion.Force, r.PointForce)
	for _, n := range r.Nodes {
		*r.pull = r2.Sub(*r.pull, k.Contact.At(n).F)
	}
	k.passExternalLoad(r)
}

// passExternalLoad passes that force to the contacts.
func (k *Rigids) passExternalLoad(r *rigid) {
	k.Pull[r.Body.FirstEdge] = math.Sqrt(elementary.Dot(*r.pull, *r.pull))
}

// MoveBy takes the bodies from Time to Time + dt.
func (k *Rigids) MoveBy(kick, dt float64) {
	if k.before != nil {
		return
	}
	for i := range k.List {
		r := &k.List[i]
		p := r.RigidMotion
		switch {
		case r.Motion != nil:
			centre, angle := r.Motion(k.Time + dt)
			p.Velocity = r2.Vec{X: (centre.X - p.Centre.X) / dt, Y: (centre.Y - p.Centre.Y) / dt}
			p.Spin = (angle - p.Angle) / dt
			p.Centre, p.Angle = centre, angle
		case r.Inverse > 0:
			p.Velocity.X += float64(float64(kick*r.Inverse) * p.Force.X)
			p.Velocity.Y += float64(float64(kick*r.Inverse) * p.Force.Y)
			p.Spin += float64(float64(kick*r.InverseInertia) * p.Moment)
			p.Centre.X += float64(dt * p.Velocity.X)
			p.Centre.Y += float64(dt * p.Velocity.Y)
			p.Angle += float64(dt * p.Spin)
		default:
			continue
		}
		r.follow(k, dt)
	}
}

// Follow sets the positions and velocities of a body's nodes from its motion within dt.
func (k *Rigids) Follow(body int, dt float64) { k.List[body].follow(k, dt) }

// follow sets the positions of the nodes from the body's position and angle, and their velocities
// from their displacements within dt.
func (r *rigid) follow(of *Rigids, dt float64) {
	p := r.RigidMotion
	sin, cos := elementary.Sincos(p.Angle)
	for k, n := range r.Nodes {
		a, x := r.arm[k], of.X[n]
		of.X[n] = r2.Vec{
			X: p.Centre.X + (float64(cos*a.X) - float64(sin*a.Y)),
			Y: p.Centre.Y + (float64(sin*a.X) + float64(cos*a.Y)),
		}
		of.V[n] = r2.Vec{X: (of.X[n].X - x.X) / dt, Y: (of.X[n].Y - x.Y) / dt}
	}
}

// VelocityOf returns the velocities at Time, half a step after the velocities that led to the present
// position.
func (r *rigid) VelocityOf(last float64) (v r2.Vec, spin float64) {
	b := r.moving()
	return b.Ahead(last)
}

// moving returns the body's motion for contact.
func (r *rigid) moving() motion.Body {
	return motion.Body{Motion: *r.RigidMotion, InverseMass: r.Inverse, InverseInertia: r.InverseInertia}
}

func (k *Rigids) AddEnergies(e *system.Energies) {
	for i := range k.List {
		r := &k.List[i]
		if r.Inverse == 0 {
			continue
		}
		of := r.moving()
		e.Kinetic += r.kinetic(of.Ahead(k.behind()))
		e.Kick += of.Kick()
	}
}

// kinetic returns the kinetic energy of the body at a velocity and a spin [J].
func (r *rigid) kinetic(v r2.Vec, spin float64) float64 {
	return float64(0.5*r.Mass*(float64(v.X*v.X)+float64(v.Y*v.Y))) + float64(0.5*r.Inertia*spin*spin)
}

func (k *Rigids) Weights() (w nodes.Weight) {
	for i := range k.List {
		r := &k.List[i]
		w.Add(r.Mass, r2.Sub(r.RigidMotion.Centre, r.Rigid.Centre), k.Motion.Gravity)
	}
	return w
}

func (k *Rigids) StateParts() []system.Part {
	return []system.Part{{Name: "poses", Values: k.RigidMotions}, {Name: "pulls", Values: k.RigidPulls}}
}

func (k *Rigids) Recompute() error {
	for i := range k.List {
		if len(k.Pull) > 0 {
			k.passExternalLoad(&k.List[i])
		}
	}
	return nil
}

// Motions appends one motion for each group: its centre of mass, its mean velocity, and its angular
// momentum about the centre divided by the moment of inertia.
func (k *Rigids) Motions(out []system.BodyMotion) []system.BodyMotion {
	for first, end := range k.groups() {
		if end == first+1 {
			r := &k.List[first]
			v, spin := r.VelocityOf(k.behind())
			out = append(out, system.BodyMotion{Name: r.Name, Mass: r.Mass, Centre: r.RigidMotion.Centre, Velocity: v, AngularVelocity: spin, Momentum: r2.Scale(r.Mass, v), AngularMomentum: float64(r.Inertia * spin)})
			continue
		}
		out = append(out, k.together(k.List[first:end]))
	}
	return out
}

// together returns the motion of a group.
func (k *Rigids) together(group []rigid) system.BodyMotion {
	m := system.BodyMotion{Name: group[0].Group}
	for i := range group {
		r := &group[i]
		v, _ := r.VelocityOf(k.behind())
		share := 1 / float64(len(group)) // without masses, the mean of the centres
		if group[0].Mass > 0 {
			share = r.Mass
		}
		m.Mass += r.Mass
		m.Centre = elementary.Along(m.Centre, r.RigidMotion.Centre, share)
		m.Momentum = elementary.Along(m.Momentum, v, r.Mass)
	}
	if m.Mass == 0 {
		return m
	}
	m.Centre, m.Velocity = r2.Scale(1/m.Mass, m.Centre), r2.Scale(1/m.Mass, m.Momentum)
	turn, inertia := 0.0, 0.0
	for i := range group {
		r := &group[i]
		v, spin := r.VelocityOf(k.behind())
		arm := r2.Sub(r.RigidMotion.Centre, m.Centre)
		turn += float64(r.Inertia*spin) + float64(r.Mass*elementary.Cross(arm, r2.Sub(v, m.Velocity)))
		inertia += r.Inertia + float64(r.Mass*elementary.Dot(arm, arm))
	}
	m.AngularVelocity, m.AngularMomentum = turn/inertia, turn
	return m
}

// groups yields the ranges [first, end) of bodies that have a common motion.
func (k *Rigids) groups() iter.Seq2[int, int] {
	return func(yield func(first, end int) bool) {
		for first := 0; first < len(k.List); {
			end := first + 1
			for end < len(k.List) && k.List[end].Group != "" && k.List[end].Group == k.List[first].Group {
				end++
			}
			if !yield(first, end) {
				return
			}
			first = end
		}
	}
}

// Reactions yields the reactions of fixed and driven bodies. Bodies that a static analysis moves
// into balance have none.
func (k *Rigids) Reactions(each func(*system.Reaction)) {
	for i := range k.List {
		r := &k.List[i]
		if r.Mass > 0 {
			continue
		}
		of := &r.support
		*of = system.Reaction{Name: r.support.Name, Kind: "rigid", About: r.RigidMotion.Centre}
		var contact [3]float64
		if k.pressed != nil {
			contact = [3]float64(k.pressed[3*i:])
		}
		if !r.Released[0] {
			of.Hold.Force.X = 0 - r.RigidMotion.Force.X - contact[0]
		}
		if !r.Released[1] {
			of.Hold.Force.Y = 0 - r.RigidMotion.Force.Y - contact[1]
		}
		if !r.Released[2] {
			of.Hold.Moment = 0 - r.RigidMotion.Moment - contact[2]
		}
		each(of)
	}
}

func (k *Rigids) ContactMass() float64 {
	sum := 0.0
	for i := range k.List {
		r := &k.List[i]
		for _, n := range r.Nodes {
			if k.Contact.At(n).Stiffness > 0 {
				sum += r.Mass
				break
			}
		}
	}
	return sum
}

func (k *Rigids) Describe(out []system.Description) []system.Description {
	for first, end := range k.groups() {
		r := &k.List[first]
		edges, mass, inertia := 0, 0.0, 0.0
		lo, hi := r.Body.Extent(k.Mesh)
		for i := range k.List[first:end] {
			of := &k.List[first+i]
			low, high := of.Body.Extent(k.Mesh)
			lo, hi = r2.Vec{X: min(lo.X, low.X), Y: min(lo.Y, low.Y)}, r2.Vec{X: max(hi.X, high.X), Y: max(hi.Y, high.Y)}
			edges += int(of.Body.EndEdge - of.Body.FirstEdge)
			mass, inertia = mass+of.Mass, inertia+of.Inertia
		}
		d := system.Description{Kind: "rigid", Name: r.Name, Made: fmt.Sprintf("%d edges, %.4g mm by %.4g mm", edges, 1e3*(hi.X-lo.X), 1e3*(hi.Y-lo.Y)), Velocity: ""}
		if end > first+1 {
			d.Name, d.Made = r.Group, fmt.Sprintf("%d bodies, %s", end-first, d.Made)
		}
		switch {
		case r.Motion != nil:
			d.Made += ", driven"
		case mass > 0 && end > first+1:
			d.Made += fmt.Sprintf(", free, %.6g kg", mass)
			d.Velocity = "velocity"
		case mass > 0:
			d.Made += fmt.Sprintf(", free, %.6g kg, %.6g kg m2", mass, inertia)
			d.Velocity = "velocity"
		default:
			d.Made += ", fixed"
		}
		out = append(out, d)
	}
	return out
}

// Speed2 returns the square of the greatest speed of the centres [m2/s2].
func (k *Rigids) Speed2() float64 {
	most := 0.0
	for i := range k.RigidMotions {
		v := k.RigidMotions[i].Velocity
		most = max(most, float64(v.X*v.X)+float64(v.Y*v.Y))
	}
	return most
}

// IsDriven returns the greatest speed of a point of a driven body [m/s].
func (k *Rigids) IsDriven() float64 {
	fastest := 0.0
	for i := range k.List {
		r := &k.List[i]
		if r.Motion == nil {
			continue
		}
		fastest = max(fastest, elementary.Norm(r.RigidMotion.Velocity)+float64(math.Abs(r.Spin)*r.Far))
	}
	return fastest
}

// InMotion returns the motions of the bodies for spheres and volumetric contact.
func (k *Rigids) InMotion() []motion.Body {
	k.bodies = k.bodies[:0]
	for i := range k.List {
		k.bodies = append(k.bodies, k.List[i].moving())
	}
	return k.bodies
}

// Acceleration bounds the acceleration of the nodes of bodies that are free or fall [m/s2].
func (k *Rigids) Acceleration() float64 {
	most := elementary.Norm(k.Motion.Gravity)
	for i := range k.List {
		r := &k.List[i]
		if r.Inverse == 0 {
			continue
		}
		most = max(most, float64(r.Inverse*elementary.Norm(r.RigidMotion.Force))+float64(r.InverseInertia*math.Abs(r.RigidMotion.Moment)*r.Far))
	}
	return most
}

// AheadOf bounds the speed of driven bodies within the next step [m/s].
func (k *Rigids) AheadOf() float64 {
	most, dt := 0.0, float64(StepGrowth*k.Limit)
	for i := range k.List {
		r := &k.List[i]
		if r.Motion == nil {
			continue
		}
		centre, angle := r.Motion(k.Time + dt)
		displacement := elementary.Norm(r2.Sub(centre, r.RigidMotion.Centre)) + float64(math.Abs(angle-r.Angle)*r.Far)
		most = max(most, displacement/dt)
	}
	return most
}

// MakeStatic prepares the bodies for a static analysis, which has no inertia.
func (k *Rigids) MakeStatic() {
	for i := range k.List {
		k.List[i].Inverse, k.List[i].InverseInertia = 0, 0
	}
}

func (k *Rigids) Freedoms(f *system.Freedoms) {
	for i := range k.List {
		r := &k.List[i]
		own := [3]int32{-1, -1, -1}
		for j, free := range r.Released {
			if free || r.Inverse > 0 {
				own[j] = f.Next([3]float64{1, 1, r.Far}[j], [3]float64{r.Mass, r.Mass, r.Inertia}[j])
			}
		}
		for _, n := range r.Nodes {
			f.Moves[n], f.Body[n] = own, int32(i)
		}
	}
}

func (k *Rigids) Displace(f *system.Freedoms, from *system.Positions, by func(freedom int32) float64) {
	for i := range k.List {
		r := &k.List[i]
		m, q := &f.Moves[r.Nodes[0]], &from.Poses[i]
		r.RigidMotion.Centre = r2.Vec{X: q.Centre.X + by(m[0]), Y: q.Centre.Y + by(m[1])}
		r.RigidMotion.Angle = q.Angle + by(m[2])
		r.follow(k, 1)
	}
}

func (k *Rigids) Prescribe(*system.Freedoms) (moved bool) {
	for i := range k.List {
		r := &k.List[i]
		if r.Motion == nil {
			continue
		}
		was := *r.RigidMotion
		c, angle := r.Motion(k.Time)
		if !r.Released[0] {
			r.RigidMotion.Centre.X = c.X
		}
		if !r.Released[1] {
			r.RigidMotion.Centre.Y = c.Y
		}
		if !r.Released[2] {
			r.Angle = angle
		}
		if *r.RigidMotion != was {
			moved = true
			r.follow(k, 1)
		}
	}
	return moved
}

// Couples adds the moments on bodies that a static analysis may turn to its generalised forces [N m].
func (k *Rigids) Couples(f *system.Freedoms, r []float64) {
	for i := range k.List {
		b := &k.List[i]
		if m := f.Moves[b.Nodes[0]][2]; m >= 0 {
			r[m] += b.Couple
		}
	}
}

// Farthest calls the function with the outline nodes that are farthest from balance, on bodies that
// a static analysis may move, and with the forces on the bodies [N].
func (k *Rigids) Farthest(f *system.Freedoms, each func(node int32, force float64)) {
	for i := range k.List {
		r := &k.List[i]
		if f.Moves[r.Nodes[0]] == [3]int32{-1, -1, -1} {
			continue
		}
		worst, most := r.Nodes[0], 0.0
		for _, n := range r.Nodes {
			if g := elementary.Norm(k.F[n]); g > most {
				worst, most = n, g
			}
		}
		g, _ := r.resultant(k)
		each(worst, elementary.Norm(g))
	}
}
