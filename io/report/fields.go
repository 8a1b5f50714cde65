package report

import (
	"path/filepath"
	"slices"

	"fdem/fem"
	"fdem/io/vtk"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// A frame is gathered when the one before has been written, so one set of
// buffers serves them all: what the run changes is copied, and the rest is left
// to the background.

// instant is what the fields of a frame follow from, and these in the file's
// order.
type instant struct {
	x, velocity, force []r2.Vec // of every node
	stress             []fem.Stress

	moved, moving, pressed []float64 // displacement, velocity and contact force
	tensor, mises          []float64 // of every cell; outlines bear no stress
}

// take copies what the run changes.
func (n *instant) take(s *solver.Solver) {
	n.x = append(n.x[:0], s.X...)
	n.velocity = slices.Grow(n.velocity[:0], len(s.X))[:len(s.X)]
	s.Velocities(n.velocity)
	n.force = append(n.force[:0], s.NodalContactForces()...)
}

// fieldFrame gathers the fields. All but the forces of beams follows from the
// copy and is left to the background.
func (r *Results) fieldFrame(name string) {
	s, now := r.solver, &r.now
	now.take(s)
	if cells := len(r.grid.Triangles) + len(r.grid.Lines); now.mises == nil {
		now.tensor, now.mises = make([]float64, 6*cells), make([]float64, cells)
	}
	var ofBeams, turned []vtk.Array
	if len(r.beams) > 0 {
		turned = []vtk.Array{{Name: "rotation", Components: 1, Float64: r.rotations()}}
		ofBeams = r.beamForces(now.tensor, now.mises)
	}
	grid := r.grid
	grid.Time = s.Time
	path := filepath.Join(r.dir, "fields", name+".vtu")
	r.written = append(r.written, path, r.fields.Path)
	r.jobs = append(r.jobs, func() error {
		r.setStress()
		now.moved = now.moved[:0]
		for k, n := range r.nodes {
			now.moved = append(now.moved, now.x[n].X-r.grid.Points[k].X, now.x[n].Y-r.grid.Points[k].Y, 0)
		}
		now.moving, now.pressed = flat(now.moving, now.velocity, r.nodes), flat(now.pressed, now.force, r.nodes)
		grid.PointData = slices.Concat([]vtk.Array{
			{Name: "displacement", Components: 3, Float64: now.moved},
			{Name: "velocity", Components: 3, Float64: now.moving},
			{Name: "contact_force", Components: 3, Float64: now.pressed},
		}, r.grid.PointData, turned)
		grid.CellData = slices.Concat([]vtk.Array{
			{Name: "stress", Components: 6, Float64: now.tensor},
			{Name: "von_mises", Components: 1, Float64: now.mises},
		}, ofBeams, r.grid.CellData)
		if err := r.vtk.WriteGrid(path, grid); err != nil {
			return err
		}
		return r.fields.Add(grid.Time, "fields/"+name+".vtu")
	})
}

// setStress sets the stress of the triangles at the copied positions.
func (r *Results) setStress() {
	now := &r.now
	if now.stress == nil {
		now.stress = make([]fem.Stress, len(r.solver.Mesh.Triangles))
	}
	r.solver.StressesAt(now.x, now.stress)
	for k, c := range r.cells {
		t := &now.stress[c]
		to := now.tensor[6*k : 6*k+6]
		to[0], to[1], to[2], to[3] = t.XX, t.YY, t.ZZ, t.XY
		now.mises[k] = t.VonMises()
	}
}

// flat puts a field of the plane into out in the given order, padded to three
// components.
func flat(out []float64, v []r2.Vec, order []int32) []float64 {
	out = slices.Grow(out[:0], 3*len(order))
	for _, n := range order {
		out = append(out, v[n].X, v[n].Y, 0)
	}
	return out
}

// vectors is a field of the plane as it stands.
func vectors(name string, v []r2.Vec) vtk.Array {
	out := make([]float64, 0, 3*len(v))
	for _, u := range v {
		out = append(out, u.X, u.Y, 0)
	}
	return vtk.Array{Name: name, Components: 3, Float64: out}
}
