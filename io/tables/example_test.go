package tables_test

import (
	"fmt"

	"fdem/io/tables"
)

// A quantity with its unit, in SI.
func ExampleParseQuantity() {
	v, err := tables.ParseQuantity("210 GPa", tables.Pressure)
	fmt.Println(v, err)
	_, err = tables.ParseQuantity("5 mm", tables.Pressure)
	fmt.Println(err)
	// Output:
	// 2.1e+11 <nil>
	// expected a pressure such as "210 GPa", got "5 mm", a length such as "10 mm"
}
