package rough

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// gaussPoints is the number of Gauss points in a panel of the radius.
const gaussPoints = 8

// disc is the grid of pressure and bulk deformation: panels of the radius with
// Gauss points in each. It has the bulk deformation by pressures at these
// points on a half space of unit modulus (eq. (10)).
type disc struct {
	r, weight []float64   // the points and their weights
	influence [][]float64 // w = influence p
}

var reference = newRules()

// rules are the quadratures on a panel.
type rules struct {
	at, weight       [gaussPoints]float64 // Gauss-Legendre on (-1, 1)
	scale            [gaussPoints]float64 // 1/product of (at[j]-at[m]), m not j
	near, nearWeight []float64
}

// newRules also makes the rule for an integrand with a logarithm at 0: Gauss
// points in u with t = u^5, so that the integrand has u^4 log u.
func newRules() *rules {
	const points = 24
	q := &rules{near: make([]float64, points), nearWeight: make([]float64, points)}
	quad.Legendre{}.FixedLocations(q.at[:], q.weight[:], -1, 1)
	for j := range q.scale {
		q.scale[j] = 1
		for m, x := range q.at {
			if m != j {
				q.scale[j] /= q.at[j] - x
			}
		}
	}
	quad.Legendre{}.FixedLocations(q.near, q.nearWeight, 0, 1)
	for i, u := range q.near {
		q.nearWeight[i] *= 5 * u * u * u * u
		q.near[i] = u * u * u * u * u
	}
	return q
}

// basis fills l with the Lagrange polynomials of the Gauss points at x.
func (q *rules) basis(x float64, l *[gaussPoints]float64) {
	p := 1.0
	for j, at := range q.at {
		l[j] = q.scale[j] * p
		p *= x - at
	}
	p = 1
	for j := gaussPoints - 1; j >= 0; j-- {
		l[j] *= p
		p *= x - q.at[j]
	}
}

// newDisc returns the grid on panels between the given radii, ascending from
// zero. Panels far from a point are integrated by their Gauss points. Near
// panels are integrated for the polynomial through the pressures, with the rule
// for the logarithm at t = r.
func newDisc(edges []float64) *disc {
	panels := len(edges) - 1
	n := gaussPoints * panels
	g := &disc{r: make([]float64, n), weight: make([]float64, n), influence: make([][]float64, n)}
	for k := range panels {
		mid, half := float64(0.5*(edges[k]+edges[k+1])), float64(0.5*(edges[k+1]-edges[k]))
		for j, x := range reference.at {
			g.r[gaussPoints*k+j] = mid + float64(half*x)
			g.weight[gaussPoints*k+j] = half * reference.weight[j]
		}
	}
	rows := make([]float64, n*n)
	for i, r := range g.r {
		row := rows[i*n : (i+1)*n]
		g.influence[i] = row
		for k := range panels {
			low, high := edges[k], edges[k+1]
			part := row[gaussPoints*k : gaussPoints*(k+1)]
			switch {
			case max(low-r, r-high) >= 0.5*(high-low):
				for j := range part {
					part[j] = kernel(r, g.r[gaussPoints*k+j]) * g.weight[gaussPoints*k+j]
				}
			case r <= low:
				addNear(part, r, low, high, low, high)
			case r >= high:
				addNear(part, r, high, low, low, high)
			default:
				addNear(part, r, r, low, low, high)
				addNear(part, r, r, high, low, high)
			}
		}
	}
	return g
}

// addNear adds to part the deformation at r by the panel's pressures between
// the radii from and to. The logarithm is at from or near it.
func addNear(part []float64, r, from, to, low, high float64) {
	var l [gaussPoints]float64
	mid, half := float64(0.5*(low+high)), float64(0.5*(high-low))
	for i, u := range reference.near {
		t := from + float64((to-from)*u)
		reference.basis((t-mid)/half, &l)
		k := kernel(r, t) * math.Abs(to-from) * reference.nearWeight[i]
		for j := range part {
			part[j] += float64(k * l[j])
		}
	}
}

// kernel returns the deformation at r by unit pressure on a ring at t of unit
// width: 4/pi t/(r+t) K(k) of eqs. (10) and (11), after Landen's
// transformation, in which the modulus is min/max.
func kernel(r, t float64) float64 {
	inner, outer := min(r, t), max(r, t)
	k := inner / outer
	m := min(float64(k*k), 1-0x1p-53)
	return 4 / math.Pi * t / outer * completeK(m)
}

// completeK returns the complete elliptic integral of the first kind with the
// parameter m = k^2 < 1, by the arithmetic-geometric mean.
func completeK(m float64) float64 {
	a, g := 1.0, math.Sqrt(1-m)
	for a-g > 1e-8*a { // the error of the mean is then the square's eighth
		a, g = float64(0.5*(a+g)), math.Sqrt(a*g)
	}
	return math.Pi / (a + g)
}

// center returns the deformation at r = 0.
func (g *disc) center(p []float64) float64 {
	w := 0.0
	for j, v := range p {
		w += float64(2 * g.weight[j] * v)
	}
	return w
}

// integral returns the integral of 2 pi r f.
func (g *disc) integral(f []float64) float64 {
	sum := 0.0
	for j, v := range f {
		sum += float64(2 * math.Pi * g.r[j] * g.weight[j] * v)
	}
	return sum
}
