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

// Writer writes rows as they come; what was written is on disk after Flush.
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
	if err := w.Write(columns); err != nil {
		return nil, err
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// Continue goes on with a file that was size bytes long; what came after is
// dropped. It fails where the file is shorter or has other columns.
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
		return fail(fmt.Errorf("%s: the file has %d bytes where the checkpoint knows of %d", path, info.Size(), size))
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(f, got); err != nil {
		return fail(err)
	}
	if !bytes.Equal(got, want) {
		return fail(fmt.Errorf("%s: the columns are not those of the model", path))
	}
	end := make([]byte, 1)
	if _, err := f.ReadAt(end, size-1); err != nil {
		return fail(err)
	}
	if end[0] != '\n' {
		return fail(fmt.Errorf("%s: no row ends at byte %d, where the checkpoint knows of one: the file has been changed", path, size))
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

// Sync puts what was flushed on the disk; it may be called while rows are
// written.
func (w *Writer) Sync() error { return w.file.Sync() }

func (w *Writer) write(line []byte) error {
	w.size += int64(len(line))
	_, err := w.out.Write(line)
	return err
}

// Row writes one row in the shortest digits that give the same numbers back.
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

// Table is a file read back.
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

// Read reads a file. It fails, naming the line, for rows of another width
// than the header and for what is no number.
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
	r := csv.NewReader(in)
	r.Comment = '#'
	r.TrimLeadingSpace = true
	var t Table
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Table{}, fmt.Errorf("%s: %w", name, err)
		}
		if t.Columns == nil {
			t.Columns = record
			continue
		}
		row := make([]float64, len(record))
		for i, s := range record {
			if row[i], err = strconv.ParseFloat(s, 64); err != nil {
				line, _ := r.FieldPos(i)
				return Table{}, fmt.Errorf("%s:%d: column %q: %.40q is not a number", name, line, t.Columns[i], s)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	if t.Columns == nil {
		return Table{}, fmt.Errorf("%s: the file is empty, expected a header of column names", name)
	}
	return t, nil
}

// Header reads the names of the columns of a file.
func Header(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return header, nil
}

// Columns reads some columns of a file by name, one after the other in the order of the
// names, without the rest. It fails as Read does, and where a column is missing.
func Columns(path string, names []string) (out [][]float64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(bufio.NewReaderSize(f, 1<<16))
	r.Comment, r.ReuseRecord = '#', true
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	places := make([]int, len(names))
	for i, name := range names {
		if places[i] = slices.Index(header, name); places[i] < 0 {
			return nil, fmt.Errorf("%s: there is no column %q", path, name)
		}
	}
	out = make([][]float64, len(names))
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for i, k := range places {
			v, err := strconv.ParseFloat(record[k], 64)
			if err != nil {
				line, _ := r.FieldPos(k)
				return nil, fmt.Errorf("%s:%d: column %q: %.40q is not a number", path, line, names[i], record[k])
			}
			out[i] = append(out[i], v)
		}
	}
}
