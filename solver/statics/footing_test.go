package statics

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fdem/io/deck"
	"fdem/solver"
)

// footingOnGmsh is half a footing on free ground, h the edges under it.
const footingOnGmsh = `
Point(1) = {0, 0, 0, h}; Point(2) = {0.5, 0, 0, h}; Point(3) = {3.2, 0, 0, 4*h}; Point(4) = {5, 0, 0, 0.9};
Point(5) = {5, -5, 0, 0.9}; Point(6) = {0, -5, 0, 0.9}; Point(7) = {0, -1.8, 0, 4*h};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 6}; Line(6) = {6, 7}; Line(7) = {7, 1};
Curve Loop(1) = {1:7}; Plane Surface(1) = {1};
Physical Surface("ground") = {1}; Physical Curve("footing") = {1}; Physical Curve("far") = {4, 5}; Physical Curve("axis") = {6, 7};
`

const footingDeck = `mesh = "footing.msh"
[analysis]
type = "static"
increments = 12
plane = "strain"
thickness = 1
[[material]]
name = "clay"
young = "10 MPa"
poisson = 0.48
density = 1900
law = "j2"
yield_stress = "848.7049 Pa"
[[body]]
name = "ground"
material = "clay"
[[fix]]
on = "axis"
components = ["x"]
[[fix]]
on = "far"
[[fix]]
on = "footing"
components = ["x"]
[[drive]]
on = "footing"
displacement = ["free", "-3e-3 * t"]
`

// A rough footing on clay, on meshes of Gmsh: in pairs it carries (2 + pi) times the cohesion, at
// most 3 % more with 8 edges under its half and 2 % with 16, and no more as it sinks. Triangles
// that do not share their volume carry two thirds more, and still more as it sinks.
func TestFootingOnGmshMesh(t *testing.T) {
	if _, err := exec.LookPath("gmsh"); err != nil {
		t.Skip("gmsh is not installed")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("footing.toml", footingDeck)
	for _, c := range []struct{ h, most float64 }{{0.0625, 0.03}, {0.03125, 0.02}} {
		write("footing.geo", fmt.Sprintf("h = %g;%s", c.h, footingOnGmsh))
		gmsh := exec.Command("gmsh", "-2", "-format", "msh41", "footing.geo", "-o", "footing.msh")
		if gmsh.Dir = dir; gmsh.Run() != nil {
			t.Fatal("gmsh makes no mesh")
		}
		before, after := bearing(t, dir, c.h, true)
		t.Logf("%g m, in pairs: %+.2f %%, then %+.2f %%", c.h, 100*before, 100*after)
		if !(math.Abs(after) < c.most) || !(after-before < 0.005) {
			t.Errorf("%g m: %g, then %g above theory", c.h, before, after)
		}
		if c.most == 0.02 {
			continue
		}
		before, after = bearing(t, dir, c.h, false)
		t.Logf("%g m, without pairs: %+.2f %%, then %+.2f %%", c.h, 100*before, 100*after)
		if !(after > 0.5) || !(after-before > 0.02) {
			t.Errorf("%g m, without pairs: %g, then %g above theory: what do they cure?", c.h, before, after)
		}
	}
}

const soilDeck = `mesh = "footing.msh"
[analysis]
type = "static"
increments = 24
plane = "strain"
thickness = 1
[[material]]
name = "soil"
young = "300 MPa"
poisson = 0.3
density = 1900
law = "mohr-coulomb"
cohesion = "10 kPa"
friction_angle = %[1]g
dilation_angle = %[1]g
[[body]]
name = "ground"
material = "soil"
[[fix]]
on = "axis"
components = ["x"]
[[fix]]
on = "far"
[[drive]]
on = "footing"
displacement = ["free", "-%[2]g * t"]
`

// A smooth footing on weightless soil with 16 edges under it carries Prandtl's load within 5 %, at
// 20 and at 30 degrees, and no more as it sinks. Triangles that flow alone carry 6 to 18 % more.
func TestFootingOnSoil(t *testing.T) {
	if _, err := exec.LookPath("gmsh"); err != nil {
		t.Skip("gmsh is not installed")
	}
	dir := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(dir, "footing.geo"), []byte("h = 0.0625;"+footingOnGmsh), 0o644))
	gmsh := exec.Command("gmsh", "-2", "-format", "msh41", "footing.geo", "-o", "footing.msh")
	if gmsh.Dir = dir; gmsh.Run() != nil {
		t.Fatal("gmsh makes no mesh")
	}
	for _, c := range []struct{ angle, sinks, theory float64 }{{20, 3e-3, 14.835}, {30, 7e-3, 30.140}} {
		noError(t, os.WriteFile(filepath.Join(dir, "footing.toml"), []byte(fmt.Sprintf(soilDeck, c.angle, c.sinks)), 0o644))
		load := loads(t, dir, c.sinks, true)
		n := len(load) - 1
		at, end := load[n*3/4]/(1e4*0.5)/c.theory-1, load[n]/(1e4*0.5)/c.theory-1
		t.Logf("%g degrees: %+.2f %%, then %+.2f %%", c.angle, 100*at, 100*end)
		if !(math.Abs(end) < 0.05) || !(math.Abs(end-at) < 0.01) {
			t.Errorf("%g degrees: %g, then %g above theory", c.angle, at, end)
		}
	}
}

// bearing returns by which part of theory's load a footing carries more, at three quarters of its
// displacement and at its end, for edges of h [m]. Half of the edge beside it carries load with it.
func bearing(t *testing.T, dir string, h float64, pairs bool) (before, end float64) {
	load := loads(t, dir, 3e-3, pairs)
	n := len(load) - 1
	at := func(k int) float64 { return load[k]/(490*(0.5+h/2))/(2+math.Pi) - 1 }
	return at(n * 3 / 4), at(n)
}

// loads returns the mean force on the footing in each increment [N], from 1 on, as it sinks evenly by
// some metres.
func loads(t *testing.T, dir string, sinks float64, pairs bool) (load []float64) {
	d, err := deck.Read(filepath.Join(dir, "footing.toml"))
	noError(t, err)
	m, _, err := d.Load(filepath.Join(dir, "footing.msh"))
	noError(t, err)
	if !pairs {
		m.Mesh.Pairs = nil
	}
	s, err := solver.New(m)
	noError(t, err)
	nothing := func() error { return nil }
	work, time := 0.0, 0.0
	row := func() error {
		to := s.Energies().ExternalWork
		load = append(load, (to-work)/(sinks*(s.Time-time)))
		work, time = to, s.Time
		return nil
	}
	noError(t, Run(context.Background(), s, solver.Observer{Row: row, Frame: nothing, Contact: nothing}))
	return load
}
