package main

import (
	"testing"

	"fdem/examples/cases"
)

// withAll is cases.WithAll, and never in short tests. The tests without it use Chromium and VTK's
// readers once, shortly.
func withAll(t *testing.T) {
	t.Helper()
	if cases.WithAll(t); testing.Short() {
		t.Skip("takes seconds")
	}
}
