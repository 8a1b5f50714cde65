package scenes

import (
	"math"
	"math/rand"
	"slices"

	"fdem/mesh"
	"fdem/mesh/shapes"

	"gonum.org/v1/gonum/spatial/r2"
)

// Spall appends a bar of 500 by 5 mm along x in n rows of cells, with two
// physical curves: "struck", its end x = 0, and "plane", across it at 440 mm.
func Spall(src *mesh.Source, n int) {
	const long, high, plane = 100, 1, 88 // in 5 mm
	first := len(src.X)
	Block(src, "bar", r2.Vec{}, 0, 5e-3*long, 5e-3*high, long*n, high*n)
	across := func(name string, column int) {
		var nodes []int32
		for j := range high*n + 1 {
			nodes = append(nodes, int32(first+j*(long*n+1)+column))
		}
		curve(src, name, nodes)
	}
	across("struck", 0)
	across("plane", plane*n)
}

// curve gives a name to the lines from node to node.
func curve(src *mesh.Source, name string, nodes []int32) {
	g := mesh.SourceGroup{Name: name, Dim: 1, Number: len(src.Groups) + 1}
	for i := range len(nodes) - 1 {
		g.Elements = append(g.Elements, int32(len(src.Lines)))
		src.Lines = append(src.Lines, [2]int32{nodes[i], nodes[i+1]})
		src.LineID = append(src.LineID, int64(len(src.Triangles)+len(src.Lines)))
	}
	src.Groups = append(src.Groups, g)
}

// BrazilianRadius is that of the disc [m], BrazilianArc half the angle of the
// arcs that load it, to the nearest of its sides [rad].
const (
	BrazilianRadius = 25e-3
	BrazilianArc    = 10 * math.Pi / 180
)

// Brazilian appends a disc about the origin: 216 sides, irregular
// triangles of their size, and two physical curves, "top" and "bottom", of 10
// degrees to both sides of the y axis.
func Brazilian(src *mesh.Source, seed int64) error {
	const sides, arc = 216, 6 // sides to either side of the axis
	first := len(src.X)
	if err := PressedDisc(src, BrazilianRadius, sides, arc, 0); err != nil {
		return err
	}
	edge := r2.Norm(r2.Sub(src.X[first+1], src.X[first]))
	perturbNodes(src.X[first+sides:], 0.15*edge, seed, func(x r2.Vec) bool { return r2.Norm(x) < BrazilianRadius-1.5*edge })
	return nil
}

// PressedDisc appends the body "disc" about the origin: a number of sides, a multiple
// of 4, triangles of their size, and two physical curves, "top" and "bottom", of so many
// sides to both sides of the y axis when that is turned by so many sides, anticlockwise.
func PressedDisc(src *mesh.Source, radius float64, sides, arc, turn int) error {
	var corners []r2.Vec
	for i := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(sides))
		corners = append(corners, r2.Vec{X: radius * cos, Y: radius * sin})
	}
	first := len(src.X)
	if _, err := shapes.Polygon(src, "disc", corners, r2.Norm(r2.Sub(corners[1], corners[0]))); err != nil {
		return err
	}
	for k, name := range []string{"bottom", "top"} {
		var nodes []int32
		for i := -arc; i <= arc; i++ {
			nodes = append(nodes, int32(first+(sides*(3-2*k)/4+turn+i+sides)%sides))
		}
		curve(src, name, nodes)
	}
	return nil
}

// perturbNodes moves the inner nodes of some nodes at random, by at most most in x and in
// y, since cracks follow rows of triangles.
func perturbNodes(nodes []r2.Vec, most float64, seed int64, inside func(r2.Vec) bool) {
	rng := rand.New(rand.NewSource(seed))
	for i := range nodes {
		x := &nodes[i]
		if dx, dy := 2*rng.Float64()-1, 2*rng.Float64()-1; inside(*x) {
			x.X += most * dx
			x.Y += most * dy
		}
	}
}

// within tells whether a position is in a rectangle from the origin, farther from its
// sides than d.
func within(width, height, d float64) func(r2.Vec) bool {
	return func(x r2.Vec) bool { return x.X > d && x.X < width-d && x.Y > d && x.Y < height-d }
}

// Compression appends a block of 25 by 50 mm from the origin, the body "rock" of
// irregular triangles, and the curves "bottom", "top", "left" and "right".
func Compression(src *mesh.Source, edge float64, seed int64) error {
	const width, height = 25e-3, 50e-3
	first := len(src.X)
	part, err := shapes.Rectangle(src, "rock", r2.Vec{}, r2.Vec{X: width, Y: height}, edge)
	if err != nil {
		return err
	}
	perturbNodes(src.X[first:], 0.25*edge, seed, within(width, height, edge/4))
	part.Curve("bottom", shapes.Bottom)
	part.Curve("top", shapes.Top)
	part.Curve("left", shapes.Left)
	part.Curve("right", shapes.Right)
	return nil
}

