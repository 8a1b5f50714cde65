package benchmarks

import (
	"fmt"
	"math"
	"strings"

	"fdem/examples/scenes"
	"fdem/io/throw"
	"fdem/mesh"
	"fdem/solver"
)

// Rigid blocks by impulses: twelve dominoes, also by contact laws, a wall of 1,020 blocks at rest, and the rocks of
// the pile as 10,000 rigid polygons that fall into their hollow and settle.

const (
	dominoEnd   = 0.8 // of the run [s]
	dominoRuns  = 3
	wallBlocks  = 25 // in a course, and a half more in every other one
	wallCourses = 40
	fallSteps   = 1400 // of the polygons, of which the last are measured
	fallLast    = 100
	fallSweeps  = 30 // at most in a step of theirs, as of a flow
)

// dominoes returns the solver of twelve dominoes of which the first falls.
func dominoes(integrator string) *solver.Solver {
	s := &strings.Builder{}
	fmt.Fprintf(s, "[analysis]\nintegrator = %q\nduration = %g\ngravity = [0, -9.81]\n", integrator, dominoEnd)
	s.WriteString("[[rigid]]\nname = \"floor\"\nshape = \"line\"\nfrom = [-1, 0]\nto = [2, 0]\n")
	for i := range 12 {
		block(s, fmt.Sprint("b", i), 0.024*float64(i), 0.024, 0.0075, 0.048, 700)
		if i == 0 {
			s.WriteString("angular_velocity = -6\nvelocity = [0.144, 0.0225]\n")
		}
	}
	s.WriteString("[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\nfriction = 0.2\n")
	return throw.Must(scenes.Start("dominoes.toml", s.String(), &mesh.Source{Name: "none"}))
}

// block appends a rigid box to a deck.
func block(s *strings.Builder, name string, x, y, width, height, density float64) {
	fmt.Fprintf(s, "[[rigid]]\nname = %q\nshape = \"box\"\ncentre = [%v, %v]\nwidth = %v\nheight = %v\ndensity = %v\n", name, x, y, width, height, density)
}

// blockWall returns the solver of a wall of blocks at rest, by impulses.
func blockWall() *solver.Solver {
	s := &strings.Builder{}
	s.WriteString("[analysis]\nintegrator = \"impulses\"\nstep = 1e-3\nduration = 1\ngravity = [0, -9.81]\n")
	s.WriteString("[[rigid]]\nname = \"floor\"\nshape = \"line\"\nfrom = [-1, 0]\nto = [20, 0]\n")
	for j := range wallCourses {
		x := 0.0
		for i := range wallBlocks + j%2 {
			w := 0.4
			if j%2 == 1 && (i == 0 || i == wallBlocks) {
				w = 0.2
			}
			block(s, fmt.Sprintf("b%d-%d", j, i), x+w/2, 0.2*(float64(j)+0.5), w, 0.2, 2000)
			x += w
		}
	}
	s.WriteString("[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\nfriction = 0.5\n")
	return throw.Must(scenes.Start("blocks.toml", s.String(), &mesh.Source{Name: "none"}))
}

// settlingPolygons returns the solver of polygons that fall into their hollow, by impulses.
func settlingPolygons() *solver.Solver {
	src, hollow := scenes.Rocks(polygons, 1)
	return throw.Must(scenes.Start("polygons.toml", fmt.Sprintf(`
[analysis]
integrator = "impulses"
impulses = { sweeps = %d }
duration = 10
thickness = "10 mm"
gravity = [0, "-9.81 m/s2"]
[[rigid]]
name = "rocks"
shape = "polygon"
on = "rocks"
density = "2000 kg/m3"
velocity = [0, %g]
[[rigid]]
name = "ground"
shape = "hollow"
centre = [0, 0]
radius = %g
[[contact]]
contactor = "all"
opposite = "all"
friction = 0.5
`, fallSweeps, -pileSpeed, hollow), src))
}

// stepsTime returns the processor time of some steps of a run [s].
func stepsTime(s *solver.Solver, steps int) float64 {
	now, release := clock(1)
	defer release()
	began := now()
	for range steps {
		throw.If(s.Step(0, func(dt float64) (bool, error) { return dt > 0, nil }))
	}
	return now() - began
}

// measureBlocks measures them. The two integrators of the dominoes take turns.
func (f *Figures) measureBlocks() {
	f.DominoesS, f.DominoesExplicitS = math.Inf(1), math.Inf(1)
	for range dominoRuns {
		for _, of := range []struct {
			integrator string
			least      *float64
		}{{"explicit", &f.DominoesExplicitS}, {"impulses", &f.DominoesS}} {
			took, _ := runTime(1, func() *solver.Solver { return dominoes(of.integrator) }, 1)
			*of.least = min(*of.least, took)
		}
	}
	wall := blockWall()
	stepsTime(wall, 1)
	f.BlockWallMs = math.Inf(1)
	for range 10 {
		f.BlockWallMs = min(f.BlockWallMs, 1e3*stepsTime(wall, 10)/10)
	}
	fall := settlingPolygons()
	stepsTime(fall, fallSteps-fallLast)
	before := fall.Kinds.Impulses.Solved
	took := stepsTime(fall, fallLast)
	f.PolygonSettlingMs = 1e3 * took / fallLast
	f.PointSweepNs = 1e9 * took / float64(fall.Kinds.Impulses.Solved-before)
}
