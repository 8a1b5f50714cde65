package solver

import (
	"flag"
	"strings"
	"testing"
)

var allTests = flag.Bool("all", false, "runs all tests and cases; without it, those that take seconds are left out, or a few stand for many")

// WithAll skips a test or a case that takes seconds, alone or with its like, but for -all, which
// .ci/run sets.
func WithAll(t *testing.T) {
	t.Helper()
	if !*allTests && !*everything {
		name, _, _ := strings.Cut(t.Name(), "/")
		t.Skipf("takes seconds: go test ./solver -all -run '^%s$'", name)
	}
}

// LeftOut tells whether the case of a number is left out because one in so many stands for
// its like, and says so.
func LeftOut(t *testing.T, number, in int) bool {
	t.Helper()
	if *allTests || *everything || number%in == 0 {
		return false
	}
	name, _, _ := strings.Cut(t.Name(), "/")
	t.Logf("case %d is left out: go test ./solver -all -run '^%s$'", number, name)
	return true
}
