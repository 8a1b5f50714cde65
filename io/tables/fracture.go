package tables

import (
	"slices"
)

// SurfaceEnergy is energy per area.
var SurfaceEnergy = Dimension{Mass: 1, Time: -2}

// Names reads a list of n texts. If n is 0 it may have any number of texts, or be a
// single text without brackets.
func (t *Reader) Names(key string, n int) []string {
	var out []string
	list := t.Several(key)
	if n > 0 {
		list = t.List(key, n)
	}
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			t.Bad(key, "%s must be a list of names in quotes, got %s in it", key, Describe(v))
		}
		if slices.Contains(out, s) {
			t.Bad(key, "%s names %q twice", key, s)
		}
		out = append(out, s)
	}
	if t.Has(key) && len(out) == 0 {
		t.Bad(key, "%s must have at least one name", key)
	}
	return out
}
