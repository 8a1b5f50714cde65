package main

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// rupture is the greatest load of an elastic beam without a notch on two supports, loaded
// in the middle, where a cohesive crack opens: Petersson's influence method (Crack growth
// and development of fracture zones in plain concrete and similar materials, Lund 1981).
// With linear softening the nodes of the crack are linear equations for each position of its
// tip, at which the strength is reached.
type rupture struct {
	Height, Span, Length, Poisson float64 // of the beam and the characteristic length, in one unit
	Rows, Columns                 int     // of elements over height and half the span
}

// strip is the stiffness of a column of elements by its left and right nodes, for Young's
// modulus 1 in plane stress: quadrilaterals with the incompatible modes of Wilson.
func (r rupture) strip(wide float64) *mat.Dense {
	nu, a, b := r.Poisson, wide, r.Height/float64(r.Rows)
	law := mat.NewDense(3, 3, []float64{1, nu, 0, nu, 1, 0, 0, 0, (1 - nu) / 2})
	law.Scale(1/(1-nu*nu), law)
	var all mat.Dense // of 8 nodal displacements and 4 modes
	g := 1 / math.Sqrt(3)
	for _, s := range []float64{-g, g} {
		for _, t := range []float64{-g, g} {
			of := mat.NewDense(3, 12, nil)
			for k, c := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				x, y := c[0]*(1+c[1]*t)/(2*a), c[1]*(1+c[0]*s)/(2*b)
				of.Set(0, 2*k, x)
				of.Set(1, 2*k+1, y)
				of.Set(2, 2*k, y)
				of.Set(2, 2*k+1, x)
			}
			of.Set(0, 8, -4*s/a)
			of.Set(2, 9, -4*s/a)
			of.Set(2, 10, -4*t/b)
			of.Set(1, 11, -4*t/b)
			var part mat.Dense
			part.Product(of.T(), law, of)
			part.Scale(a*b/4, &part)
			if all.IsEmpty() {
				all.CloneFrom(&part)
			} else {
				all.Add(&all, &part)
			}
		}
	}
	one := condensed(&all, 8)
	n := 2 * (r.Rows + 1)
	out := mat.NewDense(2*n, 2*n, nil)
	for row := range r.Rows {
		at := []int{2 * row, n + 2*row, n + 2*row + 2, 2*row + 2} // left below, and on round
		for i := range 8 {
			for j := range 8 {
				p, q := at[i/2]+i%2, at[j/2]+j%2
				out.Set(p, q, out.At(p, q)+one.At(i, j))
			}
		}
	}
	return out
}

// condensed is what remains of a stiffness for the first n unknowns where nothing acts on
// the others.
func condensed(k *mat.Dense, n int) *mat.Dense {
	all, _ := k.Dims()
	var solved, out mat.Dense
	if err := solved.Solve(k.Slice(n, all, n, all), k.Slice(n, all, 0, n)); err != nil {
		panic(err)
	}
	out.Mul(k.Slice(0, n, n, all), &solved)
	out.Sub(k.Slice(0, n, 0, n), &out)
	return &out
}

// face is the stiffness of half the beam by the nodes of its middle section, upwards.
func (r rupture) face() *mat.Dense {
	n := 2 * (r.Rows + 1)
	rest := mat.NewDense(n, n, nil)
	add := func(wide float64) {
		k := r.strip(wide)
		for i := range n {
			for j := range n {
				k.Set(n+i, n+j, k.At(n+i, n+j)+rest.At(i, j))
			}
		}
		rest = condensed(k, n)
	}
	const beyond = 4 // columns beyond the support
	for range beyond {
		add(r.Height / 2 / beyond)
		rest.Set(0, 0, rest.At(0, 0)+1e-6) // a free end has no position yet
	}
	rest.Set(1, 1, rest.At(1, 1)+1e6) // the support
	at := func(i int) float64 { return r.Span / 2 * math.Pow(float64(i)/float64(r.Columns), 1.7) }
	for i := r.Columns - 1; i >= 0; i-- {
		add(at(i+1) - at(i))
	}
	return rest
}

// loads returns the loads at which the tip is at each node in turn, as stresses 3 P l/(2 h^2)
// over the strength.
func (r rupture) loads() (out []float64) {
	k := r.face()
	nodes := r.Rows + 1
	order := mat.NewDense(2*nodes, 2*nodes, nil) // x of all nodes, then y
	for i := range 2 * nodes {
		for j := range 2 * nodes {
			order.Set(i%2*nodes+i/2, j%2*nodes+j/2, k.At(i, j))
		}
	}
	across := condensed(order, nodes)
	down := mat.NewVecDense(nodes, nil)
	down.SetVec(nodes-1, -0.5) // half of the load
	var y, pushed mat.VecDense
	if err := y.SolveVec(order.Slice(nodes, 2*nodes, nodes, 2*nodes), down); err != nil {
		panic(err)
	}
	pushed.MulVec(order.Slice(0, nodes, nodes, 2*nodes), &y)
	area := func(i int) float64 {
		if i == 0 {
			return 0.5 * r.Height / float64(r.Rows)
		}
		return r.Height / float64(r.Rows)
	}
	// Half the opening u, traction 1 - u/l1 of the strength: in units of the strength and of
	// strength over Young's modulus.
	for tip := range r.Rows * 9 / 10 {
		m, b := mat.NewDense(tip+1, tip+1, nil), mat.NewVecDense(tip+1, nil)
		for i := range tip + 1 {
			for j := range tip {
				m.Set(i, j, across.At(i, j))
			}
			if i < tip {
				m.Set(i, i, m.At(i, i)-area(i)/r.Length)
			}
			m.Set(i, tip, pushed.AtVec(i))
			b.SetVec(i, -area(i))
		}
		var x mat.VecDense
		if err := x.SolveVec(m, b); err != nil {
			panic(err)
		}
		if tip > 0 && x.AtVec(0) > r.Length {
			return out // parts at the lower side
		}
		out = append(out, 1.5*x.AtVec(tip)*r.Span/(r.Height*r.Height))
	}
	return out
}

// strength is the greatest of the loads.
func (r rupture) strength() float64 {
	most := 0.0
	for _, l := range r.loads() {
		most = max(most, l)
	}
	return most
}

// The rupture modulus of cohesive cracks with linear softening is that of the closed form of
// Planas, Guinea and Elices (International Journal of Fracture 95 (1999) 367) within 1 %, over the
// load at which the lower side of the beam reaches the strength. That is 4.5 % more than a slender
// beam has, four heights long.
func TestRuptureModulus(t *testing.T) {
	of := func(rows int, ratio float64) rupture { return rupture{1, 4, 1 / ratio, 0.25, rows, rows} }
	elastic := 2*of(40, 1).loads()[0] - of(20, 1).loads()[0] // the first node's area errs by its size
	if math.Abs(elastic/1.045-1) > 1e-3 {
		t.Errorf("an elastic beam reaches its strength at %g times the load of a slender one", elastic)
	}
	for _, ratio := range []float64{0.1, 0.5, 4. / 3, 4, 8} { // height by characteristic length
		got, want := of(40, ratio).strength()/elastic, 1+1/(0.85+2.3*ratio)
		t.Logf("h/l1 = %.3g: %.4f, %.4f by the closed form", ratio, got, want)
		if math.Abs(got/want-1) > 0.01 {
			t.Errorf("h/l1 = %g: rupture modulus %g of the strength, the closed form has %g", ratio, got, want)
		}
	}
}
