package bodies

import (
	"math"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// EdgeBoxes returns a grid with the boxes of edges, enlarged by half their lengths.
func EdgeBoxes(m *mesh.Mesh, side []int32) *boundingbox.HashGrid {
	var list []boundingbox.Box
	for _, i := range side {
		e := &m.Edges[i]
		a, b := m.X[e.A], m.X[e.B]
		list = append(list, boundingbox.BoxOf(a, b).Grow(float64(0.5*elementary.Norm(r2.Sub(b, a)))))
	}
	g := &boundingbox.HashGrid{}
	g.Fill(list)
	return g
}

// Raise extends the search by the height of a contact's arcs over their edges.
func (k *Outlines) Raise(c *models.SurfaceContact, arcs []contactnodes.Arc) {
	highest := 0.0
	for i := range arcs {
		highest = max(highest, math.Abs(arcs[i].Height))
	}
	if highest == 0 {
		return
	}
	for _, side := range [2][]int32{c.Contactor, c.Opposite} {
		for _, i := range side {
			k.Lines.Reach[i] += 2 * highest
		}
	}
}
