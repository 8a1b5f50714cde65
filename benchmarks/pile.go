package benchmarks

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"runtime"

	"fdem/examples/scenes"
	"fdem/io/gmsh"
	"fdem/io/throw"
	"fdem/mesh"
	"fdem/solver"
)

// The pile is 200 rocks of examples/rockfall at rest in their hollow: 3,173 triangles and
// 1,695 boundary edges with 20 contact nodes each, with friction. Most of the time of a
// step is contact. The falling rocks are in their positions at the start, and so are
// those of many_rocks_ns. At rest a whole run is measured, from reading the mesh on. In a
// ramp the overlaps of the mesh and the weight are applied, and then about 2,500 contact
// nodes are in contact.

//go:embed pile.msh.gz
var pileMesh []byte

const (
	pileRocks  = 200
	manyRocks  = 20_000
	pileHollow = 0.28039 // radius [m]; corners of the rocks lie up to 0.06 mm beyond it
	pileRamp   = 1e-3    // time in which the overlaps of the mesh are ramped in [s]
	pileEnd    = 12e-3   // of the run at rest [s]
	pileRuns   = 3       // of it
	pileSpeed  = 1.0     // of the rocks that fall [m/s]
)

// pile returns the solver of the rocks, with or without damping, or of a number of rocks
// that fall.
func pile(falling int, damped bool) *solver.Solver {
	damping, velocity, hollow := "", "", pileHollow
	if damped {
		damping = `damping = { mass = "3 1/s", stiffness = "1 us" }`
	}
	var src *mesh.Source
	if falling > 0 {
		src, hollow = scenes.Rocks(falling, 1)
		velocity = fmt.Sprintf("velocity = [0, %g]", -pileSpeed)
	} else {
		in := throw.Must(gzip.NewReader(bytes.NewReader(pileMesh)))
		src = throw.Must(gmsh.Parse("pile.msh", throw.Must(io.ReadAll(in))))
	}
	return throw.Must(scenes.Start("pile.toml", fmt.Sprintf(`
[analysis]
duration = %g
thickness = "10 mm"
gravity = [0, "-9.81 m/s2"]
gravity_schedule = "min(1, t/%g)"
start = "sudden"
%s
[[material]]
name = "stiff clay"
young = "10 MPa"
poisson = 0.3
density = "2000 kg/m3"
[[body]]
name = "rocks"
material = "stiff clay"
%s
[[rigid]]
name = "hollow"
shape = "hollow"
centre = [0, 0]
radius = %g
[[law]]
name = "penalty"
model = "linear"
k = "1.6 GPa/mm"
[[contact]]
contactor = "rocks"
opposite = "all"
law = "penalty"
friction = 0.5
friction_speed = "5 mm/s"
overlap = "allow"
overlap_ramp = %g
`, pileEnd, pileRamp, damping, velocity, hollow, pileRamp), src))
}

// measurePile measures the pile.
func (f *Figures) measurePile() {
	perTriangle := func(step float64, s *solver.Solver) float64 { return 1e9 * step / float64(len(s.Mesh.Triangles)) }
	f.PileNs = map[string]float64{}
	for _, c := range []struct {
		name   string
		damped bool
	}{{"at rest", false}, {"at rest, damped", true}} {
		took, last := runTime(1, func() *solver.Solver { return pile(0, c.damped) }, pileRuns)
		f.PileNs[c.name] = perTriangle(took/float64(last.N), last)
		if !c.damped {
			f.ContactNarrowNs = narrowTime(last)
		}
	}
	if runtime.GOMAXPROCS(0) > 1 {
		took, last := runTime(2, func() *solver.Solver { return pile(0, false) }, pileRuns)
		f.PileTwoNs = perTriangle(took/float64(last.N), last)
	}
	fall := func(rocks int) float64 {
		s := pile(rocks, false)
		return perTriangle(stepTime(s), s)
	}
	f.PileNs["falling"], f.ManyRocksNs = fall(pileRocks), fall(manyRocks)
}

// narrowTime returns the wall-clock time of the narrow phase of a run for each contact
// node in contact or nearly so, from the run's profile [ns].
func narrowTime(s *solver.Solver) float64 {
	seconds := 0.0
	for _, t := range s.Profile().Phases {
		if t.Name == "narrow phase" {
			seconds = t.Seconds
		}
	}
	return 1e9 * seconds / (float64(s.N) * nodesNear(s))
}

// nodesNear returns the mean number of contact nodes of a step that were in contact or
// nearly so.
func nodesNear(s *solver.Solver) (nodes float64) {
	for _, c := range s.Profile().Counts {
		if c.Name == "contact nodes that touch" || c.Name == "contact nodes about to touch" {
			nodes += c.Mean
		}
	}
	return nodes
}
