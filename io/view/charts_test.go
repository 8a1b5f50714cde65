package view

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"fdem/io/vtk"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// The limits of a stress path are c cos(phi) + p sin(phi), those of Mohr's circles c + s tan(phi), of a
// material that yields and of planes that break.
func TestEnvelopes(t *testing.T) {
	const c, degrees = 2e6, 35
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for name, s := range map[string]*strength{
		"mohr-coulomb": {Law: &bulk.Strength{Sin: sin, Limit: 2 * c * cos}},
		"planes":       {Planes: &cohesive.Strength{Tension: 1e9, Cohesion: c, Friction: sin / cos}},
	} {
		p, q := s.limits(3e6, 2e7) // where the plane that yields is pressed
		if len(p) < 50 {
			t.Fatalf("%s: %d points", name, len(p))
		}
		for k := range p {
			if want := c*cos + p[k]*sin; math.Abs(q[k]/want-1) > 1e-6 {
				t.Fatalf("%s: %g at %g Pa, want %g", name, q[k], p[k], want)
			}
		}
		x, y := envelope(p, q)
		for k := range x {
			if want := c + x[k]*sin/cos; math.Abs(y[k]/want-1) > 1e-6 {
				t.Fatalf("%s: envelope %g at %g Pa, want %g", name, y[k], x[k], want)
			}
		}
	}
}

