package deck

import (
	"strings"
	"testing"

	"fdem/io/tables"
)

// If a deck uses a textbook's name for a key, the message gives the deck's own word.
func TestSynonyms(t *testing.T) {
	for line, want := range map[string]string{
		"[[material]]\nname = \"a\"\nE = 1":        `unknown key "E": here it is "young"`,
		"[[material]]\nname = \"a\"\nnu = 1":       `unknown key "nu": here it is "poisson"`,
		"[[material]]\nname = \"a\"\nrho = 1":      `unknown key "rho": here it is "density"`,
		"[[contact]]\ncontactor = \"a\"\nmu = 1":   `unknown key "mu": here it is "friction"`,
		"[analysis]\ndt = 1":                       `unknown key "dt": here it is "step"`,
		"[[rigid]]\nname = \"a\"\nomega = 1":       `unknown key "omega": here it is "angular_velocity"`,
		"[[fracture]]\nft = 1":                     `unknown key "ft": here it is "tensile_strength"`,
		"[[rigid]]\nname = \"a\"\ncenter = [0, 0]": `unknown key "center": here it is "centre"`,
		"[[rigid]]\nname = \"a\"\nsize = [1, 2]":   `unknown key "size": here it is "width"`,
		"[[rigid]]\nname = \"a\"\nfree = true":     `unknown key "free": here it is "fixed"`,
	} {
		_, err := Parse("a.toml", []byte(line+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
	// Each leads to a key that a block has.
	known := map[string]bool{}
	for _, b := range Reference() {
		for _, k := range b.Keys {
			known[k.Name] = true
		}
	}
	for name, keys := range tables.Synonyms {
		for _, key := range keys {
			if !known[key] && key != "k" { // of laws
				t.Errorf("%s leads to %s, which no block has", name, key)
			}
		}
	}
}
