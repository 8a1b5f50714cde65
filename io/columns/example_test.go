package columns_test

import (
	"fmt"
	"strings"

	"fdem/io/columns"
	"fdem/io/tables"
)

// A table with units.
func ExampleScan() {
	t, err := columns.Scan("press.csv", strings.NewReader("# measured\ndeflection [um],pressure [MPa]\n1,10\n2,25\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := t.Numbers("pressure", func(text string) (float64, error) { return tables.ParseQuantity(text, tables.Pressure) })
	fmt.Println(p, err)
	// Output:
	// [1e+07 2.5e+07] <nil>
}
