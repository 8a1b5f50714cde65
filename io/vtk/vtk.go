// Package vtk writes and reads files for ParaView: meshes of triangles and lines (.vtu, large
// ones in pieces: .pvtu), points (.vtp) and collections in time (.pvd) in VTK's XML formats,
// data appended raw, compressed with zlib in blocks; and any of them as VTKHDF. A file gets its
// name only when it is complete.
package vtk

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unsafe"

	"fdem/io/whole"

	"github.com/klauspost/compress/zlib"
	"gonum.org/v1/gonum/spatial/r2"
)

// Array is a named field: Components values for each point or cell, in exactly
// one of the slices or from Fill.
type Array struct {
	Name       string
	Components int
	Float64    []float64
	Int64      []int64
	Int32      []int32
	Fill       Fill
	Constant   bool // the values of a slice never change: a Writer compresses them once for all its files
	Sparse     bool // most values are usually zero
}

// Fill sets out to the values of the points or cells [first, end). A Writer
// calls it once for each range of them; a range fits in a cache.
type Fill func(first, end int, out []float64)

// Vectors returns a field of vectors in the plane, padded to three components.
func Vectors(name string, at func(k int) r2.Vec) Array {
	return Array{Name: name, Components: 3, Fill: func(first, end int, out []float64) {
		for k := first; k < end; k++ {
			v, to := at(k), out[3*(k-first):][:3]
			to[0], to[1], to[2] = v.X, v.Y, 0
		}
	}}
}

// Grid is a mesh of constant triangles and lines.
type Grid struct {
	Points    []r2.Vec
	Triangles [][3]int32
	Lines     [][2]int32
	PointData []Array
	CellData  []Array // of the triangles, then of the lines
	Time      float64 // field data TimeValue [s]

	vertices bool // each point is a cell, and there are no others
	changing bool // points and cells do change from file to file
}

// Points is a cloud of points, which may be empty. They change from file to
// file unless they are constant.
type Points struct {
	Points    []r2.Vec
	PointData []Array
	Time      float64 // field data TimeValue [s]
	Constant  bool
	Counted   bool // their number is constant: a Writer compresses data that depend on it only once
}

// Lines is a set of lines, two points each, which may be empty and change from
// file to file.
type Lines struct {
	Points    []r2.Vec // of the first line, of the second, and so on
	PointData []Array
	CellData  []Array
	Time      float64 // field data TimeValue [s]
}

// Writer writes files. It keeps its buffers and constant data from one file to
// the next.
type Writer struct {
	Uncompressed bool // do not compress the data
	Single       bool // write numbers of type float64 as Float32, except changing positions
	// Copy is the extension of a copy of every file beside it, as an unstructured grid:
	// ".vtu" or ".vtkhdf", "" for none.
	Copy string
	// Piece is the number of triangles in a piece of a large grid, 0 for a million. A
	// grid is large if it has more than twice as many.
	Piece int

	xml     bytes.Buffer
	data    [][]byte  // appended data, some of them the caller's own numbers
	size    int       // of data
	measure bool      // changing data are only counted uncompressed, not made
	filled  []float64 // values set by Fill
	single  []float32 // the same in single precision
	counted []int64   // 0, 1, 2, ...
	packed  bytes.Buffer
	zlib    *zlib.Writer
	kept    map[constant][2][]byte // appended constant data
	parts   []part                 // of a large grid
	partsOf constant               // triangles of the parts
}

// constant is the key of data that do not change: their kind, with the address
// and number of the values from which they are made, or with their number alone.
type constant struct {
	name string
	of   any
	n    int
}

// WriteGrid writes a .vtu file, or a .pvtu file with its pieces, by the extension.
func (w *Writer) WriteGrid(path string, g Grid) error {
	if filepath.Ext(path) == ".pvtu" {
		return errors.Join(w.writePieces(path, &g), w.copy(path, &g))
	}
	if err := w.grid(g); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return errors.Join(w.close(path, "UnstructuredGrid"), w.copy(path, &g))
}