// Ring appends a ring of mean radius 215 mm and a wall of 3 mm about the origin, the
// body "ring", in cells of two triangles, about so long along and across the wall [m].
// All diagonals go the same way, as in the mesh of the example expanding-ring.
func Ring(src *mesh.Source, along, across float64) {
	const mean, wall = 215e-3, 3e-3
	n, rows := int32(math.Round(2*math.Pi*mean/along)), int32(math.Round(wall/across))
	nodes, triangles := int32(len(src.X)), len(src.Triangles)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		for j := range rows + 1 {
			r := mean + wall*(float64(j)/float64(rows)-0.5)
			src.AddNode(r2.Vec{X: r * cos, Y: r * sin})
		}
	}
	for i := range n {
		for j := range rows {
			a, d := nodes+i*(rows+1)+j, nodes+(i+1)%n*(rows+1)+j
			src.AddTriangle(a, a+1, d+1)
			src.AddTriangle(a, d+1, d)
		}
	}
	Group(src, "ring", triangles)
}

// slit is a rectangle of cells with a cut without width in it, from its outline to a
// node. Each side of the cut has its own nodes.
type slit struct {
	columns, rows []float64           // [m]
	cut           func(i, j int) bool // whether the node of column i and row j is on the cut
	beyond        func(i, j int) bool // whether the cell that begins there is on its second side
	first, second map[[2]int]int32    // node numbers, of the nodes on the cut on its second side
}

// add appends the cells, two triangles each, as the body of that name.
func (s *slit) add(src *mesh.Source, name string) {
	s.first, s.second = map[[2]int]int32{}, map[[2]int]int32{}
	for j, y := range s.rows {
		for i, x := range s.columns {
			s.first[[2]int{i, j}] = src.AddNode(r2.Vec{X: x, Y: y})
			if s.cut(i, j) {
				s.second[[2]int{i, j}] = src.AddNode(r2.Vec{X: x, Y: y})
			}
		}
	}
	g := mesh.SourceGroup{Name: name, Dim: 2, Number: len(src.Groups) + 1}
	for j := range len(s.rows) - 1 {
		for i := range len(s.columns) - 1 {
			node := func(di, dj int) int32 {
				at := [2]int{i + di, j + dj}
				if n, ok := s.second[at]; ok && s.beyond(i, j) {
					return n
				}
				return s.first[at]
			}
			a, b, c, d := node(0, 0), node(1, 0), node(1, 1), node(0, 1)
			two := [2][3]int32{{a, b, c}, {a, c, d}}
			if (i+j)%2 == 1 {
				two = [2][3]int32{{a, b, d}, {b, c, d}}
			}
			for _, t := range two {
				g.Elements = append(g.Elements, int32(len(src.Triangles)))
				src.Triangles = append(src.Triangles, t)
				src.TriID = append(src.TriID, int64(len(src.Lines)+len(src.Triangles)))
			}
		}
	}
	src.Groups = append(src.Groups, g)
}

// point gives a name to a node.
func point(src *mesh.Source, name string, node int32) {
	src.Groups = append(src.Groups, mesh.SourceGroup{Name: name, Dim: 0, Number: len(src.Groups) + 1, Elements: []int32{int32(len(src.Points))}})
	src.Points = append(src.Points, node)
}

// Cantilever appends a double cantilever beam of 80 by 20 mm, cut along the middle
// from x = 0 to 30 mm, in cells of half a millimetre: the body "arms", the curve
// "middle" ahead of the cut, and the points "upper" and "lower" in the middles of
// the arms' ends.
func Cantilever(src *mesh.Source) {
	const long, tip = 160, 60 // in columns
	var s slit
	for i := range long + 1 {
		s.columns = append(s.columns, 0.5e-3*float64(i))
	}
	const half = 20 // rows of an arm
	for j := -half; j <= half; j++ {
		s.rows = append(s.rows, 0.5e-3*float64(j))
	}
	s.cut = func(i, j int) bool { return j == half && i < tip }
	s.beyond = func(_, j int) bool { return j >= half }
	s.add(src, "arms")
	var middle []int32
	for i := tip; i <= long; i++ {
		middle = append(middle, s.first[[2]int{i, half}])
	}
	curve(src, "middle", middle)
	point(src, "upper", s.first[[2]int{0, half + half/2}])
	point(src, "lower", s.first[[2]int{0, half / 2}])
}

