package particles

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fdem/contactnodes/motion"
	"fdem/contactnodes/spheres"
	"fdem/materials/elementary"
	bodiess "fdem/solver/bodies"
	"fdem/solver/contacts"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"
	"fdem/solver/threads"

	"gonum.org/v1/gonum/spatial/r2"
)

// Inertia returns the moment of inertia of a sphere about its centre [kg m2].
func Inertia(mass, radius float64) float64 { return float64(0.4 * mass * radius * radius) }

// Balls are the spheres. They contact one another and rigid bodies at points.
type Balls struct {
	system.Idle
	*spheres.Spheres
	view                        system.View
	given                       *models.Particles
	bodies                      *bodiess.Rigids
	breaking                    contacts.Broken
	kept                        spheres.PairMemories   // memories of pairs, for parts and restore
	smallest                    float64                // radius [m]
	outline                     sphereOutline          // outlines of bodies with elements
	Far                         bodiess.ClearanceState // clearance of spheres from one another and from other bodies; none if the step is fixed
	impactSpeed                 float64                // the speed of the predicted impacts below [m/s]
	impactOmega2, impactDamping float64                // of predicted impacts [1/s2], [1/s]
	nearStep                    float64                // step that impacts allow at any clearance [s]
}

// NewSpheres makes the spheres and adds them to the rigid bodies. mobility is that of the nodes
// [1/kg].
func NewSpheres(of system.View, p *models.Particles, bodies *bodiess.Rigids, mobility []float64) *Balls {
	k := &Balls{view: of, given: p, bodies: bodies, breaking: contacts.Whole{}}
	n := len(p.X)
	if n == 0 {
		return k
	}
	c := spheres.Config{
		Radius: p.Radius, InverseMass: make([]float64, n), InverseInertia: make([]float64, n),
		Kind: p.Kind, Kinds: p.Kinds, RuleOf: p.RuleOf, Interactions: len(p.Interactions), Generic: of.Generic,
	}
	v, spin := make([]r2.Vec, n), make([]float64, n)
	for i, m := range p.Mass {
		if m > 0 {
			c.InverseMass[i], c.InverseInertia[i] = 1/m, 1/Inertia(m, p.Radius[i])
			v[i], spin[i] = p.V[i], p.Spin[i]
		}
	}
	nodes := make([][]r2.Vec, len(bodies.List))
	for i := range bodies.List {
		r := &bodies.List[i]
		w := spheres.Wall{Kind: p.RigidKind[i], Radius: of.Mesh.Edges[r.Body.FirstEdge].Radius, Nodes: 1, Free: r.Inverse > 0}
		nodes[i] = []r2.Vec{r.Rigid.Centre}
		if w.Radius == 0 {
			w.Nodes, nodes[i] = len(r.Nodes), nil
			for _, k := range r.Nodes {
				nodes[i] = append(nodes[i], of.Mesh.X[k])
			}
			for _, e := range of.Mesh.Edges[r.Body.FirstEdge:r.Body.EndEdge] {
				w.Edges = append(w.Edges, [2]int32{e.A - r.Nodes[0], e.B - r.Nodes[0]})
			}
		}
		c.Walls = append(c.Walls, w)
	}
	k.outline = newSphereOutline(of, p, &c, mobility)
	k.Spheres, k.smallest = spheres.New(c, p.X, v, spin, nodes, 0), slices.Min(p.Radius)
	if of.FixedStep == 0 {
		k.Far = bodiess.NewClearances(2)
	}
	k.PredictImpacts(p.Predicted)
	return k
}

// Break adds the bodies that break.
func (k *Balls) Break(b contacts.Broken) { k.breaking = b }

// NodesRead tells that spheres contact outlines and cracks, whose nodes other kinds name.
func (k *Balls) NodesRead(func(n int32)) bool { return true }

func (k *Balls) Empty() bool { return len(k.given.X) == 0 }

func (k *Balls) Name() string { return "particles" }

// ApplyForces evaluates the contacts of spheres at Time.
func (k *Balls) ApplyForces(bool) error {
	k.breaking.Prepare() // before the forces of contacts
	k.close()
	for i := range k.bodies.List {
		r := &k.bodies.List[i]
		nodes := k.Nodes(i)
		if k.Walls[i].Radius != 0 {
			nodes[0] = r.RigidMotion.Centre
		} else {
			copy(nodes, k.view.X[r.Nodes[0]:])
		}
	}
	k.Follow()
	err := k.Evaluate(k.bodies.InMotion(), k.view.Motion.Gravity, k.view.Last, k.view.N)
	if k.view.Timer.On {
		k.count()
	}
	for i := range k.bodies.List {
		k.bodies.List[i].PointForce, k.bodies.List[i].PointMoment = k.WallForce[i], k.WallMoment[i]
	}
	k.pressNodes()
	k.sumClosedCracks()
	return k.namePenetrated(err)
}

