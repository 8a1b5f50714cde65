// Package shapes is a small mesh generator: rectangles, discs and convex polygons
// of nearly equilateral triangles (Delaunay triangulation and smoothing), and
// lines of equal parts, so that a model can be made without Gmsh.
package shapes

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Part is a shape in a mesh. It has the boundary side by side, so that sides can
// be named as curves.
type Part struct {
	src   *mesh.Source
	sides [][]int32 // the nodes along each side, both ends included
}

// The sides of a rectangle. Those of a polygon count from the one that starts
// at the first corner; a disc has one.
const (
	Bottom = iota
	Right
	Top
	Left
)

// Curve names a side as a 1-D group, or adds it to the group of that name.
func (p Part) Curve(name string, side int) {
	nodes := p.sides[side]
	for i := range len(nodes) - 1 {
		addTo(p.src, name, 1, p.src.AddLine(nodes[i], nodes[i+1]))
	}
}

// addTo puts an element into a group, and makes the group if there is none.
func addTo(src *mesh.Source, name string, dim int, element int32) {
	most := 0
	for i := range src.Groups {
		g := &src.Groups[i]
		if g.Name == name && g.Dim == dim {
			g.Elements = append(g.Elements, element)
			return
		}
		most = max(most, g.Number)
	}
	src.Groups = append(src.Groups, mesh.SourceGroup{Name: name, Dim: dim, Number: most + 1, Elements: []int32{element}})
}

func addTriangle(src *mesh.Source, name string, a, b, c int32) {
	addTo(src, name, 2, src.AddTriangle(a, b, c))
}

// maxParts is the greatest number of parts of a side, so that a wrong edge does
// not fill the memory.
const maxParts = 5000

// parts divides a length into equal parts of about edge.
func parts(length, edge float64) (int, error) {
	n := math.Round(length / edge)
	switch {
	case !(edge > 0):
		return 0, fmt.Errorf("the edge must be positive, got %g m", edge)
	case !(length > 0) || math.IsInf(length, 0):
		return 0, fmt.Errorf("a side of %g m cannot be meshed", length)
	case n > maxParts:
		return 0, fmt.Errorf("edges of %g m make %.0f of a side of %g m; at most %d are allowed", edge, n, length, maxParts)
	}
	return max(1, int(n)), nil
}

// Rectangle appends a rectangle with sides along the axes, from the lower left
// to the upper right corner [m], meshed in rows of triangles of about the edge
// [m]. They are equilateral apart from a small stretch, with half triangles at
// both ends of every second row. They are added to the body of that name.
func Rectangle(src *mesh.Source, name string, from, to r2.Vec, edge float64) (Part, error) {
	return rectangle(src, name, from, to, edge, 1)
}

// WholeRectangle is a Rectangle with an even number of rows. Then neither its
// top nor its bottom has half edges, so that others can be joined to it there.
func WholeRectangle(src *mesh.Source, name string, from, to r2.Vec, edge float64) (Part, error) {
	return rectangle(src, name, from, to, edge, 2)
}

// rectangle makes a Rectangle whose number of rows is a multiple of a number.
func rectangle(src *mesh.Source, name string, from, to r2.Vec, edge float64, multiple int) (Part, error) {
	nx, err := parts(to.X-from.X, edge)
	if err != nil {
		return Part{}, err
	}
	ny, err := parts(to.Y-from.Y, 0.5*math.Sqrt(3)*edge*float64(multiple))
	if err != nil {
		return Part{}, err
	}
	ny *= multiple
	rows := make([][]int32, ny+1)
	for j := range rows {
		y := from.Y + float64((to.Y-from.Y)*float64(j)/float64(ny))
		for _, u := range stations(nx, j%2 == 1) {
			rows[j] = append(rows[j], src.AddNode(r2.Vec{X: from.X + float64((to.X-from.X)*u), Y: y}))
		}
	}
	for j := range ny {
		strip(src, name, rows[j], rows[j+1])
	}
	p := Part{src: src, sides: make([][]int32, 4)}
	p.sides[Bottom], p.sides[Top] = rows[0], rows[ny]
	for j := range rows {
		p.sides[Left] = append(p.sides[Left], rows[j][0])
		p.sides[Right] = append(p.sides[Right], rows[j][len(rows[j])-1])
	}
	return p, nil
}

