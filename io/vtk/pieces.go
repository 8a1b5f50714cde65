package vtk

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fdem/io/guard"
	"fdem/io/whole"

	"gonum.org/v1/gonum/spatial/r2"
)

// Large grids in pieces: a .pvtu file, VTK's parallel format, lists .vtu files in a folder of
// its name. A piece is a range of the triangles, independent of the number of workers. The
// last piece also has the lines and the points of no triangle. A point at the border of
// pieces is in each of them. The array "point" has the number of each point in the whole
// grid, so that a reader of the pieces gets the grid that was written.

// pieceTriangles is the default number of triangles in a piece.
const pieceTriangles = 1_000_000

// pointName is the array that numbers the points of the whole grid.
const pointName = "point"

// part is a piece of a grid: a number of cells from first on.
type part struct {
	grid   Grid
	points []int32          // of the whole grid
	first  int              // cell of the whole grid
	fixed  map[string]Array // point arrays that do not change
}

// Ext returns the extension of the file of a grid: ".pvtu" if it has more triangles than
// two pieces.
func (w *Writer) Ext(g Grid) string {
	if len(g.Triangles) > 2*w.perPiece() {
		return ".pvtu"
	}
	return ".vtu"
}

func (w *Writer) perPiece() int {
	if w.Piece > 0 {
		return w.Piece
	}
	return pieceTriangles
}

