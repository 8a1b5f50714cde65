package history

import (
	"path/filepath"
	"slices"
	"testing"
)

// Names that a spreadsheet would run as formulas begin with an apostrophe in a file, numbers and
// other names do not, and all are read as they were.
func TestCellsRunNothing(t *testing.T) {
	for text, cell := range map[string]string{
		"": "", "top.fy": "top.fy", "-1.5e-3": "-1.5e-3", "+2": "+2", "'quoted'": "'quoted'", "a=b": "a=b", "'": "'",
		`=HYPERLINK("x")`: `'=HYPERLINK("x")`, "@sum.vx": "'@sum.vx", "+left.fx": "'+left.fx", "-1 mm": "'-1 mm", "\t=1": "'\t=1", "'=1": "''=1",
	} {
		if got := Cell(text); got != cell {
			t.Errorf("%q is written as %q, want %q", text, got, cell)
		}
		if got := Text(Cell(text)); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
	}
	path := filepath.Join(t.TempDir(), "history.csv")
	names := []string{"time", "=1+1.vx", "@b, c.vx", "-x.omega", "'=y"}
	w, err := Create(path, names)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil || !slices.Equal(got.Columns, names) {
		t.Errorf("columns %q, %v", got.Columns, err)
	}
}
