package solver

import (
	"math"
	"testing"

	"fdem/materials/bulk"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// inPairs lets all triangles of a model share their volumes by twos.
func inPairs(m *models.Model) *models.Model {
	all := make([]bool, len(m.Mesh.Bodies))
	for i := range all {
		all[i] = true
	}
	m.Mesh = m.Mesh.WithPairs(all)
	return m
}

// nearly is a material of shear modulus G and bulk modulus K.
func nearly(shear, volume float64) bulk.Elastic {
	return bulk.Elastic{
		Name: "nearly incompressible", Young: 9 * volume * shear / (3*volume + shear),
		Poisson: (3*volume - 2*shear) / (2 * (3*volume + shear)), Density: 1,
	}
}

// cook is Cook's membrane, n by n cells, and its top corner.
func cook(t testing.TB, n int) (m *models.Model, corner int32) {
	const shear, volume, force = 80.1938, 400942.0, 100.0
	src := &mesh.Source{Name: "cook"}
	rectangle(src, "cook", 0, 0, 1, 1, n, n)
	for i, p := range src.X {
		src.X[i] = r2.Vec{X: 48 * p.X, Y: 44*p.X + p.Y*(44-28*p.X)}
	}
	e := nearly(shear, volume)
	m = statically(model(t, src, e), 4)
	m.Materials[0].Law = bulkLaw(t, e, "neo-hooke", nil)
	m.Plane, m.Thickness = bulk.PlaneStrain, 1
	var left, right []int32
	var weights []float64
	for i, p := range m.Mesh.X {
		if p.X < 1e-9 {
			left = append(left, int32(i))
		}
		if p.X > 48-1e-9 {
			right = append(right, int32(i))
			w := 1 / float64(n)
			if p.Y < 44+1e-9 || p.Y > 60-1e-9 {
				w /= 2
			}
			weights = append(weights, w)
			if p.Y > 60-1e-9 {
				corner = int32(i)
			}
		}
	}
	m.Fixes = []models.Fix{{Nodes: left, X: true, Y: true}}
	m.Loads = []models.Load{{Nodes: right, Weights: weights, Force: r2.Vec{Y: force}, Schedule: func(at float64) float64 { return at }}}
	return m, corner
}

// The corner of Cook's membrane of rubber of K/G = 5000 moves up by 6.8706 (P2-P1 elements).
// Triangles that do not share their volume in pairs are too stiff.
func TestCooksMembrane(t *testing.T) {
	const want = 6.8706
	for _, c := range []struct {
		n       int
		pairs   bool
		low, up float64 // displacement of the corner over the reference
	}{{8, false, 0, 0.80}, {8, true, 0.91, 1.01}, {16, true, 0.97, 1.01}} {
		m, corner := cook(t, c.n)
		if c.pairs {
			inPairs(m)
		}
		s := start(t, m)
		run(t, s, nil)
		got := (s.X[corner].Y - s.Mesh.X[corner].Y) / want
		t.Logf("%d by %d, pairs %v: %.4f of the reference", c.n, c.n, c.pairs, got)
		if got < c.low || got > c.up {
			t.Errorf("%d by %d, pairs %v: the corner goes up by %.4f of the reference", c.n, c.n, c.pairs, got)
		}
	}
}

// A block at Poisson's 0.4999 between plates that hold its faces is as stiff on a coarse mesh
// as on a fine one, elastic by St. Venant and Kirchhoff and of rubber.
func TestBlockThatKeepsItsVolume(t *testing.T) {
	stiffness := func(n int, law string, pairs bool) float64 {
		src := &mesh.Source{Name: "block"}
		rectangle(src, "block", 0, 0, 1, 1, n, n)
		for k := 0; k < len(src.Triangles); k += 2 { // all cells cut one way: such a mesh locks most
			a := int32(k/2%n + k/2/n*(n+1))
			src.Triangles[k], src.Triangles[k+1] = [3]int32{a, a + 1, a + int32(n) + 2}, [3]int32{a, a + int32(n) + 2, a + int32(n) + 1}
		}
		e := bulk.Elastic{Name: "rubber", Young: 1e6, Poisson: 0.4999, Density: 1000}
		m := statically(model(t, src, e), 1)
		m.Plane, m.Thickness = bulk.PlaneStrain, 1
		if law != "" {
			m.Materials[0].Law = bulkLaw(t, e, law, nil)
		}
		var low, high []int32
		for i, p := range m.Mesh.X {
			if p.Y < 1e-9 {
				low = append(low, int32(i))
			}
			if p.Y > 1-1e-9 {
				high = append(high, int32(i))
			}
		}
		m.Fixes = []models.Fix{{Nodes: low, X: true, Y: true}, {Nodes: high, X: true}}
		m.Drives = []models.Drive{{Nodes: high, Y: true, Motion: [3]models.PrescribedMotion{1: {At: func(at float64) float64 { return -1e-3 * at }}}}}
		if pairs {
			inPairs(m)
		}
		s := start(t, m)
		run(t, s, nil)
		return 2 * s.Energies().Strain / 1e-6
	}
	fine := stiffness(32, "neo-hooke", true)
	for _, law := range []string{"", "neo-hooke"} {
		for _, n := range []int{4, 8, 16} {
			got, single := stiffness(n, law, true)/fine, stiffness(n, law, false)/fine
			t.Logf("law %q, %d by %d: %.4f in pairs, %.4f without", law, n, n, got, single)
			if math.Abs(got-1) > map[int]float64{4: 0.15, 8: 0.06, 16: 0.03}[n] {
				t.Errorf("law %q, %d by %d: %.4f of the stiffness of a fine mesh", law, n, n, got)
			}
		}
	}
}
