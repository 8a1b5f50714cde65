package traces

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

func TestTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("set,x1,y1,x2,y2\na,0,0,1,2\nb,3,4,5,6.5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path, 1, func(s string) (float64, error) { return strconv.ParseFloat(strings.TrimSpace(s), 64) })
	if err != nil || len(got) != 2 || got[1] != [2]r2.Vec{{X: 3, Y: 4}, {X: 5, Y: 6.5}} {
		t.Errorf("%v, %v", got, err)
	}
	if err := os.WriteFile(path, []byte("x1,y1,x2,y2\n0,0,1,2\n# next\n3,4,3,4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path, 1, func(s string) (float64, error) { return strconv.ParseFloat(strings.TrimSpace(s), 64) }); err == nil || !strings.Contains(err.Error(), "t.csv:4: the trace has no length: it begins and ends at (3, 4) m") {
		t.Error(err)
	}
}

func TestDXF(t *testing.T) {
	text := strings.Join(strings.Fields(`0 SECTION 2 ENTITIES 0 LINE 8 joints 10 1 20 2 30 0 11 3 21 4 31 0
		0 LWPOLYLINE 90 3 70 1 10 0 20 0 10 2 20 0 10 2 20 2
		0 POLYLINE 70 0 10 0 20 0 0 VERTEX 10 5 20 5 0 VERTEX 10 6 20 5 0 VERTEX 10 6 20 7 0 SEQEND
		0 CIRCLE 10 9 20 9 40 1 0 ENDSEC 0 EOF`), "\n")
	got, err := parseDXF("a.dxf", strings.NewReader(text), 0.5)
	want := [][2]r2.Vec{
		{{X: 0.5, Y: 1}, {X: 1.5, Y: 2}},
		{{}, {X: 1}}, {{X: 1}, {X: 1, Y: 1}}, {{X: 1, Y: 1}, {}},
		{{X: 2.5, Y: 2.5}, {X: 3, Y: 2.5}}, {{X: 3, Y: 2.5}, {X: 3, Y: 3.5}},
	}
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %v", got, err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("trace %d is %v, want %v", i, got[i], want[i])
		}
	}
	for text, want := range map[string]string{"x": "a.dxf:1: expected a group code", "0\nLINE\n10\nx": "a.dxf:4: expected a number", "0\nEOF": "no LINE", "0\nLINE\n10\n0": "a LINE ends without its group 20", "0": "value of the last group",
		"0\nLINE\n10\n1\n20\n2\n11\n1\n21\n2\n0\nEOF": "a.dxf:12: the LINE above begins and ends at (1, 2)",
		"0\nLINE\n10\n1\n20\n2\n11\n1\n21\n3":         "a.dxf:10: the file ends without EOF",
		"0\nLWPOLYLINE\n10\n1\n20\n2\n42\n0.5":        "a.dxf:8: a part of a polyline is an arc"} {
		if _, err := parseDXF("a.dxf", strings.NewReader(text), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
