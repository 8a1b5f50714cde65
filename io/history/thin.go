package history

import (
	"io"
	"math"
	"os"
)

// Thinned reduces a long history to fewer rows. Up to a given number every row is
// kept. From then on consecutive rows are replaced by two rows, which have the least
// and the greatest value of each column among them, in the order of time, so that no
// peak is lost. The first and the last row do not change.
type Thinned struct {
	most  int         // approximate number of kept rows
	count int         // rows so far
	first []float64   // row
	rows  [][]float64 // rows after it, or pairs of rows
	span  int         // rows that a pair stands for; 0 while there are no pairs
	part  [2][]float64
	has   int // number of rows in part
	last  []float64
}

// NewThinned keeps about most rows, at least eight.
func NewThinned(most int) *Thinned { return &Thinned{most: max(most, 8)} }

// Add takes a row.
func (t *Thinned) Add(row []float64) {
	t.count++
	if t.count == 1 {
		t.first = append(t.first, row...)
		return
	}
	if t.last == nil {
		t.last = append(t.last, row...)
		return
	}
	t.push()
	copy(t.last, row)
}

// push moves the last row to the rows before it.
func (t *Thinned) push() {
	if t.span == 0 {
		t.rows = append(t.rows, append([]float64(nil), t.last...))
	} else {
		if t.has == 0 {
			t.part = [2][]float64{append([]float64(nil), t.last...), append([]float64(nil), t.last...)}
		} else {
			extend(t.part, t.last)
		}
		if t.has++; t.has < t.span {
			return
		}
		t.rows, t.has = append(t.rows, t.part[0], t.part[1]), 0
	}
	if len(t.rows) >= t.most-2 {
		t.halve()
	}
}

// halve makes two rows of every four.
func (t *Thinned) halve() {
	var rest [][]float64
	n := 0
	for i := 0; i < len(t.rows); i += 4 {
		if i+4 > len(t.rows) {
			rest = t.rows[i:]
			break
		}
		pair := [2][]float64{t.rows[i], t.rows[i+1]}
		extend(pair, t.rows[i+2])
		extend(pair, t.rows[i+3])
		t.rows[n], t.rows[n+1] = pair[0], pair[1]
		n += 2
	}
	each := max(t.span/2, 1) // raw rows that a row stood for
	t.span = max(2*t.span, 4)
	if len(rest) > 0 { // too few for a pair: they begin the next
		t.part = [2][]float64{rest[0], append([]float64(nil), rest[0]...)}
		t.has = each * len(rest)
		for _, row := range rest[1:] {
			extend(t.part, row)
		}
	}
	clear(t.rows[n:])
	t.rows = t.rows[:n]
}

// extend takes a row into the extremes of a pair.
func extend(pair [2][]float64, row []float64) {
	a, b := pair[0], pair[1]
	for i, v := range row {
		switch low, high := min(a[i], b[i]), max(a[i], b[i]); {
		case math.IsNaN(a[i]):
			a[i], b[i] = v, v
		case math.IsNaN(b[i]):
			b[i] = v
		case v > high:
			a[i], b[i] = low, v
		case v < low:
			a[i], b[i] = high, v
		}
	}
}

// Rows returns the kept rows. They must not be changed, and are valid until the next
// Add.
func (t *Thinned) Rows() [][]float64 {
	var out [][]float64
	if t.first != nil {
		out = append(append(out, t.first), t.rows...)
	}
	if t.has > 0 {
		out = append(out, t.part[0], t.part[1])
	}
	if t.last != nil {
		out = append(out, t.last)
	}
	return out
}

// Count returns how many rows there were.
func (t *Thinned) Count() int { return t.count }

// Thin returns the rows unchanged if they are few enough, else as in Thinned.
func Thin(rows [][]float64, most int) [][]float64 {
	if len(rows) <= most {
		return rows
	}
	t := NewThinned(most)
	for _, row := range rows {
		t.Add(row)
	}
	return t.Rows()
}

// Tail reads a growing file, each time its new rows, and keeps them thinned.
type Tail struct {
	parser parser
	most   func(columns int) int
	kept   *Thinned
}

// NewTail returns a Tail of the file at path. most returns the number of kept rows
// from the number of columns.
func NewTail(path string, most func(columns int) int) *Tail {
	return &Tail{parser: parser{name: path}, most: most}
}

// Read reads the new rows, up to the last complete line.
func (t *Tail) Read() error {
	f, err := os.Open(t.parser.name)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Seek(t.parser.size, io.SeekStart); err != nil {
		return err
	}
	return t.parser.read(f, false, func(row []float64) {
		if t.kept == nil {
			t.kept = NewThinned(t.most(len(row)))
		}
		t.kept.Add(row)
	})
}

// Size returns the length of the part of the file that has been read [bytes].
func (t *Tail) Size() int64 { return t.parser.size }

// Table returns the thinned rows read so far, and the number of rows in the
// file.
func (t *Tail) Table() (table Table, rows int) {
	table.Columns = t.parser.columns
	if t.kept != nil {
		table.Rows, rows = append([][]float64(nil), t.kept.Rows()...), t.kept.Count()
	}
	return table, rows
}
