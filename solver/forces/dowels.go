package forces

import (
	"math"
	"slices"

	"fdem/fem/bolt"
	"fdem/materials/elementary"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Dowel action of bolts. Where a bolt runs from one triangle into the next its bar joins the same
// point of both. While they are whole the two points are one; when a joint moves or a crack opens
// between them, with a gap g from the near face to the far one, the bar resists the part of it across
// the segment that bridges the gap. With the segment d = n l from its first point to its second the
// shear is s = n x g, and the force Q has the exact gradient of its work, with m = n turned by a right
// angle: Q m on the near face, -Q m on the far one, and -+Q (n g)/l m on the two points of the segment.
// So momentum and angular momentum are kept.

// dowel is a crossing at the last evaluation.
type dowel struct {
	shear, force, slope float64
	lever               float64 // (n g)/l
	across              r2.Vec  // m
}

// dowelState is the state of all crossings of all bolts, in their order.
type dowelState struct {
	sheared []float64 // plastic shear [m]
	carried []float64 // force [N]
}

// crossings returns the number of crossings of a bolt, and the first one's place among all.
func (k *Bolts) crossings(i int) (first, n int) {
	return k.crossing[i], k.crossing[i+1] - k.crossing[i]
}

// newDowels makes the crossings of all bolts.
func (k *Bolts) newDowels() {
	k.crossing = []int{0}
	for i := range k.list {
		k.crossing = append(k.crossing, k.crossing[i]+len(k.list[i].Crossings))
	}
	n := k.crossing[len(k.crossing)-1]
	k.dowels, k.state.dowelState = make([]dowel, n), dowelState{sheared: make([]float64, n), carried: make([]float64, n)}
}

// dowelEnds are the four points on which a crossing acts, and their parts of its force across.
func (d *dowel) each(p *models.Bolt, c *models.Crossing, do func(e *models.End, part float64)) {
	do(&c.Faces[0], 1)
	do(&c.Faces[1], -1)
	do(&p.Points[c.Segment], -d.lever)
	do(&p.Points[c.Segment+1], d.lever)
}

// resist finds the shear and the forces of the crossings of a bolt, and adds these. comes tells that it
// is installed now, without load.
func (k *Bolts) resist(i int, c *bolt.Chain, normal []r2.Vec, comes bool) {
	p := &k.list[i]
	first, n := k.crossings(i)
	for j := range n {
		at, d := &p.Crossings[j], &k.dowels[first+j]
		gap := r2.Sub(meanAt(&at.Faces[1], k.PositionAt), meanAt(&at.Faces[0], k.PositionAt))
		along := normal[at.Segment]
		d.shear, d.across = elementary.Cross(along, gap), r2.Vec{X: -along.Y, Y: along.X}
		d.lever = elementary.Dot(along, gap) / (c.Rest[at.Segment] + c.Stretch[at.Segment])
		if comes {
			k.state.sheared[first+j], k.state.carried[first+j] = d.shear, 0
		}
		if d.force, d.slope = p.Law.Resist(d.shear, k.state.sheared[first+j]); c.Broken[at.Segment] > 0 {
			d.force, d.slope = 0, 0
		}
		f := float64(k.state.Now[i] * d.force)
		if f == 0 {
			continue
		}
		d.each(p, at, func(e *models.End, part float64) {
			pushAt(k.Field, e, r2.Vec{X: float64(f * part * d.across.X), Y: float64(f * part * d.across.Y)})
		})
	}
}

// release keeps the last forces of the crossings of a bolt, and returns what they have dissipated [J].
func (k *Bolts) release(i int) (dissipated float64) {
	p, s := &k.list[i], &k.state
	first, n := k.crossings(i)
	for j := first; j < first+n; j++ {
		d := &k.dowels[j]
		plastic, lost := p.Law.Release(d.shear, s.sheared[j], d.force, s.carried[j])
		s.sheared[j], s.carried[j] = plastic, d.force
		dissipated += lost
	}
	return dissipated
}

// held returns the energy that the crossings of a bolt store [J].
func (k *Bolts) held(i int) (sum float64) {
	first, n := k.crossings(i)
	for j := first; j < first+n; j++ {
		f := k.dowels[j].force
		sum += float64(0.5 * f * (f / k.list[i].Law.Shear))
	}
	return sum
}

// shears returns the greatest force of a bolt's crossings [N], and the greatest shear [m] since it was installed.
func (k *Bolts) greatestShear(i int) float64 {
	most := 0.0
	first, n := k.crossings(i)
	for j := first; j < first+n; j++ {
		if f := k.dowels[j].force; math.Abs(f) > math.Abs(most) {
			most = f
		}
	}
	return k.each(i, most)
}

// shearOf returns the greatest force across a segment of a bolt [N].
func (k *Bolts) shearOf(i, segment int) float64 {
	most := 0.0
	first, _ := k.crossings(i)
	for j := range k.list[i].Crossings {
		if f := k.dowels[first+j].force; k.list[i].Crossings[j].Segment == segment && math.Abs(f) > math.Abs(most) {
			most = f
		}
	}
	return k.each(i, most)
}

// weighCrossings calls the function with the points of all crossings and four times their stiffness, which
// bounds the energy of the force across by that of each of its four points alone.
func (k *Bolts) weighCrossings(visit func(i int, e *models.End, stiff, line float64)) {
	for i := range k.list {
		p := &k.list[i]
		for j := range p.Crossings {
			at := &p.Crossings[j]
			for _, e := range []*models.End{&at.Faces[0], &at.Faces[1], &p.Points[at.Segment], &p.Points[at.Segment+1]} {
				visit(i, e, 4*p.Law.Shear, 0)
			}
		}
	}
}

// stiffenCrossings adds the tangent of the crossings of a bolt for a static analysis.
func (k *Bolts) stiffenCrossings(f *system.Freedoms, i int, add func(stiffness float64, freedom []int32, g []float64)) {
	p := &k.list[i]
	first, n := k.crossings(i)
	for j := range n {
		at, d := &p.Crossings[j], &k.dowels[first+j]
		var freedoms []int32
		each := func(do func(at int32, w float64)) {
			d.each(p, at, func(e *models.End, part float64) {
				for m, v := range e.Nodes {
					w := e.Weights[m] * part
					f.Each(f.Moves[v][0], func(at int32, by float64) { do(at, by*w*d.across.X) })
					f.Each(f.Moves[v][1], func(at int32, by float64) { do(at, by*w*d.across.Y) })
				}
			})
		}
		each(func(at int32, _ float64) { freedoms = append(freedoms, at) })
		slices.Sort(freedoms)
		freedoms = slices.Compact(freedoms)
		g := make([]float64, len(freedoms))
		each(func(at int32, w float64) {
			m, _ := slices.BinarySearch(freedoms, at)
			g[m] += w
		})
		stiff := 0.0
		if k.state.Begun[i] {
			stiff = float64(k.state.Now[i] * d.slope)
		}
		add(stiff, freedoms, g)
	}
}

// readCrossings names the corners of the triangles at crossings.
func readCrossings(p *models.Bolt, each func(n int32)) {
	for j := range p.Crossings {
		for _, e := range p.Crossings[j].Faces {
			for _, n := range e.Nodes {
				each(n)
			}
		}
	}
}
