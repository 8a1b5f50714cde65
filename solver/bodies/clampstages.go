package bodies

import (
	"fdem/materials/elementary"
	"fdem/solver/nodes"
	"fdem/solver/system"
)

// Clamps that come and go. A clamp that is installed during a run keeps the angle between beam and
// triangles that it finds. Before, its node is a hinge with the beam's rotary inertia, which a clamp
// leaves out: that energy goes out as work. When it is taken out, its moment of then goes on as a couple
// on node and triangles and fades.

// clampState is the state of the clamps that come and go.
type clampState struct {
	system.Stages           // of all clamps
	turned        []float64 // rotation of a clamp's node against its triangles as it was installed [rad]
	left          []float64 // moment of its beam on a clamp as it is taken out [N m]
	holding       []bool
}

// begins tells what a clamp that is installed in this step has found: the angular velocity of its node.
type clampBegins struct {
	now  bool
	spin float64 // [rad/s]
}

// holdClamp makes the rotation of a clamp's node one that follows triangles.
func (k *Beams) holdClamp(c *clamp) {
	k.Inertia[c.node], k.InverseInertias[c.node], k.Clamped[c.node] = 0, 0, 1/c.inertia
}

// freeClamp gives the node its own inertia back.
func (k *Beams) freeClamp(c *clamp) {
	k.Inertia[c.node], k.InverseInertias[c.node], k.Clamped[c.node] = c.own, 1/c.own, 0
}

// stageClamps takes out the clamps whose time was over in the last step, and installs those whose time
// has come.
func (k *Beams) stageClamps() {
	s := &k.clampState
	for i := range k.clamps {
		c, of := &k.clamps[i], &k.Model.Clamps[i]
		c.begins = clampBegins{}
		if !of.Staged() {
			continue
		}
		if s.holding[i] && of.Until > 0 && k.Time-k.Last >= of.Until {
			s.holding[i] = false
			k.freeClamp(c)
			spin := k.Spin[c.node]
			s.Record(i, float64(0.5*c.own*spin*spin))
		}
		if !s.Due(i, k.Time) {
			continue
		}
		s.Install(i, 0, 0, 1)
		s.turned[i], s.holding[i] = -elementary.Atan2(c.fit(k.X, k.Theta[c.node])), true
		k.holdClamp(c)
		c.setSlopes(k.Field, k.Theta[c.node]-s.turned[i])
		c.begins = clampBegins{true, k.Spin[c.node]}
		k.Spin[c.node] = c.rate(k.Field)
	}
}

// rate returns the angular velocity of the triangles at a clamp, by its slopes [rad/s].
func (c *clamp) rate(f *nodes.Field) (sum float64) {
	for j, n := range c.near {
		g, v := c.slope[j], f.V[n]
		sum += float64(g.X*v.X) + float64(g.Y*v.Y)
	}
	return sum
}

// keepClamp keeps the moment on a clamp whose time is over, and records the work of one that begins: the
// moment does its work of the last half step on the node, and the node's energy is gone.
func (k *Beams) keepClamp(i int, moment float64) {
	c, of := &k.clamps[i], &k.Model.Clamps[i]
	if of.Until > 0 && k.Time >= of.Until {
		k.clampState.left[i] = moment
	}
	if w := c.begins.spin; c.begins.now {
		k.clampState.Record(i, float64(0.5*k.Last*moment*(c.rate(k.Field)-w))-float64(0.5*c.own*w*w))
	}
}

// fadeClamps adds the couples that clamps have left. With commit it records their work in the last step.
func (k *Beams) fadeClamps(commit bool) {
	s := &k.clampState
	for i := range k.clamps {
		if s.Choose(i, k.Time); s.holding[i] || !s.Lingers(i) {
			continue
		}
		c := &k.clamps[i]
		k.faceTriangles(c)
		m := float64(s.Now[i] * s.left[i])
		k.Moment[c.node] -= m
		for j, n := range c.near {
			k.F[n].X += float64(m * c.slope[j].X)
			k.F[n].Y += float64(m * c.slope[j].Y)
		}
		if commit {
			s.Spend(i, k.Last, float64(s.left[i]*(c.rate(k.Field)-k.Spin[c.node])))
		}
	}
}

// faceTriangles sets the slopes of a clamp that does not hold by the rotation of its triangles.
func (k *Beams) faceTriangles(c *clamp) {
	theta := k.Theta[c.node]
	c.setSlopes(k.Field, theta+elementary.Atan2(c.fit(k.X, theta)))
}

// clampParts lists the state of clamps that come and go.
func (k *Beams) clampParts() []system.Part {
	s := &k.clampState
	if !s.Staged() {
		return nil
	}
	return append(s.StateParts("clamp"), system.Part{Name: "clamp.holding", Values: &s.holding}, system.Part{Name: "clamp.turned", Values: s.turned}, system.Part{Name: "clamp.left", Values: s.left})
}
