package view

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fdem/io/vtk"

	"github.com/google/go-cmp/cmp"
)

// The greatest value of every part of a field comes with its sign, its frame and its position.
func TestRangesSayWhereTheyAre(t *testing.T) {
	r := rangeOf(Field{Name: "velocity", On: "node", pick: []int{0, 1}}, []float32{3, 4, -6, 1, 0, float32(math.NaN()), 0, -5})
	want := []Most{{math.Hypot(6, 1), 0, 1}, {-6, 0, 1}, {-5, 0, 3}}
	if diff := cmp.Diff(want, r.Most); diff != "" || r.Peak != math.Hypot(6, 1) {
		t.Errorf("peak %g, %s", r.Peak, diff)
	}
	r = rangeOf(Field{Name: "stress", On: "cell", pick: []int{0, 1, 2, 3}}, []float32{1, 2, 3, -4, 0, -7, 0, 0})
	if diff := cmp.Diff([]Most{{1, 0, 0}, {-7, 0, 1}, {3, 0, 0}, {-4, 0, 0}}, r.Most); diff != "" {
		t.Error(diff)
	}
	f := finished(t, 2, 3).open(t)
	scan(t, f)
	m := f.Meta()
	if got := m.Ranges["von_mises"].Most; len(got) != 1 || got[0] != (Most{float64(float32(mises(7, 2))), 2, 7}) {
		t.Errorf("von Mises is greatest as %+v", got)
	}
	if got := m.Ranges["contact/pressure"].Most; len(got) != 1 || got[0] != (Most{pressure(9, 2), 2, 9}) || m.Scanned != 3 {
		t.Errorf("the pressure is greatest as %+v, %d frames read", got, m.Scanned)
	}
}

// A running folder has the deck's title, and a page begins where most happens.
func TestTitleAndStart(t *testing.T) {
	r := newRun(t, 2)
	for range 4 {
		r.frame(t)
	}
	if m := r.open(t).Meta(); m.Title != "squares" || m.Static || m.Start != 3 { // the force grows
		t.Errorf("title %q, static %v, start %d", m.Title, m.Static, m.Start)
	}
	put(t, filepath.Join(r.dir, "history.csv"), "time,kinetic,strain,a-b.normal\n0,1,0,0\n1e-6,1,5,-1\n2e-6,1,1,-7\n3e-6,1,0,2\n")
	f := r.open(t)
	if page, plot := f.busiest(false), f.busiest(true); page != 1 || plot != 2 {
		t.Errorf("a page begins with frame %d, a plot shows %d, want 1 and 2", page, plot)
	}
	put(t, filepath.Join(r.dir, "history.csv"), "time,kinetic,strain\n0,1,0\n0.4e-6,1,9\n0.8e-6,0.5,6\n1e-6,0.5,4\n2e-6,1,0\n3e-6,1,0\n")
	if f := r.open(t); f.busiest(false) != 1 {
		t.Errorf("frame %d shows most of an impact that is over within a frame, want 1", f.busiest(false))
	}
	put(t, filepath.Join(r.dir, "history.csv"), "time,kinetic,strain\n0,1,0\n1.4e-6,1,9\n2e-6,1,0\n3e-6,1,0\n")
	if f := r.open(t); f.busiest(false) != 1 {
		t.Errorf("frame %d is the nearest to an impact that no frame shows, want 1", f.busiest(false))
	}
	put(t, filepath.Join(r.dir, "history.csv"), "time,kinetic,strain\n0,1,0\n1e-6,1,1e-20\n")
	if f := r.open(t); f.busiest(false) != 0 {
		t.Error("round-off is the greatest strain energy")
	}
	put(t, filepath.Join(r.dir, "history.csv"), "time,kinetic,strain\n0,0,9\n1e-6,0,8\n2e-6,1,5\n3e-6,0,6\n")
	if f := r.open(t); f.busiest(false) != 2 || f.busiest(true) != 2 {
		t.Errorf("of rock that is stressed at the start frame %d is the first, want 2, of the greatest change", f.busiest(false))
	}
	put(t, filepath.Join(r.dir, "deck.toml"), "[analysis]\ntype = \"static\"\n")
	m := r.open(t).Meta()
	if !m.Static || m.Title != filepath.Base(r.dir) {
		t.Errorf("static %v, title %q", m.Static, m.Title)
	}
	for _, v := range m.Fields {
		if v.Name == "velocity" {
			t.Error("a static analysis has velocities")
		}
	}
	if got := deckText([]DeckRow{{"", true, "title", `"a \"b\" é"`}, {"", false, "mesh", `'x\y'`}}, "", "title"); got != `a "b" é` {
		t.Errorf("the title is %q", got)
	}
	if got := deckText([]DeckRow{{"", true, "mesh", `'x\y'`}}, "", "mesh"); got != `x\y` {
		t.Errorf("the mesh is %q", got)
	}
}

