// Package bolt is the mechanics of rock bolts and cables: a bar that is bonded to the rock along
// its length by grout, which slips and yields. C. M. St. John, D. E. Van Dillen, Proc. 24th US
// Symp. Rock Mech. (1983) 843, after I. W. Farmer, Int. J. Rock Mech. Min. Sci. 12 (1975) 347.
//
// A bar runs along a chain of points of the rock. Segment i lies between the points i and i + 1, at
// a distance l_i, which is L_i when the bolt is installed. With the slip s_i of the bar in the rock at each point, from
// the head to the far end, the bar has the strain, the force and at each point the balance
//
//	e_i = (l_i - L_i + s_i+1 - s_i)/L_i
//	N_i = EA (e_i - p_i), |N_i| <= Y + H a_i
//	N_i - N_i-1 = h_i q(s_i),   q = K (s - r), |q| <= S
//
// with the plastic strain p and its path a, the length h_i of bar that belongs to a point, and the
// slip r that the bond has released. The bar has no mass: its forces are in balance at every
// moment. The rock has the forces N_i along the segments, so momentum and angular momentum are kept
// to rounding. Where rock opens between two points, l_i grows, and the bar holds.
package bolt

import (
	"fmt"
	"math"
	"slices"
)

// Bar is the steel.
type Bar struct {
	Stiffness float64 // EA: force over strain [N]
	Yield     float64 // Y: force at which it yields [N]; +Inf if it does not
	Hardening float64 // H: force over plastic strain [N]
	Rupture   float64 // plastic strain at which it breaks; +Inf if it does not
}

// Bond is the grout between bar and rock.
type Bond struct {
	Stiffness float64 // K: force per length over slip [N/m2]
	Strength  float64 // S: force per length at which it slips [N/m]; +Inf if it does not
	Residual  float64 // force per length that is left [N/m]
	Softening float64 // released slip over which the strength falls to that [m]; 0 for a strength that stays
}

// Plate is the plate at the head, which pulls the bar against the rock.
type Plate struct {
	Stiffness float64 // force over slip [N/m]; 0 for none
	Tension   float64 // force with which it is tightened [N]
}

// Law is a bolt's law.
type Law struct {
	Bar
	Bond
	Plate
	Dowel
}

// Alpha returns sqrt(K/EA), over whose inverse the force of a pulled bar falls by e [1/m].
func (l *Law) Alpha() float64 { return math.Sqrt(l.Bond.Stiffness / l.Bar.Stiffness) }

// strength returns the strength of the bond after a path of released slip [N/m].
func (b *Bond) strength(path float64) float64 {
	if b.Softening == 0 || path == 0 {
		return b.Strength
	}
	return b.Strength - float64((b.Strength-b.Residual)*min(path/b.Softening, 1))
}

// Chain is one bolt. The slices have a value per point, or per segment, of which there is one
// less. Rest, Bonded and More are given; State is all that outlives a step.
type Chain struct {
	Law
	Bonded  []float64 // per point: the length of bar that is bonded there [m]
	Stretch []float64 // per segment: l - L at the present evaluation [m]
	More    []float64 // per point: strength that confinement adds to the bond [N/m]
	Force   []float64 // per segment: N of the last Solve [N]
	Grip    []float64 // per point: q of the last Solve [N/m]
	Head    float64   // force of the plate at the last Solve [N]
	Now     []float64 // per point: slip of the last Solve [m]
	State

	gradient, diagonal, next, step []float64
}

// State is what outlives a step. The slices of all chains of a run are parts of one.
type State struct {
	Rest     []float64 // per segment: L [m]
	Slip     []float64 // per point: slip [m]
	Released []float64 // per point: released slip r [m]
	Path     []float64 // per point: path of released slip [m]
	Gripped  []float64 // per point: q [N/m]
	Plastic  []float64 // per segment: plastic strain p, of a broken one all of its strain
	Worked   []float64 // per segment: path a of the plastic strain
	Pulled   []float64 // per segment: N [N]
	Broken   []float64 // per segment: 1 if it is broken
	Locked   []float64 // one value: slip of the head when the plate was locked [m]
}

