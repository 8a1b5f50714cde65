package model

import (
	"math"
	"slices"

	"fdem/fem/bolt"

	"gonum.org/v1/gonum/spatial/r2"
)

// Curve is a function, such as a property by temperature or a schedule: linear between its points, constant beyond
// them.
type Curve struct {
	X     []float64 // ascending
	Value []float64
}

// At returns the value at x, before the jump where points have equal X.
func (c *Curve) At(x float64) float64 {
	i, _ := slices.BinarySearch(c.X, x)
	switch {
	case i == 0:
		return c.Value[0]
	case i == len(c.X):
		return c.Value[i-1]
	}
	part := (x - c.X[i-1]) / (c.X[i] - c.X[i-1])
	return c.Value[i-1] + float64(part*(c.Value[i]-c.Value[i-1]))
}

// Integral returns the integral from one x to another.
func (c *Curve) Integral(from, to float64) (sum float64) {
	if from > to {
		return -c.Integral(to, from)
	}
	for i, _ := slices.BinarySearch(c.X, from); i < len(c.X) && c.X[i] < to; i++ {
		next := c.X[i]
		sum += float64(0.5 * (next - from) * (c.At(from) + c.Value[i]))
		from = next
	}
	return sum + float64(0.5*(to-from)*(c.At(from)+c.At(to)))
}

// Extremes returns the least and the greatest value.
func (c *Curve) Extremes() (least, greatest float64) {
	least, greatest = c.Value[0], c.Value[0]
	for _, v := range c.Value {
		least, greatest = min(least, v), max(greatest, v)
	}
	return least, greatest
}

// Expression is a quantity that a deck gives as an expression of time.
type Expression struct {
	Of string // block and key, with the expression
	At Schedule
}

// LineLoad is a distributed load along beams: a force per length that keeps its direction
// (dead load), or a pressure on one of their sides that stays normal to them (follower
// load). Nodes get consistent (work-equivalent) forces and moments. They do the same work
// as the load on every motion that an element can have: linear along its chord and cubic
// across it. So the nodes of straight beams under a uniform load have the displacements of
// beam theory.
type LineLoad struct {
	Elements []int32   // element numbers of the beams
	Force    r2.Vec    // per length at the start [N/m]
	Side     []float64 // per element: its width under the pressure on the left of the direction from its first node to its second, negative on the right [m]; nil without pressure
}

// Springs and dashpots (Kelvin-Voigt elements) between two points, or between a
// point and the ground, act along the line between them or by components. A point is
// a mean of nodes with fixed weights: a node, a point inside an element, the middle
// of a group, or a point of a rigid body as a mean of nodes of its outline. The
// force is distributed with the same weights. So linear momentum is conserved, and
// for springs along their line also angular momentum.

// Spring is one spring or several parallel springs, with dashpots.
type Spring struct {
	Name              string // unique
	Links             []Link
	Axial             bool        // along the line between the ends; otherwise by components
	X, Y              bool        // components in which it acts
	Stiffness         float64     // of all links together [N/m]
	Damping           float64     // of all links together [N s/m]
	Free              float64     // unloaded length of a spring along its line [m]; NaN for the length at the start
	Preload           float64     // force at the start, or at the length Free; positive pulls [N]
	Curve             *ForceCurve // used instead of a stiffness; nil for none
	Only              Sense
	RotationStiffness float64 // moment divided by the angle between the ends [N m]
	RotationDamping   float64 // [N m s]
	When
}

// Sense is the sign of the forces that a spring carries.
type Sense int8

// Link is one spring of a Spring: its two ends, and its share of stiffness, damping
// and forces.
type Link struct {
	Ends  [2]End
	Share float64
}

// End is one end of a spring: a mean of nodes, or the ground.
type End struct {
	Nodes   []int32 // nil for the ground
	Corners Corners // at each of Nodes
	Weights []float64
	Rigid   int32  // the rigid body with these nodes, -1 for none
	At      r2.Vec // position at the start [m]
}

// ForceCurve is a force as a function of extension, linear between its points and
// beyond them.
type ForceCurve struct {
	Stretch []float64 // ascending, at least two [m]
	Force   []float64 // [N]
	Energy  []float64 // stored energy at each point, from the first point [J]
}

