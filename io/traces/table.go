package traces

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/io/columns"

	"gonum.org/v1/gonum/spatial/r2"
)

// ends are names of columns for both ends of a trace, without case, blanks and signs.
var ends = [][4]string{
	{"x1", "y1", "x2", "y2"}, {"startx", "starty", "endx", "endy"}, {"xstart", "ystart", "xend", "yend"}, {"x0", "y0", "x1", "y1"},
	{"xa", "ya", "xb", "yb"}, {"ax", "ay", "bx", "by"}, {"xfrom", "yfrom", "xto", "yto"}, {"fromx", "fromy", "tox", "toy"},
	{"xbegin", "ybegin", "xend", "yend"}, {"beginx", "beginy", "endx", "endy"}, {"p1x", "p1y", "p2x", "p2y"}, {"x1m", "y1m", "x2m", "y2m"},
	{"startpointx", "startpointy", "endpointx", "endpointy"}, {"easting1", "northing1", "easting2", "northing2"}, {"e1", "n1", "e2", "n2"},
	{"starteasting", "startnorthing", "endeasting", "endnorthing"}, {"eastingstart", "northingstart", "eastingend", "northingend"}, {"x", "y", "x2", "y2"},
	{"point1x", "point1y", "point2x", "point2y"}, {"xi", "yi", "xj", "yj"},
}

// places are names of columns for a vertex of a polyline, and lines those for which polyline
// it is.
var (
	places = [][2]string{{"x", "y"}, {"xcoord", "ycoord"}, {"easting", "northing"}, {"east", "north"}, {"pointx", "pointy"}, {"coordx", "coordy"}}
	lines  = []string{"id", "fid", "line", "lineid", "trace", "traceid", "polyline", "polylineid", "shapeid", "feature", "featureid", "objectid", "name", "joint", "jointid", "fracture", "fractureid", "part", "set"}
)

// bare returns a name of a column without case, blanks and signs.
func bare(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(name))
}

// commas separates the columns of a table by commas where they are separated by semicolons,
// with decimal commas, or by tabs. Lines stay lines.
func commas(data []byte) []byte {
	var header []byte
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			header = line
			break
		}
	}
	by := byte(',')
	switch {
	case bytes.Contains(header, []byte("\t")):
		by = '\t'
	case bytes.Contains(header, []byte(";")) && !bytes.Contains(header, []byte(",")):
		by = ';'
	default:
		return data
	}
	var out bytes.Buffer
	quoted, from := false, 0
	for i := 0; i <= len(data); i++ {
		switch {
		case i < len(data) && data[i] == '"':
			quoted = !quoted
		case i == len(data) || !quoted && (data[i] == by || data[i] == '\n'):
			out.Write(cell(data[from:i]))
			if i < len(data) && data[i] == by {
				out.WriteByte(',')
			} else if i < len(data) {
				out.WriteByte('\n')
			}
			from = i + 1
		}
	}
	return out.Bytes()
}

// cell returns a cell that may have commas: as a number with a point, or in quotation marks.
func cell(text []byte) []byte {
	if !bytes.ContainsRune(text, ',') || bytes.ContainsRune(text, '"') {
		return text
	}
	number := bytes.Replace(text, []byte(","), []byte("."), 1)
	if _, err := strconv.ParseFloat(string(bytes.TrimSpace(number)), 64); err == nil {
		return number
	}
	return []byte(`"` + strings.TrimSpace(string(text)) + `"`)
}

// table reads a table of both ends, of geometries in well-known text, or of vertices.
func (r *reader) table(data []byte) error {
	data = commas(data)
	if first, rest, _ := bytes.Cut(data, []byte("\n")); len(first) > 1 && first[0] == '#' { // names in a comment, as some programs write them
		names := bytes.Split(bytes.TrimLeft(first, "# "), []byte(","))
		if _, ok := r.find(strings.Split(string(bytes.TrimLeft(first, "# ")), ",")); ok && len(names) >= 4 {
			data = slices.Concat(bytes.TrimLeft(first, "# "), []byte("\n"), rest)
		}
	}
	t, err := columns.Scan(r.name, bytes.NewReader(data))
	if err != nil {
		return err
	}
	if at, ok := r.find(t.Names); ok {
		return r.withEnds(t, at)
	}
	if len(r.Columns) > 0 {
		return t.Wrong("columns %q were asked for, and the file has %q", r.Columns, t.Names)
	}
	for k, name := range t.Names {
		cells, err := t.Texts(name)
		if err != nil {
			continue // two columns of a name
		}
		if len(cells) > 0 && isWKT(cells[0]) {
			return r.withGeometries(t, k, cells)
		}
	}
	if done, err := r.withVertices(t); done || err != nil {
		return err
	}
	if _, err := strconv.ParseFloat(strings.TrimSpace(t.Names[0]), 64); err == nil {
		return t.Wrong("the first line has no names of columns, such as x1,y1,x2,y2")
	}
	return t.Wrong("no column is named \"x1\", nor are there others for both ends of a trace (START_X, START_Y, END_X, END_Y), its geometry (WKT) or its vertices (id, x, y): the columns are %q; name them in the shapes file by columns = [x1, y1, x2, y2]", t.Names)
}

