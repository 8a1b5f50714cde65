package published

import (
	"fmt"
	"math"

	"fdem/examples/scenes"
	"fdem/io/throw"
)

// rollingByVolume is a disc that rolls on a soft floor. The rolling torque slows it down
// as exp(-k a J t/(I + m b^2)), with b the height of its centre over the centroid of the
// overlap.
var rollingByVolume = Problem{
	Name:   "rolling-by-volume",
	Title:  "a disc that rolls to rest on an elastic foundation with damping",
	Source: "Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedboeuf, A novel contact model based on volumetric information, 2004, eq. (4)",
	Solve:  solveRollingByVolume,
}

func solveRollingByVolume() []Row {
	// A disc of 1 kg and 50 mm on a floor 10 mm thick, k_f/h_f = 1e7 Pa/m.
	const r, k, thickness, duration, speed = 0.05, 1e7, 0.01, 1.0, 0.2
	area := 9.81 / (k * thickness)
	half := math.Pi / 6 // half the angle of the segment of that area
	for range 60 {
		half -= (r*r*(half-math.Sin(half)*math.Cos(half)) - area) / (2 * r * r * math.Sin(half) * math.Sin(half))
	}
	s, c := math.Sincos(half)
	along := r * r * r * r / 4 * (half - s*c - 2./3*s*s*s*c)
	arm := 2. / 3 * r * r * r * s * s * s / area // of the centroid
	var rows []Row
	for _, a := range []float64{1, 2, 4} {
		text := fmt.Sprintf(`
[analysis]
duration = %g
thickness = %g
gravity = [0, -9.81]
safety = 0.4
[[rigid]]
name = "floor"
shape = "line"
from = [-1, 0]
to = [1, 0]
[[rigid]]
name = "disc"
shape = "disc"
centre = [0, %g]
radius = %g
mass = 1
velocity = [%g, 0]
angular_velocity = %g
[[law]]
name = "felt"
model = "volumetric"
k_f = 1e5
h_f = 0.01
a = %g
[[contact]]
contactor = "disc"
opposite = "floor"
law = "felt"
friction = 0.5
friction_speed = "0.1 mm/s"
overlap = "allow"
`, duration, thickness, r*c, r, speed, -speed/arm, a)
		run := throw.Must(scenes.Start("rolling-by-volume", text, nil))
		throw.If(scenes.Finish(run, func() {}))
		rate := k * thickness * a * along / (r*r/2 + arm*arm)
		known := speed * math.Exp(-rate*duration)
		rows = append(rows, Row{
			Case: "disc on a line", Quantity: "speed after 1 s", Unit: "m/s", Given: a,
			Known: known, Computed: run.Motions()[1].Velocity.X, Tolerance: 5e-3 * (speed - known), Note: "closed form, damping a given",
		})
	}
	return rows
}
