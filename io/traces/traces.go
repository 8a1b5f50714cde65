// Package traces reads traces of joints: straight lines in a table of values, or the lines
// and polylines of a drawing in DXF.
package traces

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fdem/io/columns"

	"gonum.org/v1/gonum/spatial/r2"
)

// Read reads the traces of a file [m]. A table has the columns x1, y1, x2 and y2, whose cells
// are read by length. A DXF has coordinates in units of scale [m]. Errors name file and line.
func Read(path string, scale float64, length func(text string) (float64, error)) ([][2]r2.Vec, error) {
	if strings.EqualFold(filepath.Ext(path), ".dxf") {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return parseDXF(path, f, scale)
	}
	t, err := columns.Read(path)
	if err != nil {
		return nil, err
	}
	var c [4][]float64
	for i, name := range []string{"x1", "y1", "x2", "y2"} {
		if c[i], err = t.Numbers(name, length); err != nil {
			return nil, err
		}
	}
	out := make([][2]r2.Vec, len(c[0]))
	for i := range out {
		out[i] = [2]r2.Vec{{X: c[0][i], Y: c[1][i]}, {X: c[2][i], Y: c[3][i]}}
		if out[i][0] == out[i][1] {
			return nil, fmt.Errorf("%s:%d: the trace has no length: it begins and ends at (%g, %g) m", path, t.Line(i), c[0][i], c[1][i])
		}
	}
	return out, nil
}

// parseDXF reads LINE, LWPOLYLINE and POLYLINE with its VERTEX entities, and skips
// all else. A file is pairs of lines: a group code and a value.
func parseDXF(name string, in io.Reader, scale float64) (out [][2]r2.Vec, err error) {
	d := drawing{name: name, scale: scale, given: map[int]float64{}}
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		d.line++
		code, err := strconv.Atoi(strings.TrimSpace(s.Text()))
		if err != nil {
			return nil, d.errorf("expected a group code of a DXF, found %.40q", s.Text())
		}
		if !s.Scan() {
			return nil, d.errorf("the value of the last group is missing")
		}
		d.line++
		text := strings.TrimSpace(s.Text())
		if code == 0 {
			err = d.begin(text)
		} else {
			err = d.group(code, text)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	last := d.entity
	if err := d.begin(""); err != nil {
		return nil, err
	}
	if len(d.traces) == 0 {
		return nil, fmt.Errorf("%s: the file has no LINE, LWPOLYLINE or POLYLINE", name)
	}
	if last != "EOF" {
		return nil, d.errorf("the file ends without EOF: is it incomplete?")
	}
	return d.traces, nil
}

// drawing is the part of a DXF that has been read: pairs of a group code and its value.
// Code 0 begins an entity.
type drawing struct {
	name   string
	line   int
	scale  float64 // of the file's lengths [m]
	traces [][2]r2.Vec
	entity string          // kind of the present entity
	given  map[int]float64 // its groups with numbers
	points []r2.Vec        // of the present polyline [m]
	closed bool
}

func (d *drawing) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", d.name, d.line, fmt.Sprintf(format, args...))
}

// begin ends the present entity and begins one of a kind.
func (d *drawing) begin(kind string) error {
	switch d.entity {
	case "LINE":
		if err := d.addLine(); err != nil {
			return err
		}
	case "LWPOLYLINE", "SEQEND":
		d.addPolyline()
	case "VERTEX":
		d.points = append(d.points, d.point(10, 20))
	}
	d.entity = kind
	clear(d.given)
	return nil
}

// point returns the point [m] of two groups.
func (d *drawing) point(x, y int) r2.Vec {
	return r2.Vec{X: d.given[x] * d.scale, Y: d.given[y] * d.scale}
}

func (d *drawing) addLine() error {
	for _, code := range []int{10, 20, 11, 21} {
		if _, given := d.given[code]; !given {
			return d.errorf("a LINE ends without its group %d: is the file incomplete?", code)
		}
	}
	if x, y := d.given[10], d.given[20]; x == d.given[11] && y == d.given[21] {
		return d.errorf("the LINE above begins and ends at (%g, %g)", x, y)
	}
	d.traces = append(d.traces, [2]r2.Vec{d.point(10, 20), d.point(11, 21)})
	return nil
}

func (d *drawing) addPolyline() {
	n := len(d.points)
	for i := range n - 1 {
		d.traces = append(d.traces, [2]r2.Vec{d.points[i], d.points[i+1]})
	}
	if d.closed && n > 2 {
		d.traces = append(d.traces, [2]r2.Vec{d.points[n-1], d.points[0]})
	}
	d.points, d.closed = nil, false
}

// group reads one group of the present entity: 10 and 20 are its first point, 11 and 21 the
// second of a line, 42 the bulge of an arc, 70 the flags of a polyline.
func (d *drawing) group(code int, text string) error {
	polyline := d.entity == "LWPOLYLINE" || d.entity == "POLYLINE"
	if !polyline && d.entity != "LINE" && d.entity != "VERTEX" || !slices.Contains([]int{10, 11, 20, 21, 42, 70}, code) {
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return d.errorf("expected a number, found %.40q", text)
	}
	d.given[code] = v
	_, placed := d.given[10]
	switch {
	case code == 20 && d.entity == "LWPOLYLINE" && placed: // a point of several
		d.points = append(d.points, d.point(10, 20))
	case code == 42 && v != 0 && (d.entity == "LWPOLYLINE" || d.entity == "VERTEX"):
		return d.errorf("a part of a polyline is an arc, of bulge %g, which is not supported: draw it with straight parts", v)
	case code == 70 && polyline:
		d.closed = int(v)&1 == 1
	}
	return nil
}
