package main

import (
	"flag"
	"strings"
	"testing"
)

var all = flag.Bool("all", false, "runs all tests and cases; without it, those that take seconds are left out, or a few stand for many")

// withAll skips a test or a case that takes seconds, alone or with its like, but for -all, which
// .ci/run sets. The tests without it use Chromium and VTK's readers once, shortly.
func withAll(t *testing.T) {
	t.Helper()
	if !*all || testing.Short() {
		name, _, _ := strings.Cut(t.Name(), "/")
		t.Skipf("takes seconds: go test ./cmd/fdem -all -run '^%s$'", name)
	}
}
