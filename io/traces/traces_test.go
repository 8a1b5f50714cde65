package traces

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// length reads a length without a unit.
func length(s string) (float64, error) { return strconv.ParseFloat(strings.TrimSpace(s), 64) }

// read reads a file of a name.
func read(t *testing.T, name, text string, o Options) (*Set, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	o.Length = length
	set, err := Read(path, o)
	if err != nil {
		err = errors.New(strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""))
	}
	return set, err
}

// Two traces, in every form in which programs write them.
func TestForms(t *testing.T) {
	want := [][2]r2.Vec{{{X: 1, Y: 1}, {X: 5, Y: 4}}, {{X: 3, Y: 4}, {X: 8, Y: 2.5}}}
	for name, text := range map[string]string{
		"a.csv":     "x1,y1,x2,y2\n1,1,5,4\n3,4,8,2.5\n",
		"b.csv":     "FID,START_X,START_Y,END_X,END_Y\n0,1,1,5,4\n1,3,4,8,2.5\n",
		"c.csv":     "# FID, START_X, START_Y, END_X, END_Y\n0,1,1,5,4\n1,3,4,8,2.5\n",
		"d.csv":     "x0;y0;x1;y1\n1;1;5;4\n3;4;8;2,5\n",
		"e.txt":     "X start\tY start\tX end\tY end\r\n1\t1\t5\t4\r\n3\t4\t8\t2.5\r\n",
		"f.csv":     "WKT,id\n\"LINESTRING (1 1,5 4)\",0\n\"LINESTRING (3 4,8 2.5)\",1\n",
		"g.csv":     "id\tgeom\n0\tSRID=25832;LINESTRING(1 1, 5 4)\n1\tMULTILINESTRING Z ((3 4 7, 8 2.5 7))\n",
		"h.wkt":     "LINESTRING(1 1,5 4)\nPOINT(1 2)\nLINESTRING (3 4,\n 8 2.5)\n",
		"i.wkt":     "GEOMETRYCOLLECTION(LINESTRING(1 1,5 4), MULTILINESTRING((3 4,8 2.5)), POINT(0 0))",
		"j.csv":     "id,x,y\n0,1,1\n0,5,4\n1,3,4\n1,8,2.5\n",
		"k.csv":     "a,b,c,d\n1,1,5,4\n3,4,8,2.5\n",
		"l.json":    `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[1,1],[5,4]]}},{"type":"Feature","properties":null,"geometry":{"type":"MultiLineString","coordinates":[[[3,4,9],[8,2.5,9]]]}},{"type":"Feature","geometry":null},{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}]}`,
		"m.geojson": "{\"type\":\"LineString\",\"coordinates\":[[1,1],[5,4]]}\n{\"type\":\"LineString\",\"coordinates\":[[3,4],[8,2.5]]}\n",
		"n.json":    `{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[1,1],[5,4]]},{"type":"LineString","coordinates":[[3,4],[3,4],[8,2.5]]}]}`,
	} {
		o := Options{}
		if name == "k.csv" {
			o.Columns = []string{"a", "b", "C", "d"}
		}
		got, err := read(t, name, text, o)
		if err != nil || !slices.Equal(got.Traces, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestFormsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"a.csv x1,y1,x2,y2\n0,0,nan,2\n":                   "a.csv:2: the coordinates of a trace must be finite",
		"a.csv x1,y1,x2,y2\n0,0,1,2\n# next\n3,4,3,4\n":    "a.csv:4: the trace has no length: it begins and ends at (3, 4) m",
		"a.csv a,b,c,d\n0,0,1,2\n":                         `a.csv:1: no column is named "x1", nor are there others`,
		"a.csv 0,0,1,2\n0,0,1,3\n":                         "a.csv:1: the first line has no names of columns, such as x1,y1,x2,y2",
		"a.csv id,WKT\n1,LINESTRING (0 0; 1)\n":            `a.csv:2: column "WKT": expected the coordinates of a point`,
		"a.csv id,WKT\n1,POINT (0 0)\n":                    "a.csv: the file has no LINESTRING, MULTILINESTRING or POLYGON; left out: 1 POINT",
		"a.wkt LINESTRING (0 0, 1 x)":                      "a.wkt:1: expected the coordinates of a point",
		"a.wkt LINESTRING (0 0, 1 1":                       "a.wkt:1: brackets of a geometry do not match",
		"a.wkt CIRCLE (0 0, 1 1)":                          "a.wkt:1: expected a geometry such as LINESTRING",
		"a.geojson {\"type\":":                             "a.geojson:1: the file is no GeoJSON: unexpected EOF",
		"a.geojson {\"a\":1}":                              "a.geojson: the file is no GeoJSON: an object has no type",
		"a.geojson {\"type\":\"Topology\"}":                "a.geojson: the file is TopoJSON",
		`a.json {"type":"LineString","coordinates":[1,2]}`: "a.json: the coordinates of a LineString are not nested as they should be",
		`a.json {"type":"Point","coordinates":[1,2]}`:      "a.json: the file has no LineString, MultiLineString or Polygon; left out: 1 Point",
		"a.csv PK\x03\x04":                                 "a.csv: the file is a zip archive",
		"a.shp \x00\x00\x27\x0a":                           "a.shp: the file is an ESRI shapefile (.shp): export its layer as GeoJSON or CSV",
		"a.dxf AC1032":                                     "a.dxf: the file is an AutoCAD drawing (.dwg): save it as DXF in ASCII",
		"a.dxf AutoCAD Binary DXF\r\n\x1a":                 "a.dxf: the file is a binary DXF",
	} {
		name, text, _ := strings.Cut(text, " ")
		if _, err := read(t, name, text, Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// dxf returns a drawing of words: groups of code and value.
func dxf(text string) string { return strings.Join(strings.Fields(text), "\n") + "\n" }

const blockB = "0 SECTION 2 BLOCKS 0 BLOCK 8 0 2 B 70 0 10 0 20 0 0 LINE 8 0 10 0 20 0 11 0 21 5 0 LINE 8 inner 10 1 20 0 11 1 21 5 0 ENDBLK 0 ENDSEC "

// Blocks stand where they are inserted; what is hidden is left out; layers can be chosen.
func TestBlocksAndLayers(t *testing.T) {
	line := "0 LINE 8 joints 10 1 20 1 11 4 21 1 "
	hidden := "0 SECTION 2 TABLES 0 TABLE 2 LAYER 70 2 0 LAYER 2 hidden 70 0 62 -7 6 CONTINUOUS 0 LAYER 2 ice 70 1 62 7 0 LAYER 2 empty 70 0 62 7 0 ENDTAB 0 ENDSEC "
	for _, c := range []struct {
		text, layers, want, note string
	}{
		{blockB + "0 SECTION 2 ENTITIES " + line, "", "1 1 4 1", ""},
		{blockB + "0 SECTION 2 ENTITIES 0 INSERT 8 0 2 B 10 8 20 2", "", "8 2 8 7, 9 2 9 7", ""},
		{blockB + "0 SECTION 2 ENTITIES 0 INSERT 8 0 2 b 10 2 20 2 41 0.5 42 0.5 50 0 0 INSERT 8 0 2 B 10 8 20 2 50 90", "", "2 2 2 4.5, 2.5 2 2.5 4.5, 8 2 3 2, 8 3 3 3", ""},
		{blockB + "0 SECTION 2 ENTITIES 0 INSERT 8 0 2 B 10 2 20 2 41 -1 70 2 44 10", "inner", "1 2 1 7, 11 2 11 7", "left out: 2 on layers"},
		{blockB + "0 SECTION 2 ENTITIES 0 INSERT 8 0 2 B 10 2 20 2 230 -1", "", "-2 2 -2 7, -3 2 -3 7", ""},
		{strings.Replace(blockB, "10 0 20 0 0 LINE", "10 5 20 5 0 LINE", 1) + "0 SECTION 2 ENTITIES 0 INSERT 8 0 2 B 10 5 20 5", "", "0 0 0 5, 1 0 1 5", ""},
		{hidden + blockB + "0 SECTION 2 ENTITIES " + line + "0 LINE 8 hidden 10 1 20 5 11 9 21 5 0 LINE 8 0 67 1 10 1 20 5 11 9 21 5 0 LINE 8 0 60 1 10 1 20 5 11 9 21 5 0 LINE 8 ICE 10 1 20 5 11 9 21 5", "", "1 1 4 1", "left out: 4 on layers that are off"},
		{hidden + blockB + "0 SECTION 2 ENTITIES 0 INSERT 8 hidden 2 B 0 INSERT 8 ice 2 B", "", "1 0 1 5", "left out: 2 on layers"},
		{hidden + "0 SECTION 2 ENTITIES " + line + "0 LINE 8 hidden 10 1 20 5 11 9 21 5 0 TEXT 8 joints 1 wall 0 CIRCLE 8 joints 40 2 0 HATCH 8 0", "Hidden", "1 5 9 5", "left out: 1 on layers"},
		{hidden + "0 SECTION 2 ENTITIES " + line + "0 TEXT 8 joints 1 wall 0 CIRCLE 8 joints 40 2 0 CIRCLE 8 0 40 2", "", "1 1 4 1", "left out: 1 TEXT, 2 CIRCLE"},
	} {
		var o Options
		if c.layers != "" {
			o.Layers = []string{c.layers}
		}
		got, err := read(t, "a.dxf", dxf(c.text+" 0 ENDSEC 0 EOF"), o)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var at []string
		for _, k := range got.Traces {
			at = append(at, fmt.Sprintf("%g %g %g %g", k[0].X+0, k[0].Y+0, k[1].X+0, k[1].Y+0))
		}
		if has := strings.Join(at, ", "); has != c.want {
			t.Errorf("%s: %s, want %s", c.text, has, c.want)
		}
		if has := strings.Join(got.Notes, "; "); c.note == "" && has != "" || !strings.HasPrefix(has, c.note) {
			t.Errorf("%s: %q, want %q", c.text, has, c.note)
		}
	}
	for text, want := range map[string]string{
		"0 SECTION 2 BLOCKS 0 BLOCK 2 A 0 INSERT 2 A 0 ENDBLK 0 ENDSEC 0 SECTION 2 ENTITIES 0 INSERT 2 A": `block "A" includes itself`,
		hidden + "0 SECTION 2 ENTITIES 0 LINE 8 hidden 10 1 20 5 11 9 21 5":                               "has no LINE, LWPOLYLINE, POLYLINE, ARC or SPLINE on a visible layer of model space",
		"0 SECTION 2 ENTITIES 0 CIRCLE 8 0 40 1":                                                          "ARC or SPLINE in model space; left out: 1 CIRCLE",
	} {
		if _, err := read(t, "a.dxf", dxf(text+" 0 ENDSEC 0 EOF"), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := read(t, "a.dxf", dxf("0 SECTION 2 ENTITIES "+line+"0 ENDSEC 0 EOF"), Options{Layers: []string{"faults"}}); err == nil || !strings.Contains(err.Error(), `there is no layer "faults": the layers are ["joints"]`) {
		t.Error(err)
	}
}

// Arcs, ellipses, splines and bulges become chords that lie at most Chord beside the curve.
func TestCurves(t *testing.T) {
	for text, c := range map[string]struct {
		length float64 // of the curve
		ends   string
	}{
		"0 ARC 8 0 10 5 20 5 40 3 50 0 51 90":                                                                                           {1.5 * math.Pi, "8 5 5 8"},
		"0 ARC 8 0 10 5 20 5 40 3 50 270 51 90":                                                                                         {3 * math.Pi, "5 2 5 8"},
		"0 ARC 8 0 10 5 20 5 40 3 50 0 51 90 230 -1":                                                                                    {1.5 * math.Pi, "-8 5 -5 8"},
		"0 ELLIPSE 8 0 10 5 20 5 11 3 21 0 40 1 41 0 42 3.141592653589793":                                                              {3 * math.Pi, "8 5 2 5"},
		"0 LWPOLYLINE 8 0 90 2 70 0 10 0 20 0 42 1 10 2 20 0":                                                                           {math.Pi, "0 0 2 0"},
		"0 POLYLINE 8 0 70 0 0 VERTEX 10 0 20 0 42 -0.4142135623730951 0 VERTEX 10 2 20 2 0 SEQEND":                                     {math.Pi, "0 0 2 2"},
		"0 SPLINE 8 0 70 8 71 2 72 6 73 3 40 0 40 0 40 0 40 1 40 1 40 1 10 0 20 0 10 1 20 2 10 2 20 0":                                  {2.957885715089195, "0 0 2 0"},
		"0 SPLINE 8 0 70 12 71 2 72 6 73 3 40 0 40 0 40 0 40 1 40 1 40 1 41 1 41 0.7071067811865476 41 1 10 1 20 0 10 1 20 1 10 0 20 1": {0.5 * math.Pi, "1 0 0 1"},
		"0 SPLINE 8 0 70 8 71 3 74 3 11 0 21 0 11 3 21 4 11 6 21 8":                                                                     {10, "0 0 6 8"},
	} {
		const chord = 0.01
		got, err := read(t, "a.dxf", dxf("0 SECTION 2 ENTITIES "+text+" 0 ENDSEC 0 EOF"), Options{Chord: chord})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		sum, n := 0.0, len(got.Traces)
		for _, k := range got.Traces {
			sum += r2.Norm(r2.Sub(k[1], k[0]))
		}
		ends := fmt.Sprintf("%.4g %.4g %.4g %.4g", got.Traces[0][0].X, got.Traces[0][0].Y, got.Traces[n-1][1].X, got.Traces[n-1][1].Y)
		if ends = strings.ReplaceAll(ends, "e-16", "e-17"); sum > c.length*(1+1e-9) || sum < 0.98*c.length || n > 40 || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "chords") {
			t.Errorf("%s: %d chords of length %g, want %g; %q", text, n, sum, c.length, got.Notes)
		}
		if a := strings.Fields(ends); !strings.Contains(ends, "e-") && strings.Join(a, " ") != c.ends {
			t.Errorf("%s: from and to %s, want %s", text, ends, c.ends)
		}
	}
}

func TestDXF(t *testing.T) {
	text := strings.Join(strings.Fields(`0 SECTION 2 ENTITIES 0 LINE 8 joints 10 1 20 2 30 0 11 3 21 4 31 0
		0 LWPOLYLINE 90 3 70 1 10 0 20 0 10 2 20 0 10 2 20 2
		0 POLYLINE 70 0 10 0 20 0 0 VERTEX 10 5 20 5 0 VERTEX 10 6 20 5 0 VERTEX 10 6 20 7 0 SEQEND
		0 CIRCLE 10 9 20 9 40 1 0 ENDSEC 0 EOF`), "\n")
	set, err := read(t, "a.dxf", text, Options{Scale: 0.5})
	want := [][2]r2.Vec{
		{{X: 0.5, Y: 1}, {X: 1.5, Y: 2}},
		{{}, {X: 1}}, {{X: 1}, {X: 1, Y: 1}}, {{X: 1, Y: 1}, {}},
		{{X: 2.5, Y: 2.5}, {X: 3, Y: 2.5}}, {{X: 3, Y: 2.5}, {X: 3, Y: 3.5}},
	}
	if err != nil || len(set.Traces) != len(want) {
		t.Fatalf("%v, %v", set, err)
	}
	got := set.Traces
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("trace %d is %v, want %v", i, got[i], want[i])
		}
	}
	for text, want := range map[string]string{"x": "a.dxf:1: expected a group code", "0\nLINE\n10\nx": "a.dxf:4: expected a number", "0\nEOF": "no LINE", "0\nLINE\n10\n0": "a LINE ends without its group 20", "0": "value of the last group",
		"0\nLINE\n10\n1\n20\n2\n11\n1\n21\n2\n0\nEOF": "a.dxf:10: the LINE above begins and ends at (1, 2)",
		"0\nLINE\n10\n1\n20\n2\n11\n1\n21\n3":         "a.dxf:10: the file ends without EOF",
	} {
		if _, err := read(t, "a.dxf", text, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
