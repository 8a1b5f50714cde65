// Package columns reads CSV files (comma-separated values) whose header gives
// names and units, "deflection [um],pressure [MPa]". Lines opening with "#" are
// comments.
package columns

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Reader reads a file row by row. Mistakes are named with file and line.
type Reader struct {
	Names []string // of the columns

	file   string
	csv    *csv.Reader
	header []string // as written, for messages
	line   int      // of the header
	units  []string // "" where the header has none: SI
	rows   int
}

// NewReader reads the header; name is that of the file, for messages.
func NewReader(name string, in io.Reader) (*Reader, error) {
	r := &Reader{file: name, csv: csv.NewReader(in)}
	r.csv.Comment = '#'
	r.csv.TrimLeadingSpace = true
	header, err := r.csv.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: no header line with names of columns", name)
	} else if err != nil {
		return nil, r.broken(err)
	}
	r.csv.ReuseRecord = true
	r.header = header
	r.line, _ = r.csv.FieldPos(0)
	switch first := strings.TrimPrefix(header[0], "\ufeff"); {
	case strings.HasPrefix(first, "\xff\xfe") || strings.HasPrefix(first, "\xfe\xff"):
		return nil, fmt.Errorf("%s: the file is in UTF-16: save it as UTF-8", name)
	case len(header) == 1 && strings.ContainsAny(first, ";\t"):
		return nil, r.Wrong("columns must be separated by commas, got %.60q", first)
	}
	for _, title := range header {
		title = strings.TrimPrefix(title, "\ufeff") // a spreadsheet's byte order mark
		unit := ""
		if i := strings.IndexAny(title, "[("); i >= 0 {
			title, unit = title[:i], strings.TrimRight(strings.TrimSpace(title[i+1:]), "])")
		}
		r.Names = append(r.Names, strings.TrimSpace(title))
		r.units = append(r.units, strings.TrimSpace(unit))
	}
	return r, nil
}

func (r *Reader) broken(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s:%d: %w", r.file, parse.Line, parse.Err)
	}
	return fmt.Errorf("%s: %w", r.file, err)
}

// Wrong is an error of the header.
func (r *Reader) Wrong(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", r.file, r.line, fmt.Errorf(format, args...))
}

// Find returns the index of a column, -1 if there is none. It fails if two
// columns have the name.
func (r *Reader) Find(name string) (int, error) {
	at := slices.Index(r.Names, name)
	if at >= 0 && slices.Contains(r.Names[at+1:], name) {
		return 0, r.Wrong("two columns are named %q", name)
	}
	return at, nil
}

// Next reads a row, which the next call overwrites. It returns io.EOF after the
// last, and another error for a file without rows.
func (r *Reader) Next() ([]string, error) {
	row, err := r.csv.Read()
	switch {
	case err == io.EOF && r.rows == 0:
		return nil, fmt.Errorf("%s: no rows under the header", r.file)
	case err == io.EOF:
		return nil, err
	case err != nil:
		return nil, r.broken(err)
	}
	r.rows++
	return row, nil
}

// Number reads the cell of a column with the unit of the header, by parse.
func (r *Reader) Number(cell string, column int, parse func(text string) (float64, error)) (float64, error) {
	v, err := parse(cell + " " + r.units[column])
	if err != nil {
		err = fmt.Errorf("column %q: %w", r.Names[column], err)
	}
	return v, err
}

// Line returns the line of the row read last.
func (r *Reader) Line() int {
	line, _ := r.csv.FieldPos(0)
	return line
}

// At adds the file and a line to an error.
func (r *Reader) At(line int, err error) error { return fmt.Errorf("%s:%d: %w", r.file, line, err) }

// Table is a whole file, with its cells as text.
type Table struct {
	*Reader
	rows  [][]string
	lines []int // of the rows
}

// Line returns the line of a row in the file.
func (t *Table) Line(row int) int { return t.lines[row] }

// Read reads a file.
func Read(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Scan(path, f)
}

// Scan reads a table; name is that of the file, for messages.
func Scan(name string, in io.Reader) (*Table, error) {
	r, err := NewReader(name, in)
	if err != nil {
		return nil, err
	}
	t := &Table{Reader: r}
	for {
		row, err := r.Next()
		if err == io.EOF {
			return t, nil
		} else if err != nil {
			return nil, err
		}
		t.rows, t.lines = append(t.rows, slices.Clone(row)), append(t.lines, r.Line())
	}
}

// Has tells whether there is a column of that name.
func (t *Table) Has(name string) bool { return slices.Contains(t.Names, name) }

// Numbers returns a column. parse reads its cells with their units. It fails if
// the column is missing or named twice, and for a cell at which parse fails.
func (t *Table) Numbers(name string, parse func(text string) (float64, error)) ([]float64, error) {
	at, err := t.Find(name)
	if err != nil {
		return nil, err
	}
	if at < 0 {
		return nil, t.Wrong("no column is named %q: there are %q", name, t.header)
	}
	values := make([]float64, len(t.rows))
	for i, row := range t.rows {
		if values[i], err = t.Number(row[at], at, parse); err != nil {
			return nil, t.At(t.lines[i], err)
		}
	}
	return values, nil
}

// Texts returns a column as text, nil if there is none.
func (t *Table) Texts(name string) ([]string, error) {
	at, err := t.Find(name)
	if at < 0 || err != nil {
		return nil, err
	}
	texts := make([]string, len(t.rows))
	for i, row := range t.rows {
		texts[i] = strings.TrimSpace(row[at])
	}
	return texts, nil
}
