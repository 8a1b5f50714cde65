// Package vtk writes and reads meshes of triangles and lines (.vtu), points
// (.vtp) and collections in time (.pvd) in VTK's XML formats: data appended
// raw, compressed with zlib in blocks. Files appear under their name only when
// whole.
package vtk

import (
	"bufio"
	"bytes"
	"compress/zlib"
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
}

// Grid is a mesh of triangles and lines.
type Grid struct {
	Points    []r2.Vec
	Triangles [][3]int32
	Lines     [][2]int32
	PointData []Array
	CellData  []Array // of the triangles, then of the lines
	Time      float64 // field data TimeValue [s]
}

// Points is a cloud of points, which may be empty.
type Points struct {
	Points    []r2.Vec
	PointData []Array
	Time      float64 // field data TimeValue [s]
}

// Writer writes files and keeps its buffers from one to the next.
type Writer struct {
	Uncompressed bool // leave the data as it is

	xml     bytes.Buffer
	data    bytes.Buffer // appended data
	raw     []byte
	packed  bytes.Buffer
	deflate *zlib.Writer
}

// WriteGrid writes a .vtu file.
func (w *Writer) WriteGrid(path string, g Grid) error {
	n, cells := len(g.Points), len(g.Triangles)+len(g.Lines)
	w.open("UnstructuredGrid", g.Time)
	fmt.Fprintf(&w.xml, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", n, cells)
	w.points(g.Points)
	w.xml.WriteString("<Cells>\n")
	connectivity, offsets, types := make([]int64, 0, 3*cells), make([]int64, 0, cells), make([]byte, cells)
	const line, triangle = 3, 5
	for i, t := range g.Triangles {
		connectivity = append(connectivity, int64(t[0]), int64(t[1]), int64(t[2]))
		offsets = append(offsets, int64(len(connectivity)))
		types[i] = triangle
	}
	for i, l := range g.Lines {
		connectivity = append(connectivity, int64(l[0]), int64(l[1]))
		offsets = append(offsets, int64(len(connectivity)))
		types[len(g.Triangles)+i] = line
	}
	w.array(Array{Name: "connectivity", Components: 1, Int64: connectivity})
	w.array(Array{Name: "offsets", Components: 1, Int64: offsets})
	w.block("UInt8", "types", 1, types)
	w.xml.WriteString("</Cells>\n")
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
	w.points(p.Points)
	w.xml.WriteString("<Verts>\n")
	connectivity, offsets := make([]int64, n), make([]int64, n)
	for i := range n {
		connectivity[i], offsets[i] = int64(i), int64(i+1)
	}
	w.array(Array{Name: "connectivity", Components: 1, Int64: connectivity})
	w.array(Array{Name: "offsets", Components: 1, Int64: offsets})
	w.xml.WriteString("</Verts>\n")
	if err := w.fields(p.PointData, n, nil, 0); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return w.close(path, "PolyData")
}

// open begins a file.
func (w *Writer) open(kind string, time float64) {
	w.xml.Reset()
	w.data.Reset()
	w.data.WriteByte('_')
	compressor := ` compressor="vtkZLibDataCompressor"`
	if w.Uncompressed {
		compressor = ""
	}
	fmt.Fprintf(&w.xml, "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"%s>\n<%s>\n", kind, compressor, kind)
	w.xml.WriteString("<FieldData>\n")
	w.raw = append64(w.raw[:0], math.Float64bits(time))
	w.declare("Float64", "TimeValue", "NumberOfTuples=\"1\"")
	w.append(w.raw)
	w.xml.WriteString("</FieldData>\n")
}

// points writes positions with z = 0.
func (w *Writer) points(x []r2.Vec) {
	w.xml.WriteString("<Points>\n")
	w.raw = w.raw[:0]
	for _, p := range x {
		w.raw = append64(w.raw, math.Float64bits(p.X))
		w.raw = append64(w.raw, math.Float64bits(p.Y))
		w.raw = append64(w.raw, 0)
	}
	w.block("Float64", "Points", 3, w.raw)
	w.xml.WriteString("</Points>\n")
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
	w.raw = w.raw[:0]
	kind := "Float64"
	for _, v := range a.Float64 {
		w.raw = append64(w.raw, math.Float64bits(v))
	}
	if a.Int64 != nil {
		kind = "Int64"
		for _, v := range a.Int64 {
			w.raw = append64(w.raw, uint64(v))
		}
	}
	if a.Int32 != nil {
		kind = "Int32"
		for _, v := range a.Int32 {
			w.raw = binary.LittleEndian.AppendUint32(w.raw, uint32(v))
		}
	}
	w.block(kind, a.Name, a.Components, w.raw)
}

func append64(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

func (w *Writer) block(kind, name string, components int, raw []byte) {
	w.declare(kind, name, fmt.Sprintf("NumberOfComponents=\"%d\"", components))
	w.append(raw)
}

// declare writes the element that points at the data appended next.
func (w *Writer) declare(kind, name, shape string) {
	fmt.Fprintf(&w.xml, "<DataArray type=\"%s\" Name=\"%s\" %s format=\"appended\" offset=\"%d\"/>\n", kind, escape(name), shape, w.data.Len()-1)
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;").Replace(s)
}

// blockSize is how much goes into one compressed block [bytes].
const blockSize = 1 << 18

// append appends raw data: its length, or the table of compressed blocks and
// the blocks.
func (w *Writer) append(raw []byte) {
	if w.Uncompressed {
		w.data.Write(append64(nil, uint64(len(raw))))
		w.data.Write(raw)
		return
	}
	blocks := (len(raw) + blockSize - 1) / blockSize
	header := append64(nil, uint64(blocks))
	header = append64(header, blockSize)
	header = append64(header, uint64(len(raw)%blockSize)) // 0: the last block is full
	w.packed.Reset()
	for i := range blocks {
		before := w.packed.Len()
		if w.deflate == nil {
			// doubles hardly repeat: to look for what does takes twice as long and saves a quarter
			w.deflate, _ = zlib.NewWriterLevel(&w.packed, zlib.HuffmanOnly) // the level is a valid constant
		} else {
			w.deflate.Reset(&w.packed)
		}
		// a bytes.Buffer does not fail
		_, _ = w.deflate.Write(raw[i*blockSize : min((i+1)*blockSize, len(raw))])
		_ = w.deflate.Close()
		header = append64(header, uint64(w.packed.Len()-before))
	}
	w.data.Write(header)
	w.data.Write(w.packed.Bytes())
}

// close ends the file and puts it in its place.
func (w *Writer) close(path, kind string) error {
	fmt.Fprintf(&w.xml, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n", kind)
	return replace(path, func(f io.Writer) error {
		for _, part := range [][]byte{w.xml.Bytes(), w.data.Bytes(), []byte("\n</AppendedData>\n</VTKFile>\n")} {
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
