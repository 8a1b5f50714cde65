// Package fluid has equations of state of fluids in cavities and cracks: liquids with a
// bulk modulus, gas in isentropic expansion, and the products of explosives (Jones,
// Wilkins, Lee). The amount of a fluid is its volume at the start. An equation gives
// pressure and energy as functions of the specific volume, which is the present volume over
// the amount.
package fluid

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// State is the state of a fluid at one specific volume.
type State struct {
	Pressure float64 // [Pa]
	Slope    float64 // of the pressure by the specific volume [Pa]
	Energy   float64 // recoverable energy per unit of the amount [J/m3]
}

// Potential returns the chemical potential mu = e + p v [J/m3], the energy of one
// more unit of the fluid at a specific volume v.
func (s State) Potential(v float64) float64 { return s.Energy + float64(s.Pressure*v) }

// Equation is an equation of state. At takes a specific volume above 0. The pressure is
// never below 0: a liquid cavitates.
type Equation interface {
	At(v float64) State
	Check() error // of its constants
}

// Liquid is a liquid of constant bulk modulus K:
//
//	p = K (1/v - 1),  e = K (v - 1 - ln v),  0 where v >= 1
type Liquid struct {
	Bulk float64 // K [Pa]
}

// At implements Equation.
func (l Liquid) At(v float64) State {
	if v >= 1 {
		return State{}
	}
	x := v - 1
	return State{
		Pressure: -l.Bulk * x / v,
		Slope:    -l.Bulk / (v * v),
		Energy:   float64(l.Bulk * (x - elementary.Log1p(x))),
	}
}

// Check implements Equation.
func (l Liquid) Check() error { return positive("bulk", l.Bulk, "Pa") }

// Gas is an ideal gas in isentropic expansion: p = p0 v^-gamma, e = p0
// v^(1-gamma)/(gamma-1).
type Gas struct {
	Pressure float64 // p0, at the start [Pa]
	Gamma    float64 // ratio of specific heats
}

// At implements Equation.
func (g Gas) At(v float64) State {
	p := float64(g.Pressure * elementary.Pow(v, -g.Gamma))
	return State{Pressure: p, Slope: -g.Gamma * p / v, Energy: p * v / (g.Gamma - 1)}
}

// Check implements Equation.
func (g Gas) Check() error {
	if !(g.Gamma > 1) || math.IsInf(g.Gamma, 1) {
		return fmt.Errorf("gamma, the ratio of specific heats, must be greater than 1, got %g", g.Gamma)
	}
	return positive("pressure", g.Pressure, "Pa")
}

// JWL is the isentrope of the products of an explosive:
//
//	p = A e^(-R1 v) + B e^(-R2 v) + C v^-(1+omega)
//	e = A/R1 e^(-R1 v) + B/R2 e^(-R2 v) + C/omega v^-omega
//
// Source: E. L. Lee, H. C. Hornig, J. W. Kury, Adiabatic expansion of high explosive
// detonation products, UCRL-50422, 1968.
type JWL struct {
	A, B, C       float64 // [Pa]
	R1, R2, Omega float64
}

// At implements Equation.
func (j JWL) At(v float64) State {
	a, b := float64(j.A*elementary.Exp(-j.R1*v)), float64(j.B*elementary.Exp(-j.R2*v))
	c := float64(j.C * elementary.Pow(v, -j.Omega))
	return State{
		Pressure: a + b + c/v,
		Slope:    -(float64(j.R1*a) + float64(j.R2*b) + float64((1+j.Omega)*c/(v*v))),
		Energy:   a/j.R1 + b/j.R2 + c/j.Omega,
	}
}

// Check implements Equation.
func (j JWL) Check() error {
	for _, c := range []struct {
		name  string
		value float64
		unit  string
	}{{"a", j.A, "Pa"}, {"b", j.B, "Pa"}, {"c", j.C, "Pa"}, {"r1", j.R1, ""}, {"r2", j.R2, ""}, {"omega", j.Omega, ""}} {
		if err := positive(c.name, c.value, c.unit); err != nil {
			return err
		}
	}
	return nil
}

func positive(name string, v float64, unit string) error {
	if v > 0 && !math.IsInf(v, 1) {
		return nil
	}
	if unit != "" {
		unit = " " + unit
	}
	return fmt.Errorf("%s must be greater than 0, got %g%s", name, v, unit)
}
