// Package vtk writes and reads meshes of triangles and lines (.vtu), points
// (.vtp) and collections in time (.pvd) in VTK's XML formats: data appended
// raw, compressed with zlib in blocks. Files appear under their name only when
// whole.
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

	"github.com/klauspost/compress/zlib"
	"gonum.org/v1/gonum/spatial/r2"
)

// Array is a named field: Components values for each point or cell, in
// exactly one of the slices.
type Array struct {
	Name       string
	Components int
	Float64    []float64
	Int64      []int64
	Int32      []int32
	Constant   bool // the values never change: a Writer packs them once for all its files
}

// Grid is a mesh of triangles and lines, which never change.
type Grid struct {
	Points    []r2.Vec
	Triangles [][3]int32
	Lines     [][2]int32
	PointData []Array
	CellData  []Array // of the triangles, then of the lines
	Time      float64 // field data TimeValue [s]
}

// Points is a cloud of points, which may be empty. They change from file to
// file unless they are constant.
type Points struct {
	Points    []r2.Vec
	PointData []Array
	Time      float64 // field data TimeValue [s]
	Constant  bool
}

// Writer writes files and keeps from one to the next its buffers and what is
// constant.
type Writer struct {
	Uncompressed bool // leave the data as it is

	xml     bytes.Buffer
	data    []byte // appended data
	raw     []byte // of what is being packed
	packed  bytes.Buffer
	deflate [2]*zlib.Writer     // of levels
	kept    map[constant][]byte // appended data of what is constant
}

// constant names data that do not change: by what they are and by the address
// of the first value they are made of.
type constant struct {
	name string
	of   any
}

// WriteGrid writes a .vtu file.
func (w *Writer) WriteGrid(path string, g Grid) error {
	n, cells := len(g.Points), len(g.Triangles)+len(g.Lines)
	w.open("UnstructuredGrid", g.Time)
	fmt.Fprintf(&w.xml, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", n, cells)
	w.points(g.Points, true)
	w.cells(&g)
	if err := w.fields(g.PointData, n, g.CellData, cells); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return w.close(path, "UnstructuredGrid")
}

// WritePoints writes a .vtp file with a vertex for each point.
func (w *Writer) WritePoints(path string, p Points) error {
	n := len(p.Points)
	w.open("PolyData", p.Time)
	fmt.Fprintf(&w.xml, "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n", n, n)
	w.points(p.Points, p.Constant)
	w.xml.WriteString("<Verts>\n")
	count := func(from int64) func([]byte) []byte {
		return func(b []byte) []byte {
			for i := range int64(n) {
				b = append64(b, uint64(from+i))
			}
			return b
		}
	}
	w.block("Int64", "connectivity", 1, key("connectivity", p.Points, p.Constant), count(0))
	w.block("Int64", "offsets", 1, key("offsets", p.Points, p.Constant), count(1))
	w.xml.WriteString("</Verts>\n")
	if err := w.fields(p.PointData, n, nil, 0); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return w.close(path, "PolyData")
}

// open begins a file.
func (w *Writer) open(kind string, time float64) {
	w.xml.Reset()
	w.data = append(w.data[:0], '_')
	compressor := ` compressor="vtkZLibDataCompressor"`
	if w.Uncompressed {
		compressor = ""
	}
	fmt.Fprintf(&w.xml, "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"%s>\n<%s>\n", kind, compressor, kind)
	w.xml.WriteString("<FieldData>\n")
	w.declare("Float64", "TimeValue", "NumberOfTuples=\"1\"")
	w.append(false, func(b []byte) []byte { return append64(b, math.Float64bits(time)) })
	w.xml.WriteString("</FieldData>\n")
}

// points writes positions with z = 0.
func (w *Writer) points(x []r2.Vec, constant bool) {
	w.xml.WriteString("<Points>\n")
	w.block("Float64", "Points", 3, key("Points", x, constant), func(b []byte) []byte {
		for _, p := range x {
			b = append64(b, math.Float64bits(p.X))
			b = append64(b, math.Float64bits(p.Y))
			b = append64(b, 0)
		}
		return b
	})
	w.xml.WriteString("</Points>\n")
}

// cells writes the triangles, then the lines.
func (w *Writer) cells(g *Grid) {
	of := func(name string) constant {
		if len(g.Triangles) == 0 {
			return key(name, g.Lines, true)
		}
		return key(name, g.Triangles, true)
	}
	w.xml.WriteString("<Cells>\n")
	w.block("Int64", "connectivity", 1, of("connectivity"), func(b []byte) []byte {
		for _, t := range g.Triangles {
			for _, n := range t {
				b = append64(b, uint64(n))
			}
		}
		for _, l := range g.Lines {
			for _, n := range l {
				b = append64(b, uint64(n))
			}
		}
		return b
	})
	w.block("Int64", "offsets", 1, of("offsets"), func(b []byte) []byte {
		for i := range g.Triangles {
			b = append64(b, uint64(3*(i+1)))
		}
		for i := range g.Lines {
			b = append64(b, uint64(3*len(g.Triangles)+2*(i+1)))
		}
		return b
	})
	w.block("UInt8", "types", 1, of("types"), func(b []byte) []byte {
		const line, triangle = 3, 5
		for range g.Triangles {
			b = append(b, triangle)
		}
		for range g.Lines {
			b = append(b, line)
		}
		return b
	})
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
			if got := len(a.Float64) + len(a.Int64) + len(a.Int32); got != part.n*a.Components {
				return fmt.Errorf("array %q has %d values, want %d of %d components", a.Name, got, part.n, a.Components)
			}
			w.array(a)
		}
		fmt.Fprintf(&w.xml, "</%s>\n", part.name)
	}
	return nil
}

