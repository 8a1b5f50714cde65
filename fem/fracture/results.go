package fracture

import (
	"math"
	"slices"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Crack is the state of an edge that is open at one end or both. Openings, slips and tractions are
// means of the open ends.
type Crack struct {
	Edge       int32    // index in Config.Edges
	Nodes      [4]int32 // A's at From and To, B's at From and To
	Opening    float64  // [m], negative if the faces are pressed together
	Slip       float64  // [m]
	Traction   float64  // [Pa], magnitude of the traction between the faces
	Damage     float64  // 0 to 1; a closed end counts as undamaged
	Mode       float64  // share of shear in its energy
	InsertedAt float64  // [s]
	BrokenAt   float64  // [s], NaN before it is broken at both ends
	Energy     float64  // dissipated by fracture so far [J]
	Length     float64  // initial length [m]
	Joint      bool     // it is a joint, which exists from the start
	Friction   float64  // coefficient of friction that the faces of a joint with a law of its own have mobilised, else 0
	SlipRate   float64  // speed at which such faces slide [m/s]
	Path       float64  // path along which such faces have slid [m]
}

// joint tells whether a region, -1 for none, is a joint.
func (z *Zone) joint(region int32) bool { return z.joints != nil && region >= 0 && z.joints[region] }

// Openings returns the number of openings so far; a vertex that splits into three parts counts
// twice.
func (z *Zone) Openings() int { return len(z.opened) }

// Free returns how many nodes can still be added.
func (z *Zone) Free() int {
	if z.pages == nil { // nothing can break
		return 0
	}
	free := z.pages.Nodes
	for _, n := range z.pages.Used {
		free -= int(n)
	}
	return free
}

// Cracks returns the number of cracks.
func (z *Zone) Cracks() int { return len(z.order) }

// IsOpen tells whether an edge has opened at one of its ends.
func (z *Zone) IsOpen(edge int32) bool { return int(edge) < len(z.crackOf) && z.crackOf[edge] >= 0 }

// Crack returns the i-th crack in the order of the edges.
func (z *Zone) Crack(i int) Crack {
	k := z.order[i]
	q, of := &z.cracks[k], &z.histories[k]
	c := Crack{Edge: q.edge, Nodes: q.node, InsertedAt: of.inserted, BrokenAt: of.broken, Length: length(z.edgeVector(&z.edges[q.edge])), Joint: z.joint(q.region)}
	open := 0.0
	values, lane := z.at(k)
	responses := z.responses(k)
	for end := range q.open {
		if !q.open[end] {
			continue
		}
		p, now := &z.points[2*int(k)+end], &responses[end]
		open++
		c.Opening += now.opening
		c.Slip += now.slip
		c.Traction += length(r2.Vec{X: now.normal, Y: now.shear})
		c.Damage += float64(0.5 * (1 - values.end[end][ofIntegrity][lane]))
		c.Mode += p.mixity
		_, spent, _ := z.pointEnergies(k, end, now)
		c.Energy += float64(q.weight * spent)
	}
	if s := z.springsOf(q.region); s != nil && s.Faces != nil {
		c.addFaces(z, k, s)
		c.Friction, c.SlipRate, c.Path = c.Friction/open, c.SlipRate/open, c.Path/open
	}
	c.Opening /= open
	c.Slip /= open
	c.Traction /= open
	c.Mode /= open
	return c
}

// addFaces adds the friction of faces with a law of their own.
func (c *Crack) addFaces(z *Zone, k int32, law *cohesive.Springs) {
	for end, open := range z.cracks[k].open {
		if open {
			mem := z.memory(k, end)
			c.Friction += law.FaceFriction(&mem)
			c.SlipRate += mem[cohesive.Speed]
			c.Path += mem[cohesive.Path]
		}
	}
}

// Totals are lengths and numbers of all cracks without joints. Joints with springs and a strength
// count from their first damage on.
type Totals struct {
	Inserted, Broken           float64 // length of the edges that are open at one or both ends, and length of the broken edges [m]
	Sliding                    float64 // length of the open edges that opened in shear, by the greater share of their energy [m]
	Tension, Shear             float64 // lengths of the broken edges, by the greater share of their energy [m]
	InsertedEdges, BrokenEdges int
	ShearEdges                 int     // number of the broken edges in shear
	Kinetic                    float64 // energy released by the broken edges [J]
}

// Totals adds up the cracks in the order of their edges.
func (z *Zone) Totals() (t Totals) {
	for i := range z.order {
		c := z.Crack(i)
		if c.Joint || c.Damage == 0 && z.hasSprings(c.Edge) { // unchanged from the start
			continue
		}
		t.Inserted += c.Length
		t.InsertedEdges++
		if c.Mode > 0.5 {
			t.Sliding += c.Length
		}
		if math.IsNaN(c.BrokenAt) {
			continue
		}
		t.Broken += c.Length
		t.BrokenEdges++
		of := &z.emissions[z.order[i]]
		t.Kinetic += of.most - of.first
		if c.Mode > 0.5 {
			t.Shear += c.Length
			t.ShearEdges++
		} else {
			t.Tension += c.Length
		}
	}
	return t
}

// tipDistance is the distance over which the speed of a tip is measured, divided by the length of
// the edge that breaks. It is many edges long, because neighbouring edges need not break in the
// order in which the tip passes.
const tipDistance = 10

// TipSpeed returns the greatest speed of a crack tip at the edges that have broken after the given
// time [m/s], 0 if there are none. From an edge it goes back, always to the neighbour that broke
// first, until it is tipDistance lengths away. The speed is the straight distance divided by the
// time between. Shorter cracks have no speed: where a crack begins, an evenly stretched zone
// breaks nearly at once, and its end is not a tip.
func (z *Zone) TipSpeed(since float64) float64 {
	fastest := 0.0
	for _, k := range z.order {
		c := &z.cracks[k]
		broken := z.histories[k].broken
		if !(broken > since) || z.joint(c.region) {
			continue
		}
		tip := z.middle(&z.edges[c.edge])
		far, length := 0.0, length(z.edgeVector(&z.edges[c.edge]))
		at := k
		for far < tipDistance*length {
			back := z.earlier(at)
			if back < 0 {
				break
			}
			at = back
			m := z.middle(&z.edges[z.cracks[at].edge])
			dx, dy := m.X-tip.X, m.Y-tip.Y
			far = math.Sqrt(float64(dx*dx) + float64(dy*dy))
		}
		if far >= tipDistance*length && broken > z.histories[at].broken {
			fastest = max(fastest, far/(broken-z.histories[at].broken))
		}
	}
	return fastest
}

// earlier returns the crack that broke first among those that share a vertex with crack c, -1 if
// none broke before it.
func (z *Zone) earlier(c int32) (first int32) {
	first = -1
	e := &z.edges[z.cracks[c].edge]
	for _, v := range [2]int32{e.From, e.To} {
		k := z.fans.of[v]
		if k < 0 {
			continue
		}
		for _, s := range z.fans.spokesOf(k) {
			if s < 0 || z.crackOf[s] < 0 {
				continue
			}
			if q := z.crackOf[s]; z.histories[q].broken < z.histories[c].broken && (first < 0 || z.histories[q].broken < z.histories[first].broken) {
				first = q
			}
		}
	}
	return first
}

// Fragments sets of to the number of each triangle's fragment and returns the number of fragments.
// Edges that are neither broken nor joints connect the triangles of a fragment; fragments are
// numbered by their lowest triangle. Excavated triangles are in no fragment: -1.
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
		if k := z.crackOf[i]; k >= 0 && z.cracks[k].broken || z.joint(z.edges[i].Region) || z.excavated != nil && (z.excavated[z.edges[i].A] || z.excavated[z.edges[i].B]) {
			continue
		}
		p, q := root(z.edges[i].A), root(z.edges[i].B)
		up[max(p, q)] = min(p, q)
	}
	n := 0
	for i := range of {
		if z.excavated != nil && z.excavated[i] {
			of[i] = -1
		} else if r := root(int32(i)); r < int32(i) {
			of[i] = of[r]
		} else {
			of[i] = int32(n)
			n++
		}
	}
	return n
}

// BrokenBy tells whether an edge had broken by a time [s].
func (z *Zone) BrokenBy(edge int32, time float64) bool {
	k := z.crackOf[edge]
	return k >= 0 && z.histories[k].broken <= time
}

// BrokenSince tells whether an edge has broken after a time [s].
func (z *Zone) BrokenSince(time float64) bool {
	return slices.ContainsFunc(z.histories, func(h history) bool { return h.broken > time })
}

// Position returns the reference position of a vertex [m].
func (z *Zone) Position(vertex int32) r2.Vec { return z.x0[vertex] }
