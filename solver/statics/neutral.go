package statics

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/solver/cholesky"
	"fdem/solver/constraints"
)

// Neutral modes: rigid motions that contact without friction leaves free and that nothing drives,
// such as the rotation of a round shaft in its ring. A perfect contact has no stiffness and no
// force in these modes. A contact of contact nodes and edges has small ones by discretisation,
// which change from one contact node to the next. Then Newton's method converges late or never. In
// this case the increment is tried again with the neutral modes held: the residual and the step
// have no components in them. The result is an equilibrium if the holding forces are not greater
// than the errors of the contact's discretisation, and if the loads do not drive the modes.

const (
	neutralForce    = 5e-4 // a holding force below this part of the contact forces is an error of discretisation
	neutralLoad     = 1e-3 // loads do not drive a mode if their component in it is below this part of their norm
	neutralRounding = 1e-7 // component of balanced loads by rounding, relative to the contact forces
	mostMotions     = 60   // greatest number of rigid motions that are examined
)

// neutralStiffness are the ways to treat neutral modes: none is held, or those whose stiffness is below a part of
// the greatest of rigid motions. A shaft that turns freely in a hole is soft against rolling in it, too, as long as
// little presses it there; that motion is not neutral.
var neutralStiffness = [...]float64{0, 1e-3, 1e-6}

var errDriven = errors.New("what supports leave free is driven")

// mode is a rigid motion of one or several bodies, normalised to the mass 1: one value per freedom.
type mode struct {
	shape  []float64
	far    float64 // greatest displacement [m]
	driven float64 // component of the residual in it, which was removed
}

// basis is a rigid motion of one body: its freedoms, and the motion of each.
type basis struct {
	freedoms []int32
	shape    []float64
}

// rigidMotions returns the free rigid motions of unrestrained bodies, orthonormal with respect to
// mass.
func (a *newton) rigidMotions() (out []basis) {
	weight := func(i int32) float64 { return a.massScale[i] * a.massScale[i] }
	for i := range a.unrestrained {
		freedoms, motions := constraints.Motions(a.freedoms, &a.unrestrained[i])
		first := len(out)
		for _, m := range motions {
			for _, b := range out[first:] { // Gram-Schmidt
				part := 0.0
				for j, f := range freedoms {
					part += float64(float64(b.shape[j]*m[j]) * weight(f))
				}
				for j := range m {
					m[j] -= float64(part * b.shape[j])
				}
			}
			norm := 0.0
			for j, f := range freedoms {
				norm += float64(float64(m[j]*m[j]) * weight(f))
			}
			if norm = math.Sqrt(norm); !(norm > 0) {
				continue
			}
			for j := range m {
				m[j] /= norm
			}
			out = append(out, basis{freedoms, m})
		}
	}
	return out
}

// findNeutral finds the neutral modes from the tangent stiffness. It increases the stiffness in
// proportion to mass such that it is positive in these modes.
func (a *newton) findNeutral() {
	a.neutral = a.neutral[:0]
	motions := a.rigidMotions()
	if len(motions) == 0 || len(motions) > mostMotions {
		return
	}
	n := len(motions)
	k, whole, pull := make([]float64, n*n), make([]float64, a.freedoms.N), make([]float64, a.freedoms.N)
	for j := range motions {
		clear(whole)
		for l, f := range motions[j].freedoms {
			whole[f] = motions[j].shape[l]
		}
		a.stiffness.Times(pull, whole)
		for i := range motions {
			for l, f := range motions[i].freedoms {
				k[i*n+j] += float64(motions[i].shape[l] * pull[f])
			}
		}
	}
	values, vectors := eigen(k, n)
	greatest, shift := 0.0, 0.0
	for _, v := range values {
		greatest = max(greatest, math.Abs(v))
	}
	for j, v := range values {
		if math.Abs(v) > a.hold*greatest {
			continue
		}
		shift = max(shift, 2*math.Abs(v))
		m := mode{shape: make([]float64, a.freedoms.N)}
		for i := range motions {
			for l, f := range motions[i].freedoms {
				m.shape[f] += float64(vectors[i*n+j] * motions[i].shape[l])
			}
		}
		for f, v := range m.shape {
			m.far = max(m.far, math.Abs(float64(v*a.freedoms.Size[f])))
		}
		a.neutral = append(a.neutral, m)
	}
	for f, s := range a.massScale {
		a.stiffness.Data[a.stiffness.At(int32(f), int32(f))] += float64(shift * float64(s*s))
	}
}

