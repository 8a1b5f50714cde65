package solver

import (
	"math"
	"slices"
	"strconv"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/contactnodes/motion"
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
	Followed []Followed   // rotations that follow positions
	Elements *fem.Pattern // sparsity pattern of the tangent stiffness of all elements
	Noise    float64      // error of the elements' forces by rounding of the initial positions [N]
	Rounding float64      // rounding of an initial position [m]
	Size     []float64    // per freedom: 1 for a position, for an angle the arm that makes it comparable to a length [m]
	Inertia  []float64    // per freedom: the mass that it moves, for an angle the moment of inertia; 0 if it moves none of its own [kg], [kg m2]

	view    view
	state   *RigidState
	systems []system
	rigid   rigidly
}

// Followed is the rotation of a node that is not a freedom of its own but follows the positions of
// other nodes.
type Followed struct {
	Nodes []int32
	Slope []r2.Vec // derivative of the angle with respect to the position of each node [1/m], at X
}

// follow makes the rotation of node n one that follows other nodes.
func (f *Freedoms) follow(n int32, nodes []int32, slope []r2.Vec) {
	f.Rotation[n] = int32(-2 - len(f.Followed))
	f.Followed = append(f.Followed, Followed{nodes, slope})
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
	k := &f.Followed[-2-i]
	for j, n := range k.Nodes {
		if to := f.Moves[n][0]; to >= 0 {
			do(to, k.Slope[j].X)
		}
		if to := f.Moves[n][1]; to >= 0 {
			do(to, k.Slope[j].Y)
		}
	}
}

// newFreedoms collects the freedoms of every system.
func newFreedoms(s view, state *RigidState, systems []system, rigid rigidly) *Freedoms {
	count := len(s.X)
	f := &Freedoms{view: s, state: state, systems: systems, rigid: rigid, Moves: make([][3]int32, count), Rotation: make([]int32, count), Body: make([]int32, count), Of: make([]int32, count)}
	for n := range s.X {
		f.Moves[n], f.Rotation[n], f.Body[n], f.Of[n] = [3]int32{-1, -1, -1}, -1, -1, -1
	}
	for of := range all[free](systems) {
		of.freedoms(f)
	}
	return f
}

// next adds one freedom and returns its number.
func (f *Freedoms) next(size, inertia float64) int32 {
	f.Size, f.Inertia = append(f.Size, size), append(f.Inertia, inertia)
	f.N++
	return int32(f.N - 1)
}

// rigidly are the rigid bodies of a static analysis.
type rigidly interface {
	couples(f *Freedoms, r []float64)                           // adds their couples to generalised forces
	farthest(f *Freedoms, each func(node int32, force float64)) // see Freedoms.Farthest
}

// Positions returns the initial position of each freedom [m].
func (f *Freedoms) Positions() []r2.Vec {
	s, out := f.view, make([]r2.Vec, f.N)
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
	s := f.view
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
	s := f.view
	for n, m := range s.Moment {
		f.Each(f.Rotation[n], func(i int32, weight float64) { r[i] += float64(weight * m) })
	}
	for n, g := range s.F {
		held += f.addForce(r, int32(n), g)
	}
	f.rigid.couples(f, r)
	return held
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
		turn := float64(a.X*g.Y) - float64(a.Y*g.X) + f.view.contact.Moment[n]
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
	s := f.view
	p.X = append(p.X[:0], s.X...)
	p.Theta = append(p.Theta[:0], s.Theta...)
	p.Poses = append(p.Poses[:0], f.state.RigidMotions...)
}

// Restore sets the positions in s to the copy.
func (p *Positions) Restore(f *Freedoms) {
	s := f.view
	copy(s.X, p.X)
	copy(s.Theta, p.Theta)
	copy(f.state.RigidMotions, p.Poses)
}

// Distance returns the greatest displacement of a node of s since Copy [m].
func (p *Positions) Distance(f *Freedoms) float64 {
	s := f.view
	most := 0.0
	for i, x := range s.X {
		most = max(most, elementary.Norm(r2.Sub(x, p.X[i])))
	}
	return most
}

// Shallowest returns the depth of the shallowest edge [m].
func (k *outlines) Shallowest() float64 { return k.shallow }

// Move sets all positions to p plus a change t d of the freedoms.
func (f *Freedoms) Move(p *Positions, d []float64, t float64) {
	by := func(i int32) float64 {
		if i < 0 {
			return 0
		}
		return float64(t * d[i])
	}
	for _, k := range f.systems {
		if k, ok := k.(free); ok {
			k.displace(f, p, by)
		}
	}
}

