package model

// Clamp is a node of beams that triangles share and whose rotation follows the triangles. Without a
// clamp such a node is a hinge.
type Clamp struct {
	On   string
	Node int32
	When // in motion; with From it keeps the angle that it finds
}
