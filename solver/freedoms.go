package solver

import (
	"math"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/contactnodes/motion"
	"fdem/fem"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// makeStatic prepares the model for a static analysis, which has no inertia. It fails if a system
// does not support static analysis.
func (s *Solver) makeStatic() error {
	for _, k := range s.systems {
		if err := k.Balance(); err != nil {
			return err
		}
	}
	s.Freedoms = system.NewFreedoms(s.View, &s.RigidState, s.systems, s.rigids)
	for n := range s.Held {
		s.Held[n] = motion.HeldX | motion.HeldY
	}
	s.rigids.MakeStatic()
	clear(s.V)
	clear(s.InverseInertias)
	clear(s.Spin)
	s.Freedoms.Elements = s.Pattern(len(s.X))
	s.Freedoms.Rounding = s.Roundoff()
	s.Freedoms.Noise = math.Sqrt(float64(len(s.X))) * s.Freedoms.Rounding * s.stiffest(s.Freedoms)
	s.Limit, s.Planned = s.Static.Increment, s.Static.Increment
	s.Planned = min(s.Planned, s.FirstIncrement())
	if err := s.Overlap(false); err != nil {
		return err
	}
	if err := s.forces(true); err != nil {
		return err
	}
	if held, err := s.preload.HoldPreload(s.springs); err != nil {
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
	if s.stressed.HoldStress(s.Freedoms) {
		return s.forces(true)
	}
	return nil
}

// stiffest returns the greatest stiffness of the elements and of all other systems [N/m]. Its
// product with the rounding of a position is a force that no iteration can reduce.
func (s *kinds) stiffest(f *system.Freedoms) float64 {
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
func (s *Solver) Try(from *system.Positions, dt float64) error {
	s.SetSteadyVelocities(from, dt)
	last := s.Last
	s.Last = dt
	err := s.forces(false)
	s.Last = last
	return err
}

// SumsOfSquares returns the sums of the squares of the loads, with those of expansion and pore pressures, and of the contact forces at the last
// evaluation [N2].
func (s *Solver) SumsOfSquares() (loads, contact float64) {
	for _, n := range s.Outlines.Lines.Nodes {
		f := s.Contact.At(n).F
		contact += float64(f.X*f.X) + float64(f.Y*f.Y)
	}
	return s.loads.Squares + s.heat.SquaredPush() + s.pores.SquaredPush(), contact
}

// FirstIncrement returns the greatest length of the first increment, infinity if the model does not limit
// it.
func (s *kinds) FirstIncrement() float64 {
	first := math.Inf(1)
	for k := range system.All[system.Staged](s.systems) {
		first = min(first, k.First())
	}
	return first
}

// Repeat tells whether what advances between balances has changed forces by the one that has been
// found.
func (s *kinds) Repeat() (again bool, err error) {
	for k := range system.All[system.Staged](s.systems) {
		more, err := k.Repeat()
		if err != nil {
			return false, err
		}
		again = again || more
	}
	return again, nil
}

// Pace returns the greatest length of the next increment, and whether the present one is short enough.
func (s *kinds) Pace() (next float64, fits bool) {
	next, fits = math.Inf(1), true
	for k := range system.All[system.Staged](s.systems) {
		longest, good := k.Pace()
		next, fits = min(next, longest), fits && good
	}
	return next, fits
}

// Commit makes the equilibrium at the end of an increment the state. Memory and energy balance are
// updated as by a step of motion with constant velocities from the start of the increment.
func (s *Solver) Commit(from *system.Positions, dt float64) error {
	s.SetSteadyVelocities(from, dt)
	copy(s.triangles.From, from.X)
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
		s.Outlines.Search.Rebuild(s.X) // a run that continues from here has no other pairs
	}
	last := s.Last
	s.triangles.Led = last
	defer func() { s.Last, s.triangles.Led = last, 0 }()
	s.Last = 0 // nothing moves and no force is ramped in, so nothing is done twice
	if !s.Stepping {
		s.Stepping = true // bodies are excavated at once
		if err := s.forces(true); err != nil {
			return err
		}
	}
	err := s.forces(true)
	s.Freedoms.FindStopped()
	return err
}

// Pattern returns the sparsity pattern of the tangent stiffness of all elements.
func (s *kinds) Pattern(nodes int) *fem.Pattern {
	var sets []fem.Ends
	for k := range system.All[system.Elastic](s.systems) {
		of, _ := k.Set()
		sets = append(sets, of)
	}
	return fem.NewPattern(nodes, sets...)
}

// Pairs returns the pairs of edges that may be in contact at X, nil without contacts.
func (s *Solver) Pairs() *boundingbox.Pairs {
	if len(s.Surfaces) == 0 {
		return nil
	}
	return s.Outlines.Search.Pairs(s.X)
}

// Springs appends the tangents of the contacts at the last evaluation.
func (s *kinds) Springs(out []contactnodes.TangentTerm) []contactnodes.TangentTerm {
	for _, k := range s.contacts.Engines {
		out = k.Tangents(out)
	}
	return out
}

// Joined returns how often the freedoms that systems couple beside elements and contacts have changed.
func (s *kinds) Joined() int { return s.ties.Joined }

// Stiffen calls add with the rank-one parts K g g^T of the tangent of everything that is neither
// element nor contact. Their freedoms are the same until Joined changes.
func (s *kinds) Stiffen(f *system.Freedoms, add func(stiffness float64, freedom []int32, g []float64)) {
	for k := range system.All[system.Stiffening](s.systems) {
		k.Stiffen(f, add)
	}
}

// AddStiffness adds the tangent of all elements to value, in the order of the pattern.
func (s *kinds) AddStiffness(p *fem.Pattern, value []float64) {
	for k := range system.All[system.Elastic](s.systems) {
		k.AddStiffness(p, value)
	}
}

// MaxDisplacement returns how far a node may move at once without missing a contact [m]: a contact
// node that is deeper than the Depth of an edge would not be detected.
func (s *Solver) MaxDisplacement() float64 {
	if len(s.Surfaces) == 0 {
		return math.Inf(1)
	}
	const deepest = 0.5 // greatest approach of two nodes, relative to the shallowest edge's depth
	return 0.5 * deepest * s.Outlines.Shallow
}
