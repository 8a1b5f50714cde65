package seismicity_test

import (
	"fmt"

	"fdem/io/seismicity"
)

// How many events there are of each magnitude or more.
func ExampleCounts() {
	m, own, atLeast := seismicity.Counts([]float64{-4, -4, -3.9, -3.7})
	for i := range m {
		fmt.Printf("%.1f: %d, %d\n", m[i], own[i], atLeast[i])
	}
	// Output:
	// -4.0: 2, 4
	// -3.9: 1, 2
	// -3.8: 0, 1
	// -3.7: 1, 1
}
