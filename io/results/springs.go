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
	var of []int32
	s.Kinds.Springs.EachLine(func(l *forces.SpringLine) {
		for end := range l.Start {
			points, moved = append(points, l.Start[end]), append(moved, r2.Sub(l.Now[end], l.Start[end]))
		}
		force, stretch, of = append(force, l.Force), append(stretch, l.Stretch), append(of, int32(l.Of))
	})
	return vtk.Lines{Points: points, Time: s.Time,
		PointData: []vtk.Array{vtk.Vectors("displacement", func(k int) r2.Vec { return moved[k] })},
		CellData: []vtk.Array{
			{Name: "force", Components: 1, Float64: force}, {Name: "stretch", Components: 1, Float64: stretch},
			{Name: "spring_id", Components: 1, Int32: of},
		},
	}
}
