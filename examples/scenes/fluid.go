package scenes

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Meshes of rock with a well, for fluids in cracks, and the common parts of their decks.

// RockBody is the rock of such a deck: E' is 32 GPa.
const RockBody = `[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.25
density = "2600 kg/m3"
[[body]]
name = "rock"
material = "rock"
`

// HeldHalf returns the blocks that hold a HalfPlane under a stress along x and y [Pa],
// with an open notch.
func HeldHalf(sx, sy float64) string {
	return fmt.Sprintf(`[[initial_stress]]
stress = [%g, %g, 0.0]
[[fix]]
on = "axis"
components = ["x"]
[[fix]]
on = "far"
[[joint]]
on = "notch"
friction = 0.6
`, sx, sy)
}

// HeldOpen returns the blocks that hold all nodes of a Board, so that joints on its
// curves stay open by 50 um for water at 1 MPa.
func HeldOpen(duration, more string, joints ...string) string {
	text := fmt.Sprintf("[analysis]\nduration = %q\nplane = \"strain\"\nstep = \"0.5 us\"\n", duration) + RockBody + `[[fix]]
on = "all"
[[fluid]]
name = "water"
well = "mouth"
pressure = "1 MPa"
viscosity = "1 mPa s"
residual = "50 um"
at_start = "full"
` + more
	for _, on := range joints {
		text += fmt.Sprintf("\n[[joint]]\non = %q\nfriction = 0.6\n", on)
	}
	return text
}

// graded returns positions from 0 on: steps of h up to fine, then steps that grow by a
// factor up to end.
func graded(h, fine, end, factor float64) (at []float64) {
	for i := range int(math.Round(fine/h)) + 1 {
		at = append(at, h*float64(i))
	}
	for step := h * factor; at[len(at)-1] < end-1e-9; step *= factor {
		next := at[len(at)-1] + step
		if end-next < step {
			next = end
		}
		at = append(at, next)
	}
	return at
}

// HalfPlane is the right half of a plane with a straight seam from (0, 0) along x: "notch"
// up to a length, "seam" beyond; "mouth" is the edges beside (0, 0) on the axis, "axis" all
// of it, "far" the other sides [m].
func HalfPlane(h, notch, fine, size float64) *mesh.Source {
	return halfPlane(graded(h, fine, size, 1.25), graded(h, 4*h, size, 1.25), int(math.Round(notch/h)), false)
}

// ZigzagHalfPlane is a HalfPlane of nearly equilateral triangles of side h without an edge along
// x beyond the notch, which has so many edges: a crack along x is a zigzag at 30 degrees.
func ZigzagHalfPlane(h float64, notch int, fine, size float64) *mesh.Source {
	return halfPlane(graded(0.5*math.Sqrt(3)*h, fine, size, 1.25), graded(h, 4*h, size, 1.25), notch, true)
}

// EvenHalfPlane is a HalfPlane whose notch has so many equal edges; beyond four more, those of
// the mesh grow by a tenth each, so that little is lost but at the tip.
func EvenHalfPlane(notch float64, edges int, size float64) *mesh.Source {
	h := notch / float64(edges)
	return halfPlane(graded(h, notch+float64(4*h), size, 1.1), graded(h, 4*h, size, 1.1), edges, false)
}

// TippedHalfPlane is a HalfPlane whose notch has so many edges, each longer than the one
// before by a factor, from its tip on.
func TippedHalfPlane(notch float64, edges int, factor, size float64) *mesh.Source {
	h := notch * (factor - 1) / (elementary.Pow(factor, float64(edges)) - 1)
	beyond := graded(h, h, size-notch, factor)
	xs := make([]float64, edges, edges+len(beyond))
	for i, back := edges-1, h; i > 0; i-- {
		xs[i] = notch - back
		back = h + float64(back*factor)
	}
	for _, x := range beyond {
		xs = append(xs, notch+x)
	}
	return halfPlane(xs, graded(h, h, size, factor), edges, false)
}

