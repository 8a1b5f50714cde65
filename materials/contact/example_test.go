package contact_test

import (
	"fmt"

	"fdem/materials/contact"
)

// A contact law by name, and its pressure at some deflections.
func ExampleLookup() {
	model, found := contact.Lookup("linear")
	if !found {
		return
	}
	law, err := model.Build(map[string]float64{"k": 1e12})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := []float64{-1e-6, 0, 1e-6, 2e-6}
	n := len(d)
	out := contact.Output{P: make([]float64, n), DP: make([]float64, n), K: make([]float64, n), W: make([]float64, n)}
	law.Eval(contact.Input{D: d, Rate: make([]float64, n)}, out)
	fmt.Println(out.P)
	// Output:
	// [0 0 1e+06 2e+06]
}
