package report

import (
	"fmt"
	"path/filepath"
	"slices"

	"fdem/io/vtk"

	"gonum.org/v1/gonum/spatial/r2"
)

// particleFrame gathers the spheres where they are: points with a radius, for
// ParaView's Glyph filter (sphere, scaled by "diameter").
func (r *Results) particleFrame(name string) {
	s := r.solver
	p := s.Spheres()
	if p == nil {
		return
	}
	n := len(p.V)
	velocity, spin := make([]r2.Vec, n), make([]float64, n)
	s.SphereVelocities(velocity, spin)
	all, group, diameter := make([]int32, n), make([]int32, n), make([]float64, n)
	for g, of := range s.Particles.Groups {
		for i := of.First; i < of.End; i++ {
			all[i], group[i], diameter[i] = i, int32(g), 2*p.Radius[i]
		}
	}
	points := vtk.Points{Points: slices.Clone(p.X[:n]), Time: s.Time, PointData: []vtk.Array{
		{Name: "radius", Components: 1, Float64: p.Radius},
		{Name: "diameter", Components: 1, Float64: diameter},
		vectors("velocity", velocity),
		{Name: "angular_velocity", Components: 1, Float64: spin},
		{Name: "angle", Components: 1, Float64: slices.Clone(p.Angle)},
		vectors("contact_force", p.F),
		{Name: "particle_id", Components: 1, Int32: all},
		{Name: "group_id", Components: 1, Int32: group},
	}}
	file := fmt.Sprintf("particles/%s.vtp", name)
	path := filepath.Join(r.dir, filepath.FromSlash(file))
	r.writePoints(path, &r.particles, file, func() vtk.Points { return points })
}
