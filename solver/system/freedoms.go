package system

import (
	"math"

	"fdem/fem"
	"fdem/materials/elementary"
	"fdem/solver/cholesky"

	"gonum.org/v1/gonum/spatial/r2"
)

// Freedoms are the degrees of freedom (unknowns) of a static analysis: both directions of the nodes
// of elements, the rotations of nodes that have one, and centre and angle of rigid bodies, unless
// they are held or driven. Every system numbers its own freedoms.
type Freedoms struct {
	N        int
	Moves    [][3]int32   // per node: the freedoms of its position x and y, and of the angle that rotates it about another point; -1 for none
	Rotation []int32      // per node: the freedom of its own angle; -1 for none; below -1 the rotation Followed[-2-Rotation]
	Body     []int32      // per node: the rigid body that carries it, -1 for none
	Of       []int32      // per node: the node that carries it, -1 for none
	Driven   []int32      // nodes that a drive moves
	followed []followed   // rotations that follow positions
	Elements *fem.Pattern // sparsity pattern of the tangent stiffness of all elements
	Noise    float64      // error of the elements' forces by rounding of the initial positions [N]
	Rounding float64      // rounding of an initial position [m]
	Size     []float64    // per freedom: 1 for a position, for an angle the arm that makes it comparable to a length [m]
	Inertia  []float64    // per freedom: the mass that it moves, for an angle the moment of inertia; 0 if it moves none of its own [kg], [kg m2]
	Stopped  []bool       // per freedom: it stays where it is in the present increment

	View    View
	state   *RigidState
	Systems []System
	rigid   rigidly
}

// followed is the rotation of a node that is not a freedom of its own but follows the positions of
// other nodes.
type followed struct {
	nodes []int32
	slope []r2.Vec // derivative of the angle with respect to the position of each node [1/m], at X
}

// Follow makes the rotation of node n one that follows other nodes.
func (f *Freedoms) Follow(n int32, nodes []int32, slope []r2.Vec) {
	f.Rotation[n] = int32(-2 - len(f.followed))
	f.followed = append(f.followed, followed{nodes, slope})
}

// Each calls the function with the freedoms of i and their weights: i itself, or the freedoms that
// a rotation follows, or none if i is -1.
func (f *Freedoms) Each(i int32, do func(freedom int32, weight float64)) {
	if i >= 0 {
		do(i, 1)
	}
	if i >= -1 {
		return
	}
	k := &f.followed[-2-i]
	for j, n := range k.nodes {
		if to := f.Moves[n][0]; to >= 0 {
			do(to, k.slope[j].X)
		}
		if to := f.Moves[n][1]; to >= 0 {
			do(to, k.slope[j].Y)
		}
	}
}

// NewFreedoms collects the freedoms of every system.
func NewFreedoms(s View, state *RigidState, systems []System, rigid rigidly) *Freedoms {
	count := len(s.X)
	f := &Freedoms{View: s, state: state, Systems: systems, rigid: rigid, Moves: make([][3]int32, count), Rotation: make([]int32, count), Body: make([]int32, count), Of: make([]int32, count)}
	for n := range s.X {
		f.Moves[n], f.Rotation[n], f.Body[n], f.Of[n] = [3]int32{-1, -1, -1}, -1, -1, -1
	}
	for of := range All[free](systems) {
		of.Freedoms(f)
	}
	return f
}

// Next adds one freedom and returns its number.
func (f *Freedoms) Next(size, inertia float64) int32 {
	f.Size, f.Inertia, f.Stopped = append(f.Size, size), append(f.Inertia, inertia), append(f.Stopped, false)
	f.N++
	return int32(f.N - 1)
}

// FindStopped finds the freedoms that stay where they are until it is called again: those that supports
// hold for a part of the analysis, and those to which nothing gives stiffness any more, or yet.
func (f *Freedoms) FindStopped() {
	clear(f.Stopped)
	for k := range All[stopping](f.Systems) {
		k.Stop(f)
	}
}

// Stop lets node n stay where it is, in x and y, and lets it keep its angle.
func (f *Freedoms) Stop(n int32, x, y, rotation bool) {
	for _, c := range [3]struct {
		stops bool
		at    int32
	}{{x, f.Moves[n][0]}, {y, f.Moves[n][1]}, {rotation, f.Rotation[n]}} {
		if c.stops && c.at >= 0 {
			f.Stopped[c.at] = true
		}
	}
}

// DropStopped removes the generalised forces on freedoms that stay where they are, which something
// balances, and returns the sum of their squares.
func (f *Freedoms) DropStopped(r []float64) (squares float64) {
	for i, stays := range f.Stopped {
		if stays {
			g := r[i] / f.Size[i]
			squares += float64(g * g)
			r[i] = 0
		}
	}
	return squares
}

// rigidly are the rigid bodies of a static analysis.
type rigidly interface {
	Couples(f *Freedoms, r []float64)                           // adds their couples to generalised forces
	Farthest(f *Freedoms, each func(node int32, force float64)) // see Freedoms.Farthest
}

// Positions returns the initial position of each freedom [m].
func (f *Freedoms) Positions() []r2.Vec {
	s, out := f.View, make([]r2.Vec, f.N)
	for n, m := range f.Moves {
		at := s.Mesh.X[n]
		if i := f.Body[n]; i >= 0 {
			at = s.Rigids[i].Centre
		} else if i := f.Of[n]; i >= 0 {
			at = s.Mesh.X[i]
		}
		for _, i := range append(m[:], f.Rotation[n]) {
			if i >= 0 {
				out[i] = at
			}
		}
	}
	return out
}

