package results

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Numbers that stand close, far apart, negative or twice come in ascending order,
// equal ones as they were.
func TestByID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		far := rapid.SampledFrom([]int32{0, 1, 30, 1 << 30}).Draw(t, "far")
		base := rapid.SampledFrom([]int32{0, 1, -7, -1 << 30}).Draw(t, "base")
		id := rapid.SliceOf(rapid.Map(rapid.Int32Range(0, far), func(n int32) int32 { return base + n })).Draw(t, "numbers")
		want := make([]int32, len(id))
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(id[a], id[b]) })
		if got := byID(id); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", id, got, want)
		}
	})
}
