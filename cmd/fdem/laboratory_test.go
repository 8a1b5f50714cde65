package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"fdem/io/results"
)

// known is a result of a laboratory test with what theory says, and by how much the
// test may be off: the friction of platens, the mesh and the speed are in it.
type known struct {
	result string
	want   float64
	within float64 // a part of it
}

// mohr is what a rock bears of the cohesion c [Pa] and the coefficient of friction mu
// under the pressure p [Pa] from the sides.
func mohr(c, mu, p float64) float64 {
	root := math.Sqrt(1+mu*mu) + mu
	return 2*c*root + p*root*root
}

// laboratory lists the tests among the templates. Each is run whole.
var laboratory = map[string][]known{
	"uniaxial": {{"strength", mohr(17.5e6, 0.70021, 0), 0.05}, {"modulus", 30e9, 0.01}, {"average_modulus", 30e9, 0.01}, {"secant_modulus", 30e9, 0.01}, {"poisson", 0.25, 0.05}},
}

// Each test of the laboratory gives what theory says of its rock or metal, says that it
// was slow enough, and keeps its energy ledger.
func TestLaboratory(t *testing.T) {
	if testing.Short() {
		t.Skip("a million steps")
	}
	for name, numbers := range laboratory {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			succeed(t, "new", dir, "--template", name)
			status, stdout, stderr := command("run", dir, "--json")
			if status != 0 || strings.Contains(stderr, "warning") || !strings.Contains(stderr, "quasi-static") {
				t.Fatal(status, stderr)
			}
			var sum results.Summary
			if err := json.Unmarshal([]byte(stdout), &sum); err != nil {
				t.Fatal(err)
			}
			if sum.Energy.ResidualRelative > 0.02 {
				t.Errorf("energy residual %g", sum.Energy.ResidualRelative)
			}
			read := resultsOf(t, stdout)
			for _, k := range numbers {
				got, there := read[k.result]
				if !there || math.Abs(got/k.want-1) > k.within {
					t.Errorf("%s is %g, want %g within %g %%", k.result, got, k.want, 100*k.within)
				}
				t.Logf("%s %.5g, theory %.5g, %+.2f %%", k.result, got, k.want, 100*(got/k.want-1))
			}
			t.Logf("%.1f s, residual %.2g", sum.WallSeconds, sum.Energy.ResidualRelative)
		})
	}
}

// resultsOf returns the results of a summary.
func resultsOf(t *testing.T, summary string) map[string]float64 {
	t.Helper()
	var sum struct{ Results map[string]float64 }
	if err := json.Unmarshal([]byte(summary), &sum); err != nil {
		t.Fatal(err)
	}
	return sum.Results
}
