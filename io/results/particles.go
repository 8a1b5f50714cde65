package results

import (
	"fmt"
	"path/filepath"
	"slices"

	"fdem/io/vtk"

	"gonum.org/v1/gonum/spatial/r2"
)

// particleFrame gathers the spheres where they are: points with a radius, for
// ParaView's Glyph filter (sphere, scaled by "diameter").
func (r *Writer) particleFrame(name string) {
	if r.solver.Spheres() == nil {
		return
	}
	points := r.particlePoints()
	file := fmt.Sprintf("particles/%s.vtp", name)
	path := filepath.Join(r.dir, filepath.FromSlash(file))
	r.writePoints(path, &r.particles, file, func() vtk.Points { return points })
}

// particlePoints copies what the run changes of the spheres.
func (r *Writer) particlePoints() vtk.Points {
	s := r.solver
	p := s.Spheres()
	n := len(p.V)
	velocity, spin := make([]r2.Vec, n), make([]float64, n)
	s.SphereVelocities(velocity, spin)
	force := slices.Clone(p.F)
	return vtk.Points{Points: slices.Clone(p.X[:n]), Counted: true, Time: s.Time, PointData: slices.Concat(r.ofParticles, []vtk.Array{
		vtk.Vectors("velocity", func(k int) r2.Vec { return velocity[k] }),
		{Name: "angular_velocity", Components: 1, Float64: spin},
		{Name: "angle", Components: 1, Float64: slices.Clone(p.Angle)},
		vtk.Vectors("contact_force", func(k int) r2.Vec { return force[k] }),
	})}
}

// arrangeParticles sets what does not change of the spheres.
func (r *Writer) arrangeParticles() {
	p := r.solver.Spheres()
	if p == nil {
		return
	}
	n := len(p.V)
	all, group, diameter := make([]int32, n), make([]int32, n), make([]float64, n)
	for g, of := range r.solver.Particles.Groups {
		for i := of.First; i < of.End; i++ {
			all[i], group[i], diameter[i] = i, int32(g), 2*p.Radius[i]
		}
	}
	r.ofParticles = []vtk.Array{
		{Name: "radius", Components: 1, Float64: p.Radius, Constant: true},
		{Name: "diameter", Components: 1, Float64: diameter, Constant: true},
		{Name: "particle_id", Components: 1, Int32: all, Constant: true},
		{Name: "group_id", Components: 1, Int32: group, Constant: true},
	}
}
