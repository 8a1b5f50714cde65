package solver

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// A static analysis walks through its schedules in increments. Each ends in
// balance, found by Newton's method; where it does not settle it is tried again
// half as long, and after easy ones increments grow again. Forces, contact and
// elements are those of motion in time.

// static is what a static analysis adds to a solver.
type static struct {
	newton
	bad     place       // of the last increment that did not settle
	loaded  [][]r2.Vec  // the loads' forces at the last increment [N]
	twisted [][]float64 // and their moments [N m]
}

// Unknowns returns the number of unknowns of a static analysis, 0 for motion in
// time.
func (s *Solver) Unknowns() int {
	if s.static == nil {
		return 0
	}
	return s.static.unknowns.n
}

// easy is the number of iterations up to which the next increment may be twice
// as long.
const easy = 8

// startStatic prepares the analysis at the initial positions.
func (s *Solver) startStatic() error {
	a := &static{newton: newton{Solver: s, linear: linear{cheap: cheap, accuracy: accuracy, patience: patience, of: &s.State}}}
	s.static = a
	a.unknowns = s.newUnknowns()
	a.linear.places = a.unknowns.places(s)
	clear(s.inverse) // nothing is inert
	for i := range s.rigids {
		s.rigids[i].inverse, s.rigids[i].turning = 0, 0
	}
	clear(s.V)
	if s.beams != nil {
		clear(s.beams.turning)
		clear(s.Spin)
	}
	s.rampWeight()
	s.addSources()
	a.stiffness = s.newStiffness()
	a.residual, a.step = make([]float64, a.unknowns.n), make([]float64, a.unknowns.n)
	if err := s.begin(); err != nil {
		return err
	}
	if err := s.forces(); err != nil {
		return err
	}
	s.Limit, s.Planned = s.Static.Increment, s.Static.Increment
	far := 0.0
	for _, x := range s.X {
		far = max(far, math.Abs(x.X), math.Abs(x.Y))
	}
	a.newton.noise = roundoff * math.Sqrt(float64(len(s.X))) * far * a.stiffest()
	for _, l := range s.loads {
		a.loaded = append(a.loaded, make([]r2.Vec, len(l.force)))
		a.twisted = append(a.twisted, make([]float64, len(l.moment)))
	}
	return nil
}

// rampWeight turns gravity into loads that grow evenly from nothing.
func (s *Solver) rampWeight() {
	if s.Gravity == (r2.Vec{}) {
		return
	}
	add := func(nodes []int32, mass []float64) {
		total := 0.0
		for _, w := range mass {
			total += w
		}
		for k := range mass {
			mass[k] /= total
		}
		l := &Load{On: "weight", Nodes: nodes, Weights: mass, Force: r2.Scale(total, s.Gravity)}
		l.Schedule = func(t float64) float64 { return t / s.Static.Whole }
		s.loads = append(s.loads, newLoad(l, s.Model))
	}
	var nodes []int32
	var mass []float64
	for n, w := range s.mass {
		if w > 0 {
			nodes, mass = append(nodes, int32(n)), append(mass, w)
		}
	}
	if nodes != nil {
		add(nodes, mass)
	}
	for i := range s.rigids {
		r := &s.rigids[i]
		if r.Mass > 0 { // its outline's middle is its centre
			mass := make([]float64, len(r.nodes))
			for k := range mass {
				mass[k] = r.Mass / float64(len(mass))
			}
			add(r.nodes, mass)
		}
	}
	m := *s.Model
	m.Gravity = r2.Vec{}
	s.Model = &m
}

// roundoff is the relative rounding of a place.
const roundoff = 1e-16

// run advances to Duration, one row of results an increment.
func (a *static) run(ctx context.Context, out Output) error {
	s := a.Solver
	for {
		stop := ctx.Err()
		if err := s.save(out, stop != nil); err != nil {
			return err
		}
		if len(s.Surfaces) > 0 {
			s.search.Renew(s.X) // a run that goes on from here has no other pairs
		}
		if err := s.forces(); err != nil { // nothing moves: after a resume they are needed
			return err
		}
		a.unknowns.hold(s)
		last := s.Time >= s.Duration || stop != nil
		s.gatherImpulses()
		s.row()
		if err := out.Row(); err != nil {
			return err
		}
		shown, err := s.frames(out, s.Last, last)
		if err != nil {
			return err
		}
		if out.Tick != nil {
			out.Tick()
		}
		if last {
			return stop
		}
		if _, err := a.advance(); err != nil {
			if !shown {
				if outErr := out.Frame(); outErr != nil {
					return outErr
				}
			}
			var unsettled *NotSettledError
			if errors.As(err, &unsettled) {
				if outErr := a.show(unsettled, out); outErr != nil {
					return outErr
				}
			}
			return err
		}
	}
}

