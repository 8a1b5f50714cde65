package history

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// A thinned history keeps every peak, the first and the last row, and its times in
// order; one that is short stays as it is.
func TestThinned(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 99_991} {
		thin := NewThinned(64)
		for i := range n {
			v := math.Sin(float64(i))
			switch i {
			case n / 3:
				v = 100 // one row
			case n / 2:
				v = -100
			}
			thin.Add([]float64{float64(i), v, math.NaN()})
		}
		rows := thin.Rows()
		if len(rows) > 64+2 || n <= 60 && len(rows) != n || thin.Count() != n {
			t.Errorf("%d rows became %d", n, len(rows))
		}
		if n < 9 {
			continue
		}
		low, high := 0.0, 0.0
		for k, r := range rows {
			low, high = min(low, r[1]), max(high, r[1])
			if k > 0 && r[0] < rows[k-1][0] {
				t.Errorf("%d rows: time %g follows %g", n, r[0], rows[k-1][0])
			}
		}
		if high != 100 || low != -100 {
			t.Errorf("%d rows: a peak is lost: %g to %g", n, low, high)
		}
		if rows[0][0] != 0 || rows[0][1] != 0 || rows[len(rows)-1][0] != float64(n-1) || rows[len(rows)-1][1] != math.Sin(float64(n-1)) {
			t.Errorf("%d rows: ends are %v and %v", n, rows[0], rows[len(rows)-1])
		}
	}
}

// A file that grows in parts, lines cut anywhere, is read as if it had been whole.
func TestTail(t *testing.T) {
	text := "time,\"a, b\"\n"
	for i := range 500 {
		text += strconv.Itoa(i) + "," + strconv.Itoa(i*i%37) + "\n"
	}
	path := filepath.Join(t.TempDir(), "history.csv")
	all := func(int) int { return 100 }
	grows := NewTail(path, all)
	for at := 0; at < len(text); at += 61 {
		if err := os.WriteFile(path, []byte(text[:at]), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := grows.Read(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := NewTail(path, all)
	for _, tail := range []*Tail{grows, whole} {
		if err := tail.Read(); err != nil {
			t.Fatal(err)
		}
	}
	a, n := grows.Table()
	b, m := whole.Table()
	if n != 500 || m != 500 || !slices.Equal(a.Columns, []string{"time", "a, b"}) || !slices.EqualFunc(a.Rows, b.Rows, slices.Equal) {
		t.Errorf("%d and %d rows, columns %q", n, m, a.Columns)
	}
}
