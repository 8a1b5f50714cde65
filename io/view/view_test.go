package view

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/png"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fdem/io/vtk"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r2"
)

// run fills a results folder as a run of two unit squares would: n by n
// squares of two triangles each, and contact nodes along the right side.
type run struct {
	cells   []vtk.Array // further data of the cells of frames
	dir     string
	n       int
	frames  int
	w       vtk.Writer
	fields  vtk.Series
	contact vtk.Series
}

func newRun(t testing.TB, n int) *run {
	t.Helper()
	dir := t.TempDir()
	for _, sub := range []string{"fields", "contact"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(dir, "log.txt"), "")
	put(t, filepath.Join(dir, "deck.toml"), "title = \"squares\"\n[[body]]\nname = \"a\" # first\n")
	return &run{
		dir: dir, n: n,
		fields: vtk.Series{Path: filepath.Join(dir, "fields.pvd")}, contact: vtk.Series{Path: filepath.Join(dir, "contact.pvd")},
	}
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// mises is the stress of triangle k in a frame.
func mises(k, frame int) float64 { return 1e6 * (float64(k) + 0.1) * float64(frame+1) / 3 }

func pressure(k, frame int) float64 { return 1e6 * float64(max(0, k*frame-2)) }

// frame adds a frame and a row of the history.
func (r *run) frame(t testing.TB) {
	t.Helper()
	i, n := r.frames, r.n
	r.frames++
	g := vtk.Grid{Time: 1e-6 * float64(i)}
	var u, v []float64
	for y := range n + 1 {
		for x := range n + 1 {
			g.Points = append(g.Points, r2.Vec{X: 10 + float64(x), Y: float64(y)})
			u = append(u, 0.01*float64(i*x), -0.02*float64(i*y), 0)
			v = append(v, float64(x), float64(i), 0)
		}
	}
	var stress, ids []float64
	var body []int32
	var element []int64
	for y := range n {
		for x := range n {
			a := int32(y*(n+1) + x)
			b, c, d := a+1, a+int32(n)+1, a+int32(n)+2
			for _, tri := range [][3]int32{{a, b, d}, {a, d, c}} {
				k := len(g.Triangles)
				g.Triangles = append(g.Triangles, tri)
				stress, body, element = append(stress, mises(k, i)), append(body, int32(2*x/n)), append(element, int64(100+k))
				ids = append(ids, 1, 2, 3, 4, 0, 0)
			}
		}
	}
	g.Lines = [][2]int32{{0, int32(n)}} // a rigid floor
	stress, body, element, ids = append(stress, 0), append(body, 2), append(element, 0), append(ids, 0, 0, 0, 0, 0, 0)
	g.PointData = []vtk.Array{{Name: "displacement", Components: 3, Float64: u}, {Name: "velocity", Components: 3, Float64: v}}
	g.CellData = []vtk.Array{
		{Name: "stress", Components: 6, Float64: ids}, {Name: "von_mises", Components: 1, Float64: stress},
		{Name: "body_id", Components: 1, Int32: body}, {Name: "element_id", Components: 1, Int64: element},
	}
	g.CellData = append(g.CellData, r.cells...)
	p := vtk.Points{Time: g.Time}
	var q, moved []float64
	for k := range 10 {
		p.Points = append(p.Points, r2.Vec{X: 10 + float64(n), Y: 0.1 * float64(k)})
		q, moved = append(q, pressure(k, i)), append(moved, 0.01*float64(i*n), 0, 0)
	}
	p.PointData = []vtk.Array{
		{Name: "pressure", Components: 1, Float64: q}, {Name: "deflection", Components: 1, Float64: q}, {Name: "displacement", Components: 3, Float64: moved},
		{Name: "surface_id", Components: 1, Int32: make([]int32, 10)},
	}
	field, contact := fmt.Sprintf("fields/%06d.vtu", i), fmt.Sprintf("contact/%06d.vtp", i)
	h, err := os.OpenFile(filepath.Join(r.dir, "history.csv"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if i == 0 {
		fmt.Fprintln(h, "time,kinetic,strain,a.vx,a.vy,a.omega,b.vx,b.vy,b.omega,a-b.normal,a-b.tangential")
	}
	fmt.Fprintf(h, "%g,%d,0,1,2,3,4,5,6,%d,8\n", g.Time, i, 7*i)
	for _, err := range []error{
		h.Close(), r.w.WriteGrid(filepath.Join(r.dir, field), g), add(&r.fields, g.Time, field),
		r.w.WritePoints(filepath.Join(r.dir, contact), p), add(&r.contact, g.Time, contact),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// add adds a frame to a series, which lists it at once.
func add(s *vtk.Series, time float64, file string) error {
	return errors.Join(s.Add(time, file), s.Flush())
}

func (r *run) open(t testing.TB) *Folder {
	t.Helper()
	f, err := Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func finished(t testing.TB, n, frames int) *run {
	r := newRun(t, n)
	for range frames {
		r.frame(t)
	}
	put(t, filepath.Join(r.dir, "summary.json"), `{"title": "squares </script>", "status": "done", "steps": 7}`)
	return r
}

func blob32(t *testing.T, f *Folder, name string) []float32 {
	t.Helper()
	b, err := f.Blob(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out := make([]float32, len(b.Data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b.Data[4*i:]))
	}
	return out
}

func scan(t *testing.T, f *Folder) {
	t.Helper()
	for {
		more, err := f.Scan()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return
		}
	}
}

func TestFolderIsReadWhole(t *testing.T) {
	f := finished(t, 2, 3).open(t)
	scan(t, f)
	m := f.Meta()
	if m.Title != "squares </script>" || m.Status != "done" || m.Live || m.Nodes != 9 || m.Triangles != 8 || m.Contact != 3 {
		t.Errorf("meta is %+v", m)
	}
	if diff := cmp.Diff([]Body{{"a", 4}, {"b", 4}, {"body 3", 0}}, m.Bodies); diff != "" {
		t.Error(diff)
	}
	if m.Centre != [2]float64{11, 1} || m.Size != [2]float64{2, 2} || !slices.Equal(m.Times, []float64{0, 1e-6, 2e-6}) {
		t.Errorf("centre %v, size %v, times %v", m.Centre, m.Size, m.Times)
	}
	if len(m.Surfaces) != 1 || m.Surfaces[0].Name != "a-b" || m.Surfaces[0].Loaded == nil {
		t.Fatalf("surfaces %+v", m.Surfaces)
	}
	if got := *m.Surfaces[0].Loaded; math.Abs(got[0]-0.2) > 1e-9 || math.Abs(got[1]-0.9) > 1e-9 {
		t.Errorf("loaded from %v, want 0.2 to 0.9", got)
	}
	var fields []string
	for _, v := range m.Fields {
		fields = append(fields, v.Key()+strings.Join(v.Components, ""))
	}
	if got := strings.Join(fields, " "); got != "von_mises velocityxy displacementxy contact/pressure contact/deflection stressxxyyzzxy strainxxyyxy" {
		t.Errorf("fields are %s", got)
	}
	if r := m.Ranges["von_mises"]; r.Peak != float64(float32(mises(7, 2))) {
		t.Errorf("range of von_mises %+v", r)
	}
	if diff := cmp.Diff([]DeckRow{{"", true, "title", `"squares"`}, {"body", true, "name", `"a"`}}, m.Deck); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string][]float32{
		"points":                 {-1, -1, 0, -1, 1, -1, -1, 0, 0, 0, 1, 0, -1, 1, 0, 1, 1, 1},
		"frames/2/displacement":  {0, 0, 0.02, 0, 0.04, 0, 0, -0.04, 0.02, -0.04, 0.04, -0.04, 0, -0.08, 0.02, -0.08, 0.04, -0.08},
		"contact/1/pressure":     {0, 0, 0, 1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 7e6},
		"contact/1/displacement": {0, 0, 0, 0, 0, 0, 0.02, 0, 0.02, 0, 0.02, 0, 0.02, 0, 0.02, 0, 0.02, 0, 0.02, 0},
	} {
		if diff := cmp.Diff(want, blob32(t, f, name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for i, v := range blob32(t, f, "frames/1/von_mises") {
		if v != float32(mises(i, 1)) {
			t.Errorf("von Mises of triangle %d: %g", i, v)
		}
	}
	if got := blob32(t, f, "frames/0/stress"); !slices.Equal(got[:4], []float32{1, 2, 3, 4}) {
		t.Errorf("stress %v", got[:4])
	}
	if b, err := f.Blob("outline"); err != nil || len(b.Data) != 9*3*4 {
		t.Errorf("outline: %d bytes, %v", len(b.Data), err)
	}
	for _, name := range []string{"", "nothing", "frames/3/von_mises", "frames/-1/von_mises", "frames/0/nothing", "surface/1/order", "frames/../x", "contact/0/von_mises"} {
		if _, err := f.Blob(name); !errors.Is(err, errNone) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestNoResultsFolder(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not a results folder") {
		t.Errorf("got %v", err)
	}
	r := finished(t, 2, 1)
	path := filepath.Join(r.dir, "fields", "000000.vtu")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, string(data[:len(data)/2]))
	if _, err := Open(r.dir); err == nil || !strings.Contains(err.Error(), "000000.vtu: ") {
		t.Errorf("a damaged frame: %v", err)
	}
	put(t, r.fields.Path, `<VTKFile type="Collection"><Collection><DataSet timestep="0" file="../../etc/passwd"/></Collection></VTKFile>`)
	if _, err := Open(r.dir); err == nil || !strings.Contains(err.Error(), "outside the folder") {
		t.Errorf("a frame elsewhere: %v", err)
	}
}

// A running simulation is followed, and one that starts anew noticed.
func TestFolderFollows(t *testing.T) {
	r := newRun(t, 2)
	f := r.open(t)
	if m := f.Meta(); !m.Live || m.Status != "running" || len(m.Times) != 0 {
		t.Errorf("before the first frame: %+v", m)
	}
	refresh := func() Meta {
		t.Helper()
		if err := f.Refresh(); err != nil {
			t.Fatal(err)
		}
		scan(t, f)
		return f.Meta()
	}
	r.frame(t)
	first := refresh()
	r.frame(t)
	h, err := os.OpenFile(filepath.Join(r.dir, "history.csv"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(h, "2e-06,1,0,1") // a row half on disk
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	second := refresh()
	if len(first.Times) != 1 || len(second.Times) != 2 || second.Rows != 2 || first.Generation != second.Generation {
		t.Errorf("frames %d then %d, rows %d, generations %s and %s", len(first.Times), len(second.Times), second.Rows, first.Generation, second.Generation)
	}
	if second.Ranges["von_mises"].Peak <= first.Ranges["von_mises"].Peak {
		t.Error("the range did not grow")
	}
	put(t, filepath.Join(r.dir, "summary.json"), `{"title": "x", "status": "done"}`)
	put(t, filepath.Join(r.dir, "history.csv"), "time\n0\n")
	if m := refresh(); m.Live || m.Status != "done" {
		t.Errorf("after the end: %+v", m)
	}
	os.Remove(filepath.Join(r.dir, "summary.json"))
	os.Remove(filepath.Join(r.dir, "history.csv"))
	r.frames, r.n = 0, 3
	r.fields, r.contact = vtk.Series{Path: r.fields.Path}, vtk.Series{Path: r.contact.Path}
	time.Sleep(10 * time.Millisecond)
	r.frame(t)
	if m := refresh(); m.Generation == first.Generation || m.Triangles != 18 {
		t.Errorf("run anew: generation %s after %s, %d triangles", m.Generation, first.Generation, m.Triangles)
	}
}

func TestHandler(t *testing.T) {
	f := finished(t, 2, 2).open(t)
	h := Handler(f, nil)
	get := func(path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:1234"+path, nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	if w := get("/"); w.Code != 200 || !strings.Contains(w.Body.String(), "<title>squares &lt;/script&gt;</title>") || strings.Contains(w.Body.String(), "data-blob=\"") {
		t.Errorf("the page: %d", w.Code)
	}
	w := get("/meta.json")
	var m Meta
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil || m.Nodes != 9 {
		t.Errorf("meta.json: %v, %+v", err, m)
	}
	if again := get("/meta.json", "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("meta.json unchanged: %d", again.Code)
	}
	if w := get("/data/frames/1/von_mises"); w.Code != 200 || w.Body.Len() != 8*4 {
		t.Errorf("a blob: %d, %d bytes", w.Code, w.Body.Len())
	}
	for path, want := range map[string]int{"/data/frames/9/von_mises": 404, "/data/none": 404, "/other": 404} {
		if w := get(path); w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
	for host, want := range map[string]int{"evil.example": 403, "127.0.0.1.evil.example:80": 403, "192.168.0.1": 403, "localhost:99": 200, "[::1]:99": 200, "127.0.0.1": 200} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("host %s: %d, want %d", host, w.Code, want)
		}
	}
}

var embeddedBlob = regexp.MustCompile(`<script type="text/plain" data-blob="([^"]*)" data-size="(\d)">([^<]*)</script>`)

// unpack reads a report's blobs back as the page does.
func unpack(t *testing.T, page []byte) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, m := range embeddedBlob.FindAllSubmatch(page, -1) {
		packed, err := base64.StdEncoding.DecodeString(string(m[3]))
		if err != nil {
			t.Fatal(err)
		}
		z, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		planes, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		size, _ := strconv.Atoi(string(m[2]))
		data := make([]byte, len(planes))
		for k := range size {
			for i := range len(planes) / size {
				data[i*size+k] = planes[k*len(planes)/size+i]
			}
		}
		out[string(m[1])] = data
	}
	return out
}

func TestReportHoldsEverything(t *testing.T) {
	f := finished(t, 3, 4).open(t)
	var page bytes.Buffer
	notes, err := WriteReport(&page, &Several{Folder: f}, 16e6)
	if err != nil || len(notes) != 0 {
		t.Fatal(notes, err)
	}
	blobs := unpack(t, page.Bytes())
	for _, name := range []string{"points", "triangles", "body", "outline", "node_id", "element_id", "contact", "surface/0/order", "surface/0/along", "history", "frames/3/von_mises", "frames/0/stress", "contact/3/pressure", "contact/3/displacement"} {
		want, err := f.Blob(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := blobs[name]; !ok || !bytes.Equal(got, want.Data) {
			t.Errorf("%s differs", name)
		}
	}
	_, after, _ := strings.Cut(page.String(), `<script type="application/json" id="meta">`)
	text, _, _ := strings.Cut(after, "</script>")
	var m Meta
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	if m.Title != "squares </script>" || m.Live || m.Ranges["von_mises"].Peak == 0 || len(m.Times) != 4 {
		t.Errorf("the report's meta: %+v", m)
	}
	if outside := regexp.MustCompile(`(src|href)="(https?:)?//`).FindString(page.String()); outside != "" {
		t.Errorf("the report points outside: %s", outside)
	}
}

func TestReportIsThinned(t *testing.T) {
	f := finished(t, 60, 30).open(t)
	var whole, page bytes.Buffer
	if _, err := WriteReport(&whole, &Several{Folder: f}, 100e6); err != nil {
		t.Fatal(err)
	}
	limit := whole.Len() / 3
	notes, err := WriteReport(&page, &Several{Folder: f}, limit)
	if err != nil {
		t.Fatal(err)
	}
	if page.Len() > limit*11/10 || page.Len() > whole.Len()/2 {
		t.Errorf("%d bytes of %d, want about %d", page.Len(), whole.Len(), limit)
	}
	if got := strings.Join(notes, " "); !strings.Contains(got, "stress") || !strings.Contains(got, "Of 30 frames") || !strings.Contains(page.String(), "Of 30 frames") {
		t.Errorf("notes are %q", got)
	}
	want := blob32(t, f, "frames/29/von_mises")
	blobs := unpack(t, page.Bytes())
	last := -1
	for name := range blobs {
		if i, ok := strings.CutSuffix(name, "/von_mises"); ok {
			k, _ := strconv.Atoi(strings.TrimPrefix(i, "frames/"))
			last = max(last, k)
		}
	}
	data := blobs[fmt.Sprintf("frames/%d/von_mises", last)]
	for i, w := range want {
		got := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if math.Abs(float64(got-w)) > math.Abs(float64(w))/4000 {
			t.Fatalf("triangle %d: %g, want %g to one part in 4000", i, got, w)
		}
	}
}

func TestDraw(t *testing.T) {
	f := finished(t, 8, 3).open(t)
	dir := t.TempDir()
	paths, err := Draw(f, dir, Pictures{At: math.NaN(), Magnify: 1})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range paths {
		names = append(names, filepath.Base(p))
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(p) == ".svg" {
			if err := xml.Unmarshal(data, new(struct{})); err != nil {
				t.Errorf("%s: %v", p, err)
			}
			continue
		}
		img, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if filepath.Base(p) == "mesh.png" { // the weakest and the strongest cell
			for _, want := range []color.RGBA{colourAt(sequential, 0), colourAt(sequential, 1)} {
				if !has(img, want) {
					t.Errorf("the mesh shows no %v", want)
				}
			}
		}
	}
	if got := strings.Join(names, " "); got != "energy.png energy.svg velocity.png velocity.svg force.png force.svg deflection.png deflection.svg pressure.png pressure.svg mesh.png mesh.svg" {
		t.Errorf("pictures are %s", got)
	}
	if _, err := Draw(f, dir, Pictures{At: 1e-6, Field: "strength", Magnify: 1}); err == nil || !strings.Contains(err.Error(), `no field "strength"`) {
		t.Errorf("an unknown field: %v", err)
	}
}

func has(img image.Image, want color.RGBA) bool {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if color.RGBAModel.Convert(img.At(x, y)) == want {
				return true
			}
		}
	}
	return false
}

// A surface that runs across the outline's first edge is one part, two
// bodies are two.
func TestArrange(t *testing.T) {
	at := func(x ...float64) []r2.Vec {
		var out []r2.Vec
		for _, v := range x {
			out = append(out, r2.Vec{X: v})
		}
		return out
	}
	for _, c := range []struct {
		x    []r2.Vec
		want [][]int32
	}{
		{at(1, 2, 3, 4), [][]int32{{0, 1, 2, 3}}},
		{at(5, 6, 7, 1, 2, 3, 4), [][]int32{{3, 4, 5, 6, 0, 1, 2}}},
		{at(1, 2, 3, 30, 31, 32), [][]int32{{0, 1, 2}, {3, 4, 5}}},
		{at(1, 2, 3, 30, 31, 32, -2, -1, 0), [][]int32{{6, 7, 8, 0, 1, 2}, {3, 4, 5}}},
		{at(1, 1.1, 1.3, 1.6, 2), [][]int32{{0, 1, 2, 3, 4}}},
		{at(1), [][]int32{{0}}},
		{nil, nil},
	} {
		if got := arrange(c.x); !cmp.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.x, got, c.want)
		}
	}
	var many []r2.Vec
	for i := range 100 {
		many = append(many, r2.Vec{X: float64(i/4*100 + i%4)})
	}
	if got := arrange(many); len(got) != 1 || len(got[0]) != 100 {
		t.Errorf("25 pieces become %d of %d nodes", len(got), len(got[0]))
	}
	if got := distances(at(0, 3, 4), []int32{0, 1, 2}); !slices.Equal(got, []float64{0, 3, 4}) {
		t.Errorf("distances %v", got)
	}
}

func TestDeckRows(t *testing.T) {
	got := deckRows("a = 1 # one\n\n[x]\nb = [1, # first\n  2]\nc = \"# no comment\"\n[[y]]\nd = {e = 1}\n[[y]]\nd = 2\n")
	want := []DeckRow{
		{"", true, "a", "1"},
		{"x", true, "b", "[1, 2]"},
		{"x", false, "c", "\"# no comment\""},
		{"y", true, "d", "{e = 1}"},
		{"y", true, "d", "2"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFillCoversATiledSquare(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 20, 20))
	corner := []r2.Vec{{}, {X: 20}, {X: 20, Y: 20}, {Y: 20}}
	for _, c := range [][3]r2.Vec{{corner[0], corner[1], corner[2]}, {corner[0], corner[2], corner[3]}} {
		fill(img, c, [3]float64{0, 1, 1}, func(float64) color.RGBA { return color.RGBA{1, 2, 3, 255} })
	}
	for i, v := range img.Pix {
		if v != []byte{1, 2, 3, 255}[i%4] {
			t.Fatalf("pixel %d is bare", i/4)
		}
	}
}

// What a frame of 200,000 triangles costs the server.
func BenchmarkFrame(b *testing.B) {
	f := finished(b, 316, 2).open(b)
	for b.Loop() {
		for _, name := range []string{"frames/1/displacement", "frames/1/von_mises"} {
			if _, err := f.Blob(name); err != nil {
				b.Fatal(err)
			}
		}
	}
}
