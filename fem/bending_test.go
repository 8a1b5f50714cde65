package fem

import (
	"math"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/mat"
)

// The free body whose bending frequencies are compared with theory.
const (
	bodyLength = 0.1  // [m]
	bodyHeight = 0.01 // [m]
)

// timoshenko returns the first n angular frequencies of the free body as
// Timoshenko's beam, with Cowper's shear coefficient of a rectangle [rad/s].
//
// With lengths over L, moment over EI/L, shear force over EI/L^2 and
// z = omega L^2 sqrt(rho A/EI), harmonic motion of deflection w, rotation q,
// moment m and shear force v along the beam obeys
//
//	w' = q + s v,  q' = m,  m' = -v - z^2 r q,  v' = -z^2 w
//
// with r = I/(A L^2) and s = EI/(kappa G A L^2). It is a free vibration when
// some w and q at one end with m = v = 0 lead to m = v = 0 at the other.
func timoshenko(m bulk.Elastic, n int) []float64 {
	r := bodyHeight * bodyHeight / (12 * bodyLength * bodyLength)
	kappa := 10 * (1 + m.Poisson) / (12 + 11*m.Poisson)
	s := r * 2 * (1 + m.Poisson) / kappa
	det := func(z float64) float64 {
		var e mat.Dense
		e.Exp(mat.NewDense(4, 4, []float64{
			0, 1, 0, s,
			0, 0, 1, 0,
			0, -z * z * r, 0, -1,
			-z * z, 0, 0, 0,
		}))
		return e.At(2, 0)*e.At(3, 1) - e.At(2, 1)*e.At(3, 0)
	}
	var omega []float64
	for a := 5.0; len(omega) < n; a++ {
		if math.Signbit(det(a)) == math.Signbit(det(a+1)) {
			continue
		}
		low, high := a, a+1
		for range 50 {
			mid := (low + high) / 2
			if math.Signbit(det(mid)) == math.Signbit(det(low)) {
				low = mid
			} else {
				high = mid
			}
		}
		omega = append(omega, low*math.Sqrt(m.Young*r/m.Density)/bodyLength)
	}
	return omega
}

// bending returns the first n angular frequencies of bending of the free
// body, meshed with ny cells over its height, by subspace iteration with
// K + shift M [rad/s]. K comes from differences of AddForces.
func bending(t *testing.T, ny, n int) []float64 {
	p := newPatch(10*ny, ny, bodyLength, bodyHeight, 0)
	s := p.triangles(t, steel, bulk.PlaneStress, 0.01)
	mass, size := s.Masses(), 2*len(p.x)
	const shift = 1e8 // [1/s2]
	k := mat.NewSymBandDense(size, 2*(ny+2)+1, nil)
	addStiffness(s, p.x, func(i, j int, v float64) {
		if i <= j {
			k.SetSymBand(i, j, k.At(i, j)+v)
		}
	})
	for i := range size {
		k.SetSymBand(i, i, k.At(i, i)+shift*mass[i/2])
	}
	var factor mat.BandCholesky
	if !factor.Factorize(k) {
		t.Fatal("K + shift M is not positive definite")
	}

	// start from waves along the body in both directions
	const vectors = 12
	v := mat.NewDense(size, vectors, nil)
	for i, x := range p.x {
		for j := range vectors / 2 {
			wave := math.Cos(float64(j) * math.Pi * x.X / bodyLength)
			v.Set(2*i, 2*j, wave*(1+x.Y/bodyHeight))
			v.Set(2*i+1, 2*j+1, wave)
		}
	}
	weighted := mat.NewDense(size, vectors, nil)
	var small mat.EigenSym
	values := make([]float64, vectors)
	for range 6 {
		weighted.Apply(func(i, _ int, x float64) float64 { return x * mass[i/2] }, v)
		if err := factor.SolveTo(v, weighted); err != nil {
			t.Fatal(err)
		}
		// Ritz: with y = (K + shift M)^-1 M v the projections are
		// y^T M v and y^T M y
		var a, b mat.Dense
		a.Mul(v.T(), weighted)
		weighted.Apply(func(i, _ int, x float64) float64 { return x * mass[i/2] }, v)
		b.Mul(v.T(), weighted)
		ritz(t, &small, &a, &b, v, values)
	}
	var omega []float64
	for j := 3; len(omega) < n; j++ { // behind the three rigid motions
		along, across := 0.0, 0.0
		for i := range p.x {
			along += mass[i] * v.At(2*i, j) * v.At(2*i, j)
			across += mass[i] * v.At(2*i+1, j) * v.At(2*i+1, j)
		}
		if across > along { // bending, not stretching
			omega = append(omega, math.Sqrt(values[j]-shift))
		}
	}
	return omega
}

