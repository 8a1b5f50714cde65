package main

import (
	"flag"
	"strings"
	"testing"
)

var tools = flag.Bool("tools", false, "runs the tests that take seconds in other programs: Chromium, ParaView, VTK's readers, MPI")

// withTools skips a test that takes seconds in other programs, but for -tools. The tests without it
// use Chromium and VTK's readers once, shortly.
func withTools(t *testing.T) {
	t.Helper()
	if !*tools {
		name, _, _ := strings.Cut(t.Name(), "/")
		t.Skipf("takes seconds in other programs: go test ./cmd/fdem -tools -run '^%s$'", name)
	}
}
