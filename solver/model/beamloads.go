package model

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// LineLoad is a distributed load along beams: a force per length that keeps its direction
// (dead load), or a pressure on one of their sides that stays normal to them (follower
// load). Nodes get consistent (work-equivalent) forces and moments. They do the same work
// as the load on every motion that an element can have: linear along its chord and cubic
// across it. So the nodes of straight beams under a uniform load have the displacements of
// beam theory.
type LineLoad struct {
	Elements []int32   // element numbers of the beams
	Force    r2.Vec    // per length at the start [N/m]
	Side     []float64 // per element: its width under the pressure on the left of the direction from its first node to its second, negative on the right [m]; nil without pressure
}
