package contactnodes

import (
	"math"

	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"
)

// Predictive contact detection, for the time step. A step must be made for the
// contacts that it leads into: one that was chosen
// for bodies that fly would take the first contact nodes deep into a stiff law
// at once, and energy would come from nothing. So contact nodes that may touch
// in the coming step add to stiffness and damping in full, and those that may
// contact point n steps later as much as lets the step be 1/(1 - n/predictionSteps) times as
// long: from as long as may be it comes down by 1/predictionSteps of itself from one to
// the next, whatever it comes down to. A sudden change would leave vibrations
// with another energy. Those that touch are asked how stiff they will be.

const (
	predictionSteps = 40   // steps until a contact point from which on it counts
	stiffnessSteps  = 2    // steps that the law is asked to look ahead
	leastApproach   = 0.05 // of Prediction.Approach, for a pair however slow
)

// setLookAhead tells a target how far ahead touches with the contact element on an
// edge count.
func (c *Contact) setLookAhead(t *target, edge *mesh.Edge) {
	t.approach, t.lookAhead = 0, 0
	if c.lookAhead > 0 {
		t.approach = c.maxApproach(edge, t)
		t.lookAhead = min(c.lookAhead, predictionSteps*t.approach)
	}
}

// maxApproach bounds by how much the contact element on an edge and the target may
// come nearer to each other in the coming step [m], from how fast their ends do
// along the normal of the target.
func (c *Contact) maxApproach(edge *mesh.Edge, t *target) float64 {
	o := &c.outline.Edges[t.edge]
	speed := func(n, m int32) float64 {
		w := sub(c.v[n], c.v[m])
		if t.radius != 0 {
			return math.Sqrt(elementary.Dot(w, w))
		}
		return math.Abs(elementary.Cross(t.along, w))
	}
	most := max(speed(edge.A, o.A), speed(edge.A, o.B), speed(edge.B, o.A), speed(edge.B, o.B))
	return c.prediction.approach(most)
}

// Prediction is what the coming step may bring.
type Prediction struct {
	Approach float64 // by which two edges may come nearer [m]
	Step     float64 // [s]
	// A contact node of stiffness k that touches at a speed v in the middle of a
	// step dt makes leapfrog lose k v^2 dt^2/12 of energy on the mean, until it
	// lets go again. ImpactLoss is the sum of k v^2 over the greater of Energy and the
	// energy of the lighter body at Speed.
	Energy float64 // greatest energy of motion so far [J]
	Speed  float64 // of the fastest node of an outline [m/s]
}

// approach bounds by how much what nears at a speed [m/s] does in the coming step [m].
func (p *Prediction) approach(speed float64) float64 {
	return min(p.Approach, float64(2*speed*p.Step)+float64(leastApproach*p.Approach))
}

// Reach returns from how far touches at a speed [m/s] count [m].
func (p *Prediction) Reach(speed float64) float64 { return predictionSteps * p.approach(speed) }

// Loss returns the part of ImpactLoss of a contact point of stiffness k [N/m] at a speed v
// [m/s].
func (p *Prediction) Loss(k, v float64) float64 { return impactLoss(k, v, p.Energy) }

// referenceEnergy returns the energy that the contact points of edges i and j are measured by
// [J], 0 for none.
func (c *Contact) referenceEnergy(i, j int32) float64 {
	energy := c.prediction.Energy
	if speed2 := float64(c.prediction.Speed * c.prediction.Speed); c.Mass != nil && speed2 > 0 {
		energy = max(energy, 0.5*min(c.Mass[i], c.Mass[j])*speed2)
	}
	return energy
}

// impactLoss returns the part of ImpactLoss of a contact point of stiffness k [N/m] at a
// speed v, for what referenceEnergy returns.
func impactLoss(k, v, energy float64) float64 {
	if energy == 0 {
		return 0
	}
	return k * v * v / energy
}

// stiffening is a contact point of which the law tells how stiff it will be.
type stiffening struct{ meeting, point int32 }

