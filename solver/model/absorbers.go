package model

// Absorb makes boundary edges of triangles absorb waves, as if the body continued behind
// them: a quiet boundary.
type Absorb struct {
	On    string
	Edges []int32 // boundary edges
}
