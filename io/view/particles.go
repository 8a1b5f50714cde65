package view

import (
	"fmt"
	"math"
	"slices"

	"fdem/io/throw"
	"fdem/io/vtk"

	"gonum.org/v1/gonum/spatial/r2"
)

// spheres are the particles of a folder. They are displayed as discs of a few
// triangles after those of the mesh: a node in the middle, which represents the
// particle, and others on the rim, which rotate with it.
type spheres struct {
	nodes, triangles, cells int // of the frames of the mesh, without them
	x                       []r2.Vec
	radius, angle           []float64 // in the first frame
	group                   []int32
}

// rimTriangles is the number of triangles of a disc.
const rimTriangles = 16

// sphereFrame is a frame of particles.
type sphereFrame struct {
	*vtk.File
	path   string
	x      []r2.Vec
	groups []int32
}

func readSpheres(path string) sphereFrame {
	file := throw.Must(vtk.Open(path))
	x := throw.Must(file.Positions())
	f := sphereFrame{file, path, x, make([]int32, len(x))}
	if a, err := file.PointData("group_id"); err == nil && len(a.Int32) == len(x) {
		f.groups = a.Int32
	}
	return f
}

// values reads a number of components for each particle.
func (f *sphereFrame) values(name string, width int) ([]float64, error) {
	a, err := f.PointData(name)
	if err == nil && len(a.Float64) != width*len(f.x) {
		err = fmt.Errorf("%s: array %q has %d values, want %d for each particle", f.path, name, len(a.Float64), width)
	}
	return a.Float64, err
}

// addSpheres adds the discs of the first frame after the mesh. bodies is the
// number of bodies and rigid bodies.
func (s *static) addSpheres(path string, bodies int) {
	f := readSpheres(path)
	p := &spheres{nodes: len(s.points), triangles: len(s.triangles), cells: len(s.body), x: f.x, group: f.groups}
	p.radius = throw.Must(f.values("radius", 1))
	p.angle = throw.Must(f.values("angle", 1))
	lines := append([]int32(nil), s.body[len(s.triangles):]...)
	s.body = s.body[:len(s.triangles):len(s.triangles)]
	for i, c := range p.x {
		middle := int32(len(s.points))
		s.points = append(s.points, c)
		for k := range rimTriangles {
			s.points = append(s.points, r2.Add(c, p.spoke(i, k, p.angle[i])))
			s.triangles = append(s.triangles, [3]int32{middle, middle + 1 + int32(k), middle + 1 + int32((k+1)%rimTriangles)})
			s.body = append(s.body, int32(bodies)+p.group[i])
			s.elementID = append(s.elementID, int64(i+1))
		}
		for range rimTriangles + 1 {
			s.nodeID = append(s.nodeID, int64(i+1))
		}
	}
	s.body = append(s.body, lines...)
	s.spheres = p
}

// spoke returns the vector from the middle of a particle to a node of its rim.
func (p *spheres) spoke(i, k int, angle float64) r2.Vec {
	sin, cos := math.Sincos(angle + 2*math.Pi*float64(k)/rimTriangles)
	return r2.Scale(p.radius[i], r2.Vec{X: cos, Y: sin})
}

// values appends a field of the particles to that of the mesh: the
// displacements of the discs' nodes, and vectors in the file; zero for other
// fields.
func (p *spheres) values(path string, v Field, out []float32) []float32 {
	w := len(v.pick)
	if v.On == "cell" {
		of := float32(0)
		if v.Pieces {
			of = -1
		}
		return append(out, slices.Repeat([]float32{of}, rimTriangles*w*len(p.x))...)
	}
	f := readSpheres(path)
	if len(f.x) != len(p.x) {
		throw.If(fmt.Errorf("%s: %d particles, want %d as in the first frame", path, len(f.x), len(p.x)))
	}
	if v.Name == "displacement" {
		angle := throw.Must(f.values("angle", 1))
		for i, x := range f.x {
			d := r2.Sub(x, p.x[i])
			out = append(out, float32(d.X), float32(d.Y))
			for k := range rimTriangles {
				e := r2.Add(d, r2.Sub(p.spoke(i, k, angle[i]), p.spoke(i, k, p.angle[i])))
				out = append(out, float32(e.X), float32(e.Y))
			}
		}
		return out
	}
	values, err := f.values(v.Name, 3)
	if err != nil || w != 2 {
		return append(out, make([]float32, (rimTriangles+1)*w*len(p.x))...) // the particles' file does not have it
	}
	for i := range p.x {
		for range rimTriangles + 1 {
			out = append(out, float32(values[3*i]), float32(values[3*i+1]))
		}
	}
	return out
}
