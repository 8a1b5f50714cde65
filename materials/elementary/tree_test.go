package elementary_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"fdem/materials/elementary"
)

// A list of nodes and all leaves make the same bits, whichever leaves are empty, and
// subtrees that are added up by themselves do, too.
func TestTree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n := 1 + random.IntN(3000)
		leaves := make([]elementary.Terms, (n+elementary.Leaf-1)/elementary.Leaf)
		var tree elementary.Tree
		exact, size := 0.0, 0.0
		chance := random.Float64()
		for i := range n {
			if random.Float64() > chance {
				continue
			}
			v := math.Ldexp(random.Float64()-0.5, random.IntN(40))
			exact += v
			size += math.Abs(v)
			leaves[i/elementary.Leaf][1] += v
			tree.At(int32(i))[1] += v
		}
		half := 1
		for 2*half < len(leaves) {
			half *= 2
		}
		left, right := append([]elementary.Terms(nil), leaves[:min(half, len(leaves))]...), append([]elementary.Terms(nil), leaves[min(half, len(leaves)):]...)
		a, b, whole := elementary.Fold(left)[1], elementary.Fold(right)[1], elementary.Fold(leaves)[1]
		if listed := tree.Sum()[1]; listed != whole || a+b != whole {
			t.Fatalf("%d nodes: %v of a list, %v of all leaves, %v of two halves", n, listed, whole, a+b)
		}
		if math.Abs(whole-exact) > 1e-13*size {
			t.Fatalf("%v, one after the other %v", whole, exact)
		}
	}
}

// A rank that sends the sums of its largest whole subtrees sends few numbers, and the result has
// the same bits.
func TestSubtrees(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		leaves := make([]elementary.Terms, 1+random.IntN(300))
		for i := range leaves {
			leaves[i][2] = random.NormFloat64() * math.Exp(10*random.Float64())
		}
		var tree elementary.Tree
		for from := 0; from < len(leaves); {
			to, passed := from+1+random.IntN(len(leaves)-from), 0
			for first, width := range elementary.Subtrees(from, to) {
				*tree.At(int32(elementary.Leaf * first)) = elementary.Fold(append([]elementary.Terms(nil), leaves[first:first+width]...))
				passed++
			}
			if passed > 2*bits.Len(uint(to-from)) {
				t.Errorf("%d subtrees of the leaves %d to %d", passed, from, to)
			}
			from = to
		}
		if got, want := tree.Sum(), elementary.Fold(leaves); got != want {
			t.Fatalf("%d leaves: %v, want %v", len(leaves), got, want)
		}
	}
}
