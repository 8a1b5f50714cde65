package solver

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// unknowns numbers what a static analysis may move: both directions of the
// nodes of elements, and centre and angle of rigid bodies, as far as nothing
// holds or drives them.
type unknowns struct {
	n      int
	moves  [][3]int32   // per node: the unknowns of its place x and y and of the angle that swings it; -1 for none
	turns  []int32      // per node: the unknown of its own angle, of a beam; -1 for none
	body   []int32      // per node: the rigid body that carries it, -1 for none
	of     []int32      // per node of a beam's face: the node that carries it, -1 for none
	driven []prescribed // nodes that a schedule moves
	size   []float64    // per unknown: 1 for a place, for an angle the arm that makes a length of it [m]
}

// prescribed is a fixed node that a schedule moves.
type prescribed struct {
	fix  *Fix
	node int32
	was  r2.Vec // the reaction there at the last increment [N]
}

func (s *Solver) newUnknowns() *unknowns {
	nodes := len(s.X)
	u := &unknowns{moves: make([][3]int32, nodes), turns: make([]int32, nodes), body: make([]int32, nodes), of: make([]int32, nodes)}
	next := func(size float64) int32 {
		u.size = append(u.size, size)
		u.n++
		return int32(u.n - 1)
	}
	long := 0.0 // the longest beam
	for _, b := range s.Mesh.Beams {
		long = max(long, elementary.Norm(r2.Sub(s.Mesh.X[b[1]], s.Mesh.X[b[0]])))
	}
	for n := range s.X {
		u.moves[n], u.turns[n], u.body[n], u.of[n] = [3]int32{-1, -1, -1}, -1, -1, -1
		if w := s.inverse[n]; n < s.meshed {
			if w.X > 0 {
				u.moves[n][0] = next(1)
			}
			if w.Y > 0 {
				u.moves[n][1] = next(1)
			}
			if s.beams != nil && s.beams.turning[n] > 0 {
				u.turns[n] = next(long)
			}
		}
	}
	if s.beams != nil {
		for _, f := range s.beams.faces {
			m := u.moves[f.of]
			u.moves[f.node], u.of[f.node] = [3]int32{m[0], m[1], u.turns[f.of]}, f.of
		}
	}
	for i := range s.rigids {
		r := &s.rigids[i]
		arm := 0.0
		for _, a := range r.arm {
			arm = max(arm, elementary.Norm(a))
		}
		own := [3]int32{-1, -1, -1}
		for k, free := range r.Released {
			if free || r.inverse > 0 {
				own[k] = next([3]float64{1, 1, arm}[k])
			}
		}
		for _, n := range r.nodes {
			u.moves[n], u.body[n] = own, int32(i)
		}
	}
	for i := range s.Fixes {
		if f := &s.Fixes[i]; f.Displacement != (r2.Vec{}) {
			for _, n := range f.Nodes {
				u.driven = append(u.driven, prescribed{fix: f, node: n})
			}
		}
	}
	return u
}

// places returns where each unknown is at the start [m].
func (u *unknowns) places(s *Solver) []r2.Vec {
	out := make([]r2.Vec, u.n)
	for n, m := range u.moves {
		at := s.Mesh.X[n]
		if i := u.body[n]; i >= 0 {
			at = s.Rigids[i].Centre
		} else if i := u.of[n]; i >= 0 {
			at = s.Mesh.X[i]
		}
		for _, i := range append(m[:], u.turns[n]) {
			if i >= 0 {
				out[i] = at
			}
		}
	}
	return out
}

// arm returns the lever by which the angle that swings node n moves it [m].
func (u *unknowns) arm(s *Solver, n int32) r2.Vec {
	if i := u.body[n]; i >= 0 {
		return r2.Sub(s.X[n], s.Poses[i].Centre)
	}
	if i := u.of[n]; i >= 0 {
		return r2.Sub(s.X[n], s.X[i])
	}
	return r2.Vec{}
}

