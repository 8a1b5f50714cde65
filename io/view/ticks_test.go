package view

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Every axis has at least four numbers, all different, where the ticks are.
func TestTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e3, 1e3).Draw(t, "low") * math.Pow(10, float64(rapid.IntRange(-6, 6).Draw(t, "power")))
		span := rapid.Float64Range(1e-3, 10).Draw(t, "span") * max(math.Abs(low), 1e-9)
		seen := map[string]bool{}
		for _, k := range (ticks{}).Ticks(low, low+span) {
			if k.Value < low || k.Value > low+span {
				t.Fatalf("a tick at %g from %g to %g", k.Value, low, low+span)
			}
			if k.Label == "" {
				continue
			}
			if v, err := strconv.ParseFloat(k.Label, 64); err != nil || math.Abs(v-k.Value) > 1e-5*max(span, math.Abs(v)) || seen[k.Label] {
				t.Fatalf("%q at %g", k.Label, k.Value)
			}
			seen[k.Label] = true
		}
		if len(seen) < 4 || len(seen) > 11 {
			t.Fatalf("%d numbers from %g to %g: %v", len(seen), low, low+span, seen)
		}
	})
}
