package contact

import (
	"math"

	"fdem/materials/elementary"
)

// maLiu is D. Ma and C. Liu's law, J. Appl. Mech. 82, 2015; the review's
// Table 3: with p_y = 1.61 Y, d_y = R (pi p_y/(2 E*))^2, d_p = d_y xi^2/2 and
// L = ln(xi^2/2)
//
//	F = d (c_1 + c_2 ln(d/d_y)) + c_3     d_y <= d <= d_p
//	F = F_p + 2 pi R psi Y (d - d_p)      d >= d_p
//	c_1 = pi R (p_y (1 + L) - 2 psi Y)/L,  c_2 = pi R (2 psi Y - p_y)/L,  c_3 = F_y - c_1 d_y
//
// Force and slope are continuous (d_c in print is d_y). Unloading is by Hertz's
// law with the radius R F_Hertz(d_max)/F_max, and beyond d_p with the radius at
// d_p. The review gives no psi and xi; 3 and 13 reproduce its Table 5. Force in
// N, deflection in m.
type maLiu struct {
	plateau
	fullFlow
	c1, c2, c3 float64
	rp         float64 // radius of unloading beyond d_p
}

func init() {
	Register(Model{
		Name:   "ma-liu",
		Kind:   Point,
		Title:  "elastic and fully plastic, joined with force and slope by a logarithm",
		Source: "D. Ma, C. Liu, J. Appl. Mech. 82, 2015; G. Wang et al., review, Table 3",
		Formula: "F = 4/3 E* sqrt(R) d^(3/2), d <= d_y = R (pi p_y/(2 E*))^2, p_y = 1.61 Y\n" +
			"F = d (c_1 + c_2 ln(d/d_y)) + c_3, d_y <= d <= d_p = d_y xi^2/2\n" +
			"F = F_p + 2 pi R psi Y (d - d_p), d >= d_p\n" +
			"F = 4/3 E* sqrt(R_e) (d - d_res)^(3/2) below the peak, R_e = R F_Hertz(d_max)/F_max, that of d_p beyond d_p",
		Parameters: sphereParameters(yieldParameter(),
			ratio("psi", "pressure of full flow over the yield strength", 1.61/2, 3),
			ratio("xi", "contact radius of full flow over that at yield", math.Sqrt2, 13)),
		New: func(v map[string]float64) (Law, error) {
			l := &maLiu{plateau: newPlateau(v, 1.61*v["yield"])}
			flow := float64(2 * v["psi"] * v["yield"])
			ratio := v["xi"] * v["xi"] / 2
			log := elementary.Log(ratio)
			l.dp = l.dy * ratio
			l.sp = math.Pi * l.radius * flow
			l.c2 = float64(math.Pi * l.radius * (flow - l.py) / log)
			l.c1 = float64(math.Pi*l.radius*l.py) - l.c2
			l.c3 = l.fy - float64(l.c1*l.dy)
			l.fp = float64(l.dp*(l.c1+float64(l.c2*log))) + l.c3
			hertz, _ := l.elastic(l.dp)
			l.rp = l.radius * hertz / l.fp
			return newQuasiStatic(l, v), nil
		},
	})
}

func (l *maLiu) load(d, _ float64) (force, slope float64) {
	switch {
	case d <= l.dy:
		return l.elastic(d)
	case d >= l.dp:
		return l.flow(d)
	}
	chord := l.c1 + float64(l.c2*elementary.Log(d/l.dy))
	return float64(d*chord) + l.c3, chord + l.c2
}

func (l *maLiu) work(d float64) float64 {
	if d <= l.dy {
		return l.elasticWork(d)
	}
	e := min(d, l.dp)
	square := float64(e*e) - float64(l.dy*l.dy)
	w := l.elasticWork(l.dy) + float64(0.5*l.c1*square) + float64(l.c3*(e-l.dy)) +
		float64(l.c2*(float64(0.5*e*e*elementary.Log(e/l.dy))-float64(0.25*square)))
	return w + l.flowWork(d)
}

func (l *maLiu) recovered(d, f float64) float64 {
	switch {
	case d <= l.dy:
		return d
	case d >= l.dp:
		return l.regained(f, l.rp)
	}
	hertz, _ := l.elastic(d)
	return l.regained(f, l.radius*hertz/f)
}
