package published

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fdem/fem"
	"fdem/io/throw"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
)

// beams compares slender beams of 20 elements with known solutions: the frequencies of a
// cantilever and of a free beam, with consistent masses; and the cantilever that the end
// moment 2 pi EI/L rolls into a full circle.
var beams = Problem{
	Name:   "beams",
	Title:  "bending frequencies, and a beam rolled into a circle",
	Source: "Euler-Bernoulli beams: roots of cos z cosh z = -1 and of cos z cosh z = 1; the elastica under an end moment",
	Solve:  solveBeams,
}

// The rod: 1 m, EI = 1 Nm2, 1 kg/m; stiff along its axis, without rotary
// inertia.
const rodElements = 20

var rodSection = fem.Section{EA: 120000, EI: 1, RhoA: 1}

// rod returns the nodes and beams of the rod, turned by an angle.
func rod(angle float64) ([]r2.Vec, *fem.Beams) {
	x := make([]r2.Vec, rodElements+1)
	var pairs [][2]int32
	id, section := make([]int32, rodElements), make([]int32, rodElements)
	for i := range x {
		x[i] = r2.Rotate(r2.Vec{X: float64(i) / rodElements}, angle, r2.Vec{})
		if i > 0 {
			pairs = append(pairs, [2]int32{int32(i - 1), int32(i)})
			id[i-1] = int32(i)
		}
	}
	return x, throw.Must(fem.NewBeams(x, pairs, id, section, []fem.Section{rodSection}))
}

func solveBeams() []Row {
	var out []Row
	for _, c := range []struct {
		name  string
		held  int // degrees of freedom
		rigid int // frequencies that are zero
		roots [3]float64
	}{
		{"cantilever", 3, 0, [3]float64{1.8751040687119611, 4.694091132974175, 7.854757438237613}},
		{"free beam", 0, 3, [3]float64{4.730040744862704, 7.853204624095838, 10.995607838001671}},
	} {
		omega := frequencies(c.held)
		for i, z := range c.roots {
			out = append(out, Row{
				Case: c.name, Quantity: fmt.Sprintf("frequency %d", i+1), Unit: "rad/s", Known: z * z,
				Computed: omega[c.rigid+i], Tolerance: 1e-3 * z * z, Note: "20 elements, consistent masses",
			})
		}
	}
	x, theta := rolled()
	force := turned(1)
	return append(out,
		Row{Case: "full circle", Quantity: "tip from the root, over the length", Unit: "1", Computed: r2.Norm(x), Tolerance: 1e-6, Note: "20 elements under 2 pi EI/L"},
		Row{Case: "full circle", Quantity: "rotation of the tip", Unit: "rad", Known: 2 * math.Pi, Computed: theta, Tolerance: 1e-6, Note: "20 elements under 2 pi EI/L"},
		Row{Case: "turned by 1 rad", Quantity: "greatest force, over EA", Unit: "1", Computed: force / rodSection.EA, Tolerance: 1e-12, Note: "rigid rotation makes no force"},
	)
}

// assembled returns the matrix that add fills.
func assembled(b *fem.Beams, add func(p *fem.Pattern, val []float64)) *mat.Dense {
	p := fem.NewPattern(rodElements+1, b)
	val := make([]float64, len(p.Col))
	add(p, val)
	n := len(p.RowPtr) - 1
	out := mat.NewDense(n, n, nil)
	for i := range n {
		for at := p.RowPtr[i]; at < p.RowPtr[i+1]; at++ {
			out.Set(i, int(p.Col[at]), val[at])
		}
	}
	return out
}

// frequencies returns the angular frequencies of the rod with its first degrees of
// freedom held, in ascending order [rad/s].
func frequencies(held int) []float64 {
	x, b := rod(0)
	k := assembled(b, func(p *fem.Pattern, val []float64) { p.AddBeams(val, b, x, make([]float64, len(x))) })
	m := assembled(b, func(p *fem.Pattern, val []float64) { p.AddConsistentMasses(val, b, x) })
	n, _ := k.Dims()
	symmetric := func(d mat.Matrix, first int) *mat.SymDense {
		s := mat.NewSymDense(n-held, nil)
		for i := range n - held {
			for j := i; j < n-held; j++ {
				s.SetSym(i, j, 0.5*(d.At(first+i, first+j)+d.At(first+j, first+i)))
			}
		}
		return s
	}
	var factor mat.Cholesky
	if !factor.Factorize(symmetric(m, held)) {
		throw.If(errors.New("the mass matrix is not positive definite"))
	}
	var l mat.TriDense
	factor.LTo(&l)
	var half, a mat.Dense // L^-1 K, L^-1 K L^-T
	throw.If(half.Solve(&l, symmetric(k, held)))
	throw.If(a.Solve(&l, half.T()))
	var eigen mat.EigenSym
	if !eigen.Factorize(symmetric(&a, 0), false) {
		throw.If(errors.New("no eigenvalues"))
	}
	omega := eigen.Values(nil)
	for i, v := range omega {
		omega[i] = math.Sqrt(max(v, 0))
	}
	slices.Sort(omega)
	return omega
}

// rolled returns the tip's position from the root [m] and its rotation [rad], by Newton's
// method over ten increments of the moment up to 2 pi EI/L on the clamped rod.
func rolled() (tip r2.Vec, angle float64) {
	x, b := rod(0)
	const increments, iterations, last = 10, 60, rodElements
	theta := make([]float64, len(x))
	rest, d := mat.NewVecDense(3*last, nil), mat.NewVecDense(3*last, nil)
	for load := 1; load <= increments; load++ {
		settled := false
		for i := 0; i < iterations && !settled; i++ {
			f, moment := make([]r2.Vec, len(x)), make([]float64, len(x))
			throw.If(b.AddForces(f, moment, x, theta))
			moment[last] += 2 * math.Pi * rodSection.EI * float64(load) / increments
			for n := range last {
				rest.SetVec(3*n, f[n+1].X)
				rest.SetVec(3*n+1, f[n+1].Y)
				rest.SetVec(3*n+2, moment[n+1])
			}
			k := assembled(b, func(p *fem.Pattern, val []float64) { p.AddBeams(val, b, x, theta) })
			var lu mat.LU
			lu.Factorize(k.Slice(3, 3*last+3, 3, 3*last+3))
			throw.If(lu.SolveVecTo(d, false, rest))
			for n := range last {
				x[n+1] = r2.Add(x[n+1], r2.Vec{X: d.AtVec(3 * n), Y: d.AtVec(3*n + 1)})
				theta[n+1] += d.AtVec(3*n + 2)
			}
			settled = mat.Norm(d, math.Inf(1)) < 1e-11
		}
		if !settled {
			throw.If(fmt.Errorf("no equilibrium at %d of %d of the moment", load, increments))
		}
	}
	return x[last], theta[last]
}

// turned returns the greatest nodal force in the rod after a rigid rotation [N].
func turned(angle float64) float64 {
	_, b := rod(0)
	x, _ := rod(angle)
	f, moment, theta := make([]r2.Vec, len(x)), make([]float64, len(x)), make([]float64, len(x))
	for i := range theta {
		theta[i] = angle
	}
	throw.If(b.AddForces(f, moment, x, theta))
	most := 0.0
	for _, v := range f {
		most = max(most, r2.Norm(v))
	}
	return most
}