// stations returns the positions of the nodes of a row, from 0 to 1: n equal
// parts, or n parts shifted by half a part, with a half part at both ends.
func stations(n int, shifted bool) []float64 {
	u := []float64{0}
	for i := range n {
		if shifted {
			u = append(u, (float64(i)+0.5)/float64(n))
		} else if i > 0 {
			u = append(u, float64(i)/float64(n))
		}
	}
	return append(u, 1)
}

// strip adds the triangles between two rows of nodes, always with the shorter
// diagonal.
func strip(src *mesh.Source, name string, low, high []int32) {
	i, j := 0, 0
	for i+1 < len(low) || j+1 < len(high) {
		a, b := low[i], high[j]
		along := i+1 < len(low)
		if along && j+1 < len(high) {
			along = elementary.Norm(r2.Sub(src.X[low[i+1]], src.X[b])) <= elementary.Norm(r2.Sub(src.X[high[j+1]], src.X[a]))
		}
		if along {
			addTriangle(src, name, a, low[i+1], b)
			i++
		} else {
			addTriangle(src, name, a, high[j+1], b)
			j++
		}
	}
}

// Disc appends a disc about a centre [m] in rings of 6, 12, 18, ... nodes, with
// triangles of about the edge [m]. The outermost ring has nodes on the x axis.
// The triangles are added to the body of that name.
func Disc(src *mesh.Source, name string, centre r2.Vec, radius, edge float64) (Part, error) {
	rings, err := parts(radius, edge)
	if err != nil {
		return Part{}, err
	}
	inner := []int32{src.AddNode(centre)}
	for j := 1; j <= rings; j++ {
		outer := make([]int32, 6*j)
		for i := range outer {
			sin, cos := elementary.Sincos(2 * math.Pi * float64(i) / float64(6*j))
			outer[i] = src.AddNode(r2.Vec{X: centre.X + float64(radius*float64(j)/float64(rings)*cos), Y: centre.Y + float64(radius*float64(j)/float64(rings)*sin)})
		}
		for sector := range 6 { // j edges outside, j-1 inside
			for i := range j {
				a, b := outer[sector*j+i], outer[(sector*j+i+1)%len(outer)]
				in := inner[(sector*(j-1)+i)%len(inner)]
				addTriangle(src, name, in, a, b)
				if i < j-1 {
					addTriangle(src, name, in, b, inner[(sector*(j-1)+i+1)%len(inner)])
				}
			}
		}
		inner = outer
	}
	return Part{src: src, sides: [][]int32{append(inner, inner[0])}}, nil
}

// Line appends a straight line of equal parts of about the edge [m] as a 1-D
// group, for beams. start and end name its ends as points, "" for none. If a
// point of that name is at that position already, the line takes its node.
func Line(src *mesh.Source, name string, from, to r2.Vec, edge float64, start, end string) (Part, error) {
	length := elementary.Norm(r2.Sub(to, from))
	n, err := parts(length, edge)
	if err != nil {
		return Part{}, err
	}
	names := [2]string{start, end}
	joined := [2]int32{pointAt(src, start, from, length), pointAt(src, end, to, length)}
	var nodes []int32
	for i := range n + 1 {
		switch {
		case i == 0 && joined[0] >= 0:
			nodes = append(nodes, joined[0])
		case i == n && joined[1] >= 0:
			nodes = append(nodes, joined[1])
		default:
			nodes = append(nodes, src.AddNode(elementary.Between(from, to, float64(i)/float64(n))))
		}
	}
	p := Part{src: src, sides: [][]int32{nodes}}
	p.Curve(name, 0)
	for k, node := range [2]int32{nodes[0], nodes[n]} {
		if names[k] != "" && joined[k] < 0 {
			src.Points = append(src.Points, node)
			addTo(src, names[k], 0, int32(len(src.Points)-1))
		}
	}
	return p, nil
}

// pointAt returns the node of a point of the name at a position, to rounding; -1
// for none.
func pointAt(src *mesh.Source, name string, x r2.Vec, size float64) int32 {
	const rounding = 1e-9
	for _, g := range src.Groups {
		if g.Dim != 0 || g.Name != name {
			continue
		}
		for _, i := range g.Elements {
			if n := src.Points[i]; elementary.Norm(r2.Sub(src.X[n], x)) <= rounding*size {
				return n
			}
		}
	}
	return -1
}
