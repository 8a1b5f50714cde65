package cohesive

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// RateState is friction that depends on the speed V of slip and a state theta, the age of the
// contacts between the faces (J. H. Dieterich, J. Geophys. Res. 84 (1979) 2161; A. Ruina, J. Geophys.
// Res. 88 (1983) 10359), regularised at rest (J. R. Rice, Y. Ben-Zion, Proc. Natl. Acad. Sci. 93
// (1996) 3811):
//
//	T = a p asinh(V/(2 V_0) exp((mu_0 + b ln(V_0 theta/D))/a))
//	d theta/dt = 1 - V theta/D                     ageing
//	d theta/dt = -(V theta/D) ln(V theta/D)        slip
type RateState struct {
	Direct, Evolution float64 // a, b
	Distance          float64 // D [m]
	Friction          float64 // mu_0: at rest of the state at the speed V_0
	Speed             float64 // V_0 [m/s]
	Slip              bool    // the slip law instead of ageing
	Start             float64 // speed of slip at the start [m/s]
}

// NewRateState returns the law, or an error that names the violated rule.
func NewRateState(r RateState) (*RateState, error) {
	for _, v := range []struct {
		name  string
		value float64
	}{{"a", r.Direct}, {"slip", r.Distance}, {"friction", r.Friction}, {"speed", r.Speed}, {"start_speed", r.Start}} {
		if !(v.value > 0) {
			return nil, fmt.Errorf("%s must be positive, got %g", v.name, v.value)
		}
	}
	if r.Evolution < 0 {
		return nil, fmt.Errorf("b must not be negative, got %g", r.Evolution)
	}
	return &r, nil
}

// exponent returns (mu_0 + b ln(V_0 theta/D))/a.
func (r *RateState) exponent(theta float64) float64 {
	return (r.Friction + float64(r.Evolution*elementary.Log(r.Speed*theta/r.Distance))) / r.Direct
}

// Coefficient returns the coefficient of friction at a speed of slip [m/s] and a state [s].
func (r *RateState) Coefficient(speed, theta float64) float64 {
	if speed == 0 {
		return 0
	}
	w := r.exponent(theta) + elementary.Log(speed/(2*r.Speed)) // asinh(e^w)
	if w > 20 {
		return float64(r.Direct * (w + math.Ln2))
	}
	x := elementary.Exp(w)
	return float64(r.Direct * elementary.Log1p(x+float64(x*x)/(1+math.Sqrt(1+float64(x*x)))))
}

// Evolve returns the state [s] after a time [s] at a constant speed of slip [m/s].
func (r *RateState) Evolve(theta, speed, time float64) float64 {
	x := speed * time / r.Distance
	switch fall := elementary.Expm1(-x); {
	case r.Slip && x == 0:
		return theta
	case r.Slip:
		return float64(theta * elementary.Exp(float64(fall*elementary.Log(speed*theta/r.Distance))))
	case x < 1e-12:
		return theta + time
	default:
		return theta + float64(fall*(theta-r.Distance/speed))
	}
}

// First returns the state at the start [s], in which faces under a pressure carry a shear traction
// [Pa] as they slip at the speed of the start; that of steady slip without pressure or shear.
func (r *RateState) First(traction, pressure float64) float64 {
	steady := r.Distance / r.Start
	if !(pressure > 0) || traction == 0 || r.Evolution == 0 {
		return steady
	}
	tau := traction / (r.Direct * pressure)
	psi := elementary.Log(2 * r.Speed / r.Start) // + ln sinh(tau)
	if tau > 20 {
		psi += tau - math.Ln2
	} else {
		psi += elementary.Log(0.5 * (elementary.Expm1(tau) - elementary.Expm1(-tau)))
	}
	theta := r.Distance / r.Speed * elementary.Exp((float64(r.Direct*psi)-r.Friction)/r.Evolution)
	if !(theta > 0) || math.IsInf(theta, 1) {
		return steady
	}
	return theta
}

// slide returns the speed of slip [m/s] with which friction carries what a spring of a stiffness
// [Pa/m] leaves of a traction [Pa] after a time [s], by Newton's method from above on a function that
// is convex.
func (r *RateState) slide(traction, pressure, stiffness, theta, time float64) float64 {
	scale, psi := float64(r.Direct*pressure), r.exponent(theta)
	if traction <= 0 {
		return 0
	}
	tau := min(traction/scale, psi+elementary.Log(traction/(stiffness*time*r.Speed)+elementary.Exp(min(-psi, 700))))
	for range 60 {
		up, down := elementary.Exp(tau-psi), elementary.Exp(-tau-psi)
		speed := r.Speed * (up - down)
		left := float64(scale*tau) + float64(stiffness*time*speed) - traction
		slope := scale + float64(stiffness*time*r.Speed*(up+down))
		by := left / slope
		tau -= by
		if math.Abs(by) <= 1e-13*(1+math.Abs(tau)) {
			break
		}
	}
	return r.Speed * (elementary.Exp(tau-psi) - elementary.Exp(-tau-psi))
}

// Advance returns the speed of slip [m/s] and the state [s] after a time [s] in which a spring pulls
// faces under a pressure, with the state of the middle.
func (r *RateState) Advance(traction, pressure, stiffness, theta, time float64) (speed, after float64) {
	speed = r.slide(traction, pressure, stiffness, theta, time)
	speed = r.slide(traction, pressure, stiffness, r.Evolve(theta, speed, 0.5*time), time)
	return speed, r.Evolve(theta, speed, time)
}