// NewState makes the state of bolts with a number of points and segments in all.
func NewState(points, segments, chains int) State {
	p, s := func() []float64 { return make([]float64, points) }, func() []float64 { return make([]float64, segments) }
	return State{Rest: s(), Slip: p(), Released: p(), Path: p(), Gripped: p(), Plastic: s(), Worked: s(), Pulled: s(), Broken: s(), Locked: make([]float64, chains)}
}

// Of returns the state of one chain as parts of the slices of all: its points from one number on,
// its segments from another.
func (s *State) Of(point, segment, points, chain int) State {
	p, q := point+points, segment+points-1
	return State{
		Rest: s.Rest[segment:q], Slip: s.Slip[point:p], Released: s.Released[point:p], Path: s.Path[point:p], Gripped: s.Gripped[point:p],
		Plastic: s.Plastic[segment:q], Worked: s.Worked[segment:q], Pulled: s.Pulled[segment:q], Broken: s.Broken[segment:q], Locked: s.Locked[chain : chain+1],
	}
}

// New makes a chain on a state.
func New(law Law, bonded []float64, state State) *Chain {
	n := len(bonded)
	p := func() []float64 { return make([]float64, n) }
	return &Chain{Law: law, Bonded: bonded, Stretch: make([]float64, n-1), More: p(), Force: make([]float64, n-1), Grip: p(), Now: p(), State: state,
		gradient: p(), diagonal: p(), next: make([]float64, n-1), step: p()}
}

// soft is the least tangent of a bar or a bond in the iteration, relative to its stiffness. It has no
// effect on the result.
const soft = 1e-6

// The iteration ends where the forces at each point balance up to a share of the greatest force and
// of the stiffness of the bar.
const (
	shareOfForce     = 1e-10
	shareOfStiffness = 1e-13
	passes           = 200
)

// NoBalanceError reports that no balance of a bar was found.
type NoBalanceError struct {
	Left, Of float64 // [N]
}

func (e *NoBalanceError) Error() string {
	return fmt.Sprintf("no balance of its bar: %.3g N of %.3g N are left", e.Left, e.Of)
}

// Install lets the chain begin without load at distances between its points [m]. The plate is
// tightened, and locked. It returns the energy that the tension stores [J], and dissipates.
func (c *Chain) Install(distance []float64) (stored, dissipated float64, err error) {
	for _, s := range [][]float64{c.Slip, c.Released, c.Path, c.Gripped, c.Plastic, c.Worked, c.Pulled, c.Broken, c.Stretch} {
		clear(s)
	}
	copy(c.Rest, distance)
	c.Locked[0] = math.NaN() // the plate pulls with its tension
	if err := c.Solve(); err != nil {
		return 0, 0, err
	}
	dissipated = c.Commit()
	c.Locked[0] = c.Slip[0]
	return c.Stored(), dissipated, nil
}

// plate returns the force of the plate at a slip of the head [N] and its slope [N/m].
func (c *Chain) plate(slip float64) (force, slope float64) {
	switch {
	case c.Plate.Stiffness == 0:
		return 0, 0
	case math.IsNaN(c.Locked[0]):
		return c.Tension, 0
	}
	force = c.Tension + float64(c.Plate.Stiffness*(slip-c.Locked[0]))
	if force <= 0 {
		return 0, 0
	}
	return force, c.Plate.Stiffness
}

// strain returns the strain of a segment at some slips.
func (c *Chain) strain(i int, slip []float64) float64 {
	return (c.Stretch[i] + (slip[i+1] - slip[i])) / c.Rest[i]
}

// limit returns the force at which a segment yields now [N].
func (c *Chain) limit(i int) float64 { return c.Yield + float64(c.Hardening*c.Worked[i]) }

