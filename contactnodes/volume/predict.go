package volume

import (
	"math"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/contactnodes/motion"
	"fdem/contactnodes/onnodes"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Predicted contact points for the time step, as in package contactnodes. The parts of an
// outline within reach of the next steps count as if the contact line ran along them. If a
// flat side lands, the contact line reaches its full length and stiffness within one step. Of
// a wedge only the part counts that will be in contact. A corner counts for its halves of the
// two edges beside it. If the edge on the other side is longer, its ends carry the load of the
// corners, at most the load of their own halves of edges. For rigid bodies the step of the
// first contact is known in advance.

// StepPrediction is the prediction for the coming step, and the greatest distance from an edge
// at which contact points are predicted.
type StepPrediction struct {
	contactnodes.Prediction
	Farthest float64 // [m]
}

// predictedLoad is the stiffness and damping that predicted contact points will
// add to a node.
type predictedLoad struct {
	stiffness, damping float64 // [N/m], [N s/m]
	loss               float64 // part of ImpactLoss [1/s2]
}

// raise raises each part to that of another load.
func (f *predictedLoad) raise(o predictedLoad) {
	f.stiffness, f.damping, f.loss = max(f.stiffness, o.stiffness), max(f.damping, o.damping), max(f.loss, o.loss)
}

// add adds another load.
func (f *predictedLoad) add(o predictedLoad) {
	f.stiffness += o.stiffness
	f.damping += o.damping
	f.loss += o.loss
}

// scaled returns the load times a factor.
func (f *predictedLoad) scaled(part float64) predictedLoad {
	return predictedLoad{part * f.stiffness, part * f.damping, part * f.loss}
}

// predict adds to out the stiffness and damping that predicted contact points will add to
// the nodes of meshed components, beyond their present load.
func (c *Contact) predict(out onnodes.Forces, at Scene, next StepPrediction) {
	c.ImpactLoss = 0
	clear(c.asCorner)
	clear(c.asEdgeEnd)
	for _, pair := range c.pairs {
		a, b := &c.shapes[pair[0]], &c.shapes[pair[1]]
		if a.Rigid >= 0 && b.Rigid >= 0 || !a.box.Grow(next.Farthest).Overlaps(b.box) {
			continue
		}
		c.approach(a, b, at, &next)
		c.approach(b, a, at, &next)
	}
	for i, n := range c.nodes {
		f := c.asCorner[i]
		f.raise(c.asEdgeEnd[i])
		c.ImpactLoss += f.loss
		k, d := f.stiffness-c.load[i].stiffness, f.damping-c.load[i].damping
		if k > 0 || d > 0 {
			on := out.On(n)
			on.Stiffness += max(k, 0)
			on.Damping += max(d, 0)
		}
	}
}

// approach finds the corners of a shape that come near another shape, and adds
// their loads.
func (c *Contact) approach(a, b *shape, at Scene, next *StepPrediction) {
	corners := len(a.polygon)
	near := b.box.Grow(next.Farthest)
	for i, x := range a.polygon {
		if !near.Overlaps(boundingbox.Box{Min: x, Max: x}) {
			continue
		}
		beside := [2]r2.Vec{sub(a.polygon[(i+corners-1)%corners], x), sub(a.polygon[(i+1)%corners], x)}
		v := a.velocity(i, at)
		if b.Radius != 0 { // b is rigid, so a is meshed
			m := &at.Rigids[b.Rigid]
			arm := sub(x, b.centre)
			r := elementary.Norm(arm)
			side := math.Copysign(1, b.Radius)
			gap, normal := float64(side*r)-b.Radius, r2.Vec{X: side * arm.X / r, Y: side * arm.Y / r}
			speed := elementary.Norm(sub(v, motion.Velocity(m.Velocity, m.Spin, arm)))
			c.asCorner[c.slot[a.Nodes[i]]].raise(c.cornerLoad(gap, speed, normal, beside, next))
			continue
		}
		for j, p := range b.polygon {
			k := (j + 1) % len(b.polygon)
			q := b.polygon[k]
			if !boundingbox.BoxOf(p, q).Grow(next.Farthest).Overlaps(boundingbox.Box{Min: x, Max: x}) {
				continue
			}
			d := sub(q, p)
			l := elementary.Norm(d)
			normal := r2.Vec{X: d.Y / l, Y: -d.X / l}
			u := elementary.Dot(sub(x, p), d) / (l * l)
			gap := elementary.Dot(sub(x, p), normal)
			if u < 0 || u > 1 {
				gap = distance(x, p, q)
			}
			u = min(max(u, 0), 1)
			speed := max(math.Abs(elementary.Dot(sub(v, b.velocity(j, at)), normal)), math.Abs(elementary.Dot(sub(v, b.velocity(k, at)), normal)))
			f := c.cornerLoad(gap, speed, normal, beside, next)
			if f.stiffness == 0 {
				continue
			}
			if a.Rigid < 0 {
				c.asCorner[c.slot[a.Nodes[i]]].raise(f)
			}
			if b.Rigid < 0 {
				c.loadCorner(b, j, f.scaled(1-u), speed)
				c.loadCorner(b, k, f.scaled(u), speed)
			}
		}
	}
}

// cornerLoad returns the load that a corner will bring to a side with an outward
// normal. gap [m] is the corner's distance from the side, speed [m/s] its speed of
// approach. beside are the edges to the adjacent corners.
func (c *Contact) cornerLoad(gap, speed float64, normal r2.Vec, beside [2]r2.Vec, next *StepPrediction) predictedLoad {
	reach := next.Reach(speed)
	if gap >= reach { // the other corner of an edge that approaches the side counts there
		return predictedLoad{}
	}
	stiff, damp := 0.0, 0.0
	for _, edge := range beside {
		rise := 0.5 * elementary.Dot(edge, normal) // of the gap on half of the edge
		length := math.Abs(0.5 * elementary.Cross(edge, normal))
		stiff += float64(length * within(gap, rise, reach, 2))
		damp += float64(length * within(gap, rise, reach, 1))
	}
	deep := max(0, -gap) + float64(2*speed*next.Step)
	k := float64(c.Law.K * c.Thickness * stiff * (1 + float64(c.Law.A*speed)))
	return predictedLoad{2 * k, 4 * c.Law.K * c.Law.A * c.Thickness * damp * deep, next.Loss(k, speed)}
}

// within returns the mean weight, to a power, of predicted contact points along a
// line. A weight is 1 at a gap of 0 and falls to 0 at the reach. The gap begins at
// gap and rises by rise [m].
func within(gap, rise, reach float64, power int) float64 {
	part := func(g float64, power int) float64 {
		p, one := 1.0, min(max(1-g/reach, 0), 1)
		for range power {
			p *= one
		}
		return p
	}
	if math.Abs(rise) < 1e-6*reach {
		return part(gap, power)
	}
	sum := func(g float64) float64 { // from a gap of 0 to g
		return float64(reach/float64(power+1)*(1-part(g, power+1))) + min(g, 0)
	}
	return (sum(gap+rise) - sum(gap)) / rise
}

// loadCorner adds to a corner its part of the load that others bring to the edges beside it
// at a speed [m/s], at most the load that its own halves of these edges would bring.
func (c *Contact) loadCorner(s *shape, corner int, f predictedLoad, speed float64) {
	slot, n := c.slot[s.Nodes[corner]], len(s.polygon)
	x := s.polygon[corner]
	half := 0.5 * (elementary.Norm(sub(s.polygon[(corner+n-1)%n], x)) + elementary.Norm(sub(s.polygon[(corner+1)%n], x)))
	b := &c.asEdgeEnd[slot]
	b.add(f)
	if most := float64(2*c.Law.K*c.Thickness*half) * (1 + float64(c.Law.A*speed)); b.stiffness > most {
		*b = b.scaled(most / b.stiffness)
	}
}

// velocity returns the velocity of a corner [m/s].
func (s *shape) velocity(corner int, at Scene) r2.Vec {
	if s.Rigid >= 0 {
		m := &at.Rigids[s.Rigid]
		return motion.Velocity(m.Velocity, m.Spin, sub(s.polygon[corner], m.Centre))
	}
	return at.V[s.Nodes[corner]]
}
