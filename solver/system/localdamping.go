package system

import (
	"math"
)

// Against is the damping with the coefficient alpha.
func Against(alpha, force, v float64) float64 {
	if !(math.Abs(v) > 0) {
		return 0
	}
	const sign = 1 << 63
	return math.Float64frombits(math.Float64bits(float64(alpha*force))&^sign | ^math.Float64bits(v)&sign)
}
