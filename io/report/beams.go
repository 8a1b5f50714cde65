package report

import (
	"math"

	"fdem/fem"
	"fdem/io/vtk"

	"gonum.org/v1/gonum/spatial/r2"
)

// beamStresses appends the stress of every beam to tensor, in the file's
// order: the axial stress N/A along the line between its nodes; and sets
// greatest to the greatest stress of any fibre, |N|/A + |M|/W with W =
// width height^2/6 and the greater end moment, which is von Mises' too.
func (r *Results) beamStresses(tensor, greatest []float64) []float64 {
	s := r.solver
	forces := make([]fem.BeamForces, len(r.beams))
	s.BeamForces(forces)
	for k, i := range r.beams {
		f, n := forces[i], s.Mesh.Beams[i]
		b := &s.Bodies[r.grid.CellData[0].Int32[len(r.cells)+k]]
		area := b.Width * b.Height
		d := r2.Unit(r2.Sub(s.X[n[1]], s.X[n[0]]))
		axial := f.N / area
		tensor = append(tensor, axial*d.X*d.X, axial*d.Y*d.Y, 0, axial*d.X*d.Y, 0, 0)
		greatest[k] = math.Abs(axial) + 6*math.Max(math.Abs(f.MA), math.Abs(f.MB))/(area*b.Height)
	}
	return tensor
}

// beamForces returns the axial force, the shear force and the bending moment in
// the middle of every beam as cell arrays, zero for other cells.
func (r *Results) beamForces(first, cells int) []vtk.Array {
	forces := make([]fem.BeamForces, len(r.beams))
	r.solver.BeamForces(forces)
	axial, shear, moment := make([]float64, cells), make([]float64, cells), make([]float64, cells)
	for k, i := range r.beams {
		f := forces[i]
		axial[first+k], shear[first+k], moment[first+k] = f.N, f.Shear, 0.5*(f.MB-f.MA)
	}
	return []vtk.Array{
		{Name: "axial_force", Components: 1, Float64: axial},
		{Name: "shear_force", Components: 1, Float64: shear},
		{Name: "bending_moment", Components: 1, Float64: moment},
	}
}

// rotations returns how far every node has turned, in the file's order; those
// of faces turn with the beam.
func (r *Results) rotations() []float64 {
	s := r.solver
	theta := append([]float64(nil), s.Theta...)
	for i, n := range s.Mesh.Faces {
		theta[int(s.Mesh.FirstFace)+i] = theta[n]
	}
	out := make([]float64, len(r.nodes))
	for k, n := range r.nodes {
		out[k] = theta[n]
	}
	return out
}
