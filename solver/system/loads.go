package system

import (
	"fmt"
	"math"
	"slices"

	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// ScheduleError reports an expression without a finite value at a time, or at a time and position:
// a division by zero, the root of a negative number, or a number that is too large.
type ScheduleError struct {
	Of       string // the load and its group, or block and key with the expression
	Step     int64
	Time     float64 // [s]
	Position *r2.Vec // of an expression of the position, nil for others [m]
	Pole     bool    // the expression grows without bound there
}

func (e *ScheduleError) Error() string {
	if e.Pole {
		return fmt.Sprintf("%s has a pole at t = %.9g s: it grows without bound there", e.Of, e.Time)
	}
	at := ""
	if e.Position != nil {
		at = fmt.Sprintf(", x = %.6g m, y = %.6g m", e.Position.X, e.Position.Y)
	}
	return fmt.Sprintf("%s has no finite value at t = %.6g s%s: it divides by zero there, takes a root or logarithm of what has none, or is larger than any number", e.Of, e.Time, at)
}

// CheckExpressions fails if an expression has no finite value at Time, or a pole before it.
func (s *View) CheckExpressions() error {
	for i := range s.Model.Expressions {
		e := &s.Model.Expressions[i]
		v := e.At(s.Time)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &ScheduleError{Of: e.Of, Step: s.N, Time: s.Time}
		}
		if at, met := s.passedPole(i, v); met {
			return &ScheduleError{Of: e.Of, Step: s.N, Time: at, Pole: true}
		}
	}
	return nil
}

// IsStressed tells whether a body has an initial stress.
func (a *Analysis) IsStressed(body int32) bool {
	return slices.ContainsFunc(a.InitialStresses, func(p model.InitialStress) bool { return p.Body == body })
}

// ShareOfWeight returns the factor of gravity in a static analysis at a time. Bodies with an initial
// stress, which balances their weight, have all of it from the start; other weights grow.
func (a *Analysis) ShareOfWeight(stressed bool, time float64) float64 {
	switch {
	case a.GravitySchedule != nil:
		return a.GravitySchedule(time)
	case stressed:
		return 1
	}
	return time / a.Static.Whole
}