// next returns the end of the next increment: at the next break at the latest.
func (a *static) next() float64 {
	s := a.Solver
	end := s.Duration
	for _, b := range s.Static.Breaks {
		if b > s.Time && b < end {
			end = b
			break
		}
	}
	if to := s.Time + s.Planned; to < end-float64(1e-6*s.Planned) {
		return to
	}
	return end
}

// advance takes one increment, as long as settles, and returns its length. If
// none does the state is as before, and the error says where.
func (a *static) advance() (float64, error) {
	s := a.Solver
	from, before := s.Time, s.Energies().Residual
	for i, l := range s.loads {
		copy(a.loaded[i], l.force)
		copy(a.twisted[i], l.moment)
	}
	for {
		to := a.next()
		dt := to - from
		s.Time = to
		iterations, err := a.solve(dt)
		if err == nil {
			err = a.commit(dt)
			if jump := math.Abs(s.Energies().Residual - before); jump > s.Ledger.Jump {
				s.Ledger.Jump, s.Ledger.JumpAt = jump, s.Time
			}
			if iterations <= easy {
				s.Planned = min(2*s.Planned, s.Static.Largest)
			}
			return dt, err
		}
		failure := &NotSettledError{Time: from, Increment: dt, Residual: a.left, Allowed: a.allowed, Reason: err}
		failure.Nodes, failure.Places = a.furthest()
		failure.Slides = s.sliding()
		a.bad.keep(s)
		a.newton.begin.restore(s)
		s.Time = from
		if 0.5*dt < s.Static.Smallest {
			failure.Loose = s.Loose()
			return 0, a.giveUp(failure)
		}
		s.Planned = 0.5 * dt
		s.Note("increment cut to %.4g s at t = %.6g s: %v", s.Planned, from, err)
		if err := a.evaluate(dt); err != nil {
			return 0, err
		}
	}
}

// show writes a frame of the places in which the last iteration stopped, and
// returns to the last balance.
func (a *static) show(e *NotSettledError, out Output) error {
	s := a.Solver
	var balance place
	balance.keep(s)
	a.bad.restore(s)
	s.Time += e.Increment
	_ = a.evaluate(e.Increment) // as far as it goes: the failure is told already
	_, err := s.frames(out, 0, true)
	balance.restore(s)
	s.Time = e.Time
	return errors.Join(err, a.giveUp(nil))
}

// giveUp leaves the forces of the last increment, and the failure.
func (a *static) giveUp(failure error) error {
	if err := a.evaluate(1); err != nil {
		return err
	}
	a.unload()
	return failure
}

// unload gives the loads the forces of the last increment back, of which the
// books take half.
func (a *static) unload() {
	for i, l := range a.loads {
		copy(l.force, a.loaded[i])
		copy(l.moment, a.twisted[i])
	}
}

// commit makes the balance found the state: memory and books go through the
// evaluation of a step of motion, with the velocities of a steady walk from the
// last increment.
func (a *static) commit(dt float64) error {
	s := a.Solver
	a.unload()
	for i := range s.V {
		s.V[i] = r2.Vec{X: (s.X[i].X - a.begin.x[i].X) / dt, Y: (s.X[i].Y - a.begin.x[i].Y) / dt}
	}
	for i := range s.Spin {
		s.Spin[i] = (s.Theta[i] - a.begin.theta[i]) / dt
	}
	for i := range s.Poses {
		p, q := &s.Poses[i], &a.begin.poses[i]
		p.Velocity = r2.Vec{X: (p.Centre.X - q.Centre.X) / dt, Y: (p.Centre.Y - q.Centre.Y) / dt}
		p.Spin = (p.Angle - q.Angle) / dt
	}
	s.N++
	s.Last = dt
	if err := s.forces(); err != nil {
		return err
	}
	a.unknowns.book(s)
	clear(s.Spin)
	s.Heaviest = a.reference
	clear(s.V)
	for i := range s.Poses {
		s.Poses[i].Velocity, s.Poses[i].Spin = r2.Vec{}, 0
	}
	return nil
}
