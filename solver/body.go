package solver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// body is a range of the mesh with its own mass, for averages over it.
type body struct {
	nodes   []int32
	mass    []float64 // of the body's own elements, per entry of nodes [kg]
	inertia []float64 // and their rotary inertia [kg m2]; nil but for beams
	total   float64   // [kg]
}

// BodyMotion is the rigid part of a body's motion.
type BodyMotion struct {
	Name            string
	Mass            float64 // [kg]; 0 for a rigid body that is fixed or driven
	Centre          r2.Vec  // of mass [m]
	Velocity        r2.Vec  // averaged over the mass [m/s]
	AngularVelocity float64 // angular momentum about the centre over the moment of inertia [rad/s]
	Momentum        r2.Vec  // [kg m/s]
}

func newBody(s *Solver, i int, density float64) body {
	m := s.Model
	b := body{nodes: m.Mesh.Bodies[i].Nodes}
	b.mass = make([]float64, len(b.nodes))
	if len(b.nodes) == 0 {
		return b
	}
	lowest := b.nodes[0]
	place := make([]int32, b.nodes[len(b.nodes)-1]-lowest+1) // in nodes, of each from the lowest on
	for k, n := range b.nodes {
		place[n-lowest] = int32(k)
	}
	for _, t := range m.Mesh.Triangles[m.Mesh.Bodies[i].First:m.Mesh.Bodies[i].End] {
		a, p, q := m.Mesh.X[t[0]], m.Mesh.X[t[1]], m.Mesh.X[t[2]]
		area := 0.5 * (float64((p.X-a.X)*(q.Y-a.Y)) - float64((p.Y-a.Y)*(q.X-a.X)))
		third := density * m.Thickness * area / 3
		for _, n := range t {
			b.mass[place[n-lowest]] += third
		}
	}
	if first, end := m.Mesh.Bodies[i].FirstBeam, m.Mesh.Bodies[i].EndBeam; first < end {
		b.inertia = make([]float64, len(b.nodes))
		for e := first; e < end; e++ {
			half, inertia := s.beams.Lumped(int(e))
			for _, n := range m.Mesh.Beams[e] {
				b.mass[place[n-lowest]] += half
				b.inertia[place[n-lowest]] += inertia
			}
		}
	}
	for _, w := range b.mass {
		b.total += w
	}
	return b
}

// centre returns the centre of mass at positions x.
func (b *body) centre(x []r2.Vec) r2.Vec {
	var c r2.Vec
	for k, n := range b.nodes {
		c.X += float64(b.mass[k] * x[n].X)
		c.Y += float64(b.mass[k] * x[n].Y)
	}
	return r2.Vec{X: c.X / b.total, Y: c.Y / b.total}
}

// start gives the body's nodes their initial velocity; fixed directions stay
// at rest. A node of two bonded bodies takes the later body's.
func (b *body) start(s *Solver, velocity r2.Vec, spin float64) {
	c := b.centre(s.X)
	for _, n := range b.nodes {
		x := s.X[n]
		if s.inverse[n].X > 0 {
			s.V[n].X = velocity.X - float64(spin*(x.Y-c.Y))
		}
		if s.inverse[n].Y > 0 {
			s.V[n].Y = velocity.Y + float64(spin*(x.X-c.X))
		}
		if b.inertia != nil && s.beams.turning[n] > 0 {
			s.Spin[n] = spin
		}
	}
}

// velocity returns the velocity of node i at Time: V is half a step behind.
func (s *Solver) velocity(i int) r2.Vec {
	v, f, w := s.V[i], s.f[i], s.inverse[i]
	half := 0.5 * s.Last
	return r2.Vec{X: v.X + float64(half*w.X*f.X), Y: v.Y + float64(half*w.Y*f.Y)}
}

// Velocities fills v, one per node, with the velocities at Time [m/s].
func (s *Solver) Velocities(v []r2.Vec) {
	for i := range v {
		v[i] = s.velocity(i)
	}
}

// spin returns the angular velocity of node n of a beam at Time.
func (s *Solver) spin(n int32) float64 {
	return s.Spin[n] + float64(float64(0.5*s.Last*s.beams.turning[n])*s.beams.moment[n])
}

// Motions returns how every body moves at Time, rigid ones after the meshed,
// groups of particles last; forces must
// have been evaluated there. Bodies that are fixed or driven have no mass.
func (s *Solver) Motions() []BodyMotion {
	out := make([]BodyMotion, len(s.bodies), len(s.bodies)+len(s.rigids))
	for i := range s.bodies {
		b := &s.bodies[i]
		m := BodyMotion{Name: s.Model.Bodies[i].Name, Mass: b.total, Centre: b.centre(s.X)}
		for k, n := range b.nodes {
			v := s.velocity(int(n))
			m.Momentum.X += float64(b.mass[k] * v.X)
			m.Momentum.Y += float64(b.mass[k] * v.Y)
		}
		m.Velocity = r2.Vec{X: m.Momentum.X / b.total, Y: m.Momentum.Y / b.total}
		spin, inertia := 0.0, 0.0
		for k, n := range b.nodes {
			v, x := s.velocity(int(n)), s.X[n]
			rx, ry := x.X-m.Centre.X, x.Y-m.Centre.Y
			vx, vy := v.X-m.Velocity.X, v.Y-m.Velocity.Y
			spin += float64(b.mass[k] * (float64(rx*vy) - float64(ry*vx)))
			inertia += float64(b.mass[k] * (float64(rx*rx) + float64(ry*ry)))
		}
		for k, j := range b.inertia {
			spin += float64(j * s.spin(b.nodes[k]))
			inertia += j
		}
		m.AngularVelocity = spin / inertia
		out[i] = m
	}
	for i := range s.rigids {
		r, p := &s.rigids[i], &s.Poses[i]
		v, spin := r.velocity(p, s.Last)
		m := r.Mass
		out = append(out, BodyMotion{Name: r.Name, Mass: m, Centre: p.Centre, Velocity: v, AngularVelocity: spin, Momentum: r2.Scale(m, v)})
	}
	return s.particleMotions(out)
}

// finite tells whether the run still has numbers in it.
func finite(e Energies) bool {
	sum := e.total() + e.ExternalWork
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}
