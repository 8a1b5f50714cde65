package published

import (
	"fmt"
	"math"

	"fdem/examples/scenes"
	"fdem/io/throw"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// rockTunnel unloads the wall of a round tunnel in a rock mass that yields by Hoek and Brown.
var rockTunnel = Problem{
	Name:   "rock-tunnel",
	Title:  "a round tunnel in a rock mass of Hoek and Brown: how far its wall moves, and how far the rock yields",
	Source: "C. Carranza-Torres and C. Fairhurst, International Journal of Rock Mechanics and Mining Sciences 36 (1999) 777-809; a of the 2002 criterion: equilibrium and flow rule, integrated",
	Solve:  solveTunnel,
}

// tunnelDeck is a quarter of the rock; the support on the wall falls slowly from the stress of the
// ground to the pressure that is left.
const tunnelDeck = `mesh = "tunnel.msh"
[analysis]
duration = "0.5 s"
plane = "strain"
thickness = 1
damping = { local = 0.5 }
[output]
history_every = "0.5 s"
[[material]]
name = "rock"
law = "hoek-brown"
young = "5 GPa"
poisson = 0.25
density = 2600
intact_strength = "50 MPa"
mi = 10
gsi = 45
dilation_angle = %g
[[body]]
name = "rock"
material = "rock"
[[initial_stress]]
stress = ["-15 MPa", "-15 MPa", 0]
[[fix]]
on = "bottom"
components = ["y"]
[[fix]]
on = "left"
components = ["x"]
[[load]]
on = "wall"
pressure = "15 MPa"
schedule = [[0, 1], [0.3, %.17g], [1, %.17g]]
[[load]]
on = "far"
pressure = "15 MPa"
`

// tunnelRadius is the radius of the tunnel [m].
const tunnelRadius = 3.0

// quarterRing is a quarter of a ring, of edges of a twentieth of the radius at its wall, which grow
// by 8 % from ring to ring up to some 16 radii.
func quarterRing() *mesh.Source {
	const parts, radius, far = 16, tunnelRadius, 50.0
	src := &mesh.Source{Name: "ring"}
	group := func(name string, dim int, elements ...int32) {
		for i := range src.Groups {
			if g := &src.Groups[i]; g.Name == name {
				g.Elements = append(g.Elements, elements...)
				return
			}
		}
		src.Groups = append(src.Groups, mesh.SourceGroup{Name: name, Dim: dim, Number: len(src.Groups) + 1, Elements: elements})
	}
	var inner []int32
	for r, h, ring := radius, radius/20, 0; ; r, h, ring = r+h, 1.08*h, ring+1 {
		outer := make([]int32, parts+1)
		for j := range outer {
			sin, cos := math.Sincos(0.5 * math.Pi * float64(j) / parts)
			switch j {
			case 0:
				sin, cos = 0, 1
			case parts:
				sin, cos = 1, 0
			}
			outer[j] = src.AddNode(r2.Vec{X: r * cos, Y: r * sin})
		}
		if inner != nil {
			group("bottom", 1, src.AddLine(inner[0], outer[0]))
			group("left", 1, src.AddLine(inner[parts], outer[parts]))
		}
		for j := range parts {
			if inner == nil {
				group("wall", 1, src.AddLine(outer[j], outer[j+1]))
				continue
			}
			a, b, c, d := inner[j], outer[j], outer[j+1], inner[j+1]
			if (ring+j)%2 == 0 {
				group("rock", 2, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
			} else {
				group("rock", 2, src.AddTriangle(a, b, d), src.AddTriangle(b, c, d))
			}
		}
		inner = outer
		if r > far {
			break
		}
	}
	for j := range parts {
		group("far", 1, src.AddLine(inner[j], inner[j+1]))
	}
	return src
}

func solveTunnel() (rows []Row) {
	const ground = 15e6
	for _, c := range []struct{ dilation, support, converges, yields float64 }{
		{0, 1.5e6, 0.0132517, 3.90089},
		{0, 0.5e6, 0.0179305, 4.40637},
		{math.Asin(1./3) * 180 / math.Pi, 1.5e6, 0.0153067, 3.90089},
		{math.Asin(1./3) * 180 / math.Pi, 0.5e6, 0.0232310, 4.40637},
	} {
		left := c.support / ground
		s := throw.Must(scenes.Start("tunnel.toml", fmt.Sprintf(tunnelDeck, c.dilation, left, left), quarterRing()))
		throw.If(scenes.Finish(s, func() {}))
		moved, yielded := tunnelMoved(s)
		row := func(quantity string, known, computed, tolerance float64) {
			rows = append(rows, Row{
				Case: fmt.Sprintf("supported by %g MPa, dilation %.3g degrees", c.support/1e6, c.dilation), Quantity: quantity, Unit: "m",
				Known: known, Computed: computed, Tolerance: tolerance,
			})
		}
		row("convergence", c.converges, moved, 0.04*c.converges)
		row("radius that yields", c.yields, yielded, 0.03*c.yields)
	}
	return rows
}

// tunnelMoved returns the mean displacement of the wall inwards, and the radius of a circle with the
// area of the rock that has yielded and of the tunnel [m].
func tunnelMoved(s *solver.Solver) (moved, yielded float64) {
	n := 0.0
	for i, x := range s.Mesh.X {
		if r := r2.Norm(x); r < tunnelRadius*(1+1e-9) {
			moved += r - r2.Norm(s.X[i])
			n++
		}
	}
	area := math.Pi / 4 * tunnelRadius * tunnelRadius
	for i, t := range s.Mesh.Triangles {
		one := model.Probe{Quantity: "plastic_strain", Region: &model.ProbeRegion{Triangles: []int32{int32(i)}, Take: "max"}}
		if s.ProbeValues(&one, 1)[0] > 0 {
			a, b, c := s.Mesh.X[t[0]], s.Mesh.X[t[1]], s.Mesh.X[t[2]]
			area += 0.5 * math.Abs(r2.Cross(r2.Sub(b, a), r2.Sub(c, a)))
		}
	}
	return moved / n, math.Sqrt(4 * area / math.Pi)
}
