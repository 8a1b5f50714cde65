package fem

import "math"

// arc returns the angle of the vector (x, y) with length l from the x axis
// [rad]: the arc tangent. Its relative error is below 1.2e-15 up to a quarter
// turn, and greater near half a turn. For small angles, as in beams, it takes
// half the time of elementary.Atan2. The angle is halved until its tangent is
// at most 1/16, by tan(a/2) = tan(a)/(1 + sqrt(1 + tan(a)^2)). Then it has a
// short series.
func arc(x, y, l float64) float64 {
	t, times := y/(l+x), 2.0
	for math.Abs(t) > 1./16 {
		t /= 1 + math.Sqrt(1+float64(t*t))
		times *= 2
	}
	z := float64(t * t)
	a := float64(z*(1./13)) - 1./11
	a = float64(z*a) + 1./9
	a = float64(z*a) - 1./7
	a = float64(z*a) + 1./5
	a = float64(z*a) - 1./3
	return times * (float64(t*z*a) + t)
}
