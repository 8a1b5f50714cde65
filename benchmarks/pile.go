package benchmarks

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"

	"fdem/examples/scenes"
	"fdem/io/gmsh"
	"fdem/io/throw"
	"fdem/mesh"
	"fdem/solver"
)

// The pile is 200 rocks of examples/rockfall where they have come to rest in their
// hollow, 3,173 triangles and 1,695 boundary edges of 20 contact nodes, with
// friction: most of a step is contact. Falling, they are where they begin, and so are
// many_rocks_ns.

//go:embed pile.msh.gz
var pileMesh []byte

const (
	pileRocks  = 200
	manyRocks  = 20_000
	pileHollow = 0.280374 // radius [m]
	pileRamp   = 1e-3     // in which the overlaps of the mesh come to press [s]
	pileSpeed  = 1.0      // of the rocks that fall [m/s]
)

// pile returns the solver of the rocks after some steps, with or without damping, or
// of so many that fall.
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
	s := throw.Must(scenes.Start("pile.toml", fmt.Sprintf(`
[analysis]
duration = "1 s"
thickness = "10 mm"
gravity = [0, "-9.81 m/s2"]
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
`, damping, velocity, hollow, pileRamp), src))
	for s.Time < 2*pileRamp && falling == 0 {
		throw.If(s.Step(0, nil))
	}
	return s
}

// measurePile measures the steps of the pile.
func (f *Figures) measurePile() {
	f.PileNs = map[string]float64{}
	for _, c := range []struct {
		name    string
		falling int
		damped  bool
	}{{"at rest", 0, false}, {"at rest, damped", 0, true}, {"falling", pileRocks, false}} {
		s := pile(c.falling, c.damped)
		f.PileNs[c.name] = 1e9 * stepTime(s) / float64(len(s.Mesh.Triangles))
	}
	s := pile(manyRocks, false)
	f.ManyRocksNs = 1e9 * stepTime(s) / float64(len(s.Mesh.Triangles))
}
