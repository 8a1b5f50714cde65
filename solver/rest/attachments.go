package rest

import (
	"fdem/contactnodes/motion"
	"fdem/materials/elementary"
	"fdem/solver/forces"

	"gonum.org/v1/gonum/spatial/r2"
)

// attachments returns how components are held, by their first nodes.
func (k *RestFinder) attachments(p *components) []forces.Attachment {
	connected, out := p.components, make([]forces.Attachment, len(p.node))
	for n, mass := range p.mass {
		t, x := &out[connected[n]], k.X[k.Mesh.PositionNode(p.node[n])]
		if mass > 0 && p.held[n]&motion.HeldX != 0 {
			t.X.Add(x.Y)
		}
		if mass > 0 && p.held[n]&motion.HeldY != 0 {
			t.Y.Add(x.X)
		}
	}
	for _, f := range k.Model.Fixes {
		if f.From > 0 {
			continue
		}
		for _, n := range f.Nodes {
			out[connected[n]].Clamps = out[connected[n]].Clamps || f.Rotation
		}
	}
	for _, d := range k.Model.Drives {
		for _, n := range d.Nodes {
			out[connected[n]].Clamps = out[connected[n]].Clamps || d.Rotation
		}
	}
	return out
}

// released returns components as rigid bodies without contact, by their first nodes.
func (k *RestFinder) released(p *components, held []bool, attachments []forces.Attachment) []restComponent {
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
	for i := range k.rigids.List {
		r := &k.rigids.List[i]
		t := &out[connected[r.Nodes[0]]]
		t.mass, t.inertia, t.centre, t.reach = r.Mass, r.Inertia, r.Rigid.Centre, r.Far
	}
	for n := range out {
		t := &out[n]
		if !(t.mass > 0 && t.inertia > 0) || held[n] {
			continue
		}
		if pin, hangs := attachments[n].Pin(); hangs {
			d := r2.Sub(t.centre, pin)
			t.centre, t.reach = pin, t.reach+elementary.Norm(d)
			t.turning = 1 / (t.inertia + float64(t.mass*elementary.Dot(d, d)))
			t.angular = float64(float64(t.mass*elementary.Cross(d, k.Motion.Gravity)) * t.turning)
			continue
		}
		t.inverse, t.turning, t.acceleration = r2.Vec{X: 1 / t.mass, Y: 1 / t.mass}, 1/t.inertia, k.Motion.Gravity
		if attachments[n].Slides() {
			t.turning = 0
		}
		if attachments[n].X.Any {
			t.inverse.X, t.acceleration.X = 0, 0
		}
		if attachments[n].Y.Any {
			t.inverse.Y, t.acceleration.Y = 0, 0
		}
	}
	return out
}
