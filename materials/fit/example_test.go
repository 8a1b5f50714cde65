package fit_test

import (
	"fmt"

	"fdem/materials/contact"
	"fdem/materials/fit"
)

// The stiffness of a linear law from a measurement.
func ExampleProblem() {
	model, _ := contact.Lookup("linear")
	k, _ := model.Parameter("k")
	data := fit.Data{D: []float64{1e-6, 2e-6, 3e-6, 4e-6}, Answer: []float64{2e6, 4e6, 6e6, 8e6}}
	p := fit.Problem{Model: model, Data: data, Free: []fit.Parameter{fit.Between(k, 1e11, 1e13, nil)}, Fixed: map[string]float64{"c": 0}, Samples: 50, Starts: 2, Seed: 1, Threads: 1}
	r, err := p.Run()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("k = %.3g Pa/m\n", r.Values["k"])
	// Output:
	// k = 2e+12 Pa/m
}
