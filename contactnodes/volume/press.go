package volume

import (
	"math"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/motion"
	"fdem/contactnodes/onnodes"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// coupling distributes the force of an overlap to a body: nodes with weights that
// add up to 1, their centre and the square of their radius of gyration.
type coupling struct {
	*shape
	nodes     []int32
	weight    []float64
	buffer    []int32 // room for nodes
	centre    r2.Vec
	gyration2 float64 // [m2]
	meanArm   float64 // mean distance of the nodes from the centre [m]
	velocity  r2.Vec  // of the body at centre, or of the nodes [m/s]
	spin      float64 // [rad/s]
}

// couple chooses the nodes for a contact point. For a rigid body all nodes of its
// outline have the same weight; only force and moment matter there. For a meshed
// component they are the nodes of the edges near the contact line, within its length.
func (g *coupling) couple(s *shape, t *ContactPatch, at Scene) {
	g.shape = s
	if s.Rigid >= 0 {
		g.nodes = s.Nodes
		g.weight = g.weight[:0]
		for range s.Nodes {
			g.weight = append(g.weight, 1/float64(len(s.Nodes)))
		}
	} else {
		g.buffer, g.weight = s.loadedNodes(t, g.buffer[:0], g.weight[:0])
		g.nodes = g.buffer
	}
	g.centre, g.gyration2, g.meanArm = r2.Vec{}, 0, 0
	for i, n := range g.nodes {
		x := at.X[n]
		g.centre.X += float64(g.weight[i] * x.X)
		g.centre.Y += float64(g.weight[i] * x.Y)
	}
	for i, n := range g.nodes {
		arm := sub(at.X[n], g.centre)
		arm2 := elementary.Dot(arm, arm)
		g.gyration2 += float64(g.weight[i] * arm2)
		g.meanArm += float64(g.weight[i] * math.Sqrt(arm2))
	}
	if s.Rigid >= 0 {
		m := &at.Rigids[s.Rigid]
		g.velocity = motion.Velocity(m.Velocity, m.Spin, sub(g.centre, m.Centre))
		g.spin = m.Spin
		return
	}
	g.velocity, g.spin = r2.Vec{}, 0
	for i, n := range g.nodes {
		v := at.V[n]
		g.velocity.X += float64(g.weight[i] * v.X)
		g.velocity.Y += float64(g.weight[i] * v.Y)
		g.spin += float64(g.weight[i] * elementary.Cross(sub(at.X[n], g.centre), v))
	}
	g.spin /= g.gyration2
}

// loadedNodes returns the nodes of a polygon's edges that carry a contact point, with their
// weights. A weight goes by the length of an edge within the contact line's span. Edges
// farther from the centroid than the overlap can be thick do not count.
func (s *shape) loadedNodes(t *ContactPatch, nodes []int32, weights []float64) ([]int32, []float64) {
	normal := t.Patch.Normal()
	half, thick := float64(0.5*t.Length), 4*t.Area/t.Length
	total := 0.0
	add := func(i int, w float64) {
		n := s.Nodes[i]
		if k := len(nodes) - 1; k >= 0 && nodes[k] == n {
			weights[k] += w
		} else if k >= 0 && nodes[0] == n {
			weights[0] += w
		} else {
			nodes, weights = append(nodes, n), append(weights, w)
		}
		total += w
	}
	nearest, gap := 0, math.Inf(1)
	for i, p := range s.polygon {
		k := (i + 1) % len(s.polygon)
		q := s.polygon[k]
		if d := distance(t.Centroid, p, q); d < gap {
			nearest, gap = i, d
		}
		a, b := elementary.Dot(sub(p, t.Centroid), t.Along), elementary.Dot(sub(q, t.Centroid), t.Along)
		if a == b {
			continue
		}
		lo, hi := (-half-a)/(b-a), (half-a)/(b-a)
		if lo > hi {
			lo, hi = hi, lo
		}
		lo, hi = max(lo, 0), min(hi, 1)
		if !(hi > lo) {
			continue
		}
		mid := float64(0.5 * (lo + hi))
		h := elementary.Dot(sub(p, t.Centroid), normal)
		h += float64(mid * (elementary.Dot(sub(q, t.Centroid), normal) - h))
		if math.Abs(h) > thick {
			continue
		}
		w := float64((hi - lo) * math.Abs(b-a))
		add(i, float64(w*(1-mid)))
		add(k, float64(w*mid))
	}
	if total == 0 {
		add(nearest, 0.5)
		add((nearest+1)%len(s.polygon), 0.5)
	}
	for i := range weights {
		weights[i] /= total
	}
	return nodes, weights
}

// distance returns the distance of a point from the edge between p and q.
func distance(x, p, q r2.Vec) float64 {
	d := sub(q, p)
	u := min(max(elementary.Dot(sub(x, p), d)/elementary.Dot(d, d), 0), 1)
	off := r2.Vec{X: x.X - p.X - float64(u*d.X), Y: x.Y - p.Y - float64(u*d.Y)}
	return math.Sqrt(elementary.Dot(off, off))
}

// velocityAt returns the velocity of the body at a point [m/s].
func (g *coupling) velocityAt(x r2.Vec) r2.Vec {
	return motion.Velocity(g.velocity, g.spin, sub(x, g.centre))
}

// mobilityAt returns the speed along u that a unit impulse along u at x gives
// to the body there [1/kg].
func (g *coupling) mobilityAt(x, u r2.Vec, at Scene) float64 {
	if g.Rigid >= 0 {
		m := &at.Rigids[g.Rigid]
		return m.Mobility(sub(x, m.Centre), u)
	}
	turn := elementary.Cross(sub(x, g.centre), u) / g.gyration2
	sum := 0.0
	for i, n := range g.nodes {
		arm, w := sub(at.X[n], g.centre), g.weight[i]
		fx, fy := float64(w*(u.X-float64(turn*arm.Y))), float64(w*(u.Y+float64(turn*arm.X)))
		inverse := at.Masses.Inverse(n)
		sum += float64(fx*fx*inverse.X) + float64(fy*fy*inverse.Y)
	}
	return sum
}

// addPatchForces evaluates one contact point and adds its forces to both
// bodies.
func (c *Contact) addPatchForces(out onnodes.Forces, t *ContactPatch, at Scene, dt float64) {
	c.a.couple(&c.shapes[t.A], t, at)
	c.b.couple(&c.shapes[t.B], t, at)
	normal := t.Patch.Normal()
	slide := sub(c.a.velocityAt(t.Centroid), c.b.velocityAt(t.Centroid))
	approach, slip := -elementary.Dot(slide, normal), elementary.Dot(slide, t.Along)
	volume := t.Area * c.Thickness
	t.Normal = c.Law.Force(volume, approach)
	t.Torque = c.Law.RollingTorque(t.J*c.Thickness, approach, c.a.spin-c.b.spin)
	// Friction brakes and never drives: it stops no slip within one step.
	mobility := c.a.mobilityAt(t.Centroid, t.Along, at) + c.b.mobilityAt(t.Centroid, t.Along, at)
	var speeds coulomb.Speeds
	t.Friction, speeds = c.Friction.Regularised(t.Normal, slip, float64(c.Friction.Kinetic*t.Normal*dt*mobility))
	c.Speeds.Raise(speeds)
	t.Pressure = t.Normal / (t.Length * c.Thickness)
	c.PeakPressure = max(c.PeakPressure, t.Pressure)
	c.Normal += t.Normal
	c.Tangential += t.Friction
	c.Stored += float64(c.Law.K * t.Energy * c.Thickness)

	push := r2.Vec{X: t.Normal * normal.X, Y: t.Normal * normal.Y}
	drag := r2.Vec{X: t.Friction * t.Along.X, Y: t.Friction * t.Along.Y}
	k := c.Law.K
	bound := bounds{
		stiffness: 2 * k * t.Length * c.Thickness * max(1, 1+float64(c.Law.A*approach)),
		damping:   2 * k * c.Law.A * volume,
		torque:    2 * k * c.Law.A * t.J * c.Thickness,
	}
	c.distribute(out, &c.a, t, push, drag, t.Torque, bound, at)
	c.distribute(out, &c.b, t, r2.Vec{X: -push.X, Y: -push.Y}, r2.Vec{X: -drag.X, Y: -drag.Y}, -t.Torque, bound, at)
}

// bounds are a contact point's contributions to the stiffness and damping
// matrices.
type bounds struct {
	stiffness, damping float64 // [N/m], [N s/m]
	torque             float64 // [N m s]
}

// distribute adds the normal force, friction and rolling torque to a body's
// nodes, and keeps them for the ledger.
func (c *Contact) distribute(out onnodes.Forces, g *coupling, t *ContactPatch, push, drag r2.Vec, torque float64, b bounds, at Scene) {
	arm := sub(t.Centroid, g.centre)
	turn := (elementary.Cross(arm, push) + torque) / g.gyration2
	turnDrag := elementary.Cross(arm, drag) / g.gyration2
	if g.Rigid >= 0 {
		arm := sub(t.Centroid, at.Rigids[g.Rigid].Centre)
		c.keepForces(len(c.nodes)+int(g.Rigid), push, drag, elementary.Cross(arm, push)+torque, elementary.Cross(arm, drag))
	}
	for i, n := range g.nodes {
		w, r := g.weight[i], sub(at.X[n], g.centre)
		p := r2.Vec{X: float64(w * (push.X - float64(turn*r.Y))), Y: float64(w * (push.Y + float64(turn*r.X)))}
		d := r2.Vec{X: float64(w * (drag.X - float64(turnDrag*r.Y))), Y: float64(w * (drag.Y + float64(turnDrag*r.X)))}
		on := out.On(n)
		on.F.X += p.X + d.X
		on.F.Y += p.Y + d.Y
		stiff, damp := float64(w*b.stiffness), float64(w*(b.damping+float64(b.torque*elementary.Norm(r)/g.gyration2*g.meanArm/g.gyration2)))
		on.Stiffness += stiff
		on.Damping += damp
		if g.Rigid < 0 {
			c.keepForces(int(c.slot[n]), p, d, 0, 0)
			c.load[c.slot[n]].add(predictedLoad{stiffness: stiff, damping: damp})
		}
	}
}

func (c *Contact) keepForces(slot int, push, drag r2.Vec, moment, dragMoment float64) {
	c.NormalForce[slot].X += push.X
	c.NormalForce[slot].Y += push.Y
	c.FrictionForce[slot].X += drag.X
	c.FrictionForce[slot].Y += drag.Y
	c.NormalMoment[slot] += moment
	c.FrictionMoment[slot] += dragMoment
}
