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

// Integrate returns what Run does, from the law alone by the simplest
// symplectic integration in steps of dt [s]: it shows the paper's digits where
// the basic memory's jumps of force leave the last of them to the integrator.
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
	x := [3]float64{0, 2*radius + gap, 4*radius + gap}
	var d, rate, force, tangent, stiffest, stored [2]float64
	memories := make([]float64, 2*len(law.Memory()))
	for t := 0.0; t < 2e-3; t += dt {
		for i := range d {
			d[i], rate[i] = x[i]-x[i+1]+2*radius, v[i]-v[i+1]
		}
		law.Eval(
			contact.Input{D: d[:], Rate: rate[:], Mem: memories},
			contact.Output{P: force[:], DP: tangent[:], K: stiffest[:], W: stored[:], Mem: memories})
		v[0] -= float64(force[0] / mass * dt)
		v[1] += float64((force[0] - force[1]) / mass * dt)
		v[2] += float64(force[1] / mass * dt)
		for i := range x {
			x[i] += float64(v[i] * dt)
		}
	}
	return v, nil
}