// count reports the numbers of pairs.
func (k *Balls) count() {
	near, looked := k.Counts()
	touching := int64(0)
	for i := range k.Interaction {
		touching += k.Interaction[i].Active
	}
	k.view.Timer.Count("pairs of particles near one another", near)
	k.view.Timer.Count("pairs of particles looked at", looked)
	k.view.Timer.Count("pairs of particles that touch", int(touching))
}

func (k *Balls) Balance() error {
	return errors.New("particles have no static analysis: what holds them together is their motion; run the model in time, with damping")
}

func (k *Balls) Overlap(evaluated bool) error {
	if !evaluated {
		if err := k.namePenetrated(k.Inside()); err != nil {
			return err
		}
	}
	if n, d := k.Overlapping(contacts.ContactRounding); !evaluated && n > 0 {
		return &ParticleOverlapError{n, d}
	}
	return nil
}

func (k *Balls) EachCount(each func(n int, of string)) {
	each(len(k.given.X), "particles")
}

func (k *Balls) Describe(out []system.Description) []system.Description {
	p := k.given
	for _, g := range p.Groups {
		radii := p.Radius[g.First:g.End]
		low, high := slices.Min(radii), slices.Max(radii)
		size := fmt.Sprintf("radius %.4g mm", 1e3*low)
		if high > low {
			size = fmt.Sprintf("radii %.4g to %.4g mm", 1e3*low, 1e3*high)
		}
		mass := 0.0
		for _, m := range p.Mass[g.First:g.End] {
			mass += m
		}
		d := system.Description{Kind: "particles", Name: g.Name, Made: fmt.Sprintf("%d, %s, held", g.End-g.First, size), Velocity: ""}
		if mass > 0 {
			d.Made, d.Velocity = fmt.Sprintf("%d, %s, %.6g kg", g.End-g.First, size, mass), "mean velocity"
			if g.End-g.First == 1 {
				d.Velocity = "velocity"
			}
		}
		out = append(out, d)
	}
	return out
}

func (k *Balls) Extent(each func(position r2.Vec, diameter float64)) {
	p := k.given
	for i, x := range p.X {
		each(x, 2*p.Radius[i])
	}
}

func (k *Balls) Bytes() int { return 5500 * len(k.X) } // with the pairs that are near

func (k *Balls) StateParts() []system.Part {
	p := k.Spheres
	k.kept = p.Memories()
	parts := []system.Part{
		{Name: "particle.positions", Values: p.X[:len(p.V)]}, {Name: "particle.velocities", Values: p.V}, {Name: "particle.angles", Values: p.Angle}, {Name: "particle.spins", Values: p.Spin},
		{Name: "particle.forces", Values: p.F}, {Name: "particle.moments", Values: p.Moment},
		{Name: "particle.foreseen", Values: &p.PredictedSpeed}, {Name: "particle.clearance", Values: k.Far.Clearances}, {Name: "particle.clearance.measured", Values: k.Far.Measured},
		{Name: "particle.pairs", Values: &k.kept.Key}, {Name: "particle.pairs.start", Values: &k.kept.Start}, {Name: "particle.pairs.values", Values: &k.kept.Values},
	}
	for i := range p.Balances {
		t, name := &p.Balances[i], fmt.Sprintf("interaction.%d.", i)
		parts = append(parts, []system.Part{
			{Name: name + "normal_work", Values: &t.NormalWork}, {Name: name + "friction_work", Values: &t.FrictionWork}, {Name: name + "peak_force", Values: &t.PeakForce}, {Name: name + "deepest", Values: &t.PeakDeflection}, {Name: name + "widest", Values: &t.Speeds.Linear}, {Name: name + "fastest", Values: &t.Speeds.Slip},
			{Name: name + "compressed.impulse", Values: &t.Compressed.Impulse}, {Name: name + "compressed.work", Values: &t.Compressed.Work},
			{Name: name + "restored.impulse", Values: &t.Restored.Impulse}, {Name: name + "restored.work", Values: &t.Restored.Work},
		}...)
	}
	return parts
}

// Recompute computes the data that follow from the parts.
func (k *Balls) Recompute() error {
	if !k.kept.Whole() {
		return errors.New("pairs of particles remember less than they should")
	}
	k.RestoreMemories(k.kept)
	return nil
}

// MoveBy advances velocities and positions of the spheres by one step.
func (k *Balls) MoveBy(kick, dt float64) {
	k.Move(kick, dt, k.view.Motion.Gravity)
}

