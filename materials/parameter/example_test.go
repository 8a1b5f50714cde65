package parameter_test

import (
	"fmt"
	"math"

	"fdem/materials/parameter"
)

// Values are checked against their ranges, and defaults are filled in.
func ExampleList_Complete() {
	zero := 0.0
	list := parameter.List{{Name: "k", Unit: "Pa/m", OpenMin: true, Max: math.Inf(1)}, {Name: "c", Unit: "Pa s/m", Max: math.Inf(1), Default: &zero}}
	values, err := list.Complete("linear", map[string]float64{"k": 1e12})
	fmt.Println(values["k"], values["c"], err)
	// Output:
	// 1e+12 0 <nil>
}
