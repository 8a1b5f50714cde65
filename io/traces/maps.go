package traces

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// object is any object of GeoJSON (RFC 7946).
type object struct {
	Type        string
	Features    []object
	Geometry    *object
	Geometries  []object
	Coordinates json.RawMessage
	Properties  map[string]any
	CRS         *struct{ Properties struct{ Name string } }
}

// geoJSON reads lines and outlines of GeoJSON: one object, or one a line.
func (r *reader) geoJSON(data []byte) error {
	in := json.NewDecoder(bytes.NewReader(bytes.ReplaceAll(data, []byte("\x1e"), []byte(" "))))
	var layers []string
	for any := false; ; any = true {
		var o object
		if err := in.Decode(&o); err == io.EOF && any {
			break
		} else if err != nil {
			return fmt.Errorf("%s:%d: the file is no GeoJSON: %w", r.name, 1+bytes.Count(data[:min(len(data), int(in.InputOffset()))], []byte("\n")), err)
		}
		if o.CRS != nil && (strings.Contains(o.CRS.Properties.Name, "CRS84") || strings.HasSuffix(o.CRS.Properties.Name, ":4326")) {
			r.said = append(r.said, "the file says that its coordinates are degrees (WGS 84), and they were read as lengths: export it in a system of metres")
		}
		if err := r.object(&o, &layers); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	if err := r.absent(layers); err != nil {
		return err
	}
	return r.some("LineString, MultiLineString or Polygon")
}

// some returns an error for a file without traces.
func (r *reader) some(kinds string) error {
	switch {
	case len(r.traces) > 0:
		return r.full()
	case len(r.left) > 0:
		return fmt.Errorf("%s: the file has no %s; left out: %s", r.name, kinds, counted(r.left))
	}
	return fmt.Errorf("%s: the file has no %s", r.name, kinds)
}

// object adds the lines of an object.
func (r *reader) object(o *object, layers *[]string) error {
	switch o.Type {
	case "FeatureCollection":
		for i := range o.Features {
			if err := r.object(&o.Features[i], layers); err != nil {
				return fmt.Errorf("feature %d: %w", i+1, err)
			}
		}
		return nil
	case "Feature":
		on := ""
		for key, v := range o.Properties {
			if text, ok := v.(string); ok && strings.EqualFold(key, "layer") {
				on = text
			}
		}
		*layers = append(*layers, on)
		switch {
		case o.Geometry == nil:
			r.left["feature without a geometry"]++
			return nil
		case !r.wants(on):
			r.left["on layers that are not chosen"]++
			return nil
		}
		return r.object(o.Geometry, layers)
	case "GeometryCollection":
		for i := range o.Geometries {
			if err := r.object(&o.Geometries[i], layers); err != nil {
				return err
			}
		}
		return nil
	case "Point", "MultiPoint":
		r.left[o.Type]++
		return nil
	case "LineString", "MultiLineString", "Polygon", "MultiPolygon":
		return r.nested(o.Type, o.Coordinates, map[string]int{"LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3}[o.Type])
	case "":
		return errors.New("the file is no GeoJSON: an object has no type")
	case "Topology":
		return errors.New("the file is TopoJSON: export it as GeoJSON")
	}
	return fmt.Errorf("the file is no GeoJSON: there is no type %q", o.Type)
}

// nested adds lists of positions, as deep as their kind has them.
func (r *reader) nested(kind string, data json.RawMessage, depth int) error {
	if depth > 1 {
		var list []json.RawMessage
		if err := json.Unmarshal(data, &list); err != nil {
			return fmt.Errorf("the coordinates of a %s are not nested as they should be", kind)
		}
		for _, l := range list {
			if err := r.nested(kind, l, depth-1); err != nil {
				return err
			}
		}
		return nil
	}
	var list [][]float64
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("the coordinates of a %s are not nested as they should be", kind)
	}
	var points []r2.Vec
	for _, p := range list {
		if len(p) < 2 {
			return fmt.Errorf("a position of a %s has %d coordinates", kind, len(p))
		}
		points = append(points, r2.Vec{X: r.Scale * p[0], Y: r.Scale * p[1]})
	}
	if len(points) > 0 && len(points) < 2 {
		return fmt.Errorf("a %s has one position", kind)
	}
	r.line(points, false)
	return nil
}

// wktKinds are the geometries of well-known text that may be traces.
var wktKinds = []string{"LINESTRING", "MULTILINESTRING", "POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION", "POINT", "MULTIPOINT"}

// isWKT tells whether a text begins as a geometry of well-known text.
func isWKT(text string) bool {
	text = strings.ToUpper(strings.TrimLeft(text, " \t\r\n\"'"))
	if rest, ok := strings.CutPrefix(text, "SRID="); ok {
		_, text, _ = strings.Cut(rest, ";")
	}
	for _, k := range wktKinds {
		if rest, ok := strings.CutPrefix(text, k); ok {
			rest = strings.TrimLeft(rest, " \tZM")
			return strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "EMPTY")
		}
	}
	return false
}

// wkt reads a file of geometries, one a line or over several.
func (r *reader) wkt(data []byte) error {
	depth, from, line := 0, 0, 1
	text := string(data)
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == '\n' && depth <= 0:
			if one := strings.Trim(strings.TrimSpace(text[from:i]), `"';`); one != "" {
				if err := r.geometry(one); err != nil {
					return fmt.Errorf("%s:%d: %w", r.name, line, err)
				}
			}
			from, depth = i+1, 0
		case text[i] == '(':
			depth++
		case text[i] == ')':
			depth--
		}
		if i < len(text) && text[i] == '\n' {
			line++
		}
	}
	return r.some("LINESTRING, MULTILINESTRING or POLYGON")
}

