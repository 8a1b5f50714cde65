// Package cases is for tests that take more than a change must pass: those that take seconds run with
// the flag -all alone, which every package of tests that imports this one has. .ci/run finds these
// packages by their import and sets the flag. Of many cases that are alike a few run even then, and
// all with a package's flag -whole, which .ci/long sets.
package cases

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var all = flag.Bool("all", false, "runs all tests; without it, those that take seconds are left out")

// All tells whether all tests run.
func All() bool { return *all }

// WithAll skips a test or a case that takes seconds, alone or with its like, but for -all or one of
// other conditions, and says by which command it runs.
func WithAll(t testing.TB, or ...bool) {
	t.Helper()
	if !*all && !slices.Contains(or, true) {
		t.Skip("takes seconds: " + command(t, "all"))
	}
}

// LeftOut tells whether the case of a number is left out because one in so many stands for its like,
// and says so. It is not with one of other conditions, the package's flag -whole.
func LeftOut(t testing.TB, number, in int, or ...bool) bool {
	t.Helper()
	if number%in == 0 || slices.Contains(or, true) {
		return false
	}
	t.Logf("case %d is left out: %s", number, command(t, "whole"))
	return true
}

// command returns the command that runs a test by a flag, from the top of the sources.
func command(t testing.TB, by string) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return "go test " + folder() + " -" + by + " -run '^" + name + "$'"
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
