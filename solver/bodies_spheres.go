package solver

import (
	"fdem/contactnodes/spheres"
	models "fdem/solver/model"
	"fdem/solver/particles"

	"gonum.org/v1/gonum/spatial/r2"
)

// Spheres returns the spheres with their state; nil without spheres.
func (k *results) Spheres() *spheres.Spheres { return k.spheres.Spheres }

// SphereVelocities fills v and spin with the velocities and angular velocities at Time [m/s],
// [rad/s].
func (k *results) SphereVelocities(v []r2.Vec, spin []float64) {
	for i := range v {
		v[i], spin[i] = k.spheres.Motion(i)
	}
}

// other returns what a probe observes if it is not a node; nil for a node.
func (k *results) other(p models.Probe) probed {
	if p.Particle {
		return particles.ProbedSphere{K: k.spheres, N: p.Node}
	}
	return nil
}

// Unpredicted returns why the first steps of a run do not predict the time that it takes; "" if
// they do.
func (k *results) Unpredicted() string {
	if len(k.Model.Particles.X) == 0 {
		return ""
	}
	return "particles that meet take shorter steps, as their laws and speeds ask for: where more meet later, more steps come"
}
