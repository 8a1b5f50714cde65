package solver

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// localDamping is the local damping of Cundall (1987), for loads that are slow: a
// node is held back by a share of the force that is out of balance on it,
//
//	d = -alpha |F| sign(v)   in x and in y,
//
// and so is a node that turns by a share of its moment. It vanishes in balance,
// whatever the place or the frequency: a vibration, of any mode, has half a swing
// after another the amplitude of the one before times
// sqrt((1 - alpha)/(1 + alpha)). What falls freely falls slower.
//
// It acts when all other forces are known. Where forces are made of what they lead
// to, at absorbing edges and ties, it does not act.
type localDamping struct {
	idle
	s     *Solver
	alpha float64
	spare []bool    // per node: not damped
	force []r2.Vec  // on every node at Time [N]
	twist []float64 // and the moments [N m]; nil where no node turns
	taken float64   // by Time [J]
}

// addLocalDamping makes the damping where the model has it.
func (s *Solver) addLocalDamping() {
	if s.Model.Damping.Local == 0 {
		return
	}
	k := &localDamping{s: s, alpha: s.Model.Damping.Local, spare: make([]bool, len(s.X)), force: make([]r2.Vec, len(s.X))}
	if s.turning != nil {
		k.twist = make([]float64, len(s.X))
	}
	if s.absorbers != nil {
		for _, n := range s.absorbers.nodes {
			k.spare[n] = true
		}
	}
	if s.ties != nil {
		for _, n := range s.ties.nodes {
			k.spare[n] = true
		}
	}
	s.systems = append(s.systems, k)
}

func (k *localDamping) name() string { return "local damping" }

// against returns the damping of a force out of balance on a velocity.
func (k *localDamping) against(force, v float64) float64 {
	switch {
	case v > 0:
		return -k.alpha * math.Abs(force)
	case v < 0:
		return k.alpha * math.Abs(force)
	}
	return 0
}

// gather adds the forces and books their work over the last step: half that of those
// at its start and half that of those at its end.
func (k *localDamping) gather() {
	s := k.s
	power := 0.0
	for from, to := range s.triangles.InUse {
		for i := from; i < min(to, int32(s.meshed)); i++ {
			power += k.slow(i)
		}
	}
	for i := range k.twist {
		if !(s.turning[i] > 0) {
			continue
		}
		d := k.against(s.moment[i], s.Spin[i])
		power += float64(s.Spin[i] * (k.twist[i] + d))
		k.twist[i] = d
		s.moment[i] += d
	}
	k.taken -= float64(0.5 * s.Last * power)
}

// slow damps a node, and returns twice the mean of the power over the last step.
func (k *localDamping) slow(i int32) float64 {
	s := k.s
	w := s.inverse(i)
	if w == (r2.Vec{}) || k.spare[s.vertex(i)] {
		return 0
	}
	v, f, was := s.V[i], s.motion.Force(int(i)), k.force[i]
	var d r2.Vec
	if w.X > 0 {
		d.X = k.against(f.X, v.X)
	}
	if w.Y > 0 {
		d.Y = k.against(f.Y, v.Y)
	}
	k.force[i] = d
	s.f[i].X += d.X
	s.f[i].Y += d.Y
	return float64(v.X*(was.X+d.X)) + float64(v.Y*(was.Y+d.Y))
}

func (k *localDamping) energies(e *Energies) { e.DampingDissipated += k.taken }

func (k *localDamping) parts() []Part {
	parts := []Part{{"local_damping", &k.taken}, {"local_damping_forces", k.force}}
	if k.twist != nil {
		parts = append(parts, Part{"local_damping_moments", k.twist})
	}
	return parts
}

func (k *localDamping) balance() error { return errors.New("local damping" + withoutMotion) }

// withoutMotion is why a static analysis has no damping.
const withoutMotion = " acts on what moves in time, a static analysis is in balance: leave damping out"
