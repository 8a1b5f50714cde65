package benchmarks

import (
	"context"
	"math"
	"runtime"

	"fdem/contactnodes"
	"fdem/examples/scenes"
	"fdem/io/throw"
	"fdem/materials/bulk"
	"fdem/mesh"
	"fdem/solver"
	models "fdem/solver/model"
	"fdem/solver/statics"

	"gonum.org/v1/gonum/spatial/r2"
)

// unknowns of static_s and static_mb, about.
const unknowns = 100_000

// pressed is a static analysis of two square blocks of steel with a rough surface between
// them, with about a number of unknowns. The upper block is pressed on the lower one from
// first contact to 20 MPa, with the defaults of a deck: 20 increments and a tolerance of
// 1e-8.
func pressed(unknowns int) *models.Model {
	n := max(1, int(math.Sqrt(float64(unknowns)/4)))
	const side, increments = 0.01, 20
	src := &mesh.Source{Name: "pressed"}
	scenes.Block(src, "lower", r2.Vec{Y: -side}, 0, side, side, n, n)
	scenes.Block(src, "upper", r2.Vec{}, 0, side, side, n, n)
	m := throw.Must(mesh.Build(src, nil))
	at := func(y float64) (nodes, edges []int32) {
		for i, x := range m.X {
			if math.Abs(x.Y-y) < 1e-9 {
				nodes = append(nodes, int32(i))
			}
		}
		for i, e := range m.Edges {
			if math.Abs(m.X[e.A].Y-y)+math.Abs(m.X[e.B].Y-y) < 1e-9 {
				edges = append(edges, int32(i))
			}
		}
		return nodes, edges
	}
	bottom, _ := at(-side)
	top, loaded := at(side)
	return &models.Model{
		Mesh: m, Materials: []bulk.Material{{Elastic: steel}}, Thickness: 0.01, Safety: 1, Duration: 1,
		Bodies: []models.Body{{Name: "lower"}, {Name: "upper"}},
		Fixes:  []models.Fix{{Nodes: bottom, X: true, Y: true}, {Nodes: top, X: true}},
		Loads:  []models.Load{{On: "top", Edges: loaded, Pressure: 20e6, Schedule: func(t float64) float64 { return t }}},
		Contacts: []models.SurfaceContact{{
			Name: "blocks", Contactor: m.Bodies[1].Edges(), Opposite: m.Bodies[0].Edges(), Law: kostek(), NodesPerElement: contactNodes,
			Friction: contactnodes.Friction{Speed: 1},
		}},
		Static: &models.Static{Increment: 1.0 / increments, Largest: 1.0 / increments, Smallest: 1e-3 / increments, Iterations: 30, Tolerance: 1e-8, Breaks: []float64{1}, Whole: 1},
	}
}

// staticTime returns the processor time of a static analysis from the mesh to the full
// load [s], and the greatest memory at the end of an increment [B]. That includes memory
// that waits for the collector: about half of it, or nothing.
func staticTime(unknowns int) (seconds, bytes float64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	began := ProcessorTime()
	model := pressed(unknowns)
	s := throw.Must(solver.New(model))
	throw.If(statics.Run(context.Background(), s, solver.Observer{
		Row: func() error {
			runtime.ReadMemStats(&m)
			bytes = max(bytes, float64(m.HeapAlloc)-float64(before))
			return nil
		},
		Frame: func() error { return nil },
	}))
	return ProcessorTime() - began, bytes
}
