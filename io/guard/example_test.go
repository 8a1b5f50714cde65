package guard_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fdem/io/guard"
)

// A command replaces files of its own kind only.
func ExampleReplace() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "notes.html")
	if err := os.WriteFile(file, []byte("<p>somebody's notes</p>"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	var refused *guard.RefusedError
	fmt.Println(errors.As(guard.Replace(file, guard.Report), &refused))
	fmt.Println(guard.Replace(filepath.Join(dir, "new.html"), guard.Report))
	// Output:
	// true
	// <nil>
}
