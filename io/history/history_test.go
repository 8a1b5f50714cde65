package history

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rows writes rows to a file and returns their bytes.
func rows(t testing.TB, path string, values ...[]float64) *Writer {
	t.Helper()
	w, err := Create(path, []string{"time", "a, b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range values {
		if err := w.Row(v); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// A file cut back to an earlier size and written on is the file of one go.
func TestContinue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.csv")
	w := rows(t, path, []float64{0, math.Pi})
	size := w.Size()
	for _, v := range [][]float64{{1, 1e-300}, {2, math.Inf(1)}} {
		if err := w.Row(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		columns []string
		size    int64
		message string
	}{
		{[]string{"time", "a"}, size, "columns"},
		{[]string{"time", "a, b"}, int64(len(want)) + 1, "the checkpoint was written after"},
		{[]string{"time", "a, b"}, 3, "the checkpoint was written after"},
	} {
		if _, err := Continue(path, c.columns, c.size); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("columns %q, size %d: %v", c.columns, c.size, err)
		}
	}
	if w, err = Continue(path, []string{"time", "a, b"}, size); err != nil {
		t.Fatal(err)
	}
	for _, v := range [][]float64{{1, 1e-300}, {2, math.Inf(1)}} {
		if err := w.Row(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, want) || w.Size() != int64(len(want)) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// No bytes make the reader panic; what it takes is as wide as its header.
func FuzzParse(f *testing.F) {
	f.Add("time,kinetic\n0,1\n1e-6,NaN\n")
	f.Add("# comment\n\"a, b\",c\n 1, 2\n")
	f.Add("a\n0x1p-3\n1_0\n")
	f.Add("\xef\xbb\xbftime\r\n1\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := Parse("fuzz.csv", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.csv:") {
				t.Errorf("message %q does not name the file", err)
			}
			return
		}
		for _, r := range table.Rows {
			if len(r) != len(table.Columns) {
				t.Errorf("a row of %d under %d columns", len(r), len(table.Columns))
			}
		}
		for _, c := range table.Columns {
			table.Column(c)
		}
	})
}
