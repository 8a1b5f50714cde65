package rough

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/integrate/quad"
)

// asperities is the mean force on a plane at height h of asperities with
// Gaussian heights of unit deviation (eqs. (8), (42) and (44)):
//
//	G(h) = integral over x > 0 of g(x) phi(x+h)
//
// g is the force of one asperity at a deflection of x deviations, in units of
// 4/3 E beta^(1/2) sigma^(3/2). In these units the ZMC asperity has
//
//	x^(3/2)                                  up to x = e       elastic
//	e^(1/2)/K (1 - (1-K) D1(x)) D2(x)        up to x = 54 e    elastoplastic
//	2 e^(1/2)/K x                            beyond            plastic
//
// with e = delta_ep/sigma = 1/psi^2.
type asperities struct {
	elastic, plastic float64   // e and 54 e, infinite for the elastic model
	hardness         float64   // K
	span             float64   // ln 54
	at, weight       []float64 // Gauss-Legendre on (0, 1)
}

func newAsperities(psi, k float64) *asperities {
	const points = 48
	a := &asperities{elastic: math.Inf(1), plastic: math.Inf(1), hardness: k, span: elementary.Log(54)}
	if psi > 0 {
		a.elastic = 1 / (psi * psi)
		a.plastic = 54 * a.elastic
	}
	a.at, a.weight = make([]float64, points), make([]float64, points)
	quad.Legendre{}.FixedLocations(a.at, a.weight, 0, 1)
	return a
}

// mean returns G and dG/dh at the separation h, in deviations, to 1e-10 of
// their value. The substitution x = y^2 removes the root of the elastic branch.
func (a *asperities) mean(h float64) (g, slope float64) {
	const far = 36 // exp(-36) is less than rounding
	var low, high float64
	if wide := math.Sqrt(2 * far); h < 0 {
		low, high = max(0, -h-wide), wide-h
	} else {
		high = 2 * far / (h + math.Sqrt(float64(h*h)+2*far))
	}
	for branch, ends := range [...][2]float64{{0, a.elastic}, {a.elastic, a.plastic}, {a.plastic, math.Inf(1)}} {
		from, to := max(low, ends[0]), min(high, ends[1])
		if from >= to {
			continue
		}
		from, to = math.Sqrt(from), math.Sqrt(to)
		for i, u := range a.at {
			y := from + float64((to-from)*u)
			x := float64(y * y)
			force, stiffness := a.force(branch, x, y)
			s := x + h
			density := elementary.Exp(-0.5*float64(s*s)) * 2 * y * (to - from) * a.weight[i]
			g += float64(force * density)
			slope -= float64(stiffness * density)
		}
	}
	const phi0 = 0.39894228040143267794 // 1/sqrt(2 pi)
	return g * phi0, slope * phi0
}

// force returns g and dg/dx of one asperity at x = y^2 on one of its branches
// (eqs. (42) and (43)).
func (a *asperities) force(branch int, x, y float64) (g, slope float64) {
	if branch == 0 {
		return x * y, 1.5 * y
	}
	scale := math.Sqrt(a.elastic) / a.hardness
	if branch == 2 {
		return 2 * scale * x, 2 * scale
	}
	p := 1 - float64((1-a.hardness)*elementary.Log(a.plastic/x)/a.span) // mean pressure over hardness
	dp := (1 - a.hardness) / (a.span * x)
	width := a.plastic - a.elastic
	l := (x - a.elastic) / width
	area := 1 + float64(l*l*(3-2*l))
	grow := area + float64(6*l*(1-l)/width*x)
	return scale * p * area * x, scale * (float64(dp*area*x) + float64(p*grow))
}
