// Command wheel makes the wheel of the Python package for one platform:
//
//	go run ./python/wheel PROGRAM GOOS/GOARCH VERSION FOLDER
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"fdem/python"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("usage: wheel PROGRAM GOOS/GOARCH VERSION FOLDER")
	}
	program, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	name, err := python.Name(args[1], args[2])
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := python.Wheel(&b, args[1], args[2], program, licence); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(args[3], name), b.Bytes(), 0o644)
}
