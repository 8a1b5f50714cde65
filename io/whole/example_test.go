package whole_test

import (
	"fmt"
	"os"
	"path/filepath"

	"fdem/io/whole"
)

// A file that nobody sees in part.
func ExampleWriteBytes() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.txt")
	fmt.Println(whole.WriteBytes(path, []byte("all of it")))
	data, err := os.ReadFile(path)
	fmt.Println(string(data), err)
	// Output:
	// <nil>
	// all of it <nil>
}
