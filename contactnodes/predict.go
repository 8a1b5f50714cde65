package contactnodes

import (
	"math"

	"fdem/contactnodes/onnodes"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"
)

// Predicted contact points, for the time step. The step must be short enough for the contacts in
// the next steps. With the step of flying bodies the first contact nodes would penetrate deeply
// into a stiff law at once, and the run would gain energy. So contact nodes that may come into
// contact in the next step count fully in stiffness and damping. Those that may come into contact
// n steps later count less, so that the step may be 1/(1 - n/predictionSteps) times as long. The
// step becomes shorter gradually, by 1/predictionSteps in each step. A sudden change would change
// the energy of vibrations. For contact nodes in contact the law gives the stiffness of the next
// steps.

const (
	predictionSteps = 40   // greatest number of steps before contact at which a contact point is predicted
	stiffnessSteps  = 2    // number of steps for which the law predicts the stiffness
	leastApproach   = 0.05 // least approach of a pair, relative to Prediction.Approach
)

// setLookAhead sets the distance at which contact points of a target with the contact element on
// an edge are predicted.
func (c *Contact) setLookAhead(t *target, edge *mesh.Edge) {
	t.approach, t.lookAhead = 0, 0
	if c.lookAhead > 0 {
		t.approach = c.maxApproach(edge, t)
		t.lookAhead = min(c.lookAhead, predictionSteps*t.approach)
	}
}

// maxApproach bounds the approach of the contact element on an edge and the target in the next
// step [m], from the relative velocities of their ends along the normal of the target.
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

// Prediction has bounds for the next step.
type Prediction struct {
	Approach float64 // greatest approach of two edges [m]
	Step     float64 // [s]
	// If a contact node of stiffness k makes contact at a speed v in the middle of a step dt,
	// leapfrog loses k v^2 dt^2/12 of energy on average, until it separates again. ImpactLoss is
	// the sum of k v^2 divided by a reference energy. This is the greater of Energy and the energy
	// of the lighter body at Speed.
	Energy float64 // greatest kinetic energy so far [J]
	Speed  float64 // greatest speed of an outline node [m/s]
}

// approach bounds the approach [m] in the next step of a pair with a closing speed [m/s].
func (p *Prediction) approach(speed float64) float64 {
	return min(p.Approach, float64(2*speed*p.Step)+float64(leastApproach*p.Approach))
}

// Reach returns the distance at which contact points with a closing speed [m/s] are predicted [m].
func (p *Prediction) Reach(speed float64) float64 { return predictionSteps * p.approach(speed) }

// Loss returns the part of ImpactLoss of a contact point of stiffness k [N/m] at a speed v [m/s].
func (p *Prediction) Loss(k, v float64) float64 { return impactLoss(k, v, p.Energy) }

// referenceEnergy returns the energy by which losses at contact points of edges i and j are
// divided [J], 0 for none.
func (c *Contact) referenceEnergy(i, j int32) float64 {
	energy := c.prediction.Energy
	if speed2 := float64(c.prediction.Speed * c.prediction.Speed); c.Mass != nil && speed2 > 0 {
		energy = max(energy, 0.5*min(c.Mass[i], c.Mass[j])*speed2)
	}
	return energy
}

// impactLoss returns the part of ImpactLoss of a contact point of stiffness k [N/m] at a speed v
// [m/s]. energy is that of referenceEnergy.
func impactLoss(k, v, energy float64) float64 {
	if energy == 0 {
		return 0
	}
	return k * v * v / energy
}

// stiffening is a contact point whose future stiffness the law predicts.
type stiffening struct{ meeting, point int32 }

