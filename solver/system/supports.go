package system

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// Reaction is the reaction of a support at one time: the part that holds other masses, and the part
// that accelerates the driven mass.
type Reaction struct {
	Name, Kind     string
	About          r2.Vec
	Hold, Move     Wrench
	DrivenMomentum Wrench // momentum of the driven mass [kg m/s], [kg m2/s]
}

// Wrench is a force with a moment [N], [N m].
type Wrench struct {
	Force  r2.Vec
	Moment float64
}

// Add adds a force with an arm.
func (w *Wrench) Add(arm, f r2.Vec) {
	w.Force.X += f.X
	w.Force.Y += f.Y
	w.Moment += float64(arm.X*f.Y) - float64(arm.Y*f.X)
}

// Parts returns the components of the force [N] and the moment [N m].
func (w *Wrench) Parts() [3]float64 { return [3]float64{w.Force.X, w.Force.Y, w.Moment} }
