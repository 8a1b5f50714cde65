package main

import (
	"fmt"
	"testing"

	"fdem/examples/cases"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script call fdem as a user would. Their condition all tells whether -all is
// set.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"fdem": main})
}

// tests are all tests, which share browsers.
type tests struct{ *testing.M }

func (m tests) Run() int {
	defer closeChromiums()
	return m.M.Run()
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Condition: func(name string) (bool, error) {
		if name != "all" {
			return false, fmt.Errorf("there is no condition %q", name)
		}
		return cases.All(), nil
	}})
}
