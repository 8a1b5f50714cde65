package main

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"fdem/io/vtk"

	"gonum.org/v1/gonum/spatial/r2"
)

// Janssen's silo (H. A. Janssen, Versuche ueber Getreidedruck in Silozellen, 1895): where the floor
// of a bin sinks, the walls carry the grains that lie higher than some widths above it. The floor
// carries Q (1 - exp(-W/Q)) of the weight W of the grains, with one Q for all fillings of a bin.
// The walls carry the rest, with less than the limit of friction, since grains roll.
func TestSiloLoadsItsWalls(t *testing.T) {
	t.Parallel()
	withAll(t)
	const columns, pitch, friction = 8, 10.5e-3, 0.5
	rows := []int{16, 48}
	if *toTheEnd {
		rows = []int{16, 32, 48}
	}
	var weights, floors []float64
	for _, n := range rows {
		half := 0.5 * columns * pitch
		h := ran(t, fmt.Sprintf(`
[analysis]
duration = 0.8
thickness = "10 mm"
gravity = [0, "-9.81 m/s2"]
[output]
fields_every = 0
checkpoint_every = 0
history_every = "10 ms"
[[material]]
name = "stone"
young = "2 MPa"
poisson = 0.25
density = "2500 kg/m3"
[[particle]]
name = "grains"
material = "stone"
radius = ["4 mm", "5 mm"]
position = [%g, "6 mm"]
grid = [%d, %d]
spacing = "10.5 mm"
jitter = "0.2 mm"
[[rigid]]
name = "left"
shape = "line"
from = [%[4]g, %[6]g]
to = [%[4]g, -0.05]
[[rigid]]
name = "right"
shape = "line"
from = [%[5]g, -0.05]
to = [%[5]g, %[6]g]
[[rigid]]
name = "floor"
shape = "line"
from = [%[4]g, 0]
to = [%[5]g, 0]
motion = { velocity = [0, "-12 mm/s"] }
[[law]]
name = "stone"
model = "tsuji"
restitution = 0.4
[[interaction]]
law = "stone"
friction = %[7]g
`, 0.5*pitch-half, columns, n, -half, half, float64(n)*pitch+0.1, friction))
		// means over the last quarter, in which the grains sink slowly
		mean := func(name string) (m float64) {
			values := column(t, h, name)
			last := values[len(values)*3/4:]
			for _, v := range last {
				m += v / float64(len(last))
			}
			return m
		}
		floor, walls, press := mean("floor.fy"), mean("left.fy")+mean("right.fy"), mean("left.fx")-mean("right.fx")
		weights, floors = append(weights, floor+walls), append(floors, floor)
		t.Logf("%d rows: %.3g N of %.3g N on the floor, friction at the walls %.2f", n, floor, floor+walls, walls/press)
		if !(walls > 0.15*press && walls < friction*press) {
			t.Errorf("%d rows: walls carry %g N and are pressed by %g N", n, walls, press)
		}
	}
	janssen := func(most, weight float64) float64 { return most * (1 - math.Exp(-weight/most)) }
	most, best := 0.0, math.Inf(1)
	for q := 0.2; q < 10; q *= 1.002 {
		worst := 0.0
		for i, w := range weights {
			worst = max(worst, math.Abs(floors[i]/janssen(q, w)-1))
		}
		if worst < best {
			most, best = q, worst
		}
	}
	t.Logf("Q = %.3g N, within %.1f %%", most, 100*best)
	if best > 0.03 {
		t.Errorf("floors carry %.3g N of %.3g N: by Janssen's formula within %.0f %% at best", floors, weights, 100*best)
	}
	if last := len(rows) - 1; floors[last] > 0.5*weights[last] {
		t.Errorf("a bin six times as high as wide: its floor carries %g N of %g N", floors[last], weights[last])
	}
}

// A stack of round grains on a rough base, whose sides are released at once, comes to rest as a
// heap whose slopes are steeper where the grains are rough. Without friction it still stands at
// some degrees, for grains rest in the hollows between others (5.8 degrees of internal friction of
// spheres, P.-E. Peyneau and J.-N. Roux, Phys. Rev. E 78, 2008); and round grains roll long before
// the angle of their friction is reached.
func TestHeapsStandByFriction(t *testing.T) {
	t.Parallel()
	withAll(t)
	const columns, rows, pitch = 28, 7, 9e-3
	var slopes []float64
	for _, friction := range []float64{0, 0.6} {
		dir := model(t, fmt.Sprintf(`
[analysis]
duration = 1.2
thickness = "10 mm"
gravity = [0, "-9.81 m/s2"]
[output]
fields_every = 0
checkpoint_every = 0
history_every = "10 ms"
[[material]]
name = "stone"
young = "1 MPa"
poisson = 0.25
density = "2500 kg/m3"
[[particle]]
name = "base"
material = "stone"
radius = "4.5 mm"
position = [%g, 0]
grid = [%d, 1]
spacing = %g
fixed = true
[[particle]]
name = "grains"
material = "stone"
radius = ["3 mm", "6 mm"]
position = [%g, "11 mm"]
grid = [%d, %d]
spacing = "12.2 mm"
jitter = "0.05 mm"
[[law]]
name = "stone"
model = "tsuji"
restitution = 0.4
[[interaction]]
law = "stone"
friction = %g
`, -0.5*pitch*(columns-1), columns, pitch, -0.5*12.2e-3*17, 18, rows, friction), "")
		succeed(t, "run", filepath.Join(dir, "small.toml"), "-q")
		out := filepath.Join(dir, "small.out")
		frames, err := vtk.ReadSeries(filepath.Join(out, "particles.pvd"))
		if err != nil {
			t.Fatal(err)
		}
		_, points := openFrame(t, filepath.Join(out, frames[len(frames)-1].File))
		slopes = append(slopes, slope(points, 0.5*pitch*columns))
	}
	t.Logf("%.3g degrees", slopes)
	if !(3 < slopes[0] && slopes[0] < 10) {
		t.Errorf("without friction: %.3g degrees", slopes[0])
	}
	if angle := math.Atan(0.6) * 180 / math.Pi; !(12 < slopes[1] && slopes[1] < 0.8*angle) {
		t.Errorf("under a friction of 0.6, %.3g degrees: %.3g degrees", angle, slopes[1])
	}
}

// slope returns the mean slope of a heap on a base from -half to half, by its highest grains in
// twelve parts of the base [degrees].
func slope(points []r2.Vec, half float64) float64 {
	const parts = 10
	top := make([]float64, parts)
	for _, p := range points {
		if i := int((p.X + half) / (2 * half) * parts); p.X > -half && i < parts {
			top[i] = max(top[i], p.Y)
		}
	}
	// the regression of heights over the distance from the middle, without the outermost parts
	var n, d, y, dd, dy float64
	for i, h := range top[1 : parts-1] {
		away := math.Abs(float64(i+1)+0.5-0.5*parts) / parts * 2 * half
		n, d, y, dd, dy = n+1, d+away, y+h, dd+away*away, dy+away*h
	}
	return -math.Atan((n*dy-d*y)/(n*dd-d*d)) * 180 / math.Pi
}
