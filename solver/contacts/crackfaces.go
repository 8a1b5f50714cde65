package contacts

import (
	"slices"
)

// Corner returns the corner of a triangle that is node n.
func Corner(t [3]int32, n int32) uint8 { return uint8(slices.Index(t[:], n)) }
