package results

import (
	"fdem/io/vtk"
	"fdem/materials/elementary"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// overlapFrames are the overlaps of volumetric contacts.
var overlapFrames = kind{
	name: "overlaps", ext: ".vtp",
	has: func(s *solver.Solver) bool { return len(s.Volumes) > 0 },
	collect: func(r *Writer) func(path string) error {
		return r.points(r.overlapPoints())
	},
	size: func(r *Writer) (int, error) { return r.vtk.PointsSize(r.overlapPoints()) },
}

// overlapPoints collects the overlaps at their positions: three points each, at
// both ends of the contact line and at the centroid, with the forces of the
// overlap.
func (r *Writer) overlapPoints() vtk.Points {
	s := r.solver
	var points, normals []r2.Vec
	var pressure, depth, length, area, force, friction, torque []float64
	var position, contact []int32
	for i, c := range s.Volumes {
		for k := range c.Patches {
			t := &c.Patches[k]
			half := 0.5 * t.Length
			for at, shift := range []float64{-half, 0, half} {
				points = append(points, elementary.Along(t.Centroid, t.Along, shift))
				normals = append(normals, t.Patch.Normal())
				pressure, depth = append(pressure, t.Pressure), append(depth, t.Area/t.Length)
				length, area = append(length, t.Length), append(area, t.Area)
				force, friction, torque = append(force, t.Normal), append(friction, t.Friction), append(torque, t.Torque)
				position, contact = append(position, int32(at)), append(contact, int32(len(s.Surfaces)+i))
			}
		}
	}
	number := func(name string, v []float64) vtk.Array { return vtk.Array{Name: name, Components: 1, Float64: v} }
	return vtk.Points{Points: points, Time: s.Time, PointData: []vtk.Array{
		number("pressure", pressure), number("deflection", depth), number("length", length), number("area", area),
		number("force", force), number("friction", friction), number("rolling_torque", torque),
		vtk.Vectors("normal", func(k int) r2.Vec { return normals[k] }),
		{Name: "place", Components: 1, Int32: position}, {Name: "contact_id", Components: 1, Int32: contact},
	}}
}
