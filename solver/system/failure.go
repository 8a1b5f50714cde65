package system

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// NodePosition is a node and its position, for the message of a run that failed.
type NodePosition struct {
	Node     int32  // number in the mesh file; 0 for a node of a rigid body's outline, or if there is no node
	Position r2.Vec // at the failure [m]
}

func (w NodePosition) String() string {
	if w.Node == 0 {
		return fmt.Sprintf("at (%.6g, %.6g) m", w.Position.X, w.Position.Y)
	}
	return fmt.Sprintf("node %d at (%.6g, %.6g) m", w.Node, w.Position.X, w.Position.Y)
}

// NodePosition names a node.
func (k *View) NodePosition(n int) NodePosition {
	w := NodePosition{Position: k.X[n]}
	if n < k.Meshed {
		w.Node = k.Mesh.NodeID[n]
	}
	return w
}

// NonFinite finds the first node whose position or velocity is not finite.
func (k *View) NonFinite() NodePosition {
	for i, x := range k.X {
		v := k.V[i]
		if sum := x.X + x.Y + v.X + v.Y; math.IsNaN(sum) || math.IsInf(sum, 0) {
			return k.NodePosition(i)
		}
	}
	at, _ := k.FastestNode()
	return at
}

// FastestNode finds the node with the greatest speed [m/s].
func (k *View) FastestNode() (at NodePosition, speed float64) {
	best, v2 := -1, -1.0
	for i, v := range k.V {
		if w := float64(v.X*v.X) + float64(v.Y*v.Y); w > v2 {
			best, v2 = i, w
		}
	}
	if best < 0 {
		return NodePosition{}, 0
	}
	return k.NodePosition(best), math.Sqrt(v2)
}
