package fem

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/spatial/r2"
)

// equilibrium moves x and theta, clamped at node 0, to where the internal
// forces balance a force and a moment on the last node, by Newton's method,
// and returns the number of iterations.
func equilibrium(t *testing.T, b *Beams, x []r2.Vec, theta []float64, force r2.Vec, moment float64) int {
	p := NewPattern(len(x), b)
	val := make([]float64, len(p.Col))
	size := 3 * (len(x) - 1)
	rest, d := mat.NewVecDense(size, nil), mat.NewVecDense(size, nil)
	for step := range 60 {
		f, m := beamForces(t, b, x, theta)
		last := len(x) - 1
		f[last] = r2.Add(f[last], force)
		m[last] += moment
		for i := range last {
			rest.SetVec(3*i, f[i+1].X)
			rest.SetVec(3*i+1, f[i+1].Y)
			rest.SetVec(3*i+2, m[i+1])
		}
		clear(val)
		p.AddBeams(val, b, x, theta)
		var lu mat.LU
		lu.Factorize(dense(p, val).Slice(3, size+3, 3, size+3))
		if err := lu.SolveVecTo(d, false, rest); err != nil {
			t.Fatal(err)
		}
		for i := range last {
			x[i+1] = r2.Add(x[i+1], r2.Vec{X: d.AtVec(3 * i), Y: d.AtVec(3*i + 1)})
			theta[i+1] += d.AtVec(3*i + 2)
		}
		if mat.Norm(d, math.Inf(1)) < 1e-11 {
			return step + 1
		}
	}
	t.Fatalf("no equilibrium at force %v N, moment %g Nm: last change %g", force, moment, mat.Norm(d, math.Inf(1)))
	return 0
}

// A small force at the tip of a cantilever bends it by PL^3/(3EI), exactly for
// any number of elements.
func TestCantileverSmallForce(t *testing.T) {
	for _, n := range []int{1, 2, 7} {
		r := newRod(n, 2, 0.6, 0.5)
		b := r.beams(t, thin)
		x, theta := slices.Clone(r.x), make([]float64, n+1)
		const p = 1e-5 // [N]
		equilibrium(t, b, x, theta, r2.Rotate(r2.Vec{Y: p}, 0.6, r2.Vec{}), 0)
		tip := r2.Norm(r2.Sub(x[n], r.x[n]))
		if w, q := p*8/3, p*4/2; math.Abs(tip-w) > 1e-8*w || math.Abs(theta[n]-q) > 1e-8*q {
			t.Errorf("%d elements: deflection %g m, want %g m, rotation %g, want %g", n, tip, w, theta[n], q)
		}
	}
}

// The end moment 2 pi EI/L rolls a cantilever into a full circle: the tip comes
// back to the root. Twice that makes two turns.
func TestCantileverRollsUp(t *testing.T) {
	const n = 20
	for _, c := range []struct{ uneven, direction float64 }{{0, 0}, {0.5, 0}, {0, 2.8}, {0.5, 2.8}} {
		r := newRod(n, 1, c.direction, c.uneven)
		b := r.beams(t, thin)
		x, theta := slices.Clone(r.x), make([]float64, n+1)
		const steps = 10
		iterations := 0
		for turns := 1; turns <= 2; turns++ {
			for i := range steps {
				iterations += equilibrium(t, b, x, theta, r2.Vec{}, 2*math.Pi*(float64(turns-1)+float64(i+1)/steps)*thin.EI)
			}
			// the nodes lie on a polygon whose chords keep their lengths
			off, at := 0.0, r2.Vec{}
			for i, e := range b.element {
				half := math.Pi * float64(turns) * e.length // of the angle it takes
				at = r2.Add(at, r2.Rotate(r2.Vec{X: e.length}, c.direction+2*math.Pi*float64(turns)*r2.Norm(r.x[i])+half, r2.Vec{}))
				off = max(off, r2.Norm(r2.Sub(x[i+1], at)))
			}
			gap, angle := r2.Norm(x[n]), theta[n]-2*math.Pi*float64(turns)
			t.Logf("uneven %g, direction %g, turn %d: tip %.2e L from the root, nodes %.1e L off the polygon, rotation off by %.1e, %d iterations", c.uneven, c.direction, turns, gap, off, angle, iterations)
			// uneven chords make no regular polygon, and it does not close
			if c.uneven == 0 && gap > 1e-12 || off > 1e-12 || math.Abs(angle) > 1e-12 {
				t.Errorf("uneven %g, turn %d: tip %g L from the root, nodes %g L off the polygon, rotation off by %g", c.uneven, turns, gap, off, angle)
			}
		}
	}
}