// project removes the components in the neutral modes from generalised forces.
func (a *newton) project(r []float64) {
	for i := range a.neutral {
		m := &a.neutral[i]
		m.driven = cholesky.Inner(m.shape, r)
		for f, v := range m.shape {
			r[f] -= float64(float64(m.driven*v) * float64(a.massScale[f]*a.massScale[f]))
		}
	}
}

// holdStep takes from a step what it has in the neutral modes, by the forces that hold them: the displacement
// that a force in a mode causes is taken so often that the step has no component in the mode.
func (a *newton) holdStep() {
	if len(a.neutral) == 0 {
		return
	}
	pull := make([]float64, a.freedoms.N)
	by := make([][]float64, len(a.neutral)) // the displacements, without components in the modes before
	for i := range a.neutral {
		for f, v := range a.neutral[i].shape {
			pull[f] = float64(v * float64(a.massScale[f]*a.massScale[f]))
		}
		by[i] = make([]float64, a.freedoms.N)
		a.Linear.Solve(a.stiffness.Matrix, by[i], pull)
		for j := range by[:i] {
			a.neutral[j].takeFrom(by[i], by[j], a.massScale)
		}
		a.neutral[i].takeFrom(a.step, by[i], a.massScale)
	}
}

// takeFrom takes from a displacement a multiple of another one, such that it has no component in the mode.
func (m *mode) takeFrom(step, by, massScale []float64) {
	has, part := 0.0, 0.0
	for f, v := range m.shape {
		w := float64(v * float64(massScale[f]*massScale[f]))
		has += float64(w * step[f])
		part += float64(w * by[f])
	}
	if part == 0 {
		return
	}
	for f, v := range by {
		step[f] -= float64(has / part * v)
	}
}

// undriven tells whether the forces that hold the neutral modes are only errors of discretisation.
// It returns their greatest ratio to the contact forces.
func (a *newton) undriven() (part float64, ok bool) {
	contact := make([]float64, a.freedoms.N)
	pressed := a.freedoms.CollectContact(a.solver.Outline(), contact)
	loads, _ := a.solver.SumsOfSquares()
	loaded := math.Sqrt(loads)
	for i := range a.neutral {
		m := &a.neutral[i]
		held := math.Abs(m.driven) / m.far
		load := math.Abs(m.driven-cholesky.Inner(m.shape, contact)) / m.far
		if held > neutralForce*pressed || load > max(neutralLoad*loaded, neutralRounding*pressed) {
			return 0, false
		}
		if pressed > 0 {
			part = max(part, held/pressed)
		}
	}
	return part, true
}

// quoted returns the names of unrestrained bodies, each once.
func quoted(unrestrained []constraints.FreeBody) string {
	var out []string
	for i := range unrestrained {
		if name := strconv.Quote(unrestrained[i].Name); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// eigen returns the eigenvalues of a symmetric matrix of n rows, and the eigenvectors as columns,
// by Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5). It overwrites the
// matrix.
func eigen(k []float64, n int) (values, vectors []float64) {
	vectors = make([]float64, n*n)
	for i := range n {
		vectors[i*n+i] = 1
	}
	const sweeps = 30
	for range sweeps {
		off, all := 0.0, 0.0
		for i := range n {
			for j := range n {
				v := float64(k[i*n+j] * k[i*n+j])
				if all += v; i != j {
					off += v
				}
			}
		}
		if off <= 1e-30*all {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(k, vectors, n, p, q)
			}
		}
	}
	for i := range n {
		values = append(values, k[i*n+i])
	}
	return values, vectors
}

// rotate makes the entry of row p and column q zero.
func rotate(k, vectors []float64, n, p, q int) {
	if k[p*n+q] == 0 {
		return
	}
	theta := (k[q*n+q] - k[p*n+p]) / (2 * k[p*n+q])
	t := 1 / (math.Abs(theta) + math.Sqrt(1+float64(theta*theta)))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(1+float64(t*t))
	s := t * c
	turn := func(of []float64, i, j int) {
		a, b := of[i], of[j]
		of[i], of[j] = float64(c*a)-float64(s*b), float64(s*a)+float64(c*b)
	}
	for i := range n {
		turn(k, p*n+i, q*n+i)
	}
	for i := range n {
		turn(k, i*n+p, i*n+q)
		turn(vectors, i*n+p, i*n+q)
	}
}
