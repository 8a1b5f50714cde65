// Package scenes makes meshes and models that examples, their tests and
// benchmarks share.
package scenes

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"regexp"
	"slices"

	"fdem/io/deck"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Load reads a deck and its mesh as fdem run does.
func Load(path string) (*model.Model, error) {
	d, err := deck.Read(path)
	if err != nil {
		return nil, err
	}
	m, _, err := d.Load(d.MeshPath())
	return m, err
}

// Group gives a name to the triangles from first on.
func Group(src *mesh.Source, name string, first int) {
	g := mesh.SourceGroup{Name: name, Dim: 2, Number: len(src.Groups) + 1}
	for t := first; t < len(src.Triangles); t++ {
		g.Elements = append(g.Elements, int32(t))
	}
	src.Groups = append(src.Groups, g)
}

// Block appends a rectangle of length l along the direction of angle and
// height h, its first corner at x0, in nx by ny cells of two triangles with
// alternating diagonals.
func Block(src *mesh.Source, name string, x0 r2.Vec, angle, l, h float64, nx, ny int) {
	first := len(src.Triangles)
	base := int32(len(src.X))
	for j := range ny + 1 {
		for i := range nx + 1 {
			p := r2.Vec{X: l * float64(i) / float64(nx), Y: h * float64(j) / float64(ny)}
			src.AddNode(r2.Add(x0, r2.Rotate(p, angle, r2.Vec{})))
		}
	}
	for j := range ny {
		for i := range nx {
			a := base + int32(j*(nx+1)+i)
			b, d := a+1, a+int32(nx)+1
			c := d + 1
			if (i+j)%2 == 0 {
				src.AddTriangle(a, b, c)
				src.AddTriangle(a, c, d)
			} else {
				src.AddTriangle(a, b, d)
				src.AddTriangle(b, c, d)
			}
		}
	}
	Group(src, name, first)
}

// Disc appends a disc with rings of 6, 12, 18, ... nodes, rotated so that nodes of the
// outermost ring are on the x axis.
func Disc(src *mesh.Source, name string, centre r2.Vec, radius float64, rings int) {
	first := len(src.Triangles)
	inner := []int32{src.AddNode(centre)}
	for j := 1; j <= rings; j++ {
		outer := make([]int32, 6*j)
		for i := range outer {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(6*j))
			outer[i] = src.AddNode(r2.Vec{X: centre.X + radius*float64(j)/float64(rings)*cos, Y: centre.Y + radius*float64(j)/float64(rings)*sin})
		}
		for sector := range 6 { // j edges outside, j-1 inside
			for i := range j {
				a, b := outer[sector*j+i], outer[(sector*j+i+1)%len(outer)]
				in := inner[(sector*(j-1)+i)%len(inner)]
				src.AddTriangle(in, a, b)
				if i < j-1 {
					src.AddTriangle(in, b, inner[(sector*(j-1)+i+1)%len(inner)])
				}
			}
		}
		inner = outer
	}
	Group(src, name, first)
}

// rock appends a convex polygon with corners on an ellipse about centre, meshed as a fan,
// or with one ring of nodes halfway if ring is true.
func rock(src *mesh.Source, rng *rand.Rand, centre r2.Vec, radius float64, corners int, ring bool) {
	turn, flat := 2*math.Pi*rng.Float64(), 0.7+0.3*rng.Float64()
	middle := src.AddNode(centre)
	outer, half := make([]int32, corners), make([]int32, corners)
	for i := range outer {
		phi := 2 * math.Pi * (float64(i) + 0.5*(rng.Float64()-0.5)) / float64(corners)
		p := r2.Rotate(r2.Vec{X: radius * math.Cos(phi), Y: flat * radius * math.Sin(phi)}, turn, r2.Vec{})
		outer[i] = src.AddNode(r2.Add(centre, p))
		if ring {
			half[i] = src.AddNode(r2.Add(centre, r2.Scale(0.5, p)))
		}
	}
	for i := range outer {
		j := (i + 1) % corners
		if !ring {
			src.AddTriangle(middle, outer[i], outer[j])
			continue
		}
		src.AddTriangle(middle, half[i], half[j])
		src.AddTriangle(half[i], outer[i], outer[j])
		src.AddTriangle(half[i], outer[j], half[j])
	}
}

// Rocks makes n random convex polygons of 6 to 27 triangles each as one body
// "rocks", and the radius of a hollow about the origin whose lower half they
// fill roughly to the brim once they have fallen. They hang in it on a grid of
// pitch 2.1 times the greatest radius, above where they will lie.
func Rocks(n int, seed int64) (src *mesh.Source, hollow float64) {
	const least, most = 5e-3, 10e-3
	rng := rand.New(rand.NewSource(seed))
	pitch := 2.1 * most
	hollow = math.Sqrt(2 * 1.4 * float64(n) * pitch * pitch / math.Pi)
	var centres []r2.Vec
	rows := int(hollow/pitch) + 1
	for j := -rows; j <= rows; j++ {
		for i := -rows; i <= rows; i++ {
			p := r2.Vec{X: pitch * (float64(i) + 0.5*float64(j&1)), Y: pitch * float64(j)}
			if r2.Norm(p) < hollow-1.1*most {
				centres = append(centres, p)
			}
		}
	}
	slices.SortStableFunc(centres, func(a, b r2.Vec) int { // the lowest first
		switch {
		case a.Y < b.Y:
			return -1
		case a.Y > b.Y:
			return 1
		}
		return 0
	})
	src = &mesh.Source{Name: fmt.Sprintf("%d rocks", n)}
	for k := range n {
		radius := least + (most-least)*rng.Float64()
		ring := rng.Intn(2) == 0
		corners := 6 + rng.Intn(8)
		if ring { // no triangle smaller than those of a fan
			corners = 6 + rng.Intn(4)
		}
		rock(src, rng, centres[k], radius, corners, ring)
	}
	Group(src, "rocks", 0)
	return src, hollow
}

// Slope is the angle of the incline under the horizontal, downwards to the
// right [rad].
const Slope = math.Pi / 6

// Incline appends a block of 40 by 20 mm that lies on a line through the
// origin, its lower left corner there.
func Incline(src *mesh.Source) {
	Block(src, "block", r2.Vec{}, -Slope, 0.04, 0.02, 20, 10)
}

// Radius and distance of the balls of the cradle [m]: they hang a tenth of a
// millimetre apart, so that they meet one after the other.
const (
	CradleRadius = 10e-3
	CradlePitch  = 20.1e-3
)

// Rockfall returns the model of a rockfall's deck with n rocks, and a hollow for them
// instead of the deck's own.
func Rockfall(path string, n int, seed int64) (*model.Model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	src, hollow := Rocks(n, seed)
	own := regexp.MustCompile(`(?m)^radius = .*$`)
	d, err := deck.Parse(path, own.ReplaceAll(text, fmt.Appendf(nil, "radius = %g", hollow)))
	if err != nil {
		return nil, err
	}
	m, _, err := d.Build(src)
	return m, err
}
