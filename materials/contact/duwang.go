package contact

import "math"

// duWang is Y. Du and S. Wang's law, J. Appl. Mech. 76, 2009; the review's
// Table 3:
//
//	F = pi R p_p d - pi^3 p_p^3 R^2/(12 E*^2),  d >= d_e = R (pi p_p/(2 E*))^2
//
// with p_p = (1 + pi/2) Y. Below d_e the law is Hertz's; in print d >= d_e is
// the range of both branches. Unloading is by Hertz's law with the undeformed
// radius. Force in N, deflection in m.
type duWang struct{ plateau }

func init() {
	Register(Model{
		Name:   "du-wang",
		Kind:   Point,
		Title:  "elastic, then constant pressure (1 + pi/2) Y; unloading with the undeformed radius",
		Source: "Y. Du, S. Wang, J. Appl. Mech. 76, 2009; G. Wang et al., review, Table 3",
		Formula: "F = 4/3 E* sqrt(R) d^(3/2), d <= d_e = R (pi p_p/(2 E*))^2, p_p = (1 + pi/2) Y\n" +
			"F = pi R p_p d - pi^3 p_p^3 R^2/(12 E*^2), d >= d_e\n" +
			"F = 4/3 E* sqrt(R) (d - d_res)^(3/2) below the peak",
		Parameters: sphereParameters(yieldParameter()),
		New: func(v map[string]float64) (Law, error) {
			return newQuasiStatic(&duWang{newPlateau(v, (1+math.Pi/2)*v["yield"])}, v), nil
		},
	})
}

func (l *duWang) recovered(d, f float64) float64 {
	if d <= l.dy {
		return d
	}
	return l.regained(f, l.radius)
}
