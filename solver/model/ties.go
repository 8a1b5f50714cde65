package model

import (
	"fdem/fem/mortar"
)

// Ties connect two lines of edges that do not share nodes (package mortar). In dynamics
// the constraints hold exactly: before the nodes move, constraint forces make the
// accelerations of both sides agree. So no energy is stored, steps stay as long, and
// momentum is conserved. A static analysis uses a stiff penalty.

// Tie connects the edges On to the edges To.
type Tie struct {
	Name     string
	On, To   []int32 // boundary edges
	Rows     []mortar.Constraint
	Spread   []float64 // per row, see mortar.Found
	Young    float64   // of the stiffer side [Pa]
	Gap      float64   // greatest gap at the start [m]
	Unshared float64   // part of On's length that lies opposite no edge of To [1]
	Within   float64   // greatest gap that a tie that is installed during a run may find [m]; 0 for the usual one
	When               // in motion; with From it keeps the positions that it finds, and Rows and Spread are nil
}

// MarkTied marks the edges of ties that are there all the time, each tie by a bit. Edges of one tie are not in
// contact with each other, nor with the edges next to them, just like edges that share
// a node.
func (m *Model) MarkTied(mark func(edge int32, bit uint64)) {
	for i := range m.Ties {
		if m.Ties[i].Staged() {
			continue
		}
		for _, side := range [2][]int32{m.Ties[i].On, m.Ties[i].To} {
			for _, e := range side {
				for _, n := range [3]int32{e, m.Mesh.Edges[e].Prev, m.Mesh.Edges[e].Next} {
					if n >= 0 {
						mark(n, 1<<i)
					}
				}
			}
		}
	}
}
