package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// The program of the manual: discs of equal mass exchange their velocities.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := collide(filepath.Join(dir, "discs.out")); err != nil {
		fmt.Println(err)
	}
	// Output: 432 steps; left 0.00 m/s, right 2.00 m/s
}
