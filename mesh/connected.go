package mesh

// Connected is a union-find structure (disjoint sets) over members numbered
// from 0. It finds which members are connected, directly or through others.
// Every entry is the number of a member of the same set that is not above its
// own number. The entry of the first member of a set is its own number.
type Connected []int32

// NewConnected returns n members that are not connected.
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

// First returns the first member of the set of i, which identifies the set.
func (c Connected) First(i int32) int32 {
	for c[i] != i {
		c[i] = c[c[i]] // a shorter path for the next call
		i = c[i]
	}
	return i
}

// Firsts returns First of every member.
func (c Connected) Firsts() []int32 {
	for i := range c {
		c[i] = c.First(int32(i))
	}
	return c
}