// predictStiffness evaluates the law for predicted contact points, and for existing ones whose
// depth grows. dt is the last step [s].
func (c *Contact) predictStiffness(dt float64) {
	if dt == 0 { // at the start
		dt = c.prediction.Step
	}
	f, n := &c.approaching, &c.points
	c.Approaching = len(f.nodes)
	c.stiffening = c.stiffening[:0]
	if _, steady := c.Law.(contact.Linear); !steady { // the stiffness depends on the depth
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

// predictedDeflection returns the deflection of a contact node stiffnessSteps later [m].
func (c *Contact) predictedDeflection(deflection, rate, dt float64, edge int32) float64 {
	return max(deflection+float64(stiffnessSteps*max(rate, 0)*dt), 1e-9*c.outline.Depth[edge])
}

// addPredicted adds the stiffness and the damping of the predicted contact points to out. For a
// law that stiffens with depth it also adds the future increase of the stiffness of existing
// contact points. It records the losses at their speeds, see ImpactLoss.
func (c *Contact) addPredicted(out onnodes.Forces) {
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
		if more := f.k[c.Approaching+i] - c.points.k[a.point]; more > 0 {
			m, t := &c.points.pairs[a.meeting], &c.points.nodes[a.point]
			ends := c.endsOf(out, m)
			ends.add(t, 2*more*(c.area[m.element]*t.fraction), 0)
			ends.put()
		}
	}
}

// stiffEnds is the stiffness [N/m] and damping [N s/m] at the end nodes of the two edges of a
// pair.
type stiffEnds struct {
	on    [4]*onnodes.Force // entries of the contact element's nodes, then of the opposite edge's
	k, r  [4]float64
	nodes *layout
	base  int32 // the first contact node of the element
}

// endsOf returns the present stiffness and damping at the end nodes of a pair.
func (c *Contact) endsOf(out onnodes.Forces, m *edgePair) (e stiffEnds) {
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

// put stores the values at the end nodes.
func (e *stiffEnds) put() {
	for i, on := range e.on {
		on.Stiffness, on.Damping = e.k[i], e.r[i]
	}
}

// The stiffness of a strip is that of its part in contact. The energy of a linear law is k/2 times
// the integral of the squared depth, and only the part inside has a second derivative. The rest of
// the strip counts like predicted contact points: with the mean along the strip of (1 -
// n/predictionSteps)^2, where n is the number of steps until contact.

// manyNodes is the number of contact nodes on an edge from which the strips of deformable bodies
// are so short that they count as a whole.
const manyNodes = 20

// meanPredicted returns the root mean square of the weight of predicted contact points along a
// strip. predicted is the weight at its nearer end. x is the length of the strip, measured across
// the edge, relative to the greatest distance of prediction.
func meanPredicted(predicted, x float64) float64 {
	rest := max(0, predicted-x)
	if x < 1e-9 {
		return predicted
	}
	return math.Sqrt((float64(predicted*predicted*predicted) - float64(rest*rest*rest)) / (3 * x))
}

// coverStiffness reduces the stiffness of a strip that is partly in contact to that of the part in
// contact now or in the next steps.
func (c *Contact) coverStiffness() {
	if !c.covers {
		return
	}
	n := &c.points
	for j := range n.pairs {
		m := &n.pairs[j]
		if m.positionSlope == 0 && m.changeOfDepth() == 0 || c.Nodes >= manyNodes { // contact nodes take the depth at their positions
			continue
		}
		nodes, approach := &c.layouts[c.layoutOf[m.element]], -1.0
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			if t.repeated {
				continue
			}
			if t.coveredSum >= 1 {
				n.stiffness[i] *= t.covered // the rest is at the strip's other parts
				continue
			}
			if approach < 0 {
				e, o := &c.outline.Edges[c.elements[m.element]], &c.outline.Edges[m.edge]
				speed := func(a, b int32) float64 { return math.Abs(elementary.Dot(m.inward, sub(c.v[a], c.v[b]))) }
				approach = c.prediction.approach(max(speed(e.A, o.A), speed(e.A, o.B), speed(e.B, o.A), speed(e.B, o.B)))
			}
			rest := 1 - t.coveredSum
			more := rest
			length := 2 * nodes.half[t.id-m.element*int32(c.Nodes)] * math.Abs(m.changeOfDepth())
			if reach := predictionSteps * approach; reach < 1e9*length {
				x := reach / length // part of the strip that may come into contact
				u := 1 - min(1, rest/x)
				more = x / 3 * (1 - float64(u*u*u))
			}
			n.stiffness[i] *= t.covered + more
		}
	}
}
