package curves_test

import (
	"fmt"

	"fdem/io/curves"
)

// The slope of a curve by least squares.
func ExampleLine() {
	slope, at0, ok := curves.Line([]float64{0, 1, 2, 3}, []float64{1, 3, 5, 7})
	fmt.Println(slope, at0, ok)
	// Output:
	// 2 1 true
}