// NotchedBeam appends a beam of 440 by 100 mm about x = 0, cut from below to half
// its height: the body "beam", the curve "ligament" above the cut, and the points
// "left" and "right" 200 mm from it below and "load" above it. The ligament's
// edges grow from fine at the load to coarse at the cut's end; cells grow away
// from there, to six times coarse.
func NotchedBeam(src *mesh.Source, fine, coarse float64) {
	const depth, half = 0.1, 0.2
	above := growing(depth/2, fine, 1.03, coarse) // from the load down
	below := growing(depth/2, above[len(above)-1]-above[len(above)-2], 1.15, 6*coarse)
	side := append(growing(half, fine, 1.2, 6*coarse), half+0.01, half+0.02)
	var s slit
	for i := len(below) - 1; i > 0; i-- {
		s.rows = append(s.rows, depth/2-below[i])
	}
	tip := len(s.rows)
	for i := len(above) - 1; i >= 0; i-- {
		s.rows = append(s.rows, depth-above[i])
	}
	for i := len(side) - 1; i > 0; i-- {
		s.columns = append(s.columns, -side[i])
	}
	middle, support := len(s.columns), len(side)-3
	s.columns = append(s.columns, side...)
	s.cut = func(i, j int) bool { return i == middle && j < tip }
	s.beyond = func(i, _ int) bool { return i >= middle }
	s.add(src, "beam")
	var ligament []int32
	for j := tip; j < len(s.rows); j++ {
		ligament = append(ligament, s.first[[2]int{middle, j}])
	}
	curve(src, "ligament", ligament)
	point(src, "left", s.first[[2]int{middle - support, 0}])
	point(src, "right", s.first[[2]int{middle + support, 0}])
	point(src, "load", s.first[[2]int{middle, len(s.rows) - 1}])
}

// growing returns positions from 0 to the length. The first step is given, and each
// further step is longer by the factor, up to a greatest step.
func growing(length, step, factor, greatest float64) []float64 {
	at := []float64{0}
	for end := 0.0; end < length-0.5*step; step = math.Min(factor*step, greatest) {
		end += step
		at = append(at, end)
	}
	last := at[len(at)-1]
	for i := range at {
		at[i] *= length / last
	}
	at[len(at)-1] = length
	return at
}

// Branching appends a plate of 100 by 40 mm about y = 0, cut at half its height
// from x = 0 to 50 mm: the body "plate" of irregular triangles, of which those
// below are the mirror image of those above, and its long sides, the curves
// "upper" and "lower".
func Branching(src *mesh.Source, edge float64, seed int64) error {
	const long, half = 0.1, 0.02
	edge = long / (2 * math.Round(long/(2*edge))) // a node at the end of the cut
	first, before := int32(len(src.X)), len(src.Triangles)
	if _, err := shapes.Rectangle(src, "plate", r2.Vec{}, r2.Vec{X: long, Y: half}, edge); err != nil {
		return err
	}
	perturbNodes(src.X[first:], 0.15*edge, seed, within(long, half, edge/4))
	above := int32(len(src.X))
	image := make([]int32, above-first) // of each node
	for i, x := range src.X[first:above] {
		if image[i] = first + int32(i); x.Y > 0 || x.X < long/2-edge/4 {
			image[i] = src.AddNode(r2.Vec{X: x.X, Y: -x.Y})
		}
	}
	body := &src.Groups[slices.IndexFunc(src.Groups, func(g mesh.SourceGroup) bool { return g.Name == "plate" })]
	for _, t := range src.Triangles[before:len(src.Triangles):len(src.Triangles)] {
		body.Elements = append(body.Elements, int32(len(src.Triangles)))
		src.Triangles = append(src.Triangles, [3]int32{image[t[0]-first], image[t[2]-first], image[t[1]-first]})
		src.TriID = append(src.TriID, int64(len(src.Lines)+len(src.Triangles)))
	}
	var upper, lower []int32
	for i := first; i < above; i++ {
		if src.X[i].Y > half-edge/4 {
			upper, lower = append(upper, i), append(lower, image[i-first])
		}
	}
	curve(src, "upper", upper)
	curve(src, "lower", lower)
	return nil
}

// Inclined appends a block w wide and high, the body "block", with the curve
// "fault" of the given slope through its middle and the curves "top" and "bottom".
func Inclined(src *mesh.Source, w, high, slope float64) {
	const nx = 6
	ny := 2 * int(high/6e-3)
	first := int32(len(src.X))
	Block(src, "block", r2.Vec{}, 0, w, high, nx, ny)
	for i := range src.X[first:] {
		x := &src.X[int(first)+i]
		x.Y += slope * (x.X - w/2) * (1 - math.Abs(2*x.Y/high-1))
	}
	for _, c := range []struct {
		name string
		row  int
	}{{"bottom", 0}, {"fault", ny / 2}, {"top", ny}} {
		var nodes []int32
		for i := range nx + 1 {
			nodes = append(nodes, first+int32(c.row*(nx+1)+i))
		}
		curve(src, c.name, nodes)
	}
}
