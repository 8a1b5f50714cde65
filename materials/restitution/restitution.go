// Package restitution holds closed formulas for the coefficient of restitution
// and measures it from the history of an impact.
package restitution

import (
	"math"

	"fdem/materials/elementary"
)

// The closed formulas are those of G. Wang et al., review, Table 4,
// misprints corrected where the comment says so. Each returns 1 where the
// impact is elastic. Speeds in m/s, lengths in m, moduli and strengths in Pa,
// masses in kg.

// ChangLing is W. Chang and F. Ling's, J. Tribol. 114, 1992, from the greatest
// deflection wm: on effective modulus and radius, the yield strength and
// Poisson's ratio, with wc = R (pi K Y/(2 E*))^2, K = 1.282 + 1.158 nu, the
// deflection at yield. The exponent of the recovered part is 5/4, printed as
// 3/2: only that has the dimension of an energy and gives 1 at wm = wc.
func ChangLing(modulus, radius, yield, poisson, wm float64) float64 {
	k := 1.282 + float64(1.158*poisson)
	a := math.Pi * k * yield / (2 * modulus)
	wc := float64(radius * a * a)
	if wm <= wc {
		return 1
	}
	c := 8.0 / 15 * modulus * math.Sqrt(radius)
	back := c * elementary.Pow(wc*(float64(2*wm)-wc), 1.25)
	took := float64(c*elementary.Pow(wc, 2.5)) + float64(math.Pi*k*yield*radius*wm*(wm-wc))
	return math.Sqrt(back / took)
}

// Thornton is C. Thornton's, J. Appl. Mech. 64, 1997, for impact at v with
// yield at vy.
func Thornton(v, vy float64) float64 {
	if v <= vy {
		return 1
	}
	r := vy / v
	return math.Sqrt(1.2*math.Sqrt(3)*(1-float64(r*r/6))) *
		elementary.Pow(r/(r+2*math.Sqrt(1.2-float64(0.2*r*r))), 0.25)
}

// Wu is C. Wu, L. Li and C. Thornton's, Int. J. Impact Eng. 32, 2005, for impact at v with yield at
// vy: 2.08 (v/vy)^(-1/4), printed with the exponent 0.156, and 0.62 ((v/vy)
// (Y/E*))^(-1/2) from where the two meet, v/vy = 0.0079 (E*/Y)^2. The first
// is 1 up to v = 18.7 vy.
func Wu(v, vy, yield, modulus float64) float64 {
	x := v / vy
	return min(1, 2.08*elementary.Pow(x, -0.25), 0.62/math.Sqrt(x*yield/modulus))
}

// WeirTallon is G. Weir and S. Tallon's, Chem. Eng. Sci. 60, 2005, for impact
// at v of a sphere of radius r1 with the effective radius r after contact, the
// speed of sound in the rod being sqrt(young/density): as printed, with
// (r1/r)^(3/8). Scaling argues for the exponent -3/8; that is open. It is an
// asymptote for v far above yield and not capped.
func WeirTallon(v, yield, modulus, r1, r, young, density float64) float64 {
	c0 := math.Sqrt(young / density)
	return 3.1 * elementary.Pow(yield/modulus, 0.625) * elementary.Pow(r1/r, 0.375) * elementary.Pow(c0/v, 0.25)
}

// Jackson is R. Jackson, I. Green and D. Marghitu's, Nonlinear Dyn. 60, 2010,
// for impact at v with yield at vc: a fit up to v = 1000 vc, continuous at 60.
func Jackson(v, vc, yield, modulus float64) float64 {
	x := v / vc
	switch {
	case x <= 1:
		return 1
	case x <= 60:
		return 1 - float64(0.1*elementary.Log(x)*elementary.Pow((x-1)/59, 0.156))
	}
	return 1 - float64(0.1*elementary.Log(60)) - float64(0.1*elementary.Log(x/60)*elementary.Pow(x-60, 2.36*yield/modulus))
}

// MaLiu is D. Ma and C. Liu's, J. Appl. Mech. 82, 2015, for impact at v of the
// reduced mass far into full flow: k1 is the law's slope there [N/m] and rp
// the radius it unloads on. The factor, printed 0.81, is (4/5)^(1/2)
// (3/4)^(1/3) = 0.8126, as follows from the law.
func MaLiu(v, modulus, rp, k1, mass float64) float64 {
	return math.Sqrt(0.8) * elementary.Cbrt(0.75) / elementary.Cbrt(modulus) *
		elementary.Pow(rp, -1.0/6) * elementary.Pow(k1, 5.0/12) * elementary.Pow(mass, -1.0/12) * elementary.Pow(v, -1.0/6)
}
