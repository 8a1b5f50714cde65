package solver

import (
	"fmt"
	"math"
	"slices"

	"fdem/contactnodes/spheres"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Particles are spheres that move in the plane and turn about its normal. They
// meet one another and rigid bodies at points (contactnodes/spheres); meshed
// bodies they do not see. Slices are per sphere; there are none in the zero
// value.
type Particles struct {
	Groups       []ParticleGroup // cover the spheres in order
	X, V         []r2.Vec        // at the start [m], [m/s]
	Spin         []float64       // at the start [rad/s]
	Radius       []float64       // [m]
	Mass         []float64       // [kg]; 0 holds a sphere in its place
	Kind         []int32         // what two spheres share that meet others alike
	Kinds        int             // of the spheres and, after them, of the rigid bodies
	RigidKind    []int32         // per rigid body
	Interactions []string        // names
	// Meet returns the rule of two kinds, the first that of a sphere; nil
	// where they pass through one another, and an error where they meet and there
	// can be no rule. It must be a pure function.
	Meet    func(a, b int32) (*spheres.Rule, error)
	Foresee [][2]int32 // kinds whose impacts the step is made for: the lightest, the smallest
}

// ParticleGroup is the spheres [First, End).
type ParticleGroup struct {
	Name       string
	First, End int32
}

// inertia is that of a sphere about its centre [kg m2].
func inertia(mass, radius float64) float64 { return float64(0.4 * mass * radius * radius) }

// addParticles puts the spheres among the rigid bodies.
func (s *Solver) addParticles() {
	p := &s.Model.Particles
	n := len(p.X)
	if n == 0 {
		return
	}
	c := spheres.Config{
		Radius: p.Radius, Inverse: make([]float64, n), Turning: make([]float64, n),
		Kind: p.Kind, Kinds: p.Kinds, Meet: p.Meet, Interactions: len(p.Interactions),
	}
	v, spin := make([]r2.Vec, n), make([]float64, n)
	for i, m := range p.Mass {
		if m > 0 {
			c.Inverse[i], c.Turning[i] = 1/m, 1/inertia(m, p.Radius[i])
			v[i], spin[i] = p.V[i], p.Spin[i]
		}
	}
	nodes := make([][]r2.Vec, len(s.rigids))
	for i := range s.rigids {
		r := &s.rigids[i]
		body := s.Mesh.Bodies[len(s.Model.Bodies)+i]
		w := spheres.Wall{Kind: p.RigidKind[i], Radius: s.Mesh.Edges[body.FirstEdge].Radius, Nodes: 1, Inverse: r.inverse, Turning: r.turning}
		nodes[i] = []r2.Vec{r.Centre}
		if w.Radius == 0 {
			w.Nodes, nodes[i] = len(r.nodes), nil
			for _, k := range r.nodes {
				nodes[i] = append(nodes[i], s.Mesh.X[k])
			}
			for _, e := range s.Mesh.Edges[body.FirstEdge:body.EndEdge] {
				w.Edges = append(w.Edges, [2]int32{e.A - r.nodes[0], e.B - r.nodes[0]})
			}
		}
		c.Walls = append(c.Walls, w)
	}
	s.spheres = spheres.New(c, p.X, v, spin, nodes, 0)
	s.spheres.Foresee(p.Foresee)
	s.smallest = slices.Min(p.Radius)
	s.walls = make([]spheres.Pose, len(s.rigids))
}

// Spheres returns the spheres with their state; nil where there are none.
func (s *Solver) Spheres() *spheres.Spheres { return s.spheres }

// addParticleForces lets the spheres meet at Time.
func (s *Solver) addParticleForces() error {
	if s.spheres == nil {
		return nil
	}
	for i := range s.rigids {
		r, p := &s.rigids[i], &s.Poses[i]
		nodes := s.spheres.Nodes(i)
		if s.spheres.Walls[i].Radius != 0 {
			nodes[0] = p.Centre
		} else {
			copy(nodes, s.X[r.nodes[0]:])
		}
		w := spheres.Pose{Centre: p.Centre, Past: p.Velocity, PastSpin: p.Spin}
		w.Velocity, w.Spin = r.velocity(p, s.Last) // by the last step's forces, as the spheres'
		s.walls[i] = w
	}
	return s.spheres.Evaluate(s.walls, s.Gravity, s.Last, s.N)
}

// particleParts lists what changes of the spheres.
func (s *Solver) particleParts() []Part {
	p := s.spheres
	s.kept = p.Memories()
	parts := []Part{
		{"particle.positions", p.X}, {"particle.velocities", p.V}, {"particle.angles", p.Angle}, {"particle.spins", p.Spin},
		{"particle.forces", p.F}, {"particle.moments", p.Moment}, {"particle.walls.forces", p.Struck}, {"particle.walls.moments", p.Twist},
		{"particle.evaluated", &p.Evaluated}, {"particle.foreseen", &p.Foreseen}, {"particle.stiffest", &p.Stiffest},
		{"particle.pairs", &s.kept.Key}, {"particle.pairs.start", &s.kept.Start}, {"particle.pairs.values", &s.kept.Values},
	}
	for i := range p.Interaction {
		t, name := &p.Interaction[i], fmt.Sprintf("interaction.%d.", i)
		parts = append(parts, []Part{
			{name + "normal_work", &t.NormalWork}, {name + "friction_work", &t.FrictionWork}, {name + "peak_force", &t.PeakForce}, {name + "deepest", &t.Deepest}, {name + "widest", &t.Widest},
			{name + "compressed.impulse", &t.Compressed.Impulse}, {name + "compressed.work", &t.Compressed.Work},
			{name + "restored.impulse", &t.Restored.Impulse}, {name + "restored.work", &t.Restored.Work}, {name + "active", &t.Active}, {name + "normal", &t.Normal},
			{name + "tangential", &t.Tangential}, {name + "stored", &t.Stored}, {name + "spring", &t.Spring},
		}...)
	}
	return parts
}

// moveParticles kicks and drifts the spheres.
func (s *Solver) moveParticles(kick, dt float64) {
	if s.spheres == nil {
		return
	}
	p := s.spheres
	for i, w := range p.Inverse {
		if w == 0 {
			continue
		}
		v, x := &p.V[i], &p.X[i]
		v.X += float64(kick * (float64(w*p.F[i].X) + s.Gravity.X))
		v.Y += float64(kick * (float64(w*p.F[i].Y) + s.Gravity.Y))
		p.Spin[i] += float64(kick * float64(p.Turning[i]*p.Moment[i]))
		x.X += float64(dt * v.X)
		x.Y += float64(dt * v.Y)
		p.Angle[i] += float64(dt * p.Spin[i])
	}
}

// sphere returns velocity and spin of sphere i at Time.
func (s *Solver) sphere(i int) (v r2.Vec, spin float64) {
	p := s.spheres
	v, spin = p.V[i], p.Spin[i]
	if w := p.Inverse[i]; w > 0 {
		half := 0.5 * s.Last
		v.X += float64(half * (float64(w*p.F[i].X) + s.Gravity.X))
		v.Y += float64(half * (float64(w*p.F[i].Y) + s.Gravity.Y))
		spin += float64(half * float64(p.Turning[i]*p.Moment[i]))
	}
	return v, spin
}

// SphereVelocities fills v and spin with those at Time [m/s], [rad/s].
func (s *Solver) SphereVelocities(v []r2.Vec, spin []float64) {
	for i := range v {
		v[i], spin[i] = s.sphere(i)
	}
}

// addParticleEnergies adds the spheres to the ledger.
func (s *Solver) addParticleEnergies(e *Energies) {
	if s.spheres == nil {
		return
	}
	for i, m := range s.Model.Particles.Mass {
		if m == 0 {
			continue
		}
		v, spin := s.sphere(i)
		turning := inertia(m, s.spheres.Radius[i])
		e.Kinetic += float64(0.5*m*(float64(v.X*v.X)+float64(v.Y*v.Y))) + float64(0.5*turning*spin*spin)
		x, x0 := s.spheres.X[i], s.Model.Particles.X[i]
		e.ExternalWork += float64(m * (float64(s.Gravity.X*(x.X-x0.X)) + float64(s.Gravity.Y*(x.Y-x0.Y))))
	}
	for i := range s.spheres.Interaction {
		t := &s.spheres.Interaction[i]
		e.ContactStored += t.Stored + t.Spring
		e.ContactDissipated += t.Dissipated()
		e.FrictionDissipated += t.FrictionLoss()
	}
}

// particleMotions appends how the groups move: momentum over mass, and the
// angular momentum about their own centres over their moments of inertia.
func (s *Solver) particleMotions(out []BodyMotion) []BodyMotion {
	for _, g := range s.Model.Particles.Groups {
		b := BodyMotion{Name: g.Name}
		turning, spinning := 0.0, 0.0
		for i := g.First; i < g.End; i++ {
			m := s.Model.Particles.Mass[i]
			v, spin := s.sphere(int(i))
			x, j := s.spheres.X[i], float64(inertia(m, s.spheres.Radius[i]))
			b.Mass += m
			b.Centre = r2.Vec{X: b.Centre.X + float64(m*x.X), Y: b.Centre.Y + float64(m*x.Y)}
			b.Momentum = r2.Vec{X: b.Momentum.X + float64(m*v.X), Y: b.Momentum.Y + float64(m*v.Y)}
			turning += j
			spinning += float64(j * spin)
		}
		if b.Mass > 0 {
			b.Centre, b.Velocity = r2.Scale(1/b.Mass, b.Centre), r2.Scale(1/b.Mass, b.Momentum)
			b.AngularVelocity = spinning / turning
		} else {
			b.Centre = s.spheres.X[g.First]
		}
		out = append(out, b)
	}
	return out
}

// particleForces appends the interactions as last evaluated.
func (s *Solver) particleForces(out []ContactForce) []ContactForce {
	for i, name := range s.Model.Particles.Interactions {
		t := &s.spheres.Interaction[i]
		out = append(out, ContactForce{
			Name: name, Active: int(t.Active), Normal: t.Normal, Tangential: t.Tangential,
			PeakForce: t.PeakForce, PeakDeflection: t.Deepest, Compressed: t.Compressed, Restored: t.Restored, Dissipated: t.Dissipated() + t.FrictionLoss(),
		})
		out[len(out)-1].rubs(s.spheres.Friction(int32(i)), t.Widest)
	}
	return out
}

// resolved is how many times shorter a step the spheres take than stability
// asks for: an impact is then some 60 steps, and the ledger closes to 1e-3.
const resolved = 24

// fall is the part of the smallest radius that spheres at rest are taken to
// fall through before they meet something: a step must be made for that.
const fall = 1e-3

// faster is how much speed the spheres may gain until the step is made anew
// for the impacts that it brings; when they have lost its cube they get a longer
// one.
const faster = 1.25

// particleStep returns the longest step for the spheres: short against the
// contacts as they press and against the impacts to come, and such that
// nothing closes in on another by more than a tenth of the smallest radius.
func (s *Solver) particleStep() float64 {
	p := s.spheres
	if p == nil {
		return math.Inf(1)
	}
	speed := max(2*p.Fastest(), math.Sqrt(2*fall*s.smallest*elementary.Norm(s.Gravity)))
	for i := range s.rigids {
		speed = max(speed, p.Fastest()+elementary.Norm(s.Poses[i].Velocity))
	}
	slower := s.N%calm == 0 && faster*faster*speed < p.Foreseen/faster
	if speed > p.Foreseen || slower || s.foreseen != p.Foreseen || s.N == 0 {
		if speed > p.Foreseen || slower {
			p.Foreseen = speed
			if s.N > 0 {
				p.Foreseen *= faster
			}
		}
		s.foreseen = p.Foreseen
		s.impactOmega2, s.impactDamping = p.Ahead(p.Foreseen)
	}
	omega2, d := max(s.impactOmega2, p.Stiffest), s.impactDamping
	limit := math.Inf(1)
	if omega2 > 0 {
		limit = (math.Sqrt(float64(d*d)+float64(4*omega2)) - d) / omega2
		if s.FixedStep == 0 {
			limit *= s.Safety / resolved
		}
	}
	if speed*limit > approach*s.smallest {
		limit = approach * s.smallest / speed
	}
	return limit
}

// ParticleOverlapError reports spheres that lie in one another, or in a wall,
// before the first step.
type ParticleOverlapError struct {
	Pairs      int
	Deflection float64 // the deepest [m]
}

func (e *ParticleOverlapError) Error() string {
	return fmt.Sprintf("particles overlap at the start: %d pairs, the deepest by %.3g m; move them apart, or consent with overlap = \"allow\" in their [[interaction]]",
		e.Pairs, e.Deflection)
}

// particleProbe returns the value of a probe of a sphere at Time, in SI;
// "rotation" gives angle and spin.
func (s *Solver) particleProbe(p Probe) r2.Vec {
	v, spin := s.sphere(int(p.Node))
	switch x := s.spheres.X[p.Node]; p.Quantity {
	case "velocity":
		return v
	case "position":
		return x
	case "contact_force":
		return s.spheres.F[p.Node]
	case "rotation":
		return r2.Vec{X: s.spheres.Angle[p.Node], Y: spin}
	default: // displacement
		return r2.Sub(x, s.Model.Particles.X[p.Node])
	}
}