// predictStiffness asks the law what predicted contact points will bring, and those that
// there are where they go deeper. dt is the last step [s].
func (c *Contact) predictStiffness(dt float64) {
	if dt == 0 { // at the start
		dt = c.prediction.Step
	}
	f, n := &c.approaching, &c.touching
	c.Approaching = len(f.nodes)
	c.stiffening = c.stiffening[:0]
	if _, steady := c.Law.(contact.Linear); !steady { // how stiff it is hangs on how deep
		for i := range f.pairs {
			m := &f.pairs[i]
			for k := m.first; k < m.end; k++ {
				f.d[k] = c.predictedDeflection(f.d[k], f.rate[k], dt, m.edge)
			}
		}
		for i := range n.pairs {
			m := &n.pairs[i]
			for k := m.first; k < m.end; k++ {
				if !n.nodes[k].repeated && float64(stiffnessSteps*n.rate[k]*dt) > 0.05*n.d[k] {
					c.stiffening = append(c.stiffening, stiffening{int32(i), k})
					f.nodes = append(f.nodes, n.nodes[k])
					f.d, f.rate = append(f.d, c.predictedDeflection(n.d[k], n.rate[k], dt, m.edge)), append(f.rate, n.rate[k])
				}
			}
		}
	}
	if len(f.nodes) > 0 {
		if c.memorySize > 0 {
			for i := range f.nodes[:c.Approaching] {
				t := &f.nodes[i]
				if t.slot = noSlot; c.firstSlot[t.id/int32(c.Nodes)] != noSlot {
					t.slot = *c.slot(t.id)
				}
			}
		}
		f.prepare(c)
		f.eval(c.Law, 0, len(f.nodes), c.memorySize)
	}
}

// predictedDeflection returns how deep a contact node will be stiffnessSteps
// later in an edge [m].
func (c *Contact) predictedDeflection(deflection, rate, dt float64, edge int32) float64 {
	return max(deflection+float64(stiffnessSteps*max(rate, 0)*dt), 1e-9*c.outline.Depth[edge])
}

// addPredicted adds the stiffness and the damping of the predicted contact points to out, and
// what a law that stiffens as nodes go deeper will add to that of the contact points
// there are. It takes stock of the speeds, in losses, see ImpactLoss.
func (c *Contact) addPredicted(out Forces) {
	f := &c.approaching
	for i := range f.pairs {
		m := &f.pairs[i]
		energy, whole := c.referenceEnergy(c.elements[m.element], m.edge), c.area[m.element]
		ends := c.endsOf(out, m)
		for k := m.first; k < m.end; k++ {
			t := &f.nodes[k]
			area := whole * t.fraction
			stiff, damp := float64(c.Friction.Stiffest(f.k[k])*t.predicted*t.predicted), float64(c.damping*t.predicted)
			c.losses = append(c.losses, impactLoss(stiff*area, f.rate[k], energy))
			ends.add(t, 2*stiff*area, 2*damp*area)
		}
		ends.put()
	}
	for i, a := range c.stiffening {
		if more := f.k[c.Approaching+i] - c.touching.k[a.point]; more > 0 {
			m, t := &c.touching.pairs[a.meeting], &c.touching.nodes[a.point]
			ends := c.endsOf(out, m)
			ends.add(t, 2*more*(c.area[m.element]*t.fraction), 0)
			ends.put()
		}
	}
}

// stiffEnds is what the end nodes of the two edges of a pair carry of stiffness [N/m]
// and damping [N s/m].
type stiffEnds struct {
	on    [4]*NodeForce // of the contact element, then of the opposite edge
	k, r  [4]float64
	nodes *layout
	base  int32 // the first contact node of the element
}

// endsOf returns the load that they carry so far.
func (c *Contact) endsOf(out Forces, m *edgePair) (e stiffEnds) {
	edge, o := &c.outline.Edges[c.elements[m.element]], &c.outline.Edges[m.edge]
	e.nodes, e.base = &c.layouts[c.layoutOf[m.element]], m.element*int32(c.Nodes)
	for i, n := range [4]int32{edge.A, edge.B, o.A, o.B} {
		e.on[i] = out.On(n)
		e.k[i], e.r[i] = e.on[i].Stiffness, e.on[i].Damping
	}
	return e
}

// add adds the stiffness k [N/m] and the damping r [N s/m] of a contact node.
func (e *stiffEnds) add(t *node, k, r float64) {
	at := t.id - e.base
	u, s := e.nodes.position[at], within(t.position)
	v, w := 1-u, 1-s
	e.k[0] += float64(v * k)
	e.k[1] += float64(u * k)
	e.k[2] += float64(w * k)
	e.k[3] += float64(s * k)
	e.r[0] += float64(v * r)
	e.r[1] += float64(u * r)
	e.r[2] += float64(w * r)
	e.r[3] += float64(s * r)
}

// put makes it the load that they carry.
func (e *stiffEnds) put() {
	for i, on := range e.on {
		on.Stiffness, on.Damping = e.k[i], e.r[i]
	}
}
