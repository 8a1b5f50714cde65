package statics

import (
	"errors"
	"math"
	"slices"

	"fdem/solver"
	"fdem/solver/cholesky"
)

// A mechanism is a motion without strain: of a body that nothing holds, or of parts that turn about
// hinges or single nodes. Its stiffness is zero. A load that does work in it has no equilibrium near
// the initial position. Whether one comes later, because contact stops the motion or the parts come
// in line with the load, only the analysis can tell.

const (
	smallShift  = 1e-11 // of the diagonal in proportion to mass, relative to its greatest entry: far above rounding, far below the stiffness of any structure
	mostlyFree  = 0.5   // loads drive a mechanism if they do more than this part of their work against the shift
	movesAsWell = 1e-2  // displacement relative to the greatest above which a body takes part in the mechanism
)

// Held returns a *solver.UnheldError if the loads of a static analysis drive a mechanism from its
// initial position and the first increment in which they do has no equilibrium. It computes the
// increments up to there if there is such a mechanism, and none otherwise, so the solver is of no
// other use afterwards. Other failures it leaves to the analysis.
func Held(s *solver.Solver) error {
	a := New(s)
	from, bodies := a.mechanism()
	if bodies == nil {
		return nil
	}
	touches := a.touch(bodies)
	if touches && from > 0 { // by then contact has changed
		return nil
	}
	err := s.Try(&a.begin, 1)
	if err != nil { // the forces at the start again
		return nil
	}
	s.Kept = cholesky.Kept{}
	for a = New(s); s.Time <= from && err == nil; {
		if err = s.Resettle(); err == nil {
			err = a.advance()
		}
	}
	var failed *solver.NotConvergedError
	if !errors.As(err, &failed) || errors.Is(failed.Reason, errNumber) {
		return nil
	}
	e := &solver.UnheldError{Time: from, Bodies: failed.Unrestrained, Of: s.Mesh.Bodies[bodies[0]].Name}
	switch {
	case len(e.Bodies) > 0:
	case len(failed.FreeWithout) > 0:
		e.Bodies, e.Separated = failed.FreeWithout, failed.Separated
	case touches: // friction holds it, only not enough
		return nil
	default:
		for _, b := range bodies {
			e.Bodies = append(e.Bodies, s.Mesh.Bodies[b].Name)
		}
		e.Hinged = true
	}
	return e
}

// mechanism finds the first time from which loads drive a mechanism, and the bodies of the mesh that
// move in it; none if there is none. Loads are looked at where their course changes.
func (a *Analysis) mechanism() (from float64, bodies []int32) {
	s, f := a.solver, a.freedoms
	a.begin.Copy(f)
	a.stiffness.assemble(s, f)
	shift := a.shift()
	if !a.Linear.Prepare(a.stiffness.Matrix, a.massScale) {
		return 0, nil
	}
	defer func(time float64) { s.Time = time }(s.Time)
	first := s.Time
	for _, t := range slices.Concat([]float64{a.next()}, s.Static.Breaks, []float64{s.Duration}) {
		if t <= from && from > first || t > s.Duration {
			continue
		}
		s.Time = t
		if err := s.Try(&a.begin, t-first); err != nil {
			return 0, nil
		}
		f.Collect(a.residual)
		a.Linear.Solve(a.stiffness.Matrix, a.step, a.residual)
		against, work := 0.0, cholesky.Inner(a.residual, a.step)
		for i, d := range a.massScale {
			against += float64(shift * float64(float64(d*a.step[i])*float64(d*a.step[i])))
		}
		if against > mostlyFree*work && work > 0 && !math.IsInf(work, 0) {
			return from, a.moving()
		}
		from = t
	}
	return 0, nil
}

// shift increases the stiffness in proportion to mass, so that it is positive in mechanisms, and
// returns the factor.
func (a *Analysis) shift() float64 {
	k, most := a.stiffness.Matrix, 0.0
	for i, d := range a.massScale {
		most = max(most, math.Abs(k.Data[k.At(int32(i), int32(i))])/float64(d*d))
	}
	shift := smallShift * most
	for i, d := range a.massScale {
		k.Data[k.At(int32(i), int32(i))] += float64(shift * float64(d*d))
	}
	return shift
}

// moving returns the bodies that the step moves.
func (a *Analysis) moving() (bodies []int32) {
	m, f := a.solver.Mesh, a.freedoms
	far, most := make([]float64, len(m.Bodies)), 0.0
	for i := range m.Bodies {
		for _, n := range m.Bodies[i].Nodes {
			for _, k := range f.Moves[n] {
				f.Each(k, func(k int32, weight float64) {
					far[i] = max(far[i], math.Abs(float64(weight*a.step[k])*f.Size[k]))
				})
			}
		}
		most = max(most, far[i])
	}
	for i, d := range far {
		if d > movesAsWell*most {
			bodies = append(bodies, int32(i))
		}
	}
	return bodies
}

// touch tells whether a contact names an edge of one of the bodies.
func (a *Analysis) touch(bodies []int32) bool {
	m := a.solver.Mesh
	for i := range a.solver.Contacts {
		c := &a.solver.Contacts[i]
		for _, edges := range [2][]int32{c.Contactor, c.Opposite} {
			for _, e := range edges {
				if slices.Contains(bodies, m.Edges[e].Body) {
					return true
				}
			}
		}
	}
	return false
}
