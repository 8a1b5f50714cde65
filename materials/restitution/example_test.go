package restitution_test

import (
	"fmt"

	"fdem/materials/restitution"

	"gonum.org/v1/gonum/spatial/r2"
)

// A ball that falls at 2 m/s and rises at 1.5 m/s.
func ExampleNewton() {
	up := r2.Vec{Y: 1}
	fmt.Println(restitution.Newton(up, r2.Vec{Y: 2}, r2.Vec{Y: 1.5}))
	// Output:
	// 0.75
}
