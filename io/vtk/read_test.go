package vtk

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// difference is cmp.Diff, asked only where there is one: it takes its time over
// long arrays.
func difference[T any](want, got T) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// readGrid decodes all of a .vtu file.
func readGrid(path string) (Grid, error) {
	f, err := Open(path)
	if err != nil {
		return Grid{}, err
	}
	return everything(f)
}

// everything decodes all there is; a file begins with its time. The cells of a
// .vtp file are no elements.
func everything(f *File) (g Grid, err error) {
	first := f
	if f.parts != nil {
		first = f.parts[0]
	}
	time, err := first.decode(declared{Name: "TimeValue", Type: "Float64", Components: 1, Format: "appended"}, 1)
	if err != nil {
		return g, err
	}
	g.Time = time.Float64[0]
	if g.Points, err = f.Positions(); err != nil {
		return g, err
	}
	if len(f.content.CellArrays) > 0 {
		if g.Triangles, g.Lines, err = f.Elements(); err != nil {
			return g, err
		}
	}
	for _, a := range f.PointArrays() {
		values, err := f.PointData(a.Name)
		if err != nil {
			return g, err
		}
		g.PointData = append(g.PointData, values)
	}
	for _, a := range f.CellArrays() {
		values, err := f.CellData(a.Name)
		if err != nil {
			return g, err
		}
		g.CellData = append(g.CellData, values)
	}
	return g, nil
}

func TestReadGivesBackWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	for _, w := range []*Writer{{}, {Uncompressed: true}} {
		for _, n := range []int{4, 1 << 15, 30000} { // 1<<15 points fill whole blocks
			want := square(n)
			if n > 4 { // with lines after the triangles
				want.Lines = [][2]int32{{3, 0}, {1, 3}}
				want.CellData[0].Float64, want.CellData[1].Int32 = make([]float64, 24), []int32{0, 7, 1, 2}
			}
			path := filepath.Join(dir, "grid.vtu")
			if err := w.WriteGrid(path, want); err != nil {
				t.Fatal(err)
			}
			got, err := readGrid(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := difference(want, got); diff != "" {
				t.Errorf("%d points, uncompressed %v: %.2000s", n, w.Uncompressed, diff)
			}
		}
		for _, want := range []Points{
			{Points: square(4).Points, PointData: square(4).PointData, Time: 2},
			{PointData: []Array{{Name: "pressure", Components: 1, Float64: []float64{}}}},
		} {
			path := filepath.Join(dir, "cloud.vtp")
			if err := w.WritePoints(path, want); err != nil {
				t.Fatal(err)
			}
			got, err := readGrid(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := difference(want, Points{Points: got.Points, PointData: got.PointData, Time: got.Time}); diff != "" {
				t.Errorf("points, uncompressed %v: %.2000s", w.Uncompressed, diff)
			}
		}
	}
}

func TestReadSeries(t *testing.T) {
	s := Series{Path: filepath.Join(t.TempDir(), "all.pvd")}
	if err := s.Add(0, "fields/000000.vtu"); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(1.0/3, "a & \"b\".vtu"); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadSeries(s.Path); err != nil || len(got) < 1 {
		t.Fatalf("%d frames are listed at once, %v", len(got), err)
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	got, err := ReadSeries(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Frame{{0, "fields/000000.vtu"}, {1.0 / 3, "a & \"b\".vtu"}}, got); diff != "" {
		t.Error(diff)
	}
}

// written is a small grid's file.
func written(t testing.TB, w Writer) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.vtu")
	if err := w.WriteGrid(path, square(40)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestDamageIsReported(t *testing.T) {
	good := written(t, Writer{})
	change := func(old, new string) []byte {
		if !bytes.Contains(good, []byte(old)) {
			t.Fatalf("the file has no %q", old)
		}
		return bytes.Replace(good, []byte(old), []byte(new), 1)
	}
	flip := bytes.Clone(good)
	flip[len(flip)-120] ^= 0x40 // in the last array
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "no appended raw data"},
		{"cut in the head", good[:300], "no appended raw data"},
		{"cut in the data", good[:len(good)-100], "incomplete"},
		{"a flipped bit", flip, `array "`},
		{"too many points", change(`NumberOfPoints="40"`, `NumberOfPoints="41"`), `array "Points": 1 blocks`},
		{"far too many points", change(`NumberOfPoints="40"`, `NumberOfPoints="4000000000"`), "cannot be in a file"},
		{"fewer than none", change(`NumberOfCells="2"`, `NumberOfCells="-2"`), "cannot be in a file"},
		{"an array again and again", change(`<CellData>`, `<CellData>`+strings.Repeat(`<DataArray type="Float64" Name="x" NumberOfComponents="1000" format="appended" offset="0"/>`, 10000)), "cannot be in a file"},
		{"an offset outside", change(`NumberOfComponents="3" format="appended" offset="`, `NumberOfComponents="3" format="appended" offset="99999999`), "lies outside"},
		{"an unknown type", change(`type="Float64" Name="Points"`, `type="Float16" Name="Points"`), `type "Float16"`},
		{"text data", change(`NumberOfComponents="3" format="appended"`, `NumberOfComponents="3" format="ascii"`), `format "ascii"`},
		{"another compressor", change("vtkZLibDataCompressor", "vtkLZ4DataCompressor"), "vtkLZ4DataCompressor"},
		{"big endian", change("LittleEndian", "BigEndian"), "BigEndian"},
		{"broken XML", change("<Piece ", "<Piece <"), "XML syntax error"},
	} {
		f, err := parse("small.vtu", c.data)
		if err == nil {
			_, err = everything(f)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "small.vtu: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// No bytes make the reader panic or ask for much memory.
// FuzzRead reads a file with parts of it replaced, each by an offset, how many
// bytes go, and what comes: what the fuzzer makes is short, so that it spends
// its time on trying and not on shortening.
func FuzzRead(f *testing.F) {
	files := [2][]byte{written(f, Writer{}), written(f, Writer{Uncompressed: true})}
	f.Add(false, []byte{})
	f.Add(true, []byte{})
	points := uint16(bytes.Index(files[1], []byte(`NumberOfPoints="`)) + len(`NumberOfPoints="`))
	f.Add(true, append(binary.BigEndian.AppendUint16(nil, points), 2, 10, '9', '9', '9', '9', '9', '9', '9', '9', '9', '9'))
	f.Fuzz(func(t *testing.T, plain bool, edits []byte) {
		data := files[0]
		if plain {
			data = files[1]
		}
		data = edit(data, edits)
		if file, err := parse("fuzz.vtu", data); err == nil {
			_, _ = everything(file)
		} else if !strings.HasPrefix(err.Error(), "fuzz.vtu: ") {
			t.Errorf("the error does not name the file: %v", err)
		}
	})
}

// edit replaces parts of data: offset (two bytes), how many go, how many come
// and these, again and again.
func edit(data, edits []byte) []byte {
	data = bytes.Clone(data)
	for len(edits) >= 4 {
		at := int(binary.BigEndian.Uint16(edits)) % (len(data) + 1)
		end := min(at+int(edits[2]), len(data))
		comes := min(int(edits[3]), len(edits)-4)
		data = slices.Concat(data[:at], edits[4:4+comes], data[end:])
		edits = edits[4+comes:]
	}
	return data
}

func FuzzReadSeries(f *testing.F) {
	f.Add([]byte("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n<DataSet timestep=\"0.1\" file=\"fields/000000.vtu\"/>\n</Collection>\n</VTKFile>\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if frames, err := parseSeries("fuzz.pvd", data); err != nil && !strings.HasPrefix(err.Error(), "fuzz.pvd: ") || err != nil && frames != nil {
			t.Errorf("%d frames and the error %v", len(frames), err)
		}
	})
}

func BenchmarkReadVonMises(b *testing.B) {
	g := square(100000)
	g.Triangles = make([][3]int32, 200000)
	mises := make([]float64, len(g.Triangles))
	for i := range mises {
		mises[i] = 1 / float64(1+i)
	}
	g.CellData = []Array{{Name: "von_mises", Components: 1, Float64: mises}}
	path := filepath.Join(b.TempDir(), "grid.vtu")
	var w Writer
	if err := w.WriteGrid(path, g); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.CellData("von_mises"); err != nil {
			b.Fatal(err)
		}
	}
}
