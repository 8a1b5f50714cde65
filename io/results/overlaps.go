package results

import (
	"fmt"
	"path/filepath"

	"fdem/io/vtk"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// overlapFrame gathers the overlaps of volumetric contacts where they are: three
// points each, at both ends of the contact line and at the centroid, with what
// the overlap bears.
func (r *Writer) overlapFrame(name string) {
	s := r.solver
	if len(s.Volumes) == 0 {
		return
	}
	var points, normals []r2.Vec
	var pressure, depth, length, area, force, friction, torque []float64
	var place, contact []int32
	for i, c := range s.Volumes {
		for k := range c.Touches {
			t := &c.Touches[k]
			half := 0.5 * t.Length
			for at, shift := range []float64{-half, 0, half} {
				points = append(points, elementary.Along(t.Centroid, t.Along, shift))
				normals = append(normals, t.Patch.Normal())
				pressure, depth = append(pressure, t.Pressure), append(depth, t.Area/t.Length)
				length, area = append(length, t.Length), append(area, t.Area)
				force, friction, torque = append(force, t.Normal), append(friction, t.Friction), append(torque, t.Torque)
				place, contact = append(place, int32(at)), append(contact, int32(len(s.Surfaces)+i))
			}
		}
	}
	number := func(name string, v []float64) vtk.Array { return vtk.Array{Name: name, Components: 1, Float64: v} }
	out := vtk.Points{Points: points, Time: s.Time, PointData: []vtk.Array{
		number("pressure", pressure), number("deflection", depth), number("length", length), number("area", area),
		number("force", force), number("friction", friction), number("rolling_torque", torque),
		vtk.Vectors("normal", func(k int) r2.Vec { return normals[k] }),
		{Name: "place", Components: 1, Int32: place}, {Name: "contact_id", Components: 1, Int32: contact},
	}}
	file := fmt.Sprintf("overlaps/%s.vtp", name)
	path := filepath.Join(r.dir, filepath.FromSlash(file))
	r.writePoints(path, &r.overlaps, file, func() vtk.Points { return out })
}