// bar returns force [N] and slope over strain [N] of a segment.
func (c *Chain) bar(i int, slip []float64) (force, slope float64) {
	if c.Broken[i] > 0 {
		return 0, 0
	}
	strain := c.strain(i, slip)
	force, slope = float64(c.Bar.Stiffness*(strain-c.Plastic[i])), c.Bar.Stiffness
	limit := c.limit(i)
	if over := math.Abs(force) - limit; over > 0 {
		soften := c.Hardening / (c.Bar.Stiffness + c.Hardening)
		force, slope = math.Copysign(limit+float64(soften*over), force), c.Bar.Stiffness*soften
	}
	return force, slope
}

// bond returns force per length [N/m] and slope [N/m2] of a point.
func (c *Chain) bond(i int, slip float64) (force, slope float64) {
	force, slope = float64(c.Bond.Stiffness*(slip-c.Released[i])), c.Bond.Stiffness
	if limit := c.Bond.strength(c.Path[i]) + c.More[i]; math.Abs(force) > limit {
		return math.Copysign(limit, force), 0
	}
	return force, slope
}

// Solve finds the slips at which the bar is in balance, by Newton's method on an energy that is
// convex in the slips, with a line search. The strength of the bond is that before the step. It
// changes no state.
func (c *Chain) Solve() error {
	copy(c.Now, c.Slip)
	for range passes {
		left, most := c.evaluate(c.Now)
		if left <= float64(shareOfForce*most)+float64(shareOfStiffness*c.Bar.Stiffness) {
			return nil
		}
		c.solveLinear()
		c.advance()
	}
	left, most := c.evaluate(c.Now)
	if left <= 1e-6*most {
		return nil
	}
	return &NoBalanceError{left, most}
}

// evaluate finds the forces, the gradient of the energy and its tangent at some slips. It returns
// the greatest out-of-balance force and the greatest force [N].
func (c *Chain) evaluate(slip []float64) (left, most float64) {
	head, slope := c.plate(slip[0])
	c.Head = head
	clear(c.diagonal)
	c.gradient[0], c.diagonal[0] = head, slope
	for i := range slip {
		if i > 0 {
			c.gradient[i] = c.Force[i-1]
		}
		q, k := c.bond(i, slip[i])
		c.Grip[i] = q
		c.gradient[i] += float64(q * c.Bonded[i])
		c.diagonal[i] += float64(max(k, soft*c.Bond.Stiffness) * c.Bonded[i])
		most = max(most, math.Abs(q*c.Bonded[i]), head)
		if i < len(c.Force) {
			n, k := c.bar(i, slip)
			t := max(k, soft*c.Bar.Stiffness) / c.Rest[i]
			c.Force[i], c.next[i] = n, -t
			c.gradient[i] -= n
			c.diagonal[i] += t
			c.diagonal[i+1] += t
			most = max(most, math.Abs(n))
		}
		left = max(left, math.Abs(c.gradient[i]))
	}
	return left, most
}

// solveLinear finds the step from the gradient and the tangent, a tridiagonal matrix.
func (c *Chain) solveLinear() {
	n := len(c.step)
	for i := range n - 1 {
		w := c.next[i] / c.diagonal[i]
		c.diagonal[i+1] -= float64(w * c.next[i])
		c.gradient[i+1] -= float64(w * c.gradient[i])
	}
	c.step[n-1] = -c.gradient[n-1] / c.diagonal[n-1]
	for i := n - 2; i >= 0; i-- {
		c.step[i] = (-c.gradient[i] - float64(c.next[i]*c.step[i+1])) / c.diagonal[i]
	}
}

// slopeAt returns the derivative of the energy along the step after a part of it.
func (c *Chain) slopeAt(by float64) (sum float64) {
	for i := range c.Now {
		c.Now[i] += float64(by * c.step[i])
	}
	c.evaluate(c.Now)
	for i := range c.Now {
		sum += float64(c.gradient[i] * c.step[i])
		c.Now[i] -= float64(by * c.step[i])
	}
	return sum
}

