package solver

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Newton's method finds the places in which the forces balance at the end of
// an increment. The law of a contact node is evaluated from the memory of the
// last increment every time, so that no iteration leaves a trace; the increment
// that is taken goes through the same evaluation as a step of motion in time,
// which commits the memory and keeps the books.

// NotSettledError reports an increment that found no balance however short.
type NotSettledError struct {
	Time      float64 // of the last increment in balance [s]
	Increment float64 // the shortest that was tried [s]
	Residual  float64 // force out of balance in it [N]
	Allowed   float64 // [N]
	Nodes     []int64 // the file's numbers of the nodes that are furthest from balance
	Places    []r2.Vec
	Loose     []string // bodies that are free to move as a whole, see Loose
	Slides    []string // contacts whose friction was at its limit all over
	Reason    error    // why the last iteration stopped, nil where it ran out
}

func (e *NotSettledError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no balance after t = %.6g s: an increment of %.3g s leaves %.3g N where %.3g N are allowed", e.Time, e.Increment, e.Residual, e.Allowed)
	if e.Reason != nil {
		fmt.Fprintf(&b, " (%v)", e.Reason)
	}
	if len(e.Nodes) > 0 {
		b.WriteString("; furthest from it:")
	}
	for i, n := range e.Nodes {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " node %d at (%.6g, %.6g) m", n, e.Places[i].X, e.Places[i].Y)
	}
	if len(e.Loose) > 0 {
		fmt.Fprintf(&b, "; %s", Advice(e.Loose))
	}
	if len(e.Slides) > 0 {
		fmt.Fprintf(&b, "; friction bears no more in contact %s: what nothing else holds slides, and is in balance only if it is fixed, driven by a displacement or a motion, or given more friction", strings.Join(e.Slides, ", "))
	}
	return b.String()
}

// Advice says which bodies are loose, and what would hold them.
func Advice(loose []string) string {
	const most = 5
	more := ""
	if len(loose) > most {
		loose, more = loose[:most], fmt.Sprintf(" and %d more", len(loose)-most)
	}
	return "supports leave free as a whole: " + strings.Join(loose, ", ") + more +
		"; contact without friction holds a body against itself only: in directions in which nothing presses, and to turn, fix it or give the contact friction"
}

// sliding names the contacts whose contact nodes all slide one way.
func (s *Solver) sliding() []string {
	const nearly = 0.99
	var out []string
	for _, c := range s.Surfaces {
		if mu := c.Friction.Kinetic; mu*c.Normal > 0 && math.Abs(c.Tangential) > nearly*mu*c.Normal {
			out = append(out, strconv.Quote(c.Name))
		}
	}
	return out
}

// newton holds what the iterations need.
type newton struct {
	*Solver
	unknowns  *unknowns
	stiffness *stiffness
	linear    linear
	begin     place     // of the increment
	base      place     // of the iteration
	residual  []float64 // generalised forces out of balance [N], [N m]
	step      []float64
	allowed   float64 // norm of the residual that is in balance [N]
	reference float64 // the norm of the forces that it is measured by [N]
	left      float64 // its norm [N]
	noise     float64 // that rounding may leave of it [N]
}

// evaluate finds the forces at X and Time without a trace, and the residual.
func (a *newton) evaluate(dt float64) error {
	s := a.Solver
	if err := s.addTriangleForces(); err != nil {
		return err
	}
	if s.beams != nil {
		if err := s.addBeamForces(); err != nil {
			return err
		}
	}
	if len(s.Surfaces) > 0 {
		s.contact.Clear(s.outline.Nodes)
		s.pressed = true
		for i := range s.V { // the way of this increment
			s.V[i] = r2.Vec{X: (s.X[i].X - a.begin.x[i].X) / dt, Y: (s.X[i].Y - a.begin.x[i].Y) / dt}
		}
		pairs := s.search.Pairs(s.X)
		for _, i := range s.byName {
			if err := s.Surfaces[i].Try(s.contact, s.X, s.V, pairs, s.Time, dt); err != nil {
				return err
			}
		}
		for _, n := range s.outline.Nodes {
			s.f[n].X += s.contact.F[n].X
			s.f[n].Y += s.contact.F[n].Y
		}
	}
	loads := 0.0
	for _, l := range s.loads {
		if err := l.evaluate(s); err != nil {
			return err
		}
		l.apply(s)
		for _, f := range l.force {
			loads += float64(f.X*f.X) + float64(f.Y*f.Y)
		}
	}
	held := a.unknowns.gather(s, a.residual)
	contact := 0.0
	for _, n := range s.outline.Nodes {
		f := s.contact.F[n]
		contact += float64(f.X*f.X) + float64(f.Y*f.Y)
	}
	a.left = a.unknowns.norm(a.residual)
	a.reference = max(s.Heaviest, math.Sqrt(max(loads, held, contact)))
	if sum := a.left + a.reference; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return errNumber
	}
	a.allowed = max(s.Static.Tolerance*a.reference, a.noise)
	return nil
}

var errNumber = errors.New("forces are no longer finite numbers")

// stiffest is the greatest stiffness of the elements at the start [N/m]; times
// the rounding of a place it is a force that no iteration can mend.
func (a *newton) stiffest() float64 {
	a.stiffness.assemble(a.Solver, a.unknowns)
	k, first := a.stiffness.elements, 0.0
	for i := range len(k.RowPtr) - 1 {
		for at := k.RowPtr[i]; at < k.RowPtr[i+1]; at++ {
			if int(k.Col[at]) == i {
				first = max(first, a.stiffness.value[at])
			}
		}
	}
	return first
}

