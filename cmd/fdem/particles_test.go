package main

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"testing"

	"fdem/io/view"
	"fdem/io/vtk"
)

// Particles are discs in the page and in pictures: they are where the file
// says, and the rims keep their radius.
func TestParticlesAreShown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "balls")
	succeed(t, "new", dir, "--template", "particles")
	succeed(t, "run", dir, "--until", "20 ms", "--quiet")
	succeed(t, "plot", dir)
	out := filepath.Join(dir, "balls.out")
	f, err := view.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	m := f.Meta()
	if len(m.Bodies) != 2 || m.Bodies[1].Name != "spheres" || m.Triangles != 0 || m.Particles != 144 || len(m.Fields) == 0 || m.Fields[0].Name != "velocity" {
		t.Fatalf("bodies %+v, fields %+v", m.Bodies, m.Fields)
	}
	numbers := func(name string) []float64 {
		b, err := f.Blob(name)
		if err != nil {
			t.Fatal(err)
		}
		var out []float64
		for i := 0; i < len(b.Data); i += 4 {
			out = append(out, float64(math.Float32frombits(binary.LittleEndian.Uint32(b.Data[i:]))))
		}
		return out
	}
	last := len(m.Times) - 1
	frames, err := vtk.ReadSeries(filepath.Join(out, "particles.pvd"))
	if err != nil {
		t.Fatal(err)
	}
	file, points := openFrame(t, filepath.Join(out, frames[last].File))
	radius := array(t, file, "radius").Float64
	x, moved := numbers("points"), numbers("frames/4/displacement")
	if last != 4 || len(moved) != len(x) {
		t.Fatalf("%d frames, %d displacements of %d positions", last+1, len(moved), len(x))
	}
	n := len(points)
	each := m.Bodies[1].Triangles/n + 1 // nodes of a disc
	first := len(x)/2 - n*each
	for i, p := range points {
		at := first + i*each
		px, py := x[2*at]+moved[2*at], x[2*at+1]+moved[2*at+1]
		if math.Hypot(px+m.Centre[0]-p.X, py+m.Centre[1]-p.Y) > 1e-6 {
			t.Fatalf("particle %d is shown at (%g, %g), is at (%g, %g)", i, px+m.Centre[0], py+m.Centre[1], p.X, p.Y)
		}
		for k := at + 1; k < at+each; k++ {
			r := math.Hypot(x[2*k]+moved[2*k]-px, x[2*k+1]+moved[2*k+1]-py)
			if math.Abs(r-radius[i]) > 1e-6 {
				t.Fatalf("particle %d has radius %g, want %g", i, r, radius[i])
			}
		}
	}
}
