package solver

import (
	"math"

	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Rigid bodies take part in contact through the nodes of their outlines. The
// contact forces on these nodes add up to a force and a moment; leapfrog moves
// centre and angle, and the nodes follow, with the velocities that led them
// there, so that friction and the ledger see what they did.

// Pose is the place and motion of a rigid body.
type Pose struct {
	Centre   r2.Vec  // [m]
	Angle    float64 // turned since the start [rad]
	Velocity r2.Vec  // at Time - Last/2 [m/s]
	Spin     float64 // at Time - Last/2 [rad/s]
	Force    r2.Vec  // all forces at the last evaluation [N]
	Moment   float64 // and their moment about the centre [N m]
}

// rigid is a Rigid with its nodes.
type rigid struct {
	*Rigid
	nodes   []int32
	arm     []r2.Vec // from the centre to each node at the start [m]
	inverse float64  // 1/mass, 0 unless free [1/kg]
	turning float64  // 1/moment of inertia, 0 unless free [1/(kg m2)]
}

// addRigids puts the rigid bodies in their place.
func (s *Solver) addRigids() {
	s.Poses = make([]Pose, len(s.Rigids))
	for i := range s.Rigids {
		r := rigid{Rigid: &s.Rigids[i], nodes: s.Mesh.Bodies[len(s.Model.Bodies)+i].Nodes}
		for _, n := range r.nodes {
			r.arm = append(r.arm, r2.Sub(s.Mesh.X[n], r.Centre))
		}
		s.Poses[i].Centre = r.Centre
		if r.Mass > 0 {
			r.inverse, r.turning = 1/r.Mass, 1/r.Inertia
			s.Poses[i].Velocity, s.Poses[i].Spin = r.Velocity, r.AngularVelocity
		}
		if r.Motion != nil && s.Static == nil { // as it sets out
			h := 1e-6 * s.Duration
			centre, angle := r.Motion(h)
			s.Poses[i].Velocity, s.Poses[i].Spin = r2.Scale(1/h, r2.Sub(centre, r.Centre)), angle/h
		}
		for k, n := range r.nodes {
			a, p := r.arm[k], &s.Poses[i]
			s.V[n] = r2.Vec{X: p.Velocity.X - float64(p.Spin*a.Y), Y: p.Velocity.Y + float64(p.Spin*a.X)}
		}
		s.rigids = append(s.rigids, r)
	}
}

// mobility returns the greatest speed that a unit impulse gives to node k of
// the body [1/kg].
func (r *rigid) mobility(k int) float64 {
	a := r.arm[k]
	return r.inverse + float64(r.turning*(float64(a.X*a.X)+float64(a.Y*a.Y)))
}

// finer is how many times shorter a step contact with a rigid body takes than
// stability asks for: there is nothing else in such a body that would store
// energy, and leapfrog's energy error is that of the contact.
const finer = 8

// share returns the sum over the body's nodes of a stiffness [N/m] over the
// mass that it moves, which bounds the squared frequency [1/s2]; so for a
// damping.
func (r *rigid) share(of []float64) float64 {
	sum := 0.0
	if r.inverse > 0 {
		for k, n := range r.nodes {
			sum += float64(of[n] * r.mobility(k))
		}
	}
	return sum
}

// resultant sums the forces on the nodes [N] and their moments about the
// centre [N m], and adds those of spheres and the weight.
func (r *rigid) resultant(s *Solver, i int) (f r2.Vec, moment float64) {
	p := &s.Poses[i]
	if s.spheres != nil {
		f, moment = s.spheres.Struck[i], s.spheres.Twist[i]
	}
	for _, n := range r.nodes {
		g, x := s.f[n], s.X[n]
		f.X += g.X
		f.Y += g.Y
		moment += float64((x.X-p.Centre.X)*g.Y) - float64((x.Y-p.Centre.Y)*g.X)
	}
	f.X += float64(r.Mass * s.Gravity.X)
	f.Y += float64(r.Mass * s.Gravity.Y)
	return f, moment
}

// gather finds the resultant and books the work of what drives the body over
// the last step.
func (r *rigid) gather(s *Solver, i int) {
	p := &s.Poses[i]
	f, moment := r.resultant(s, i)
	if r.Motion != nil {
		work := float64((p.Force.X+f.X)*p.Velocity.X) + float64((p.Force.Y+f.Y)*p.Velocity.Y) + float64((p.Moment+moment)*p.Spin)
		s.Ledger.book(1+i, -float64(0.5*s.Last*work))
	}
	p.Force, p.Moment = f, moment
}

// move takes the body from Time to Time + dt.
func (r *rigid) move(s *Solver, p *Pose, kick, dt float64) {
	switch {
	case r.Motion != nil:
		centre, angle := r.Motion(s.Time + dt)
		p.Velocity = r2.Vec{X: (centre.X - p.Centre.X) / dt, Y: (centre.Y - p.Centre.Y) / dt}
		p.Spin = (angle - p.Angle) / dt
		p.Centre, p.Angle = centre, angle
	case r.inverse > 0:
		p.Velocity.X += float64(float64(kick*r.inverse) * p.Force.X)
		p.Velocity.Y += float64(float64(kick*r.inverse) * p.Force.Y)
		p.Spin += float64(float64(kick*r.turning) * p.Moment)
		p.Centre.X += float64(dt * p.Velocity.X)
		p.Centre.Y += float64(dt * p.Velocity.Y)
		p.Angle += float64(dt * p.Spin)
	default:
		return
	}
	r.follow(s, p, dt)
}

// follow puts the nodes where the pose has them, with the velocities that led
// them there within dt.
func (r *rigid) follow(s *Solver, p *Pose, dt float64) {
	sin, cos := elementary.Sincos(p.Angle)
	for k, n := range r.nodes {
		a, x := r.arm[k], s.X[n]
		s.X[n] = r2.Vec{
			X: p.Centre.X + (float64(cos*a.X) - float64(sin*a.Y)),
			Y: p.Centre.Y + (float64(sin*a.X) + float64(cos*a.Y)),
		}
		s.V[n] = r2.Vec{X: (s.X[n].X - x.X) / dt, Y: (s.X[n].Y - x.Y) / dt}
	}
}

// velocity returns the velocities at Time, half a step ahead of the pose's.
func (r *rigid) velocity(p *Pose, last float64) (v r2.Vec, spin float64) {
	half := float64(0.5 * last * r.inverse)
	v = r2.Vec{X: p.Velocity.X + float64(half*p.Force.X), Y: p.Velocity.Y + float64(half*p.Force.Y)}
	return v, p.Spin + float64(float64(0.5*last*r.turning)*p.Moment)
}

// addEnergies adds the body's kinetic energy and the work of its weight.
func (r *rigid) addEnergies(e *Energies, s *Solver, p *Pose) {
	if r.inverse == 0 {
		return
	}
	v, spin := r.velocity(p, s.Last)
	e.Kinetic += float64(0.5*r.Mass*(float64(v.X*v.X)+float64(v.Y*v.Y))) + float64(0.5*r.Inertia*spin*spin)
	e.ExternalWork += float64(r.Mass * (float64(s.Gravity.X*(p.Centre.X-r.Centre.X)) + float64(s.Gravity.Y*(p.Centre.Y-r.Centre.Y))))
}

// foresee returns a step that free rigid bodies can take into their first
// touch: nothing else bounds it while they fly [s].
func (s *Solver) foresee() float64 {
	omega2 := 0.0
	for _, c := range s.Surfaces {
		m := len(c.Law.Memory())
		one := func() []float64 { return make([]float64, 1) }
		out := contact.Output{P: one(), DP: one(), K: one(), W: one(), Mem: make([]float64, m)}
		c.Law.Eval(contact.Input{D: []float64{0.01 * s.shallow}, Rate: one(), Mem: make([]float64, m)}, out)
		for i := range s.rigids {
			r := &s.rigids[i]
			if r.inverse == 0 {
				continue
			}
			body := s.Mesh.Bodies[len(s.Model.Bodies)+i]
			for e := body.FirstEdge; e < body.EndEdge; e++ {
				edge := s.Mesh.Edges[e]
				l := elementary.Norm(r2.Sub(s.Mesh.X[edge.B], s.Mesh.X[edge.A]))
				k := edge.A - r.nodes[0] // an outline's nodes follow one another
				omega2 = max(omega2, 2*c.Friction.Stiffest(out.K[0])*l*s.Thickness*r.mobility(int(k)))
			}
		}
	}
	for _, c := range s.Volumes {
		for i := range s.rigids {
			r := &s.rigids[i]
			if r.inverse == 0 {
				continue
			}
			piece := s.Mesh.Edges[s.Mesh.Bodies[len(s.Model.Bodies)+i].FirstEdge].Piece
			for k := range r.nodes {
				omega2 = max(omega2, 2*c.FirstTouch(piece)*r.mobility(k))
			}
		}
	}
	if omega2 == 0 {
		return math.Inf(1)
	}
	return s.Safety * 2 / (finer * math.Sqrt(omega2))
}
