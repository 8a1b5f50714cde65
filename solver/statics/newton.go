package statics

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"fdem/materials/elementary"
	"fdem/solver"
	"fdem/solver/cholesky"
	"fdem/solver/constraints"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Newton's method (Newton-Raphson) with a line search finds the positions in which the forces are
// in equilibrium at the end of an increment. The law of a contact node is always evaluated with the
// memory of the last increment, so iterations do not change it. The converged increment is
// evaluated like a step of motion in time, which commits memory and energies.

// newton has the data of the iterations.
type newton struct {
	solver        *solver.Solver
	freedoms      *system.Freedoms
	stiffness     *stiffness
	Linear        *cholesky.Solver // solver of the linear systems of Newton's method
	begin         system.Positions // positions at the start of the increment
	base          system.Positions // positions at the start of the iteration
	massScale     []float64        // per freedom: square root of its mass relative to the mean of the nodes, for an angle of its moment of inertia [1], [m]
	residual      []float64        // generalised out-of-balance forces [N], [N m]
	rest          []float64        // residual of the last equilibrium
	rounding      []float64        // error of each by rounding of the positions
	excess        []float64        // residual without the rounding error
	step          []float64
	incrementNorm float64 // norm of the change of the forces in the increment [N]
	allowed       float64 // norm of the excess that counts as equilibrium [N]
	reference     float64 // norm of the forces by which it is measured [N]
	left          float64 // norm of the excess [N]
	unrestrained  []constraints.FreeBody
	hold          float64        // stiffness of the modes that are held, see neutralStiffness; 0 for none
	grip          bool           // see easeGrip
	neutral       []mode         // the held neutral modes
	slid          map[string]int // per contact: number of iterations of the increment in which all of it slid
	separated     map[string]int // per contact: number of iterations in which it carried no load
	noise         float64        // bound of the norm of the rounding errors [N]
}

// evaluate finds the forces at X and Time and the residual. It leaves memory and energies
// unchanged.
func (a *newton) evaluate(dt float64) error {
	s := a.solver
	defer s.Spend("forces", time.Now())
	if err := s.Try(&a.begin, dt); err != nil {
		return err
	}
	held := a.freedoms.Collect(a.residual)
	a.project(a.residual)
	loads, contact := s.SumsOfSquares()
	a.reference = max(s.Heaviest, math.Sqrt(max(loads, held, contact)))
	a.measureResidual()
	if sum := a.left + a.reference; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return errNumber
	}
	return nil
}

var errNumber = errors.New("forces are no longer finite numbers")

// measureResidual finds the part of the residual above rounding, and the norm up to which it counts
// as equilibrium. This norm is relative to the greatest forces so far, and to the change of forces
// in the increment. So a small load in addition to large ones is not ignored. Internal forces of
// stiff parts, of ties and of springs do not count.
func (a *newton) measureResidual() {
	for i, r := range a.residual {
		a.excess[i] = math.Copysign(max(math.Abs(r)-a.rounding[i], 0), r)
	}
	a.left = a.freedoms.Norm(a.excess)
	tolerance := a.solver.Static.Tolerance
	if a.allowed = tolerance * a.reference; a.incrementNorm > minIncrementNorm*a.reference {
		a.allowed = min(a.allowed, math.Sqrt(tolerance)*a.incrementNorm)
	}
}

// minIncrementNorm is a ratio to the greatest forces so far. A change of forces in an increment
// below it is only rounding.
const minIncrementNorm = 1e-13

// solve finds the equilibrium at Time, dt after the last one, within a number of iterations, and
// returns their number. The forces must be those of the last equilibrium. The positions are the
// converged ones afterwards; the rest of the state is as before.
func (a *newton) solve(dt float64, within int) (int, error) {
	s := a.solver
	a.begin.Copy(s.Freedoms)
	a.noise, a.incrementNorm = a.freedoms.Noise, 0
	clear(a.rounding)
	a.neutral = a.neutral[:0]
	if a.hold > 0 {
		a.assemble()
	}
	a.freedoms.Collect(a.rest)
	a.project(a.rest)
	if err := a.predict(); err != nil {
		return 0, err
	}
	if err := a.evaluate(dt); err != nil {
		return 0, err
	}
	for i, r := range a.residual {
		a.excess[i] = r - a.rest[i]
	}
	a.incrementNorm = max(a.incrementNorm, a.freedoms.Norm(a.excess))
	a.measureResidual()
	if a.grip {
		if err := a.easeGrip(dt, within); err != nil {
			return within, err
		}
	}
	iterations, err := a.iterate(dt, within, 0)
	for err == nil {
		again, failure := s.Repeat()
		if failure != nil || !again {
			return iterations, failure
		}
		if err = a.evaluate(dt); err == nil {
			_, err = a.iterate(dt, within, 1)
		}
	}
	return iterations, err
}

// grips are the factors on friction with which an increment is solved one after the other before its
// own friction is, if it has no equilibrium otherwise. They are powers of two, which are exact.
var grips = [...]float64{1024, 4, 2}

