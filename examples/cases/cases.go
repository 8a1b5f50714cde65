// Package cases is for tests that have more cases than a change must pass: those that take seconds
// run with the flag -all alone, which every package of tests that imports this one has. .ci/run
// finds these packages by their import and sets the flag.
package cases

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var all = flag.Bool("all", false, "runs all tests and cases; without it, those that take seconds are left out, or a few stand for many")

// All tells whether all tests and cases run.
func All() bool { return *all }

// WithAll skips a test or a case that takes seconds, alone or with its like, but for -all or one of
// other conditions, and says by which command it runs.
func WithAll(t testing.TB, or ...bool) {
	t.Helper()
	if !runs(or) {
		t.Skip("takes seconds: " + command(t))
	}
}

// LeftOut tells whether the case of a number is left out because one in so many stands for its like,
// and says so. It is not with -all or one of other conditions.
func LeftOut(t testing.TB, number, in int, or ...bool) bool {
	t.Helper()
	if runs(or) || number%in == 0 {
		return false
	}
	t.Logf("case %d is left out: %s", number, command(t))
	return true
}

// runs tells whether all cases run, or one of other conditions holds.
func runs(or []bool) bool {
	for _, other := range or {
		if other {
			return true
		}
	}
	return *all
}

// command returns the command that runs a test with all its cases, from the top of the sources.
func command(t testing.TB) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return "go test " + folder() + " -all -run '^" + name + "$'"
}

// folder returns the folder of the package whose tests run, from that of go.mod.
func folder() string {
	here, err := os.Getwd()
	for top := here; err == nil && top != filepath.Dir(top); top = filepath.Dir(top) {
		if _, missing := os.Stat(filepath.Join(top, "go.mod")); missing == nil {
			below, _ := filepath.Rel(top, here)
			return "./" + filepath.ToSlash(below)
		}
	}
	return "."
}