// Prescribe moves driven nodes to their positions at Time. It returns false if nothing moved.
func (f *Freedoms) Prescribe() bool {
	moved := false
	for _, k := range f.systems {
		if k, ok := k.(free); ok && k.prescribe(f) {
			moved = true
		}
	}
	return moved
}

// Farthest calls the function with the nodes whose forces are out of balance and with these forces
// [N]. For a rigid body it takes the node with the greatest contact force.
func (f *Freedoms) Farthest(each func(node int32, force float64)) {
	for n, g := range f.view.F {
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
	f.rigid.farthest(f, each)
}

// StaticState is the state of a static analysis.
type StaticState struct {
	Heaviest     float64 // greatest norm of the forces so far [N]
	HoldsNeutral int64   // 1 if rigid motions that nothing drives are held, see package statics
	cholesky.Kept
}

func (a *StaticState) parts() []Part {
	return []Part{{"heaviest", &a.Heaviest}, {"holds_neutral", &a.HoldsNeutral}, {"factored", &a.Factored}, {"factored_pattern", &a.FactoredPattern}}
}

// makeStatic prepares the model for a static analysis, which has no inertia. It fails if a system
// does not support static analysis.
func (s *Solver) makeStatic() error {
	for _, k := range s.systems {
		if err := k.balance(); err != nil {
			return err
		}
	}
	s.Freedoms = newFreedoms(s.view, &s.RigidState, s.systems, s.rigids)
	for n := range s.Held {
		s.Held[n] = motion.HeldX | motion.HeldY
	}
	s.rigids.makeStatic()
	clear(s.V)
	clear(s.InverseInertias)
	clear(s.Spin)
	s.Freedoms.Elements = s.Pattern(len(s.X))
	s.Freedoms.Rounding = s.roundoff()
	s.Freedoms.Noise = math.Sqrt(float64(len(s.X))) * s.Freedoms.Rounding * s.stiffest(s.Freedoms)
	s.Limit, s.Planned = s.Static.Increment, s.Static.Increment
	if err := s.overlap(false); err != nil {
		return err
	}
	if err := s.forces(true); err != nil {
		return err
	}
	if held, err := s.preload.hold(s.springs); err != nil {
		return err
	} else if held {
		if err := s.forces(true); err != nil {
			return err
		}
	}
	return s.holdStressed()
}

// holdStressed balances the unbalanced forces of an initial stress.
func (s *Solver) holdStressed() error {
	if s.stressed.hold(s.Freedoms) {
		return s.forces(true)
	}
	return nil
}

// roundoff bounds the rounding error of a position [m].
func (k *view) roundoff() float64 {
	far := 0.0
	for _, x := range k.X {
		far = max(far, math.Abs(x.X), math.Abs(x.Y))
	}
	return positionRounding * far
}

// stiffest returns the greatest stiffness of the elements and of all other systems [N/m]. Its
// product with the rounding of a position is a force that no iteration can reduce.
func (s *kinds) stiffest(f *Freedoms) float64 {
	k, most := f.Elements, 0.0
	value := make([]float64, len(k.Col))
	s.AddStiffness(k, value)
	for i := range len(k.RowPtr) - 1 {
		for at := k.RowPtr[i]; at < k.RowPtr[i+1]; at++ {
			if int(k.Col[at]) == i {
				most = max(most, value[at])
			}
		}
	}
	sum := make([]float64, f.N)
	s.Stiffen(f, func(stiffness float64, freedom []int32, g []float64) {
		for i, n := range freedom {
			sum[n] += float64(stiffness * g[i] * g[i])
		}
	})
	for _, v := range sum {
		most = max(most, v)
	}
	return most
}

// Try evaluates the forces at X and Time, at the end of an increment of length dt that began at the
// positions from. It leaves memory and energy balance unchanged.
func (s *Solver) Try(from *Positions, dt float64) error {
	s.setSteadyVelocities(from, dt)
	last := s.Last
	s.Last = dt
	err := s.forces(false)
	s.Last = last
	return err
}

// setSteadyVelocities gives the nodes the constant velocities that lead from given positions to the
// present positions within dt.
func (s *view) setSteadyVelocities(from *Positions, dt float64) {
	for i := range s.V {
		s.V[i] = r2.Vec{X: (s.X[i].X - from.X[i].X) / dt, Y: (s.X[i].Y - from.X[i].Y) / dt}
	}
}

// SumsOfSquares returns the sums of the squares of the loads and of the contact forces at the last
// evaluation [N2].
func (s *Solver) SumsOfSquares() (loads, contact float64) {
	for _, n := range s.outlines.outline.Nodes {
		f := s.contact.At(n).F
		contact += float64(f.X*f.X) + float64(f.Y*f.Y)
	}
	return s.loads.squares, contact
}

// Commit makes the equilibrium at the end of an increment the state. Memory and energy balance are
// updated as by a step of motion with constant velocities from the start of the increment.
func (s *Solver) Commit(from *Positions, dt float64) error {
	s.setSteadyVelocities(from, dt)
	copy(s.triangles.from, from.X)
	for i := range s.Spin {
		s.Spin[i] = (s.Theta[i] - from.Theta[i]) / dt
	}
	for i := range s.RigidMotions {
		p, q := &s.RigidMotions[i], &from.Poses[i]
		p.Velocity = r2.Vec{X: (p.Centre.X - q.Centre.X) / dt, Y: (p.Centre.Y - q.Centre.Y) / dt}
		p.Spin = (p.Angle - q.Angle) / dt
	}
	s.N++
	s.Last = dt
	if err := s.forces(true); err != nil {
		return err
	}
	clear(s.Spin)
	clear(s.V)
	for i := range s.RigidMotions {
		s.RigidMotions[i].Velocity, s.RigidMotions[i].Spin = r2.Vec{}, 0
	}
	return nil
}

// Resettle evaluates the forces of a state in equilibrium, as a run that continues from it needs
// them.
func (s *Solver) Resettle() error {
	if len(s.Surfaces) > 0 {
		s.outlines.search.Rebuild(s.X) // a run that continues from here has no other pairs
	}
	last := s.Last
	s.triangles.led = last
	defer func() { s.Last, s.triangles.led = last, 0 }()
	s.Last = 0 // nothing moves and no force is ramped in, so nothing is done twice
	return s.forces(true)
}

// Pattern returns the sparsity pattern of the tangent stiffness of all elements.
func (s *kinds) Pattern(nodes int) *fem.Pattern {
	var sets []fem.Ends
	for _, k := range s.stiff {
		of, _ := k.set()
		sets = append(sets, of)
	}
	return fem.NewPattern(nodes, sets...)
}

// Pairs returns the pairs of edges that may be in contact at X, nil without contacts.
func (s *Solver) Pairs() *boundingbox.Pairs {
	if len(s.Surfaces) == 0 {
		return nil
	}
	return s.outlines.search.Pairs(s.X)
}

// Springs appends the tangents of the contacts at the last evaluation.
func (s *kinds) Springs(out []contactnodes.TangentTerm) []contactnodes.TangentTerm {
	for _, k := range s.contacts.engines {
		out = k.springs(out)
	}
	return out
}

// Stiffen calls add with the rank-one parts K g g^T of the tangent of everything that is neither
// element nor contact. Their freedoms are the same in every call.
func (s *kinds) Stiffen(f *Freedoms, add func(stiffness float64, freedom []int32, g []float64)) {
	for k := range all[stiffening](s.systems) {
		k.stiffen(f, add)
	}
}

// AddStiffness adds the tangent of all elements to value, in the order of the pattern.
func (s *kinds) AddStiffness(p *fem.Pattern, value []float64) {
	for _, k := range s.stiff {
		k.addStiffness(p, value)
	}
}

// MaxDisplacement returns how far a node may move at once without missing a contact [m]: a contact
// node that is deeper than the Depth of an edge would not be detected.
func (s *Solver) MaxDisplacement() float64 {
	if len(s.Surfaces) == 0 {
		return math.Inf(1)
	}
	const deepest = 0.5 // greatest approach of two nodes, relative to the shallowest edge's depth
	return 0.5 * deepest * s.outlines.shallow
}

// Outline returns the nodes that may be in contact.
func (k *outlines) Outline() []int32 { return k.outline.Nodes }

// Separated returns the names of the contacts that carry no load.
func (s *ContactState) Separated() (out []string) {
	for _, c := range s.Surfaces {
		if c.Normal == 0 {
			out = append(out, c.Name)
		}
	}
	return out
}

// Sticks tells whether a contact has Coulomb friction with an elastic stick.
func (s *ContactState) Sticks() bool {
	return slices.ContainsFunc(s.Surfaces, func(c *contactnodes.Contact) bool { return c.Friction.Sticks() })
}

// ScaleFriction multiplies all friction coefficients.
func (s *ContactState) ScaleFriction(factor float64) {
	for _, c := range s.Surfaces {
		c.Friction.Kinetic *= factor
		c.Friction.Static *= factor
	}
}

// Sliding names the contacts whose contact nodes all slide in one direction.
func (s *ContactState) Sliding() []string {
	const nearly = 0.99
	var out []string
	for _, c := range s.Surfaces {
		if mu := c.Friction.Kinetic; mu*c.Normal > 0 && math.Abs(c.Tangential) > nearly*mu*c.Normal {
			out = append(out, strconv.Quote(c.Name))
		}
	}
	return out
}