// Arm returns the vector from the centre about which an angle rotates node n to the node [m].
func (f *Freedoms) Arm(n int32) r2.Vec {
	s := f.View
	if i := f.Body[n]; i >= 0 {
		return r2.Sub(s.X[n], f.state.RigidMotions[i].Centre)
	}
	if i := f.Of[n]; i >= 0 {
		return r2.Sub(s.X[n], s.X[i])
	}
	return r2.Vec{}
}

// Collect fills r with the generalised forces of all nodal forces and moments. It returns the sum
// of the squares of the forces that supports balance.
func (f *Freedoms) Collect(r []float64) (held float64) {
	clear(r)
	s := f.View
	for n, m := range s.Moment {
		f.Each(f.Rotation[n], func(i int32, weight float64) { r[i] += float64(weight * m) })
	}
	for n, g := range s.F {
		held += f.addForce(r, int32(n), g)
	}
	f.rigid.Couples(f, r)
	return held + f.DropStopped(r)
}

// addForce adds the force g on node n, and the moment of contact there, to the generalised forces.
// It returns the square of the force that a support balances.
func (f *Freedoms) addForce(r []float64, n int32, g r2.Vec) (held float64) {
	m := &f.Moves[n]
	for k, v := range [2]float64{g.X, g.Y} {
		if i := m[k]; i >= 0 {
			r[i] += v
		} else {
			held += float64(v * v)
		}
	}
	if m[2] != -1 {
		a := f.Arm(n)
		turn := float64(a.X*g.Y) - float64(a.Y*g.X) + f.View.Contact.Moment[n]
		f.Each(m[2], func(i int32, weight float64) { r[i] += float64(weight * turn) })
	}
	return held
}

// Norm returns the Euclidean norm of generalised forces, with moments divided by their arms [N].
func (f *Freedoms) Norm(r []float64) float64 {
	sum := 0.0
	for i, v := range r {
		v /= f.Size[i]
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}

// Positions are the positions of everything that moves.
type Positions struct {
	X     []r2.Vec
	Theta []float64
	Poses []RigidMotion
}

// Copy copies the positions of s.
func (p *Positions) Copy(f *Freedoms) {
	s := f.View
	p.X = append(p.X[:0], s.X...)
	p.Theta = append(p.Theta[:0], s.Theta...)
	p.Poses = append(p.Poses[:0], f.state.RigidMotions...)
}

// Restore sets the positions in s to the copy.
func (p *Positions) Restore(f *Freedoms) {
	s := f.View
	copy(s.X, p.X)
	copy(s.Theta, p.Theta)
	copy(f.state.RigidMotions, p.Poses)
}

// Distance returns the greatest displacement of a node of s since Copy [m].
func (p *Positions) Distance(f *Freedoms) float64 {
	s := f.View
	most := 0.0
	for i, x := range s.X {
		most = max(most, elementary.Norm(r2.Sub(x, p.X[i])))
	}
	return most
}

// Move sets all positions to p plus a change t d of the freedoms.
func (f *Freedoms) Move(p *Positions, d []float64, t float64) {
	by := func(i int32) float64 {
		if i < 0 {
			return 0
		}
		return float64(t * d[i])
	}
	for _, k := range f.Systems {
		if k, ok := k.(free); ok {
			k.Displace(f, p, by)
		}
	}
}

// Prescribe moves driven nodes to their positions at Time. It returns false if nothing moved.
func (f *Freedoms) Prescribe() bool {
	moved := false
	for _, k := range f.Systems {
		if k, ok := k.(free); ok && k.Prescribe(f) {
			moved = true
		}
	}
	return moved
}

// Farthest calls the function with the nodes whose forces are out of balance and with these forces
// [N]. For a rigid body it takes the node with the greatest contact force.
func (f *Freedoms) Farthest(each func(node int32, force float64)) {
	for n, g := range f.View.F {
		m := &f.Moves[n]
		if m[0] < 0 {
			g.X = 0
		}
		if m[1] < 0 {
			g.Y = 0
		}
		if g := elementary.Norm(g); g > 0 && f.Body[n] < 0 {
			each(int32(n), g)
		}
	}
	f.rigid.Farthest(f, each)
}

// StaticState is the state of a static analysis.
type StaticState struct {
	Heaviest     float64 // greatest norm of the forces so far [N]
	HoldsNeutral int64   // how rigid motions that nothing drives are held, 0 if they are not, see package statics
	cholesky.Kept
}

func (a *StaticState) StateParts() []Part {
	return []Part{{"heaviest", &a.Heaviest}, {"holds_neutral", &a.HoldsNeutral}, {"factored", &a.Factored}, {"factored_pattern", &a.FactoredPattern}}
}

// Roundoff bounds the rounding error of a position [m].
func (k *View) Roundoff() float64 {
	far := 0.0
	for _, x := range k.X {
		far = max(far, math.Abs(x.X), math.Abs(x.Y))
	}
	return PositionRounding * far
}

// SetSteadyVelocities gives the nodes the constant velocities that lead from given positions to the
// present positions within dt.
func (s *View) SetSteadyVelocities(from *Positions, dt float64) {
	for i := range s.V {
		s.V[i] = r2.Vec{X: (s.X[i].X - from.X[i].X) / dt, Y: (s.X[i].Y - from.X[i].Y) / dt}
	}
}