// GridSize returns the approximate size of a file of such a grid [bytes]. Only
// fields marked as Sparse are taken as mostly zero.
func (w *Writer) GridSize(g Grid) (int, error) {
	w.measure = true
	err := w.grid(g)
	w.measure = false
	return w.size + w.xml.Len() + w.copySize(&g, ".vtu"), err
}

// PointsSize is GridSize for points.
func (w *Writer) PointsSize(p Points) (int, error) {
	w.measure = true
	err := w.points(p)
	w.measure = false
	return w.size + w.xml.Len() + w.copySize(p.grid(), ".vtp"), err
}

// grid collects a .vtu file.
func (w *Writer) grid(g Grid) error {
	n, cells := len(g.Points), g.cells()
	w.open("UnstructuredGrid", g.Time)
	fmt.Fprintf(&w.xml, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", n, cells)
	w.positions(g.Points, !g.changing)
	w.cells(&g)
	return w.fields(g.PointData, n, g.CellData, cells)
}

// WritePoints writes a .vtp file with a vertex for each point.
func (w *Writer) WritePoints(path string, p Points) error {
	if err := w.points(p); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return errors.Join(w.close(path, "PolyData"), w.copy(path, p.grid()))
}

// points collects a .vtp file.
func (w *Writer) points(p Points) error {
	n := len(p.Points)
	w.open("PolyData", p.Time)
	fmt.Fprintf(&w.xml, "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n", n, n)
	w.positions(p.Points, p.Constant)
	w.xml.WriteString("<Verts>\n")
	w.count(n)
	of := func(name string) constant {
		if p.Constant || p.Counted {
			return constant{name: name, of: n}
		}
		return constant{}
	}
	w.block("Int64", "connectivity", 1, of("connectivity"), each(w.counted[:n], 1))
	w.block("Int64", "offsets", 1, of("offsets"), each(w.counted[1:n+1], 1))
	w.xml.WriteString("</Verts>\n")
	return w.fields(p.PointData, n, nil, 0)
}

// WriteLines writes a .vtp file of lines.
func (w *Writer) WriteLines(path string, l Lines) error {
	n := len(l.Points)
	w.open("PolyData", l.Time)
	fmt.Fprintf(&w.xml, "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n", n, n/2)
	w.positions(l.Points, false)
	w.xml.WriteString("<Lines>\n")
	w.count(n)
	ends := make([]int64, n/2)
	for i := range ends {
		ends[i] = int64(2 * (i + 1))
	}
	w.block("Int64", "connectivity", 1, constant{}, each(w.counted[:n], 1))
	w.block("Int64", "offsets", 1, constant{}, each(ends, 1))
	w.xml.WriteString("</Lines>\n")
	if err := w.fields(l.PointData, n, l.CellData, n/2); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return errors.Join(w.close(path, "PolyData"), w.copy(path, l.grid()))
}

// Reset removes the kept constant data, after a change of the mesh.
func (w *Writer) Reset() { w.kept, w.parts = nil, nil }

// count extends the list of consecutive numbers to n.
func (w *Writer) count(n int) {
	for i := len(w.counted); i <= n; i++ {
		w.counted = append(w.counted, int64(i))
	}
}

// open begins a file.
func (w *Writer) open(kind string, time float64) {
	w.xml.Reset()
	w.packed.Reset()
	w.data, w.size = w.data[:0], 0
	compressor := ` compressor="vtkZLibDataCompressor"`
	if w.Uncompressed {
		compressor = ""
	}
	fmt.Fprintf(&w.xml, "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"%s>\n<%s>\n", kind, compressor, kind)
	w.xml.WriteString("<FieldData>\n")
	w.declare("Float64", "TimeValue", "NumberOfTuples=\"1\"")
	w.add(w.pack(each([]float64{time}, 1), true))
	w.xml.WriteString("</FieldData>\n")
}

// positions writes points with z = 0.
func (w *Writer) positions(x []r2.Vec, constant bool) {
	w.xml.WriteString("<Points>\n")
	of := Vectors("Points", func(k int) r2.Vec { return x[k] })
	kind, values := "Float64", w.fill(&of, len(x))
	if constant {
		kind, values = w.floats(values)
	}
	w.block(kind, of.Name, 3, key(of.Name, x, constant), values)
	w.xml.WriteString("</Points>\n")
}

// cells writes the triangles, then the lines, or the points.
func (w *Writer) cells(g *Grid) {
	of := func(name string) constant {
		switch {
		case g.changing:
			return constant{}
		case g.vertices:
			return key(name, g.Points, true)
		case len(g.Triangles) == 0:
			return key(name, g.Lines, true)
		}
		return key(name, g.Triangles, true)
	}
	nodes, ends, types := g.sources()
	w.xml.WriteString("<Cells>\n")
	w.block("Int64", "connectivity", 1, of("connectivity"), nodes)
	w.block("Int64", "offsets", 1, of("offsets"), ends)
	w.block("UInt8", "types", 1, of("types"), types)
	w.xml.WriteString("</Cells>\n")
}

// fields writes point and cell arrays.
func (w *Writer) fields(point []Array, points int, cell []Array, cells int) error {
	for _, part := range []struct {
		name   string
		arrays []Array
		n      int
	}{{"PointData", point, points}, {"CellData", cell, cells}} {
		fmt.Fprintf(&w.xml, "<%s>\n", part.name)
		for _, a := range part.arrays {
			if err := a.check(part.n); err != nil {
				return err
			}
			w.array(&a, part.n)
		}
		fmt.Fprintf(&w.xml, "</%s>\n", part.name)
	}
	return nil
}

// check returns an error for an array with a wrong number of values for n points
// or cells.
func (a *Array) check(n int) error {
	if got := len(a.Float64) + len(a.Int64) + len(a.Int32); a.Fill == nil && got != n*a.Components {
		return fmt.Errorf("array %q has %d values, want %d of %d components", a.Name, got, n, a.Components)
	}
	return nil
}

// values returns the type, name and source of an array of n points or cells.
func (w *Writer) values(a *Array, n int) (kind string, of constant, values source) {
	kind, values = "Float64", w.fill(a, n)
	switch {
	case a.Float64 != nil:
		of, values = key(a.Name, a.Float64, a.Constant), each(a.Float64, a.Components)
		kind, values = w.floats(values)
	case a.Fill != nil:
		kind, values = w.floats(values)
	case a.Int64 != nil:
		kind, of, values = "Int64", key(a.Name, a.Int64, a.Constant), each(a.Int64, a.Components)
	case a.Int32 != nil:
		kind, of, values = "Int32", key(a.Name, a.Int32, a.Constant), each(a.Int32, a.Components)
	}
	return kind, of, values
}

// array writes one array of n points or cells.
func (w *Writer) array(a *Array, n int) {
	kind, of, values := w.values(a, n)
	if w.measure && of.of == nil {
		bytes := values.n * values.width
		if a.Sparse && !w.Uncompressed {
			bytes /= sparseRatio
		}
		w.declare(kind, a.Name, fmt.Sprintf("NumberOfComponents=\"%d\"", a.Components))
		w.size += bytes
		return
	}
	w.block(kind, a.Name, a.Components, of, values)
}

// sparseRatio is the approximate compressed size of mostly zero numbers, relative to
// their size.
const sparseRatio = 50

// source returns the bytes of n items of a width, those of [first, end) at a
// time.
type source struct {
	n, width int
	bytes    func(first, end int) []byte
}

// each returns a source of the values of points or cells with a number of
// components.
func each[T number](values []T, components int) source {
	return source{len(values) / components, components * int(unsafe.Sizeof(*new(T))), func(first, end int) []byte {
		return bytesOf(values[first*components : end*components])
	}}
}

// fill returns a source of the values by an array's Fill for n points or cells.
func (w *Writer) fill(a *Array, n int) source {
	return source{n, 8 * a.Components, func(first, end int) []byte {
		w.filled = slices.Grow(w.filled[:0], a.Components*(end-first))[:a.Components*(end-first)]
		a.Fill(first, end, w.filled)
		return bytesOf(w.filled)
	}}
}

// floats returns the type of a file's numbers and their source, of numbers of
// type float64.
func (w *Writer) floats(values source) (string, source) {
	if !w.Single {
		return "Float64", values
	}
	return "Float32", source{values.n, values.width / 2, func(first, end int) []byte {
		raw := values.bytes(first, end)
		w.single = slices.Grow(w.single[:0], len(raw)/8)[:len(raw)/8]
		for i := range w.single {
			w.single[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:])))
		}
		return bytesOf(w.single)
	}}
}

