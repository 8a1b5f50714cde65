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
	for r, h, ring := radius, firstRing, 0; ; r, h, ring = r+h, ringGrowth*h, ring+1 {
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

// Width of the first ring of triangles [m], and the ratio of the next one's to it.
const (
	firstRing  = tunnelRadius / 20
	ringGrowth = 1.08
)

// tunnelMoved returns the mean displacement of the wall inwards, and the radius at which plastic
// strain, which is that of a ring as a whole, falls to zero along a line through the last two rings
// that have any [m].
func tunnelMoved(s *solver.Solver) (moved, yielded float64) {
	n := 0.0
	for i, x := range s.Mesh.X {
		if r := r2.Norm(x); r < tunnelRadius*(1+1e-9) {
			moved += r - r2.Norm(s.X[i])
			n++
		}
	}
	var radius, strain, count []float64 // of each ring: means over its triangles, and their number
	for i, t := range s.Mesh.Triangles {
		one := model.Probe{Quantity: "plastic_strain", Region: &model.ProbeRegion{Triangles: []int32{int32(i)}, Take: "max"}}
		a, b, c := s.Mesh.X[t[0]], s.Mesh.X[t[1]], s.Mesh.X[t[2]]
		at, ring := r2.Norm(r2.Scale(1.0/3, r2.Add(a, r2.Add(b, c)))), 0
		for r, h := tunnelRadius+firstRing, firstRing; r < at; ring++ {
			h *= ringGrowth
			r += h
		}
		for ring >= len(radius) {
			radius, strain, count = append(radius, 0), append(strain, 0), append(count, 0)
		}
		radius[ring] += at
		strain[ring] += s.ProbeValues(&one, 1)[0]
		count[ring]++
	}
	for i, n := range count {
		radius[i] /= n
		strain[i] /= n
	}
	last := 0
	for last+1 < len(strain) && strain[last+1] > 0 {
		last++
	}
	if last == 0 {
		return moved / n, radius[0]
	}
	yielded = radius[last] + (radius[last]-radius[last-1])*strain[last]/(strain[last-1]-strain[last])
	return moved / n, min(yielded, radius[last+1])
}
