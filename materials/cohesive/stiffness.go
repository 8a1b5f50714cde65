package cohesive

import "math"

// Stiffness returns the stiffness K [Pa/m] of a point between two corners of
// masses a and b [kg], those of the edge's own two triangles. w is the point's
// weight: its length of edge times the thickness [m2]. omega is the highest
// natural frequency of any single triangle [1/s]:
//
//	K w = factor omega^2 a b/(a + b)/2
//
// A node is a sector of its vertex's fan. It has at most two open faces, and so
// at most two points. By Gershgorin's theorem all points together add at most
// factor omega^2 to the bound omega^2 of the squared frequencies, now and after
// any further splitting. A factor of 2 makes K about 1.1 E/h.
func Stiffness(factor, omega, a, b, w float64) float64 {
	return 0.5 * factor * omega * omega / w * (a * b / (a + b))
}

// Step returns the stable time step with cracks over that of the intact body, with the
// factor of Stiffness: 1/sqrt(1 + factor (1 + reach^2)). Loaded faces must never be
// farther from each other than reach times their length.
func Step(factor, reach float64) float64 {
	return 1 / math.Sqrt(1+float64(factor*(1+float64(reach*reach))))
}

// Longest returns the opening [m] at which every point is broken, in any mode, if it
// begins to soften at a given part of its strength or more.
func (l *Law) Longest(share float64) float64 {
	energy, onset := max(l.Energy.Energy(0), l.Energy.Energy(1)), min(l.Onset(0), l.Onset(1))
	return l.Curve.End() * energy / (share * onset)
}
