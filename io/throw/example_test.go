package throw_test

import (
	"fmt"
	"strconv"

	"fdem/io/throw"
)

// A function of many steps that returns the first error.
func ExampleCatch() {
	sum := func(texts ...string) (n int, err error) {
		defer throw.Catch(&err)
		for _, t := range texts {
			n += throw.Must(strconv.Atoi(t))
		}
		return n, nil
	}
	fmt.Println(sum("1", "2"))
	// Output:
	// 3 <nil>
}