// At returns force [N], slope [N/m] and the energy stored since an extension of 0
// [J].
func (c *ForceCurve) At(stretch float64) (force, slope, energy float64) {
	force, slope, energy = c.since(stretch)
	_, _, none := c.since(0)
	return force, slope, energy - none
}

// since is at with the energy stored since the first point.
func (c *ForceCurve) since(stretch float64) (force, slope, energy float64) {
	i, _ := slices.BinarySearch(c.Stretch, stretch)
	i = min(max(i, 1), len(c.Stretch)-1)
	slope = (c.Force[i] - c.Force[i-1]) / (c.Stretch[i] - c.Stretch[i-1])
	d := stretch - c.Stretch[i-1]
	force = c.Force[i-1] + float64(slope*d)
	return force, slope, c.Energy[i-1] + float64(0.5*d*(force+c.Force[i-1]))
}

// Steepest returns the greatest slope [N/m].
func (c *ForceCurve) Steepest() float64 {
	most := 0.0
	for i := 1; i < len(c.Force); i++ {
		most = max(most, math.Abs((c.Force[i]-c.Force[i-1])/(c.Stretch[i]-c.Stretch[i-1])))
	}
	return most
}

// Bolt is a rock bolt or a cable: a bar that is bonded to the rock at points along a line.
// Stiffness, strength and forces are those of all bolts within the thickness.
type Bolt struct {
	Name      string // unique
	Law       bolt.Law
	Points    []End      // in triangles, from the head on
	Hosts     []int32    // the triangle of each point
	Along     []float64  // distance of each point from the head at the start [m]
	Bonded    []float64  // length of bar that is bonded at each point [m]
	Confined  float64    // strength of the bond per length for each pressure across the bolt [N/m/Pa]
	Crossings []Crossing // of edges between triangles, in their order from the head; nil for a bolt without dowel action
	Each      float64    // number of bolts in the thickness
	Free      float64    // length from the head without bond [m]
	EdgeAlong float64    // size of the triangles along it [m]
	When
}

// Crossing is where a bolt runs from one triangle into the next.
type Crossing struct {
	Faces   [2]End // the same point in both
	Segment int    // the segment between the bolt's points that bridges it
}

// Absorb makes boundary edges of triangles absorb waves, as if the body continued behind
// them: a quiet boundary.
type Absorb struct {
	On    string
	Edges []int32 // boundary edges
}

// Poles of expressions of time in a deck, found by a golden-section search. If a value of a
// schedule is greater than the values before and after it, the search follows the magnitude
// to its maximum. There is a pole if the magnitude grows without limit. A step hardly ever
// falls exactly on a pole. Near a pole values are arbitrarily large, and a run would use the
// finite values there without a warning.
const (
	poleSections = 45   // steps of the search, in which the interval shrinks to 4e-10
	poleNear     = 1e-6 // distance from the pole of the last value, relative to the interval
	poleGrowth   = 300  // least ratio of that value to the greater of both ends; 1/sqrt has 700
	poleGrows    = 0.75 // greatest ratio of the value at four times the distance to that value; 1/sqrt has a half
)

// FindPole searches for a pole of f between two times [s]. The magnitude must be greater at
// some time between them than at both.
func FindPole(f Schedule, from, to float64) (at float64, is bool) {
	const golden = 0.6180339887498949
	size := func(t float64) float64 {
		v := math.Abs(f(t))
		if math.IsNaN(v) {
			return math.Inf(1)
		}
		return v
	}
	ends := max(size(from), size(to))
	a, b := from, to
	c, d := b-float64(golden*(b-a)), a+float64(golden*(b-a))
	fc, fd := size(c), size(d)
	for range poleSections {
		if fc > fd {
			b, d, fd = d, c, fc
			c = b - float64(golden*(b-a))
			fc = size(c)
		} else {
			a, c, fc = c, d, fd
			d = a + float64(golden*(b-a))
			fd = size(d)
		}
	}
	at = float64(0.5 * (a + b))
	near := func(d float64) float64 { return max(size(at-d), size(at+d)) }
	step := float64(poleNear * (to - from))
	close := near(step)
	return at, close > float64(poleGrowth*ends) && !(near(float64(4*step)) > float64(poleGrows*close))
}
