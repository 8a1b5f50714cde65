package mesh

// Connected is a union-find structure (disjoint sets): which of some things,
// numbered from 0, are connected with one another, directly or through others.
// Every thing knows one with a number that is not above its own; the first of a
// set knows itself.
type Connected []int32

// NewConnected returns n things that are not connected.
func NewConnected(n int) Connected {
	c := make(Connected, n)
	for i := range c {
		c[i] = int32(i)
	}
	return c
}

// Join connects a and b.
func (c Connected) Join(a, b int32) {
	a, b = c.First(a), c.First(b)
	c[max(a, b)] = min(a, b)
}

// First returns the first of those that are connected with i, which stands for
// them all.
func (c Connected) First(i int32) int32 {
	for c[i] != i {
		c[i] = c[c[i]] // a shorter way for the next
		i = c[i]
	}
	return i
}

// Firsts returns First of all.
func (c Connected) Firsts() []int32 {
	for i := range c {
		c[i] = c.First(int32(i))
	}
	return c
}