// writePieces writes a grid in pieces, and last the file that lists them.
func (w *Writer) writePieces(path string, g *Grid) error {
	for _, of := range []struct {
		arrays []Array
		n      int
	}{{g.PointData, len(g.Points)}, {g.CellData, g.cells()}} {
		for i := range of.arrays {
			if err := of.arrays[i].check(of.n); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	folder := strings.TrimSuffix(path, filepath.Ext(path))
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	parts := w.divide(g)
	for i := range parts {
		piece := parts[i].of(g)
		to := filepath.Join(folder, pieceName(i))
		if err := w.grid(piece); err != nil {
			return fmt.Errorf("%s: %w", to, err)
		}
		if err := w.close(to, "UnstructuredGrid"); err != nil {
			return err
		}
	}
	return whole.Write(path, func(f io.Writer) error {
		b := bufio.NewWriter(f)
		w.list(b, parts[0].of(g), filepath.Base(folder), len(parts))
		return b.Flush()
	})
}

func pieceName(i int) string { return fmt.Sprintf("%d.vtu", i) }

// list writes the file that lists a number of pieces in a folder. All have the arrays of
// the given one.
func (w *Writer) list(b io.Writer, like Grid, folder string, pieces int) {
	kind := func(a *Array) string {
		kind, _, _ := w.values(a, 0)
		return kind
	}
	precision := "Float64"
	if w.Single && !like.changing {
		precision = "Float32"
	}
	fmt.Fprint(b, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PUnstructuredGrid GhostLevel=\"0\">\n")
	fmt.Fprintf(b, "<PPoints>\n<PDataArray type=\"%s\" Name=\"Points\" NumberOfComponents=\"3\"/>\n</PPoints>\n", precision)
	for _, of := range []struct {
		name   string
		arrays []Array
	}{{"PPointData", like.PointData}, {"PCellData", like.CellData}} {
		fmt.Fprintf(b, "<%s>\n", of.name)
		for i := range of.arrays {
			a := &of.arrays[i]
			fmt.Fprintf(b, "<PDataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"/>\n", kind(a), escape(a.Name), a.Components)
		}
		fmt.Fprintf(b, "</%s>\n", of.name)
	}
	for i := range pieces {
		fmt.Fprintf(b, "<Piece Source=\"%s/%s\"/>\n", escape(folder), pieceName(i))
	}
	fmt.Fprint(b, "</PUnstructuredGrid>\n</VTKFile>\n")
}

// divide returns the pieces of a grid, and keeps them for the next file.
func (w *Writer) divide(g *Grid) []part {
	if of := key("pieces", g.Triangles, true); of != w.partsOf {
		w.parts, w.partsOf = nil, of
	}
	if w.parts != nil {
		return w.parts
	}
	const none = -1
	local, used := make([]int32, len(g.Points)), make([]bool, len(g.Points))
	for i := range local {
		local[i] = none
	}
	for _, t := range g.Triangles {
		used[t[0]], used[t[1]], used[t[2]] = true, true, true
	}
	for first := 0; first < len(g.Triangles); first += w.perPiece() {
		p := part{first: first, fixed: map[string]Array{}}
		triangles, lines := g.Triangles[first:min(first+w.perPiece(), len(g.Triangles))], [][2]int32(nil)
		add := func(n int32) {
			if local[n] == none {
				local[n] = 0
				p.points = append(p.points, n)
			}
		}
		for _, t := range triangles {
			add(t[0])
			add(t[1])
			add(t[2])
		}
		if first+len(triangles) == len(g.Triangles) {
			lines = g.Lines
			for n, is := range used {
				if !is {
					add(int32(n))
				}
			}
			for _, l := range lines {
				add(l[0])
				add(l[1])
			}
		}
		slices.Sort(p.points)
		for i, n := range p.points {
			local[n] = int32(i)
			p.grid.Points = append(p.grid.Points, g.Points[n])
		}
		for _, t := range triangles {
			p.grid.Triangles = append(p.grid.Triangles, [3]int32{local[t[0]], local[t[1]], local[t[2]]})
		}
		for _, l := range lines {
			p.grid.Lines = append(p.grid.Lines, [2]int32{local[l[0]], local[l[1]]})
		}
		for _, n := range p.points {
			local[n] = none
		}
		p.grid.changing = g.changing
		w.parts = append(w.parts, p)
	}
	return w.parts
}

// of returns the piece with the fields of the present grid.
func (p *part) of(g *Grid) Grid {
	out := p.grid
	out.Time = g.Time
	number, ok := p.fixed[pointName]
	if !ok {
		number = Array{Name: pointName, Components: 1, Constant: true}
		for _, n := range p.points {
			number.Int64 = append(number.Int64, int64(n))
		}
		p.fixed[pointName] = number
	}
	for i := range g.PointData {
		out.PointData = append(out.PointData, p.pointArray(&g.PointData[i]))
	}
	out.PointData = append(out.PointData, number)
	for i := range g.CellData {
		out.CellData = append(out.CellData, p.cellArray(&g.CellData[i]))
	}
	return out
}

// pointArray returns an array's values at the points of the piece.
func (p *part) pointArray(a *Array) Array {
	if was, ok := p.fixed[a.Name]; ok && a.Constant {
		return was
	}
	out := *a
	out.Float64, out.Int64, out.Int32 = pick(a.Float64, p.points, a.Components), pick(a.Int64, p.points, a.Components), pick(a.Int32, p.points, a.Components)
	if a.Fill != nil {
		out.Fill = func(first, end int, to []float64) {
			for first < end { // points that are consecutive in the grid
				n := 1
				for first+n < end && p.points[first+n] == p.points[first]+int32(n) {
					n++
				}
				from := int(p.points[first])
				a.Fill(from, from+n, to[:n*a.Components])
				first, to = first+n, to[n*a.Components:]
			}
		}
	}
	if a.Constant {
		p.fixed[a.Name] = out
	}
	return out
}

// pick returns the values of points, with a number of components each.
func pick[T number](values []T, points []int32, components int) []T {
	if values == nil {
		return nil
	}
	out := make([]T, 0, len(points)*components)
	for _, n := range points {
		out = append(out, values[int(n)*components:][:components]...)
	}
	return out
}

// cellArray returns an array's values in the cells of the piece.
func (p *part) cellArray(a *Array) Array {
	out, n := *a, p.grid.cells()
	cut := func(total int) (from, to int) {
		if total == 0 {
			return 0, 0
		}
		return p.first * a.Components, (p.first + n) * a.Components
	}
	from, to := cut(len(a.Float64))
	out.Float64 = a.Float64[from:to]
	from, to = cut(len(a.Int64))
	out.Int64 = a.Int64[from:to]
	from, to = cut(len(a.Int32))
	out.Int32 = a.Int32[from:to]
	if a.Fill != nil {
		out.Fill = func(first, end int, to []float64) { a.Fill(first+p.first, end+p.first, to) }
	}
	return out
}

// Pieces returns the files listed in a .pvtu file, relative to its folder, with slashes;
// none for any other file.
func Pieces(path string) ([]string, error) {
	if filepath.Ext(path) != ".pvtu" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var doc struct {
		XMLName xml.Name `xml:"VTKFile"`
		Pieces  []struct {
			Source string `xml:"Source,attr"`
		} `xml:"PUnstructuredGrid>Piece"`
	}
	if err := xml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(doc.Pieces) == 0 {
		return nil, fmt.Errorf("%s: no pieces of a PUnstructuredGrid", path)
	}
	var all []string
	for _, p := range doc.Pieces {
		all = append(all, p.Source)
	}
	return all, nil
}

// openPieces reads a .pvtu file as if it were one .vtu file.
func openPieces(path string) (*File, error) {
	names, err := Pieces(path)
	if err != nil {
		return nil, err
	}
	f, sum := &File{path: path}, 0
	for _, name := range names {
		at, err := guard.Path(filepath.Dir(path), name, guard.Large)
		if err != nil {
			return nil, err
		}
		p, err := Open(at)
		if err != nil {
			return nil, err
		}
		if p.parts != nil {
			return nil, fmt.Errorf("%s: %s is itself in pieces", path, name)
		}
		number, err := p.PointData(pointName)
		if err != nil {
			return nil, err
		}
		if len(number.Int64) != p.Points {
			return nil, fmt.Errorf("%s: the numbers of the points must be Int64", at)
		}
		f.parts, f.numbers = append(f.parts, p), append(f.numbers, number.Int64)
		f.Cells += p.Cells
		sum += p.Points
	}
	has := make([]bool, sum)
	for _, numbers := range f.numbers {
		for _, n := range numbers {
			if n < 0 || n >= int64(sum) {
				return nil, fmt.Errorf("%s: a piece has point %d, and all pieces together have %d points", path, n, sum)
			}
			if !has[n] {
				has[n] = true
				f.Points++
			}
		}
	}
	if slices.Contains(has[:f.Points], false) {
		return nil, fmt.Errorf("%s: the pieces have %d points, but not with the numbers from 0 on", path, f.Points)
	}
	f.content = f.parts[0].content
	f.content.PointData = slices.DeleteFunc(slices.Clone(f.content.PointData), func(d declared) bool { return d.Name == pointName })
	return f, nil
}

// joined returns an array of the whole grid from the arrays of the pieces.
func (f *File) joined(of func(p *File) (Array, error), points bool) (Array, error) {
	var out Array
	for i, p := range f.parts {
		a, err := of(p)
		if err != nil {
			return out, err
		}
		if i == 0 {
			out = Array{Name: a.Name, Components: a.Components}
		}
		if a.Components != out.Components {
			return out, fmt.Errorf("%s: array %q has other components in piece %d", f.path, a.Name, i)
		}
		if !points {
			out.Float64, out.Int64, out.Int32 = append(out.Float64, a.Float64...), append(out.Int64, a.Int64...), append(out.Int32, a.Int32...)
			continue
		}
		put(&out.Float64, a.Float64, f.numbers[i], a.Components, f.Points)
		put(&out.Int64, a.Int64, f.numbers[i], a.Components, f.Points)
		put(&out.Int32, a.Int32, f.numbers[i], a.Components, f.Points)
	}
	n := f.Cells
	if points {
		n = f.Points
	}
	if len(out.Float64)+len(out.Int64)+len(out.Int32) != n*out.Components {
		return out, fmt.Errorf("%s: array %q has another type in some pieces", f.path, out.Name)
	}
	return out, nil
}

// put sets the values of points at their positions, with a number of components
// each.
func put[T number](to *[]T, values []T, points []int64, components, all int) {
	if values == nil {
		return
	}
	if *to == nil {
		*to = make([]T, all*components)
	}
	for i, n := range points {
		copy((*to)[int(n)*components:][:components], values[i*components:])
	}
}

// joinedElements returns the cells of the whole grid.
func (f *File) joinedElements() (triangles [][3]int32, lines [][2]int32, err error) {
	for i, p := range f.parts {
		t, l, err := p.Elements()
		if err != nil {
			return nil, nil, err
		}
		if len(lines) > 0 {
			return nil, nil, fmt.Errorf("%s: lines before the triangles of piece %d", f.path, i)
		}
		n := f.numbers[i]
		for _, k := range t {
			triangles = append(triangles, [3]int32{int32(n[k[0]]), int32(n[k[1]]), int32(n[k[2]])})
		}
		for _, k := range l {
			lines = append(lines, [2]int32{int32(n[k[0]]), int32(n[k[1]])})
		}
	}
	return triangles, lines, nil
}

// joinedPositions returns the points of the whole grid.
func (f *File) joinedPositions() ([]r2.Vec, error) {
	out := make([]r2.Vec, f.Points)
	for i, p := range f.parts {
		x, err := p.Positions()
		if err != nil {
			return nil, err
		}
		for k, n := range f.numbers[i] {
			out[n] = x[k]
		}
	}
	return out, nil
}
