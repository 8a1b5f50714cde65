package potential

import (
	"math"

	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Of the candidates of the broad phase few touch. How far each is from its face
// was measured when the list was made; since then both have come nearer by twice
// the farthest way of any node at most, so that what was farther away than that
// need not be looked at:
//
//	gap > 2 far + margin
//
// The candidates that are left are listed anew only where far has grown by an
// thirty-second part of the skin: in rubble at rest never.

// levels is into how many parts of the skin distances of candidates are told apart.
const levels = 32

// near are the candidates that are looked at.
type near struct {
	reach float64 // what was so far away may touch [m]
	from  []int32 // those of faces[i] are among[from[i]:from[i+1]], ascending
	among []int32
	far   []farthest // of each worker
}

// farthest is how far the nodes that a worker looks at have come since the list was
// made, squared [m2].
type farthest struct {
	way2 float64
	_    [56]byte
}

// search brings the candidates up to date.
func (c *Contact) search() {
	far := 0.0
	if c.at != nil && !c.stale {
		clear(c.far)
		c.share(len(c.at), fewNodes, c.doFar)
		far2 := 0.0
		for i := range c.far {
			far2 = max(far2, c.far[i].way2)
		}
		far = math.Sqrt(far2)
	}
	if c.at == nil || c.stale || !(4*far <= c.skin) {
		c.rebuild()
		far, c.reach = 0, 0
	}
	// what rounding makes of gaps counts, too
	part := c.skin / levels
	if need := float64((float64(2*far)+c.margin)*(1+1e-9)) + float64(1e-9*c.skin); need > c.reach || 4*need < c.reach && c.reach > part {
		c.reach = part * math.Ceil(need/part)
		c.choose()
	}
}

// lookHowFar is a worker's part in how far nodes have come.
func (c *Contact) lookHowFar(worker int) {
	lo, hi := c.chunk(worker, len(c.at))
	far2 := 0.0
	x := c.x[lo:hi]
	for i, at := range c.at[lo:hi] {
		d := sub(x[i], at)
		if d2 := elementary.Dot(d, d); !(d2 <= far2) {
			far2 = d2
		}
	}
	c.far[worker].way2 = far2
}

// choose lists the candidates within reach.
func (c *Contact) choose() {
	c.from, c.among = append(c.from[:0], 0), c.among[:0]
	for i := range c.faces {
		for k := c.first[i]; k < c.first[i+1]; k++ {
			if c.gap[k] <= c.reach {
				c.among = append(c.among, c.candidate[k])
			}
		}
		c.from = append(c.from, int32(len(c.among)))
	}
}

// gapOf returns how far the contact nodes of a face from a to b are from a target, or
// less [m].
func (c *Contact) gapOf(a, b r2.Vec, target int32) float64 {
	along := sub(b, a)
	a = r2.Vec{X: a.X + float64(place(0)*along.X), Y: a.Y + float64(place(0)*along.Y)}
	b = r2.Vec{X: b.X - float64(place(0)*along.X), Y: b.Y - float64(place(0)*along.Y)}
	face, box := boundingbox.BoxOf(a, b), c.box(target, c.x)
	gap := max(box.Min.X-face.Max.X, face.Min.X-box.Max.X, box.Min.Y-face.Max.Y, face.Min.Y-box.Max.Y)
	if n := int32(len(c.Triangles)); target >= n {
		return max(gap, c.Outline.Gap(target-n, a, b, c.x))
	}
	t := &c.Triangles[target]
	low, high := math.Inf(1), math.Inf(-1)
	for k := range 3 {
		p := c.x[t[k]]
		side := sub(c.x[t[(k+1)%3]], p)
		gap = max(gap, -max(cross(side, sub(a, p)), cross(side, sub(b, p)))/norm(side))
		d := cross(along, sub(p, a))
		low, high = min(low, d), max(high, d)
	}
	return max(gap, max(low, -high)/norm(along))
}
