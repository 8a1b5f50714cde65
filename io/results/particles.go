package results

import (
	"fmt"
	"slices"

	"fdem/io/vtk"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// particleFrames are the frames of spheres at their positions: points with a
// radius, for ParaView's Glyph filter (sphere, scaled by "diameter").
var particleFrames = kind{
	name: "particles", ext: ".vtp",
	has: func(s *solver.Solver) bool { return s.Spheres() != nil },
	collect: func(r *Writer) func(path string) error {
		return r.points(r.particlePoints())
	},
	size: func(r *Writer) (int, error) { return r.vtk.PointsSize(r.particlePoints()) },
}

// particlePoints copies the changing data of the spheres.
func (r *Writer) particlePoints() vtk.Points {
	s := r.solver
	p := s.Spheres()
	if r.fixed == nil {
		r.arrangeParticles()
	}
	n := len(p.V)
	velocity, spin := make([]r2.Vec, n), make([]float64, n)
	s.Kinds.Spheres.VelocitiesNow(velocity, spin)
	force := slices.Clone(p.F)
	return vtk.Points{Points: slices.Clone(p.X[:n]), Counted: true, Time: s.Time, PointData: slices.Concat(r.fixed, []vtk.Array{
		vtk.Vectors("velocity", func(k int) r2.Vec { return velocity[k] }),
		{Name: "angular_velocity", Components: 1, Float64: spin},
		{Name: "angle", Components: 1, Float64: slices.Clone(p.Angle)},
		vtk.Vectors("contact_force", func(k int) r2.Vec { return force[k] }),
	})}
}

// arrangeParticles sets the constant data of the spheres.
func (r *Writer) arrangeParticles() {
	p := r.solver.Spheres()
	n := len(p.V)
	all, group, diameter := make([]int32, n), make([]int32, n), make([]float64, n)
	for g, of := range r.solver.Particles.Groups {
		for i := of.First; i < of.End; i++ {
			all[i], group[i], diameter[i] = i, int32(g), 2*p.Radius[i]
		}
	}
	r.fixed = []vtk.Array{
		{Name: "radius", Components: 1, Float64: slices.Clone(p.Radius), Constant: true},
		{Name: "diameter", Components: 1, Float64: diameter, Constant: true},
		{Name: "particle_id", Components: 1, Int32: all, Constant: true},
		{Name: "group_id", Components: 1, Int32: group, Constant: true},
	}
}

// grains is the part of a summary about particles.
type grains struct {
	Particles              int     `json:"particles"`
	ParticleStepsPerSecond float64 `json:"particle_steps_per_second,omitempty"`
}

// grainsOf returns this part for a run with a number of steps a second.
func grainsOf(s *solver.Solver, rate float64) grains {
	n := len(s.Particles.X)
	return grains{n, number(rate * float64(n))}
}

// Speed returns a text about the speed of the particles' computation, empty
// without particles.
func (g grains) Speed() string {
	if g.ParticleStepsPerSecond == 0 {
		return ""
	}
	return fmt.Sprintf(", %.3g particle-steps/s", g.ParticleStepsPerSecond)
}

// haveImpactLaws tells whether interactions of particles have laws of impacts.
func haveImpactLaws(s *solver.Solver) bool { return len(s.Particles.Interactions) > 0 }