// solve finds the balance at Time, dt after the last one, and returns the
// number of iterations. The places are left there; the state is otherwise as
// it was.
func (a *newton) solve(dt float64) (int, error) {
	s := a.Solver
	a.begin.keep(s)
	if err := a.predict(); err != nil {
		return 0, err
	}
	if err := a.evaluate(dt); err != nil {
		return 0, err
	}
	for i := range s.Static.Iterations {
		if a.left <= a.allowed {
			return i, nil
		}
		a.stiffness.assemble(s, a.unknowns)
		a.linear.prepare(a.stiffness, a.unknowns.size)
		a.linear.solve(a.stiffness, a.step, a.residual)
		a.shorten()
		if err := a.search(dt); err != nil {
			return i, err
		}
	}
	if a.left <= a.allowed {
		return s.Static.Iterations, nil
	}
	return s.Static.Iterations, errIterations
}

var errIterations = errors.New("the iterations ran out")

// predict moves what schedules drive to its place at Time, and the unknowns as
// the elements and contacts of the last increment follow it.
func (a *newton) predict() error {
	s, u := a.Solver, a.unknowns
	if len(u.driven) > 0 {
		a.stiffness.assemble(s, u)
	}
	if !u.prescribe(s) {
		return nil
	}
	if len(u.driven) > 0 {
		d := make([]r2.Vec, len(s.X))
		for _, p := range u.driven {
			d[p.node] = r2.Sub(s.X[p.node], a.begin.x[p.node])
		}
		clear(a.residual)
		a.stiffness.pull(u, a.residual, d)
		a.linear.prepare(a.stiffness, u.size)
		a.linear.solve(a.stiffness, a.step, a.residual)
		a.base.keep(s)
		u.move(s, &a.base, a.step, 1)
	}
	for _, n := range s.outline.Nodes {
		if elementary.Norm(r2.Sub(s.X[n], a.begin.x[n])) > a.leap() {
			return errLeap
		}
	}
	return nil
}

var errLeap = errors.New("bodies are driven so far in one increment that they could pass through one another")

// leap is how far a node may go at once [m]: a contact node deeper than the
// Depth of an edge would not be seen.
func (a *newton) leap() float64 {
	if len(a.Surfaces) == 0 {
		return math.Inf(1)
	}
	return 0.5 * deepestLeap * a.shallow
}

// deepestLeap is the part of the shallowest edge's depth by which two nodes
// may approach one another at once.
const deepestLeap = 0.5

// shorten bounds a step: a body is caught before it can cross an element.
func (a *newton) shorten() {
	longest := 0.0
	for i, d := range a.step {
		longest = max(longest, math.Abs(float64(d*a.unknowns.size[i])))
	}
	if bound := a.leap(); longest > bound {
		for i := range a.step {
			a.step[i] *= bound / longest
		}
	}
}

const (
	trials    = 12  // of a line search at most
	slackness = 0.5 // the part of the work of the residual along the step that may be left
)

// search goes along the step to where the residual does little work on it any
// more (Crisfield, Non-linear Finite Element Analysis of Solids and Structures
// 1, section 9.2): contact stiffens, and the whole step may lead far beyond.
func (a *newton) search(dt float64) error {
	s, u := a.Solver, a.unknowns
	a.base.keep(s)
	start, before := inner(a.step, a.residual), a.left
	low, high := 0.0, math.Inf(1)
	atLow, atHigh := start, 0.0
	t := 1.0
	for trial := range trials {
		u.move(s, &a.base, a.step, t)
		if err := a.evaluate(dt); err != nil { // too far
			if trial == trials-1 {
				return err
			}
			high, t = math.Inf(1), low+float64(0.25*(t-low))
			continue
		}
		left := inner(a.step, a.residual)
		if a.left <= a.allowed || math.Abs(left) <= slackness*start || a.left <= slackness*before || !(start > 0) {
			return nil
		}
		if left > 0 {
			if math.IsInf(high, 1) { // not far enough: the next iteration goes on
				return nil
			}
			low, atLow = t, left
			atHigh *= 0.5 // Illinois
		} else {
			high, atHigh = t, left
			if trial > 0 {
				atLow *= 0.5
			}
		}
		t = low + float64((high-low)*atLow/(atLow-atHigh))
	}
	return nil
}

// furthest names up to five nodes whose forces are furthest from balance.
func (a *newton) furthest() (nodes []int64, places []r2.Vec) {
	type one struct {
		node int32
		f    float64
	}
	var all []one
	for n, f := range a.f {
		m := &a.unknowns.moves[n]
		if m[0] < 0 {
			f.X = 0
		}
		if m[1] < 0 {
			f.Y = 0
		}
		if g := elementary.Norm(f); g > 0 && a.unknowns.body[n] < 0 {
			all = append(all, one{int32(n), g})
		}
	}
	for i := range a.rigids { // a rigid body by the node that bears most
		r := &a.rigids[i]
		if m := a.unknowns.moves[r.nodes[0]]; m == [3]int32{-1, -1, -1} {
			continue
		}
		worst := one{r.nodes[0], 0}
		for _, n := range r.nodes {
			if g := elementary.Norm(a.f[n]); g > worst.f {
				worst = one{n, g}
			}
		}
		f, _ := r.resultant(a.Solver, i)
		all = append(all, one{worst.node, elementary.Norm(f)})
	}
	slices.SortStableFunc(all, func(p, q one) int { return cmp.Compare(q.f, p.f) })
	for _, o := range all[:min(5, len(all))] {
		if o.f < 0.1*all[0].f {
			break
		}
		nodes, places = append(nodes, a.Mesh.NodeID[o.node]), append(places, a.X[o.node])
	}
	return nodes, places
}
