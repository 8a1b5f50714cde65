package solver

import (
	"math"
	"testing"

	"fdem/materials/bulk"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// A bar with a notch on one side that yields in bending in plane strain carries 1.2606 times the
// moment of an even bar as high as its ligament, if the notch is deep (A. P. Green, Quarterly
// Journal of Mechanics and Applied Mathematics 6 (1953) 223-239), and 1 + 1.686 d - 2.72 d^2
// times as much if its depth d is less than 0.295 of the height (D. J. F. Ewing, Journal of the
// Mechanics and Physics of Solids 16 (1968) 205-213, after A. G. Miller, International Journal of
// Pressure Vessels and Piping 32 (1988) 197-327): 1.228 for a notch of a fifth, Charpy's. Half
// an edge beside the ligament carries with it; twice as many rows are 1.2 % below theory both.
func TestNotchedBarInBending(t *testing.T) {
	const height, long, support, yield, displacement, increments, rows, columns = 10e-3, 60e-3, 20e-3, 400e6, 1.5e-3, 12, 20, 29
	const h = height / rows
	ratio := 1.1 // edges grow from h at the notch to the end
	for range 100 {
		ratio = math.Pow(1+long/h*(ratio-1), 1./columns)
	}
	for notch, want := range map[float64]float64{0.2: 1 + 1.686*0.2 - 2.72*0.2*0.2, 0.4: 1.2606} {
		ligament := height * (1 - notch)
		src := &mesh.Source{Name: "bar"}
		rectangle(src, "bar", 0, 0, columns, height, columns, rows)
		for i := range src.X {
			src.X[i].X = h * (math.Pow(ratio, src.X[i].X) - 1) / (ratio - 1)
		}
		m := statically(model(t, src, steel), increments)
		m.Plane = bulk.PlaneStrain
		m.Materials[0].Law = bulkLaw(t, steel, "j2", map[string]float64{"yield_stress": yield})
		inPairs(m)
		nearest := func(at r2.Vec) (best int32) {
			for i, x := range m.Mesh.X {
				if r2.Norm(r2.Sub(x, at)) < r2.Norm(r2.Sub(m.Mesh.X[best], at)) {
					best = int32(i)
				}
			}
			return best
		}
		rest, end := nearest(r2.Vec{X: support, Y: height / 2}), nearest(r2.Vec{X: long, Y: height / 2})
		m.Fixes = []models.Fix{
			{Nodes: nodesWhere(m, func(x r2.Vec) bool { return x.X < 1e-9 && x.Y < ligament+1e-9 }), X: true},
			{Nodes: []int32{rest}, Y: true},
		}
		m.Drives = []models.Drive{{Nodes: []int32{end}, Y: true, Motion: [3]models.PrescribedMotion{1: {At: func(at float64) float64 { return displacement * at }}}}}
		s := start(t, m)
		var work []float64
		run(t, s, func() { work = append(work, s.Energies().ExternalWork) })
		force, arm := (work[increments]-work[increments-1])/(displacement/increments), m.Mesh.X[end].X-m.Mesh.X[rest].X
		effective := ligament + h/2
		got := force * arm / (yield / math.Sqrt(3) * m.Thickness * effective * effective / 2)
		t.Logf("a notch of %g: %.4f, theory %.4f", notch, got, want)
		if math.Abs(got/want-1) > 0.025 {
			t.Errorf("with a notch of %g of its height the bar carries %g of an even one's moment, want %g", notch, got, want)
		}
	}
}
