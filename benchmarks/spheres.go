package benchmarks

import (
	"context"
	"fmt"
	"math"

	"fdem/examples/scenes"
	"fdem/io/throw"
	"fdem/mesh"
	"fdem/mesh/shapes"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// sphereSteps is the number of steps of spheres that are measured together.
const sphereSteps = 50

// sphereColumns by sphereRows are the spheres of sphere_settled_ns.
const sphereColumns, sphereRows = 400, 25

// rigidFloor is a floor that is a line.
const rigidFloor = `
[[rigid]]
name = "floor"
shape = "line"
from = [0, 0]
to = [%g, 0]
`

// meshedFloor is a floor of triangles.
const meshedFloor = `
[[material]]
name = "ground"
young = "100 MPa"
poisson = 0.3
density = "2500 kg/m3"
[[body]]
name = "floor"
material = "ground"
[[fix]]
on = "foot"
`

// floorEdge is the edge and floorHeight the height of the triangles under
// sphere_on_mesh_ns [m]. There are 10,000 triangles under the spheres.
const floorEdge, floorHeight = 0.02, 0.22

// balls is a box of columns by rows of spheres of eight sizes, in a hexagonal packing
// with a spacing and a distance to the floor [m], under their weight. Their material is
// so soft that they come to rest in some thousand steps. The floor may be meshed.
func balls(columns, rows int, spacing, over float64, meshed bool) *solver.Solver {
	width, height := spacing*(float64(columns)+0.5), over+spacing*float64(rows)
	floor, src := fmt.Sprintf(rigidFloor, width), (*mesh.Source)(nil)
	if meshed {
		floor, src = meshedFloor, &mesh.Source{}
		part := throw.Must(shapes.Rectangle(src, "floor", r2.Vec{Y: -floorHeight}, r2.Vec{X: width}, floorEdge))
		part.Curve("foot", shapes.Bottom)
	}
	return throw.Must(scenes.Start("balls.toml", fmt.Sprintf(`
[analysis]
duration = 10
gravity = [0, -9.81]
[[material]]
name = "rubber"
young = "3 MPa"
poisson = 0.3
density = "2500 kg/m3"
[[particle]]
name = "balls"
material = "rubber"
radius = ["9.9 mm", "10 mm"]
position = [%[1]g, %[2]g]
grid = [%[3]d, %[4]d]
packing = "hexagonal"
spacing = %[5]g
%[8]s
[[rigid]]
name = "left"
shape = "line"
from = [0, %[7]g]
to = [0, 0]
[[rigid]]
name = "right"
shape = "line"
from = [%[6]g, 0]
to = [%[6]g, %[7]g]
[[law]]
name = "law"
model = "tsuji"
restitution = 0.3
[[interaction]]
law = "law"
friction = 0.4
friction_model = "stick"
`, 0.5*spacing, over+0.5*spacing, columns, rows, spacing, width, height, floor), src))
}

// sphereTimes returns the time of a step per sphere [ns] of columns by rows of spheres
// while they fall and when they are at rest, and the number of contacts per sphere at
// rest.
func sphereTimes(columns, rows int) (falling, settled, contacts float64) {
	falling = sphereStep(balls(columns, rows, 0.0205, 1, false))
	s, settled := runToRest(columns, rows, false)
	return falling, settled, float64(s.Spheres().Interaction[0].Active) / float64(columns*rows)
}

// runToRest lets columns by rows of spheres come to rest, on a rigid floor or a
// meshed one, and returns the time of a step per sphere [ns].
func runToRest(columns, rows int, meshed bool) (s *solver.Solver, settled float64) {
	s = balls(columns, rows, 0.02001, 0, meshed)
	runTo(s, 0.017*math.Sqrt(float64(rows))) // a column settles by a hundredth of its height
	return s, sphereStep(s)
}

// runTo runs to a time [s].
func runTo(s *solver.Solver, t float64) {
	s.Duration = t
	nothing := func() error { return nil }
	throw.If(s.Run(context.Background(), solver.Observer{Row: nothing, Frame: nothing}))
}

// sphereStep returns the time of a step per sphere [ns]: the fastest of many hundreds of
// steps, in which the list of neighbours is made at least once.
func sphereStep(s *solver.Solver) float64 {
	now, release := clock(1)
	defer release()
	best, steps := math.Inf(1), 0
	began := now()
	end := began + figureTime.Seconds()
	runOn(s, func() bool {
		if steps++; steps == sphereSteps {
			best = min(best, (now()-began)/float64(steps))
			began, steps = now(), 0
		}
		return began <= end
	})
	return 1e9 * best / float64(len(s.Spheres().Radius))
}
