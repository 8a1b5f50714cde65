package contact

import (
	"errors"
	"math"

	"fdem/materials/elementary"
)

// burgoyneDaraio is H. Burgoyne and C. Daraio's law, Phys. Rev. E 89, 2014;
// the review's Table 3:
//
//	F = d (alpha + beta ln d)     d_y <= d <= d_p
//	F = p_0 pi (2 R d + c_2)      d >= d_p,  p_0 = c_1 Y
//
// alpha and beta make the force continuous at both ends. Below d_y = R (pi
// p_y/(2 E*))^2, p_y = 1.6 Y, it is Hertz's. c_1, c_2 and d_p are empirical;
// the parameters are c_2 over R d_y and d_p over d_y. By default c_1 is 2.8,
// c_2 is -1 (then the plastic contact area, extrapolated to d_y, is that at
// yield) and d_p is 84.5 d_y (Ma and Liu's xi = 13). Unloading is Thornton's;
// its exponent 3/2 is missing in print. The slope is not continuous at either
// end. Force in N, deflection in m.
type burgoyneDaraio struct {
	plateau
	fullFlow
	beta float64
}

func init() {
	Register(Model{
		Name:   "burgoyne-daraio",
		Kind:   Point,
		Title:  "elastic and fully plastic, joined by d (alpha + beta ln d)",
		Source: "H. Burgoyne, C. Daraio, Phys. Rev. E 89, 2014; G. Wang et al., review, Table 3",
		Formula: "F = 4/3 E* sqrt(R) d^(3/2), d <= d_y = R (pi p_y/(2 E*))^2, p_y = 1.6 Y\n" +
			"F = d (alpha + beta ln d), d_y <= d <= d_p\n" +
			"F = c1 Y pi R (2 d + c2 d_y), d >= d_p\n" +
			"F = 4/3 E* sqrt(R_p) (d - d_res)^(3/2) below the peak, R_p = 4E*/(3F_max) ((2F_max + F_y)/(2 pi p_y))^(3/2)",
		Parameters: sphereParameters(yieldParameter(),
			ratio("c1", "pressure of full flow over the yield strength", 0, 2.8),
			ratio("c2", "offset of the plastic contact area over R d_y", -2, -1),
			ratio("d_p", "deflection of full flow over that at yield", 1, 84.5)),
		New: func(v map[string]float64) (Law, error) {
			l := &burgoyneDaraio{plateau: newPlateau(v, 1.6*v["yield"])}
			l.dp = v["d_p"] * l.dy
			l.sp = 2 * math.Pi * l.radius * v["c1"] * v["yield"]
			l.fp = 0.5 * l.sp * (float64(2*l.dp) + float64(v["c2"]*l.dy))
			l.beta = (l.fp/l.dp - l.fy/l.dy) / elementary.Log(l.dp/l.dy)
			if l.beta < 0 {
				return nil, errors.New("c1 and c2 must give full flow a chord stiffness of at least that at yield")
			}
			return newQuasiStatic(l, v), nil
		},
	})
}

func (l *burgoyneDaraio) load(d, _ float64) (force, slope float64) {
	switch {
	case d <= l.dy:
		return l.elastic(d)
	case d >= l.dp:
		return l.flow(d)
	}
	chord := l.fy/l.dy + float64(l.beta*elementary.Log(d/l.dy))
	return d * chord, chord + l.beta
}

func (l *burgoyneDaraio) work(d float64) float64 {
	if d <= l.dy {
		return l.elasticWork(d)
	}
	e := min(d, l.dp)
	w := l.elasticWork(l.dy) +
		float64(0.5*l.fy/l.dy*(float64(e*e)-float64(l.dy*l.dy))) +
		float64(l.beta*(float64(0.5*e*e*elementary.Log(e/l.dy))-float64(0.25*(float64(e*e)-float64(l.dy*l.dy)))))
	return w + l.flowWork(d)
}

func (l *burgoyneDaraio) recovered(d, f float64) float64 {
	if d <= l.dy {
		return d
	}
	return l.regained(f, l.thorntonRadius(f))
}
