package mortar

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
)

// lines are two lines of unlike edges that face one another, one of them bent: 5
// edges on 3.
func lines(gap float64) (x []r2.Vec, first, second [][2]int32) {
	for i := range 6 {
		x = append(x, r2.Vec{X: 1 - float64(i)/5, Y: 0.02 * math.Sin(float64(i))})
	}
	for i := range 4 {
		x = append(x, r2.Vec{X: -0.1 + 1.2*float64(i)/3, Y: gap})
	}
	for i := range int32(5) {
		first = append(first, [2]int32{i, i + 1})
	}
	for i := int32(6); i < 9; i++ {
		second = append(second, [2]int32{i, i + 1})
	}
	return x, first, second
}

// Any rigid motion and any stretch along the lines leave the constraints at zero,
// and their forces have no resultant and no moment.
func TestRowsAreBlindToMotion(t *testing.T) {
	x, first, second := lines(0.03)
	found := Tie(x, first, second, 0.1)
	if len(found.Rows) != 6 || len(found.Alone) != 0 || len(found.Opposite) != 3 || math.Abs(found.Covered-found.Length) > 1e-12 {
		t.Fatalf("%d rows, %d nodes alone, %d edges met, %g m of %g m", len(found.Rows), len(found.Alone), len(found.Opposite), found.Covered, found.Length)
	}
	sin, cos := math.Sincos(1.1)
	moved := make([]r2.Vec, len(x))
	for i, p := range x {
		moved[i] = r2.Vec{X: 3 + 2*(cos*p.X-sin*p.Y), Y: -1 + 2*(sin*p.X+cos*p.Y)}
	}
	for i := range found.Rows {
		r := &found.Rows[i]
		if a, b := r2.Norm(r.Of(x)), r2.Norm(r.Of(moved)); a > 1e-16 || b > 1e-15 {
			t.Errorf("row %d has %g m at the start, %g m when moved", i, a, b)
		}
		f := make([]r2.Vec, len(x))
		r.Push(f, r2.Vec{X: 2, Y: 3})
		var sum r2.Vec
		moment := 0.0
		for n, v := range f {
			sum = r2.Add(sum, v)
			moment += r2.Cross(moved[n], v)
		}
		if r2.Norm(sum) > 1e-15 || math.Abs(moment) > 1e-15 {
			t.Errorf("row %d pushes with %v and %g", i, sum, moment)
		}
	}
}

// Edges that are too far away, or face the other way, have no partner.
func TestAlone(t *testing.T) {
	x, first, second := lines(0.03)
	if found := Tie(x, first, second, 0.001); len(found.Alone) == 0 {
		t.Error("a gap of 1 mm is bridged")
	}
	for i := range second {
		second[i][0], second[i][1] = second[i][1], second[i][0]
	}
	if found := Tie(x, first, second, 0.1); len(found.Alone) != 6 || len(found.Rows) != 0 {
		t.Errorf("%d nodes of 6 are alone", len(found.Alone))
	}
}

// The skyline gives what a dense matrix gives, and holds once what is held twice.
func TestHeldAgainstDense(t *testing.T) {
	x, first, second := lines(0.03)
	rows := Tie(x, first, second, 0.1).Rows
	inverse := make([]r2.Vec, len(x))
	for i := range inverse {
		inverse[i] = r2.Vec{X: 1 + 0.1*float64(i), Y: 2 - 0.1*float64(i)}
	}
	inverse[2].Y, inverse[7] = 0, r2.Vec{}
	n := 2 * len(rows)
	c := mat.NewDense(n, 2*len(x), nil)
	w := mat.NewDiagDense(2*len(x), nil)
	for i := range x {
		w.SetDiag(2*i, inverse[i].X)
		w.SetDiag(2*i+1, inverse[i].Y)
	}
	for i, r := range rows {
		for _, term := range r.Terms {
			k := 2 * int(term.Node)
			c.Set(2*i, k, term.A)
			c.Set(2*i, k+1, -term.B)
			c.Set(2*i+1, k, term.B)
			c.Set(2*i+1, k+1, term.A)
		}
	}
	var cw, a mat.Dense
	cw.Mul(c, w)
	a.Mul(&cw, c.T())
	b := mat.NewVecDense(n, nil)
	per := func(n int32) r2.Vec { return inverse[n] }
	got := make([]r2.Vec, len(rows))
	for i := range got {
		got[i] = r2.Vec{X: math.Sin(float64(i)), Y: math.Cos(float64(3 * i))}
		b.SetVec(2*i, got[i].X)
		b.SetVec(2*i+1, got[i].Y)
	}
	var want mat.VecDense
	if err := want.SolveVec(&a, b); err != nil {
		t.Fatal(err)
	}
	NewHeld(rows, per).Solve(got)
	for i, v := range got {
		if math.Abs(v.X-want.AtVec(2*i))+math.Abs(v.Y-want.AtVec(2*i+1)) > 1e-9*mat.Norm(&want, 2) {
			t.Errorf("row %d has %v, a dense matrix %g, %g", i, v, want.AtVec(2*i), want.AtVec(2*i+1))
		}
	}
	twice := append(append([]Constraint{}, rows...), rows...)
	of := make([]r2.Vec, len(twice))
	for i := range rows {
		of[i] = r2.Vec{X: 1, Y: -1}
		of[len(rows)+i] = of[i]
	}
	once := append([]r2.Vec{}, of[:len(rows)]...)
	NewHeld(rows, per).Solve(once)
	NewHeld(twice, per).Solve(of)
	for i := range once {
		if r2.Norm(r2.Sub(of[i], once[i])) > 1e-9*mat.Norm(&want, 2) || of[len(rows)+i] != (r2.Vec{}) {
			t.Errorf("row %d held twice has %v and %v, once %v", i, of[i], of[len(rows)+i], once[i])
		}
	}
}
