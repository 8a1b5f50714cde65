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

// byImpulses tells whether contact is by impulses.
func byImpulses(s *solver.Solver) bool { return s.Model.Impulses != nil }

// About how many contact points and lines of thrust a body has, and the bytes of one, for sizes before a run.
const pointsPerBody, bytesPerPoint = 4, 150

func sizeByImpulses(r *Writer) (int, error) {
	return pointsPerBody * bytesPerPoint * len(r.solver.Rigids) * r.vtk.Files(".vtp"), nil
}

// pointFrames are the contact points of contact by impulses.
var pointFrames = kind{
	name: "contact_points", ext: ".vtp", has: byImpulses, size: sizeByImpulses,
	collect: func(r *Writer) func(path string) error {
		points := r.solver.Kinds.Impulses.Points()
		p := vtk.Points{Time: r.solver.Time}
		gap, contact := make([]float64, len(points)), make([]int32, len(points))
		var bodies [2][]int32
		for i := range points {
			at := &points[i]
			p.Points = append(p.Points, at.At)
			gap[i], contact[i] = at.Gap, at.Contact
			for k, b := range at.Bodies {
				bodies[k] = append(bodies[k], b)
			}
		}
		p.PointData = []vtk.Array{
			vtk.Vectors("contact_force", func(k int) r2.Vec { return points[k].Force }),
			vtk.Vectors("normal", func(k int) r2.Vec { return points[k].Normal }),
			{Name: "gap", Components: 1, Float64: gap}, {Name: "contact_id", Components: 1, Int32: contact},
			{Name: "first_id", Components: 1, Int32: bodies[0]}, {Name: "second_id", Components: 1, Int32: bodies[1]},
		}
		return r.points(p)
	},
}

// thrustFrames are the lines of thrust of contact by impulses.
var thrustFrames = kind{
	name: "thrust", ext: ".vtp", has: byImpulses, size: sizeByImpulses,
	collect: func(r *Writer) func(path string) error {
		lines := vtk.Lines{Time: r.solver.Time}
		var force []float64
		var bodies []int32
		for _, l := range r.solver.Kinds.Impulses.Thrust() {
			lines.Points = append(lines.Points, l.Ends[:]...)
			force, bodies = append(force, l.Force), append(bodies, l.Body)
		}
		lines.CellData = []vtk.Array{{Name: "force", Components: 1, Float64: force}, {Name: "body_id", Components: 1, Int32: bodies}}
		return func(path string) error { return r.vtk.WriteLines(path, lines) }
	},
}
