package flow

import (
	"math"

	"fdem/materials/elementary"
	"fdem/materials/fluid"
	"fdem/solver/model"
)

// cavity is a Fluid with the edges that it fills and its state.
type cavity struct {
	*model.Fluid
	number int32 // index in owner
	wall   *wellWall
	drains []bool   // per vertex: the fluid leaves there; nil for none
	Filled []filled // edges with fluid, in the order of edges
	Flow   *network // for a viscous fluid; nil for others
	first  float64  // stored energy at the start [J]

	amount     float64 // amount of fluid [m3]: volume without pressure; for a gas, volume at the start
	wellVolume float64 // volume of the well [m3]
	last       float64 // pressure at the last evaluation [Pa]
	pumping    float64 // rate of injection, negative for withdrawal [m3/s]
	outlet     float64 // area of outflow into the air [m2]
	warned     bool    // the user has been warned of the outflow
	mu         float64 // chemical potential at that pressure [J/m3]
	injected   float64 // [m3]
	spilled    float64 // [m3]
	leaked     float64 // into the faces of cracks [m3]
	pumped     float64 // energy added by injection [J]
	given      float64 // work on walls [J]
	escaped    float64 // energy of the spilled fluid [J]
	steps      float64 // energy lost by steps [J]

	state struct { // state of filled, for parts
		edges          []int32
		areas, volumes []float64
		shut, since    []float64
	}
}

// filled is an edge with fluid.
type filled struct {
	edge   int32
	Area   float64    // area of one end [m2]
	Volume [2]float64 // at its ends [m3]; NaN if dry, negative if contact is compressed
	joined [2]float64 // growth of these over the step in which fluid arrived, otherwise 0 [m3]
	since  [2]float64 // time at which fluid arrived [s]
	shut   [2]float64 // closure of its ends when fluid arrived, from which the volume is measured [m]
}

// volume returns the volume that a fluid fills [m3]. Faces that are pressed together add nothing.
func (c *cavity) volume() float64 {
	v := c.wellVolume
	for i := range c.Filled {
		for _, of := range c.Filled[i].Volume {
			if !math.IsNaN(of) {
				v += max(0, of)
			}
		}
	}
	return v
}

// atStart returns the specific volume at the start.
func (c *cavity) atStart() float64 {
	if c.Start > 0 {
		return 1 / (1 + c.Start/c.Bulk)
	}
	return 1
}

// find sets the pressure at which the fluid fills the volume between the walls after the step,
// which is volume + beta p.
func (c *cavity) find(time, step, volume, beta float64) {
	c.mu = 0
	if c.Equation == nil {
		c.last = max(0, c.Pressure(time))
		return
	}
	c.pumping = c.pump(time, step, c.amount)
	amount := c.amount + float64(step*c.pumping)
	if !(amount > 0) {
		c.last = 0
		return
	}
	out := c.outflow(step, volume+float64(beta*c.last), amount)
	// p - P(V/M) is concave and increases with p: Newton's method approaches its root from below
	p := c.last
	if out > 0 {
		p = min(p, 0.5*amount/out)
	}
	for range 100 {
		left := amount - float64(out*p)
		v := max((volume+float64(beta*p))/left, least)
		s := c.Equation.At(v)
		change := (s.Pressure - p) / (1 - float64(s.Slope*(beta+float64(v*out))/left))
		next := max(0, p+change)
		done := math.Abs(next-p) <= 1e-14*p
		if p = next; done {
			break
		}
	}
	c.last = p
	v := max((volume+float64(beta*p))/(amount-float64(out*p)), least)
	c.mu = c.Equation.At(v).Potential(v)
	c.amount -= float64(out * p)
	c.spilled += float64(out * p)
	c.escaped += float64(c.mu * out * p)
}

// pump returns the rate of injection [m3/s]. Withdrawal takes at most 0.9 of the fluid in the well
// in a step, because the next step may be longer.
func (c *cavity) pump(time, step, held float64) (rate float64) {
	if c.Rate == nil {
		return 0
	}
	if rate = c.Rate(time); rate < 0 && step > 0 {
		rate = max(rate, min(0, -0.9*held/step))
	}
	return rate
}

// outflow returns the amount that flows out in a step per pressure, at the present pressure
// [m3/Pa]. The mass rate through an outlet of area A is psi A sqrt(rho p). For a liquid psi =
// sqrt(2) (Bernoulli). For a gas that leaves at the speed of sound (choked flow), with gamma the
// exponent of its isentrope at that pressure,
//
//	psi = sqrt(gamma) (2/(gamma+1))^((gamma+1)/(2(gamma-1)))
func (c *cavity) outflow(step, volume, amount float64) float64 {
	if c.outlet == 0 {
		return 0
	}
	v := max(volume/amount, least)
	psi := math.Sqrt2
	if _, liquid := c.Equation.(fluid.Liquid); !liquid {
		s := c.Equation.At(v)
		gamma := -s.Slope * v / s.Pressure
		psi = math.Sqrt(gamma) * elementary.Pow(2/(gamma+1), 0.5*(gamma+1)/(gamma-1))
	}
	return step * psi * c.outlet / math.Sqrt(c.Density*v*max(c.last, leastOutflow))
}

// leastOutflow is the pressure below which the outflow falls linearly with it [Pa].
const leastOutflow = 1e3

// least is the least specific volume for which the equation of state is evaluated.
const least = 1e-3

// stored returns the stored energy of a fluid [J]. It is 0 for a liquid without pressure, even if
// the walls have come closer than the liquid allows.
func (c *cavity) stored() float64 { return c.storedIn(c.volume()) }

// storedIn returns the energy that a fluid would store in a volume [J].
func (c *cavity) storedIn(volume float64) float64 {
	if _, liquid := c.Equation.(fluid.Liquid); c.Equation == nil || !(c.amount > 0) || liquid && c.last == 0 {
		return 0
	}
	return float64(c.amount * c.Equation.At(max(volume/c.amount, least)).Energy)
}
