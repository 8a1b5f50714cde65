package contactnodes

import (
	"cmp"
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/halves"

	"gonum.org/v1/gonum/spatial/r2"
)

// State of pairs of edges, of rigid bodies and of those that deform.

// PatchState is the friction of a patch, see rigidfriction.go. It is kept from step to step, and
// found again by the two components and the normal.
type PatchState struct {
	Components [2]int32
	Inward     r2.Vec        // from the first into the second component
	Stick      coulomb.Stick // in N and N/m
	Slip       float64       // slip velocity [m/s]
}

// PairOffset is the depth that does not count between two bodies that overlap at the start: the
// greatest depth there. It is the same for all edges of the two bodies, so depths are continuous from
// edge to edge.
type PairOffset struct {
	Components [2]int32 // ascending
	Depth      float64  // [m]
	Force      float64  // normal force between the bodies at the last evaluation [N]
}

func (p PairOffset) compare(o PairOffset) int {
	return cmp.Or(cmp.Compare(p.Components[0], o.Components[0]), cmp.Compare(p.Components[1], o.Components[1]))
}

// offsetAt returns the index of the offset of two components in an ascending list.
func offsetAt(in []PairOffset, a, b int32) (at int, ok bool) {
	return slices.BinarySearchFunc(in, PairOffset{Components: [2]int32{min(a, b), max(a, b)}}, PairOffset.compare)
}

// withOffset returns the list with an offset of two components that is at least depth.
func withOffset(in []PairOffset, a, b int32, depth float64) []PairOffset {
	at, ok := offsetAt(in, a, b)
	if !ok {
		in = slices.Insert(in, at, PairOffset{Components: [2]int32{min(a, b), max(a, b)}})
	}
	in[at].Depth = max(in[at].Depth, depth)
	return in
}

// openedOffsets reduces each offset to what is left of it, and drops those that are zero.
func openedOffsets(in []PairOffset, left []float64) []PairOffset {
	kept := in[:0]
	for i, o := range in {
		if o.Depth = min(o.Depth, left[i]); o.Depth > 0 {
			kept = append(kept, o)
		}
	}
	return kept
}

// NodeForces are forces on nodes.
type NodeForces struct {
	Nodes []int32
	X, Y  []float64 // [N]
}

// PairColumns is the state of pairs of edges in the form of a checkpoint: an array of each
// value.
type PairColumns struct {
	Components                                             []int32 // two of each patch
	InwardX, InwardY                                       []float64
	Friction, Spring, Stiffness, Slip, Offset, OffsetForce []float64
	Sliding                                                []bool
	OffsetComponents                                       []int32 // two of each offset

	GripOf                                            []int32 // own edge, component and Gauss node of each grip
	GripFriction, GripSpring, GripStiffness, GripSlip []float64
	GripSliding                                       []bool
	DragNodes                                         []int32   // four of each drag
	Drags                                             []float64 // its other values
}

// columnsOf returns the columns of patches, offsets, grips and drags.
func columnsOf(patches []PatchState, offsets []PairOffset, grips []GripState, drags []halves.Drag) (k PairColumns) {
	for _, p := range patches {
		k.Components = append(k.Components, p.Components[:]...)
		k.InwardX, k.InwardY = append(k.InwardX, p.Inward.X), append(k.InwardY, p.Inward.Y)
		k.Friction, k.Spring, k.Stiffness = append(k.Friction, p.Stick.Friction), append(k.Spring, p.Stick.Spring), append(k.Stiffness, p.Stick.Stiffness)
		k.Slip, k.Sliding = append(k.Slip, p.Slip), append(k.Sliding, p.Stick.Sliding)
	}
	for _, g := range grips {
		k.GripOf = append(k.GripOf, g.Own, g.Component, g.Node)
		k.GripFriction, k.GripSpring, k.GripStiffness = append(k.GripFriction, g.Stick.Friction), append(k.GripSpring, g.Stick.Spring), append(k.GripStiffness, g.Stick.Stiffness)
		k.GripSlip, k.GripSliding = append(k.GripSlip, g.Slip), append(k.GripSliding, g.Stick.Sliding)
	}
	for i := range drags {
		d := &drags[i]
		k.DragNodes = append(k.DragNodes, d.Nodes[:]...)
		k.Drags = append(k.Drags, d.AlongX, d.AlongY, d.Friction, d.Position, d.Foot, d.Couple)
	}
	for _, o := range offsets {
		k.OffsetComponents, k.Offset, k.OffsetForce = append(k.OffsetComponents, o.Components[:]...), append(k.Offset, o.Depth), append(k.OffsetForce, o.Force)
	}
	return k
}

// rows returns the patches, offsets and grips of the columns. It tells whether they belong to each other.
func (k *PairColumns) rows() (patches []PatchState, offsets []PairOffset, grips []GripState, whole bool) {
	n := len(k.Sliding)
	for _, column := range [][]float64{k.InwardX, k.InwardY, k.Friction, k.Spring, k.Stiffness, k.Slip} {
		if len(column) != n {
			return nil, nil, nil, false
		}
	}
	m := len(k.GripSliding)
	for _, column := range [][]float64{k.GripFriction, k.GripSpring, k.GripStiffness, k.GripSlip} {
		if len(column) != m {
			return nil, nil, nil, false
		}
	}
	if len(k.GripOf) != 3*m || len(k.Components) != 2*n || len(k.OffsetComponents) != 2*len(k.Offset) || len(k.OffsetForce) != len(k.Offset) {
		return nil, nil, nil, false
	}
	for i := range m {
		g := GripState{Own: k.GripOf[3*i], Component: k.GripOf[3*i+1], Node: k.GripOf[3*i+2], Slip: k.GripSlip[i]}
		g.Stick = coulomb.Stick{Friction: k.GripFriction[i], Spring: k.GripSpring[i], Stiffness: k.GripStiffness[i], Sliding: k.GripSliding[i]}
		grips = append(grips, g)
	}
	for i := range n {
		p := PatchState{Components: [2]int32(k.Components[2*i:]), Inward: r2.Vec{X: k.InwardX[i], Y: k.InwardY[i]}, Slip: k.Slip[i]}
		p.Stick.Friction, p.Stick.Spring, p.Stick.Stiffness, p.Stick.Sliding = k.Friction[i], k.Spring[i], k.Stiffness[i], k.Sliding[i]
		patches = append(patches, p)
	}
	for i, d := range k.Offset {
		offsets = append(offsets, PairOffset{[2]int32(k.OffsetComponents[2*i:]), d, k.OffsetForce[i]})
	}
	return patches, offsets, grips, true
}

// drags returns the drags of the columns. It tells whether they belong to each other.
func (k *PairColumns) drags() (drags []halves.Drag, whole bool) {
	const values = 6
	if len(k.DragNodes)/4*values != len(k.Drags) || len(k.DragNodes)%4 != 0 {
		return nil, false
	}
	for i := 0; values*i < len(k.Drags); i++ {
		v := k.Drags[values*i:]
		drags = append(drags, halves.Drag{Nodes: [4]int32(k.DragNodes[4*i:]), AlongX: v[0], AlongY: v[1], Friction: v[2], Position: v[3], Foot: v[4], Couple: v[5]})
	}
	return drags, true
}
