package contactnodes

import (
	"math"

	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// A step must be made for the contacts that it leads into: one that was chosen
// for bodies that fly would take the first contact nodes deep into a stiff law
// at once, and energy would come from nothing. So contact nodes that may touch
// in the coming step add to stiffness and damping in full, and those that may
// touch n steps later as much as lets the step be 1/(1 - n/horizon) times as long:
// from as long as may be it comes down by 1/horizon of itself from one to the
// next, whatever it comes down to. A sudden change would leave vibrations with
// another energy. Those that touch are asked how stiff they will be.

const (
	horizon = 40 // steps until a touch from which on it counts
	soon    = 2  // steps that the law is asked to look ahead
)

// nearing bounds the way by which the contact element on an edge and the target may
// come nearer to each other in the coming step [m], from how fast their ends do
// along the normal of the target.
func (c *Contact) nearing(edge *mesh.Edge, t *target) float64 {
	o := &c.outline.Edges[t.edge]
	speed := func(n, m int32) float64 {
		w := sub(c.v[n], c.v[m])
		if t.radius != 0 {
			return math.Sqrt(elementary.Dot(w, w))
		}
		return math.Abs(elementary.Cross(t.along, w))
	}
	most := max(speed(edge.A, o.A), speed(edge.A, o.B), speed(edge.B, o.A), speed(edge.B, o.B))
	return min(c.outlook.Way, float64(2*most*c.outlook.Step)+float64(0.05*c.outlook.Way))
}

// Outlook is what the coming step may bring.
type Outlook struct {
	Way  float64 // by which two edges may come nearer [m]
	Step float64 // [s]
	// A contact node of stiffness k that touches at a speed v in the middle of a
	// step dt makes leapfrog lose k v^2 dt^2/12 of energy on the mean, until it
	// lets go again. Jolt is the sum of k v^2 over the greater of Energy and the
	// energy of the lighter body at Speed.
	Energy float64 // greatest energy of motion so far [J]
	Speed  float64 // of the fastest node of an outline [m/s]
}

// jolt returns the part of Jolt of a touch of stiffness k [N/m] at a speed v.
func (c *Contact) jolt(t *node, k, v float64) float64 {
	energy := c.outlook.Energy
	if speed2 := float64(c.outlook.Speed * c.outlook.Speed); c.Mass != nil && speed2 > 0 {
		energy = max(energy, 0.5*min(c.Mass[c.elements[t.element]], c.Mass[t.edge])*speed2)
	}
	if energy == 0 {
		return 0
	}
	return k * v * v / energy
}

// foresee adds the stiffness and the damping of the touches to come to out, and
// what a law that stiffens as nodes go deeper will add to that of the touches
// there are. It takes stock of the speeds, see Jolt. dt is the last step [s].
func (c *Contact) foresee(out Forces, x, v []r2.Vec, dt float64) {
	c.Jolt = 0
	c.Coming = len(c.coming)
	if dt == 0 { // at the start
		dt = c.outlook.Step
	}
	p := &c.packed
	for i := range c.touches[:c.Active] {
		t := &c.touches[i]
		c.Jolt += c.jolt(t, c.Friction.Stiffest(p.k[i])*c.area[t.element]*t.share, p.rate[i])
		if float64(soon*p.rate[i]*dt) > 0.05*t.deflection {
			c.coming = append(c.coming, *t)
		}
	}
	n, m := len(c.coming), c.memory
	if n == 0 {
		return
	}
	f := &c.future
	f.resize(n, m)
	for i := range c.coming {
		t := &c.coming[i]
		id := int(c.id(t))
		f.rate[i], t.slip = c.relative(t, x, v)
		f.d[i] = max(t.deflection+float64(soon*max(f.rate[i], 0)*dt), 1e-9*c.outline.Depth[t.edge])
		copy(f.mem[i*m:(i+1)*m], c.Memory[id*m:])
	}
	c.Law.Eval(contact.Input{D: f.d, Rate: f.rate, Mem: f.mem}, contact.Output{P: f.p, DP: f.dp, K: f.k, W: f.w, Mem: f.mem})
	now := 0 // touches are in the order of those among coming
	for i := range c.coming {
		t := &c.coming[i]
		area := c.area[t.element] * t.share
		k, r := c.Friction.Stiffest(f.k[i]), c.damping
		if i < c.Coming {
			k, r = k*t.slack*t.slack, r*t.slack
			c.Jolt += c.jolt(t, k*area, f.rate[i])
		} else {
			for c.id(&c.touches[now]) != c.id(t) {
				now++
			}
			k, r = f.k[i]-p.k[now], 0
		}
		if k > 0 || r > 0 {
			c.stiffen(out, t, 2*k*area, 2*r*area)
		}
	}
}

// stiffen adds the stiffness k [N/m] and the damping r [N s/m] of a contact
// node to the end nodes of both edges.
func (c *Contact) stiffen(out Forces, t *node, k, r float64) {
	edge, o := &c.outline.Edges[c.elements[t.element]], &c.outline.Edges[t.edge]
	nodes := &c.profiles[c.profile[t.element]]
	u := nodes.place[t.k]
	if nodes.hats != nil {
		u = nodes.hats[t.k].middle
	}
	add(out, edge.A, 1-u, 0, 0, k, r)
	add(out, edge.B, u, 0, 0, k, r)
	add(out, o.A, 1-t.t, 0, 0, k, r)
	add(out, o.B, t.t, 0, 0, k, r)
}
