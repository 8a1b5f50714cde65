package published

import (
	"flag"
	"math"
	"slices"
	"strconv"
	"testing"
)

// verified are problems of many seconds, whose examples and kinds have tests of their own;
// they run with -whole, which .ci/long sets.
var (
	verified = []string{"cracks", "fluid", "fragments", "notched-beam"}
	whole    = flag.Bool("whole", false, "TestProblems solves every problem")
)

// Every problem is described and meets its known values.
func TestProblems(t *testing.T) {
	for _, p := range Problems {
		t.Run(p.Name, func(t *testing.T) {
			if found, ok := Lookup(p.Name); !ok || found.Title != p.Title || p.Title == "" || p.Source == "" {
				t.Errorf("not described or not found: %+v", p)
			}
			if testing.Short() && p.SolveAt != nil {
				t.Skip("takes seconds")
			}
			if slices.Contains(verified, p.Name) && !*whole {
				t.Skip("takes many seconds")
			}
			out, err := p.At(nil)
			if err != nil {
				t.Fatal(err)
			}
			rows := out.Rows
			if len(rows) == 0 {
				t.Error("no rows")
			}
			for _, r := range rows {
				if !r.Met() || math.IsNaN(r.Computed) || r.Case == "" || r.Quantity == "" || r.Unit == "" {
					t.Errorf("%+v", r)
				}
			}
		})
	}
	names := slices.Sorted(slices.Values(Names()))
	if len(slices.Compact(names)) != len(Problems) {
		t.Errorf("names are not unique: %q", Names())
	}
	if _, ok := Lookup("nothing"); ok {
		t.Error("found a problem that is not there")
	}
}

// The table has the 15 hysteretic dampers and the numbers that the review's
// models are known by.
func TestDampers(t *testing.T) {
	rows := solveDampers()
	known := map[string]float64{
		"zhao 0.9": 0.814, "tsuji 0.5": 0.550, "tsuji, raw 0.5": 0.5, "jankowski 0.7": 0.698,
		"hunt-crossley 0.1": 0.5158, "flores 0.5": 0.4704,
	}
	hysteretic := map[string]bool{}
	for _, r := range rows {
		if r.Note == "exact relation" {
			hysteretic[r.Case] = true
		}
		for _, given := range []string{"0.1", "0.5", "0.7", "0.9"} {
			want, ok := known[r.Case+" "+given]
			if ok && given == strconv.FormatFloat(r.Given, 'g', -1, 64) {
				delete(known, r.Case+" "+given)
				if math.Abs(r.Computed-want) > 5e-4 {
					t.Errorf("%s: %g for %s, want %g", r.Case, r.Computed, given, want)
				}
			}
		}
	}
	if len(known) > 0 {
		t.Errorf("not in the table: %v", known)
	}
	if len(hysteretic) != 16 { // Table 1 and eq. (53)
		t.Errorf("%d hysteretic dampers: %v", len(hysteretic), hysteretic)
	}
}