// geometry adds the lines of a geometry of well-known text (ISO 19162 has its coordinates as
// "x y" or "x y z").
func (r *reader) geometry(text string) error {
	if !isWKT(text) {
		return fmt.Errorf("expected a geometry such as LINESTRING (0 0, 1 2), found %.40q", text)
	}
	if _, rest, ok := strings.Cut(text, ";"); ok && strings.HasPrefix(strings.ToUpper(strings.TrimSpace(text)), "SRID") {
		text = rest
	}
	text = strings.ToUpper(strings.TrimSpace(text))
	if kind, inner, ok := strings.Cut(text, "("); ok && strings.HasPrefix(kind, "GEOMETRYCOLLECTION") {
		inner = strings.TrimSpace(inner)
		return r.collection(strings.TrimSuffix(inner, ")"))
	} else if strings.Contains(kind, "POINT") {
		r.left[strings.Fields(kind)[0]]++
		return nil
	}
	opened := strings.Count(text, "(")
	if opened != strings.Count(text, ")") {
		return fmt.Errorf("brackets of a geometry do not match: %.40q", text)
	}
	for _, part := range strings.Split(text, "(") {
		list, _, closes := strings.Cut(part, ")")
		if !closes || strings.TrimSpace(list) == "" {
			continue
		}
		var points []r2.Vec
		for _, position := range strings.Split(list, ",") {
			fields := strings.Fields(position)
			if len(fields) < 2 {
				return fmt.Errorf("expected the coordinates of a point, found %.40q", position)
			}
			var v [2]float64
			for c := range v {
				x, err := strconv.ParseFloat(fields[c], 64)
				if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
					return fmt.Errorf("expected the coordinates of a point, found %.40q", position)
				}
				v[c] = r.Scale * x
			}
			points = append(points, r2.Vec{X: v[0], Y: v[1]})
		}
		r.line(points, false)
	}
	return nil
}

// collection adds the geometries between commas outside of brackets.
func (r *reader) collection(text string) error {
	depth, from := 0, 0
	for i := 0; i <= len(text); i++ {
		if i == len(text) || text[i] == ',' && depth == 0 {
			if one := strings.TrimSpace(text[from:i]); one != "" {
				if err := r.geometry(one); err != nil {
					return err
				}
			}
			from = i + 1
			continue
		}
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	return nil
}
