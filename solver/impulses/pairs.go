package impulses

import (
	"cmp"
	"math"
	"slices"

	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// The neighbour list: pairs of parts that may soon be in contact, found by sort and sweep along x. It
// holds until a body has moved half of the skin. As it has all pairs within the margin, in order, the
// time at which it is made never changes the bits of a result.

// skinShare is the skin of the neighbour list relative to the size of the smallest body.
const skinShare = 0.2

// pair is a pair of parts that may soon be in contact, and the contact.
type pair struct {
	parts   [2]int32
	contact int32
}

// neighbours is the neighbour list and the positions at which it was made.
type neighbours struct {
	list    []manifold // in the order of parts
	centre  []r2.Vec   // per body [m]
	angle   []float64
	skin    float64
	margin  float64 // gaps up to this are in the list [m]
	boxes   []boundingbox.Box
	order   []int32
	fresh   []pair     // of the list in the making
	buffer  []manifold // the last list
	rebuilt int
}

// findPairs makes the list anew if it may lack a pair with a gap up to margin [m].
func (k *Contacts) findPairs(margin float64) {
	n := &k.near
	if n.centre != nil && margin <= n.margin && !k.moved() {
		return
	}
	n.skin, n.margin = skinShare*k.size, 1.5*margin
	n.rebuilt++
	n.centre, n.angle = n.centre[:0], n.angle[:0]
	for i := range k.bodies.List {
		m := k.bodies.List[i].RigidMotion
		n.centre, n.angle = append(n.centre, m.Centre), append(n.angle, m.Angle)
	}
	n.boxes = n.boxes[:0]
	for i := range k.parts {
		n.boxes = append(n.boxes, k.box(&k.parts[i], 0.5*(n.skin+n.margin)))
		if len(n.order) < len(k.parts) { // else nearly in order from the last time
			n.order = append(n.order, int32(i))
		}
	}
	slices.SortFunc(n.order, func(a, b int32) int {
		if x, y := n.boxes[a].Min.X, n.boxes[b].Min.X; x != y {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(a, b)
	})
	n.fresh = n.fresh[:0]
	for i, p := range n.order {
		right := n.boxes[p].Max.X
		for _, q := range n.order[i+1:] {
			if n.boxes[q].Min.X > right {
				break
			}
			if n.boxes[p].Min.Y <= n.boxes[q].Max.Y && n.boxes[q].Min.Y <= n.boxes[p].Max.Y {
				k.addPair(min(p, q), max(p, q))
			}
		}
	}
	slices.SortFunc(n.fresh, func(a, b pair) int { return comparePairs(a.parts, b.parts) })
	k.carryOver()
}

// moved tells whether a body has moved so far that the list may lack a pair.
func (k *Contacts) moved() bool {
	n := &k.near
	for i := range k.bodies.List {
		m := k.bodies.List[i].RigidMotion
		if elementary.Norm(r2.Sub(m.Centre, n.centre[i]))+float64(math.Abs(m.Angle-n.angle[i])*k.far[i]) > 0.5*n.skin {
			return true
		}
	}
	return false
}

// box returns the box around a part, grown by a length [m].
func (k *Contacts) box(p *part, by float64) boundingbox.Box {
	if p.shape == disc || p.shape == hollow {
		c := k.bodies.List[p.body].RigidMotion.Centre
		r := p.radius + by
		return boundingbox.Box{Min: r2.Vec{X: c.X - r, Y: c.Y - r}, Max: r2.Vec{X: c.X + r, Y: c.Y + r}}
	}
	lo, hi := k.world[p.first], k.world[p.first]
	for _, x := range k.world[p.first+1 : p.end] {
		lo, hi = r2.Vec{X: min(lo.X, x.X), Y: min(lo.Y, x.Y)}, r2.Vec{X: max(hi.X, x.X), Y: max(hi.Y, x.Y)}
	}
	return boundingbox.Box{Min: r2.Vec{X: lo.X - by, Y: lo.Y - by}, Max: r2.Vec{X: hi.X + by, Y: hi.Y + by}}
}

// addPair adds two parts to the list if a contact has them.
func (k *Contacts) addPair(p, q int32) {
	a, b := k.parts[p].body, k.parts[q].body
	if a == b || k.bodies.List[a].Inverse == 0 && k.bodies.List[b].Inverse == 0 {
		return
	}
	if of := k.contactOf(a, b); of >= 0 {
		k.near.fresh = append(k.near.fresh, pair{[2]int32{p, q}, of})
	}
}

// contactOf returns the contact of two bodies, -1 for none.
func (k *Contacts) contactOf(a, b int32) int32 {
	for i := range k.of {
		c := &k.of[i]
		if !joins(c.sides, a, b) || slices.ContainsFunc(c.elsewhere, func(s [2][]bool) bool { return joins(s, a, b) }) {
			continue
		}
		return int32(i)
	}
	return -1
}

// joins tells whether two bodies are on different sides.
func joins(sides [2][]bool, a, b int32) bool {
	return sides[0][a] && sides[1][b] || sides[0][b] && sides[1][a]
}

// comparePairs orders pairs by their first, then by their second.
func comparePairs(a, b [2]int32) int {
	if a[0] != b[0] {
		return cmp.Compare(a[0], b[0])
	}
	return cmp.Compare(a[1], b[1])
}

// carryOver replaces the list by the new one, with the impulses of pairs that are in both.
func (k *Contacts) carryOver() {
	n := &k.near
	fresh, i := n.buffer[:0], 0
	for _, f := range n.fresh {
		for i < len(n.list) && comparePairs(n.list[i].parts, f.parts) < 0 {
			i++
		}
		if i < len(n.list) && n.list[i].parts == f.parts {
			fresh = append(fresh, n.list[i])
		} else {
			fresh = append(fresh, manifold{parts: f.parts})
		}
		fresh[len(fresh)-1].contact = f.contact
	}
	n.list, n.buffer = fresh, n.list
}