// motion returns the velocity and angular velocity of sphere i at Time.
func (k *Balls) motion(i int) (v r2.Vec, spin float64) {
	p := k.Spheres
	v, spin = p.V[i], p.Spin[i]
	if w := p.InverseMass[i]; w > 0 {
		half, g := 0.5*k.view.Last, k.view.Motion.Gravity
		v.X += float64(half * (float64(w*p.F[i].X) + g.X))
		v.Y += float64(half * (float64(w*p.F[i].Y) + g.Y))
		spin += float64(half * float64(p.InverseInertia[i]*p.Moment[i]))
	}
	return v, spin
}

func (k *Balls) AddEnergies(e *system.Energies) {
	for i, m := range k.given.Mass {
		if m == 0 {
			continue
		}
		v, spin := k.motion(i)
		turning := Inertia(m, k.Radius[i])
		e.Kinetic += float64(0.5*m*(float64(v.X*v.X)+float64(v.Y*v.Y))) + float64(0.5*turning*spin*spin)
		g := k.view.Motion.Gravity
		of := motion.Body{InverseMass: k.InverseMass[i], InverseInertia: k.InverseInertia[i]}
		of.Force, of.Moment = r2.Vec{X: k.F[i].X + float64(m*g.X), Y: k.F[i].Y + float64(m*g.Y)}, k.Moment[i]
		e.Kick += of.Kick()
	}
	for i := range k.Interaction {
		e.AddContact(k.Interaction[i].Work())
	}
}

func (k *Balls) Weights() (w nodes.Weight) {
	for i, m := range k.given.Mass {
		w.Add(m, r2.Sub(k.X[i], k.given.X[i]), k.view.Motion.Gravity)
	}
	return w
}

// Motions appends the motions of the groups: momentum divided by mass, and angular momentum about
// the group's centre divided by its moment of inertia.
func (k *Balls) Motions(out []system.BodyMotion) []system.BodyMotion {
	m := k.given
	for _, g := range m.Groups {
		b := system.BodyMotion{Name: g.Name}
		turning, spinning := 0.0, 0.0
		for i := g.First; i < g.End; i++ {
			m := m.Mass[i]
			v, spin := k.motion(int(i))
			x, j := k.X[i], float64(Inertia(m, k.Radius[i]))
			b.Mass += m
			b.Centre = r2.Vec{X: b.Centre.X + float64(m*x.X), Y: b.Centre.Y + float64(m*x.Y)}
			b.Momentum = r2.Vec{X: b.Momentum.X + float64(m*v.X), Y: b.Momentum.Y + float64(m*v.Y)}
			turning += j
			spinning += float64(j * spin)
		}
		if b.Mass > 0 {
			b.Centre, b.Velocity = r2.Scale(1/b.Mass, b.Centre), r2.Scale(1/b.Mass, b.Momentum)
			b.AngularVelocity, b.AngularMomentum = spinning/turning, spinning
			for i := g.First; i < g.End; i++ {
				v, _ := k.motion(int(i))
				b.AngularMomentum += float64(m.Mass[i] * elementary.Cross(r2.Sub(k.X[i], b.Centre), r2.Sub(v, b.Velocity)))
			}
		} else {
			b.Centre = k.X[g.First]
		}
		out = append(out, b)
	}
	return out
}

func (k *Balls) ContactForces(out []system.ContactForce) []system.ContactForce {
	for i, name := range k.given.Interactions {
		t := &k.Interaction[i]
		w := t.Work()
		out = append(out, system.ContactForce{
			Name: name, Points: true, Active: int(t.Active), Normal: t.Normal, Tangential: t.Tangential,
			PeakForce: t.PeakForce, PeakDeflection: t.PeakDeflection, Compressed: t.Compressed, Restored: t.Restored, Dissipated: w.Dissipated() + w.FrictionLoss(),
		})
		out[len(out)-1].SetSpeeds(k.Friction(int32(i)), t.Speeds, w.FrictionLoss())
	}
	return out
}

func (k *Balls) EachContact(each func(system.ContactLoad)) {
	for i, name := range k.given.Interactions {
		t := &k.Interaction[i]
		each(system.ContactLoad{Name: name, Normal: t.Normal, Tangential: t.Tangential})
	}
}

func (k *Balls) Speed2() float64 {
	v := k.Fastest()
	return v * v
}

func (k *Balls) ListsMade() int { return k.Rebuilds() }

func (k *Balls) UseThreads(t *threads.Team) { k.Workers(t.Workers, t.Run) }

// ContactMass returns the greatest mass of a sphere, since an impact is possible at any time.
func (k *Balls) ContactMass() float64 {
	most := 0.0
	for _, m := range k.given.Mass {
		most = max(most, m)
	}
	return most
}

