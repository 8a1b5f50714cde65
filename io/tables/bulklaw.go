package tables

import (
	"slices"
	"strings"
)

// KeyOf returns the key that a law's error names, if the deck gives it, else the key of the
// law.
func (t *Reader) KeyOf(err error) string {
	for _, k := range t.given() {
		if k != "law" && k != "name" && k != "young" && k != "poisson" && strings.Contains(err.Error(), k) {
			return k
		}
	}
	return "law"
}

// Grouped returns the table of a law's parameter, nil if the deck lacks it, and the
// parameter's name there.
func (t *Reader) Grouped(name string) (*Reader, string) {
	group, inner, ok := strings.Cut(name, ".")
	if !ok {
		return t, name
	}
	if !t.Has(group) {
		return nil, ""
	}
	from := t.Sub(group)
	from.Check(nil)
	for _, given := range from.given() {
		if !slices.ContainsFunc(from.Known, func(k Key) bool { return k.Name == given }) {
			from.Bad(given, "there is no key %q in %s", given, group)
		}
	}
	return from, inner
}
