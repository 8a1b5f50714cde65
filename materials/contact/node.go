package contact

// Node is one contact node under a law, or one pair of bodies under a point law, for
// whoever asks place by place.
type Node struct {
	Memory []float64 // as Move left it

	law                  Law
	next                 []float64
	d, rate, p, dp, k, w [1]float64
}

// Answer is what a law answers at one contact node, see Output.
type Answer struct{ P, DP, K, W float64 }

// NewNode returns a contact node that has not touched yet.
func NewNode(l Law) *Node {
	m := len(l.Memory())
	return &Node{law: l, Memory: make([]float64, m), next: make([]float64, m)}
}

// Try asks the law at a deflection [m] and its rate [m/s], and keeps the memory.
func (n *Node) Try(d, rate float64) Answer { return n.eval(d, rate, n.next) }

// Move asks the law, and takes the memory on to there.
func (n *Node) Move(d, rate float64) Answer { return n.eval(d, rate, n.Memory) }

func (n *Node) eval(d, rate float64, next []float64) Answer {
	n.d[0], n.rate[0] = d, rate
	n.law.Eval(Input{n.d[:], n.rate[:], n.Memory}, Output{n.p[:], n.dp[:], n.k[:], n.w[:], next})
	return Answer{n.p[0], n.dp[0], n.k[0], n.w[0]}
}
