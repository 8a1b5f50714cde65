package contact

// Node is one contact node under a law, or one pair of bodies under a point law, to
// be evaluated step by step.
type Node struct {
	Memory []float64 // after the last call of Move

	law                  Law
	next                 []float64
	d, rate, p, dp, k, w [1]float64
}

// Answer is a law's output at one contact node, see Output.
type Answer struct{ P, DP, K, W float64 }

// NewNode returns a virgin contact node.
func NewNode(l Law) *Node {
	m := len(l.Memory())
	return &Node{law: l, Memory: make([]float64, m), next: make([]float64, m)}
}

// Try evaluates the law at a deflection [m] and its rate [m/s]. It does not
// change the memory.
func (n *Node) Try(d, rate float64) Answer { return n.eval(d, rate, n.next) }

// Move evaluates the law as Try does, and updates the memory.
func (n *Node) Move(d, rate float64) Answer { return n.eval(d, rate, n.Memory) }

func (n *Node) eval(d, rate float64, next []float64) Answer {
	n.d[0], n.rate[0] = d, rate
	n.law.Eval(Input{n.d[:], n.rate[:], n.Memory}, Output{n.p[:], n.dp[:], n.k[:], n.w[:], next})
	return Answer{n.p[0], n.dp[0], n.k[0], n.w[0]}
}
