// Package table reads columns of quantities from CSV files whose header gives
// names and units, "deflection [um],pressure [MPa]". Lines opening with "#" are
// comments.
package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fdem/io/deck"
)

// Table is a file whose cells are not yet numbers.
type Table struct {
	file   string
	header []string // as written, for messages
	line   int      // of the header
	names  []string
	units  []string // "" where the header has none: SI
	rows   [][]string
	lines  []int // of the rows
}

// Read reads a file. Mistakes are named with file and line.
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
	r := csv.NewReader(in)
	r.Comment = '#'
	r.TrimLeadingSpace = true
	t := &Table{file: name}
	var err error
	if t.header, err = r.Read(); err == io.EOF {
		return nil, fmt.Errorf("%s: no header line with names of columns", name)
	} else if err != nil {
		return nil, t.broken(err)
	}
	t.line, _ = r.FieldPos(0)
	for _, title := range t.header {
		title = strings.TrimPrefix(title, "\ufeff") // a spreadsheet's byte order mark
		unit := ""
		if i := strings.IndexAny(title, "[("); i >= 0 {
			title, unit = title[:i], strings.TrimRight(strings.TrimSpace(title[i+1:]), "])")
		}
		t.names = append(t.names, strings.TrimSpace(title))
		t.units = append(t.units, strings.TrimSpace(unit))
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		} else if err != nil {
			return nil, t.broken(err)
		}
		line, _ := r.FieldPos(0)
		t.rows, t.lines = append(t.rows, row), append(t.lines, line)
	}
	if len(t.rows) == 0 {
		return nil, fmt.Errorf("%s: no rows under the header", name)
	}
	return t, nil
}

func (t *Table) broken(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s:%d: %w", t.file, parse.Line, parse.Err)
	}
	return fmt.Errorf("%s: %w", t.file, err)
}

// find returns the place of a column, -1 where there is none.
func (t *Table) find(name string) (int, error) {
	at := -1
	for i, n := range t.names {
		if n != name {
			continue
		}
		if at >= 0 {
			return 0, fmt.Errorf("%s:%d: two columns are named %q", t.file, t.line, name)
		}
		at = i
	}
	return at, nil
}

// Has tells whether there is a column of that name.
func (t *Table) Has(name string) bool {
	at, err := t.find(name)
	return at >= 0 || err != nil
}

// Missing is the error for a column that is not there.
func (t *Table) Missing(name string) error {
	return fmt.Errorf("%s:%d: no column is named %q: there are %q", t.file, t.line, name, t.header)
}

// Quantities returns a column in SI. It fails where the column is missing or
// named twice, and at a cell that is no quantity of the dimension.
func (t *Table) Quantities(name string, dim deck.Dimension) ([]float64, error) {
	at, err := t.find(name)
	if err != nil {
		return nil, err
	}
	if at < 0 {
		return nil, t.Missing(name)
	}
	values := make([]float64, len(t.rows))
	for i, row := range t.rows {
		if values[i], err = deck.ParseQuantity(row[at]+" "+t.units[at], dim); err != nil {
			return nil, t.At(i, fmt.Errorf("column %q: %w", name, err))
		}
	}
	return values, nil
}

// Texts returns a column as it stands, nil where there is none.
func (t *Table) Texts(name string) ([]string, error) {
	at, err := t.find(name)
	if at < 0 || err != nil {
		return nil, err
	}
	texts := make([]string, len(t.rows))
	for i, row := range t.rows {
		texts[i] = strings.TrimSpace(row[at])
	}
	return texts, nil
}

// At adds file and line of a row to an error.
func (t *Table) At(row int, err error) error {
	return fmt.Errorf("%s:%d: %w", t.file, t.lines[row], err)
}
