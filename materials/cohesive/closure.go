package cohesive

import (
	"errors"
	"math"

	"fdem/materials/elementary"
)

// Closure is the closure of a joint under pressure, a hyperbola (R. E. Goodman, Methods of
// Geological Engineering, 1976; S. C. Bandis, A. C. Lumsden, N. R. Barton, Int. J. Rock Mech. Min.
// Sci. 20 (1983) 249):
//
//	p = k d/(1 - d/V),   d = p V/(k V + p),   dp/dd = k/(1 - d/V)^2
//
// Beyond the closure at which the tangent is that of the rock beside it, the joint stays as stiff as
// that: it closes no further than an edge of rock does. Loading and unloading have the same curve.
type Closure struct {
	Stiffness float64 // k: at no pressure [Pa/m]
	Greatest  float64 // V: greatest closure [m]
}

// NewClosure returns the law, or an error that names the violated rule.
func NewClosure(c Closure) (*Closure, error) {
	if !(c.Stiffness > 0 && c.Greatest > 0) {
		return nil, errors.New("normal_stiffness and closure must be positive")
	}
	return &c, nil
}

// end returns the closure at which the tangent is most [m].
func (c *Closure) end(most float64) float64 {
	return float64(c.Greatest * (1 - math.Sqrt(min(1, c.Stiffness/most))))
}

// At returns pressure [Pa] and stored energy [J/m2] at a closure [m], with a tangent of at most some
// stiffness [Pa/m].
func (c *Closure) At(closure, most float64) (pressure, stored float64) {
	if closure <= 0 {
		return 0, 0
	}
	end := c.end(most)
	d := min(closure, end)
	x := d / c.Greatest
	pressure = c.Stiffness * d / (1 - x)
	stored = float64(float64(c.Stiffness*c.Greatest*c.Greatest) * (-elementary.Log1p(-x) - x))
	if more := closure - end; more > 0 {
		stiffness := max(most, c.Stiffness)
		stored += float64(pressure*more) + float64(0.5*stiffness*more*more)
		pressure += float64(stiffness * more)
	}
	return pressure, stored
}

// Of returns the closure under a pressure [m], likewise.
func (c *Closure) Of(pressure, most float64) float64 {
	end := c.end(most)
	if last, _ := c.At(end, most); pressure > last {
		return end + (pressure-last)/max(most, c.Stiffness)
	}
	return pressure * c.Greatest / (float64(c.Stiffness*c.Greatest) + pressure)
}
