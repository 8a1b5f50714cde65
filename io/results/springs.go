package results

import (
	"fdem/io/vtk"
	"fdem/solver"
	"fdem/solver/forces"

	"gonum.org/v1/gonum/spatial/r2"
)

// springFrames are the springs between two points, a line each.
var springFrames = kind{
	name: "springs", ext: ".vtp",
	has: func(s *solver.Solver) bool { return s.Kinds.Springs.Lines() > 0 },
	collect: func(r *Writer) func(path string) error {
		lines := springLines(r.solver)
		return func(path string) error { return r.vtk.WriteLines(path, lines) }
	},
	size: func(r *Writer) (int, error) { return 200 * r.solver.Kinds.Springs.Lines() * r.vtk.Files(".vtp"), nil },
}

// springLines collects the springs, in the reference position, as in the fields.
func springLines(s *solver.Solver) vtk.Lines {
	var points, moved []r2.Vec
	var force, stretch []float64
	var of, installed []int32
	s.Kinds.Springs.EachLine(func(l *forces.SpringLine) {
		for end := range l.Start {
			points, moved = append(points, l.Start[end]), append(moved, r2.Sub(l.Now[end], l.Start[end]))
		}
		force, stretch, of = append(force, l.Force), append(stretch, l.Stretch), append(of, int32(l.Of))
		installed = append(installed, flag(l.Installed))
	})
	lines := vtk.Lines{Points: points, Time: s.Time,
		PointData: []vtk.Array{vtk.Vectors("displacement", func(k int) r2.Vec { return moved[k] })},
		CellData: []vtk.Array{
			{Name: "force", Components: 1, Float64: force}, {Name: "stretch", Components: 1, Float64: stretch},
			{Name: "spring_id", Components: 1, Int32: of},
		},
	}
	if s.Kinds.Springs.Staged() {
		lines.CellData = append(lines.CellData, vtk.Array{Name: "installed", Components: 1, Int32: installed})
	}
	return lines
}

// boltFrames are the bolts, a line for each segment.
var boltFrames = kind{
	name: "bolts", ext: ".vtp",
	has: func(s *solver.Solver) bool { return s.Kinds.Bolts.Segments() > 0 },
	collect: func(r *Writer) func(path string) error {
		lines := boltLines(r.solver)
		return func(path string) error { return r.vtk.WriteLines(path, lines) }
	},
	size: func(r *Writer) (int, error) { return 300 * r.solver.Kinds.Bolts.Segments() * r.vtk.Files(".vtp"), nil },
}

// boltLines collects the segments of bolts, in the reference position, as in the fields.
func boltLines(s *solver.Solver) vtk.Lines {
	var points, moved []r2.Vec
	var force, shear, strain, broken, grip, slip, along []float64
	var of, installed []int32
	s.Kinds.Bolts.EachSegment(func(l *forces.BoltSegment) {
		for end := range l.Start {
			points, moved = append(points, l.Start[end]), append(moved, r2.Sub(l.Now[end], l.Start[end]))
			grip, slip, along = append(grip, l.Grip[end]), append(slip, l.Slip[end]), append(along, l.Along[end])
		}
		force, shear, strain, broken, of = append(force, l.Force), append(shear, l.Shear), append(strain, l.Strain), append(broken, l.Broken), append(of, int32(l.Of))
		installed = append(installed, flag(l.Installed))
	})
	lines := vtk.Lines{Points: points, Time: s.Time,
		PointData: []vtk.Array{
			vtk.Vectors("displacement", func(k int) r2.Vec { return moved[k] }), {Name: "bond_force", Components: 1, Float64: grip},
			{Name: "slip", Components: 1, Float64: slip}, {Name: "along", Components: 1, Float64: along},
		},
		CellData: []vtk.Array{
			{Name: "axial_force", Components: 1, Float64: force}, {Name: "shear_force", Components: 1, Float64: shear}, {Name: "plastic_strain", Components: 1, Float64: strain},
			{Name: "broken", Components: 1, Float64: broken}, {Name: "bolt_id", Components: 1, Int32: of},
		},
	}
	if s.Kinds.Bolts.Staged() {
		lines.CellData = append(lines.CellData, vtk.Array{Name: "installed", Components: 1, Int32: installed})
	}
	return lines
}

// flag is 1 for yes.
func flag(yes bool) int32 {
	if yes {
		return 1
	}
	return 0
}
