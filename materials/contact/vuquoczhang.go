package contact

import (
	"errors"
	"math"

	"fdem/materials/elementary"
)

// vuQuocZhang is X. Zhang and L. Vu-Quoc's law, Int. J. Impact Eng. 27, 2002; the
// review's Table 3. The contact radius has an elastic and a plastic part, and
// plastic flow flattens the contact by C_R:
//
//	sqrt(C_R R d) = (F/k)^(1/3) + C_a (F - F_y)+,  C_R = 1 + K_c (F - F_y)+
//
// with k = 4 E*/(3 R). The source has the law for one of two equal spheres
// against their plane of symmetry, with Young's modulus and half the approach.
// Here it has the effective radius, the effective modulus and the whole
// approach. The load at yield is Hertz's at the pressure 1.61 Y (Poisson's
// ratio 0.3). Unloading: a_e = sqrt(C_R,max R (d - d_res)); the root is missing
// in print. C_a [m/N] and K_c [1/N] are fitted to one pair of bodies. Together
// they must let the force grow with the deflection. Force in N, deflection in
// m; loading is implicit.
type vuQuocZhang struct {
	hertzPart
	ca, kc float64
	dy, fy float64
	k      float64    // 4 E*/(3 R), F = k a_e^3 [N/m^3]
	c, uy  float64    // the cube roots of 1/k and of F_y
	energy *doublings // of d dF, over the cube root of F, from yield
}

func init() {
	fitted := func(name, doc, unit string) Parameter {
		return Parameter{Name: name, Doc: doc, Unit: unit, Max: math.Inf(1)}
	}
	Register(Model{
		Name:   "vu-quoc-zhang",
		Kind:   Point,
		Title:  "contact radius of an elastic and a plastic part; implicit",
		Source: "X. Zhang, L. Vu-Quoc, Int. J. Impact Eng. 27, 2002; G. Wang et al., review, Table 3",
		Formula: "sqrt(C_R R d) = (F/k)^(1/3) + c_a (F - F_y)+, C_R = 1 + k_c (F - F_y)+, k = 4 E*/(3 R)\n" +
			"F = k (C_R,max R (d - d_res))^(3/2) below the peak",
		Parameters: sphereParameters(yieldParameter(),
			fitted("c_a", "plastic contact radius per force beyond yield", "m/N"),
			fitted("k_c", "flattening per force beyond yield", "1/N")),
		New: func(v map[string]float64) (Law, error) {
			l := &vuQuocZhang{hertzPart: newHertzPart(v), ca: v["c_a"], kc: v["k_c"]}
			l.k = 4 * l.modulus / (3 * l.radius)
			l.dy = l.yieldPoint(1.61 * v["yield"])
			l.fy, _ = l.elastic(l.dy)
			l.c, l.uy = elementary.Cbrt(1/l.k), elementary.Cbrt(l.fy)
			for i := range 4 * 64 {
				if _, slope := l.deflection(l.uy * elementary.Exp2(float64(i)/8)); !(slope > 0) {
					return nil, errors.New("c_a and k_c must let the force grow with the deflection: k_c is too large for c_a")
				}
			}
			l.energy = newDoublings(func(u float64) float64 {
				d, _ := l.deflection(u)
				return 3 * u * u * d
			}, l.uy)
			return newQuasiStatic(l, v), nil
		},
	})
}

// deflection is the inverse of loading beyond yield. It returns the deflection
// and its slope by u, the cube root of the force.
func (l *vuQuocZhang) deflection(u float64) (d, slope float64) {
	beyond := max(float64(u*u*u)-l.fy, 0)
	a, da := float64(l.c*u)+float64(l.ca*beyond), l.c+float64(3*l.ca*u*u)
	flat, dflat := 1+float64(l.kc*beyond), 3*l.kc*u*u
	d = a * a / (flat * l.radius)
	return d, float64(2*a*da/(flat*l.radius)) - float64(d*dflat/flat)
}

func (l *vuQuocZhang) load(d, _ float64) (force, slope float64) {
	if d <= l.dy {
		return l.elastic(d)
	}
	lo := l.uy
	hi := elementary.Cbrt(l.stiffness) * math.Sqrt(d)
	for at, _ := l.deflection(hi); at < d; at, _ = l.deflection(hi) {
		lo, hi = hi, 2*hi
	}
	u, du := hi, 0.0
	for range 200 { // Newton's method, with halving if it leaves the bracket
		var at float64
		at, du = l.deflection(u)
		if at < d {
			lo = u
		} else {
			hi = u
		}
		next := u - (at-d)/du
		if !(next >= lo && next <= hi) {
			next = 0.5 * (lo + hi)
		}
		if math.Abs(next-u) <= 1e-15*u {
			break
		}
		u = next
	}
	return u * u * u, 3 * u * u / du
}

func (l *vuQuocZhang) work(d float64) float64 {
	if d <= l.dy {
		return l.elasticWork(d)
	}
	f, _ := l.load(d, d)
	return float64(f*d) - float64(0.6*l.fy*l.dy) - l.energy.to(elementary.Cbrt(f))
}

func (l *vuQuocZhang) recovered(d, f float64) float64 {
	if d <= l.dy {
		return d
	}
	a := elementary.Cbrt(f / l.k)
	return a * a / ((1 + float64(l.kc*max(f-l.fy, 0))) * l.radius)
}
