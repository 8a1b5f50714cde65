package solver

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/contactnodes/motion"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Putting weight on smoothly (a ramped gravity load). What lies on something at
// the start would be let go there with all of its weight at once. Nothing damped,
// it would then swing between none and twice that for ever, and where friction
// holds it, work itself loose whenever it is light. So a load bears its weight at
// first and lets it down, within a few of the times that sound takes along what
// lies on one another: from then on there is nothing but its weight. What slides off
// at once gets its weight at once, so that its way is that of the books.

// Laid is what lies on something at the start.
type Laid struct {
	Things int     // connected pieces and rigid bodies that lie on something
	Within float64 // time after which they have all of their weight [s]
}

const (
	// touchGap is how far apart what touches at the start may be, over the depth of
	// the shallowest edge.
	touchGap = 1e-3
	// layingPasses is in how many times that sound takes along what lies weight comes:
	// three periods of its slowest vibration along, of which a hundredth is left then.
	layingPasses = 12
	// roundedOverlap is up to where an overlap may come of digits, over the depth of an edge.
	roundedOverlap = 1e-6
	// rigidSound stands for the speed of sound of rigid bodies [m/s].
	rigidSound = 300
)

// layDown makes the load that bears the weight of what lies on something, at rest,
// in a model whose gravity has no schedule.
func (s *Solver) layDown() {
	if s.gravity == (r2.Vec{}) || s.GravitySchedule != nil || len(s.InitialStresses) > 0 || len(s.Surfaces) == 0 && !s.Fracture.parted() {
		return
	}
	p := s.solidPieces()
	laid, stacks := s.restingOn(p)
	if laid == nil {
		return
	}
	for n, first := range p.things {
		if laid[n] && first == int32(n) {
			s.loads.laid.Things++
		}
	}
	p.layJointed(laid, stacks, elementary.Norm(s.gravity))
	const own = 0 // place of the load of the stacks without overlaps
	ramps, of := []float64{own}, s.overlapRamps(p, stacks, laid)
	for n := range p.things {
		if ramp := of[n]; ramp > 0 && !slices.Contains(ramps, ramp) {
			ramps = append(ramps, ramp)
		}
	}
	down := make([]*Load, len(ramps))
	add := func(thing, n int32, mass float64, moves r2.Vec) {
		if laid[thing] {
			l := &down[slices.Index(ramps, of[stacks[thing]])]
			if *l == nil {
				*l = &Load{On: "what is laid down"}
			}
			(*l).Nodes = append((*l).Nodes, n)
			(*l).Forces = append((*l).Forces, r2.Vec{X: -float64(mass * (s.gravity.X - moves.X)), Y: -float64(mass * (s.gravity.Y - moves.Y))})
		}
	}
	for n, mass := range p.mass {
		if mass > 0 {
			add(p.things[n], p.node[n], mass, p.moves(s, n))
		}
	}
	for i := range s.rigids.list {
		r := &s.rigids.list[i]
		for _, n := range r.nodes { // its outline's middle is its centre
			add(p.things[n], n, r.Mass/float64(len(r.nodes)), r2.Vec{})
		}
	}
	sound := s.soundTime(p, stacks, laid)
	for i, l := range down {
		if l == nil {
			continue
		}
		l.Until = ramps[i]
		comes := Schedule(func(t float64) float64 { return min(t/ramps[i], 1) })
		if i == own {
			l.Until, comes = sound, SmoothStep(sound)
		}
		l.Schedule = func(t float64) float64 { return 1 - comes(t) }
		s.loads.laid.Within = max(s.loads.laid.Within, l.Until)
		s.loads.add(l)
	}
}

// overlapRamps returns, by the first node of each stack of what is laid down, the time over
// which its overlaps at the start come to press [s], 0 where there are none.
func (s *Solver) overlapRamps(p *solidPieces, stacks mesh.Connected, laid []bool) []float64 {
	ramps := make([]float64, len(p.node))
	for _, c := range s.Surfaces {
		if c.Overlap.Mode != contactnodes.OverlapAllow {
			continue
		}
		c.Overlaps(roundedOverlap, func(edge, opposite int32, _ float64) {
			for _, e := range [2]int32{edge, opposite} {
				if thing := p.ofEdge(&s.Mesh.Edges[e]); laid[thing] {
					ramp := &ramps[stacks[thing]]
					*ramp = max(*ramp, c.Overlap.Ramp)
				}
			}
		})
	}
	return ramps
}

// SmoothStep grows from 0 to 1 within a time [s], with velocity and acceleration 0 at
// both ends: 10 s^3 - 15 s^4 + 6 s^5.
func SmoothStep(within float64) Schedule {
	return func(t float64) float64 {
		s := min(max(t/within, 0), 1)
		return float64(float64(s*s*s) * (10 + float64(s*(float64(6*s)-15))))
	}
}

