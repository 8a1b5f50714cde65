package results

import (
	"slices"

	"fdem/contactnodes"
	"fdem/contactnodes/potential"
	"fdem/io/vtk"
	"fdem/solver"
	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
)

// contactNodes is the copy of the contact nodes of all surfaces for a frame, as
// instant is for the fields.
type contactNodes struct {
	reference []r2.Vec // where they are before the start
	surface   []int32  // the contact of each

	columns          [][]float64 // copies of the quantities in ofContactNodes
	moved, direction []r2.Vec    // where they are, and the normal
}

// ofContactNodes lists the quantities of contact nodes in frames.
var ofContactNodes = []struct {
	of     *quantity.Quantity
	values func(c *contactnodes.Contact, out []float64) []float64 // appends one for each contact node
}{
	{quantity.Must(quantity.ContactNode, "pressure"), (*contactnodes.Contact).NodePressures},
	{quantity.Must(quantity.ContactNode, "deflection"), (*contactnodes.Contact).NodeDeflections},
	{quantity.Must(quantity.ContactNode, "friction"), (*contactnodes.Contact).NodeTractions},
	{quantity.Must(quantity.ContactNode, "peak_pressure"), (*contactnodes.Contact).NodePeaks},
	{quantity.Must(quantity.ContactNode, "plastic_deflection"), func(c *contactnodes.Contact, out []float64) []float64 {
		return c.PerContactNode(out, c.MemoryValues("plastic_deflection"))
	}},
}

// contactFrames are the contact nodes, in their reference position as the fields
// are.
var contactFrames = kind{
	name: "contact", ext: ".vtp", ownInterval: true,
	has: func(s *solver.Solver) bool { return len(s.Surfaces) > 0 },
	collect: func(r *Writer) func(path string) error {
		return r.points(r.contactPoints())
	},
	size: func(r *Writer) (int, error) { return r.vtk.PointsSize(r.contactPoints()) },
}

// fragmentContactFrames are the contact nodes of fragments that touch, in their reference
// position, too.
var fragmentContactFrames = kind{
	name: "fragment_contact", ext: ".vtp", ownInterval: true,
	has: (*solver.Solver).Transfers,
	collect: func(r *Writer) func(path string) error {
		return r.points(fragmentContactPoints(r.solver))
	},
	size: func(*Writer) (int, error) { return 0, nil }, // of a body that is still whole
}

// fragmentContactPoints makes a frame of the contact nodes of fragments.
func fragmentContactPoints(s *solver.Solver) vtk.Points {
	nodes := s.FragmentContacts()
	p := vtk.Points{Time: s.Time}
	for i := range nodes {
		p.Points = append(p.Points, nodes[i].First)
	}
	for _, q := range []struct {
		name string
		of   func(n *potential.Node) float64
	}{
		{"pressure", func(n *potential.Node) float64 { return n.Pressure }},
		{"deflection", func(n *potential.Node) float64 { return n.Deflection }},
		{"friction", func(n *potential.Node) float64 { return n.Friction }},
	} {
		values := make([]float64, len(nodes))
		for i := range nodes {
			values[i] = q.of(&nodes[i])
		}
		p.PointData = append(p.PointData, vtk.Array{Name: quantity.Must(quantity.ContactNode, q.name).Name, Components: 1, Float64: values})
	}
	p.PointData = append(p.PointData,
		vtk.Vectors("normal", func(k int) r2.Vec { return nodes[k].Normal }),
		vtk.Vectors("displacement", func(k int) r2.Vec { return r2.Sub(nodes[k].At, nodes[k].First) }))
	return p
}

// contactPoints makes a frame of copies of the contact nodes.
func (r *Writer) contactPoints() vtk.Points {
	s, now := r.solver, &r.onEdges
	if now.surface == nil {
		for i, c := range s.Surfaces {
			now.reference = c.Positions(now.reference, s.Mesh.X)
			now.surface = slices.Grow(now.surface, c.ContactNodes())
			for range c.ContactNodes() {
				now.surface = append(now.surface, int32(i))
			}
		}
		now.columns = make([][]float64, len(ofContactNodes))
	}
	now.moved, now.direction = now.moved[:0], now.direction[:0]
	for _, c := range s.Surfaces {
		now.moved = c.Positions(now.moved, s.X)
		now.direction = c.Normals(now.direction, s.X)
	}
	p := vtk.Points{Points: now.reference, Constant: true, Time: s.Time}
	for k, q := range ofContactNodes {
		now.columns[k] = now.columns[k][:0]
		for _, c := range s.Surfaces {
			now.columns[k] = q.values(c, now.columns[k])
		}
		p.PointData = append(p.PointData, vtk.Array{Name: q.of.Name, Components: 1, Float64: now.columns[k], Sparse: true})
	}
	p.PointData = append(p.PointData,
		vtk.Vectors("normal", func(k int) r2.Vec { return now.direction[k] }),
		vtk.Vectors("displacement", func(k int) r2.Vec { return r2.Sub(now.moved[k], now.reference[k]) }),
		vtk.Array{Name: "surface_id", Components: 1, Int32: now.surface, Constant: true})
	return p
}
