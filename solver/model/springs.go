package model

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

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
