package results

import (
	"math"

	"fdem/fem"
	"fdem/io/vtk"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// arrangeLines adds the cells of the beams to the grid, beams in the file's
// order: two triangles each that fill the beam between its faces, then the
// lines between the nodes. add is called for every cell with its body and the
// beam's number.
func (r *Writer) arrangeLines(position []int32, add func(body int32, id int64)) {
	m := r.solver.Mesh
	r.lines = byID(m.BeamID)
	r.ofLine = make([]int32, len(m.Beams))
	faces := map[[2]int32][2]int32{} // of an element along a beam: the ends of the face on its right
	for i, b := range m.Bodies[:len(r.solver.Bodies)] {
		for e := b.FirstBeam; e < b.EndBeam; e++ {
			r.ofLine[e] = int32(i)
		}
		if b.FirstBeam == b.EndBeam {
			continue
		}
		for _, e := range m.Edges[b.FirstEdge:b.EndEdge] {
			faces[[2]int32{m.Faces[e.A-m.FirstFace], m.Faces[e.B-m.FirstFace]}] = [2]int32{e.A, e.B}
		}
	}
	for _, e := range r.lines {
		n := m.Beams[e]
		right, left := faces[n], faces[[2]int32{n[1], n[0]}]
		for _, t := range [][3]int32{{right[0], right[1], left[0]}, {left[0], left[1], right[0]}} {
			r.grid.Triangles = append(r.grid.Triangles, [3]int32{position[t[0]], position[t[1]], position[t[2]]})
			add(r.ofLine[e], int64(m.BeamID[e]))
		}
	}
	for _, e := range r.lines {
		n := m.Beams[e]
		r.grid.Lines = append(r.grid.Lines, [2]int32{position[n[0]], position[n[1]]})
		add(r.ofLine[e], int64(m.BeamID[e]))
	}
}

// lineStress is the stress of a cell of a beam.
type lineStress struct {
	along    fem.Stress // the axial stress along the line between the nodes
	greatest float64    // of any fibre [Pa]
}

// lineForces returns the axial force, the shear force, the bending moment in
// the middle of every beam and the greater one of its ends as cell arrays, zero for other cells. It sets the
// stress of the beams' cells, which come after the triangles.
func (r *Writer) lineForces(stress []lineStress) []vtk.Array {
	s := r.solver
	filled, lines := len(r.cells), len(r.grid.Triangles)
	cells := filled + len(stress)
	forces := make([]fem.BeamForces, len(r.lines))
	s.Kinds.Beams.ForcesNow(forces)
	axial, shear, moment, ends := make([]float64, cells), make([]float64, cells), make([]float64, cells), make([]float64, cells)
	for k, i := range r.lines {
		f, n, b := forces[i], s.Mesh.Beams[i], &s.Bodies[r.ofLine[i]]
		along, greatest := f.Stress(b.Width, b.Height, elementary.Unit(r2.Sub(s.X[n[1]], s.X[n[0]])))
		for _, c := range []int{filled + 2*k, filled + 2*k + 1, lines + k} {
			axial[c], shear[c], moment[c], ends[c] = f.N, f.Shear, f.Moment(), max(math.Abs(f.MA), math.Abs(f.MB))
			stress[c-filled] = lineStress{along, greatest}
		}
	}
	return []vtk.Array{
		{Name: "axial_force", Components: 1, Float64: axial},
		{Name: "shear_force", Components: 1, Float64: shear},
		{Name: "bending_moment", Components: 1, Float64: moment},
		{Name: "end_moment", Components: 1, Float64: ends},
	}
}

// installed marks the cells of what is there, where some beams come or go.
func (r *Writer) installed() []vtk.Array {
	beams := r.solver.Kinds.Beams
	if !beams.Staged() {
		return nil
	}
	number := make([]int32, len(r.grid.Triangles)+len(r.grid.Lines))
	for k := range number {
		number[k] = 1
	}
	for k, e := range r.lines {
		if beams.Share(int(e)) == 0 {
			for _, c := range []int{len(r.cells) + 2*k, len(r.cells) + 2*k + 1, len(r.grid.Triangles) + k} {
				number[c] = 0
			}
		}
	}
	return []vtk.Array{{Name: "installed", Components: 1, Int32: number}}
}

// rotations returns the rotation of every node, in the file's order. Nodes of
// faces rotate with the beam.
func (r *Writer) rotations() []float64 {
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
