// Package history writes and reads history.csv, the time series of a run: one row
// of numbers for each instant, under a header.
package history

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
)

// Writer writes rows one by one. They are in the file after Flush.
type Writer struct {
	file  *os.File
	out   *bufio.Writer
	width int
	size  int64
	row   []byte
}

// Create starts a file with a header of column names.
func Create(path string, columns []string) (*Writer, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{file: f, out: bufio.NewWriter(f), width: len(columns)}
	header, err := head(columns)
	if err == nil {
		err = w.write(header)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return w, nil
}

// head returns the first line of a file.
func head(columns []string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(Cells(columns)); err != nil {
		return nil, err
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// Continue continues a file that had size bytes; later rows are removed. It
// fails if the file is shorter or has other columns.
func Continue(path string, columns []string, size int64) (*Writer, error) {
	want, err := head(columns)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*Writer, error) { return nil, errors.Join(err, f.Close()) }
	info, err := f.Stat()
	if err != nil {
		return fail(err)
	}
	if info.Size() < size || size < int64(len(want)) {
		return fail(fmt.Errorf("%s: the file has %d bytes, but the checkpoint was written after %d", path, info.Size(), size))
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(f, got); err != nil {
		return fail(err)
	}
	if !bytes.Equal(got, want) {
		return fail(fmt.Errorf("%s: the columns of the file are not those of the model", path))
	}
	end := make([]byte, 1)
	if _, err := f.ReadAt(end, size-1); err != nil {
		return fail(err)
	}
	if end[0] != '\n' {
		return fail(fmt.Errorf("%s: no row ends at byte %d, where the checkpoint was written: the file has been changed", path, size))
	}
	if err := f.Truncate(size); err != nil {
		return fail(err)
	}
	if _, err := f.Seek(size, io.SeekStart); err != nil {
		return fail(err)
	}
	return &Writer{file: f, out: bufio.NewWriter(f), width: len(columns), size: size}, nil
}

// Size returns the length of the file with every row so far [bytes].
func (w *Writer) Size() int64 { return w.size }

// Sync brings flushed rows to the disk. It may be called while rows are
// written.
func (w *Writer) Sync() error { return w.file.Sync() }

func (w *Writer) write(line []byte) error {
	w.size += int64(len(line))
	_, err := w.out.Write(line)
	return err
}

// Row writes one row, with the fewest digits from which the same numbers are
// read.
func (w *Writer) Row(values []float64) error {
	if len(values) != w.width {
		return fmt.Errorf("%s: a row has %d values, want %d", w.file.Name(), len(values), w.width)
	}
	w.row = w.row[:0]
	for i, v := range values {
		if i > 0 {
			w.row = append(w.row, ',')
		}
		w.row = strconv.AppendFloat(w.row, v, 'g', -1, 64)
	}
	w.row = append(w.row, '\n')
	return w.write(w.row)
}

// Flush hands every row so far to the system.
func (w *Writer) Flush() error { return w.out.Flush() }

// Close ends the file.
func (w *Writer) Close() error { return errors.Join(w.out.Flush(), w.file.Close()) }

// Table is the contents of a file.
type Table struct {
	Columns []string
	Rows    [][]float64
}

// Column returns a column by name.
func (t Table) Column(name string) ([]float64, bool) {
	for i, c := range t.Columns {
		if c != name {
			continue
		}
		out := make([]float64, len(t.Rows))
		for k, r := range t.Rows {
			out[k] = r[i]
		}
		return out, true
	}
	return nil, false
}

// Read reads a file. It fails for rows of another width than the header and for
// cells that are not numbers. The error names the line.
func Read(path string) (Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return Table{}, err
	}
	defer f.Close()
	return Parse(path, f)
}

// Parse reads comma-separated numbers under a header; lines that begin with #
// are skipped. name is for messages.
func Parse(name string, in io.Reader) (Table, error) {
	p := parser{name: name}
	var t Table
	err := p.read(in, true, func(row []float64) { t.Rows = append(t.Rows, slices.Clone(row)) })
	if err == nil && p.columns == nil {
		err = fmt.Errorf("%s: the file is empty, expected a header of column names", name)
	}
	if err != nil {
		return Table{}, err
	}
	t.Columns = p.columns
	return t, nil
}

// Header reads the names of the columns of a file.
func Header(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := parser{name: path, headOnly: true}
	if err := p.read(f, true, nil); err != nil {
		return nil, err
	}
	if p.columns == nil {
		return nil, fmt.Errorf("%s: the file is empty, expected a header of column names", path)
	}
	return p.columns, nil
}

// Columns reads some columns of a file by name, one after the other in the order of the
// names, without the rest. It fails as Read does, and where a column is missing.
func Columns(path string, names []string) (out [][]float64, err error) {
	header, err := Header(path)
	if err != nil {
		return nil, err
	}
	indices := make([]int, len(names))
	for i, name := range names {
		if indices[i] = slices.Index(header, name); indices[i] < 0 {
			return nil, fmt.Errorf("%s: there is no column %q", path, name)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out = make([][]float64, len(names))
	p := parser{name: path}
	err = p.read(f, true, func(row []float64) {
		for i, k := range indices {
			out[i] = append(out[i], row[k])
		}
	})
	return out, err
}

// Limits of a file.
const (
	longestLine = 16 << 20 // [bytes]
	maxColumns  = 200_000
)

// parser reads lines of a file, which may be given in parts.
type parser struct {
	name    string
	columns []string
	row     []float64
	line    int   // lines so far
	size    int64 // their length [bytes]

	headOnly bool // only the columns are read
}

// read passes on every row of in, which continues after the last line read. A last
// line without an end counts only if whole is true.
func (p *parser) read(in io.Reader, whole bool, each func(row []float64)) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	var long []byte // a line that the buffer does not hold
	for {
		part, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if long = append(long, part...); len(long) > longestLine {
				return fmt.Errorf("%s:%d: a line of more than %d bytes", p.name, p.line+1, longestLine)
			}
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		ended, text := err == nil, part
		if len(long) > 0 {
			long = append(long, part...)
			text = long
		}
		if !ended && (!whole || len(text) == 0) {
			return nil
		}
		p.line++
		p.size += int64(len(text))
		if err := p.take(bytes.TrimRight(text, "\r\n"), each); err != nil {
			return err
		}
		long = long[:0]
		if !ended || p.headOnly && p.columns != nil {
			return nil
		}
	}
}

// take reads one line.
func (p *parser) take(line []byte, each func(row []float64)) error {
	switch {
	case len(line) == 0 || line[0] == '#':
		return nil
	case p.columns == nil:
		return p.head(line)
	}
	if n := bytes.Count(line, comma) + 1; n != len(p.columns) {
		return fmt.Errorf("%s:%d: %d values under %d columns", p.name, p.line, n, len(p.columns))
	}
	for i := range p.row {
		field, rest, _ := bytes.Cut(line, comma)
		line = rest
		v, err := strconv.ParseFloat(string(bytes.TrimSpace(field)), 64)
		if err != nil {
			return fmt.Errorf("%s:%d: column %q: %.40q is not a number", p.name, p.line, p.columns[i], field)
		}
		p.row[i] = v
	}
	each(p.row)
	return nil
}

var comma = []byte(",")

// head reads the names of the columns, which may be in quotes.
func (p *parser) head(line []byte) error {
	r := csv.NewReader(bytes.NewReader(line))
	r.TrimLeadingSpace = true
	names, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s:%d: %w", p.name, p.line, err)
	}
	if len(names) > maxColumns {
		return fmt.Errorf("%s:%d: more than %d columns", p.name, p.line, maxColumns)
	}
	for i, n := range names {
		names[i] = Text(n)
	}
	p.columns, p.row = names, make([]float64, len(names))
	return nil
}
