// Package benchmarks measures the speed of this machine. It has the scenes and figures of
// fdem bench and of go test -bench. Results of machines are in its folder as CSV.
package benchmarks

import (
	"math"
	"math/rand/v2"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/examples/scenes"
	"fdem/io/throw"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

const (
	contactNodes = 20   // per boundary edge
	edgeLength   = 1e-3 // of the packing [m]
	bodySpeed    = 5.0  // in the packing [m/s]
	packingStep  = 7e-8 // about the step of steel of that size [s]
)

var steel = bulk.Elastic{Name: "steel", Young: 210e9, Poisson: 0.3, Density: 7860}

// kostek is the law of the rough surface, by its table.
func kostek() contact.Law {
	k := scenes.BlastedSteel()
	k.Tabulate()
	return k
}

// blocks is two square blocks of steel far apart, one of which moves, with about the
// given number of triangles. There is a contact between them, but nothing comes near.
func blocks(triangles int) *model.Model {
	m := twoBlocks(triangles, blockSize)
	m.Bodies[0].Velocity.X = 0.1
	return m
}

// blockSize is the side of a block, and the thickness [m].
const blockSize = 0.01

// twoBlocks is two square blocks at rest, side by side with a gap in between [m].
func twoBlocks(triangles int, gap float64) *model.Model {
	n := max(1, int(math.Sqrt(float64(triangles)/4)+0.5))
	src := &mesh.Source{Name: "blocks"}
	scenes.Block(src, "a", r2.Vec{}, 0, blockSize, blockSize, n, n)
	scenes.Block(src, "b", r2.Vec{X: blockSize + gap}, 0, blockSize, blockSize, n, n)
	m := throw.Must(mesh.Build(src, nil))
	return &model.Model{
		Mesh: m, Materials: []bulk.Material{{Elastic: steel}}, Thickness: blockSize, Safety: 0.8, ResidualLimit: 0.05, Duration: 1,
		Bodies: []model.Body{{Name: "a"}, {Name: "b"}},
		Contacts: []model.SurfaceContact{{
			Name: "blocks", Contactor: m.Bodies[1].Edges(), Opposite: m.Bodies[0].Edges(), Law: kostek(), NodesPerElement: contactNodes,
			Friction: contactnodes.Friction{Kinetic: 0.1, Speed: 1e-3},
		}},
	}
}

// begun returns the solver of the model of blocks.
func begun(triangles int) *solver.Solver {
	return throw.Must(solver.New(blocks(triangles)))
}

// packing is n by n hexagons of 24 triangles and 12 boundary edges in a loose packing,
// with random rotations and velocities; x changes by v each second.
type packing struct {
	mesh   *mesh.Mesh
	search *boundingbox.Search
	x, v   []r2.Vec
}

func newPacking(n int) *packing {
	rng := rand.New(rand.NewPCG(1, 2))
	src := &mesh.Source{Name: "packing"}
	const spacing = 4.03 * edgeLength // distance of centres: corners of neighbours nearly reach each other
	speed := map[int64]r2.Vec{}       // by the source's number of a node
	for j := range n {
		for i := range n {
			first := len(src.X)
			centre := r2.Vec{
				X: spacing*(float64(i)+0.5*float64(j%2)) + 0.02*edgeLength*rng.Float64(),
				Y: spacing*float64(j)*math.Sqrt(3)/2 + 0.02*edgeLength*rng.Float64(),
			}
			hexagon(src, centre, rng.Float64()*math.Pi)
			v := r2.Vec{X: bodySpeed * (2*rng.Float64() - 1), Y: bodySpeed * (2*rng.Float64() - 1)}
			for _, id := range src.NodeID[first:] {
				speed[id] = v
			}
		}
	}
	scenes.Group(src, "stones", 0)
	m := throw.Must(mesh.Build(src, nil))
	p := &packing{mesh: m, x: append([]r2.Vec(nil), m.X...), v: make([]r2.Vec, len(m.X))}
	for i, id := range m.NodeID {
		p.v[i] = speed[int64(id)]
	}
	near := make([]boundingbox.Edge, len(m.Edges))
	for i, e := range m.Edges {
		near[i] = boundingbox.Edge{A: e.A, B: e.B, Component: e.Component, Contactor: 1, Opposite: 1}
	}
	p.search = boundingbox.New(near, contactnodes.NewOutline(m).Reach, 0)
	return p
}

// hexagon appends six sectors of four triangles each.
func hexagon(src *mesh.Source, centre r2.Vec, angle float64) {
	base := int32(len(src.X))
	node := func(radius, turn float64) {
		sin, cos := math.Sincos(angle + turn)
		src.AddNode(r2.Vec{X: centre.X + radius*cos, Y: centre.Y + radius*sin})
	}
	node(0, 0)
	for k := range 6 { // nodes 3k+1, 3k+2, 3k+3: half way, corner, middle of the side
		turn := float64(k) * math.Pi / 3
		node(edgeLength, turn)
		node(2*edgeLength, turn)
		node(math.Sqrt(3)*edgeLength, turn+math.Pi/6)
	}
	for k := range int32(6) {
		inner, corner, middle := base+3*k+1, base+3*k+2, base+3*k+3
		next := (k + 1) % 6
		innerNext, cornerNext := base+3*next+1, base+3*next+2
		for _, t := range [][3]int32{{base, inner, innerNext}, {inner, middle, innerNext}, {inner, corner, middle}, {innerNext, middle, cornerNext}} {
			src.AddTriangle(t[0], t[1], t[2])
		}
	}
}

// move moves the nodes by one step.
func (p *packing) move() {
	for i, v := range p.v {
		p.x[i].X += packingStep * v.X
		p.x[i].Y += packingStep * v.Y
	}
}
