package elementary_test

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// Functions with the same bits on every machine.
func ExampleSincos() {
	sin, cos := elementary.Sincos(math.Pi / 6)
	fmt.Printf("%.6f %.6f\n", sin, cos)
	fmt.Printf("%.6f\n", elementary.Pow(2, 0.5))
	// Output:
	// 0.500000 0.866025
	// 1.414214
}
