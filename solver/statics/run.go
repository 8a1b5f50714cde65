// Package statics is nonlinear static analysis. It finds the equilibrium of a model at the end of
// each increment of its loads (incremental-iterative, with automatic increments), by Newton's
// method with the tangent stiffness and a line search. Forces, contact and elements are those of
// motion in time.
package statics

import (
	"context"
	"errors"
	"math"

	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/cholesky"
	"fdem/solver/constraints"
	"fdem/solver/system"
)

// Analysis follows the schedules of a model in increments. Each increment ends in equilibrium. If
// it does not converge it is tried again with half the length. After increments with few iterations
// the length grows again.
type Analysis struct {
	newton
	bad  system.Positions // positions of the last increment that did not converge
	cut  float64          // shortest increment after a cut so far, 0 for none
	said bool             // the log says that neutral modes are held
}

const (
	// quickIterations is the greatest number of iterations after which the next increment may be
	// twice as long.
	quickIterations = 8
	// patience multiplies the number of iterations of an increment that cannot be cut any more.
	// Faces that lie on one another come into contact by one node per iteration. If a whole contact
	// slides, Newton's method converges slowly, because its matrix is symmetric. Both happen in
	// increments of any length.
	patience = 10
)

// smallestPart is the length below which increments are not cut, relative to the first one, where that
// follows from the model.
const smallestPart = 1.0 / 64

// rampIncrements is the least number of increments in which an initial overlap is ramped in.
const rampIncrements = 8

// Run advances a solver: by static analysis if its model is Static, otherwise in time.
func Run(ctx context.Context, s *solver.Solver, out solver.Observer) error {
	if s.Static == nil {
		return s.Run(ctx, out)
	}
	return New(s).Run(ctx, out)
}

// New begins the analysis of a solver whose model is Static.
func New(s *solver.Solver) *Analysis {
	a := &Analysis{newton: newton{solver: s, freedoms: s.Freedoms, stiffness: newStiffness(s), slid: map[string]int{}, separated: map[string]int{}}}
	a.Linear = cholesky.New(a.freedoms.Positions(), mesh.NarrowRows, &s.Kept)
	a.massScale, a.unrestrained = massScales(a.freedoms), constraints.FreeBodies(a.freedoms)
	for _, v := range []*[]float64{&a.residual, &a.rest, &a.rounding, &a.excess, &a.step} {
		*v = make([]float64, a.freedoms.N)
	}
	return a
}

// Run advances to Duration, with one row of results per increment. It stops at the end of an
// increment when ctx is done, and returns ctx.Err().
func (a *Analysis) Run(ctx context.Context, out solver.Observer) error {
	s := a.solver
	for {
		stop := ctx.Err()
		if err := s.Save(out, stop != nil); err != nil {
			return err
		}
		if err := s.Resettle(); err != nil {
			return err
		}
		last := s.Time >= s.Duration || stop != nil
		shown, err := s.ShowBalance(out, last)
		if err != nil {
			return err
		}
		if last {
			return stop
		}
		if err := a.advance(); err != nil {
			if !shown {
				if outErr := out.Frame(); outErr != nil {
					return outErr
				}
			}
			var notConverged *solver.NotConvergedError
			if errors.As(err, &notConverged) {
				if outErr := a.show(notConverged, out); outErr != nil {
					return outErr
				}
			}
			return err
		}
	}
}

// next returns the end of the next increment. It is at most the next break and, while overlaps are
// ramped in, the end of the next part of the ramp.
func (a *Analysis) next() float64 {
	s := a.solver
	end := s.Duration
	for _, b := range s.Static.Breaks {
		if b > s.Time && b < end {
			end = b
			break
		}
	}
	end = min(end, s.NextRampEnd(rampIncrements))
	if left := end - s.Time; left < 2*s.Planned && left > s.Planned && !math.IsInf(s.FirstIncrement(), 1) {
		return s.Time + float64(0.5*left) // rather than a short one at last
	}
	if to := s.Time + s.Planned; to < end-float64(1e-6*s.Planned) {
		return to
	}
	return end
}