// find returns the indices of the columns of both ends.
func (r *reader) find(names []string) (at [4]int, ok bool) {
	if len(r.Columns) > 0 {
		for i, want := range r.Columns {
			if at[i] = slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(strings.TrimSpace(n), strings.TrimSpace(want)) }); at[i] < 0 {
				return at, false
			}
		}
		return at, true
	}
	for _, e := range ends {
		ok := true
		for i, want := range e {
			at[i] = slices.IndexFunc(names, func(n string) bool { return bare(n) == want })
			ok = ok && at[i] >= 0
		}
		if ok {
			return at, true
		}
	}
	return at, false
}

func (r *reader) withEnds(t *columns.Table, at [4]int) (err error) {
	var c [4][]float64
	for i, k := range at {
		if c[i], err = t.Numbers(t.Names[k], r.Length); err != nil {
			return err
		}
	}
	for i := range c[0] {
		if err := r.finite(t, i, c[0][i]+c[1][i]+c[2][i]+c[3][i]); err != nil {
			return err
		}
		k := [2]r2.Vec{{X: c[0][i], Y: c[1][i]}, {X: c[2][i], Y: c[3][i]}}
		if k[0] == k[1] {
			return fmt.Errorf("%s:%d: the trace has no length: it begins and ends at (%g, %g) m", r.name, t.Line(i), c[0][i], c[1][i])
		}
		r.traces = append(r.traces, k)
	}
	return r.full()
}

// finite returns an error if the sum of the coordinates of a row is no finite number.
func (r *reader) finite(t *columns.Table, row int, sum float64) error {
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return fmt.Errorf("%s:%d: the coordinates of a trace must be finite", r.name, t.Line(row))
	}
	return nil
}

func (r *reader) withGeometries(t *columns.Table, k int, cells []string) error {
	on := slices.IndexFunc(t.Names, func(n string) bool { return bare(n) == "layer" })
	var layers []string
	if on >= 0 {
		layers, _ = t.Texts(t.Names[on])
	}
	for i, cell := range cells {
		switch {
		case strings.TrimSpace(cell) == "":
			r.left["row without a geometry"]++
			continue
		case layers != nil && !r.wants(layers[i]):
			r.left["on layers that are not chosen"]++
			continue
		}
		if err := r.geometry(cell); err != nil {
			return fmt.Errorf("%s:%d: column %q: %w", r.name, t.Line(i), t.Names[k], err)
		}
	}
	if err := r.absent(layers); err != nil {
		return err
	}
	return r.some("LINESTRING, MULTILINESTRING or POLYGON")
}

// withVertices reads a table of a vertex a row, of polylines that a column tells apart.
func (r *reader) withVertices(t *columns.Table) (done bool, err error) {
	of := slices.IndexFunc(t.Names, func(n string) bool { return slices.Contains(lines, bare(n)) })
	for _, p := range places {
		x, y := -1, -1
		for k, n := range t.Names {
			switch bare(n) {
			case p[0]:
				x = k
			case p[1]:
				y = k
			}
		}
		if x < 0 || y < 0 {
			continue
		}
		if of < 0 {
			return false, nil
		}
		xs, err := t.Numbers(t.Names[x], r.Length)
		if err != nil {
			return false, err
		}
		ys, err := t.Numbers(t.Names[y], r.Length)
		if err != nil {
			return false, err
		}
		names, err := t.Texts(t.Names[of])
		if err != nil {
			return false, err
		}
		for from := 0; from < len(names); {
			end := from + 1
			for end < len(names) && names[end] == names[from] {
				end++
			}
			var points []r2.Vec
			for i := from; i < end; i++ {
				if err := r.finite(t, i, xs[i]+ys[i]); err != nil {
					return false, err
				}
				points = append(points, r2.Vec{X: xs[i], Y: ys[i]})
			}
			if len(points) == 1 {
				r.left["line of one vertex"]++
			}
			r.line(points, false)
			from = end
		}
		return true, r.some("line of two vertices")
	}
	return false, nil
}