// easeGrip finds positions from which the increment's iterations start: equilibria with more
// friction, less and less of it. A body that friction alone holds would fall in the first iteration,
// because a contact that nothing has pressed yet has no friction, and would lose its contacts.
func (a *newton) easeGrip(dt float64, within int) error {
	s := a.solver
	for _, factor := range grips {
		s.ScaleFriction(factor)
		err := a.evaluate(dt)
		if err == nil {
			_, err = a.iterate(dt, within, 0)
		}
		s.ScaleFriction(1 / factor)
		if err != nil {
			return err
		}
	}
	return a.evaluate(dt)
}

// iterate finds the equilibrium from the present positions, see solve, in at least a number of
// iterations.
func (a *newton) iterate(dt float64, within, least int) (int, error) {
	s := a.solver
	before := math.Inf(1)
	clear(a.slid)
	clear(a.separated)
	first := 0.0 // greatest displacement in the first step [m]
	for i := range within {
		if i >= least && a.converged(i, before) && (i == 0 || !a.hidden() || a.longest() <= max(float64(hiddenStep*first), float64(hiddenRoundings*a.freedoms.Rounding))) {
			return i, nil
		}
		a.assemble()
		a.noise = max(a.freedoms.Noise, a.freedoms.Rounding*a.stiffness.diagonal(a.freedoms))
		a.stiffness.rounding(a.freedoms, a.rounding)
		a.measureResidual()
		before = a.left
		if err := a.invert(); err != nil {
			return i, err
		}
		a.shorten()
		if i == 0 {
			first = a.longest()
		}
		if err := a.search(dt); err != nil {
			return i, err
		}
		for _, name := range s.Sliding() {
			a.slid[name]++
		}
		for _, name := range s.Separated() {
			a.separated[name]++
		}
	}
	if a.converged(within, before) {
		return within, nil
	}
	return within, errIterations
}

// often is the least fraction of the iterations in which all of a contact slides, if that is the
// reason for no convergence. In a contact that does not slide, a bad iterate may slide
// occasionally. mostly is the same for contacts that carry no load.
const (
	often  = 0.1
	mostly = 0.5
)

