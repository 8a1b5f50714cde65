package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script call fdem as a user would.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fdem": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}
