package benchmarks

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestParseTicks(t *testing.T) {
	for text, want := range map[string][2]float64{
		"cpu  5412731 679747 376299 3233662 21764 0 14645 302288 0 0\ncpu0 1 2 3\n": {5412731 + 679747 + 376299 + 14645, 302288},
		"cpu 1 2 3\n":          {},
		"":                     {},
		"intr 1 2 3 4 5 6 7 8": {},
	} {
		if used, stolen := parseTicks(text); used != want[0] || stolen != want[1] {
			t.Errorf("%q: %g and %g, want %g", text, used, stolen, want)
		}
	}
}

// Every result in this folder has the columns that WriteCSV writes, says what
// machine and commit it is of, and holds numbers.
func TestResults(t *testing.T) {
	var b strings.Builder
	f := Figures{ElementStepNs: map[string]map[string]float64{"2000": {"1": 5.5, "2": 3}, "200": {"1": 7}}}
	if err := f.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	if want := "element_step_ns,200,1,7\nelement_step_ns,2000,1,5.5\nelement_step_ns,2000,2,3\n"; !strings.Contains(b.String(), want) {
		t.Errorf("%s\nlacks\n%s", b.String(), want)
	}
	header, _, _ := strings.Cut(b.String(), "\n")
	files, err := filepath.Glob("*.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil || strings.Join(rows[0], ",") != header {
			t.Errorf("%s: header %v, want %s (%v)", name, rows[0], header, err)
			continue
		}
		words := map[string]string{}
		for _, r := range rows[1:] {
			if _, err := strconv.ParseFloat(r[3], 64); err != nil {
				words[r[0]] = r[3]
			}
		}
		for _, what := range []string{"processor", "system", "kernel", "commit"} {
			if words[what] == "" {
				t.Errorf("%s does not say its %s", name, what)
			}
		}
		if len(words) > 8 {
			t.Errorf("%s holds figures that are no numbers: %v", name, words)
		}
	}
}
