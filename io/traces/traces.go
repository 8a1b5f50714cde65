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
	"strconv"
	"strings"

	"fdem/io/columns"

	"gonum.org/v1/gonum/spatial/r2"
)

// Read reads the traces of a file [m]. A table has the columns x1, y1, x2 and y2, whose
// cells length reads; a DXF has coordinates in units of scale [m]. Errors name file and line.
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
			return nil, fmt.Errorf("%s:%d: the trace begins and ends at (%g, %g) m", path, t.Line(i), c[0][i], c[1][i])
		}
	}
	return out, nil
}

// parseDXF reads LINE, LWPOLYLINE and POLYLINE with its VERTEX entities; all else is
// passed over. A file is pairs of lines: a group code and a value.
func parseDXF(name string, in io.Reader, scale float64) (out [][2]r2.Vec, err error) {
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	line := 0
	var kind string
	var points []r2.Vec
	var x, x2, y, y2 float64
	closed, open := false, false // open: a point has its x
	ends := map[int]bool{}       // groups of the places that a LINE has given
	flush := func() {
		for i := range len(points) - 1 {
			out = append(out, [2]r2.Vec{points[i], points[i+1]})
		}
		if n := len(points); closed && n > 2 {
			out = append(out, [2]r2.Vec{points[n-1], points[0]})
		}
		points, closed = nil, false
	}
	end := func() error { // of an entity
		switch kind {
		case "LINE":
			for _, group := range []int{10, 20, 11, 21} {
				if !ends[group] {
					return fmt.Errorf("%s:%d: a LINE ends without its group %d: has the file been cut off?", name, line, group)
				}
			}
			if x == x2 && y == y2 {
				return fmt.Errorf("%s:%d: the LINE above begins and ends at (%g, %g)", name, line, x, y)
			}
			out = append(out, [2]r2.Vec{{X: x * scale, Y: y * scale}, {X: x2 * scale, Y: y2 * scale}})
		case "LWPOLYLINE":
			flush()
		case "VERTEX":
			points = append(points, r2.Vec{X: x * scale, Y: y * scale})
		case "SEQEND":
			flush()
		}
		x, x2, y, y2, open = 0, 0, 0, 0, false
		clear(ends)
		return nil
	}
	for s.Scan() {
		line++
		code, err := strconv.Atoi(strings.TrimSpace(s.Text()))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: expected a group code of a DXF, found %.40q", name, line, s.Text())
		}
		if !s.Scan() {
			return nil, fmt.Errorf("%s:%d: the value of the last group is missing", name, line)
		}
		line++
		text := strings.TrimSpace(s.Text())
		if code == 0 {
			if err := end(); err != nil {
				return nil, err
			}
			kind = text
			continue
		}
		if kind != "LINE" && kind != "LWPOLYLINE" && kind != "VERTEX" && kind != "POLYLINE" {
			continue
		}
		v := 0.0
		switch code {
		case 10, 11, 20, 21, 42, 70:
			if v, err = strconv.ParseFloat(text, 64); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s:%d: expected a number, found %.40q", name, line, text)
			}
		}
		ends[code] = true
		switch code {
		case 10:
			x, open = v, true
		case 20:
			y = v
			if kind == "LWPOLYLINE" && open {
				points = append(points, r2.Vec{X: x * scale, Y: y * scale})
			}
		case 11:
			x2 = v
		case 21:
			y2 = v
		case 42:
			if v != 0 && (kind == "LWPOLYLINE" || kind == "VERTEX") {
				return nil, fmt.Errorf("%s:%d: a part of a polyline is an arc, of bulge %g, which is not read: make straight parts of it", name, line, v)
			}
		case 70:
			if kind == "LWPOLYLINE" || kind == "POLYLINE" {
				closed = int(v)&1 == 1
			}
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := end(); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: there is no LINE, LWPOLYLINE or POLYLINE in it", name)
	}
	if kind != "EOF" {
		return nil, fmt.Errorf("%s:%d: the file ends without EOF: has it been cut off?", name, line)
	}
	return out, nil
}
