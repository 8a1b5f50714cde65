package traces_test

import (
	"fmt"
	"os"
	"path/filepath"

	"fdem/io/traces"
)

// Two joints of a map in kilometres.
func ExampleRead() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "joints.wkt")
	if err := os.WriteFile(file, []byte("LINESTRING (0 0, 0.002 0.001)\nLINESTRING (0.003 0, 0.004 0, 0.004 0.002)\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	set, err := traces.Read(file, traces.Options{Scale: 1e3})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range set.Traces {
		fmt.Println(line[0], line[1])
	}
	// Output:
	// {0 0} {2 1}
	// {3 0} {4 0}
	// {4 0} {4 2}
}
