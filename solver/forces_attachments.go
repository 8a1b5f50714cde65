package solver

import (
	"fdem/contactnodes/motion"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// attachment describes how a component is held: the range of y of its nodes that are held along
// x, and the range of x of those held along y [m].
type attachment struct {
	x, y   span
	clamps bool // a node cannot rotate
}

// span is the range of some numbers.
type span struct {
	low, high float64
	any       bool
}

func (s *span) add(v float64) {
	if !s.any {
		s.low, s.high, s.any = v, v, true
	}
	s.low, s.high = min(s.low, v), max(s.high, v)
}

// wide tells whether nodes at two positions are held, so that the component does not rotate.
func (s *span) wide() bool { return s.any && s.low < s.high }

// rotates tells whether a component is free to rotate.
func (t *attachment) rotates() bool { return !t.x.wide() && !t.y.wide() && !t.clamps }

// pin returns the position about which a component rotates.
func (t *attachment) pin() (r2.Vec, bool) {
	return r2.Vec{X: t.y.low, Y: t.x.low}, t.x.any && t.y.any && t.rotates()
}

// slides tells whether a component can move along one axis only.
func (t *attachment) slides() bool { return t.x.any != t.y.any && !t.rotates() }

// holds tells whether a component cannot move. A component that can both rotate and slide counts
// as held.
func (t *attachment) holds() bool {
	_, hangs := t.pin()
	return (t.x.any || t.y.any || t.clamps) && !hangs && !t.slides()
}

// attachments returns how components are held, by their first nodes.
func (k *restFinder) attachments(p *components) []attachment {
	connected, out := p.components, make([]attachment, len(p.node))
	for n, mass := range p.mass {
		t, x := &out[connected[n]], k.X[k.Mesh.PositionNode(p.node[n])]
		if mass > 0 && p.held[n]&motion.HeldX != 0 {
			t.x.add(x.Y)
		}
		if mass > 0 && p.held[n]&motion.HeldY != 0 {
			t.y.add(x.X)
		}
	}
	for _, f := range k.Model.Fixes {
		for _, n := range f.Nodes {
			out[connected[n]].clamps = out[connected[n]].clamps || f.Rotation
		}
	}
	for _, d := range k.Model.Drives {
		for _, n := range d.Nodes {
			out[connected[n]].clamps = out[connected[n]].clamps || d.Rotation
		}
	}
	return out
}

// released returns components as rigid bodies without contact, by their first nodes.
func (k *restFinder) released(p *components, held []bool, attachments []attachment) []restComponent {
	connected, out := p.components, make([]restComponent, len(p.node))
	for n, mass := range p.mass {
		t := &out[connected[n]]
		t.mass += mass
		t.centre = elementary.Along(t.centre, p.position(k, n), mass)
	}
	for n := range out {
		if t := &out[n]; t.mass > 0 {
			t.centre = r2.Scale(1/t.mass, t.centre)
		}
	}
	for n, mass := range p.mass {
		t := &out[connected[n]]
		d := r2.Sub(p.position(k, n), t.centre)
		t.inertia += float64(mass * elementary.Dot(d, d))
		t.reach = max(t.reach, elementary.Norm(d))
	}
	for i := range k.rigids.list {
		r := &k.rigids.list[i]
		t := &out[connected[r.nodes[0]]]
		t.mass, t.inertia, t.centre, t.reach = r.Mass, r.Inertia, r.Rigid.Centre, r.far
	}
	for n := range out {
		t := &out[n]
		if !(t.mass > 0 && t.inertia > 0) || held[n] {
			continue
		}
		if pin, hangs := attachments[n].pin(); hangs {
			d := r2.Sub(t.centre, pin)
			t.centre, t.reach = pin, t.reach+elementary.Norm(d)
			t.turning = 1 / (t.inertia + float64(t.mass*elementary.Dot(d, d)))
			t.angular = float64(float64(t.mass*elementary.Cross(d, k.Motion.Gravity)) * t.turning)
			continue
		}
		t.inverse, t.turning, t.acceleration = r2.Vec{X: 1 / t.mass, Y: 1 / t.mass}, 1/t.inertia, k.Motion.Gravity
		if attachments[n].slides() {
			t.turning = 0
		}
		if attachments[n].x.any {
			t.inverse.X, t.acceleration.X = 0, 0
		}
		if attachments[n].y.any {
			t.inverse.Y, t.acceleration.Y = 0, 0
		}
	}
	return out
}