// Frames of contact nodes that come at an interval of their own go with the
// nearest frame of fields.
func TestMatch(t *testing.T) {
	at := func(times ...float64) (out []vtk.Frame) {
		for _, v := range times {
			out = append(out, vtk.Frame{Time: v})
		}
		return out
	}
	for _, c := range []struct {
		fields, contact []vtk.Frame
		live            bool
		want            []int
	}{
		{at(0, 1, 2), at(0, 1, 2), false, []int{0, 1, 2}},
		{at(0, 1, 2), at(0, 0.5, 1, 1.5, 2), false, []int{0, 2, 4}},
		{at(0, 1, 2, 3, 4), at(0, 4), false, []int{0, 0, 0, 1, 1}},
		{at(0, 1, 1), at(0, 1, 1), false, []int{0, 1, 2}}, // a failure shows two states at one time
		{at(0, 1, 2), at(0, 1), true, []int{0, 1}},
		{at(0, 1, 2), nil, false, nil},
	} {
		if got := match(c.fields, c.contact, c.live); !slices.Equal(got, c.want) {
			t.Errorf("%v with %v: %v, want %v", c.fields, c.contact, got, c.want)
		}
	}
}

// A picture reads what it draws and no other frame.
func TestDrawReadsFewFrames(t *testing.T) {
	r := finished(t, 4, 30)
	for i := range 30 {
		if i != 12 {
			if err := os.Remove(filepath.Join(r.dir, "fields", fmt.Sprintf("%06d.vtu", i))); err != nil && i > 0 {
				t.Fatal(err)
			}
		}
	}
	r2 := finished(t, 4, 1) // the mesh is that of the first frame
	first, err := os.ReadFile(filepath.Join(r2.dir, "fields", "000000.vtu"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(r.dir, "fields", "000000.vtu"), string(first))
	shown := 0
	paths, err := Draw(r.open(t), t.TempDir(), Pictures{At: 12e-6, Magnify: 1, Tell: func(done, of int) { shown = of }})
	if err != nil || shown != 30 || !strings.HasSuffix(strings.Join(paths, " "), "mesh.svg") {
		t.Errorf("%v, %d frames of contact nodes told, pictures %s", err, shown, paths)
	}
	if got := evenly(100000, maxPoints); len(got) > maxPoints+1 || got[len(got)-1] != 99999 || got[0] != 0 {
		t.Errorf("of 100000 frames %d are read", len(got))
	}
}

// Positions have as many digits as the model needs, however far from the origin it is.
func TestPositionsFarAway(t *testing.T) {
	for _, c := range []struct {
		v, size, unit float64
		want          string
	}{
		{0.0123456, 0.4, 1e-3, "12.3"}, {0, 0.4, 1, "0"}, {5, 20, 1, "5"}, {-452310.26, 20, 1, "-452310.26"}, {5811210.04, 20, 1, "5811210.04"}, {1, 0, 1, "1"},
	} {
		if got := coordinate(c.v, c.size, c.unit); got != c.want {
			t.Errorf("%g m of a model of %g m is told as %s, want %s", c.v, c.size, got, c.want)
		}
	}
}

// The colour scale of temperatures begins at the least of all frames, so that a change of some
// degrees is seen. Bodies without a temperature do not count.
func TestTemperaturesBeginAtTheLeast(t *testing.T) {
	heat := Field{Name: "temperature", Unit: "K", On: "cell", pick: []int{0}, width: 1}
	m := Meta{Ranges: map[string]Range{}}
	for frame, values := range [][]float32{{0, 300, 310}, {0, 293, 340}, {0, 295, 320}} {
		m.include(extent{ranges: map[string]Range{heat.Key(): rangeOf(heat, values)}}, frame)
	}
	if _, low, top := m.scale(heat); low != 293 || top != 340 {
		t.Errorf("from %g to %g K, want 293 to 340", low, top)
	}
	heat.Unit = ""
	m = Meta{Ranges: map[string]Range{heat.Key(): rangeOf(heat, []float32{1, 2})}}
	if _, low, top := m.scale(heat); low != 0 || top != 2 {
		t.Errorf("another field from %g to %g, want 0 to 2", low, top)
	}
}
