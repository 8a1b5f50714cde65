package cracks

import (
	"cmp"
	"math"
	"slices"

	"fdem/fem/fracture"
	"fdem/materials/bulk"
	"fdem/materials/elementary"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Moment is a seismic moment tensor [N m]. ZZ is the only component out of the plane of the model,
// and only in plane strain.
type Moment struct{ XX, YY, XY, ZZ float64 }

// Scalar returns the scalar moment M0 = sqrt(sum m_j^2/2), m_j the eigenvalues [N m]. For pure
// shear it is G times area times slip. Source: P. G. Silver, T. H. Jordan, Geophys. J. R. Astron.
// Soc. 70 (1982) 755.
func (m Moment) Scalar() float64 {
	return math.Sqrt(0.5 * (float64(m.XX*m.XX) + float64(m.YY*m.YY) + float64(m.ZZ*m.ZZ) + float64(2*m.XY*m.XY)))
}

// Magnitude returns the moment magnitude 2/3 log10 M0 - 6, NaN without motion. Source: T. C. Hanks,
// H. Kanamori, J. Geophys. Res. 84 (1979) 2348, with the constant of J. F. Hazzard, R. P. Young,
// Tectonophysics 356 (2002) 181.
func (m Moment) Magnitude() float64 {
	m0 := m.Scalar()
	if !(m0 > 0) {
		return math.NaN()
	}
	return float64(2.0/3/math.Ln10*elementary.Log(m0)) - 6
}

func (m *Moment) add(n Moment) { m.XX, m.YY, m.XY, m.ZZ = m.XX+n.XX, m.YY+n.YY, m.XY+n.XY, m.ZZ+n.ZZ }

// Breakage is an edge that broke, with its moment and the number of its event.
type Breakage struct {
	fracture.Event
	Moment  Moment
	Cluster int

	reach, duration float64 // radius and duration of its source [m], [s]
}

// Cluster is an acoustic emission event: breakages that are near each other in space and time.
type Cluster struct {
	Time, Duration float64 // time of the first breakage, and from there to the last [s]
	Position       r2.Vec  // mean of the edges weighted by their lengths [m]
	Edges          int
	Length         float64 // total length of the edges [m]
	Energy         float64 // energy dissipated by fracture [J]
	Mode           float64 // share of shear in the energy
	Kinetic        float64 // kinetic energy released [J]
	Moment         Moment
}

// Clusters returns the breakages in the order of time, without joints, and their events; nil if
// nothing can break.
//
// The source of a breakage is a circle around the middle of its edge, with the length of the edge
// as radius. It lasts as long as a crack that runs at half the speed of shear waves takes to cross
// it. A breakage whose source overlaps a source that still lasts belongs to the same event. The
// moment of an event is the sum over its breakages. Source: J. F. Hazzard, R. P. Young, Int. J.
// Rock Mech. Min. Sci. 37 (2000) 867, Tectonophysics 356 (2002) 181.
func (k *Breaking) Clusters() ([]Breakage, []Cluster) {
	events := k.cracks.Events()
	all := make([]Breakage, len(events))
	for i := range events {
		all[i] = breakage(k.View.Analysis.Model, events[i])
	}
	slices.SortStableFunc(all, func(p, q Breakage) int { return cmp.Compare(p.Time, q.Time) })
	return all, number(all)
}

// breakage computes the moment of a broken edge with the mean elastic constants of its two
// triangles.
func breakage(k *models.Model, e fracture.Event) Breakage {
	b := Breakage{Event: e, reach: e.Length}
	p, slowest := &e.Potency, math.Inf(1)
	for _, t := range e.Triangles {
		material := &k.Materials[k.MaterialOf(t)]
		c := material.Moduli(k.Plane)
		m := Moment{
			XX: float64(c.C11*p.XX) + float64(c.C12*p.YY), YY: float64(c.C12*p.XX) + float64(c.C11*p.YY),
			XY: float64(2 * c.G * p.XY),
		}
		if k.Plane == bulk.PlaneStrain {
			m.ZZ = c.C12 * (p.XX + p.YY)
		}
		b.Moment.add(Moment{float64(0.5 * m.XX), float64(0.5 * m.YY), float64(0.5 * m.XY), float64(0.5 * m.ZZ)})
		slowest = min(slowest, math.Sqrt(c.G/material.Density))
	}
	b.duration = 4 * b.reach / slowest
	return b
}

// number finds the events of breakages, which must be in the order of time. It numbers the events
// by their first breakage. A grid of cells finds the sources that still last.
func number(all []Breakage) (out []Cluster) {
	longest, cell := 0.0, 0.0
	for i := range all {
		longest, cell = max(longest, all[i].duration), max(cell, 2*all[i].reach)
	}
	up := make([]int32, len(all)) // towards the earliest breakage of the event
	root := func(i int32) int32 {
		for up[i] != i {
			up[i] = up[up[i]]
			i = up[i]
		}
		return i
	}
	grid := map[[2]int64][]int32{} // looked up, never iterated
	for i := range all {
		b := &all[i]
		up[i] = int32(i)
		x, y := int64(math.Floor(b.Position.X/cell)), int64(math.Floor(b.Position.Y/cell))
		for dx := int64(-1); dx <= 1; dx++ {
			for dy := int64(-1); dy <= 1; dy++ {
				at := [2]int64{x + dx, y + dy}
				near := grid[at]
				ended := 0
				for ended < len(near) && b.Time-all[near[ended]].Time > longest {
					ended++
				}
				if ended > 0 {
					near = near[ended:]
					grid[at] = near
				}
				for _, j := range near {
					a := &all[j]
					d := r2.Sub(a.Position, b.Position)
					if reach := a.reach + b.reach; b.Time-a.Time <= a.duration && float64(d.X*d.X)+float64(d.Y*d.Y) <= float64(reach*reach) {
						p, q := root(j), root(int32(i))
						up[max(p, q)] = min(p, q)
					}
				}
			}
		}
		own := [2]int64{x, y}
		grid[own] = append(grid[own], int32(i))
	}
	for i := range all {
		b := &all[i]
		if r := root(int32(i)); int(r) == i {
			b.Cluster = len(out)
			out = append(out, Cluster{Time: b.Time})
		} else {
			b.Cluster = all[r].Cluster
		}
		out[b.Cluster].take(b)
	}
	for i := range out {
		out[i].finish()
	}
	return out
}

// take adds a breakage; finish turns sums into means.
func (c *Cluster) take(b *Breakage) {
	c.Duration = b.Time - c.Time
	c.Edges++
	c.Length += b.Length
	c.Position = r2.Vec{X: c.Position.X + float64(b.Length*b.Position.X), Y: c.Position.Y + float64(b.Length*b.Position.Y)}
	c.Energy += b.Energy
	c.Mode += float64(b.Energy * b.Mode)
	c.Kinetic += b.Kinetic
	c.Moment.add(b.Moment)
}

func (c *Cluster) finish() {
	c.Position = r2.Vec{X: c.Position.X / c.Length, Y: c.Position.Y / c.Length}
	if c.Energy > 0 {
		c.Mode /= c.Energy
	}
}
