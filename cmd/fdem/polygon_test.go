package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fdem/io/history"
)

// polygonDeck is a floor and a law, for what falls.
const polygonDeck = `
mesh = "small.msh"
[analysis]
duration = "0.3 s"
gravity = [0, -9.81]
thickness = "100 mm"
[output]
fields_every = "0.1 s"
history_every = "1 ms"
checkpoint_every = "0.1 s"
[[rigid]]
name = "floor"
shape = "line"
from = ["-1 m", 0]
to = ["1 m", 0]
[[law]]
name = "damped"
model = "linear"
k = "1.5 GPa/m"
c = "0.1 MPa*s/m"
[[contact]]
contactor = "all"
opposite = "all"
law = "damped"
friction = 0.4
`

// falls writes a model and runs it.
func falls(t *testing.T, bodies string) history.Table {
	t.Helper()
	return ran(t, strings.ReplaceAll(polygonDeck, `mesh = "small.msh"`, "")+bodies)
}

// ran writes a deck without a mesh, runs it, and returns its history.
func ran(t *testing.T, deck string) history.Table {
	t.Helper()
	dir := model(t, deck, "")
	succeed(t, "run", filepath.Join(dir, "small.toml"), "-q")
	return tableOf(t, filepath.Join(dir, "small.out"))
}

func tableOf(t *testing.T, results string) history.Table {
	t.Helper()
	h, err := history.Read(filepath.Join(results, "history.csv"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// column is one that must be there.
func column(t *testing.T, h history.Table, name string) []float64 {
	t.Helper()
	v, ok := h.Column(name)
	if !ok {
		t.Fatalf("there is no column %q", name)
	}
	return v
}

// A box drawn as a polygon, clockwise and with a corner too many, slides, tips and comes
// to rest as the box does.
func TestPolygonIsABox(t *testing.T) {
	const density = "\ndensity = \"2500 kg/m3\"\nvelocity = [\"0.5 m/s\", 0]\n"
	box := falls(t, "[[rigid]]\nname = \"block\"\nshape = \"box\"\ncentre = [0, \"60 mm\"]\nwidth = \"80 mm\"\nheight = \"100 mm\""+density)
	polygon := falls(t, "[[rigid]]\nname = \"block\"\nshape = \"polygon\"\ncorners = [[\"-40 mm\", \"110 mm\"], [0, \"110 mm\"], [\"40 mm\", \"110 mm\"], [\"40 mm\", \"10 mm\"], [\"-40 mm\", \"10 mm\"]]"+density)
	for _, name := range []string{"kinetic", "block.vx", "block.vy", "block.omega", "floor.fy", "friction_dissipated"} {
		p, q := column(t, box, name), column(t, polygon, name)
		most, far := 0.0, 0.0
		for i := range p {
			most, far = max(most, math.Abs(p[i])), max(far, math.Abs(p[i]-q[i]))
		}
		if most == 0 || far > 1e-6*most {
			t.Errorf("%s: the polygon is off by %g of %g", name, far, most)
		}
	}
}

// Rubble cut out of one surface: five polygons, one of them not convex, fall on a floor
// and on one another. Their columns are of all of them; the same bytes by several workers.
func TestRubble(t *testing.T) {
	t.Parallel()
	withAll(t)
	dir := t.TempDir()
	shapes := `edge = "20 mm"
[[rectangle]]
name = "rubble"
from = ["-100 mm", "10 mm"]
to = ["-20 mm", "70 mm"]
[[polygon]]
name = "rubble"
corners = [["10 mm", "15 mm"], ["90 mm", "20 mm"], ["70 mm", "80 mm"]]
[[polygon]]
name = "rubble"
corners = [["-60 mm", "90 mm"], [0, "85 mm"], ["40 mm", "130 mm"], ["-20 mm", "150 mm"]]
[[polygon]]
name = "rubble"
corners = [["60 mm", "100 mm"], ["110 mm", "95 mm"], ["110 mm", "160 mm"], ["70 mm", "150 mm"]]
`
	for name, text := range map[string]string{"small.shapes.toml": shapes, "small.toml": strings.Replace(polygonDeck, `"0.3 s"`, `"1 s"`, 1) + `
[[rigid]]
name = "stones"
shape = "polygon"
on = "rubble"
density = "2500 kg/m3"
velocity = ["0.2 m/s", 0]
[[rigid]]
name = "hook"
shape = "polygon"
corners = [["-100 mm", "100 mm"], ["-70 mm", "100 mm"], ["-70 mm", "140 mm"], ["-40 mm", "140 mm"], ["-40 mm", "170 mm"], ["-100 mm", "170 mm"]]
density = "2500 kg/m3"
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	succeed(t, "mesh", filepath.Join(dir, "small.shapes.toml"), "-o", filepath.Join(dir, "small.msh"))
	deck := filepath.Join(dir, "small.toml")
	if _, said, _ := command("check", deck); !strings.Contains(said, `rigid "stones": 4 bodies, 15 edges, 210 mm by 150 mm, free, 3.36875 kg`) {
		t.Errorf("check says\n%s", said)
	}
	succeed(t, "run", deck, "-q")
	h := tableOf(t, filepath.Join(dir, "small.out"))
	last := len(column(t, h, "time")) - 1
	energy := 0.0
	for _, v := range column(t, h, "external_work") {
		energy = max(energy, v)
	}
	for i, v := range column(t, h, "residual") {
		if math.Abs(v) > 2e-4*energy {
			t.Fatalf("residual %g J of %g J in row %d", v, energy, i)
		}
	}
	if v := column(t, h, "stones.vy")[last]; math.Abs(v) > 2e-3 {
		t.Errorf("the stones still move at %g m/s", v)
	}
	succeed(t, "run", deck, "-q", "--threads", "3", "-o", filepath.Join(dir, "by3"))
	one, err := os.ReadFile(filepath.Join(dir, "small.out", "history.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if several, err := os.ReadFile(filepath.Join(dir, "by3", "history.csv")); err != nil || !bytes.Equal(one, several) {
		t.Errorf("three workers write another history, %v", err)
	}
}
