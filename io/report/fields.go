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
		now.moved = flat(now.moved, len(r.nodes), func(k int) r2.Vec { return r2.Sub(now.x[r.nodes[k]], r.grid.Points[k]) })
		now.moving = flat(now.moving, len(r.nodes), func(k int) r2.Vec { return now.velocity[r.nodes[k]] })
		now.pressed = flat(now.pressed, len(r.nodes), func(k int) r2.Vec { return now.force[r.nodes[k]] })
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

// flat puts the n values of a field of the plane into out, padded to three
// components.
func flat(out []float64, n int, value func(k int) r2.Vec) []float64 {
	out = slices.Grow(out[:0], 3*n)
	for k := range n {
		v := value(k)
		out = append(out, v.X, v.Y, 0)
	}
	return out
}

// vectors is a field of the plane as it stands.
func vectors(name string, v []r2.Vec) vtk.Array {
	return vtk.Array{Name: name, Components: 3, Float64: flat(nil, len(v), func(k int) r2.Vec { return v[k] })}
}
