package threeballs

import (
	"math"

	"fdem/materials/contact"
)

// The balls, of X105CrMo17 steel, as in the decks.
const (
	radius  = 10e-3  // [m]
	young   = 209e9  // [Pa]
	poisson = 0.283  // [1]
	yield   = 1175e6 // [Pa]
	density = 7800.0 // [kg/m3]
	mass    = density * 4 / 3 * math.Pi * radius * radius * radius
)

// PaperStep is the step of Integrate for which it has the paper's digits [s]. The paper
// prints "10 s", without the exponent.
const PaperStep = 1e-7

// stages is Dormand and Prince's Runge-Kutta method of order 4(5): the factors
// of earlier rates at every stage, the last of which ends the step.
var stages = [7][6]float64{
	1: {1.0 / 5},
	2: {3.0 / 40, 9.0 / 40},
	3: {44.0 / 45, -56.0 / 15, 32.0 / 9},
	4: {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
	5: {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
	6: {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
}

// Integrate returns the same as Run, from the law alone and by the paper's method:
// explicit Runge-Kutta of order 4(5), here in steps of dt [s], where the law keeps the
// memory of every evaluation. When the force jumps of the basic memory make the last
// digits depend on the integrator, these are the paper's.
func Integrate(deck string, memory, dt float64) ([3]float64, error) {
	gap, v := 70e-6, [3]float64{3, 1, 0}
	if deck == Second {
		gap, v = 60e-6, [3]float64{1.5, 1, 0}
	}
	model, _ := contact.Lookup("kogut-etsion")
	law, err := model.Build(map[string]float64{
		"radius": radius / 2, "modulus": young / (2 * (1 - poisson*poisson)),
		"yield": yield, "poisson": poisson,
		"raw_unloading": 1, "memory": memory,
	})
	if err != nil {
		return v, err
	}
	var d, rate, force, tangent, stiffest, stored [2]float64
	memories := make([]float64, 2*len(law.Memory()))
	// rates are the derivatives of three positions and three speeds.
	rates := func(y [6]float64) [6]float64 {
		for i := range d {
			d[i], rate[i] = y[i]-y[i+1]+2*radius, y[3+i]-y[4+i]
		}
		law.Eval(
			contact.Input{D: d[:], Rate: rate[:], Mem: memories},
			contact.Output{P: force[:], DP: tangent[:], K: stiffest[:], W: stored[:], Mem: memories})
		return [6]float64{y[3], y[4], y[5], -force[0] / mass, (force[0] - force[1]) / mass, force[1] / mass}
	}
	y := [6]float64{0, 2*radius + gap, 4*radius + gap, v[0], v[1], v[2]}
	var k [7][6]float64
	k[0] = rates(y)
	for n := 0; float64(n)*dt < 2e-3; n++ {
		var next [6]float64
		for s := 1; s < len(k); s++ {
			next = y
			for j := range s {
				for i := range next {
					next[i] += float64(dt * stages[s][j] * k[j][i])
				}
			}
			k[s] = rates(next)
		}
		y, k[0] = next, k[6]
	}
	return [3]float64(y[3:]), nil
}