// halfPlane is a HalfPlane with nodes at positions along x and, from the seam on, along y; at is
// the number of the position where the notch ends. In a zigzag every other column of nodes beyond
// is moved up by half of an edge.
func halfPlane(xs, ys []float64, at int, zigzag bool) *mesh.Source {
	src := &mesh.Source{Name: "rock"}
	n := len(ys)
	height := func(j int) float64 { return math.Copysign(ys[max(j, -j)], float64(j)) }
	raised := func(i int) bool { return zigzag && i > at && (i-at)%2 == 1 }
	ids := map[[2]int]int32{}
	node := func(i, j int) int32 { // j from 1-n to n-1
		id, ok := ids[[2]int{i, j}]
		if !ok {
			y := height(j)
			if raised(i) && j > 1-n && j < n-1 {
				y = 0.5 * (y + height(j+1))
			}
			id = src.AddNode(r2.Vec{X: xs[i], Y: y})
			ids[[2]int{i, j}] = id
		}
		return id
	}
	rock := mesh.SourceGroup{Name: "rock", Dim: 2, Number: 1}
	for j := 1 - n; j < n-1; j++ {
		for i := range len(xs) - 1 {
			a, b, c, d := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
			up := j >= 0
			if rising := (i+max(j, -j-1))%2 == 0 == up; zigzag && raised(i) || !zigzag && rising {
				rock.Elements = append(rock.Elements, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
			} else {
				rock.Elements = append(rock.Elements, src.AddTriangle(a, b, d), src.AddTriangle(b, c, d))
			}
		}
	}
	src.Groups = append(src.Groups, rock)
	line := func(name string, nodes ...int32) {
		g := mesh.SourceGroup{Name: name, Dim: 1, Number: 1 + len(src.Groups)}
		for i := range len(nodes) - 1 {
			g.Elements = append(g.Elements, src.AddLine(nodes[i], nodes[i+1]))
		}
		src.Groups = append(src.Groups, g)
	}
	var along, axis, far []int32
	for i := range xs {
		along = append(along, node(i, 0))
		far = append(far, node(i, 1-n))
	}
	for j := 1 - n; j < n; j++ {
		axis = append(axis, node(0, j))
		far = append(far, node(len(xs)-1, j))
	}
	for i := len(xs) - 1; i >= 0; i-- {
		far = append(far, node(i, n-1))
	}
	line("notch", along[:at+1]...)
	line("seam", along[at:]...)
	line("mouth", axis[n-2:n+1]...)
	line("axis", axis...)
	line("far", far...)
	return src
}

// Star is a quarter of a plane with four cracks along its diagonals, from a square hole of
// half width h: "notch" up to so many edges of h by h, "seam" beyond; "hole" is the well, "left"
// and "bottom" the axes of symmetry, "far" the other sides [m].
func Star(h float64, notch int, fine, size float64) *mesh.Source {
	at := graded(h, fine, size, 1.25)
	n := len(at)
	src := &mesh.Source{Name: "rock"}
	for _, y := range at {
		for _, x := range at {
			src.AddNode(r2.Vec{X: x, Y: y}) // of the hole's corner, too: nothing has that
		}
	}
	node := func(i, j int) int32 { return int32(j*n + i) }
	rock := mesh.SourceGroup{Name: "rock", Dim: 2, Number: 1}
	for j := range n - 1 {
		for i := range n - 1 {
			if i+j > 0 {
				a, b, c, d := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
				rock.Elements = append(rock.Elements, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
			}
		}
	}
	src.Groups = append(src.Groups, rock)
	line := func(name string, from, to, di, dj int, nodes ...int32) {
		for k := from; k <= to; k++ {
			nodes = append(nodes, node(k*di, k*dj))
		}
		g := mesh.SourceGroup{Name: name, Dim: 1, Number: 1 + len(src.Groups)}
		for i := range len(nodes) - 1 {
			g.Elements = append(g.Elements, src.AddLine(nodes[i], nodes[i+1]))
		}
		src.Groups = append(src.Groups, g)
	}
	line("notch", 1, notch+1, 1, 1)
	line("seam", notch+1, n-1, 1, 1)
	line("hole", 0, -1, 0, 0, node(1, 0), node(1, 1), node(0, 1))
	line("left", 1, n-1, 0, 1)
	line("bottom", 1, n-1, 1, 0)
	var far []int32
	for j := range n {
		far = append(far, node(n-1, j))
	}
	for i := n - 2; i >= 0; i-- {
		far = append(far, node(i, n-1))
	}
	line("far", 0, -1, 0, 0, far...)
	return src
}

// Hole is rock round a hole, of radii in metres; every second row of nodes is turned by a
// share of an edge: without, edges go radially. "ray" goes out along x.
func Hole(hole, size float64, round, rows int, turned float64) *mesh.Source {
	src := &mesh.Source{Name: "ring"}
	grow := math.Pow(size/hole, 1/float64(rows))
	node := func(i, j int) int32 { return int32(j*round + i%round) }
	for j := range rows + 1 {
		r := hole * math.Pow(grow, float64(j))
		for i := range round {
			sin, cos := elementary.Sincos(2 * math.Pi * (float64(i) + float64(turned*float64(j%2))) / float64(round))
			src.AddNode(r2.Vec{X: r * cos, Y: r * sin})
		}
	}
	rock := mesh.SourceGroup{Name: "rock", Dim: 2, Number: 1}
	wall, far := mesh.SourceGroup{Name: "hole", Dim: 1, Number: 2}, mesh.SourceGroup{Name: "far", Dim: 1, Number: 3}
	ray := mesh.SourceGroup{Name: "ray", Dim: 1, Number: 4}
	for j := range rows {
		for i := range round {
			a, b, c, d := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
			if j%2 == 0 {
				rock.Elements = append(rock.Elements, src.AddTriangle(b, a, d), src.AddTriangle(b, d, c))
			} else {
				rock.Elements = append(rock.Elements, src.AddTriangle(b, a, c), src.AddTriangle(a, d, c))
			}
		}
	}
	for i := range round {
		wall.Elements = append(wall.Elements, src.AddLine(node(i, 0), node(i+1, 0)))
		far.Elements = append(far.Elements, src.AddLine(node(i, rows), node(i+1, rows)))
	}
	for j := range rows {
		ray.Elements = append(ray.Elements, src.AddLine(node(0, j), node(0, j+1)))
	}
	src.Groups = append(src.Groups, rock, wall, far, ray)
	return src
}

// Board is a rectangle of squares of h, all of whose nodes are in "all": "seam" is along x
// in its middle, "branch" from the middle of that to the upper side, "mouth" the edges
// beside the seam on the left, "sides" the lower and the upper side.
func Board(h float64, across, half int) *mesh.Source {
	src := &mesh.Source{Name: "board"}
	for j := -half; j <= half; j++ {
		for i := range across + 1 {
			src.AddNode(r2.Vec{X: h * float64(i), Y: h * float64(j)})
		}
	}
	node := func(i, j int) int32 { return int32((j+half)*(across+1) + i) }
	rock := mesh.SourceGroup{Name: "rock", Dim: 2, Number: 1}
	groups := make([]mesh.SourceGroup, 5)
	for k, name := range []string{"all", "seam", "branch", "mouth", "sides"} {
		groups[k] = mesh.SourceGroup{Name: name, Dim: 1, Number: 2 + k}
	}
	line := func(k int, a, b int32) { groups[k].Elements = append(groups[k].Elements, src.AddLine(a, b)) }
	for j := -half; j <= half; j++ {
		for i := range across {
			a, b := node(i, j), node(i+1, j)
			line(0, a, b)
			switch {
			case j == 0:
				line(1, a, b)
			case max(j, -j) == half:
				line(4, a, b)
			}
			if j < half {
				c, d := node(i+1, j+1), node(i, j+1)
				rock.Elements = append(rock.Elements, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
			}
		}
		if j >= 0 && j < half {
			line(2, node(across/2, j), node(across/2, j+1))
		}
	}
	line(3, node(0, -1), node(0, 0))
	line(3, node(0, 0), node(0, 1))
	src.Groups = append(append(src.Groups, rock), groups...)
	return src
}
