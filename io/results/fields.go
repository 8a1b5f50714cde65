package results

import (
	"slices"

	"fdem/fem"
	"fdem/io/vtk"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// A frame is collected after the previous frame has been written, so all frames
// use the same buffers. What is written beside the steps reads only these copies
// and what never changes: no state and no function of the solver.

// instant is a copy of the state that the fields of a frame are computed from.
type instant struct {
	x, velocity, force []r2.Vec // of every node
	stress             []fem.Stress
	pores              []float64    // per triangle: see fem.Triangles.PorePressure
	ofLines            []lineStress // of the cells after the triangles; outlines have none
}

// take copies the data that change during the run.
func (n *instant) take(s *solver.Solver) {
	n.x = append(n.x[:0], s.X...)
	n.velocity = slices.Grow(n.velocity[:0], len(s.X))[:len(s.X)]
	s.Velocities(n.velocity)
	n.force = slices.Grow(n.force[:0], len(s.X))[:len(s.X)]
	s.NodalContactForces(n.force)
}

// fieldGrid copies the data that change during the run, and returns the fields
// that follow from the copy.
func (r *Writer) fieldGrid() vtk.Grid {
	s, now := r.solver, &r.now
	now.take(s)
	if now.stress == nil {
		now.stress = make([]fem.Stress, len(s.Mesh.Triangles))
		now.ofLines = make([]lineStress, len(r.grid.Triangles)+len(r.grid.Lines)-len(r.cells))
	}
	var ofLines, turned []vtk.Array
	if len(r.lines) > 0 {
		turned = []vtk.Array{{Name: "rotation", Components: 1, Float64: r.rotations()}}
		ofLines = r.lineForces(now.ofLines)
	}
	grid := r.grid
	grid.Time = s.Time
	hot, flux := r.heat()
	wet, flow := r.pores()
	force := vtk.Vectors("contact_force", func(k int) r2.Vec { return now.force[r.nodes[k]] })
	force.Sparse = true
	grid.PointData = slices.Concat(r.wanted([]vtk.Array{
		vtk.Vectors("displacement", func(k int) r2.Vec { return r2.Sub(now.x[r.nodes[k]], r.grid.Points[k]) }),
		vtk.Vectors("velocity", func(k int) r2.Vec { return now.velocity[r.nodes[k]] }),
		force,
	}), r.wanted(hot), r.wanted(wet), r.grid.PointData, r.wanted(turned))
	grid.CellData = slices.Concat(r.wanted([]vtk.Array{
		{Name: "stress", Components: 6, Fill: r.fillStress},
		{Name: "von_mises", Components: 1, Fill: r.fillMises},
	}), r.wanted(flux), r.wanted(flow), r.wanted(r.remembered()), r.wanted(ofLines), r.wanted(r.fragments()), r.wanted(r.excavated()), r.wanted(r.installed()), r.grid.CellData)
	return grid
}

// heat returns the temperatures of points and the heat fluxes of cells; nothing without heat.
func (r *Writer) heat() (points, cells []vtk.Array) {
	k := r.solver.Kinds.Heat
	if !k.Known() {
		return nil, nil
	}
	of, flux := r.diffused(k.Temperature, k.Flux)
	return []vtk.Array{{Name: "temperature", Components: 1, Float64: of}}, []vtk.Array{vtk.Vectors("heat_flux", flux)}
}

// pores returns the pore pressures of points, and the flows and effective stresses of cells; nothing
// without pores.
func (r *Writer) pores() (points, cells []vtk.Array) {
	k := r.solver.Kinds.Pores
	if !k.Known() {
		return nil, nil
	}
	of, flow := r.diffused(k.Pressure, k.Flow)
	r.now.pores = append(r.now.pores[:0], r.solver.Kinds.Triangles.PorePressure...)
	return []vtk.Array{{Name: "pore_pressure", Components: 1, Float64: of}}, []vtk.Array{
		{Name: "effective_stress", Components: 6, Fill: r.fillEffective},
		vtk.Vectors("darcy", flow),
	}
}

// diffused returns a value of every point, and a flux of every cell, 0 in those that are no triangles.
func (r *Writer) diffused(value func(n int32) float64, flux func(t int) r2.Vec) (points []float64, cells func(i int) r2.Vec) {
	points, of := make([]float64, len(r.nodes)), make([]r2.Vec, len(r.grid.Triangles)+len(r.grid.Lines))
	for i, n := range r.nodes {
		points[i] = value(n)
	}
	for i, c := range r.cells {
		of[i] = flux(int(c))
	}
	return points, func(i int) r2.Vec { return of[i] }
}

// remembered returns the values in laws' memories of triangles, 0 for cells
// without them.
func (r *Writer) remembered() (out []vtk.Array) {
	for _, name := range r.solver.Kinds.Triangles.Shown() {
		of := make([]float64, len(r.solver.Mesh.Triangles))
		r.solver.Kinds.Triangles.Values(name, of)
		cells := make([]float64, len(r.grid.Triangles)+len(r.grid.Lines))
		for k, c := range r.cells {
			cells[k] = of[c]
		}
		out = append(out, vtk.Array{Name: name, Components: 1, Float64: cells})
	}
	return out
}

// fragments returns the fragment of each triangle of bodies that can break, -1
// for other cells.
func (r *Writer) fragments() []vtk.Array {
	if r.solver.Cracks() == nil {
		return nil
	}
	of := r.solver.Fragments()
	number := make([]int32, len(r.grid.Triangles)+len(r.grid.Lines))
	for k := range number {
		number[k] = -1
		if k < len(r.cells) {
			number[k] = of[r.cells[k]]
		}
	}
	return []vtk.Array{{Name: "fragment", Components: 1, Int32: number}}
}

// excavated marks the cells of excavated bodies.
func (r *Writer) excavated() []vtk.Array {
	gone := r.solver.Excavated()
	if gone == nil {
		return nil
	}
	number := make([]int32, len(r.grid.Triangles)+len(r.grid.Lines))
	for k, c := range r.cells {
		if gone[c] {
			number[k] = 1
		}
	}
	return []vtk.Array{{Name: "excavated", Components: 1, Int32: number}}
}

// wanted returns the requested fields.
func (r *Writer) wanted(fields []vtk.Array) []vtk.Array {
	return slices.DeleteFunc(fields, func(a vtk.Array) bool {
		return r.only != nil && a.Name != "displacement" && !slices.Contains(r.only, a.Name)
	})
}

// fieldFrames are the frames of fields.
var fieldFrames = kind{
	name: "fields", ext: ".vtu",
	has: func(*solver.Solver) bool { return true },
	collect: func(r *Writer) func(path string) error {
		r.rearrange()
		grid := r.fieldGrid()
		if slices.ContainsFunc(grid.CellData, func(a vtk.Array) bool { return a.Fill != nil }) {
			r.solver.Kinds.Triangles.StressesAt(r.now.x, r.now.stress)
		}
		return func(path string) error { return r.vtk.WriteGrid(path, grid) }
	},
	size: func(r *Writer) (int, error) { return r.vtk.GridSize(r.fieldGrid()) },
}

// fillStress sets the stress of cells.
func (r *Writer) fillStress(first, end int, out []float64) {
	for k := first; k < end; k++ {
		t, to := r.stressOf(k), out[6*(k-first):][:6]
		to[0], to[1], to[2], to[3], to[4], to[5] = t.XX, t.YY, t.ZZ, t.XY, 0, 0
	}
}

// fillEffective sets the effective stress of cells.
func (r *Writer) fillEffective(first, end int, out []float64) {
	r.fillStress(first, end, out)
	for k := first; k < min(end, len(r.cells)); k++ {
		for i := range 3 {
			out[6*(k-first)+i] += r.now.pores[r.cells[k]]
		}
	}
}

// fillMises sets von Mises' stress of cells.
func (r *Writer) fillMises(first, end int, out []float64) {
	for k := first; k < end; k++ {
		if i := k - len(r.cells); i >= 0 {
			out[k-first] = r.now.ofLines[i].greatest
		} else {
			out[k-first] = r.now.stress[r.cells[k]].VonMises()
		}
	}
}

// stressOf returns the stress of a cell.
func (r *Writer) stressOf(k int) *fem.Stress {
	if i := k - len(r.cells); i >= 0 {
		return &r.now.ofLines[i].along
	}
	return &r.now.stress[r.cells[k]]
}