// charted is a folder with a bolt, a crack along 30 degrees and a longer one along 100, a probe of stress and one of
// convergence, and a body that is excavated.
func charted(t *testing.T) *Folder {
	r := newRun(t, 2)
	r.cells = []vtk.Array{ // of the nine cells, 0, 1, 4 and 5 are of the body with a section
		{Name: "axial_force", Components: 1, Float64: []float64{-7, -7, 1, 1, -5, -5, 1, 1, 0}},
		{Name: "end_moment", Components: 1, Float64: []float64{3, 3, 1, 1, 2, 2, 1, 1, 0}},
	}
	for range 3 {
		r.frame(t)
	}
	history := "time,kinetic,a.vx,tunnel.relaxation,a.xx,a.yy,a.zz,a.xy,walls.convergence,rod.bond_slip\n"
	for i := range 3 {
		history += fmt.Sprintf("%g,0,0,%g,%g,%g,%g,0,%g,0\n", 1e-6*float64(i), 0.5*float64(i), -1e6, -1e6*float64(1+i), -1.5e6, 1e-3*float64(i))
	}
	put(t, filepath.Join(r.dir, "history.csv"), history)
	put(t, filepath.Join(r.dir, "summary.json"), "{}")
	put(t, filepath.Join(r.dir, "probes.json"), `{"a":{"law":{"Sin":0.5,"Limit":1e6}}}`)
	put(t, filepath.Join(r.dir, "sections.json"), `[{"name":"a","body":0,"width":2,"height":3,"compression":10,"tension":4}]`)
	rods, cracks := vtk.Series{Path: filepath.Join(r.dir, "bolts.pvd")}, vtk.Series{Path: filepath.Join(r.dir, cracksName)}
	for _, sub := range []string{"bolts", "cracks"} {
		if err := os.Mkdir(filepath.Join(r.dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	numbers := func(name string, v ...float64) vtk.Array { return vtk.Array{Name: name, Components: 1, Float64: v} }
	at := func(length, degrees float64) []r2.Vec {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return []r2.Vec{{}, {X: length * cos, Y: length * sin}}
	}
	for _, w := range []struct {
		series *vtk.Series
		path   string
		lines  vtk.Lines
	}{
		{&rods, "bolts/000000.vtp", vtk.Lines{Points: []r2.Vec{{}, {X: 1}, {X: 1}, {X: 2}},
			PointData: []vtk.Array{vtk.Vectors("displacement", func(int) r2.Vec { return r2.Vec{} }), numbers("bond_force", 3, 2, 2, 1), numbers("along", 0, 1, 1, 2)},
			CellData:  []vtk.Array{numbers("axial_force", 7, 5), {Name: "bolt_id", Components: 1, Int32: []int32{0, 0}}}}},
		{&cracks, "cracks/000000.vtp", vtk.Lines{Points: append(at(1, 30.5), append(at(3, 100.5), at(5, 60)...)...),
			CellData: []vtk.Array{numbers("damage", 1, 0.5, 1), numbers("inserted_at", 1e-7, 1e-7, 0), numbers("mode", 0, 0, 0)}}},
	} {
		if err := r.w.WriteLines(filepath.Join(r.dir, w.path), w.lines); err != nil {
			t.Fatal(err)
		}
		if err := add(w.series, 0, w.path); err != nil {
			t.Fatal(err)
		}
		r.w.Reset()
	}
	f, err := Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Charts have the numbers of the results: forces along a bolt, stress paths and circles with their strength, shares
// of the directions of cracks without joints, convergence, and what is left of the forces of a wall over it.
func TestCharts(t *testing.T) {
	all, err := charted(t).Charts(2)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]Chart{}
	for _, c := range all {
		of[c.Name] = c
	}
	same := func(name string, curve int, x, y []float64) {
		t.Helper()
		if len(of[name].Lines) <= curve {
			t.Errorf("%s has %d curves", name, len(of[name].Lines))
			return
		}
		l := of[name].Lines[curve]
		if len(l.X) != len(x) {
			t.Errorf("%s: %v, %v", name, l.X, l.Y)
			return
		}
		for k := range x {
			if math.Abs(l.X[k]-x[k]) > 1e-9*(1+math.Abs(x[k])) || math.Abs(l.Y[k]-y[k]) > 1e-9*(1+math.Abs(y[k])) {
				t.Errorf("%s: (%g, %g), want (%g, %g)", name, l.X[k], l.Y[k], x[k], y[k])
			}
		}
	}
	same("bolts", 0, []float64{0, 1, 1, 2}, []float64{7, 7, 5, 5})
	same("bond", 0, []float64{0, 1, 1, 2}, []float64{3, 2, 2, 1})
	same("capacity", 0, []float64{7, 5}, []float64{3, 2})
	same("capacity", 1, []float64{-24, 18, 60}, []float64{0, 21, 0})
	same("stress-path", 0, []float64{1.25e6, 1.5e6, 2e6}, []float64{0.25e6, 0.5e6, 1e6})
	same("convergence", 0, []float64{0, 1e-6, 2e-6}, []float64{0, 1e-3, 2e-3})
	same("ground-reaction", 0, []float64{0, 1e-3, 2e-3}, []float64{100, 50, 0})
	if l := of["stress-path"].Lines; len(l) != 2 || !l[1].Limit {
		t.Errorf("the stress path has no strength: %d curves", len(l))
	}
	if l := of["mohr"].Lines; len(l) != 2 || math.Abs(l[0].X[0]-1e6) > 1 || math.Abs(l[0].X[len(l[0].X)-1]-3e6) > 1 || !l[1].Limit {
		t.Errorf("circles: %v", l)
	}
	if l := of["rose"].Lines; len(l) != 1 {
		t.Errorf("no rose")
	} else {
		most := map[int]float64{}
		for k := range l[0].X {
			d := int(math.Floor(math.Atan2(l[0].Y[k], l[0].X[k])*180/math.Pi+1e-6)) / 10
			most[d] = max(most[d], math.Hypot(l[0].X[k], l[0].Y[k]))
		}
		if math.Abs(most[3]-25) > 1e-9 || math.Abs(most[10]-75) > 1e-9 || most[6] > 1e-9 {
			t.Errorf("rose: %v", most)
		}
	}
	dir := t.TempDir()
	paths, err := Draw(charted(t), dir, Pictures{At: 2e-6, Magnify: 1, Charts: []string{"mohr", "rose"}})
	if err != nil || len(paths) != 4 {
		t.Errorf("drawn %v, error %v", paths, err)
	}
	if _, err := Draw(newFolder(t), dir, Pictures{At: 2e-6, Magnify: 1, Charts: []string{"mohr"}}); err == nil {
		t.Error("a chart of nothing is drawn")
	}
}

// newFolder is a folder without anything to chart.
func newFolder(t *testing.T) *Folder {
	r := newRun(t, 2)
	r.frame(t)
	put(t, filepath.Join(r.dir, "summary.json"), "{}")
	f, err := Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
