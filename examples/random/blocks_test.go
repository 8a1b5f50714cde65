package random

import (
	"path/filepath"
	"strconv"
	"testing"

	"fdem/examples/cases"
)

// Rigid bodies by impulses, drawn at random, pass every check.
func TestBlocks(t *testing.T) {
	count := 4
	switch {
	case *models > 0:
		count = *models
	case cases.All():
		count = 60
	}
	t.Run("drawn", func(t *testing.T) {
		for k := range count {
			t.Run(strconv.FormatUint(*seed+uint64(k), 10), func(t *testing.T) {
				t.Parallel()
				m := DrawBlocks(*seed + uint64(k))
				c := Checker{Dir: filepath.Join(t.TempDir(), "runs")}
				r := c.Check(m)
				if *tell {
					t.Logf("%s: %v, %d steps", m.Kinds(), r.Refused, r.Run.Steps)
				}
				if r.Refused != nil {
					t.Errorf("refused: %v\n%s", r.Refused, m)
				}
				for _, f := range r.Faults {
					if why := f.Known(m); why != "" {
						t.Logf("known: %s: %v", why, f)
						continue
					}
					t.Errorf("%v\n%s", f, c.small(m, f))
				}
			})
		}
	})
}