type number interface {
	float64 | float32 | int64 | int32
}

// bytesOf returns numbers as in a file, little endian. On most machines this is
// their form in memory, and nothing is copied.
func bytesOf[T number](values []T) []byte {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T))))
	}
	b, _ := binary.Append(nil, binary.LittleEndian, values) // slices of numbers have a fixed size
	return b
}

func append64(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

// key returns the key of data made from values, the zero value if they may
// change.
func key[T any](name string, values []T, fixed bool) constant {
	if !fixed || len(values) == 0 {
		return constant{}
	}
	return constant{name, &values[0], len(values)}
}

// block writes values with a number of components, newly packed or kept ones.
func (w *Writer) block(kind, name string, components int, of constant, values source) {
	w.declare(kind, name, fmt.Sprintf("NumberOfComponents=\"%d\"", components))
	if w.measure && w.Uncompressed {
		w.size += values.n * values.width
		return
	}
	data, ok := w.kept[of]
	if !ok {
		data = w.pack(values, of.of != nil || kind != "Float64" && kind != "Float32")
		if of.of != nil {
			if w.kept == nil {
				w.kept = map[constant][2][]byte{}
			}
			data[1] = bytes.Clone(data[1])
			w.kept[of] = data
		}
	}
	w.add(data)
}

// add appends data.
func (w *Writer) add(data [2][]byte) {
	w.data = append(w.data, data[0], data[1])
	w.size += len(data[0]) + len(data[1])
}

// declare writes the element for the data appended next.
func (w *Writer) declare(kind, name, shape string) {
	fmt.Fprintf(&w.xml, "<DataArray type=\"%s\" Name=\"%s\" %s format=\"appended\" offset=\"%d\"/>\n", kind, escape(name), shape, w.size)
}

func escape(s string) string { return escaper.Replace(s) }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;")

// blockSize is the greatest size of a block before compression [bytes]. It fits
// in a cache while it is made, compressed and stored.
const blockSize = 1 << 18

// repetitive tells whether compression is useful: whether most 8-byte words of a
// sample are zero. Other numbers keep nine tenths of their size, or three
// quarters if a component is zero, and their compression takes longer than all
// else of a frame.
func repetitive(raw []byte) bool {
	words, zeros := 0, 0
	for i := 0; i+8 <= len(raw); i += 8 * 61 {
		words++
		if binary.LittleEndian.Uint64(raw[i:]) == 0 {
			zeros++
		}
	}
	return 4*zeros > 3*words
}

// pack returns values as in the file: their length and the values, or the table
// of compressed blocks and the blocks. repeats tells whether to search for
// repetitions.
func (w *Writer) pack(values source, repeats bool) [2][]byte {
	from, per := w.packed.Len(), max(1, blockSize/values.width)
	blocks, table := (values.n+per-1)/per, []byte(nil)
	if w.Uncompressed {
		table = append64(table, uint64(values.n*values.width))
	} else {
		table = append64(table, uint64(blocks))
		table = append64(table, uint64(per*values.width))
		table = append64(table, uint64(values.n%per*values.width)) // 0: the last block is full
	}
	for i := range blocks {
		raw := values.bytes(i*per, min((i+1)*per, values.n))
		before := w.packed.Len()
		switch {
		case w.Uncompressed:
			w.packed.Write(raw)
			continue
		case repeats || repetitive(raw):
			w.deflate(raw)
		default:
			w.packed.Write(stored(w.packed.AvailableBuffer(), raw))
		}
		table = append64(table, uint64(w.packed.Len()-before))
	}
	return [2][]byte{table, w.packed.Bytes()[from:]}
}

// deflate compresses a block.
func (w *Writer) deflate(raw []byte) {
	if w.zlib == nil {
		w.zlib, _ = zlib.NewWriterLevel(&w.packed, zlib.BestSpeed) // the level is valid
	} else {
		w.zlib.Reset(&w.packed)
	}
	_, _ = w.zlib.Write(raw) // a bytes.Buffer does not fail
	_ = w.zlib.Close()
}

// close ends the file and gives it its name.
func (w *Writer) close(path, kind string) error {
	fmt.Fprintf(&w.xml, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n", kind)
	return whole.Write(path, func(f io.Writer) error {
		b := bufio.NewWriter(f) // for the tables; long data bypass it
		for _, part := range slices.Concat([][]byte{w.xml.Bytes(), {'_'}}, w.data, [][]byte{[]byte("\n</AppendedData>\n</VTKFile>\n")}) {
			if _, err := b.Write(part); err != nil {
				return err
			}
		}
		return b.Flush()
	})
}

// Series is a .pvd file: frames in time.
type Series struct {
	Path    string
	Copy    string // extension of the copies of its files, which a .series file beside it lists; "" for none
	frames  []Frame
	written time.Time // time of the last writing
	behind  bool      // the file lacks frames
}

// rewriteAfter is the least time between two writings of a .pvd file. Frames that follow
// faster are listed together.
const rewriteAfter = 200 * time.Millisecond

// Frame is a file of a series.
type Frame struct {
	Time float64 `xml:"timestep,attr"` // [s]
	File string  `xml:"file,attr"`     // relative to the .pvd file, with forward slashes
}

// Continue continues a series that had n frames. Later frames are removed. It
// fails if the file has fewer.
func Continue(path string, n int) (Series, error) {
	s := Series{Path: path}
	if n == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
		return s, nil
	}
	frames, err := ReadSeries(path)
	if err != nil {
		return s, err
	}
	if len(frames) < n {
		return s, fmt.Errorf("%s: the file has %d frames, but the checkpoint was written after %d", path, len(frames), n)
	}
	s.frames = slices.Clip(frames[:n])
	return s, s.write()
}

// Frames returns the frames so far.
func (s *Series) Frames() []Frame { return s.frames }

// Add adds a frame at a time [s] and writes the .pvd file anew. If the file has just been
// written, it leaves that to the next frame or to Flush.
func (s *Series) Add(at float64, file string) error {
	s.frames, s.behind = append(s.frames, Frame{at, file}), true
	if time.Since(s.written) < rewriteAfter {
		return nil
	}
	return s.Flush()
}

// Flush writes every added frame to the .pvd file.
func (s *Series) Flush() error {
	if !s.behind {
		return nil
	}
	return s.write()
}

func (s *Series) write() error {
	s.written, s.behind = time.Now(), false
	return errors.Join(whole.Write(s.Path, func(f io.Writer) error {
		b := bufio.NewWriter(f)
		fmt.Fprint(b, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n")
		for _, v := range s.frames {
			fmt.Fprintf(b, "<DataSet timestep=\"%.17g\" file=\"%s\"/>\n", v.Time, escape(v.File))
		}
		fmt.Fprint(b, "</Collection>\n</VTKFile>\n")
		return b.Flush()
	}), s.writeCopies())
}
