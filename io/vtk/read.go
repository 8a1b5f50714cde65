package vtk

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// File is a .vtu, .pvtu or .vtp file in the form of Writer: appended raw data,
// little endian, uncompressed or compressed with zlib. Arrays are decoded when
// they are read.
type File struct {
	Points int // number of points
	Cells  int // number of cells of a .vtu file, or of lines of a .vtp file; a file of points has a vertex for each

	path       string
	content    piece
	data       []byte // appended data, without the underscore
	compressed bool

	parts   []*File   // pieces of a .pvtu file, and
	numbers [][]int64 // numbers of their points in the whole grid
}

// declared is a DataArray element, which points into the appended data.
type declared struct {
	Name       string `xml:"Name,attr"`
	Type       string `xml:"type,attr"`
	Components int    `xml:"NumberOfComponents,attr"`
	Format     string `xml:"format,attr"`
	Offset     int64  `xml:"offset,attr"`
}

type piece struct {
	Points      int        `xml:"NumberOfPoints,attr"`
	Cells       int        `xml:"NumberOfCells,attr"`
	Lines       int        `xml:"NumberOfLines,attr"`
	PointArrays []declared `xml:"Points>DataArray"`
	CellArrays  []declared `xml:"Cells>DataArray"`
	PointData   []declared `xml:"PointData>DataArray"`
	CellData    []declared `xml:"CellData>DataArray"`
}

type dataset struct {
	Pieces []piece `xml:"Piece"`
}

type document struct {
	XMLName    xml.Name `xml:"VTKFile"`
	Type       string   `xml:"type,attr"`
	ByteOrder  string   `xml:"byte_order,attr"`
	HeaderType string   `xml:"header_type,attr"`
	Compressor string   `xml:"compressor,attr"`
	Grid       *dataset `xml:"UnstructuredGrid"`
	Poly       *dataset `xml:"PolyData"`
}

