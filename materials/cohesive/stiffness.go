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

// Step returns the share of the intact body's stable time step that cracks leave, with the
// factor of Stiffness, where faces that carry something are never farther from each other
// than reach times their length: 1/sqrt(1 + factor (1 + reach^2)).
func Step(factor, reach float64) float64 {
	return 1 / math.Sqrt(1+float64(factor*(1+float64(reach*reach))))
}

// Longest returns the opening [m] at which every point is broken that begins to soften at
// a share of its strength or more, in any mode.
func (l *Law) Longest(share float64) float64 {
	energy, onset := max(l.Energy.Energy(0), l.Energy.Energy(1)), min(l.Onset(0), l.Onset(1))
	return l.Curve.End() * energy / (share * onset)
}