// advance takes one increment, as long as converges. If none converges, the state is as before, and
// the error says where.
func (a *Analysis) advance() error {
	s := a.solver
	from, before := s.Time, s.Energies()
	for {
		to := a.next()
		dt := to - from
		s.Time = to
		within, shortest := s.Static.Iterations, 0.5*dt < min(s.Static.Smallest, smallestPart*s.FirstIncrement())
		if shortest {
			within *= patience
		}
		iterations, failure, err := a.try(from, dt, within)
		longest := s.Static.Largest
		if err != nil {
			return err
		}
		if failure == nil {
			next, fits := s.Pace()
			if !fits && !shortest {
				s.Planned = 0.5 * dt
				a.begin.Restore(s.Freedoms)
				s.Time = from
				if err := a.evaluate(dt); err != nil {
					return err
				}
				continue
			}
			longest = min(longest, next)
			err = s.Commit(&a.begin, dt)
			s.Heaviest = a.reference
			a.addToResidual(before)
			if iterations <= quickIterations {
				s.Planned = 2 * s.Planned
			}
			s.Planned = min(s.Planned, longest)
			return err
		}
		if shortest {
			if failure.Unrestrained = s.Unrestrained(); len(failure.Unrestrained) == 0 {
				if failure.FreeWithout = s.Unrestrained(failure.Separated...); len(failure.FreeWithout) == 0 {
					failure.Collapsed, failure.Borne = a.collapsing(from, dt), s.Borne()
				}
			}
			return failure
		}
		s.Planned = 0.5 * dt
		if a.cut == 0 || s.Planned < 0.99*a.cut { // reported once if increments grow and are cut again
			a.cut = s.Planned
			s.Note("increment cut to %.4g s at t = %.6g s: %v", s.Planned, from, failure.Reason)
		}
	}
}

// try solves an increment that starts at time from. First it treats the neutral modes as in the
// last increment, see neutralStiffness. If that fails it tries the other ways, and at last with more friction
// first (easeGrip). If all fail, everything is as before, and the failure is that of the first try.
func (a *Analysis) try(from, dt float64, within int) (iterations int, failure *solver.NotConvergedError, err error) {
	s, to := a.solver, a.solver.Time
	held := s.HoldsNeutral
	const ways = int64(len(neutralStiffness))
	for way := range ways + 1 {
		a.grip = way == ways
		switch {
		case a.grip && !s.Sticks(), way > 0 && way < ways && len(a.unrestrained) == 0:
			continue
		case !a.grip:
			s.HoldsNeutral = (held + way) % ways
		}
		s.Time = to
		a.hold = neutralStiffness[s.HoldsNeutral]
		iterations, err := a.solve(dt, within)
		if err == nil && a.hold > 0 {
			err = a.judge()
		}
		if err == nil {
			return iterations, nil, nil
		}
		if failure == nil {
			failure = &solver.NotConvergedError{Time: from, Increment: dt, Residual: a.left, Allowed: a.allowed, Reason: err}
			failure.Nodes, failure.Positions = a.farthest()
			failure.Slides = namesOf(a.slid, often, iterations)
			failure.Separated = namesOf(a.separated, mostly, iterations)
			a.bad.Copy(s.Freedoms)
		}
		s.HoldsNeutral = held
		a.begin.Restore(s.Freedoms)
		s.Time = from
		if err := a.evaluate(dt); err != nil {
			return 0, nil, err
		}
	}
	return 0, failure, nil
}

// judge returns an error if the forces that hold the neutral modes are more than errors of
// discretisation. It reports once that the modes are held.
func (a *Analysis) judge() error {
	part, ok := a.undriven()
	if !ok {
		return errDriven
	}
	if !a.said {
		a.said = true
		a.solver.Note("nothing drives what supports and contact leave free of %s: it is held there, by at most %.1g of the forces of contact", quoted(a.unrestrained), part)
	}
	return nil
}

// smallGap is a distance relative to the depth of the shallowest edge. Bodies may move onto each
// other by this distance without a warning, because bodies that are drawn in contact have such gaps
// from rounding and from their facets.
const smallGap = 0.05

// addToResidual records the energy that an increment has added to the residual. Bodies that fall,
// or snap to another equilibrium, release energy. If most of the increment's external work became
// such energy and the displacement is small, the increment counts as the closing of a gap.
func (a *Analysis) addToResidual(before system.Energies) {
	s := a.solver
	e, l := s.Energies(), &s.Ledger
	added := e.Residual - before.Residual
	if math.Abs(added) > 0.5*math.Abs(e.ExternalWork-before.ExternalWork) && a.begin.Distance(s.Freedoms) < smallGap*s.Shallowest() {
		l.Closed += added
		return
	}
	if jump := math.Abs(added); jump > l.Jump {
		l.Jump, l.JumpAt = jump, s.Time
	}
}

// show writes a frame of the positions at which the last iteration stopped, and returns to the last
// equilibrium.
func (a *Analysis) show(e *solver.NotConvergedError, out solver.Observer) error {
	s := a.solver
	var balance system.Positions
	balance.Copy(s.Freedoms)
	a.bad.Restore(s.Freedoms)
	s.Time += e.Increment
	_ = a.evaluate(e.Increment) // an error is ignored, because the failure is reported already
	_, err := s.Show(out, false, false, 0, true)
	balance.Restore(s.Freedoms)
	s.Time = e.Time
	return errors.Join(err, a.evaluate(1))
}
