package fracture

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fdem/materials/cohesive"
)

// State is everything that changes in a Zone apart from positions, in flat arrays,
// for checkpoints. Topology and the numbers of nodes follow from Opened.
type State struct {
	Opened  []int32   // vertex, spoke and second spoke or -1 of each opening, in their order
	Times   []float64 // of each opening [s]
	Taken   float64   // when forces were last computed [s]
	Points  []float64 // pointValues of each point, in the order in which they began
	Broken  []float64 // per crack in the order of insertion: when it broke [s]; NaN before
	Left    []float64 // likewise: when its faces became detached [s]; NaN before
	Apart   []float64 // likewise: when its faces separated [s]; NaN before
	Parting []float64 // likewise: ratio of gap to length from which its faces are transferred to contact; NaN before it is broken
	Emitted []float64 // likewise: its emissionValues
	Stands  []float64 // smoothedValues of each point, in the order of Points, if there is a fluid
}

// pointValues is the number of values of a point in a State: its constants, its
// memory, its friction heat [J/m2], its share of shear and the law of its crack.
const pointValues = 9 + cohesive.Memories + 3

// State returns the state, in arrays of its own.
func (z *Zone) State() State {
	s := State{Taken: z.taken}
	for _, o := range z.opened {
		s.Opened = append(s.Opened, z.fans.vertex[o.fan], o.spoke, o.second)
		s.Times = append(s.Times, o.time)
		for _, e := range [2]int32{o.spoke, o.second} {
			if e < 0 {
				continue
			}
			k, end := z.crackOf[e], z.end(e, o.fan)
			q, lane := z.at(k)
			p, b := z.pointOf(k, end)
			mem := z.memory(k, end)
			s.Points = append(s.Points, b.Stiffness, b.Normal, b.Shear, b.Size, b.Pressure, b.FrictionShear, b.Onset, b.Energy, b.Rate)
			s.Points = append(s.Points, mem[:]...)
			s.Points = append(s.Points, q.slips[end][ofHeat][lane], p.mixity, float64(z.cracks[k].law))
			if z.fluid.smoothed != nil {
				at := &z.fluid.smoothed[k][end]
				s.Stands = append(s.Stands, at.plane.cos, at.plane.sin, at.share)
			}
		}
	}
	for _, e := range z.edgeOf {
		c := &z.histories[z.crackOf[e]]
		s.Broken, s.Left = append(s.Broken, c.broken), append(s.Left, c.detached)
		s.Apart, s.Parting = append(s.Apart, c.separated), append(s.Parting, c.transferGap)
		s.Emitted = append(s.Emitted, z.emissions[z.crackOf[e]].values()...)
	}
	return s
}

// restorePoint opens the edge e at the vertex of the i-th opening, with the values of
// its point there and, if there is a fluid, its smoothedEdge.
func (z *Zone) restorePoint(i int, o *opening, e int32, v, stands []float64) error {
	q, end := z.insert(e, o.time), z.end(e, o.fan)
	z.cracks[q].open[end] = true
	z.openSpoke(o.fan, e, [2]int32{z.edges[e].To, z.edges[e].From}[end])
	p, b := z.pointOf(q, end)
	of, lane := z.at(q)
	*b = cohesive.Point{Stiffness: v[0], Normal: v[1], Shear: v[2], Size: v[3], Pressure: v[4], FrictionShear: v[5], Onset: v[6], Energy: v[7], Rate: v[8]}
	z.setMemory(q, end, (*[cohesive.Memories]float64)(v[9:]))
	of.slips[end][ofHeat][lane], p.mixity = v[9+cohesive.Memories], v[10+cohesive.Memories]
	if law := v[11+cohesive.Memories]; law != 0 {
		if !(law > 0 && int(law) < len(z.regions[z.edges[e].Region].laws)) {
			return fmt.Errorf("opening %d has a law by direction, number %g, that there is not", i, law)
		}
		z.cracks[q].law = uint8(law)
	}
	b.Smooth = z.lawOf(&z.cracks[q]).Smooth()
	p.breaks = z.breaksAt(z.edges[e].Region, b)
	if len(stands) > 0 {
		z.fluid.smoothed[q][end] = smoothedEdge{rotation{stands[0], stands[1]}, stands[2]}
	}
	return nil
}

