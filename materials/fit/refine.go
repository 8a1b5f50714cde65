package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// jacobianStep is the step of the Jacobian's differences, in units of z.
const jacobianStep = 1e-5

// jacobian fills j (rows of data by parameters) with the derivatives of the residuals by z: by
// central differences if the law is valid on both sides, or by forward differences if these
// suffice. r holds the residuals at z; a and b are work space of the same length.
func (e *evaluator) jacobian(z, r, a, b []float64, j *mat.Dense, forward bool) {
	w := slices.Clone(z)
	for k := range z {
		w[k] = z[k] + jacobianStep
		up := e.residuals(e.outerAll(w), a)
		down := false
		if !up || !forward {
			w[k] = z[k] - jacobianStep
			down = e.residuals(e.outerAll(w), b)
		}
		w[k] = z[k]
		high, low, step := a, b, 2*jacobianStep
		switch {
		case !up && !down:
			high, low = r, r
		case !up:
			high, step = r, jacobianStep
		case !down:
			low, step = r, jacobianStep
		}
		for i := range r {
			j.Set(i, k, (high[i]-low[i])/step)
		}
	}
}

// infeasible is the value of the objective where the law is not valid.
const infeasible = 1e6

// objective is half the mean square of the residuals, with its gradient and the
// Gauss-Newton Hessian, in the form of gonum/optimize.
type objective struct {
	*evaluator
	forward bool      // forward differences suffice
	z       []float64 // position at which r and j were computed; nil for none
	ok      bool
	r, a, b []float64
	j       *mat.Dense
	derived bool // j was computed at z
}

func newObjective(e *evaluator) *objective {
	n := len(e.data.D)
	return &objective{
		evaluator: e, r: make([]float64, n), a: make([]float64, n), b: make([]float64, n),
		j: mat.NewDense(n, len(e.Free), nil),
	}
}

func (o *objective) at(z []float64, derive bool) {
	if !slices.Equal(z, o.z) {
		o.z, o.derived = slices.Clone(z), false
		o.ok = o.residuals(o.outerAll(z), o.r)
	}
	if derive && !o.derived {
		if !o.ok {
			clear(o.r)
		}
		o.jacobian(z, o.r, o.a, o.b, o.j, o.forward)
		o.derived = true
	}
}

func (o *objective) value(z []float64) float64 {
	o.at(z, false)
	if !o.ok {
		return infeasible
	}
	return 0.5 * meanSquare(o.r)
}

func (o *objective) gradient(g, z []float64) {
	o.at(z, true)
	v := mat.NewVecDense(len(g), g)
	v.MulVec(o.j.T(), mat.NewVecDense(len(o.r), o.r))
	v.ScaleVec(1/float64(len(o.r)), v)
}

// lmDamping times the mean square of the residuals is added to the Hessian's
// diagonal. It limits steps in a direction without curvature, and vanishes with
// the residuals (Levenberg and Marquardt; N. Yamashita and M. Fukushima,
// Computing Suppl. 15, 2001).
const lmDamping = 0.01

// The Hessian of Gauss and Newton, J^T J, with this addition.
func (o *objective) hessian(h *mat.SymDense, z []float64) {
	o.at(z, true)
	h.SymOuterK(1/float64(len(o.r)), o.j.T())
	most := 0.0
	for k := range z {
		most = max(most, h.At(k, k))
	}
	add := float64(lmDamping*meanSquare(o.r)) + float64(1e-12*most) + 1e-20
	for k := range z {
		h.SetSym(k, k, h.At(k, k)+add)
	}
}

// effort tells when a descent ends: after a number of iterations, or after two
// iterations with a relative gain below a bound.
type effort struct {
	iterations int
	relative   float64
	forward    bool // forward differences for the Jacobian
}

var (
	coarseEffort  = effort{60, 1e-4, true} // far from the minimum
	fineEffort    = effort{100, 1e-9, false}
	replicaEffort = effort{20, 1e-7, true} // from the minimum of nearly the same data
)

// refine descends from the multiples u. It returns the end of the descent and
// the mean square of the residuals there, which is infinite if the law is not
// valid.
func (p *Problem) refine(data Data, u []float64, effort effort) ([]float64, float64) {
	o := newObjective(p.evaluator(data))
	o.forward = effort.forward
	z := make([]float64, len(u))
	for i := range u {
		z[i] = p.Free[i].inner(u[i])
	}
	before := o.value(z)
	if before >= infeasible {
		return u, math.Inf(1)
	}
	// The reason for the end of the descent is no failure: the best point so far
	// is the result.
	result, _ := optimize.Minimize(
		optimize.Problem{Func: o.value, Grad: o.gradient, Hess: o.hessian},
		z, &optimize.Settings{
			MajorIterations: effort.iterations, GradientThreshold: 1e-13,
			Converger: &optimize.FunctionConverge{Absolute: 1e-16, Relative: effort.relative, Iterations: 2},
		}, &optimize.Newton{Linesearcher: &optimize.Backtracking{}})
	if result == nil || !(result.F <= before) {
		return u, 2 * before
	}
	return p.outerAll(result.X), 2 * result.F
}
