package contactnodes

import (
	"fmt"
	"math"
	"slices"

	"fdem/boundingbox"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// State is what a contact remembers from step to step, one value per contact
// node (contact element after contact element) unless said otherwise. It is
// part of a checkpoint.
type State struct {
	Memory       []float64 // the law's memory, len(Law.Memory()) values per contact node
	Deflection   []float64 // [m], 0 where the node does not touch
	Pressure     []float64 // [Pa]
	Traction     []float64 // friction on the contactor along the opposite edge [Pa]
	Stretch      []float64 // of the stick spring along the opposite edge [m]; stick springs only
	Slides       []bool    // the stick spring has let go; stick springs only
	PeakPressure []float64 // greatest pressure so far [Pa]
	NormalWork   float64   // done against the pressure so far, of the whole contact [J]
	FrictionWork float64   // done against friction so far, of the whole contact [J]
	SpringEnergy float64   // in the stick springs now, of the whole contact [J]
}

// Config describes one contact surface.
type Config struct {
	Name      string
	Contactor []int32 // boundary edges that carry contact nodes, ascending
	Opposite  []int32 // boundary edges they may touch, ascending
	Law       contact.Law
	Nodes     int     // contact nodes per contact element
	Share     float64 // part of the area this surface stands for: 1, or 1/2 when the other side carries nodes too
	Thickness float64 // [m]
	Friction  Friction
}

// Contact is one surface with contact nodes. State changes in AddForces only.
type Contact struct {
	Config
	State

	Normal     float64 // sum of the normal forces of the last evaluation [N]
	Tangential float64 // sum of the friction forces of the last evaluation, along the opposite edges [N]
	Stored     float64 // recoverable energy of the last evaluation [J]
	Active     int     // contact nodes touching at the last evaluation

	outline  *Outline
	element  []int32   // per boundary edge: its contact element, -1 for none
	opposite []bool    // per boundary edge
	area     []float64 // of each contact node, per contact element [m2]
	place    []float64 // of each contact node along its contact element, 0...1
	memory   int       // values of memory per contact node
	invMass  []float64 // per mesh node [1/kg]

	// Candidates of contact element e: candidate[first[e]:first[e+1]],
	// ascending, from the broad phase's list number build.
	first     []int32
	candidate []int32
	fill      []int32
	build     int

	touches []node  // of this evaluation, contact element after contact element
	best    []touch // per contact node of one contact element
	nearest []touch
	packed  packed
	touched []int32 // contact nodes that were touching at the last evaluation
}

// node is a contact node that touches, or has just let go (deflection 0).
type node struct {
	touch
	element int32 // contact element: index into Contactor
	k       int32 // contact node of the element
	slip    float64
}

// packed holds the touching contact nodes side by side for the law.
type packed struct{ d, rate, mem, p, dp, k, w []float64 }

func (p *packed) resize(n, memory int) {
	for _, s := range []*[]float64{&p.d, &p.rate, &p.p, &p.dp, &p.k, &p.w} {
		*s = slices.Grow((*s)[:0], n)[:n]
	}
	p.mem = slices.Grow(p.mem[:0], n*memory)[:n*memory]
}

// New makes the contact nodes of a surface on the reference positions x. The
// inverse mass per mesh node bounds what friction may do in one step.
func New(c Config, o *Outline, x []r2.Vec, invMass []float64) *Contact {
	n := len(c.Contactor) * c.Nodes
	memory := len(c.Law.Memory())
	s := &Contact{
		Config: c,
		State: State{
			Memory:       make([]float64, n*memory),
			Deflection:   make([]float64, n),
			Pressure:     make([]float64, n),
			Traction:     make([]float64, n),
			PeakPressure: make([]float64, n),
		},
		outline:  o,
		element:  make([]int32, len(o.Edges)),
		opposite: make([]bool, len(o.Edges)),
		area:     make([]float64, len(c.Contactor)),
		place:    make([]float64, c.Nodes),
		memory:   memory,
		invMass:  invMass,
		first:    make([]int32, len(c.Contactor)+1),
		build:    -1,
		best:     make([]touch, c.Nodes),
		nearest:  make([]touch, c.Nodes),
	}
	if c.Friction.Stiffness > 0 {
		s.Stretch, s.Slides = make([]float64, n), make([]bool, n)
	}
	for i := range s.element {
		s.element[i] = -1
	}
	for i, e := range c.Contactor {
		s.element[e] = int32(i)
	}
	for _, e := range c.Opposite {
		s.opposite[e] = true
	}
	for i, e := range c.Contactor {
		edge := o.Edges[e]
		s.area[i] = distance(x[edge.A], x[edge.B]) * c.Thickness * c.Share / float64(c.Nodes)
	}
	for k := range s.place {
		s.place[k] = (float64(k) + 0.5) / float64(c.Nodes)
	}
	return s
}

// Forces is where contacts leave their answer, one value per mesh node.
type Forces struct {
	F []r2.Vec // contact force [N]
	// Stiffness bounds the contact's share of the highest frequency: the sum
	// of each row of its stiffness matrix, without signs [N/m].
	Stiffness []float64
}

// AddForces finds the touching contact nodes at positions x, evaluates the
// law and friction, and adds the forces to out. v are the velocities with
// which the nodes arrived at x during the last dt; pairs are the broad
// phase's candidates.
func (c *Contact) AddForces(out Forces, x, v []r2.Vec, pairs *boundingbox.Pairs, dt float64) error {
	if pairs.Build != c.build {
		c.adopt(pairs)
	}
	if err := c.find(x); err != nil {
		return err
	}
	c.press(v)
	c.push(out, v, dt)
	return nil
}

// adopt sorts the broad phase's pairs by contact element.
func (c *Contact) adopt(pairs *boundingbox.Pairs) {
	c.build = pairs.Build
	clear(c.first)
	each := func(visit func(element, edge int32)) {
		for _, p := range pairs.List {
			if e := c.element[p.I]; e >= 0 && c.opposite[p.J] {
				visit(e, p.J)
			}
			if e := c.element[p.J]; e >= 0 && c.opposite[p.I] {
				visit(e, p.I)
			}
		}
	}
	each(func(e, _ int32) { c.first[e+1]++ })
	for e := range c.Contactor {
		c.first[e+1] += c.first[e]
	}
	total := int(c.first[len(c.Contactor)])
	c.candidate = slices.Grow(c.candidate[:0], total)[:total]
	c.fill = append(c.fill[:0], c.first...)
	each(func(e, edge int32) {
		c.candidate[c.fill[e]] = edge
		c.fill[e]++
	})
	for e := range c.Contactor {
		slices.Sort(c.candidate[c.first[e]:c.first[e+1]])
	}
}

// DepthError reports a contact node deeper in a body than contact can follow.
type DepthError struct {
	Contact    string
	Place      r2.Vec
	Deflection float64 // [m]
	Limit      float64 // [m]
}

func (e *DepthError) Error() string {
	return fmt.Sprintf("contact %q: a contact node at (%.6g, %.6g) m is %.3g m deep, more than the %.3g m that the elements under it allow: stiffen the law, refine the step or coarsen the surface",
		e.Contact, e.Place.X, e.Place.Y, e.Deflection, e.Limit)
}

// deepest is the part of an edge's Depth that a deflection may use up.
const deepest = 0.8

// find fills touches with the contact nodes that touch at x, in the order
// contact element, contact node.
func (c *Contact) find(x []r2.Vec) error {
	c.touches = c.touches[:0]
	for e := range c.Contactor {
		lo, hi := c.first[e], c.first[e+1]
		if lo == hi {
			continue
		}
		edge := &c.outline.Edges[c.Contactor[e]]
		a, b := x[edge.A], x[edge.B]
		box := boundingbox.BoxOf(a, b)
		clear(c.best)
		found := false
		for lo < hi {
			body := c.outline.Edges[c.candidate[lo]].Body
			end := lo
			for end < hi && c.outline.Edges[c.candidate[end]].Body == body {
				end++
			}
			if c.body(c.candidate[lo:end], box, a, b, x) {
				found = true
				for k := range c.best {
					if c.nearest[k].deflection > c.best[k].deflection {
						c.best[k] = c.nearest[k]
					}
				}
			}
			lo = end
		}
		if !found {
			continue
		}
		for k := range c.best {
			t := &c.best[k]
			if t.deflection == 0 {
				continue
			}
			if limit := deepest * c.outline.Depth[t.edge]; t.deflection > limit {
				return &DepthError{c.Name, between(a, b, c.place[k]), t.deflection, limit}
			}
			c.touches = append(c.touches, node{touch: *t, element: int32(e), k: int32(k)})
		}
	}
	return nil
}

// body fills nearest with the touches of the contact element from a to b with
// one opposite body, whose candidate edges are given; false if there are none.
func (c *Contact) body(candidates []int32, box boundingbox.Box, a, b r2.Vec, x []r2.Vec) bool {
	found := false
	for _, i := range candidates {
		o := &c.outline.Edges[i]
		if !box.Overlaps(boundingbox.BoxOf(x[o.A], x[o.B]).Grow(c.outline.Depth[i])) {
			continue
		}
		t := c.outline.aim(i, x)
		k0, k1 := t.reaches(a, b, c.Nodes)
		for k := k0; k < k1; k++ {
			n := t.at(between(a, b, c.place[k]))
			if n.deflection == 0 {
				continue
			}
			if !found {
				clear(c.nearest)
				found = true
			}
			if old := c.nearest[k].deflection; old == 0 || n.deflection < old {
				c.nearest[k] = n
			}
		}
	}
	return found
}

// press evaluates the law for every touching contact node, and for those that
// have let go since the last evaluation, at deflection zero, so that their
// memory learns of it.
func (c *Contact) press(v []r2.Vec) {
	c.Active = len(c.touches)
	now := 0
	for _, id := range c.touched {
		for now < c.Active && c.id(&c.touches[now]) < id {
			now++
		}
		if now == c.Active || c.id(&c.touches[now]) != id { // let go
			c.touches = append(c.touches, node{element: id / int32(c.Nodes), k: id % int32(c.Nodes)})
		}
	}
	m := c.memory
	p := &c.packed
	p.resize(len(c.touches), m)
	for i := range c.touches {
		t := &c.touches[i]
		id := int(c.id(t))
		p.d[i], p.rate[i] = t.deflection, 0
		if t.deflection > 0 {
			p.rate[i], t.slip = c.relative(t, v)
		}
		copy(p.mem[i*m:(i+1)*m], c.Memory[id*m:])
	}
	c.Law.Eval(contact.Input{D: p.d, Rate: p.rate, Mem: p.mem}, contact.Output{P: p.p, DP: p.dp, K: p.k, W: p.w, Mem: p.mem})
	for i := range c.touches {
		id := int(c.id(&c.touches[i]))
		copy(c.Memory[id*m:(id+1)*m], p.mem[i*m:])
	}
}

// id returns the number of a contact node within the contact.
func (c *Contact) id(t *node) int32 { return t.element*int32(c.Nodes) + t.k }

// relative returns the deflection rate of a touching contact node and its slip
// speed along the opposite edge. It slips past the point of the opposite body
// that is where it is itself: the edge carries that point as it turns.
func (c *Contact) relative(t *node, v []r2.Vec) (rate, slip float64) {
	e := &c.outline.Edges[c.Contactor[t.element]]
	o := &c.outline.Edges[t.edge]
	w := sub(between(v[e.A], v[e.B], c.place[t.k]), between(v[o.A], v[o.B], t.t))
	turn := dot(sub(v[o.B], v[o.A]), t.swing)
	return dot(t.in, w), cross(w, t.in) + float64(turn*t.deflection)
}

// push adds normal and friction forces to the end nodes of both edges and
// keeps the books: the work done against the pressure and the heat of
// friction, by the trapezoidal rule over the last step, which is the rule
// under which leapfrog keeps energy.
func (c *Contact) push(out Forces, v []r2.Vec, dt float64) {
	c.Normal, c.Tangential, c.Stored = 0, 0, 0
	c.touched = c.touched[:0]
	p := &c.packed
	for lo := 0; lo < len(c.touches); {
		element := c.touches[lo].element
		hi := lo
		load := 0.0
		for hi < len(c.touches) && c.touches[hi].element == element {
			load += p.p[hi]
			hi++
		}
		area := c.area[element]
		edge := &c.outline.Edges[c.Contactor[element]]
		for i := lo; i < hi; i++ {
			t := &c.touches[i]
			id := c.id(t)
			pressure := p.p[i]
			traction := 0.0
			if t.deflection > 0 {
				c.touched = append(c.touched, id)
				o := &c.outline.Edges[t.edge]
				if c.Friction.Stiffness > 0 {
					traction = c.hold(id, pressure, t.slip*dt)
				} else {
					mobility := max(c.invMass[edge.A], c.invMass[edge.B]) + max(c.invMass[o.A], c.invMass[o.B])
					traction = c.Friction.regularised(pressure, t.slip, load*area*dt/c.Share, mobility)
				}
				u, s := c.place[t.k], t.t
				n := float64(pressure * area)
				f := float64(traction * area)
				// along = in turned right by 90 degrees
				fx := float64(f*t.in.Y) - float64(n*t.in.X)
				fy := -float64(f*t.in.X) - float64(n*t.in.Y)
				k := 2 * (p.k[i] + c.Friction.Stiffness) * area
				add(out, edge.A, 1-u, fx, fy, k)
				add(out, edge.B, u, fx, fy, k)
				add(out, o.A, 1-s, -fx, -fy, k)
				add(out, o.B, s, -fx, -fy, k)
				// friction acts where the contact node is, not at the edge:
				// the couple keeps angular momentum
				couple := f * t.deflection
				add(out, o.A, -couple, t.swing.X, t.swing.Y, 0)
				add(out, o.B, couple, t.swing.X, t.swing.Y, 0)
				c.Normal += n
				c.Tangential += f
			} else if c.Friction.Stiffness > 0 {
				c.hold(id, 0, 0)
			}
			c.Stored += float64(p.w[i] * area)
			c.NormalWork += float64(0.5 * (pressure + c.Pressure[id]) * (t.deflection - c.Deflection[id]) * area)
			c.FrictionWork -= float64(0.5 * (traction + c.Traction[id]) * t.slip * dt * area)
			c.Deflection[id], c.Pressure[id], c.Traction[id] = t.deflection, pressure, traction
			c.PeakPressure[id] = max(c.PeakPressure[id], pressure)
		}
		lo = hi
	}
}

// add gives the share w of the force (fx, fy) to a mesh node.
func add(out Forces, n int32, w, fx, fy, k float64) {
	f := &out.F[n]
	f.X += float64(w * fx)
	f.Y += float64(w * fy)
	out.Stiffness[n] += float64(w * k)
}

// hold moves a contact node's stick spring on by one step's slip [m] and
// returns the traction [Pa]; without pressure the spring goes slack.
func (c *Contact) hold(id int32, pressure, slip float64) float64 {
	f := &c.Friction
	before := c.Stretch[id]
	traction, stretch, slides := f.stick(pressure, before, slip, c.Slides[id])
	c.Stretch[id], c.Slides[id] = stretch, slides
	area := c.area[id/int32(c.Nodes)]
	c.SpringEnergy += float64(0.5 * f.Stiffness * (float64(stretch*stretch) - float64(before*before)) * area)
	return traction
}

// Dissipated returns the energy the law has turned to heat so far [J].
func (c *Contact) Dissipated() float64 { return c.NormalWork - c.Stored }

// FrictionLoss returns the energy friction has turned to heat so far [J].
func (c *Contact) FrictionLoss() float64 { return c.FrictionWork - c.SpringEnergy }

// Peak returns the greatest pressure any contact node has borne [Pa].
func (c *Contact) Peak() float64 {
	peak := 0.0
	for _, p := range c.PeakPressure {
		peak = math.Max(peak, p)
	}
	return peak
}

// Overlap returns how many contact nodes lie deeper than tolerance times
// their edge's Depth, and the greatest deflection [m].
func (c *Contact) Overlap(tolerance float64) (nodes int, deepest float64) {
	for i := range c.touches {
		t := &c.touches[i]
		if t.deflection > tolerance*c.outline.Depth[t.edge] {
			nodes++
			deepest = max(deepest, t.deflection)
		}
	}
	return nodes, deepest
}

// Positions appends the places of all contact nodes for node positions x.
func (c *Contact) Positions(out, x []r2.Vec) []r2.Vec {
	for _, i := range c.Contactor {
		e := c.outline.Edges[i]
		for _, u := range c.place {
			out = append(out, between(x[e.A], x[e.B], u))
		}
	}
	return out
}

// Normals appends the outward unit normal of the contact element under every
// contact node for node positions x.
func (c *Contact) Normals(out, x []r2.Vec) []r2.Vec {
	for _, i := range c.Contactor {
		e := c.outline.Edges[i]
		d := direction(x[e.A], x[e.B])
		for range c.place {
			out = append(out, r2.Vec{X: d.Y, Y: -d.X})
		}
	}
	return out
}

// Remembered returns one of the law's memory values for every contact node;
// zeros where the law does not keep it.
func (c *Contact) Remembered(name string) []float64 {
	out := make([]float64, len(c.Pressure))
	for i, n := range c.Law.Memory() {
		if n != name {
			continue
		}
		for k := range out {
			out[k] = c.Memory[k*c.memory+i]
		}
	}
	return out
}
