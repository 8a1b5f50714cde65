package study_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fdem/io/study"
)

// A study lists its cases, and finds mistakes, before anything runs.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	deck := filepath.Join(dir, "bar.toml")
	file := filepath.Join(dir, "stiffness.study.toml")
	err = errors.Join(
		os.WriteFile(deck, []byte("[analysis]\nduration = \"1 ms\"\n[[material]]\nname = \"steel\"\nyoung = \"210 GPa\"\npoisson = 0.3\ndensity = \"7860 kg/m3\"\n[[body]]\nname = \"bar\"\nmaterial = \"steel\"\n"), 0o600),
		os.WriteFile(file, []byte("deck = \"bar.toml\"\n[[parameter]]\nname = \"young\"\nunit = \"GPa\"\nvalues = [70, 210]\nset = [\"material.steel.young\"]\n[[collect]]\nname = \"strain_energy\"\nunit = \"J\"\nhistory = \"strain_energy\"\ntake = \"max\"\n"), 0o600))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := study.New(file, filepath.Join(dir, "stiffness.study"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range s.Cases {
		fmt.Println(s.String(c))
	}
	// Output:
	// case 1 (young = 70 GPa)
	// case 2 (young = 210 GPa)
}
