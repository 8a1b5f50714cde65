package contact

import "fdem/materials/elementary"

// kogutEtsion is L. Kogut and I. Etsion's law, J. Appl. Mech. 69, 2002, with
// the unloading of I. Etsion, Y. Kligerman, Y. Kadin, Int. J. Solids Struct.
// 42, 2005; M. Warzecha, R. Grzejda, eqs. (1) to (12). With w = d/d_y,
//
//	F = F_y w^1.5           w < 1
//	F = 1.03 F_y w^1.425    1 <= w < 6
//	F = 1.40 F_y w^1.263    w >= 6 (fitted up to 110)
//	F = F_max ((w - w_r)/(w_m - w_r))^n  below the peak, n = 1.5 w_m^-0.0331
//	w_r = w_m (1 - w_m^-0.28) (1 - w_m^-0.69)
//
// d_y = R (2.8 pi K_v Y/(2 E*))^2, K_v = 0.454 + 0.41 nu. The force jumps by
// 3.0 % at w = 1 and by 1.7 % at w = 6. Force in N, deflection in m.
type kogutEtsion struct {
	hertzPart
	dy, fy float64
}

func init() {
	Register(Model{
		Name:   "kogut-etsion",
		Kind:   Point,
		Title:  "finite-element fit in three regimes, with jumps of force",
		Source: "L. Kogut, I. Etsion, J. Appl. Mech. 69, 2002; M. Warzecha, R. Grzejda, eqs. (1) to (12)",
		Formula: "F = F_y w^1.5 for w = d/d_y < 1, 1.03 F_y w^1.425 up to 6, 1.40 F_y w^1.263 beyond\n" +
			"d_y = R (2.8 pi K_v Y/(2 E*))^2, K_v = 0.454 + 0.41 nu\n" +
			"F = F_max ((d - d_res)/(d_max - d_res))^n below the peak, n = 1.5 w_m^-0.0331\n" +
			"d_res = d_max (1 - w_m^-0.28) (1 - w_m^-0.69)",
		Parameters: sphereParameters(yieldParameter(), poissonParameter()),
		New: func(v map[string]float64) (Law, error) {
			l := &kogutEtsion{hertzPart: newHertzPart(v)}
			kv := 0.454 + float64(0.41*v["poisson"])
			l.dy = l.yieldPoint(2.8 * kv * v["yield"])
			l.fy, _ = l.elastic(l.dy)
			return newQuasiStatic(l, v), nil
		},
	})
}

// load chooses its regime by total.
func (l *kogutEtsion) load(d, total float64) (force, slope float64) {
	w := total / l.dy
	if w < 1 {
		return l.elastic(d)
	}
	c, n := 1.03, 1.425
	if w >= 6 {
		c, n = 1.40, 1.263
	}
	force = c * l.fy * elementary.Pow(d/l.dy, n)
	return force, n * force / d
}

func (l *kogutEtsion) work(d float64) float64 {
	w := d / l.dy
	if w < 1 {
		return l.elasticWork(d)
	}
	area := 0.4 + float64(1.03/2.425*(elementary.Pow(min(w, 6), 2.425)-1))
	if w >= 6 {
		area += float64(1.40 / 2.263 * (elementary.Pow(w, 2.263) - elementary.Pow(6, 2.263)))
	}
	return l.fy * l.dy * area
}

func (l *kogutEtsion) recovered(d, _ float64) float64 {
	w := d / l.dy
	if w < 1 {
		return d
	}
	return d - float64(d*(1-elementary.Pow(w, -0.28))*(1-elementary.Pow(w, -0.69)))
}

func (l *kogutEtsion) exponent(d float64) float64 {
	if d < l.dy {
		return 1.5
	}
	return 1.5 * elementary.Pow(d/l.dy, -0.0331)
}
