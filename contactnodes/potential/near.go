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
// thirty-second part of the skin, and where bodies break: in rubble at rest never.

// levels is into how many parts of the skin distances of candidates are told apart.
const levels = 32

// near are the candidates that are looked at.
type near struct {
	reach float64 // what was so far away may touch [m]
	stale bool    // those that are looked at are not up to date
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
	if c.at != nil {
		clear(c.far)
		c.share(len(c.at), fewNodes, c.doFar)
		far2 := 0.0
		for i := range c.far {
			far2 = max(far2, c.far[i].way2)
		}
		far = math.Sqrt(far2)
	}
	c.join()
	if c.at == nil || !(4*far <= c.skin) {
		c.rebuild()
		far, c.reach, c.stale = 0, 0, true
	} else {
		for _, face := range c.roused {
			c.list(face)
		}
	}
	c.roused = c.roused[:0]
	// what rounding makes of gaps counts, too
	part := c.skin / levels
	if need := float64((float64(2*far)+c.margin)*(1+1e-9)) + float64(1e-9*c.skin); c.stale || need > c.reach || 4*need < c.reach && c.reach > part {
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

// choose lists the candidates within reach that meet their face and share no node with
// it.
func (c *Contact) choose() {
	c.stale = false
	c.from, c.among = append(c.from[:0], 0), c.among[:0]
	for _, face := range c.faces {
		f, of := &c.Faces[face], c.listed[face]
		own := &c.Triangles[f.Triangle]
		for k := of[0]; k < of[1]; k++ {
			if t := c.candidate[k]; c.gap[k] <= c.reach && c.meets(f, t) && !c.joined(own, t) {
				c.among = append(c.among, t)
			}
		}
		c.from = append(c.from, int32(len(c.among)))
	}
}

// gapOf returns how far the contact nodes of a face from a to b were from a target when
// candidates were made, or less [m].
func (c *Contact) gapOf(a, b r2.Vec, target int32) float64 {
	along := sub(b, a)
	a = r2.Vec{X: a.X + float64(place(0)*along.X), Y: a.Y + float64(place(0)*along.Y)}
	b = r2.Vec{X: b.X - float64(place(0)*along.X), Y: b.Y - float64(place(0)*along.Y)}
	face, box := boundingbox.BoxOf(a, b), c.box(target, c.at)
	gap := max(box.Min.X-face.Max.X, face.Min.X-box.Max.X, box.Min.Y-face.Max.Y, face.Min.Y-box.Max.Y)
	if n := int32(len(c.Triangles)); target >= n {
		return max(gap, c.Outline.Gap(target-n, a, b, c.at))
	}
	t := &c.Triangles[target]
	low, high := math.Inf(1), math.Inf(-1)
	for k := range 3 {
		p := c.at[t[k]]
		side := sub(c.at[t[(k+1)%3]], p)
		gap = max(gap, -max(cross(side, sub(a, p)), cross(side, sub(b, p)))/norm(side))
		d := cross(along, sub(p, a))
		low, high = min(low, d), max(high, d)
	}
	return max(gap, max(low, -high)/norm(along))
}
