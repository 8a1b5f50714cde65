package diffusion

import (
	"slices"

	"fdem/fem/fracture"

	"gonum.org/v1/gonum/spatial/r2"
)

// Heat flows through cracks and joints whose faces touch as through the whole material: nodes at opposite
// ends of closed faces have one temperature. After every explicit step they take the mean of theirs by
// capacity, with which a closed joint changes nothing to the last digits of an implicit one. Open faces
// insulate.

// touching is the opening up to which faces touch, relative to their edge: rounding.
const touching = 1e-9

// closedFaces are the nodes on both sides of closed faces.
type closedFaces struct {
	zone *fracture.Zone // nil for none
	nodeSets
	heat, capacity []float64 // per node that is the first of its set: see even [J], [J/K]
	lost           []float64 // the same: see giveBack [J]
	heldBy         []int32   // the same: the first block that holds one of its nodes, -1 for none
}

func newClosedFaces(zone *fracture.Zone, nodes int) closedFaces {
	return closedFaces{zone: zone, nodeSets: newNodeSets(nodes), heat: make([]float64, nodes), capacity: make([]float64, nodes), lost: make([]float64, nodes), heldBy: make([]int32, nodes)}
}

// find finds the faces that are closed at positions x, between nodes with capacities [J/K].
func (f *closedFaces) find(capacity []float64, x []r2.Vec) {
	if f.zone == nil {
		return
	}
	f.clear()
	f.zone.EachOpen(func(edge int32) {
		ch, faces := f.zone.Channel(edge, x)
		faces = faces || ch.Opposite() // which have been apart, and may meet again
		for end, open := range ch.Open {
			if a, b := ch.Nodes[end], ch.Nodes[2+end]; open && faces && ch.Opening[end] <= touching*ch.Length && capacity[a] > 0 && capacity[b] > 0 {
				f.join(a, b)
			}
		}
	})
	slices.Sort(f.touched)
}

// even gives nodes on both sides of closed faces one temperature of theta. What nodes need to have that of a
// held one, which to returns for a block and a node, is added to what the block has given [J].
func (f *closedFaces) even(theta []float64, k *network, given []float64, to func(block, node int32) float64) {
	for _, n := range f.touched {
		r := f.first(n)
		if n == r {
			f.heat[r], f.capacity[r], f.heldBy[r] = 0, 0, -1
		}
		c := k.slope(n, theta[n])
		f.heat[r] += float64(c * theta[n])
		f.capacity[r] += c
		if b := k.heldBy[n]; b >= 0 && f.heldBy[r] < 0 {
			f.heldBy[r] = b
		}
	}
	for _, n := range f.touched {
		r := f.first(n)
		next := f.heat[r] / f.capacity[r]
		switch b := f.heldBy[r]; {
		case b < 0:
			if n == r {
				f.lost[r] = 0
			}
			if k.varies != nil {
				f.lost[r] += k.gain(n, theta[n], next)
			}
			theta[n] = next
		case k.heldBy[n] < 0:
			held := to(b, n)
			given[b] += k.gain(n, theta[n], held)
			theta[n] = held
		}
	}
	if k.varies != nil {
		f.giveBack(theta, k)
	}
}

// giveBack moves what the sets have got by capacities that depend on the temperature: heat that nodes have
// at their common temperature more than before.
func (f *closedFaces) giveBack(theta []float64, k *network) {
	for _, n := range f.touched {
		r := f.first(n)
		if f.heldBy[r] < 0 {
			theta[n] = k.warmed(n, theta[n], -float64(f.lost[r]*k.slope(n, theta[n]))/f.capacity[r])
		}
	}
}