// advance goes along the step, as far as the energy falls.
func (c *Chain) advance() {
	by, slope := 1.0, c.slopeAt(1)
	if start := c.slopeAt(0); slope > -0.5*start { // beyond the least energy
		low, high := 0.0, 1.0
		for range 30 {
			by = 0.5 * (low + high)
			if slope = c.slopeAt(by); math.Abs(slope) <= -0.25*start {
				break
			}
			if slope > 0 {
				high = by
			} else {
				low = by
			}
		}
	}
	for i := range c.Now {
		c.Now[i] += float64(by * c.step[i])
	}
}

// Commit keeps the result of the last Solve. It returns the energy that bond and bar have dissipated
// since the Commit before [J], by the trapezoid, as the work of forces is. A segment whose plastic
// strain has come to that of rupture has no force from the next Solve on.
func (c *Chain) Commit() (dissipated float64) {
	for i := range c.Now {
		if q := c.Grip[i]; c.Bonded[i] > 0 {
			released := c.Now[i] - q/c.Bond.Stiffness
			if by := released - c.Released[i]; math.Abs(q) >= (c.Bond.strength(c.Path[i])+c.More[i])*(1-1e-12) {
				dissipated += float64(0.5 * (q + c.Gripped[i]) * by * c.Bonded[i])
				c.Released[i] = released
				c.Path[i] += math.Abs(by)
			}
		}
		c.Slip[i], c.Gripped[i] = c.Now[i], c.Grip[i]
	}
	for i, n := range c.Force {
		strain := c.strain(i, c.Now)
		if c.Broken[i] > 0 || math.Abs(n) >= c.limit(i) {
			by := strain - n/c.Bar.Stiffness - c.Plastic[i]
			dissipated += float64(0.5 * (n + c.Pulled[i]) * by * c.Rest[i])
			c.Plastic[i] += by
			if c.Broken[i] == 0 {
				c.Worked[i] += math.Abs(by)
			}
		}
		if c.Worked[i] >= c.Rupture {
			c.Broken[i] = 1
		}
		c.Pulled[i] = n
	}
	return dissipated
}

// Stored returns the energy that bar, bond and plate store at the last Solve [J].
func (c *Chain) Stored() (sum float64) {
	for i, q := range c.Grip {
		sum += float64(0.5 * q * (q / c.Bond.Stiffness) * c.Bonded[i])
	}
	for i, n := range c.Force {
		sum += float64(0.5 * n * (n / c.Bar.Stiffness) * c.Rest[i])
	}
	if c.Plate.Stiffness > 0 {
		sum += 0.5 * c.Head * c.Head / c.Plate.Stiffness
	}
	return sum
}

// Tangent fills k, a row of len(Force) values per segment, with the derivatives of the forces with
// respect to the stretches at the last Solve, with the slips in balance [N/m]. With the stiffness t of
// each segment in a diagonal matrix T, the differences B of the slips of neighbours and the stiffness Q
// of bond and plate at the points it is
//
//	T - T B (B' T B + Q)^-1 B' T
//
// which is symmetric and positive semidefinite.
func (c *Chain) Tangent(k []float64) {
	n := len(c.Force)
	c.evaluate(c.Now)
	diagonal := slices.Clone(c.diagonal)
	for j := range n {
		copy(c.diagonal, diagonal)
		clear(c.gradient)
		c.gradient[j], c.gradient[j+1] = c.next[j], -c.next[j] // by a stretch of segment j
		c.solveLinear()
		for i := range n {
			k[i*n+j] = float64(-c.next[i] * (c.step[i+1] - c.step[i]))
		}
		k[j*n+j] -= c.next[j]
	}
}

// Yielded returns the share of the bonded length whose bond has slipped.
func (c *Chain) Yielded() float64 {
	part, all := 0.0, 0.0
	for i, h := range c.Bonded {
		if all += h; c.Path[i] > 0 {
			part += h
		}
	}
	if all == 0 {
		return 0
	}
	return part / all
}
