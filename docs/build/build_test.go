package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fdem/io/deck"
	"fdem/materials/cohesive"
	"fdem/materials/contact"
)

// The manual builds. All its links and pictures exist, it has every law and every key of a deck,
// and it loads nothing from a network.
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
	checkPages(t, out, texts, ids)
	for _, name := range contact.Names() {
		if !strings.Contains(all, `id="law-`+name+`"`) {
			t.Errorf("law %s is not in the catalogue", name)
		}
	}
	for _, name := range cohesive.Curves() {
		if !strings.Contains(all, `id="law-cohesive-`+name+`"`) {
			t.Errorf("softening %s is not in the catalogue", name)
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

// checkPages checks that the links of pages lead somewhere, that nothing comes from a network, and
// that all that stands for something else has been replaced.
func checkPages(t *testing.T, out string, texts map[string]string, ids map[string]bool) {
	t.Helper()
	targets := regexp.MustCompile(`(?:href|src)="([^"]*)"`)
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
}

// Formulas of the registry as a reader of mathematics writes them.
func TestFormula(t *testing.T) {
	for text, want := range map[string]string{
		"F = K d^1.5":                  `F = K d^{1.5}`,
		"d^(3/2), d <= d_y":            `d^{\tfrac{3}{2}} ,\quad d \le d_{y}`,
		"K = 4/3 modulus sqrt(radius)": `K = \frac{4}{3} \mathrm{modulus} \sqrt{\mathrm{radius}}`,
		"exp(-w^(5/12)/4)":             `\exp \left(- \frac{w^{\tfrac{5}{12}}}{4}\right)`,
		"2 pi R p":                     `2 \pi R p`,
		"e_p pmax^m_p":                 `e_{p} p_{\max}^{m_{p}}`,
		"R (pi p_y/(2 E*))^2 beyond":   `R \left(\frac{\pi p_{y}}{2 E^{*}}\right)^{2} \text{ beyond }`,
		"3 (1-r)/(2 r) v/v0":           `\frac{3 \left(1 - r\right)}{2 r} \frac{v}{v_0}`,
		"r^2/2R - delta":               `\frac{r^{2}}{2 R} - \delta`,
		"E*^2, |ln r|":                 `E^{*2} ,\quad \left|\ln r\right|`,
		"c_a (F - F_y)+, r put in":     `c_{a} \left(F - F_{y}\right)_{+} ,\quad r \text{ put in }`,
	} {
		if got, err := texOf(text); got != want || err != nil {
			t.Errorf("%s: %s, want %s (%v)", text, got, want, err)
		}
	}
	for _, broken := range []string{"F = (d", "F = d)", "F = \\frac"} {
		if got, err := texOf(broken); err == nil {
			t.Errorf("%s: %s, want an error", broken, got)
		}
	}
}
