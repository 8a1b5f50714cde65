// Three collinear steel balls, M. Warzecha and R. Grzejda, Tables 1 and 2: the
// second strikes the third, and the first comes after them. The contact law
// is Kogut and Etsion's, raw, with the paper's basic and enhanced memories.
//
//	go run ./examples/three-balls
package main

import (
	"fmt"
	"math"
	"os"

	"fdem/materials/contact"
)

// The balls, of X105CrMo17 steel.
const (
	radius  = 10e-3  // [m]
	young   = 209e9  // [Pa]
	poisson = 0.283  // [1]
	yield   = 1175e6 // [Pa]
	density = 7800.0 // [kg/m3]
	mass    = density * 4 / 3 * math.Pi * radius * radius * radius
)

// setup is where the balls start and how fast.
type setup struct {
	gap   float64    // between the first and the second ball [m]
	speed [3]float64 // [m/s]
}

// The paper's two; the captions of its tables are exchanged.
var (
	resumed = setup{70e-6, [3]float64{3, 1, 0}}   // Table 2: compression resumes during restitution
	second  = setup{60e-6, [3]float64{1.5, 1, 0}} // Table 1: a second impact of the same pair
)

// The memories of the contact law.
const (
	basic    = 0
	curve    = 1 // the unloading curve, up to its peak
	enhanced = 2
)

// run returns the balls' speeds [m/s] after all impacts, integrated with
// symplectic steps of dt [s]. It fails for a memory the law does not know.
func run(s setup, memory int, dt float64) ([3]float64, error) {
	model, _ := contact.Lookup("kogut-etsion")
	law, err := model.Build(map[string]float64{
		"radius": radius / 2, "modulus": young / (2 * (1 - poisson*poisson)),
		"yield": yield, "poisson": poisson,
		"raw_unloading": 1, "memory": float64(memory),
	})
	if err != nil {
		return s.speed, err
	}
	x, v := [3]float64{0, 2*radius + s.gap, 4*radius + s.gap}, s.speed
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

func main() {
	for _, s := range []setup{resumed, second} {
		for memory, name := range []string{"basic", "unloading curve", "enhanced"} {
			v, err := run(s, memory, 2e-8)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Printf("%g m/s, %-16s %.5f %.5f %.5f m/s\n", s.speed, name, v[0], v[1], v[2])
		}
	}
}
