package bodies

import (
	"math"

	"fdem/boundingbox"
	"fdem/materials/elementary"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Time to collision, for limits of the step that matter only at a first contact. A body that is far
// from all others does not need the short step of its first contact yet. Its step may be a part of
// the time to contact, so that steps shrink gradually as the bodies approach. The least distance of
// bodies is measured from time to time. Between measurements the greatest possible displacement of
// the fastest node is subtracted.

// ClearanceState has lower bounds of the distances of bodies from others that they may contact.
type ClearanceState struct {
	Clearances []float64 // of each connected component of the outline at least, or as its owner defines it [m]
	Measured   []float64 // at the last measurement [m]
	followed   int64     // last step at which they were followed; a resumed run has not followed its present step yet
}

func (c *ClearanceState) Parts() []system.Part {
	return []system.Part{{Name: "clearance", Values: c.Clearances}, {Name: "clearance.measured", Values: c.Measured}}
}

// NewClearances returns n clearances, to be measured before the first step.
func NewClearances(n int) ClearanceState {
	return ClearanceState{make([]float64, n), make([]float64, n), -1}
}

// Begin tells whether the clearances are to be followed at step n, and whether it is the first
// time.
func (c *ClearanceState) Begin(n int64) (follow, first bool) {
	first = c.followed < 0
	if len(c.Clearances) == 0 || c.followed >= n {
		return false, first
	}
	c.followed = n
	return true, first
}

// Nearer subtracts a displacement from a clearance. It tells whether the clearance must be measured
// again: if half of it has been used, and at least measuredAgain units [m].
func (c *ClearanceState) Nearer(p int, displacement, unit float64) bool {
	d := &c.Clearances[p]
	if !math.IsInf(*d, 1) {
		*d -= displacement
	}
	return c.Measured[p]-*d > max(0.5*c.Measured[p], measuredAgain*unit)
}

// Set stores a measured clearance [m].
func (c *ClearanceState) Set(p int, d float64) { c.Clearances[p], c.Measured[p] = d, d }

// Clearances measures and follows the clearances. Without spans nothing is measured, and everything
// counts as near.
type Clearances struct {
	system.View
	ClearanceState
	outlines *Outlines
	bodies   *Rigids
	Spans    [][2]int32 // per component: its edges [first, end); nil if nothing is measured
	pairs    bool       // only pairs that the search wants may be in contact
}

const (
	// collisionSteps is the least number of steps until a contact at which a longer step is
	// allowed.
	collisionSteps = 40
	// maxMeasured is the greatest number of pairs of a component and an edge that are measured.
	// With more pairs everything counts as near.
	maxMeasured = 1 << 20
	// measuredAgain is a distance in depths of the shallowest edge. A small clearance is measured
	// again only after that displacement.
	measuredAgain = 4
)

// newClearances makes clearances that are measured if that can make steps longer. Bodies that break or
// are excavated get new outlines, so their models are not measured.
func newClearances(of system.View, outlines *Outlines, bodies *Rigids) *Clearances {
	k := &Clearances{View: of, outlines: outlines, bodies: bodies}
	if k.Static != nil || k.Fracture != nil || len(k.Excavations) > 0 || len(k.Model.Contacts)+len(k.ByVolume) == 0 {
		return k
	}
	components := 0
	for _, e := range k.Mesh.Edges {
		components = max(components, int(e.Component)+1)
	}
	if components*len(k.Mesh.Edges) > maxMeasured {
		return k
	}
	spans := make([][2]int32, components)
	for i, e := range k.Mesh.Edges {
		p := &spans[e.Component]
		if p[1] == 0 {
			p[0] = int32(i)
		}
		if p[1] != 0 && p[1] != int32(i) { // the component's edges are not consecutive
			return k
		}
		p[1] = int32(i) + 1
	}
	k.Spans, k.pairs, k.ClearanceState = spans, len(k.ByVolume) == 0, NewClearances(components)
	return k
}

// Measure returns the least distance of a component from others that it may contact [m].
func (k *Clearances) Measure(component int) float64 {
	first, end := int(k.Spans[component][0]), int(k.Spans[component][1])
	at := func(e int) (r2.Vec, r2.Vec) { return k.X[k.Mesh.Edges[e].A], k.X[k.Mesh.Edges[e].B] }
	box, bulge := boundingbox.BoxOf(at(first)), 0.0
	for e := first; e < end; e++ {
		a, b := at(e)
		box, bulge = box.With(a).With(b), max(bulge, k.SagittaBound(e))
	}
	centre := r2.Vec{X: float64(0.5 * (box.Min.X + box.Max.X)), Y: float64(0.5 * (box.Min.Y + box.Max.Y))}
	radius := 0.0
	for e := first; e < end; e++ {
		a, b := at(e)
		radius = max(radius, elementary.Norm(r2.Sub(a, centre)), elementary.Norm(r2.Sub(b, centre)))
	}
	gap := math.Inf(1)
	for j := range k.Mesh.Edges {
		o := &k.Mesh.Edges[j]
		if int(o.Component) == component && !k.outlines.Search.HasSelfContact(j) {
			continue
		}
		a, b := k.X[o.A], k.X[o.B]
		d := max(box.Gap(boundingbox.BoxOf(a, b)), distanceTo(centre, a, b)-radius) - bulge - k.SagittaBound(j)
		if !(d < gap) {
			continue
		}
		for e := first; e < end; e++ {
			if !k.pairs || k.outlines.Search.MayPair(e, j) {
				gap = d
				break
			}
		}
	}
	return max(gap, 0)
}

// distanceTo returns the distance of a position from the edge from a to b [m].
func distanceTo(p, a, b r2.Vec) float64 {
	d, w := r2.Sub(b, a), r2.Sub(p, a)
	t := 0.0
	if l2 := elementary.Dot(d, d); l2 > 0 {
		t = min(max(elementary.Dot(d, w)/l2, 0), 1)
	}
	return elementary.Norm(r2.Vec{X: w.X - float64(t*d.X), Y: w.Y - float64(t*d.Y)})
}

// Follow subtracts the displacement of the last step from the clearances. It measures those again
// of which half is used up.
func (k *Clearances) Follow() {
	follow, first := k.Begin(k.N)
	if !follow {
		return
	}
	displacement := float64(k.outlines.ApproachSpeed() * k.Last)
	for p := range k.Clearances {
		if k.Nearer(p, displacement, k.outlines.Shallow) || first {
			k.Set(p, k.Measure(p))
		}
	}
}

// Closing bounds the approach of a component to others that it may contact.
type Closing struct {
	Speed        float64 // sum for two nodes, with that of driven bodies within the next step [m/s]
	Acceleration float64 // sum for two nodes of free bodies [m/s2]
}

// closing returns these bounds for all components; zero if no clearance is measured.
func (k *Clearances) closing() Closing {
	if k.Spans == nil {
		return Closing{}
	}
	return Closing{k.outlines.ApproachSpeed() + k.bodies.AheadOf(), 2 * k.bodies.Acceleration()}
}

// timeToContact returns the longest step after which a component is still many such steps away from
// contact [s]; 0 if it is near.
func (k *Clearances) timeToContact(component int, by Closing) float64 {
	if k.Spans == nil {
		return 0
	}
	return by.TimeToContact(k.Clearances[component])
}

// TimeToContact returns the step that covers one of collisionSteps parts of a clearance [m] at this
// approach [s].
func (by Closing) TimeToContact(clearance float64) float64 {
	part := max(clearance, 0) / collisionSteps
	if part == 0 || math.IsInf(part, 1) {
		return part
	}
	v, a := by.Speed, by.Acceleration
	if v == 0 && a == 0 {
		return math.Inf(1)
	}
	return 2 * part / (v + math.Sqrt(float64(v*v)+float64(2*a*part)))
}

// ShortestTime returns the shortest time to contact of all components [s].
func (k *Clearances) ShortestTime() float64 {
	if k.Spans == nil {
		return 0
	}
	least, by := math.Inf(1), k.closing()
	for p := range k.Spans {
		least = min(least, k.timeToContact(p, by))
	}
	return least
}