// restingOn returns which things, by their first nodes, lie on something that is held,
// directly or through others, in balance, all at rest and without loads; nil for none. And
// the first thing of what lies on one another.
func (s *Solver) restingOn(p *solidPieces) (laid []bool, stacks mesh.Connected) {
	things := p.things
	tethers, held, moving := s.tethers(p), make([]bool, len(p.node)), make([]bool, len(p.node))
	p.holds, p.moving = held, moving
	for n, mass := range p.mass {
		if mass > 0 {
			held[things[n]] = tethers[things[n]].holds()
			moving[things[n]] = moving[things[n]] || s.V[p.node[n]] != (r2.Vec{})
		}
	}
	for i := range s.rigids.list {
		r := &s.rigids.list[i]
		at := things[r.nodes[0]]
		held[at] = r.Mass == 0
		moving[at] = r.Motion != nil || r.Rigid.Velocity != (r2.Vec{}) || r.AngularVelocity != 0
	}
	for i := range s.Model.Loads { // it may set it going
		l := &s.Model.Loads[i]
		for _, n := range l.Nodes {
			p.of(s, n, func(thing int32) { moving[thing] = true })
		}
		for _, e := range l.Edges {
			moving[p.ofEdge(&s.Mesh.Edges[e])] = true
		}
		if l.OnRigid {
			moving[things[s.rigids.list[l.Rigid].nodes[0]]] = true
		}
	}
	letGo := s.letGo(p, held, tethers)
	holds := p.footholds(held, letGo)
	p.letGo = letGo
	pairs := s.search.Pairs(s.X)
	for _, c := range s.Surfaces {
		err := c.Near(s.X, s.V, pairs, touchGap*s.shallow, func(edge, opposite int32, ends [2]r2.Vec, inward r2.Vec) {
			a, b := p.ofEdge(&s.Mesh.Edges[edge]), p.ofEdge(&s.Mesh.Edges[opposite])
			if a == b || held[a] && held[b] {
				return
			}
			h := foothold{things: [2]int32{a, b}, a: &letGo[a], b: &letGo[b], into: inward, friction: c.Friction.Static}
			for k, at := range ends {
				if k == 0 || at != ends[0] {
					h.at = at
					holds = append(holds, h)
				}
			}
		})
		if err != nil {
			return nil, nil // so deep in one another that the start says so
		}
	}
	settle(holds)
	p.press(holds)
	g := elementary.Norm(s.gravity)
	for n := range tethers {
		if _, hangs := tethers[n].pin(); hangs { // and bears what lies on it, or swings
			held[n], moving[n] = true, moving[n] || !letGo[n].rests(g)
		}
	}
	laid, stacks = make([]bool, len(p.node)), mesh.NewConnected(len(p.node))
	any := false
	for more := true; more; {
		more = false
		for i := range holds {
			for k, at := range holds[i].things {
				on := holds[i].things[1-k]
				if !laid[at] && !held[at] && !moving[at] && (laid[on] || held[on] && !moving[on]) && holds[i].push > 0 && letGo[at].rests(g) {
					laid[at], more, any = true, true, true
				}
			}
		}
	}
	if !any && len(p.joints) == 0 {
		return nil, nil
	}
	for i := range holds {
		if a, b := holds[i].things[0], holds[i].things[1]; laid[a] && laid[b] {
			stacks.Join(a, b)
		}
	}
	return laid, stacks.Firsts()
}

