package solver

import (
	"fdem/fem"
	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// Nodes of beams turn besides moving: Theta and Spin stand next to X and V.
// Beams meet others with their faces, half their height off the line between
// their nodes. A node of a face is carried by a node of the beams and turns
// with it; what acts there is a force and a moment on the node that carries
// it, so that linear and angular momentum are kept.

// beams are the beams with what their nodes have beyond those of triangles.
type beams struct {
	*fem.Beams
	nodes   []int32   // of all beams, ascending
	inertia []float64 // per node of the mesh [kg m2]
	turning []float64 // 1/inertia, 0 where fixed or no beam's [1/(kg m2)]
	moment  []float64 // all moments at Time [N m]
	damping []float64 // of which damping
	faces   []face
	sum     []float64 // per node, of share
}

// face is a node of a beam's face.
type face struct {
	node, of int32
	arm      r2.Vec // from the node that carries it, at the start [m]
}

// section returns the section of a beam of material m. In plane strain a beam
// is a strip of a plate: it bends and stretches without strain along its
// width, with E/(1 - nu^2).
func section(b *Body, m bulk.Elastic, plane bulk.Plane) fem.Section {
	if plane == bulk.PlaneStrain {
		m.Young /= 1 - float64(m.Poisson*m.Poisson)
	}
	return fem.Rectangle(m, b.Width, b.Height)
}

// addBeams prepares the beams and adds their masses.
func (s *Solver) addBeams() error {
	m := s.Model
	if len(m.Mesh.Beams) == 0 {
		return nil
	}
	nodes := len(m.Mesh.X)
	b := &beams{
		inertia: make([]float64, nodes), turning: make([]float64, nodes),
		moment: make([]float64, nodes), damping: make([]float64, nodes), sum: make([]float64, nodes),
	}
	sections := make([]fem.Section, len(m.Bodies))
	of := make([]int32, len(m.Mesh.Beams))
	for i, mb := range m.Mesh.Bodies[:len(m.Bodies)] {
		body := &m.Bodies[i]
		for e := mb.FirstBeam; e < mb.EndBeam; e++ {
			of[e] = int32(i)
		}
		sections[i] = section(body, m.Materials[body.Material], m.Plane)
	}
	used := sections[of[0]:] // those of triangles, which stand before, are none
	for e := range of {
		of[e] -= int32(len(sections) - len(used))
	}
	var err error
	if b.Beams, err = fem.NewBeams(m.Mesh.X, m.Mesh.Beams, m.Mesh.BeamID, of, used); err != nil {
		return err
	}
	b.AddMasses(s.mass, b.inertia)
	for n, j := range b.inertia {
		if j > 0 {
			b.nodes = append(b.nodes, int32(n))
			b.turning[n] = 1 / j
		}
	}
	for i, n := range m.Mesh.Faces {
		node := m.Mesh.FirstFace + int32(i)
		b.faces = append(b.faces, face{node: node, of: n, arm: r2.Sub(m.Mesh.X[node], m.Mesh.X[n])})
	}
	s.beams = b
	s.Theta, s.Spin = make([]float64, nodes), make([]float64, nodes)
	return nil
}

// addBeamForces adds the internal forces of the beams to f and sets their
// moments.
func (s *Solver) addBeamForces() error {
	clear(s.beams.moment)
	return s.beams.AddForces(s.f, s.beams.moment, s.X, s.Theta)
}

// gather hands the forces on the nodes of the faces to the nodes that carry
// them.
func (b *beams) gather(s *Solver) {
	for i := range b.faces {
		f := &b.faces[i]
		g, x, c := s.f[f.node], s.X[f.node], s.X[f.of]
		s.f[f.of].X += g.X
		s.f[f.of].Y += g.Y
		b.moment[f.of] += float64((x.X-c.X)*g.Y) - float64((x.Y-c.Y)*g.X) + s.contact.Moment[f.node]
	}
}

// addDamping adds the moments of mass- and stiffness-proportional damping and
// the forces of the latter.
func (b *beams) addDamping(s *Solver) {
	clear(b.damping)
	if a := s.Damping.Mass; a > 0 {
		for _, n := range b.nodes {
			b.damping[n] -= float64(float64(a*b.inertia[n]) * s.Spin[n])
		}
	}
	if beta := s.Damping.Stiffness; beta > 0 {
		b.AddDamping(s.damping, b.damping, s.X, s.V, s.Spin, beta)
	}
	for _, n := range b.nodes {
		b.moment[n] += b.damping[n]
	}
}

// move turns the nodes by one step, and takes the faces along.
func (b *beams) move(s *Solver, kick, dt float64) {
	for _, n := range b.nodes {
		s.Spin[n] += float64(float64(kick*b.turning[n]) * b.moment[n])
		s.Theta[n] += float64(dt * s.Spin[n])
	}
	b.follow(s, dt)
}

// follow puts the nodes of the faces where the beams have carried them, with
// the velocities that led them there in the last dt; at the start, dt = 0,
// with those of the beams.
func (b *beams) follow(s *Solver, dt float64) {
	sin, cos, of := 0.0, 0.0, int32(-1)
	for i := range b.faces {
		f := &b.faces[i]
		if f.of != of { // those of a node follow one another
			of = f.of
			sin, cos = fem.Sincos(s.Theta[of])
		}
		a, c, x := f.arm, s.X[f.of], s.X[f.node]
		r := r2.Vec{X: float64(cos*a.X) - float64(sin*a.Y), Y: float64(sin*a.X) + float64(cos*a.Y)}
		s.X[f.node] = r2.Vec{X: c.X + r.X, Y: c.Y + r.Y}
		if dt == 0 {
			v, spin := s.V[f.of], s.Spin[f.of]
			s.V[f.node] = r2.Vec{X: v.X - float64(spin*r.Y), Y: v.Y + float64(spin*r.X)}
			continue
		}
		s.V[f.node] = r2.Vec{X: (s.X[f.node].X - x.X) / dt, Y: (s.X[f.node].Y - x.Y) / dt}
	}
}

// addEnergies adds the strain energy of the beams and the kinetic energy of
// their turning.
func (b *beams) addEnergies(e *Energies, s *Solver) {
	e.Strain += b.StrainEnergy(s.X, s.Theta)
	for _, n := range b.nodes {
		spin := s.spin(n)
		e.Kinetic += float64(0.5 * b.inertia[n] * spin * spin)
	}
}

// mobility returns the greatest speed that a unit impulse gives to a node of a
// face [1/kg]; inverse is 1/mass of the nodes.
func (b *beams) mobility(f *face, inverse []r2.Vec) float64 {
	a := f.arm
	return max(inverse[f.of].X, inverse[f.of].Y) + float64(b.turning[f.of]*(float64(a.X*a.X)+float64(a.Y*a.Y)))
}

// share returns the greatest sum, over a node of the beams and those of its
// faces, of a stiffness [N/m] over the mass that it moves, which bounds the
// squared frequency [1/s2]; so for a damping.
func (b *beams) share(of []float64, inverse []r2.Vec) float64 {
	for _, n := range b.nodes {
		b.sum[n] = float64(of[n] * max(inverse[n].X, inverse[n].Y))
	}
	for i := range b.faces {
		f := &b.faces[i]
		b.sum[f.of] += float64(of[f.node] * b.mobility(f, inverse))
	}
	greatest := 0.0
	for _, n := range b.nodes {
		greatest = max(greatest, b.sum[n])
	}
	return greatest
}

// widths returns the width of every boundary edge out of the plane [m]; nil
// without beams.
func (s *Solver) widths() []float64 {
	if s.beams == nil {
		return nil
	}
	out := make([]float64, len(s.Mesh.Edges))
	for i, e := range s.Mesh.Edges {
		out[i] = s.Thickness
		if int(e.Body) < len(s.Model.Bodies) && s.Model.Bodies[e.Body].Width > 0 {
			out[i] = s.Model.Bodies[e.Body].Width
		}
	}
	return out
}
