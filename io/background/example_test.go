package background_test

import (
	"fmt"

	"fdem/io/background"
)

// A file is written while the run goes on.
func ExampleWriter() {
	var w background.Writer
	done := ""
	if err := w.Start(func() error { done = "written"; return nil }); err != nil {
		fmt.Println(err)
	}
	fmt.Println(w.Wait(), done)
	// Output:
	// <nil> written
}