// sphereStepFactor is the stable step divided by the step of spheres. With it an impact takes about
// 60 steps, and the energy balance closes to 1e-3.
const sphereStepFactor = 24

// freeFallPart is a part of the smallest radius. The step allows for spheres at rest that fall
// through this distance before their first contact.
const freeFallPart = 1e-3

// sphereSpeedup is the ratio by which the greatest speed of spheres may grow until the step is
// predicted anew for the impacts at that speed. If the speed falls by the cube of this ratio, the
// step is predicted anew, too.
const sphereSpeedup = 1.25

// Bound limits the step by the present contacts and by predicted impacts, and such that nothing
// approaches anything by more than a tenth of the smallest radius. While all spheres are far from
// contact, the limit is a part of the time to contact.
func (k *Balls) Bound(b *system.Bounds) {
	p := k.Spheres
	speed := k.predict()
	near := math.Inf(1)
	omega2, d := max(k.impactOmega2, p.Omega2), k.impactDamping
	if omega2 > 0 {
		near = (math.Sqrt(float64(d*d)+float64(4*omega2)) - d) / omega2
		if k.view.FixedStep == 0 {
			near *= k.view.Safety / sphereStepFactor
		}
	}
	k.followClearances()
	flight, fast := k.timeToContact(), contacts.MaxApproach*k.smallest/speed
	k.nearStep = min(near, fast)
	b.Step.Lower(max(near, flight), system.Cause{What: "contact of particles"})
	b.Step.Lower(max(fast, flight), system.Cause{What: "speed of particles"})
	k.boundNodes(b, flight)
}

// predict updates the speed of the predicted impacts and returns the greatest speed of approach
// [m/s].
func (k *Balls) predict() float64 {
	p := k.Spheres
	fastest := p.Fastest()
	speed := max(2*fastest, math.Sqrt(2*freeFallPart*k.smallest*elementary.Norm(k.view.Motion.Gravity)))
	speed = max(speed, fastest+k.outline.fastest)
	for i := range k.bodies.RigidMotions {
		speed = max(speed, fastest+elementary.Norm(k.bodies.RigidMotions[i].Velocity))
	}
	slower := k.view.N%contacts.WaitSteps == 0 && sphereSpeedup*sphereSpeedup*speed < p.PredictedSpeed/sphereSpeedup
	if speed > p.PredictedSpeed || slower || k.impactSpeed != p.PredictedSpeed || k.view.N == 0 {
		if speed > p.PredictedSpeed || slower {
			p.PredictedSpeed = speed
			if k.view.N > 0 {
				p.PredictedSpeed *= sphereSpeedup
			}
		}
		k.impactSpeed = p.PredictedSpeed
		k.impactOmega2, k.impactDamping = p.PredictedImpact(p.PredictedSpeed)
	}
	return speed
}

// ParticleOverlapError reports spheres that overlap one another or a wall before the first step.
type ParticleOverlapError struct {
	Pairs      int
	Deflection float64 // greatest overlap [m]
}

func (e *ParticleOverlapError) Error() string {
	return fmt.Sprintf("particles overlap at the start: %d pairs, the deepest by %.3g m; move them apart, or consent with overlap = \"allow\" in their [[interaction]]",
		e.Pairs, e.Deflection)
}

// ProbedSphere is a sphere that a probe observes.
type ProbedSphere struct {
	K *Balls
	N int32
}

// Displacement returns the displacement of the centre [m].
func (p ProbedSphere) Displacement() r2.Vec {
	return r2.Sub(p.K.X[p.N], p.K.given.X[p.N])
}

// SphereVelocity returns the velocity of the centre [m/s].
func (p ProbedSphere) SphereVelocity() r2.Vec {
	v, _ := p.K.motion(int(p.N))
	return v
}

// SpherePosition returns the position of the centre [m].
func (p ProbedSphere) SpherePosition() r2.Vec { return p.K.X[p.N] }

// ContactForce returns the force on the sphere, all of which comes from contact [N].
func (p ProbedSphere) ContactForce() r2.Vec { return p.K.F[p.N] }

// Rotation returns the angle [rad] and its rate [rad/s].
func (p ProbedSphere) Rotation() r2.Vec {
	_, spin := p.K.motion(int(p.N))
	return r2.Vec{X: p.K.Angle[p.N], Y: spin}
}

// VelocitiesNow fills v and spin with the velocities and angular velocities at Time [m/s], [rad/s].
func (k *Balls) VelocitiesNow(v []r2.Vec, spin []float64) {
	for i := range v {
		v[i], spin[i] = k.motion(i)
	}
}
