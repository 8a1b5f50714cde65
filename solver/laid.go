package solver

import (
	"math"

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
	// restsOn is the least cosine of the angle between weight and the direction in
	// which it presses, of what lies on something.
	restsOn = 0.1
	// layingPasses is in how many times that sound takes along what lies weight comes:
	// three periods of its slowest vibration along, of which a hundredth is left then.
	layingPasses = 12
	// rigidSound stands for the speed of sound of rigid bodies [m/s].
	rigidSound = 300
)

// layDown makes the load that bears the weight of what lies on something, at rest,
// in a model whose gravity has no schedule.
func (s *Solver) layDown() {
	if s.gravity == (r2.Vec{}) || s.GravitySchedule != nil || len(s.InitialStresses) > 0 || len(s.Surfaces) == 0 {
		return
	}
	things := s.things()
	laid := s.restingOn(things)
	if laid == nil {
		return
	}
	l := &Load{On: "what is laid down"}
	add := func(n int32, mass float64) {
		l.Nodes = append(l.Nodes, n)
		l.Forces = append(l.Forces, r2.Vec{X: -float64(mass * s.gravity.X), Y: -float64(mass * s.gravity.Y)})
	}
	for n, mass := range s.mass {
		if mass > 0 && laid[things[n]] {
			add(int32(n), mass)
		}
	}
	for i := range s.rigids.list {
		r := &s.rigids.list[i]
		if !laid[things[r.nodes[0]]] {
			continue
		}
		for _, n := range r.nodes { // its outline's middle is its centre
			add(n, r.Mass/float64(len(r.nodes)))
		}
	}
	for n, first := range things {
		if laid[n] && first == int32(n) {
			s.loads.laid.Things++
		}
	}
	l.Until = s.loads.laid.Within
	down := SmoothStep(l.Until)
	l.Schedule = func(t float64) float64 { return 1 - down(t) }
	s.loads.add(l)
}

// SmoothStep grows from 0 to 1 within a time [s], with velocity and acceleration 0 at
// both ends: 10 s^3 - 15 s^4 + 6 s^5.
func SmoothStep(within float64) Schedule {
	return func(t float64) float64 {
		s := min(max(t/within, 0), 1)
		return float64(float64(s*s*s) * (10 + float64(s*(float64(6*s)-15))))
	}
}

// things returns, for every node, the first node of what holds together with it:
// elements, hinges, faces of beams, outlines of rigid bodies.
func (s *Solver) things() mesh.Connected {
	c := s.Mesh.HeldTogether()
	for i := range s.rigids.list {
		for _, n := range s.rigids.list[i].nodes {
			c.Join(n, s.rigids.list[i].nodes[0])
		}
	}
	return c.Firsts()
}

// restingOn returns which things, by their first nodes, lie on something that is
// held, directly or through others, all at rest and without loads; nil for none. It finds how long to
// take for them.
func (s *Solver) restingOn(things mesh.Connected) []bool {
	held, moving := make([]bool, len(s.X)), make([]bool, len(s.X))
	for n, mass := range s.mass {
		if mass > 0 {
			held[things[n]] = held[things[n]] || s.inverse[n].X == 0 || s.inverse[n].Y == 0
			moving[things[n]] = moving[things[n]] || s.V[n] != (r2.Vec{})
		}
	}
	for i := range s.rigids.list {
		r := &s.rigids.list[i]
		at := things[r.nodes[0]]
		held[at] = r.Mass == 0
		moving[at] = r.Motion != nil || r.Rigid.Velocity != (r2.Vec{}) || r.AngularVelocity != 0
	}
	type support struct{ lower, upper int32 }
	var supports []support
	for i := range s.Model.Loads { // it may set it going
		l := &s.Model.Loads[i]
		for _, n := range l.Nodes {
			moving[things[n]] = true
		}
		for _, e := range l.Edges {
			moving[things[s.Mesh.Edges[e].A]] = true
		}
		if l.OnRigid {
			moving[things[s.rigids.list[l.Rigid].nodes[0]]] = true
		}
	}
	const left, right, flat = 1, 2, 4
	leans := make([]uint8, len(s.X)) // on what is held, to either side, and on anything that friction holds it on
	pairs := s.search.Pairs(s.X)
	down := elementary.Along(r2.Vec{}, s.gravity, 1/elementary.Norm(s.gravity))
	for _, c := range s.Surfaces {
		err := c.Near(s.X, s.V, pairs, touchGap*s.shallow, func(edge, opposite int32, inward r2.Vec) {
			a, b := things[s.Mesh.Edges[edge].A], things[s.Mesh.Edges[opposite].A]
			along, across := elementary.Dot(inward, down), elementary.Cross(inward, down)
			if along < 0 {
				a, b = b, a
				along, across = -along, -across
			}
			if along > restsOn && !held[a] && !moving[a] && !moving[b] && a != b {
				supports = append(supports, support{lower: b, upper: a})
				switch {
				case math.Abs(across) <= float64(c.Friction.Static*along):
					leans[a] |= flat
				case held[b] && across < 0:
					leans[a] |= left
				case held[b]:
					leans[a] |= right
				}
			}
		})
		if err != nil {
			return nil // so deep in one another that the start says so
		}
	}
	laid := make([]bool, len(s.X))
	stacks, any := mesh.NewConnected(len(s.X)), false
	for more := true; more; {
		more = false
		for _, p := range supports {
			if at := p.upper; !laid[at] && leans[at] >= left|right && (held[p.lower] || laid[p.lower]) {
				laid[p.upper], more, any = true, true, true
			}
		}
	}
	if !any {
		return nil
	}
	for _, p := range supports {
		if laid[p.lower] && laid[p.upper] {
			stacks.Join(p.lower, p.upper)
		}
	}
	s.loads.laid.Within = s.soundTime(things, stacks.Firsts(), laid)
	return laid
}

// soundTime returns layingPasses times the longest that sound takes along what lies
// on one another [s].
func (s *Solver) soundTime(things, stacks mesh.Connected, laid []bool) float64 {
	type box struct {
		lo, hi r2.Vec
		sound  float64
	}
	boxes := map[int32]*box{} // the greatest is taken, in any order
	grow := func(n int32, sound float64) {
		if !laid[things[n]] {
			return
		}
		b, x := boxes[stacks[things[n]]], s.X[n]
		if b == nil {
			b = &box{lo: x, hi: x, sound: sound}
			boxes[stacks[things[n]]] = b
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
