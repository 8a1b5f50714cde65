package results

import (
	"math"
	"path/filepath"
	"testing"

	"fdem/io/history"
	"fdem/solver"
)

// A bar that spalls across four edges is one event: each opens by 2 G/f = 4 um, so that the
// moment along it is E A 4 um, and the lists agree with one another.
func TestEventsOfSpall(t *testing.T) {
	s, w, dir := opened(t, "spall-bar/spall-bar.toml")
	if err := s.Run(t.Context(), solver.Observer{Row: w.Row, Frame: w.Frame}); err != nil {
		t.Fatal(err)
	}
	sum, err := w.Close("done", nil)
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string, columns ...string) [][]float64 {
		v, err := history.Columns(filepath.Join(dir, name), columns)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	broken := read(eventsName, "time", "energy", "mode", "length", "kinetic", "mxx", "mxy", "moment", "magnitude", "cluster")
	events := read(clustersName, "edges", "energy", "kinetic", "mxx")
	inserted := read(insertionsName, "time", "mode", "broken_at", "energy")
	if len(broken[0]) != 4 || len(inserted[0]) != 4 || len(events[0]) != 1 || events[0][0] != 4 {
		t.Fatalf("%d edges opened, %d broke, in %d events", len(inserted[0]), len(broken[0]), len(events[0]))
	}
	energy, kinetic, mxx := 0.0, 0.0, 0.0
	for i := range 4 {
		want := 40e9 * broken[3][i] * 4e-6 // Poisson's ratio is 0, the bar 1 m thick
		if math.Abs(broken[5][i]/want-1) > 0.02 || math.Abs(broken[6][i]) > 1e-3*want || math.Abs(broken[7][i]*math.Sqrt2/broken[5][i]-1) > 1e-3 {
			t.Errorf("edge %d: moments %g and %g N m, want %g and 0", i, broken[5][i], broken[6][i], want)
		}
		if math.Abs(broken[8][i]-(2.0/3*math.Log10(broken[7][i])-6)) > 1e-12 || inserted[2][i] != broken[0][i] || inserted[0][i] >= broken[0][i] {
			t.Errorf("edge %d: magnitude %g, opened %g, broke %g and %g", i, broken[8][i], inserted[0][i], broken[0][i], inserted[2][i])
		}
		energy, kinetic, mxx = energy+broken[1][i], kinetic+broken[4][i], mxx+broken[5][i]
	}
	if e := sum.Energy.FractureDissipated.End; math.Abs(energy/e-1) > 1e-12 || math.Abs(events[1][0]/e-1) > 1e-12 {
		t.Errorf("events have %g J of %g", energy, e)
	}
	if !(kinetic > 0) || math.Abs(events[2][0]/kinetic-1) > 1e-12 || math.Abs(sum.Events.Kinetic/kinetic-1) > 1e-12 || math.Abs(events[3][0]/mxx-1) > 1e-12 {
		t.Errorf("let out: %g J, %g, %g", kinetic, events[2][0], sum.Events.Kinetic)
	}
	if sum.Events.Clusters != 1 || sum.Events.Breakages != 4 || sum.Events.B != nil {
		t.Errorf("%+v", sum.Events)
	}
}
