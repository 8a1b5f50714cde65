package solver

import (
	"math"
	"testing"

	"fdem/mesh"
	"fdem/mesh/shapes"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// The cantilevers are ten times as long as high.
const cantileverLength, cantileverHeight = 0.1, 0.01

// leaning is a rectangle of square cells whose diagonals all have one direction.
func leaning(src *mesh.Source, name string, rows int) {
	rectangle(src, name, 0, 0, cantileverLength, cantileverHeight, 10*rows, rows)
	for i := 0; i < len(src.Triangles); i += 2 {
		nx := int32(10*rows + 1)
		a := int32(i/2/(10*rows))*nx + int32(i/2%(10*rows))
		b, c, d := a+1, a+nx+1, a+nx
		src.Triangles[i], src.Triangles[i+1] = [3]int32{a, b, c}, [3]int32{a, c, d}
	}
}

// bent returns by how much the deflection of a cantilever under a force at its end is less than
// that of beam theory with shear.
func bent(t *testing.T, src *mesh.Source) float64 {
	m := model(t, src, steel)
	clamp, _ := side(m.Mesh, 0)
	end, _ := side(m.Mesh, cantileverLength)
	weights := shares(len(end))
	for i, n := range end { // those at the corners carry half
		weights[i] = 1 / float64(len(end)-1)
		if y := m.Mesh.X[n].Y; y == 0 || y == cantileverHeight {
			weights[i] /= 2
		}
	}
	const force = 1.0
	m.Fixes = []models.Fix{{Nodes: clamp, X: true, Y: true}}
	m.Loads = []models.Load{{Nodes: end, Weights: weights, Force: r2.Vec{Y: -force}}}
	s := start(t, statically(m, 1))
	run(t, s, nil)
	sag := 0.0
	for i, n := range end {
		sag += weights[i] * (m.Mesh.X[n].Y - s.X[n].Y)
	}
	inertia := m.Thickness * math.Pow(cantileverHeight, 3) / 12
	shear := steel.Young / (2 * (1 + steel.Poisson)) * m.Thickness * cantileverHeight * 5 / 6
	theory := force*math.Pow(cantileverLength, 3)/(3*steel.Young*inertia) + force*cantileverLength/shear
	return 1 - sag/theory
}

// The table of docs/theory.md: how much too stiff triangles are in bending, by the number of
// triangles over the height.
func TestBendingOfConstantStrainTriangles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows                    int
		leans, alternates, mesh float64 // [%]
	}{
		{2, 46.3, 37.7, 33.3}, {3, 27.9, 21.7, 18.5}, {5, 12.4, 9.2, 7.7}, {10, 3.6, 2.6, 2.2}, {20, 1.1, 0.8, 0.7},
	} {
		var leans, alternates, rows mesh.Source
		leaning(&leans, "cantilever", c.rows)
		rectangle(&alternates, "cantilever", 0, 0, cantileverLength, cantileverHeight, 10*c.rows, c.rows)
		edge := 2 / math.Sqrt(3) * cantileverHeight / float64(c.rows)
		if _, err := shapes.Rectangle(&rows, "cantilever", r2.Vec{}, r2.Vec{X: cantileverLength, Y: cantileverHeight}, edge); err != nil {
			t.Fatal(err)
		}
		for _, k := range []struct {
			name string
			src  *mesh.Source
			want float64
		}{{"leaning", &leans, c.leans}, {"alternating", &alternates, c.alternates}, {"equilateral", &rows, c.mesh}} {
			if got := 100 * bent(t, k.src); math.Abs(got-k.want) > 0.06 {
				t.Errorf("%d rows, %s: %.2f %% too stiff, the manual says %.1f %%", c.rows, k.name, got, k.want)
			}
		}
	}
}