// elastica returns the tip of an inextensible cantilever of length 1 under a
// transverse end force of fixed direction p in units of EI/L^2: how far it
// moves across and back, and its rotation (Bisshopp and Drucker, Quarterly of
// Applied Mathematics 3, 1945). With k^2 = (1 + sin q)/2 and
// sin f = 1/(k sqrt 2) the tip's rotation q obeys sqrt p = K(k) - F(f, k).
func elastica(p float64) (across, back, q float64) {
	low, high := 0.0, math.Pi/2
	for range 200 {
		q = (low + high) / 2
		m := (1 + math.Sin(q)) / 2
		if mathext.CompleteK(m)-mathext.EllipticF(math.Asin(1/math.Sqrt(2*m)), m) < math.Sqrt(p) {
			low = q
		} else {
			high = q
		}
	}
	m := (1 + math.Sin(q)) / 2
	across = 1 - 2/math.Sqrt(p)*(mathext.CompleteE(m)-mathext.EllipticE(math.Asin(1/math.Sqrt(2*m)), m))
	return across, 1 - math.Sqrt(2*math.Sin(q)/p), q
}

// The elliptic integrals give the values that Mattiasson published (Numerical
// results from large deflection beam and frame problems analysed by means of
// elliptic integrals, International Journal for Numerical Methods in
// Engineering 17, 1981).
func TestElastica(t *testing.T) {
	for _, c := range [][4]float64{ // p, back, across, rotation
		{1, 0.05643, 0.30172, 0.46135}, {2, 0.16064, 0.49346, 0.78175}, {5, 0.38763, 0.71379, 1.21537}, {10, 0.55500, 0.81061, 1.43029},
	} {
		across, back, q := elastica(c[0])
		if math.Abs(back-c[1]) > 5.1e-6 || math.Abs(across-c[2]) > 5.1e-6 || math.Abs(q-c[3]) > 5.1e-6 {
			t.Errorf("p %g: back %.6f, across %.6f, rotation %.6f, published %v", c[0], back, across, q, c[1:])
		}
	}
}

// The cantilever under an end force converges at second order to the elastica.
func TestCantileverLargeForce(t *testing.T) {
	stiff := Section{EA: 1e8, EI: 1, RhoA: 1}
	for _, p := range []float64{1, 10} {
		across, back, q := elastica(p)
		want := [3]float64{across, back, q}
		var tips [][3]float64
		for _, n := range []int{20, 40, 80} {
			r := newRod(n, 1, 0, 0)
			b := r.beams(t, stiff)
			x, theta := slices.Clone(r.x), make([]float64, n+1)
			const steps = 10
			for i := range steps {
				equilibrium(t, b, x, theta, r2.Vec{Y: p * float64(i+1) / steps}, 0)
			}
			tips = append(tips, [3]float64{x[n].Y, 1 - x[n].X, theta[n]})
		}
		var errs [3][2]float64 // distance and angle from the theory's tip
		for k, tip := range tips {
			errs[k] = [2]float64{math.Hypot(tip[0]-across, tip[1]-back), math.Abs(tip[2] - q)}
		}
		for i, name := range []string{"place", "rotation"} {
			first, second := math.Log2(errs[0][i]/errs[1][i]), math.Log2(errs[1][i]/errs[2][i])
			t.Logf("p %g, %s: off by %.2e, %.2e and %.2e, rates %.3f and %.3f", p, name, errs[0][i], errs[1][i], errs[2][i], first, second)
			if math.Abs(first-2) > 0.05 || math.Abs(second-2) > 0.05 || errs[0][i] > 5e-4 {
				t.Errorf("p %g, %s: off by %g with 20 elements, rates %g and %g", p, name, errs[0][i], first, second)
			}
		}
		for i, name := range []string{"across", "back", "rotation"} {
			limit := tips[2][i] + (tips[2][i]-tips[1][i])/3
			t.Logf("p %g, %s: %.6f %.6f %.6f, limit %.7f, theory %.7f", p, name, tips[0][i], tips[1][i], tips[2][i], limit, want[i])
			if math.Abs(limit-want[i]) > 1e-6 {
				t.Errorf("p %g, %s: limit %g, theory %g", p, name, limit, want[i])
			}
		}
	}
}
