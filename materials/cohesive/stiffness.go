package cohesive

import "math"

// Stiffness returns the stiffness K [Pa/m] of a point of weight w (length of
// edge times thickness that it stands for) [m2] between two corners of masses a
// and b [kg], those of the edge's own two triangles, where omega is the highest
// natural frequency of any single triangle [1/s]:
//
//	K w = factor omega^2 a b/(a + b)/2
//
// A node is a sector of its vertex's fan with two open faces at most, hence two
// points at most: by Gershgorin all of them add no more than factor omega^2 to
// the square of the frequency bound omega^2, now and after any further
// splitting. A factor of 2 makes K about 1.1 E/h.
func Stiffness(factor, omega, a, b, w float64) float64 {
	return 0.5 * factor * omega * omega / w * (a * b / (a + b))
}

// Step returns the share of the intact body's stable time step that is left
// whatever breaks, with the factor of Stiffness: 1/sqrt(1 + factor).
func Step(factor float64) float64 { return 1 / math.Sqrt(1+factor) }
