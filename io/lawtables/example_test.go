package lawtables_test

import (
	"fmt"
	"os"

	"fdem/io/lawtables"
)

// The tables that this program has built are kept, and another finds them.
func ExampleWrite() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	fmt.Println(lawtables.Write(folder), lawtables.Read(folder))
	// Output:
	// <nil> <nil>
}
