package potential

import (
	"math"
	"math/bits"
	"slices"

	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Few candidates of the broad phase are in contact. The distance of each candidate from its face
// was measured when the list was made, or later. Since then the two have approached by at most
// twice the greatest displacement of any node. This travel is summed from mark to mark, at which
// the positions of all nodes are stored,
//
//	travel = sum of the farthest |x - at| at each mark + the farthest one now
//
// so a candidate with a gap sleeps until the travel has grown by half of the gap, minus the margin.
// A candidate that is found separated sleeps again. Candidates whose sleep ends within the next
// thirty-second part of the skin have their own list. In rubble at rest most candidates are never
// tested, and the list is never made again.

const (
	levels = 16 // number of parts of the skin
	marks  = 4  // number of marks in such a part
	// longSleep is the shortest sleep that is worth measuring, relative to such a part.
	longSleep = 0.25
)

// near has the candidates that are tested.
type near struct {
	at        []r2.Vec   // positions of the nodes at the last mark; nil before there are candidates
	travelled float64    // travel from the time when candidates were made to the last mark [m]
	far       float64    // travel from the last mark until now [m]
	due       float64    // candidates whose sleep ends at this travel or before are tested [m]
	until     float64    // candidates whose sleep ends up to this travel are in among [m]
	outdated  bool       // the lists of candidates are not up to date
	opened    []int32    // faces whose lists are not up to date
	chosen    [][2]int32 // triangles of each face are among[chosen[0]:chosen[1]], ascending
	among     []sleeper  // candidates of all faces, also former ones
	beside    [][2]int32 // edges of each face are edges[beside[0]:beside[1]]
	edges     []sleeper
	most      int        // greatest number of both before all are chosen again
	used      []uint64   // a bit per node that belongs to a candidate or face
	travels   []farthest // of each worker
	missing   []int32    // missing nodes, see Others
}

// sleeper is a candidate that is not tested before a given travel. The assembly kernels depend on
// the order of these fields.
type sleeper struct {
	wakes        float64 // travel at which its sleep ends [m]
	a, b, target int32   // nodes of the face
	face, rule   int32
	number       int32 // index of the candidate
}

// farthest is the greatest squared displacement of a worker's nodes since the last mark [m2].
type farthest struct {
	distance2 float64
	_         [56]byte
}

// search updates the candidates.
func (c *Contact) search() {
	c.far = 0
	if c.at != nil {
		clear(c.travels)
		c.shareWork(len(c.used), fewNodes/64, c.doFar)
		far2 := 0.0
		for i := range c.travels {
			far2 = max(far2, c.travels[i].distance2)
		}
		c.far = c.farthestOf(math.Sqrt(far2))
	}
	c.join()
	if c.at == nil || !(float64(2*(c.travelled+c.far))+c.margin <= c.skin) {
		c.rebuild()
	} else {
		if part := c.skin / (2 * levels * marks); c.far > part {
			c.mark()
		}
		c.lookAhead()
		from := len(c.candidate)
		for _, face := range c.activated {
			c.list(face)
		}
		c.followCandidates(from)
	}
	// includes the rounding of gaps
	c.due = float64((c.travelled+c.far+float64(0.5*c.margin))*(1+1e-9)) + float64(1e-9*c.skin)
	if c.outdated || c.due > c.until || len(c.among)+len(c.edges) > c.most {
		c.until = c.due + float64(c.skin/(2*levels))
		c.chooseAll()
	} else {
		for _, faces := range [2][]int32{c.activated, c.opened} {
			for _, face := range faces {
				c.choose(face)
			}
		}
	}
	c.activated, c.opened = c.activated[:0], c.opened[:0]
	c.among = slices.Grow(c.among, lanes) // kernels may read this many further entries, without effect
}

// mark stores the positions of all nodes.
func (c *Contact) mark() {
	c.travelled += c.far
	c.far = 0
	copy(c.at, c.x)
}

// measureTravel is a worker's part of the travel.
func (c *Contact) measureTravel(worker int) {
	lo, hi := c.chunk(worker, len(c.used))
	far2 := 0.0
	for g := lo; g < hi; g++ {
		x, at := c.x[64*g:], c.at[64*g:]
		for set := c.used[g]; set != 0; set &= set - 1 {
			i := bits.TrailingZeros64(set)
			d := sub(x[i], at[i])
			if d2 := elementary.Dot(d, d); !(d2 <= far2) {
				far2 = d2
			}
		}
	}
	c.travels[worker].distance2 = far2
}

// use marks the nodes in use.
func (c *Contact) use() {
	c.used = slices.Grow(c.used[:0], (len(c.x)+63)/64)[:(len(c.x)+63)/64]
	clear(c.used)
	for i := range c.Triangles {
		for _, n := range c.Triangles[i] {
			c.useNode(n)
		}
	}
	for i := range c.Outline.Edges {
		c.useNode(c.Outline.Edges[i].A)
		c.useNode(c.Outline.Edges[i].B)
	}
}

// useNode marks a node as used: the process that owns it measures its travel.
func (c *Contact) useNode(n int32) {
	if c.owns(n) {
		c.used[n>>6] |= 1 << (n & 63)
	}
}

// chooseAll lists the candidates whose sleep ends soon.
func (c *Contact) chooseAll() {
	c.outdated, c.among, c.edges = false, c.among[:0], c.edges[:0]
	for _, face := range c.faces {
		c.choose(face)
	}
	c.most = 2*(len(c.among)+len(c.edges)) + 1000
}

// choose lists the candidates of a face whose sleep ends soon, that may be in contact with it, and
// that share no node with it.
func (c *Contact) choose(face int32) {
	f, of := &c.Faces[face], c.listed[face]
	own, from, fromEdges := &c.Triangles[f.Triangle], int32(len(c.among)), int32(len(c.edges))
	a, b := c.ends(face)
	for k := of[0]; k < of[1]; k++ {
		if wakes := c.wakes[k]; wakes <= c.until {
			if t := c.candidate[k]; c.meets(f, t) && !c.joined(own, t) {
				m := sleeper{wakes, a, b, t, face, c.rule(f, t), k}
				if int(t) < len(c.Triangles) {
					c.among = append(c.among, m)
				} else {
					c.edges = append(c.edges, m)
				}
			}
		}
	}
	c.chosen[face], c.beside[face] = [2]int32{from, int32(len(c.among))}, [2]int32{fromEdges, int32(len(c.edges))}
}

// worthSleep returns the least distance of a face and a target at which a sleep is worthwhile [m].
func (c *Contact) worthSleep() float64 {
	// both may have moved before the last mark, too
	return float64(2 * (c.due + float64(longSleep*c.skin/(2*levels)) - c.travelled + c.far))
}

// sleep lets a candidate that is separated from its face sleep, if that is worthwhile.
func (c *Contact) sleep(m *sleeper, s *side) {
	gap := c.gapOf(s.first, s.last, m.target, c.x)
	if gap < c.worthSleep() {
		return
	}
	m.wakes = c.travelled - c.far + float64(0.5*gap*c.steady(m.face, s))
	c.wakes[m.number] = m.wakes
}

// steady returns a lower bound of the ratio of the displacement of a face's nodes to that of its
// contact nodes. Contact nodes with an outward offset move more when the face rotates.
func (c *Contact) steady(face int32, s *side) float64 {
	if !c.Dilates || c.Rise[face] == 0 {
		return 1
	}
	return 1 / (1 + 2*c.Rise[face]/norm(sub(s.xb, s.xa)))
}

// gapOf returns a lower bound of the distance of contact nodes from a to b from a target, with
// nodes at x [m].
func (c *Contact) gapOf(a, b r2.Vec, target int32, x []r2.Vec) float64 {
	along := sub(b, a)
	gap := boundingbox.BoxOf(a, b).Gap(c.box(target, x))
	if n := int32(len(c.Triangles)); target >= n {
		return max(gap, c.Outline.Gap(target-n, a, b, x))
	}
	t := &c.Triangles[target]
	low, high := math.Inf(1), math.Inf(-1)
	for k := range 3 {
		p := x[t[k]]
		side := sub(x[t[(k+1)%3]], p)
		gap = max(gap, -max(cross(side, sub(a, p)), cross(side, sub(b, p)))/norm(side))
		d := cross(along, sub(p, a))
		low, high = min(low, d), max(high, d)
	}
	return max(gap, max(low, -high)/norm(along))
}
