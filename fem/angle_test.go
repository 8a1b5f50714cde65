package fem

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestArc(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.OneOf(rapid.Float64Range(-math.Pi/2, math.Pi/2), rapid.Float64Range(-1e-6, 1e-6)).Draw(t, "angle")
		l := rapid.Float64Range(1e-6, 1e6).Draw(t, "length")
		x, y := l*math.Cos(a), l*math.Sin(a)
		if got, want := arc(x, y, math.Hypot(x, y)), math.Atan2(y, x); math.Abs(got-want) > max(1.5e-15*math.Abs(want), 2*math.SmallestNonzeroFloat64) {
			t.Errorf("%v, want %v, off by %g", got, want, got-want)
		}
	})
	if got := arc(3, 0, 3); got != 0 {
		t.Errorf("straight ahead: %v", got)
	}
}
