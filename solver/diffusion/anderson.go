package diffusion

import "math"

// anderson accelerates a fixed-point iteration x = g(x) (Anderson, J. ACM 12, 1965): the next x is the
// combination of the last ones whose difference g(x) - x is smallest.
type anderson struct {
	x, f   [depth + 1][]float64 // the last values and differences, the latest first
	filled int
}

// depth is the number of earlier values that count.
const depth = 5

func (a *anderson) reset() { a.filled = 0 }

// next replaces x, at some indices, by the next value; g is g(x).
func (a *anderson) next(of []int32, x, g []float64) {
	last := a.x[depth]
	copy(a.x[1:], a.x[:depth])
	a.x[0] = last
	last = a.f[depth]
	copy(a.f[1:], a.f[:depth])
	a.f[0] = last
	a.x[0], a.f[0] = a.x[0][:0], a.f[0][:0]
	for _, i := range of {
		a.x[0], a.f[0] = append(a.x[0], x[i]), append(a.f[0], g[i]-x[i])
	}
	m := a.filled
	a.filled = min(a.filled+1, depth)
	c := a.combine(m)
	for j, i := range of {
		v := a.x[0][j] + a.f[0][j]
		for k := range m {
			v -= float64(c[k] * ((a.x[k][j] - a.x[k+1][j]) + (a.f[k][j] - a.f[k+1][j])))
		}
		x[i] = v
	}
}

// combine returns the factors of the m last changes of the difference that leave the least of it, by
// Gram and Schmidt's orthogonalisation; 0 for a change that is hardly independent of later ones.
func (a *anderson) combine(m int) (c [depth]float64) {
	const dependent = 1e-10 // ratio of squares
	var q [depth][]float64
	var r [depth][depth]float64
	for k := range m {
		v := make([]float64, len(a.f[0]))
		whole := 0.0
		for j := range v {
			v[j] = a.f[k][j] - a.f[k+1][j]
			whole += float64(v[j] * v[j])
		}
		for i := range k {
			if q[i] == nil {
				continue
			}
			r[i][k] = inner(q[i], v)
			for j := range v {
				v[j] -= float64(r[i][k] * q[i][j])
			}
		}
		if left := inner(v, v); left > dependent*whole {
			r[k][k] = math.Sqrt(left)
			for j := range v {
				v[j] /= r[k][k]
			}
			q[k] = v
		}
	}
	for k := m - 1; k >= 0; k-- {
		if q[k] == nil {
			continue
		}
		c[k] = inner(q[k], a.f[0])
		for i := k + 1; i < m; i++ {
			c[k] -= float64(r[k][i] * c[i])
		}
		c[k] /= r[k][k]
	}
	return c
}

// inner returns the inner product.
func inner(a, b []float64) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}