// Open reads a .vtu, .pvtu or .vtp file and checks its head. The contents of an
// array are checked when it is read. It fails for a damaged file and for forms that
// Writer does not write. The error names the file and the cause.
func Open(path string) (*File, error) {
	if err := ends(path); err != nil {
		return nil, err
	}
	if filepath.Ext(path) == ".pvtu" {
		return openPieces(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(path, data)
}

// ends returns an error for a file without the end of a VTK file, before data of its
// size are read.
func ends(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	const last = "</VTKFile>"
	tail := make([]byte, 64)
	info, err := f.Stat()
	if err != nil {
		return err
	}
	n, err := f.ReadAt(tail, max(0, info.Size()-int64(len(tail))))
	if err != nil && err != io.EOF {
		return err
	}
	if !bytes.Contains(tail[:n], []byte(last)) {
		return fmt.Errorf("%s: the appended data has no end: it is not a VTK file of fdem, or incomplete", path)
	}
	return nil
}

func parse(path string, data []byte) (*File, error) {
	fail := func(format string, args ...any) (*File, error) {
		return nil, fmt.Errorf("%s: %w", path, fmt.Errorf(format, args...))
	}
	const mark, end = "<AppendedData encoding=\"raw\">\n_", "\n</AppendedData>"
	head, rest, found := bytes.Cut(data, []byte(mark))
	if !found {
		return fail("no appended raw data: it is not a VTK file of fdem, or incomplete")
	}
	last := bytes.LastIndex(rest, []byte(end))
	if last < 0 {
		return fail("the appended data has no end: the file is incomplete")
	}
	var doc document
	if err := xml.Unmarshal(slices.Concat(head, []byte("</VTKFile>")), &doc); err != nil {
		return fail("%w", err)
	}
	set := doc.Grid
	if doc.Type == "PolyData" {
		set = doc.Poly
	}
	switch {
	case set == nil || len(set.Pieces) != 1:
		return fail("expected one piece of an UnstructuredGrid or PolyData, got type %q", doc.Type)
	case doc.ByteOrder != "LittleEndian" || doc.HeaderType != "UInt64":
		return fail("expected byte_order LittleEndian and header_type UInt64, got %q and %q", doc.ByteOrder, doc.HeaderType)
	case doc.Compressor != "" && doc.Compressor != "vtkZLibDataCompressor":
		return fail("compressor %q is not supported, only vtkZLibDataCompressor", doc.Compressor)
	}
	f := &File{
		path: path, content: set.Pieces[0], data: rest[:last], compressed: doc.Compressor != "",
		Points: set.Pieces[0].Points, Cells: set.Pieces[0].Cells + set.Pieces[0].Lines,
	}
	if most := f.most(); f.Points < 0 || f.Cells < 0 || f.Points > most || f.Cells > most {
		return fail("%d points and %d cells cannot be in a file of %d bytes", f.Points, f.Cells, len(data))
	}
	if n := count(f.content.PointData, f.Points) + count(f.content.CellData, f.Cells); n > float64(f.most()) { // each has data of its own
		return fail("arrays of %g values cannot be in a file of %d bytes", n, len(data))
	}
	return f, nil
}

// count returns the number of values of arrays of n tuples.
func count(arrays []declared, n int) float64 {
	sum := 0.0
	for _, d := range arrays {
		sum += float64(float64(n) * math.Abs(float64(d.Components)))
	}
	return sum
}

// maxExpansion is greater than any compression ratio of deflate, 1032.
const maxExpansion = 1040

// most returns an upper bound of the decompressed bytes of the file.
func (f *File) most() int { return maxExpansion*len(f.data) + 64 }

// Declared is a file's description of an array.
type Declared struct {
	Name       string
	Type       string // "Float64", "Float32", "Int64" or "Int32"
	Components int
}

// PointArrays returns the descriptions of the point data.
func (f *File) PointArrays() []Declared { return list(f.content.PointData) }

// CellArrays returns the descriptions of the cell data.
func (f *File) CellArrays() []Declared { return list(f.content.CellData) }

func list(arrays []declared) []Declared {
	out := make([]Declared, len(arrays))
	for i, d := range arrays {
		out[i] = Declared{d.Name, d.Type, d.Components}
	}
	return out
}

// PointData decodes an array of the point data.
func (f *File) PointData(name string) (Array, error) {
	if f.parts != nil {
		return f.joined(func(p *File) (Array, error) { return p.PointData(name) }, true)
	}
	return f.named("point data", f.content.PointData, name, f.Points)
}

// CellData decodes an array of the cell data.
func (f *File) CellData(name string) (Array, error) {
	if f.parts != nil {
		return f.joined(func(p *File) (Array, error) { return p.CellData(name) }, false)
	}
	return f.named("cell data", f.content.CellData, name, f.Cells)
}

func (f *File) named(what string, arrays []declared, name string, n int) (Array, error) {
	for _, d := range arrays {
		if d.Name == name {
			return f.decode(d, n)
		}
	}
	return Array{}, fmt.Errorf("%s: no %s %q", f.path, what, name)
}

// Positions decodes the points, which lie in the plane.
func (f *File) Positions() ([]r2.Vec, error) {
	if f.parts != nil {
		return f.joinedPositions()
	}
	if len(f.content.PointArrays) != 1 {
		return nil, fmt.Errorf("%s: %d arrays of points, want one", f.path, len(f.content.PointArrays))
	}
	a, err := f.decode(f.content.PointArrays[0], f.Points)
	if err != nil {
		return nil, err
	}
	if len(a.Float64) != 3*f.Points {
		return nil, fmt.Errorf("%s: the points are not three numbers of type Float64 each", f.path)
	}
	out := make([]r2.Vec, f.Points)
	for i := range out {
		out[i] = r2.Vec{X: a.Float64[3*i], Y: a.Float64[3*i+1]}
	}
	return out, nil
}

// Elements decodes the cells, which must be triangles and then lines between
// points of the file.
func (f *File) Elements() (triangles [][3]int32, lines [][2]int32, err error) {
	if f.parts != nil {
		return f.joinedElements()
	}
	offsets, err := f.named("cells", f.content.CellArrays, "offsets", f.Cells)
	if err != nil {
		return nil, nil, err
	}
	if len(offsets.Int64) != f.Cells {
		return nil, nil, fmt.Errorf("%s: the offsets of %d cells must be Int64", f.path, f.Cells)
	}
	count := 0 // of triangles
	for i, end := range offsets.Int64 {
		switch begin := int64(3*count + 2*(i-count)); {
		case i == count && end == begin+3:
			count++
		case end != begin+2:
			return nil, nil, fmt.Errorf("%s: cell %d is neither a triangle nor a line after all triangles: it ends at entry %d", f.path, i, end)
		}
	}
	n := 3*count + 2*(f.Cells-count)
	connectivity, err := f.named("cells", f.content.CellArrays, "connectivity", n)
	if err != nil {
		return nil, nil, err
	}
	if len(connectivity.Int64) != n {
		return nil, nil, fmt.Errorf("%s: the connectivity of %d cells must be %d Int64", f.path, f.Cells, n)
	}
	node := make([]int32, n)
	for i, v := range connectivity.Int64 {
		if v < 0 || v >= int64(f.Points) {
			return nil, nil, fmt.Errorf("%s: entry %d of the connectivity is point %d of %d", f.path, i, v, f.Points)
		}
		node[i] = int32(v)
	}
	for i := range count {
		triangles = append(triangles, [3]int32(node[3*i:]))
	}
	for i := 3 * count; i < n; i += 2 {
		lines = append(lines, [2]int32(node[i:]))
	}
	return triangles, lines, nil
}

// decode decodes an array of n tuples.
func (f *File) decode(d declared, n int) (Array, error) {
	fail := func(format string, args ...any) (Array, error) {
		return Array{}, fmt.Errorf("%s: array %q: %w", f.path, d.Name, fmt.Errorf(format, args...))
	}
	size, known := map[string]int{"Float64": 8, "Float32": 4, "Int64": 8, "Int32": 4, "UInt8": 1}[d.Type]
	switch {
	case !known:
		return fail("type %q is not supported", d.Type)
	case d.Format != "appended":
		return fail("format %q is not supported, only appended", d.Format)
	case d.Components < 1 || d.Components > 1<<10:
		return fail("%d components", d.Components)
	case d.Offset < 0 || d.Offset >= int64(len(f.data)):
		return fail("offset %d lies outside the %d bytes of data: the file is damaged", d.Offset, len(f.data))
	}
	count := n * d.Components
	if count > f.most()/size {
		return fail("%d values cannot be in %d bytes of data", count, len(f.data))
	}
	read := f.raw
	if f.compressed {
		read = f.inflate
	}
	raw, err := read(f.data[d.Offset:], count*size)
	if err != nil {
		return fail("%w", err)
	}
	a := Array{Name: d.Name, Components: d.Components}
	switch d.Type {
	case "Float64":
		a.Float64 = numbers[float64](raw, count)
	case "Float32":
		a.Float64 = make([]float64, count)
		for i, v := range numbers[float32](raw, count) {
			a.Float64[i] = float64(v)
		}
	case "Int64":
		a.Int64 = numbers[int64](raw, count)
	case "Int32":
		a.Int32 = numbers[int32](raw, count)
	}
	return a, nil
}

// numbers decodes a number of values, for which there are enough bytes.
func numbers[T float64 | float32 | int64 | int32](raw []byte, count int) []T {
	out := make([]T, count)
	_, _ = binary.Decode(raw, binary.LittleEndian, out)
	return out
}

var errShort = errors.New("the data ends too early: the file is damaged")

// raw returns want bytes, which follow their length.
func (f *File) raw(data []byte, want int) ([]byte, error) {
	if len(data) < 8 {
		return nil, errShort
	}
	if got := binary.LittleEndian.Uint64(data); got != uint64(want) {
		return nil, fmt.Errorf("%d bytes, want %d: the file is damaged", got, want)
	}
	if len(data) < 8+want {
		return nil, errShort
	}
	return data[8 : 8+want], nil
}

// inflate returns want bytes from compressed blocks, which follow their table.
func (f *File) inflate(data []byte, want int) ([]byte, error) {
	if len(data) < 24 {
		return nil, errShort
	}
	blocks, size, last := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:]), binary.LittleEndian.Uint64(data[16:])
	table := data[24:]
	if blocks > uint64(len(table)/8) {
		return nil, errShort
	}
	if size > 1<<40 || last > size || blocks > 0 && size == 0 {
		return nil, fmt.Errorf("blocks of %d bytes, the last of %d: the file is damaged", size, last)
	}
	if last == 0 {
		last = size
	}
	if got := (blocks-min(blocks, 1))*size + min(blocks, 1)*last; blocks > 1<<40/max(size, 1)+1 || got != uint64(want) {
		return nil, fmt.Errorf("%d blocks of %d bytes, the last of %d, want %d bytes together: the file is damaged", blocks, size, last, want)
	}
	var out []byte // grows with the data, whatever size the file claims
	packed := table[8*blocks:]
	var z io.ReadCloser
	for i := range blocks {
		n := binary.LittleEndian.Uint64(table[8*i:])
		if n > uint64(len(packed)) {
			return nil, errShort
		}
		in := bytes.NewReader(packed[:n])
		packed = packed[n:]
		var err error
		if z == nil {
			z, err = zlib.NewReader(in)
		} else {
			err = z.(zlib.Resetter).Reset(in, nil)
		}
		if err != nil {
			return nil, fmt.Errorf("block %d: %w", i, err)
		}
		block, length := len(out), min(size, uint64(want-len(out)))
		if length > maxExpansion*n+64 {
			return nil, errShort
		}
		out = slices.Grow(out, int(length))[:block+int(length)]
		if _, err := io.ReadFull(z, out[block:]); err != nil {
			return nil, fmt.Errorf("block %d: %w", i, err)
		}
		if n, err := z.Read(make([]byte, 1)); n != 0 || err != io.EOF { // reading the end checks the check sum
			return nil, fmt.Errorf("block %d: longer than declared, or its checksum is wrong: %v", i, err)
		}
	}
	return out, nil
}

// ReadSeries reads a .pvd file: frames in the order of the file.
func ReadSeries(path string) ([]Frame, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseSeries(path, data)
}

func parseSeries(path string, data []byte) ([]Frame, error) {
	var doc struct {
		XMLName xml.Name `xml:"VTKFile"`
		Type    string   `xml:"type,attr"`
		Frames  []Frame  `xml:"Collection>DataSet"`
	}
	if err := xml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if doc.Type != "Collection" {
		return nil, fmt.Errorf("%s: expected a VTKFile of type Collection, got %q", path, doc.Type)
	}
	return doc.Frames, nil
}