// tether is how a thing is held: where its nodes are that are held along x, by their y, and along
// y, by their x [m].
type tether struct {
	x, y   span
	clamps bool // a node that may not turn
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

// wide tells whether two places are held, so that the thing does not turn.
func (s *span) wide() bool { return s.any && s.low < s.high }

// turns tells whether nothing keeps a thing from turning.
func (t *tether) turns() bool { return !t.x.wide() && !t.y.wide() && !t.clamps }

// pin returns the place about which a thing turns.
func (t *tether) pin() (r2.Vec, bool) {
	return r2.Vec{X: t.y.low, Y: t.x.low}, t.x.any && t.y.any && t.turns()
}

// slides tells whether a thing moves along one axis only.
func (t *tether) slides() bool { return t.x.any != t.y.any && !t.turns() }

// holds tells whether a thing stays: or so it is taken where it turns and slides at once.
func (t *tether) holds() bool {
	_, hangs := t.pin()
	return (t.x.any || t.y.any || t.clamps) && !hangs && !t.slides()
}

// tethers returns how things are held, by their first nodes.
func (s *Solver) tethers(p *solidPieces) []tether {
	things, out := p.things, make([]tether, len(p.node))
	for n, mass := range p.mass {
		t, x := &out[things[n]], s.X[s.Mesh.Place(p.node[n])]
		if mass > 0 && p.held[n]&motion.HeldX != 0 {
			t.x.add(x.Y)
		}
		if mass > 0 && p.held[n]&motion.HeldY != 0 {
			t.y.add(x.X)
		}
	}
	for _, f := range s.Model.Fixes {
		for _, n := range f.Nodes {
			out[things[n]].clamps = out[things[n]].clamps || f.Rotation
		}
	}
	for _, d := range s.Model.Drives {
		for _, n := range d.Nodes {
			out[things[n]].clamps = out[things[n]].clamps || d.Rotation
		}
	}
	return out
}

// letGo returns things as rigid bodies that are let go, by their first nodes.
func (s *Solver) letGo(p *solidPieces, held []bool, tethers []tether) []thing {
	things, out := p.things, make([]thing, len(p.node))
	for n, mass := range p.mass {
		t := &out[things[n]]
		t.mass += mass
		t.centre = elementary.Along(t.centre, p.place(s, n), mass)
	}
	for n := range out {
		if t := &out[n]; t.mass > 0 {
			t.centre = r2.Scale(1/t.mass, t.centre)
		}
	}
	for n, mass := range p.mass {
		t := &out[things[n]]
		d := r2.Sub(p.place(s, n), t.centre)
		t.inertia += float64(mass * elementary.Dot(d, d))
		t.reach = max(t.reach, elementary.Norm(d))
	}
	for i := range s.rigids.list {
		r := &s.rigids.list[i]
		t := &out[things[r.nodes[0]]]
		t.mass, t.inertia, t.centre, t.reach = r.Mass, r.Inertia, r.Rigid.Centre, r.reach(s.Mesh)
	}
	for n := range out {
		t := &out[n]
		if !(t.mass > 0 && t.inertia > 0) || held[n] {
			continue
		}
		if pin, hangs := tethers[n].pin(); hangs {
			d := r2.Sub(t.centre, pin)
			t.centre, t.reach = pin, t.reach+elementary.Norm(d)
			t.turning = 1 / (t.inertia + float64(t.mass*elementary.Dot(d, d)))
			t.turn = float64(float64(t.mass*elementary.Cross(d, s.gravity)) * t.turning)
			continue
		}
		t.inverse, t.turning, t.acceleration = r2.Vec{X: 1 / t.mass, Y: 1 / t.mass}, 1/t.inertia, s.gravity
		if tethers[n].slides() {
			t.turning = 0
		}
		if tethers[n].x.any {
			t.inverse.X, t.acceleration.X = 0, 0
		}
		if tethers[n].y.any {
			t.inverse.Y, t.acceleration.Y = 0, 0
		}
	}
	return out
}

// soundTime returns layingPasses times the longest that sound takes along what lies
// on one another [s].
func (s *Solver) soundTime(p *solidPieces, stacks mesh.Connected, laid []bool) float64 {
	type box struct {
		lo, hi r2.Vec
		sound  float64
	}
	boxes := map[int32]*box{} // the greatest is taken, in any order
	grow := func(at int32, sound float64) {
		thing := p.things[at]
		if !laid[thing] {
			return
		}
		b, x := boxes[stacks[thing]], p.place(s, int(at))
		if b == nil {
			b = &box{lo: x, hi: x, sound: sound}
			boxes[stacks[thing]] = b
		}
		b.lo.X, b.lo.Y, b.hi.X, b.hi.Y = min(b.lo.X, x.X), min(b.lo.Y, x.Y), max(b.hi.X, x.X), max(b.hi.Y, x.Y)
		b.sound = min(b.sound, sound)
	}
	for i := range s.Mesh.Bodies {
		b := &s.Mesh.Bodies[i]
		sound := float64(rigidSound)
		if b.Kind != mesh.OfOutline {
			m := &s.Materials[s.Model.Bodies[i].Material]
			sound = math.Sqrt(m.Young / m.Density)
		}
		if p.corner != nil {
			for _, at := range p.corner[3*b.First : 3*b.End] {
				grow(at, sound)
			}
			continue
		}
		for _, n := range b.Nodes {
			grow(n, sound)
		}
	}
	longest := 0.0
	for _, b := range boxes {
		longest = max(longest, max(b.hi.X-b.lo.X, b.hi.Y-b.lo.Y)/b.sound)
	}
	return layingPasses * longest
}

// Laid returns what lies on something at the start, and gets its weight smoothly.
func (s *Solver) Laid() Laid { return s.loads.laid }