// array writes one array.
func (w *Writer) array(a Array) {
	kind, values, of := "Float64", any(a.Float64), key(a.Name, a.Float64, a.Constant)
	switch {
	case a.Int64 != nil:
		kind, values, of = "Int64", a.Int64, key(a.Name, a.Int64, a.Constant)
	case a.Int32 != nil:
		kind, values, of = "Int32", a.Int32, key(a.Name, a.Int32, a.Constant)
	}
	w.block(kind, a.Name, a.Components, of, func(b []byte) []byte {
		b, _ = binary.Append(b, binary.LittleEndian, values) // slices of numbers have a size
		return b
	})
}

func append64(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

// key names the data of a file that are made of values; the zero value where
// they may change.
func key[T any](name string, values []T, fixed bool) constant {
	if !fixed || len(values) == 0 {
		return constant{}
	}
	return constant{name, &values[0]}
}

// block writes data that fill appends, or what is kept of them.
func (w *Writer) block(kind, name string, components int, of constant, fill func([]byte) []byte) {
	w.declare(kind, name, fmt.Sprintf("NumberOfComponents=\"%d\"", components))
	if kept, ok := w.kept[of]; ok {
		w.data = append(w.data, kept...)
		return
	}
	from := len(w.data)
	w.append(of.of != nil, fill)
	if of.of != nil {
		if w.kept == nil {
			w.kept = map[constant][]byte{}
		}
		w.kept[of] = bytes.Clone(w.data[from:])
	}
}

// declare writes the element that points at the data appended next.
func (w *Writer) declare(kind, name, shape string) {
	fmt.Fprintf(&w.xml, "<DataArray type=\"%s\" Name=\"%s\" %s format=\"appended\" offset=\"%d\"/>\n", kind, escape(name), shape, len(w.data)-1)
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;").Replace(s)
}

// blockSize is how much goes into one compressed block [bytes].
const blockSize = 1 << 18

// levels of compression: of data that repeat or are packed only once, and of
// others. To look for what repeats in numbers that do not takes half as long
// again, and makes them a tenth smaller.
var levels = [2]int{zlib.BestSpeed, zlib.HuffmanOnly}

// level returns the level that suits data: the first where most of the 8-byte
// words are zero, of some that are looked at.
func level(raw []byte) int {
	words, zeros := 0, 0
	for i := 0; i+8 <= len(raw); i += 8 * 61 {
		words++
		if binary.LittleEndian.Uint64(raw[i:]) == 0 {
			zeros++
		}
	}
	if 4*zeros > 3*words {
		return 0
	}
	return 1
}

// append appends data that fill appends: their length and themselves, or the
// table of compressed blocks and the blocks. once tells that they are packed
// for all files.
func (w *Writer) append(once bool, fill func([]byte) []byte) {
	if w.Uncompressed {
		at := len(w.data)
		w.data = fill(append64(w.data, 0))
		binary.LittleEndian.PutUint64(w.data[at:], uint64(len(w.data)-at-8))
		return
	}
	w.raw = fill(w.raw[:0])
	raw := w.raw
	blocks := (len(raw) + blockSize - 1) / blockSize
	w.data = append64(w.data, uint64(blocks))
	w.data = append64(w.data, blockSize)
	w.data = append64(w.data, uint64(len(raw)%blockSize)) // 0: the last block is full
	w.packed.Reset()
	k := 0
	if !once {
		k = level(raw)
	}
	for i := range blocks {
		before := w.packed.Len()
		if w.deflate[k] == nil {
			w.deflate[k], _ = zlib.NewWriterLevel(&w.packed, levels[k]) // the levels are valid
		} else {
			w.deflate[k].Reset(&w.packed)
		}
		// a bytes.Buffer does not fail
		_, _ = w.deflate[k].Write(raw[i*blockSize : min((i+1)*blockSize, len(raw))])
		_ = w.deflate[k].Close()
		w.data = append64(w.data, uint64(w.packed.Len()-before))
	}
	w.data = append(w.data, w.packed.Bytes()...)
}

// close ends the file and puts it in its place.
func (w *Writer) close(path, kind string) error {
	fmt.Fprintf(&w.xml, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n", kind)
	return replace(path, func(f io.Writer) error {
		for _, part := range [][]byte{w.xml.Bytes(), w.data, []byte("\n</AppendedData>\n</VTKFile>\n")} {
			if _, err := f.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
}

// replace writes a file under a temporary name and renames it when whole.
func replace(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".writing-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err = write(f); err != nil {
		f.Close()
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		f.Close()
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Series is a .pvd file: frames in time.
type Series struct {
	Path   string
	frames []Frame
}

// Frame is a file of a series.
type Frame struct {
	Time float64 `xml:"timestep,attr"` // [s]
	File string  `xml:"file,attr"`     // relative to the .pvd file, with forward slashes
}

// Continue goes on with a series that had n frames; what came after is
// dropped. It fails where the file has fewer.
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
		return s, fmt.Errorf("%s: the file has %d frames where the checkpoint knows of %d", path, len(frames), n)
	}
	s.frames = slices.Clip(frames[:n])
	return s, s.write()
}

// Frames returns the frames so far.
func (s *Series) Frames() []Frame { return s.frames }

// Add adds a frame and writes the .pvd file anew.
func (s *Series) Add(time float64, file string) error {
	s.frames = append(s.frames, Frame{time, file})
	return s.write()
}

func (s *Series) write() error {
	return replace(s.Path, func(f io.Writer) error {
		b := bufio.NewWriter(f)
		fmt.Fprint(b, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n")
		for _, v := range s.frames {
			fmt.Fprintf(b, "<DataSet timestep=\"%.17g\" file=\"%s\"/>\n", v.Time, escape(v.File))
		}
		fmt.Fprint(b, "</Collection>\n</VTKFile>\n")
		return b.Flush()
	})
}
