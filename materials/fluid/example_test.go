package fluid_test

import (
	"fmt"

	"fdem/materials/fluid"
)

// A gas at twice its volume.
func ExampleGas() {
	s := fluid.Gas{Pressure: 10e6, Gamma: 1.4}.At(2)
	fmt.Printf("%.3f MPa\n", 1e-6*s.Pressure)
	// Output:
	// 3.789 MPa
}
