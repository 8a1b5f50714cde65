package fracture

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Crack is what is known of an edge that is open at one end or both. Openings,
// slips and tractions are means of the ends that are open.
type Crack struct {
	Edge       int32    // number in Config.Edges
	Nodes      [4]int32 // A's at From and To, B's at From and To
	Opening    float64  // [m], negative where faces press
	Slip       float64  // [m]
	Traction   float64  // [Pa], the size of what one face bears from the other
	Damage     float64  // 0 to 1; an end that is not open counts as whole
	Mode       float64  // share of shear in its energy
	InsertedAt float64  // [s]
	BrokenAt   float64  // [s], NaN before it is broken at both ends
	Energy     float64  // dissipated by fracture so far [J]
	Length     float64  // at first [m]
}

// Openings returns how many vertices have opened so far, one that falls into
// three parts twice.
func (z *Zone) Openings() int { return len(z.opened) }

// Free returns how many nodes there is room for yet.
func (z *Zone) Free() int {
	free := z.pages.Nodes
	for _, n := range z.pages.Used {
		free -= int(n)
	}
	return free
}

// Cracks returns the number of cracks.
func (z *Zone) Cracks() int { return len(z.order) }

// Crack returns the i-th crack in the order of the edges.
func (z *Zone) Crack(i int) Crack {
	q := &z.cracks[z.order[i]]
	r := &z.regions[q.region]
	c := Crack{Edge: q.edge, Nodes: q.node, InsertedAt: q.inserted, BrokenAt: q.broken, Length: length(z.reach(&z.edges[q.edge]))}
	open := 0.0
	for _, p := range q.point {
		if p < 0 {
			continue
		}
		open++
		c.Opening += r.opening[p]
		c.Slip += r.slip[p]
		c.Traction += length(r2.Vec{X: r.normal[p], Y: r.shear[p]})
		c.Damage += float64(0.5 * r.damage[p])
		c.Mode += r.share[p]
		c.Energy += float64(q.weight * r.lost[p])
	}
	c.Opening /= open
	c.Slip /= open
	c.Traction /= open
	c.Mode /= open
	return c
}

// Event is an edge that broke: what a microphone would hear.
type Event struct {
	Time   float64 // [s]
	Place  r2.Vec  // the middle of the edge at first [m]
	Energy float64 // that it has dissipated [J]
	Mode   float64 // share of shear in it
}

// Event returns the event of a crack that is broken.
func (z *Zone) Event(c *Crack) Event {
	return Event{c.BrokenAt, z.middle(&z.edges[c.Edge]), c.Energy, c.Mode}
}

// Totals are lengths and numbers of all cracks.
type Totals struct {
	Inserted, Broken           float64 // length of the edges that are open, and broken, at both ends or one [m]
	Tension, Shear             float64 // of the broken ones, by the greater share of their energy [m]
	InsertedEdges, BrokenEdges int
}

// Totals adds up the cracks in the order of their edges.
func (z *Zone) Totals() (t Totals) {
	for i := range z.order {
		c := z.Crack(i)
		t.Inserted += c.Length
		t.InsertedEdges++
		if math.IsNaN(c.BrokenAt) {
			continue
		}
		t.Broken += c.Length
		t.BrokenEdges++
		if c.Mode > 0.5 {
			t.Shear += c.Length
		} else {
			t.Tension += c.Length
		}
	}
	return t
}

// Fragments sets of to the number of each triangle's fragment and returns how
// many there are. Triangles are of one fragment that edges join which are not
// broken; fragments are numbered by their lowest triangle.
func (z *Zone) Fragments(of []int32) int {
	up := make([]int32, len(of)) // towards the lowest triangle
	for i := range up {
		up[i] = int32(i)
	}
	root := func(t int32) int32 {
		for up[t] != t {
			up[t] = up[up[t]]
			t = up[t]
		}
		return t
	}
	for i := range z.edges {
		if k := z.crackOf[i]; k >= 0 && !math.IsNaN(z.cracks[k].broken) {
			continue
		}
		p, q := root(z.edges[i].A), root(z.edges[i].B)
		up[max(p, q)] = min(p, q)
	}
	n := 0
	for i := range of {
		if r := root(int32(i)); r < int32(i) {
			of[i] = of[r]
		} else {
			of[i] = int32(n)
			n++
		}
	}
	return n
}
