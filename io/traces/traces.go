// Package traces reads traces of joints: the lines, polylines and curves of a drawing in DXF,
// of a map in GeoJSON or well-known text (WKT), or a table in CSV. Curves become chords.
package traces

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"fdem/io/guard"

	"gonum.org/v1/gonum/spatial/r2"
)

// Options say how a file is read.
type Options struct {
	Scale   float64                            // unit of the coordinates [m]
	Layers  []string                           // those that are read; all visible ones where there are none
	Columns []string                           // of a table: x and y of both ends; found by their names where there are none
	Chord   float64                            // greatest distance of a chord from its curve [m]; 0 for a thousandth of the curve's size
	Length  func(text string) (float64, error) // reads a length with a unit [m]
}

// Set is what a file has.
type Set struct {
	Traces [][2]r2.Vec // [m]
	Notes  []string    // on what was left out or changed
}

// Read reads the traces of a file. Errors name file and line.
func Read(path string, o Options) (*Set, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if is := guard.Foreign(data); is != "" {
		return nil, fmt.Errorf("%s: the file is %s; traces come from DXF, GeoJSON, WKT or CSV", path, is)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.IndexByte(data, '\n') < 0 { // ends of lines of old Macintosh programs
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	r := &reader{name: path, Options: o, left: map[string]int{}, chords: map[string]int{}}
	head := bytes.TrimSpace(data)
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".dxf":
		err = r.dxf(data)
	case ext == ".geojson" || ext == ".json" || bytes.HasPrefix(head, []byte("{")):
		err = r.geoJSON(data)
	case ext == ".wkt" || isWKT(string(head[:min(len(head), 200)])):
		err = r.wkt(data)
	default:
		err = r.table(data)
	}
	if err != nil {
		return nil, err
	}
	return &Set{Traces: r.traces, Notes: r.notes()}, nil
}

// reader is a file so far.
type reader struct {
	Options
	name   string
	traces [][2]r2.Vec
	left   map[string]int // what was left out, by kind
	chords map[string]int // curves that were read as chords, by kind
	pieces int            // chords
	count  int            // insertions of blocks
	said   []string
}

// line adds the parts of a polyline [m]. Parts without a length are left out.
func (r *reader) line(points []r2.Vec, closed bool) {
	if closed && len(points) > 2 {
		points = append(slices.Clip(points), points[0])
	}
	for i := 1; i < len(points); i++ {
		if points[i-1] != points[i] {
			r.traces = append(r.traces, [2]r2.Vec{points[i-1], points[i]})
		}
	}
}

// most is the most traces of a file.
const most = 2_000_000

// full tells whether a file has too many traces: blocks may hold blocks.
func (r *reader) full() error {
	if len(r.traces) > most {
		return fmt.Errorf("%s: the file has more than %d traces", r.name, most)
	}
	return nil
}

// notes returns what there is to say about the file.
func (r *reader) notes() (out []string) {
	if len(r.left) > 0 {
		out = append(out, "left out: "+counted(r.left))
	}
	if len(r.chords) > 0 {
		out = append(out, fmt.Sprintf("%s read as %d chords", counted(r.chords), r.pieces))
	}
	return append(out, r.said...)
}

// counted lists numbers of kinds.
func counted(kinds map[string]int) string {
	var out []string
	for k, n := range kinds {
		out = append(out, fmt.Sprintf("%d %s", n, k))
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}

// wants tells whether a layer is one of those chosen. Without any all are.
func (o *Options) wants(layer string) bool {
	return len(o.Layers) == 0 || slices.ContainsFunc(o.Layers, func(l string) bool { return strings.EqualFold(l, layer) })
}

// absent returns an error for chosen layers that a file has not.
func (r *reader) absent(known []string) error {
	for _, l := range r.Layers {
		if !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, l) }) {
			sort.Strings(known)
			return fmt.Errorf("%s: there is no layer %q: the layers are %q", r.name, l, slices.Compact(known))
		}
	}
	return nil
}
