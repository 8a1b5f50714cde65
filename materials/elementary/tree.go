package elementary

// Sums over many nodes, by pairwise summation in a fixed tree. Each term belongs to a node.
// A leaf is Leaf consecutive nodes; its terms are added in the order of the nodes. Leaves
// are added in a fixed binary tree over the numbers of all leaves. So a sum has the same
// bits for any division of the leaves among workers, and its rounding grows only with the
// depth of the tree.

// Leaf is the number of nodes of a leaf.
const Leaf = 64

// Terms is a few sums that are computed together.
type Terms [5]float64

// Tree computes sums over a few leaves, or over nodes in a list. The zero value
// is ready for use.
type Tree struct {
	leaf []int32
	sum  []Terms
}

// At returns the leaf of a node, for its terms to be added to. Nodes come in ascending
// order.
func (t *Tree) At(n int32) *Terms {
	k := len(t.leaf) - 1
	if k < 0 || t.leaf[k] != n/Leaf {
		t.leaf, t.sum = append(t.leaf, n/Leaf), append(t.sum, Terms{})
		k++
	}
	return &t.sum[k]
}

// Sum returns the sums over the leaves and clears the tree.
func (t *Tree) Sum() (all Terms) {
	n := len(t.leaf)
	for n > 1 { // one level of the tree after another
		k := 0
		for i := range n {
			up := t.leaf[i] >> 1
			if k > 0 && t.leaf[k-1] == up {
				t.sum[k-1].add(&t.sum[i])
				continue
			}
			t.leaf[k], t.sum[k] = up, t.sum[i]
			k++
		}
		n = k
	}
	if n > 0 {
		all = t.sum[0]
	}
	t.leaf, t.sum = t.leaf[:0], t.sum[:0]
	return all
}

// Fold returns the sums over all leaves from the terms of each leaf. It changes the terms.
func Fold(leaves []Terms) (all Terms) {
	for width := 1; width < len(leaves); width *= 2 {
		for i := 0; i+width < len(leaves); i += 2 * width {
			leaves[i].add(&leaves[i+width])
		}
	}
	if len(leaves) > 0 {
		all = leaves[0]
	}
	return all
}

// Subtrees yields the largest whole subtrees of the tree that lie within the leaves [from,
// to), each by its first leaf and its number of leaves. A process that folds them has to
// send few sums.
func Subtrees(from, to int) func(yield func(first, width int) bool) {
	return func(yield func(first, width int) bool) {
		for from < to {
			width := 1
			for from%(2*width) == 0 && from+2*width <= to {
				width *= 2
			}
			if !yield(from, width) {
				return
			}
			from += width
		}
	}
}

func (t *Terms) add(o *Terms) {
	for i, v := range o {
		t[i] += v
	}
}
