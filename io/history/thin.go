package history

import (
	"io"
	"math"
	"os"
)

// Thinned keeps the rows of a long history in few. As long as there are at most so
// many, every row is kept. From then on rows that follow each other share two: each
// column has its least and its greatest value among them there, in the order in which
// they came, so that no peak is lost. The first and the last row stay as they are.
type Thinned struct {
	most  int         // rows are kept, about
	count int         // rows so far
	first []float64   // row
	rows  [][]float64 // after it; pairs where they share
	span  int         // rows that a pair stands for; 0 while there are no pairs
	part  [2][]float64
	has   int // rows that part stands for
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

// Rows returns what is kept; it must not be changed, and is good until the next Add.
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

// Thin returns rows as they are where they are at most so many, or else as Thinned
// keeps them.
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

// Tail reads a file that grows, again and again what is new, and keeps it thinned.
type Tail struct {
	parser parser
	most   func(columns int) int
	kept   *Thinned
}

// NewTail reads the file at path; most says how many rows are kept of so many columns.
func NewTail(path string, most func(columns int) int) *Tail {
	return &Tail{parser: parser{name: path}, most: most}
}

// Read reads what is new, up to the last whole line.
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

// Size returns how much of the file has been read [bytes].
func (t *Tail) Size() int64 { return t.parser.size }

// Table returns what has been read, thinned, and how many rows it was.
func (t *Tail) Table() (table Table, rows int) {
	table.Columns = t.parser.columns
	if t.kept != nil {
		table.Rows, rows = append([][]float64(nil), t.kept.Rows()...), t.kept.Count()
	}
	return table, rows
}
