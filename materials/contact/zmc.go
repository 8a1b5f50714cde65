package contact

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// zmc is Y. Zhao, D. Maietta and L. Chang's law, J. Tribol. 122, 2000, as in T.
// Zhao, Y. Feng, J. Appl. Mech. 85(10), 2018, eqs. (36) to (43): the mean
// pressure grows with the logarithm of the deflection, and the contact area by
// a cubic from its elastic to its plastic value,
//
//	F = 4/3 E* sqrt(R) d^(3/2)                        d <= d_1 = R (3 pi k H/(4 E*))^2
//	F = A p                                           d_1 <= d <= d_2
//	p = H (1 - (1 - k) ln(d_2/d)/ln(d_2/d_1))
//	A = pi R d (1 + 3 t^2 - 2 t^3),  t = (d - d_1)/(d_2 - d_1)
//	F = 2 pi R d H                                    d >= d_2
//
// d_2/d_1 is at least 54 in the source and 54 by default; k is 0.4 by default. The source has
// no unloading. Here the flattened contact unloads by Hertz's law with its contact radius, and
// recovers the deflection 3 F_max/(4 E* a_max). Force in N, deflection in m.
type zmc struct {
	hertzPart
	hardness, k float64
	d1, d2      float64
	span        float64    // ln(d_2/d_1)
	energy      *doublings // from d_1
}

func init() {
	k := Parameter{Name: "k", Doc: "mean pressure at yield over the hardness", Unit: "1", OpenMin: true, Max: 1}
	full := Parameter{Name: "d_2", Doc: "deflection of full flow over that at yield", Unit: "1", Min: 1, OpenMin: true, Max: 1e6}
	Register(Model{
		Name:   "zmc",
		Kind:   Point,
		Title:  "elastic and fully plastic, joined by area and mean pressure",
		Source: "Y. Zhao, D. Maietta, L. Chang, J. Tribol. 122, 2000; T. Zhao, Y. Feng, J. Appl. Mech. 85(10), 2018, eqs. (36) to (43)",
		Formula: "F = 4/3 E* sqrt(R) d^(3/2), d <= d_1 = R (3 pi k H/(4 E*))^2\n" +
			"F = pi R d (1 + 3 t^2 - 2 t^3) H (1 - (1 - k) ln(d_2/d)/ln(d_2/d_1)), t = (d - d_1)/(d_2 - d_1)\n" +
			"F = 2 pi R d H, d >= d_2\n" +
			"F = F_max ((d - d_res)/(d_max - d_res))^(3/2) below the peak, d_res = d_max - 3 F_max/(4 E* a_max)",
		Parameters: sphereParameters(positive("hardness", "hardness of the weaker body", "Pa"), withDefault(k, 0.4), withDefault(full, 54)),
		New: func(v map[string]float64) (Law, error) {
			l := &zmc{hertzPart: newHertzPart(v), hardness: v["hardness"], k: v["k"]}
			l.d1 = l.yieldPoint(1.5 * l.k * l.hardness)
			l.d2 = v["d_2"] * l.d1
			if !(l.d2 > l.d1) {
				return nil, fmt.Errorf("d_2 must be greater than 1, got %g", v["d_2"])
			}
			l.span = elementary.Log(l.d2 / l.d1)
			l.energy = newDoublings(func(d float64) float64 {
				f, _ := l.load(d, d)
				return f
			}, l.d1)
			return newQuasiStatic(l, v), nil
		},
	})
}

// area returns the contact area over pi R d, and its slope in t.
func (l *zmc) area(d float64) (a, slope float64) {
	t := min(max((d-l.d1)/(l.d2-l.d1), 0), 1)
	return 1 + float64(t*t*(3-float64(2*t))), 6 * t * (1 - t)
}

func (l *zmc) load(d, _ float64) (force, slope float64) {
	s := float64(math.Pi * l.radius * l.hardness)
	switch {
	case d <= l.d1:
		return l.elastic(d)
	case d >= l.d2:
		return float64(2 * s * d), float64(2 * s)
	}
	a, da := l.area(d)
	p := 1 - float64((1-l.k)*elementary.Log(l.d2/d)/l.span)
	return s * d * a * p, s * (float64(a*p) + float64(d*da/(l.d2-l.d1)*p) + float64(a*(1-l.k)/l.span))
}

func (l *zmc) work(d float64) float64 {
	if d <= l.d1 {
		return l.elasticWork(d)
	}
	w := l.elasticWork(l.d1) + l.energy.to(min(d, l.d2))
	if d > l.d2 {
		w += float64(math.Pi * l.radius * l.hardness * (float64(d*d) - float64(l.d2*l.d2)))
	}
	return w
}

func (l *zmc) recovered(d, f float64) float64 {
	if d <= l.d1 {
		return d
	}
	a, _ := l.area(d)
	return 3 * f / (4 * l.modulus * math.Sqrt(a*l.radius*d))
}
