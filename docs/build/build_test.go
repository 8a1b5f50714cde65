package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fdem/io/deck"
	"fdem/materials/contact"
)

// The manual builds; no link and no picture in it leads nowhere, every law
// and every key of a deck is in it, and nothing comes from a network.
func TestManual(t *testing.T) {
	out := filepath.Join(t.TempDir(), "html")
	if err := build("..", out, false); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(out, "*.html"))
	if err != nil || len(pages) < 9 {
		t.Fatalf("%d pages, want at least 9: %v", len(pages), err)
	}
	all := ""
	targets := regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	ids := map[string]bool{}
	texts := map[string]string{}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(page)] = string(data)
		all += string(data)
		for _, m := range regexp.MustCompile(`id="([^"]*)"`).FindAllStringSubmatch(string(data), -1) {
			ids[filepath.Base(page)+"#"+m[1]] = true
		}
	}
	for name, text := range texts {
		for _, m := range targets.FindAllStringSubmatch(text, -1) {
			file, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") {
				if !strings.HasPrefix(m[0], "href") {
					t.Errorf("%s: %s comes from a network", name, m[1])
				}
				continue
			}
			if file == "" {
				file = name
			}
			if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(file))); err != nil {
				t.Errorf("%s: %s leads nowhere", name, m[1])
			}
			if anchor != "" && strings.HasSuffix(file, ".html") && !ids[file+"#"+anchor] {
				t.Errorf("%s: %s has no such place", name, m[1])
			}
		}
		if strings.Contains(text, "<!-- insert") || strings.Contains(text, "prelude") || strings.Contains(text, "$<code>") {
			t.Errorf("%s: something was not replaced", name)
		}
	}
	for _, name := range contact.Names() {
		if !strings.Contains(all, `id="law-`+name+`"`) {
			t.Errorf("law %s is not in the catalogue", name)
		}
	}
	for _, b := range deck.Reference() {
		for _, k := range b.Keys {
			if !strings.Contains(texts["deck.html"], "<code>"+k.Name+"</code>") {
				t.Errorf("key %s is not in the deck reference", k.Name)
			}
		}
	}
}

func TestFormula(t *testing.T) {
	for text, want := range map[string]string{
		"F = K d^1.5":                  "F = K d<sup>1.5</sup>",
		"d^(3/2), d <= d_y":            "d<sup>3/2</sup>, d ≤ d<sub>y</sub>",
		"K = 4/3 modulus sqrt(radius)": "K = 4/3 modulus √(radius)",
		"exp(-w^(5/12)/4)":             "exp(-w<sup>5/12</sup>/4)",
		"2 pi R p":                     "2 π R p",
		"e_p pmax^m_p":                 "e<sub>p</sub> pmax<sup>m<sub>p</sub></sup>",
	} {
		if got := formula(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
