package cholesky

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// plate returns a matrix with the pattern of two unknowns at each node of a grid,
// which know of those of the nodes around: springs of random stiffness between
// neighbours, and some to ground on the first row. It also returns where the
// unknowns are.
func plate(nx, ny int) (*Matrix, []r2.Vec) {
	rng := rand.New(rand.NewPCG(3, 4))
	n := 2 * nx * ny
	entries := make([]map[int]float64, n)
	for i := range entries {
		entries[i] = map[int]float64{i: 0}
	}
	var positions []r2.Vec
	for node := range nx * ny {
		x, y := node%nx, node/nx
		for c := range 2 {
			i := 2*node + c
			positions = append(positions, r2.Vec{X: float64(x), Y: float64(y)})
			if y == 0 {
				entries[i][i]++
			}
		}
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			if x+d[0] < 0 || x+d[0] >= nx || y+d[1] >= ny {
				continue
			}
			other := node + d[0] + nx*d[1]
			k := 1 + rng.Float64()
			index := [4]int{2 * node, 2*node + 1, 2 * other, 2*other + 1}
			g := [4]float64{float64(d[0]), float64(d[1]), -float64(d[0]), -float64(d[1])}
			for a := range 4 {
				for b := range 4 {
					entries[index[a]][index[b]] += k * g[a] * g[b]
				}
			}
		}
	}
	row, column, data := []int{0}, []int(nil), []float64(nil)
	for i := range entries {
		var columns []int
		for c := range entries[i] {
			columns = append(columns, c)
		}
		slices.Sort(columns)
		for _, c := range columns {
			column, data = append(column, c), append(data, entries[i][c])
		}
		row = append(row, len(column))
	}
	k := NewMatrix(row, column, 1, 1)
	copy(k.Data, data)
	return k, positions
}

// A product is the sum of each row in the order of its columns, to the bit, and that of the library's
// CSR to rounding.
func TestProductIsOrdered(t *testing.T) {
	k, _ := plate(9, 7)
	n := len(k.Row) - 1
	x, y, library := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = math.Sin(float64(i)), math.NaN()
	}
	k.Times(y, x)
	k.csr.MulVecTo(library, false, x)
	for i := range y {
		sum, most := 0.0, 0.0
		for j := range n {
			if at := k.At(int32(i), int32(j)); at < k.Row[i+1] && k.Column[at] == j {
				sum += float64(k.Data[at] * x[j])
				most += math.Abs(float64(k.Data[at] * x[j]))
			}
		}
		if y[i] != sum || math.Abs(y[i]-library[i]) > 1e-15*most {
			t.Errorf("row %d: %g, in order %g, by the library %g", i, y[i], sum, library[i])
		}
	}
}

// The factor solves systems to rounding, takes every unknown once, fills in less than a band would,
// and reports a matrix that is not positive definite.
func TestMultifrontal(t *testing.T) {
	const nx, ny = 40, 20
	k, positions := plate(nx, ny)
	n := len(positions)
	f := newMultifrontal(k, positions)
	seen := make([]bool, n)
	for _, front := range f.fronts {
		for _, u := range front.rows[:front.own] {
			if seen[u] {
				t.Fatalf("unknown %d is eliminated twice", u)
			}
			seen[u] = true
		}
	}
	if !f.factorise(k, k.Data) {
		t.Fatal("not positive definite")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	want, b := make([]float64, n), make([]float64, n)
	for i := range want {
		want[i] = rng.Float64()
	}
	k.Times(b, want)
	f.solve(b)
	for i := range b {
		if math.Abs(b[i]-want[i]) > 1e-8 {
			t.Fatalf("unknown %d: %g, want %g", i, b[i], want[i])
		}
	}
	if band := float64(n) * 2 * (2*ny + 1); float64(len(f.data)) > band {
		t.Errorf("%d entries, more than the %g of a full band", len(f.data), band)
	}
	k.Data[k.At(7, 7)] *= -1
	if f.factorise(k, k.Data) {
		t.Error("a negative diagonal is taken for positive definite")
	}
}

// The full and the incomplete factor lead conjugate gradients to the same
// solution, and the incomplete one takes the order that it is given.
func TestFactorsAgree(t *testing.T) {
	k, positions := plate(40, 20)
	n := len(positions)
	b, x, y := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range b {
		b[i] = math.Sin(float64(i))
	}
	natural := func(_, _ []int) []int32 {
		order := make([]int32, n)
		for i := range order {
			order[i] = int32(i)
		}
		return order
	}
	full, sparse := New(positions, natural, &Kept{}), New(positions, natural, &Kept{})
	full.Accuracy, sparse.Accuracy = 1e-9, 1e-9
	size := make([]float64, n)
	for i := range size {
		size[i] = 1
	}
	full.Prepare(k, size)
	full.Solve(k, x, b)
	sparse.pattern(k)
	sparse.sparse = newIncomplete(k, natural(k.Row, k.Column))
	sparse.Prepare(k, size)
	sparse.Solve(k, y, b)
	most, off := 0.0, 0.0
	for i := range x {
		most, off = max(most, math.Abs(x[i])), max(off, math.Abs(x[i]-y[i]))
	}
	if !(most > 0) || off > 1e-6*most {
		t.Errorf("off by %g of %g", off, most)
	}
}

// The diagonal of a matrix that is not positive definite is raised by hardly more than needed, so
// that a step down from a saddle is long. The diagonal of a positive definite matrix is not raised.
func TestRaisedAsLittleAsNeeded(t *testing.T) {
	for _, lowest := range []float64{1, -3e-9, -1e-5, -0.7} {
		k := NewMatrix([]int{0, 1, 2, 3}, []int{0, 1, 2}, 1, 1)
		copy(k.Data, []float64{1, 4, lowest})
		l := New([]r2.Vec{{X: 0}, {X: 1}, {X: 2}}, nil, &Kept{})
		l.Prepare(k, []float64{1, 2, 1}) // the second is an angle: 4 over its arm squared is 1
		want, raised := max(0, -lowest), k.Data[2]-lowest
		if raised < want || raised > 1.6*want {
			t.Errorf("lowest eigenvalue %g: raised by %g", lowest, raised)
		}
		if rest := k.Data[1] - 4; math.Abs(rest-4*raised) > 1e-12 {
			t.Errorf("lowest eigenvalue %g: the angle's diagonal raised by %g", lowest, rest)
		}
	}
}

// A diagonal entry whose negative value is much greater than all positive ones is raised as well. A
// matrix with NaN has no factor, and Prepare returns an error.
func TestRaisedFromAnywhere(t *testing.T) {
	for _, lowest := range []float64{-1e9, math.Inf(-1), math.NaN()} {
		k := NewMatrix([]int{0, 1, 2}, []int{0, 1}, 1, 1)
		copy(k.Data, []float64{1, lowest})
		l := New([]r2.Vec{{X: 0}, {X: 1}}, nil, &Kept{})
		if able, want := l.Prepare(k, []float64{1, 1}), lowest == -1e9; able != want {
			t.Errorf("a diagonal of %g: prepared %v", lowest, able)
		}
	}
}