// ritz solves the small problem a z = value b z, in ascending order, and turns
// the columns of v into the vectors v z.
func ritz(t *testing.T, eigen *mat.EigenSym, a, b *mat.Dense, v *mat.Dense, values []float64) {
	n := len(values)
	symmetric := func(d *mat.Dense) *mat.SymDense {
		s := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				s.SetSym(i, j, 0.5*(d.At(i, j)+d.At(j, i)))
			}
		}
		return s
	}
	var chol mat.Cholesky
	if !chol.Factorize(symmetric(b)) {
		t.Fatal("the subspace has collapsed")
	}
	var l mat.TriDense
	chol.LTo(&l)
	var c, z mat.Dense
	if err := c.Solve(&l, a); err != nil { // L^-1 a L^-T
		t.Fatal(err)
	}
	if err := z.Solve(&l, c.T()); err != nil {
		t.Fatal(err)
	}
	if !eigen.Factorize(symmetric(&z), true) {
		t.Fatal("no eigenvalues")
	}
	eigen.Values(values)
	var q, turn, turned mat.Dense
	eigen.VectorsTo(&q)
	if err := turn.Solve(l.T(), &q); err != nil {
		t.Fatal(err)
	}
	turned.Mul(v, &turn)
	v.Copy(&turned)
}

// The first three bending frequencies of a free body of 100 mm by 10 mm
// converge at second order to within 0.3 percent of Timoshenko's beam, and are
// within 0.5 percent of it on the finest mesh.
func TestBendingFrequencies(t *testing.T) {
	theory := timoshenko(steel, 3)
	// the beam of Euler and Bernoulli, z = 22.3733, has the lowest a little higher
	if euler := 22.3733 * math.Sqrt(steel.Young/(12*steel.Density)) * bodyHeight / (bodyLength * bodyLength); !(theory[0] < euler && theory[0] > 0.96*euler) {
		t.Fatalf("Timoshenko %g rad/s, Euler-Bernoulli %g rad/s", theory[0], euler)
	}
	var meshes [][]float64
	for _, ny := range []int{8, 16, 32} {
		meshes = append(meshes, bending(t, ny, 3))
	}
	for i, want := range theory {
		coarse, middle, fine := meshes[0][i], meshes[1][i], meshes[2][i]
		rate := math.Log2((coarse - middle) / (middle - fine))
		limit := fine + (fine-middle)/3
		t.Logf("bending %d: %.1f %.1f %.1f Hz, rate %.3f, limit %.1f Hz, Timoshenko %.1f Hz; fine %+.2f %%, limit %+.2f %%",
			i+1, coarse/(2*math.Pi), middle/(2*math.Pi), fine/(2*math.Pi), rate, limit/(2*math.Pi), want/(2*math.Pi),
			100*(fine/want-1), 100*(limit/want-1))
		if math.Abs(rate-2) > 0.05 {
			t.Errorf("bending %d: converges at rate %g, want 2", i+1, rate)
		}
		if math.Abs(limit/want-1) > 0.003 || math.Abs(fine/want-1) > 0.005 {
			t.Errorf("bending %d: %g rad/s, limit %g rad/s, theory %g rad/s", i+1, fine, limit, want)
		}
	}
}
