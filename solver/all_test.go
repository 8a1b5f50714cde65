package solver

import (
	"testing"

	"fdem/examples/cases"
)

// WithAll is cases.WithAll, also with -whole.
func WithAll(t *testing.T) {
	t.Helper()
	cases.WithAll(t, *everything)
}

// LeftOut is cases.LeftOut, also with -whole.
func LeftOut(t *testing.T, number, in int) bool {
	t.Helper()
	return cases.LeftOut(t, number, in, *everything)
}
