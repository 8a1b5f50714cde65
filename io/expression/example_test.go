package expression_test

import (
	"fmt"

	"fdem/io/expression"
)

// A load that rises within 10 ms.
func ExampleCompile() {
	load, err := expression.Compile("-2e3 * min(t/0.01, 1)", []string{"t"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(load.Value([]float64{0.005}), load.Value([]float64{0.02}))
	// Output:
	// -1000 -2000
}
