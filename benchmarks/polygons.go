package benchmarks

import (
	"fmt"

	"fdem/examples/scenes"
	"fdem/io/throw"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// Rigid polygons: the falling rocks of the pile, and a wall of bricks in courses, where
// each brick lies on two of the course below.
const (
	polygons    = 10_000
	courses     = 100
	brick, clay = 20e-3, 10e-3 // length and height [m]
	bricks      = polygons / courses
)

// fallingPolygons returns the solver of rigid rocks that fall.
func fallingPolygons() *solver.Solver {
	src, hollow := scenes.Rocks(polygons, 1)
	return rigidPolygons(src, "rocks", fmt.Sprintf("velocity = [0, %g]", -pileSpeed), fmt.Sprintf("shape = \"hollow\"\ncentre = [0, 0]\nradius = %g", hollow))
}

// lyingPolygons returns the solver of a wall of bricks.
func lyingPolygons() *solver.Solver {
	src := &mesh.Source{Name: "wall"}
	for j := range courses {
		for i := range bricks {
			at := func(x, y float64) int32 {
				return src.AddNode(r2.Vec{X: (float64(i) + 0.5*float64(j&1) + x) * brick, Y: (float64(j) + y) * clay})
			}
			a, b, c, d := at(0, 0), at(1, 0), at(1, 1), at(0, 1)
			src.AddTriangle(a, b, c)
			src.AddTriangle(a, c, d)
		}
	}
	scenes.Group(src, "bricks", 0)
	return rigidPolygons(src, "bricks", "", fmt.Sprintf("shape = \"line\"\nfrom = [-1, 0]\nto = [%g, 0]", 1+(bricks+1)*brick))
}

// rigidPolygons returns the solver of the components of a surface as rigid bodies, and of
// a ground.
func rigidPolygons(src *mesh.Source, surface, velocity, ground string) *solver.Solver {
	return throw.Must(scenes.Start("wall.toml", fmt.Sprintf(`
[analysis]
duration = 1
thickness = "10 mm"
gravity = [0, "-9.81 m/s2"]
[[rigid]]
name = "bodies"
shape = "polygon"
on = %q
density = "2000 kg/m3"
%s
[[rigid]]
name = "ground"
%s
[[contact]]
contactor = "all"
opposite = "all"
friction = 0.5
`, surface, velocity, ground), src))
}

// measurePolygons measures both, for each body, and for each contact node of the wall
// that is in contact or nearly so.
func (f *Figures) measurePolygons() {
	fall, lie := fallingPolygons(), lyingPolygons()
	f.PolygonFallingNs = 1e9 * stepTime(fall) / polygons
	f.PolygonLyingNs = 1e9 * stepTime(lie) / polygons
	f.PolygonTouches = nodesNear(lie) / polygons
}
