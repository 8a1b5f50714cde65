package diffusion

import (
	"slices"

	"fdem/fem/fracture"
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
	heat, capacity []float64 // per node that is the first of its set [J], [J/K]
	heldBy         []int32   // the same: the first block that holds one of its nodes, -1 for none
}

// InCracks lets heat flow through the closed cracks of a zone, nil for none.
func (k *Heat) InCracks(zone *fracture.Zone) {
	if k.of == nil || k.Fracture == nil || k.Static != nil {
		return
	}
	n := len(k.X)
	k.closed = closedFaces{zone: zone, nodeSets: newNodeSets(n), heat: make([]float64, n), capacity: make([]float64, n), heldBy: make([]int32, n)}
	k.work.even = k.even
}

// findClosed finds the faces that are closed now.
func (k *Heat) findClosed() {
	f := &k.closed
	if f.zone == nil {
		return
	}
	f.clear()
	f.zone.EachOpen(func(edge int32) {
		ch, faces := f.zone.Channel(edge, k.X)
		for end, open := range ch.Open {
			if a, b := ch.Nodes[end], ch.Nodes[2+end]; open && faces && ch.Opening[end] <= touching*ch.Length && k.net.capacityAt(a) && k.net.capacityAt(b) {
				f.join(a, b)
			}
		}
	})
	slices.Sort(f.touched)
}

// even gives nodes on both sides of closed faces one temperature, at a time of heat. What a held node needs
// for it comes from its block.
func (k *Heat) even(theta []float64, at float64) {
	f, net := &k.closed, &k.net
	for _, n := range f.touched {
		r := f.first(n)
		if n == r {
			f.heat[r], f.capacity[r], f.heldBy[r] = 0, 0, -1
		}
		f.heat[r] += float64(net.capacity[n] * theta[n])
		f.capacity[r] += net.capacity[n]
		if b := net.heldBy[n]; b >= 0 && f.heldBy[r] < 0 {
			f.heldBy[r] = b
		}
	}
	for _, n := range f.touched {
		r := f.first(n)
		switch b := f.heldBy[r]; {
		case b < 0:
			theta[n] = f.heat[r] / f.capacity[r]
		case net.heldBy[n] < 0:
			to := k.held(b, n, at)
			k.now.given[b] += float64(net.capacity[n] * (to - theta[n]))
			theta[n] = to
		}
	}
}
