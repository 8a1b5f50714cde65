package boundingbox

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// A grid finds every two boxes that overlap, once, and all boxes that overlap another one: with few
// boxes and many, with sizes over six decades and with a box that is the whole plane. A grid that
// is filled again finds none of the former boxes.
func TestGridAgainstBruteForce(t *testing.T) {
	var g HashGrid
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewSource(rapid.Int64().Draw(rt, "seed")))
		box := func() Box {
			at := r2.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64()}
			return BoxOf(at, at).Grow(math.Pow(10, -6*rng.Float64()))
		}
		boxes := []Box{BoxOf(r2.Vec{}, r2.Vec{}).Grow(1e150)}
		for range rapid.IntRange(0, 200).Draw(rt, "boxes") {
			boxes = append(boxes, box())
		}
		g.Fill(boxes)
		var got, want []Pair
		g.Pairs(func(i, j int32) { got = append(got, Pair{min(i, j), max(i, j)}) })
		for i := range boxes {
			for j := i + 1; j < len(boxes); j++ {
				if boxes[i].Overlaps(boxes[j]) {
					want = append(want, Pair{int32(i), int32(j)})
				}
			}
		}
		slices.SortFunc(got, compare)
		if !slices.Equal(got, want) {
			rt.Fatalf("pairs %v, want %v", got, want)
		}
		for _, b := range []Box{box(), box(), boxes[0]} {
			var got, want []int32
			g.Near(b, func(i int32) { got = append(got, i) })
			for i := range boxes {
				if b.Overlaps(boxes[i]) {
					want = append(want, int32(i))
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				rt.Fatalf("near %v: %v, want %v", b, got, want)
			}
		}
	})
}