// namesOf returns the contacts counted in at least the given fraction of the iterations.
func namesOf(counts map[string]int, part float64, iterations int) (names []string) {
	for name, count := range counts {
		if float64(count) >= part*float64(iterations) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// converged tells whether the forces are in equilibrium after a number of iterations, as far as
// rounding of the positions permits. Every increment has at least one iteration, even if its forces
// are small compared with that rounding. before is the residual at the start of the last iteration
// [N].
func (a *newton) converged(iterations int, before float64) bool {
	switch {
	case a.left <= a.allowed:
		return true
	case a.left > a.noise:
		return false
	case iterations == 0:
		return !(a.incrementNorm > minIncrementNorm*a.reference)
	}
	return iterations > 1 && a.left > stalled*before
}

// hidden tells whether the residual is above the limit only because of rounding. The true residual
// may still be larger in soft directions, such as that of a stiff body on a soft spring.
func (a *newton) hidden() bool { return a.left <= a.allowed && a.freedoms.Norm(a.residual) > a.allowed }

// If rounding hides the equilibrium, the last step must be shorter than one of these: a part of the
// first step, or a number of roundings of a position.
const (
	hiddenStep      = 0.01
	hiddenRoundings = 1000
)

// stalled is the ratio of the residuals after and before an iteration above which rounding prevents
// further progress.
const stalled = 0.1

var errIterations = errors.New("the iterations ran out")

// massScales returns the weights of the freedoms in a shift of the tangent stiffness. With shifts
// in proportion to mass a free body falls as it is, without rotation or deformation.
func massScales(f *system.Freedoms) []float64 {
	mass, n := 0.0, 0.0
	for i, m := range f.Inertia {
		if f.Size[i] == 1 && m > 0 {
			mass, n = mass+m, n+1
		}
	}
	out := slices.Clone(f.Size)
	for i, m := range f.Inertia {
		if m > 0 && n > 0 {
			out[i] = math.Sqrt(m * n / mass)
		}
	}
	return out
}

// assemble assembles the tangent stiffness at X.
func (a *newton) assemble() {
	defer a.solver.Spend("assembly", time.Now())
	a.stiffness.assemble(a.solver, a.freedoms)
	if a.hold > 0 {
		a.findNeutral()
	}
}

// invert finds the step from the residual.
func (a *newton) invert() error {
	began := time.Now()
	able := a.Linear.Prepare(a.stiffness.Matrix, a.massScale)
	a.solver.Spend("factorization", began)
	if !able {
		return errStiffness
	}
	defer a.solver.Spend("solve", time.Now())
	a.Linear.Solve(a.stiffness.Matrix, a.step, a.residual)
	a.holdStep()
	a.freedoms.DropStopped(a.step)
	if n := a.freedoms.Norm(a.step); math.IsNaN(n) || math.IsInf(n, 0) {
		return errStiffness
	}
	return nil
}

var errStiffness = errors.New("the tangent stiffness has no factor: stiffnesses of the model are too far apart for numbers, or no longer finite")

// predict moves driven nodes and bodies to their positions at Time. The unknowns follow as the
// elements and contacts of the last increment require.
func (a *newton) predict() error {
	s, u := a.solver, a.freedoms
	if len(u.Driven) > 0 && a.hold == 0 {
		a.assemble()
	}
	if !u.Prescribe() {
		return nil
	}
	if len(u.Driven) > 0 {
		d := make([]r2.Vec, len(s.X))
		for _, n := range u.Driven {
			d[n] = r2.Sub(s.X[n], a.begin.X[n])
		}
		clear(a.residual)
		a.stiffness.pull(u, a.residual, d)
		u.DropStopped(a.residual)
		a.project(a.residual)
		a.incrementNorm = u.Norm(a.residual)
		if err := a.invert(); err != nil {
			return err
		}
		a.base.Copy(s.Freedoms)
		u.Move(&a.base, a.step, 1)
	}
	for _, n := range s.Outline() {
		if elementary.Norm(r2.Sub(s.X[n], a.begin.X[n])) > s.MaxDisplacement() {
			return errTooFar
		}
	}
	return nil
}

var errTooFar = errors.New("bodies are driven so far in one increment that they could pass through one another")

// longest returns the greatest displacement of a step [m].
func (a *newton) longest() float64 {
	most := 0.0
	for i, d := range a.step {
		most = max(most, math.Abs(float64(d*a.freedoms.Size[i])))
	}
	return most
}

// shorten limits a step, so that contact of a body is found before it can cross an element.
func (a *newton) shorten() {
	longest := a.longest()
	if bound := a.solver.MaxDisplacement(); longest > bound {
		for i := range a.step {
			a.step[i] *= bound / longest
		}
	}
}

const (
	searchTrials = 12  // greatest number of trials of a line search
	searchSlack  = 0.5 // greatest ratio of the final to the initial work of the residual along the step
	leastAdvance = 0.1 // least advance of a trial, relative to the interval
	wide         = 10  // ratio of the upper to the lower bound above which the next trial is their geometric mean
)

// search goes along the step until the residual does little work along it (Crisfield, Non-linear
// Finite Element Analysis of Solids and Structures 1, section 9.2). This is needed because contact
// stiffens, so the whole step may go much too far.
func (a *newton) search(dt float64) error {
	s, u := a.solver, a.freedoms
	a.base.Copy(s.Freedoms)
	start, before := cholesky.Inner(a.step, a.excess), a.left
	low, high := 0.0, math.Inf(1)
	atLow, atHigh := start, 0.0
	t, longest := 1.0, a.longest()
	for trial := range searchTrials {
		u.Move(&a.base, a.step, t)
		if err := a.evaluate(dt); err != nil { // too far
			if trial == searchTrials-1 {
				return err
			}
			high, t = math.Inf(1), low+float64(0.25*(t-low))
			continue
		}
		left := cholesky.Inner(a.step, a.excess)
		if a.left <= a.allowed || math.Abs(left) <= searchSlack*start || a.left <= searchSlack*before || !(start > 0) {
			return nil
		}
		if left > 0 {
			if math.IsInf(high, 1) {
				if !(left >= start) || 4*t*longest > s.MaxDisplacement() {
					return nil // the step is not too long: the next iteration continues
				}
				low, atLow, t = t, left, 4*t // the forces drive further away from a saddle point
				continue
			}
			low, atLow = t, left
			atHigh *= 0.5        // Illinois method
			if high > wide*low { // far beyond a gap the forces are large, and the secant stays in front of it
				t = math.Sqrt(low * high)
				continue
			}
		} else {
			high, atHigh = t, left
			if trial > 0 {
				atLow *= 0.5
			}
		}
		t = low + float64((high-low)*max(atLow/(atLow-atHigh), leastAdvance))
	}
	if t = high; math.IsInf(high, 1) {
		return nil
	}
	u.Move(&a.base, a.step, high) // beyond a gap rather than in front of it, so that the next tangent includes the contact
	return a.evaluate(dt)
}

// farthest returns up to five nodes whose forces are farthest from equilibrium.
func (a *newton) farthest() (nodes []int32, positions []r2.Vec) {
	type one struct {
		node int32
		f    float64
	}
	var all []one
	a.freedoms.Farthest(func(node int32, force float64) { all = append(all, one{node, force}) })
	slices.SortStableFunc(all, func(p, q one) int { return cmp.Compare(q.f, p.f) })
	for _, o := range all[:min(5, len(all))] {
		if o.f < 0.1*all[0].f {
			break
		}
		nodes, positions = append(nodes, a.solver.Mesh.NodeID[o.node]), append(positions, a.solver.X[o.node])
	}
	return nodes, positions
}