// standings returns the number of smoothedValues in the State for a number of points.
func (z *Zone) standings(points int) int {
	if z.fluid.smoothed == nil {
		return 0
	}
	return smoothedValues * points
}

// Restore sets a new Zone to a state. It opens the vertices again, so that
// triangles, pages and masses are those of the state, and NodeSplits returns the
// added nodes. The caller restores positions and velocities, and must call AddForces
// before anything else. It fails if the state is not of this model.
func (z *Zone) Restore(s State, mass []float64) error {
	z.splits, z.taken = z.splits[:0], s.Taken
	if len(s.Opened) != 3*len(s.Times) {
		return errors.New("openings of vertices and their times differ in number")
	}
	points, stands := s.Points, s.Stands
	if len(stands) != z.standings(len(points)/pointValues) {
		return errors.New("points of cracks and what they stand for in a fluid differ in number")
	}
	for i, time := range s.Times {
		o := opening{fan: -1, spoke: s.Opened[3*i+1], second: s.Opened[3*i+2], time: time}
		if v := s.Opened[3*i]; v >= 0 && int(v) < len(z.fans.of) {
			o.fan = z.fans.of[v]
		}
		if !z.possible(&o) {
			return fmt.Errorf("opening %d, of node %d along edges %d and %d, is not of this model", i, s.Opened[3*i], o.spoke, o.second)
		}
		first, count, total := z.splitFan(o.fan, o.spoke, o.second)
		old, added := z.divide(o.fan, first, count, total)
		z.setMasses(o.fan, old, added, mass)
		z.opened = append(z.opened, o)
		for _, e := range [2]int32{o.spoke, o.second} {
			if e < 0 {
				continue
			}
			if len(points) < pointValues {
				return errors.New("there are fewer points of cracks than openings need")
			}
			if err := z.restorePoint(i, &o, e, points[:pointValues], stands); err != nil {
				return err
			}
			points, stands = points[pointValues:], stands[min(smoothedValues, len(stands)):]
		}
	}
	if len(points) > 0 || len(s.Broken) != len(z.cracks) || len(s.Left) != len(z.cracks) || len(s.Apart) != len(z.cracks) || len(s.Parting) != len(z.cracks) || len(s.Emitted) != emissionValues*len(z.cracks) {
		return errors.New("there are more points of cracks, or other cracks, than openings make")
	}
	for i := range z.cracks {
		c, of := &z.cracks[i], &z.histories[i]
		of.broken, of.detached, of.separated, of.transferGap = s.Broken[i], s.Left[i], s.Apart[i], s.Parting[i]
		z.emissions[i] = emissionOf(s.Emitted[emissionValues*i:])
		c.broken, c.detached = !math.IsNaN(of.broken), !math.IsNaN(of.detached)
		if c.detached {
			c.contactShare = 1
		}
		z.locate(int32(i))
		z.updateQuad(int32(i))
	}
	z.mergeOrder()
	z.sortCracks()
	z.broken = z.broken[:0]
	for i := range z.cracks {
		if z.cracks[i].broken { // or detached: the contact of fragments needs it
			z.broken = append(z.broken, int32(i))
		}
	}
	z.setLimit(mass, 0)
	z.dropOpened()
	return nil
}

// possible tells whether a vertex can open in this way in the present state.
func (z *Zone) possible(o *opening) bool {
	if o.fan < 0 {
		return false
	}
	k, spokes := o.fan, z.fans.spokesOf(o.fan)
	whole := z.fans.closed(k)
	at := slices.Index(spokes, o.spoke)
	whole = whole && !slices.Contains(z.fans.openOf(k), true)
	if at < 0 || o.spoke < 0 || z.fans.openOf(k)[at] || whole != (o.second >= 0) {
		return false
	}
	return o.second == -1 || o.second != o.spoke && slices.Contains(spokes, o.second)
}
