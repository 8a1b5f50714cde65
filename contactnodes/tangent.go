package contactnodes

import (
	"fdem/boundingbox"

	"gonum.org/v1/gonum/spatial/r2"
)

// A static solver tries positions until the forces balance: Try evaluates a
// contact as AddForces does and leaves its state alone, Springs gives the
// tangent of the last evaluation. The increment that is taken in the end goes
// through AddForces.

// Try finds the touching contact nodes at positions x, evaluates the law and
// friction from the memory of the last step, and adds the forces to out. v are
// the velocities that lead to x at time t within dt.
func (c *Contact) Try(out Forces, x, v []r2.Vec, pairs *boundingbox.Pairs, t, dt float64) error {
	if pairs.Build != c.build {
		c.adopt(pairs)
	}
	if err := c.find(x); err != nil {
		return err
	}
	c.subtract(t, dt)
	c.press(x, v)
	c.push(out, x, dt)
	return nil
}

// Spring is the tangent of one contact node along one direction: the stiffness
// matrix K g g^T, with g the change of its deflection, or of its slip, with the
// places of four mesh nodes.
type Spring struct {
	Nodes [4]int32  // ends of the contact element, then of the opposite edge
	G     [4]r2.Vec // [-]
	K     float64   // [N/m]
}

// Springs appends the tangents of the contact nodes that touched at the last
// evaluation, which was at x: one of the law each, and one of the stick spring
// where it holds. The terms with the pressure itself, from the turning of the
// edges, are left out: they are smaller by pressure over tangent and edge
// length.
func (c *Contact) Springs(out []Spring, x []r2.Vec) []Spring {
	p := &c.packed
	for i := range c.touches {
		t := &c.touches[i]
		if t.deflection == 0 {
			continue
		}
		area := c.area[t.element] * t.share
		if k := p.dp[i] * area; k > 0 {
			out = append(out, c.spring(t, x, t.in, 0, k))
		}
		if c.Friction.Stiffness > 0 && !t.slides && p.p[i] > 0 {
			out = append(out, c.spring(t, x, r2.Vec{X: t.in.Y, Y: -t.in.X}, t.lever, c.Friction.Stiffness*area))
		}
	}
	return out
}

// spring returns the spring of a contact node along a unit vector; lever is the
// arm with which the turning of the opposite edge moves it that way.
func (c *Contact) spring(t *node, x []r2.Vec, along r2.Vec, lever, k float64) Spring {
	edge, o := &c.outline.Edges[c.elements[t.element]], &c.outline.Edges[t.edge]
	nodes := &c.profiles[c.profile[t.element]]
	u, s := nodes.place[t.k], t.t
	part := func(w float64) r2.Vec { return r2.Vec{X: float64(w * along.X), Y: float64(w * along.Y)} }
	g := [4]r2.Vec{part(1 - u), part(u), part(s - 1), part(-s)}
	turn := func(i int, by r2.Vec, arm float64) { // the nodes i and i+1 turn an arm
		g[i].X -= float64(arm * by.X)
		g[i].Y -= float64(arm * by.Y)
		g[i+1].X += float64(arm * by.X)
		g[i+1].Y += float64(arm * by.Y)
	}
	turn(2, t.swing, lever)
	if nodes.height != nil {
		_, off := nodes.point(x[edge.A], x[edge.B], int(t.k))
		turn(0, swing(x[edge.A], x[edge.B]), float64(along.Y*off.X)-float64(along.X*off.Y))
	}
	return Spring{[4]int32{edge.A, edge.B, o.A, o.B}, g, k}
}
