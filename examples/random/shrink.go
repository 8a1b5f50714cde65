package random

import (
	"slices"
	"strings"
	"time"
)

// Shrink returns the smallest model found that still fails a check in the same quantity: blocks, keys and shapes go
// one after the other while it does. The model must fail it.
func (c *Checker) Shrink(m *Model, as *Fault) *Model {
	of := Checker{Dir: c.Dir, Only: as.Check}
	fails := func(m *Model) bool {
		return slices.ContainsFunc(of.Check(m).Faults, func(f *Fault) bool { return f.Check == as.Check && f.Of == as.Of })
	}
	return shrink(m, c.Until, fails)
}

// shrink returns the smallest model found, by the given time, that still fails.
func shrink(m *Model, until time.Time, fails func(*Model) bool) *Model {
	for smaller := true; smaller; {
		smaller = false
		for _, reduce := range []func(*Model, int) *Model{withoutName, withoutBlock, withoutShape, withoutKey, shorter, coarser} {
			for at := 0; ; {
				next := reduce(m, at)
				if next == nil {
					break
				}
				if time.Now().After(until) {
					return m
				}
				if next.closed() && fails(next) {
					m, smaller = next, true
				} else {
					at++
				}
			}
		}
	}
	return m
}

// mentions tells whether a block has a word in quotes.
func (b *Block) mentions(name string) bool {
	return slices.ContainsFunc(b.Keys, func(k Key) bool { return strings.Contains(k.Value.String(), name) })
}

// withoutName leaves out what has the kth name, and all that mentions it.
func withoutName(m *Model, k int) *Model {
	var names []string
	for _, b := range slices.Concat(m.Deck, m.Shapes) {
		if n := b.key("name"); n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if k >= len(names) {
		return nil
	}
	out := m.clone()
	gone := func(b Block) bool { return b.Name != "" && b.mentions(names[k]) }
	out.Deck, out.Shapes = slices.DeleteFunc(out.Deck, gone), slices.DeleteFunc(out.Shapes, gone)
	return out.trim()
}

// withoutBlock leaves out the kth block of the deck behind its head.
func withoutBlock(m *Model, k int) *Model {
	if k+3 >= len(m.Deck) {
		return nil
	}
	out := m.clone()
	out.Deck = slices.Delete(out.Deck, k+3, k+4)
	return out
}

// withoutShape leaves out the kth shape.
func withoutShape(m *Model, k int) *Model {
	if k+1 >= len(m.Shapes) {
		return nil
	}
	out := m.clone()
	out.Shapes = slices.Delete(out.Shapes, k+1, k+2)
	return out.trim()
}

// trim leaves names that no shape has out of the bodies that are joined. It returns the model.
func (m *Model) trim() *Model {
	if len(m.Shapes) == 0 {
		return m
	}
	for i, k := range m.Shapes[0].Keys {
		if names, ok := k.Value.(list); ok {
			m.Shapes[0].Keys[i].Value = slices.DeleteFunc(slices.Clone(names), func(v value) bool {
				return !slices.ContainsFunc(m.Shapes, func(b Block) bool { return b.key("name") == v.String() })
			})
		}
	}
	return m
}

// closed tells whether the walls of the fluids are closed, and a static model is held.
func (m *Model) closed() bool {
	walls := 0
	for _, b := range m.Shapes {
		for _, k := range b.Keys {
			if k.Value.String() == `"well"` {
				walls++
			}
		}
	}
	return (!m.has("fluid") || walls == 4) && (!m.static() || m.has("fix"))
}

// withoutKey leaves out the kth key, or the part of a table.
func withoutKey(m *Model, k int) *Model {
	out := m.clone()
	for _, blocks := range [][]Block{out.Deck, out.Shapes} {
		for i := range blocks {
			b := &blocks[i]
			if b.Name == "output" {
				continue
			}
			for j := range b.Keys {
				if k == 0 {
					b.Keys = slices.Delete(b.Keys, j, j+1)
					return out
				}
				k--
				if t, ok := b.Keys[j].Value.(table); ok {
					if k < len(t) {
						b.Keys[j].Value = slices.Delete(slices.Clone(t), k, k+1)
						return out
					}
					k -= len(t)
				}
			}
		}
	}
	return nil
}

// shorter halves the duration, once at a time.
func shorter(m *Model, k int) *Model {
	q, ok := m.quantity("analysis", "duration")
	if k > 0 || !ok {
		return nil
	}
	return m.With("duration", quantity{rounded(q.v / 2), q.dim})
}

// coarser doubles the edge of the triangles.
func coarser(m *Model, k int) *Model {
	if k > 0 || len(m.Shapes) == 0 {
		return nil
	}
	out := m.clone()
	for i, key := range out.Shapes[0].Keys {
		if q, ok := key.Value.(quantity); ok && key.Name == "edge" && q.v < 2*m.size() {
			out.Shapes[0].Keys[i].Value = quantity{2 * q.v, q.dim}
			return out
		}
	}
	return nil
}

// size is the height of the first shape with corners, 0 without [m].
func (m *Model) size() float64 {
	for _, b := range m.Shapes {
		for _, k := range b.Keys {
			if to, ok := k.Value.(vector); ok && k.Name == "to" {
				for _, l := range b.Keys {
					if from, ok := l.Value.(vector); ok && l.Name == "from" {
						return (to.y - from.y) / 2
					}
				}
			}
		}
	}
	return 0
}

// quantity returns the quantity of a key.
func (m *Model) quantity(block, key string) (quantity, bool) {
	b := m.block(block)
	if b == nil {
		return quantity{}, false
	}
	for _, k := range b.Keys {
		if q, ok := k.Value.(quantity); ok && k.Name == key {
			return q, true
		}
	}
	return quantity{}, false
}
