package bulk_test

import (
	"fmt"

	"fdem/materials/bulk"
)

// How much of its strength a stress uses, for a metal by name.
func ExampleMaterial_Strength() {
	steel := bulk.Elastic{Name: "steel", Young: 210e9, Poisson: 0.3, Density: 7860}
	model, _ := bulk.Lookup("j2")
	law, err := model.Build(steel, bulk.Constants{Value: map[string]float64{"yield_stress": 250e6, "hardening": 1e9}})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := bulk.Material{Elastic: steel, Law: law}
	fmt.Printf("yields: %v; a pull of 100 MPa uses %.2f of the strength\n", m.Yields(), m.Strength().Used(100e6, 0, 0, 0))
	// Output:
	// yields: true; a pull of 100 MPa uses 0.40 of the strength
}
