package model

import (
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// ProbeRegion is the region of a probe: nodes, triangles or contact nodes.
type ProbeRegion struct {
	Nodes     []int32
	Corners   Corners // at each of Nodes: if it splits, only the nodes with these count
	Triangles []int32
	Edges     []int32 // edges whose contact nodes count
	Contact   *r2.Vec // if not nil, only the contact node nearest to this initial position counts [m]
	Take      string  // "mean", "sum", "max" or "min" of each component
}

// AreaOf returns the area of triangle t at the start [m2].
func (m *Model) AreaOf(t int32) float64 {
	n, x := m.Mesh.Triangles[t], m.Mesh.X
	return 0.5 * elementary.Cross(r2.Sub(x[n[1]], x[n[0]]), r2.Sub(x[n[2]], x[n[0]]))
}
