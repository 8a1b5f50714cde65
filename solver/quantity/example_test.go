package quantity_test

import (
	"fmt"

	"fdem/solver/quantity"
)

// What a column of the history is.
func ExampleRead() {
	for _, c := range quantity.Read([]string{"kinetic", "ball.vx"}) {
		fmt.Println(c.Name(), c.Unit, c.Label)
	}
	// Output:
	// kinetic J kinetic energy
	// ball.vx m/s velocity along x, mean over the mass
}
