package system

import (
	"fdem/solver/model"
)

// SmoothStep returns a function that grows from 0 to 1 within a time [s]: 10 s^3 - 15 s^4 + 6 s^5.
// Its first and second derivatives are 0 at both ends.
func SmoothStep(within float64) model.Schedule {
	return func(t float64) float64 {
		s := min(max(t/within, 0), 1)
		return float64(float64(s*s*s) * (10 + float64(s*(float64(6*s)-15))))
	}
}

// SmoothFade returns 1 - SmoothStep, which falls from 1 to 0.
func SmoothFade(within float64) model.Schedule {
	grows := SmoothStep(within)
	return func(t float64) float64 { return 1 - grows(t) }
}
