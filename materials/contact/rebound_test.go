package contact

import (
	"math"
	"testing"
)

// A body on the law bounces with its restitution, whatever its mass and speed, again and again.
func TestReboundHasItsRestitution(t *testing.T) {
	for _, e := range []float64{0.05, 0.3, 0.8, 1} {
		l := Rebound{K: 1e9, Restitution: e}
		mem := 0.0
		for _, speed := range []float64{3, 1, 0.1} {
			d, v, mass := 0.0, speed, 40.0
			dt := 1e-3 * math.Sqrt(mass/l.K)
			for d += v * dt; d > 0; d += v * dt {
				p, _, _, _, peak := l.at(d, mem)
				mem = peak
				v -= p / mass * dt
			}
			_, _, _, _, mem = l.at(d, mem)
			near(t, "restitution", -v/speed, e, 0.01)
		}
	}
}
