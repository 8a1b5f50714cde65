package view

import (
	"slices"
	"testing"
)

// The results of all cases of a study are in folders named "out": the names of the folders above
// distinguish them.
func TestRunNames(t *testing.T) {
	for _, c := range []struct{ folders, want []string }{
		{[]string{"one.out", "two.out/"}, []string{"one", "two"}},
		{[]string{"s.sweep/cases/0001/out", "s.sweep/cases/0002/out"}, []string{"0001/out", "0002/out"}},
		{[]string{"a/x/out", "b/x/out", "c.out"}, []string{"a/x/out", "b/x/out", "c"}},
		{[]string{"x.out", "b/x.out", "../x.out"}, []string{"x", "b/x", "x"}},
		{[]string{"/x.out", "/x.out"}, []string{"x", "x"}},
	} {
		if got := runNames(c.folders); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.folders, got, c.want)
		}
	}
}
