package rough_test

import (
	"fmt"

	"fdem/materials/contact/rough"
)

// Two rough spheres, pressed together by 5 um.
func ExampleSpheres_Solve() {
	s, err := rough.Spheres{Radius: 10e-3, Modulus: 100e9, Sigma: 1e-6, Mu: 4, Extended: true}.Solve(5e-6)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("carries:", s.Force > 0, "on more than one ring:", len(s.R) > 1)
	// Output:
	// carries: true on more than one ring: true
}