// gather fills r with the generalised forces of all nodal forces and moments,
// and returns the sum of the squares of those that a support balances.
func (u *unknowns) gather(s *Solver, r []float64) (held float64) {
	clear(r)
	if s.beams != nil {
		for _, n := range s.beams.nodes {
			if i := u.turns[n]; i >= 0 {
				r[i] += s.beams.moment[n]
			}
		}
	}
	for n, g := range s.f {
		m := &u.moves[n]
		for k, v := range [2]float64{g.X, g.Y} {
			if i := m[k]; i >= 0 {
				r[i] += v
			} else {
				held += float64(v * v)
			}
		}
		if i := m[2]; i >= 0 {
			a := u.arm(s, int32(n))
			r[i] += float64(a.X*g.Y) - float64(a.Y*g.X) + s.contact.Moment[n]
		}
	}
	return held
}

// norm returns the Euclidean norm of generalised forces, moments over their
// arms [N].
func (u *unknowns) norm(r []float64) float64 {
	sum := 0.0
	for i, v := range r {
		v /= u.size[i]
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}

// place keeps where everything is.
type place struct {
	x     []r2.Vec
	theta []float64
	poses []Pose
}

func (p *place) keep(s *Solver) {
	p.x = append(p.x[:0], s.X...)
	p.theta = append(p.theta[:0], s.Theta...)
	p.poses = append(p.poses[:0], s.Poses...)
}

func (p *place) restore(s *Solver) {
	copy(s.X, p.x)
	copy(s.Theta, p.theta)
	copy(s.Poses, p.poses)
}

// move puts everything at p and a change t d of the unknowns.
func (u *unknowns) move(s *Solver, p *place, d []float64, t float64) {
	by := func(i int32) float64 {
		if i < 0 {
			return 0
		}
		return float64(t * d[i])
	}
	for n := range s.X[:s.meshed] {
		m, x := &u.moves[n], p.x[n]
		s.X[n] = r2.Vec{X: x.X + by(m[0]), Y: x.Y + by(m[1])}
	}
	if s.beams != nil {
		for _, n := range s.beams.nodes {
			s.Theta[n] = p.theta[n] + by(u.turns[n])
		}
		s.beams.follow(s, 1)
	}
	for i := range s.rigids {
		r := &s.rigids[i]
		m, q := &u.moves[r.nodes[0]], &p.poses[i]
		s.Poses[i].Centre = r2.Vec{X: q.Centre.X + by(m[0]), Y: q.Centre.Y + by(m[1])}
		s.Poses[i].Angle = q.Angle + by(m[2])
		r.follow(s, &s.Poses[i], 1)
	}
}

// prescribe moves what schedules drive to its place at Time; false where that
// is where it is.
func (u *unknowns) prescribe(s *Solver) bool {
	moved := false
	for _, d := range u.driven {
		factor := 1.0
		if d.fix.Schedule != nil {
			factor = d.fix.Schedule(s.Time)
		}
		x, to := &s.X[d.node], s.Mesh.X[d.node]
		was := *x
		if d.fix.X {
			x.X = to.X + float64(factor*d.fix.Displacement.X)
		}
		if d.fix.Y {
			x.Y = to.Y + float64(factor*d.fix.Displacement.Y)
		}
		moved = moved || *x != was
	}
	if moved && s.beams != nil {
		s.beams.follow(s, 1)
	}
	for i := range s.rigids {
		r, p := &s.rigids[i], &s.Poses[i]
		if r.Motion == nil {
			continue
		}
		was := *p
		c, angle := r.Motion(s.Time)
		if !r.Released[0] {
			p.Centre.X = c.X
		}
		if !r.Released[1] {
			p.Centre.Y = c.Y
		}
		if !r.Released[2] {
			p.Angle = angle
		}
		if *p != was {
			moved = true
			r.follow(s, p, 1)
		}
	}
	return moved
}

// book adds the work of the supports that a schedule moves over the last
// increment.
func (u *unknowns) book(s *Solver) {
	for i := range u.driven {
		d := &u.driven[i]
		f, v := s.f[d.node], s.V[d.node]
		if !d.fix.X {
			v.X = 0
		}
		if !d.fix.Y {
			v.Y = 0
		}
		work := float64((d.was.X+f.X)*v.X) + float64((d.was.Y+f.Y)*v.Y)
		s.Ledger.book(0, -float64(0.5*s.Last*work))
	}
	u.hold(s)
}

// hold keeps the forces on the supports that a schedule moves.
func (u *unknowns) hold(s *Solver) {
	for i := range u.driven {
		u.driven[i].was = s.f[u.driven[i].node]
	}
}
